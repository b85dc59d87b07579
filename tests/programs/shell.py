"""What a shell does with its terminal, for one command: `shell.py TERMINAL REPORT ORDERS COMMAND ...` (descriptors).

Puts the command in the foreground and tells, a line of JSON each, its number, every stop and its end, with whether the
terminal's settings were then the ones of before. Any byte of ORDERS brings a stopped command back.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import termios


def is_restored(terminal: int, before: list[object]) -> bool | None:
    """Whether the settings are the ones of before; None where the terminal is gone."""
    try:
        return list(termios.tcgetattr(terminal)) == before
    except termios.error:
        return None


def bring_forward(terminal: int, group: int) -> None:
    """Give a group the terminal, unless that is gone."""
    try:
        os.tcsetpgrp(terminal, group)
    except OSError:
        return


def start(terminal: int, words: list[str]) -> int:
    """The command in a group of its own, in the foreground."""
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        bring_forward(terminal, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(words[0], words)
    return pid


def main() -> None:
    """Carry it out to its end."""
    terminal, report, orders = (int(word) for word in sys.argv[1:4])
    for descriptor in (terminal, report, orders):
        os.set_inheritable(descriptor, False)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    before = list(termios.tcgetattr(terminal))
    pid = start(terminal, sys.argv[4:])
    signal.signal(signal.SIGHUP, lambda *_: os.kill(pid, signal.SIGHUP))
    os.write(report, json.dumps({"pid": pid}).encode() + b"\n")
    status, is_stopped = 0, True
    while is_stopped:
        _, status = os.waitpid(pid, os.WUNTRACED)
        bring_forward(terminal, os.getpgrp())
        is_stopped = os.WIFSTOPPED(status)
        code = None if is_stopped else os.waitstatus_to_exitcode(status)
        told = {"stopped": is_stopped, "code": code, "restored": is_restored(terminal, before)}
        os.write(report, json.dumps(told).encode() + b"\n")
        if is_stopped and os.read(orders, 1):
            bring_forward(terminal, pid)
            os.kill(pid, signal.SIGCONT)


if __name__ == "__main__":
    main()
