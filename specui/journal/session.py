"""A run saved as TOML: the events are the truth, everything else is laid out for people and recomputed.

Lossless both ways; absent means unknown; unknown keys are kept; a newer format opens read-only.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import tomli_w

from specui.domain.codec import FORMAT
from specui.domain.errors import UnreadableFile, UsageError
from specui.domain.events import Event
from specui.domain.records import as_record
from specui.domain.run import CaseState, Run, fold
from specui.domain.text import joined_surrogates, one_line
from specui.domain.units import JsonValue, Record
from specui.journal.columns import OTHER, as_toml, from_columns, to_columns

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.request import RequestState

LARGEST_BYTES = 100 * 1024 * 1024
"""A larger file is refused: an hour of steps takes about 6 MB."""

SECTIONS = ("format", "session", "host", "plan", "case", "events")


@dataclass(frozen=True, slots=True)
class Session:
    """A saved run."""

    header: Record
    """The journal's first line: id, title, created and what a later version may add."""
    events: tuple[Event, ...]
    format: int = FORMAT
    extra: Record = field(default_factory=dict)
    """Top-level keys that this version does not know."""

    @property
    def is_read_only(self) -> bool:
        """Whether a newer version wrote it: it can be looked at and must not be written over."""
        return self.format > FORMAT

    def run(self) -> Run:
        """The events folded."""
        return fold(self.events)


def to_toml(session: Session) -> str:
    """The session file's text."""
    run = session.run()
    about = {k: v for k, v in session.header.items() if k != "format"}
    tables = to_columns(session.events)
    document: Record = {
        "format": session.format,
        "session": about,
        "host": run.host,
        "plan": {k: v for k, v in as_record(run.plan).items() if k != "cases"} if run.plan else {},
        "case": [_case(run, state) for state in run.cases],
        "events": {OTHER: tables[OTHER]} if OTHER in tables else {},
        **session.extra,
    }
    return tomli_w.dumps(_storable_table(document)) + as_toml(tables)


def save(session: Session, path: Path) -> None:
    """Write the session beside its place and move it there, so that no failure harms what was there before.

    Raises UsageError naming the path and the reason.
    """
    if session.is_read_only:
        raise UsageError(
            f"{path}: format {session.format} is newer than this version's {FORMAT}: update specui to save it"
        )
    if not may_replace(path):
        raise UsageError(f"{path} exists and is no session: it is left as it is, name another file")
    spare = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(to_toml(session).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        spare.replace(path)
    except OSError as error:
        spare.unlink(missing_ok=True)
        raise UsageError(
            f"the session cannot be saved as {path}: {error.strerror or error}; nothing was changed"
        ) from error


def may_replace(path: Path) -> bool:
    """Whether a session may be saved there: nothing is there yet, or an older session."""
    try:
        if not path.exists() and not path.is_symlink():
            return True
        return path.is_file() and looks_like_session(path)
    except OSError:
        return True  # whatever is wrong with the place, writing there will say it


def looks_like_session(path: Path) -> bool:
    """Whether a file begins as a session does. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        beginning = file.read(4096)
    return beginning.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"format") and b"[session]" in beginning


def load(path: Path) -> Session:
    """Read a session file. Raises UnreadableFile with one sentence whatever the file holds."""
    try:
        if not path.is_file():
            raise UnreadableFile(f"{path} is no file" if path.exists() else f"{path} does not exist")
        if (size := path.stat().st_size) > LARGEST_BYTES:
            raise UnreadableFile(f"{path} is too large for a session: {size >> 20} MiB, at most {LARGEST_BYTES >> 20}")
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}") from error
    return parse(data, str(path))


def parse(data: bytes, where: str) -> Session:
    """The session in some bytes; `where` names them. Raises UnreadableFile."""
    document = _document(data, where)
    number = document.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise UnreadableFile(f"{where} is no specui session: it has no `format` number")
    events = document.get("events")
    if not isinstance(events, dict):
        raise UnreadableFile(f"{where} holds no [events], so nothing can be computed from it")
    about = document.get("session")
    header: Record = {"format": number, **(about if isinstance(about, dict) else {})}
    extra = {k: v for k, v in document.items() if k not in SECTIONS}
    return Session(header, from_columns(events, where), number, extra)


def _document(data: bytes, where: str) -> Record:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{where} is not UTF-8 text (byte {error.start}): save it as UTF-8") from error
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(f"{where} is no valid TOML: {one_line(str(error), 120)}") from error
    except RecursionError as error:
        raise UnreadableFile(f"{where} is nested too deeply to be a session") from error


def _case(run: Run, state: CaseState) -> Record:
    case, spec, ready = state.case, state.case.speculation, state.ready
    return {
        "label": case.label(),
        "model": case.model.name,
        "family": case.model.family,
        "model_path": case.model.path,
        "model_bytes": case.model.size_bytes,
        "model_fingerprint": case.model.fingerprint,
        "toy": case.model.toy or None,
        "engine": case.engine.name,
        "build": ready.build if ready else None,
        "device": case.device or (ready.device if ready else None),
        "method": spec.method,
        "n_max": spec.n_max,
        "n_min": spec.n_min,
        "p_min": spec.p_min,
        "draft_model": spec.draft_model,
        "settings": case.settings,
        "argv": list(state.argv),
        "env": state.env,
        "outcome": state.progress,
        "reason": state.reason,
        "request": [_request(r) for r in run.requests_of(state.number) if r.finished is not None],
    }


def _request(request: RequestState) -> Record:
    finished, books = request.finished, request.accounting()
    positions = request.accepted_per_position
    return {
        "repeat": request.repeat,
        "turn": request.turn,
        "purpose": request.purpose,
        "prompt_id": request.prompt_id,
        "prompt": request.prompt,
        "text": request.text(),
        "reasoning": request.text("thinking") or None,
        "prompt_n": finished.prompt_n if finished else None,
        "prompt_ms": finished.prompt_ms if finished else None,
        "cache_n": finished.cache_n if finished else None,
        "predicted_n": finished.predicted_n if finished else None,
        "predicted_ms": finished.predicted_ms if finished else None,
        "draft_n": finished.draft_n if finished else None,
        "draft_n_accepted": finished.draft_n_accepted if finished else None,
        "drafts": request.drafts,
        "accepted_per_position": list(positions) if positions is not None else None,
        "plain_steps": books.plain if books else None,
        "ttft_ms": request.ttft_ms,
        "total_ms": request.total_ms,
        "server_tok_per_s": request.server_word,
        "timed_by": finished.timed_by if finished else None,
        "stop_reason": finished.stop_reason if finished else None,
        "error": finished.error if finished else None,
    }


def _storable_table(table: Record) -> Record:
    """The table as TOML can hold it: no None, no lone surrogates."""
    return {joined_surrogates(str(k)): _storable(v) for k, v in table.items() if v is not None}


def _storable(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return _storable_table(value)
    if isinstance(value, list):
        return [_storable(v) for v in value if v is not None]
    return joined_surrogates(value) if isinstance(value, str) else value
