"""What machine a run is measured on: facts that a reader of its numbers needs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.text import one_line

if TYPE_CHECKING:
    from specui.domain.units import Record

PROC = Path("/proc")
SYS = Path("/sys")
ETC = Path("/etc")


def host_facts(proc: Path = PROC, sys_root: Path = SYS, etc: Path = ETC) -> Record:
    """System, kernel, processor, memory, governor; what cannot be read is left out."""
    uname = os.uname()
    facts: Record = {
        "os": _os_name(etc) or uname.sysname,
        "kernel": uname.release,
        "machine": uname.machine,
        "kernel_cmdline": _text(proc / "cmdline"),
        "cpu": _cpu_name(proc),
        "cpus": os.cpu_count(),
        "governor": _text(sys_root / "devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "ram_bytes": _ram_bytes(proc),
        "power_profile": _text(sys_root / "firmware/acpi/platform_profile"),
    }
    return {k: v for k, v in facts.items() if v is not None}


def _os_name(etc: Path) -> str | None:
    for line in (_text(etc / "os-release") or "").split("\n"):
        key, _, value = line.partition("=")
        if key == "PRETTY_NAME":
            return one_line(value.strip("\"'"), 120) or None
    return None


def _cpu_name(proc: Path) -> str | None:
    lines = (_text(proc / "cpuinfo", 1 << 16) or "").split("\n")
    names = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))]
    return one_line(names[0], 120) if names else None


def _ram_bytes(proc: Path) -> int | None:
    for line in (_text(proc / "meminfo", 1 << 16) or "").split("\n"):
        words = line.split()
        if line.startswith("MemTotal:") and len(words) > 1 and words[1].isdigit():
            return int(words[1]) * 1024
    return None


def _text(path: Path, limit: int = 4096) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(limit).decode("utf-8", "replace").strip() or None
    except OSError:
        return None
