"""Configurations in sections that come back with one change, and then with another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.extract_words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_REQUEST = "Return this configuration unchanged except that every port is increased by 10:"
CORE_CONFIGURATION = """\
[alpha]
host=10.0.0.4
port=7010
retries=3
log=warn
[beta]
host=10.0.0.5
port=7120
retries=5
log=info
[gamma]
host=10.0.1.8
port=8340
retries=2
log=debug"""
CORE_FOLLOW_UP = "Now return it again with the sections in reverse order."

CORE_TIMES = 36
CORE_MATERIAL_TIMES = 6
PORT_TIMES = 40
OTHER_TIMES = 24

NAMES = words("""alpha beta gamma delta omega sigma kappa lambda north south east west amber cobalt copper silver
iron granite maple cedar willow birch falcon heron raven otter badger lynx mercury venus jupiter
saturn orion vega atlas mail web cache queue search billing orders users reports backup media proxy
auth gateway metrics storage worker printer camera sensor router archive mirror staging""")
VALUES = {
    "retries": words("1 2 3 4 5 6 7 8 9"),
    "timeout": words("10 15 20 25 30 40 45 50 60 75 90"),
    "log": words("debug info warn error off"),
    "workers": words("1 2 3 4 6 8 12 16"),
    "tls": words("on off strict"),
    "cache": words("none small large memory disk"),
    "mode": words("fast safe slow test live"),
    "user": words("root admin guest service daemon operator"),
    "region": words("north south east west center"),
    "backup": words("daily weekly hourly never"),
}
PORT_REQUESTS = (
    "Return this configuration unchanged except that every port is increased by {by}:",
    "Return this configuration unchanged except that every port is increased by {by}:",
    "Increase every port in this configuration by {by} and change nothing else:",
    "Add {by} to each port in this file. Return the whole file, otherwise unchanged.",
    "Please raise all ports by {by} in this configuration and give it back in full:",
    "Here is a config file. Every port must go up by {by}; leave the rest as it is.",
    "I need the same configuration with all ports {by} higher:",
)
REQUESTS = (
    "{Wish} in this configuration and return all of it:",
    "Please {wish} in this configuration and change nothing else:",
    "Here is a configuration. {Wish}, leave the rest as it is and return it in full.",
    "Take this config file, {wish}, and give me the whole file back:",
    "{Wish}, keep everything else:",
)
FOLLOW_UPS = (
    "Now {wish}.",
    "Now {wish} and return it again.",
    "Good. Now {wish} as well.",
    "Next, {wish}.",
    "Thanks! Please also {wish}.",
)
REVERSALS = (
    "Now return it again with the sections in reverse order.",
    "Now return it again with the sections in reverse order.",
    "Now put the sections in reverse order.",
    "Now reverse the order of the sections.",
    "Return it once more, with the last section first.",
)


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a configuration, with its settings in order."""

    name: str
    settings: tuple[tuple[str, str], ...]

    def with_value(self, key: str, value: str) -> Section:
        """The section with another value where it has the key."""
        return replace(self, settings=tuple((k, value if k == key else v) for k, v in self.settings))

    def with_port_increased(self, by: int) -> Section:
        """The section with a higher port."""
        return self.with_value("port", str(int(dict(self.settings)["port"]) + by))


Sections = tuple[Section, ...]
Change = tuple[str, Sections]
"""What is wished, as an imperative without a capital, and the sections that come of it."""


def conversations(draws: Draws) -> Iterator[Conversation]:
    """Conversations about configurations: those of the core prompt, on its material, and on others."""
    for _ in range(CORE_TIMES):
        yield _about_ports(CORE_REQUEST, 10, sections_of(CORE_CONFIGURATION), CORE_FOLLOW_UP)
    for _ in range(CORE_MATERIAL_TIMES):
        yield _changed_twice(draws, sections_of(CORE_CONFIGURATION))
    for _ in range(PORT_TIMES):
        yield _on_ports(draws)
    for _ in range(OTHER_TIMES):
        yield _changed_twice(draws, _drawn_sections(draws))


def sections_of(text: str) -> Sections:
    """The sections of a configuration in the INI form."""
    parts = [part.split("]\n") for part in text.removeprefix("[").split("\n[")]
    return tuple(Section(name, tuple(_setting(line) for line in body.split("\n"))) for name, body in parts)


