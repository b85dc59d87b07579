"""Text from outside made harmless and visible, and numbers made into text with their units."""

from __future__ import annotations

import re
import unicodedata

UNKNOWN = "–"
"""What stands for a number nobody knows."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_BYTES = re.compile("[\udc80-\udcff]+")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def joined_surrogates(text: str) -> str:
    """Surrogate pairs as the characters they mean, lone ones as U+FFFD; fit for any file.

    Bytes of a file name that Python could not decode (PEP 383) are read as UTF-8 where they are that.
    """
    if not _SURROGATES.search(text):
        return text
    paired = _PAIR.sub(lambda m: m.group().encode("utf-16", "surrogatepass").decode("utf-16"), text)
    named = _BYTES.sub(lambda m: m.group().encode("ascii", "surrogateescape").decode("utf-8", "replace"), paired)
    return _SURROGATES.sub("\ufffd", named)


def visible(text: str) -> str:
    """The text with everything that could act on a terminal or hide in it shown as a symbol.

    Line feeds and tabs stay. Control characters become their pictures (U+2400 …), others `<U+202E>`.
    """
    return _HIDDEN.sub(_shown, joined_surrogates(text))


def one_line(text: str, limit: int = 300) -> str:
    """The text made visible, on one line, cut with an ellipsis at `limit` characters."""
    flat = visible(_BREAKS.sub(" ", text.replace("\t", " "))).strip()
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def slug(text: str, limit: int = 60) -> str:
    """A piece of a file name: lower-case letters, digits, dots and dashes; never empty, never hidden."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    words = re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9.]+", "-", plain))
    return words[:limit].strip("-.") or "run"


def number(value: float | None, digits: int = 1) -> str:
    """A number with a fixed count of decimals, or the sign for unknown."""
    return UNKNOWN if value is None else f"{value:.{digits}f}"


def percent(share: float | None) -> str:
    """A ratio as whole percent, or the sign for unknown."""
    return UNKNOWN if share is None else f"{100 * share:.0f} %"


def times(ratio: float | None) -> str:
    """A speed-up such as `1.50×`, or the sign for unknown."""
    return UNKNOWN if ratio is None else f"{ratio:.2f}×"


def milliseconds(ms: float | None) -> str:
    """A time with its unit: `412 ms`, `1.25 s`, or the sign for unknown."""
    if ms is None:
        return UNKNOWN
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s"


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"<U+{code:04X}>"