def written(sections: Sections) -> str:
    """The sections in the INI form."""
    return "\n".join(f"[{one.name}]\n" + "\n".join(f"{key}={value}" for key, value in one.settings) for one in sections)


def _setting(line: str) -> tuple[str, str]:
    key, value = line.split("=")
    return key, value


def _about_ports(request: str, by: int, sections: Sections, follow_up: str) -> Conversation:
    higher = tuple(one.with_port_increased(by) for one in sections)
    return f"{request}\n{written(sections)}", written(higher), follow_up, written(higher[::-1])


def _on_ports(draws: Draws) -> Conversation:
    by = draws.pick((10, 10, 10, 10, 1, 100))
    request = draws.pick(PORT_REQUESTS).format(by=by)
    talk = _about_ports(request, by, _drawn_sections(draws), draws.pick(REVERSALS))
    return talk if draws.often(0.75) else talk[:2]


def _changed_twice(draws: Draws, sections: Sections) -> Conversation:
    first, second = draws.some((_value_set, _section_renamed, _key_removed, _line_added, _port_set), 2)
    wish, changed = first(draws, sections)
    request = draws.pick(REQUESTS).format(wish=wish, Wish=wish[0].upper() + wish[1:])
    begin = (f"{request}\n{written(sections)}", written(changed))
    if draws.often(0.4):
        return begin
    wish, changed = second(draws, changed)
    return (*begin, draws.pick(FOLLOW_UPS).format(wish=wish), written(changed))


def _value_set(draws: Draws, sections: Sections) -> Change:
    key = draws.pick([key for key, _ in sections[0].settings if key in VALUES])
    held = {value for one in sections for value in dict(one.settings).values()}
    value = draws.pick([value for value in VALUES[key] if value not in held] or VALUES[key])
    return f"set {key} to {value} in every section", tuple(one.with_value(key, value) for one in sections)


def _section_renamed(draws: Draws, sections: Sections) -> Change:
    old = draws.pick(sections).name
    new = draws.pick([name for name in NAMES if name not in {one.name for one in sections}])
    renamed = tuple(replace(one, name=new) if one.name == old else one for one in sections)
    return f"rename the section [{old}] to [{new}]", renamed


def _key_removed(draws: Draws, sections: Sections) -> Change:
    gone = draws.pick([key for key, _ in sections[0].settings if key in VALUES])
    kept = tuple(replace(one, settings=tuple(pair for pair in one.settings if pair[0] != gone)) for one in sections)
    return f"remove every {gone} line", kept


def _line_added(draws: Draws, sections: Sections) -> Change:
    key = draws.pick([key for key in VALUES if key not in dict(sections[0].settings)])
    value = draws.pick(VALUES[key])
    longer = tuple(replace(one, settings=(*one.settings, (key, value))) for one in sections)
    return f"add the line {key}={value} at the end of every section", longer


def _port_set(draws: Draws, sections: Sections) -> Change:
    chosen, port = draws.pick(sections), _drawn_port(draws)
    changed = tuple(one.with_value("port", port) if one is chosen else one for one in sections)
    return f"change the port of [{chosen.name}] to {port}", changed


def _drawn_sections(draws: Draws) -> Sections:
    """Two or three sections with the same two keys beside host and port."""
    count = draws.pick((2, 3, 3))
    keys = draws.some(list(VALUES), 2)
    names = draws.some(NAMES, count)
    is_host_first = draws.often(0.6)
    return tuple(_drawn_section(draws, name, keys, is_host_first) for name in names)


def _drawn_section(draws: Draws, name: str, keys: list[str], is_host_first: bool) -> Section:
    host = ("host", f"10.0.{draws.below(10)}.{draws.between(1, 9)}")
    port = ("port", _drawn_port(draws))
    first = (host, port) if is_host_first else (port, host)
    return Section(name, (*first, *((key, draws.pick(VALUES[key])) for key in keys)))


def _drawn_port(draws: Draws) -> str:
    """A port of four digits to each of which one can be added without a carry."""
    return f"{draws.between(2, 8)}{draws.below(9)}{draws.below(9)}{draws.below(9)}"
