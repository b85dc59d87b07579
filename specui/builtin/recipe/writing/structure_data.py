"""The small tables of common knowledge that the toy learns by heart, and the three shapes they are written in."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table with a title; a column whose name ends in "#" holds whole numbers."""

    subject: str
    """The title in the plural: "the planets"."""
    each: str
    """What one row stands for: "planet"."""
    columns: str
    """The names of the columns, divided by "|"."""
    rows: str
    """The rows, divided by ";", their cells by "|"."""

    @property
    def fields(self) -> list[str]:
        """The names of the columns, without the sign for numbers."""
        return [column.removesuffix("#") for column in self.columns.split("|")]

    @property
    def cells(self) -> list[list[str]]:
        """The cells as they are shown, row by row."""
        return [[cell.strip() for cell in row.split("|")] for row in self.rows.split(";")]

    def as_json(self) -> str:
        """A JSON array with one object a line."""
        is_number = [column.endswith("#") for column in self.columns.split("|")]
        lines = []
        for cells in self.cells:
            values = [int(cell) if number else cell for cell, number in zip(cells, is_number, strict=True)]
            lines.append("  " + json.dumps(dict(zip(self.fields, values, strict=True))))
        return "[\n" + ",\n".join(lines) + "\n]"

    def as_table(self) -> str:
        """A Markdown table under a line that leads to it."""
        return "Here is the table:\n\n" + markdown_table(self.fields, self.cells)

    def as_list(self) -> str:
        """A numbered list where the rows are numbered, else a list of "first: second"."""
        if self.columns.startswith("n#"):
            return "\n".join(f"{cells[0]}. {cells[1]}" for cells in self.cells)
        return "\n".join(f"- {cells[0]}: {cells[1]}" for cells in self.cells)


def markdown_table(fields: list[str], rows: list[list[str]]) -> str:
    """The rows as a Markdown table with the fields as its head."""
    lines = [fields, ["---"] * len(fields), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


LEAP_YEAR = Dataset(
    "the months of a leap year",
    "month of a leap year",
    "n#|name|days#|quarter#",
    "1|January|31|1; 2|February|29|1; 3|March|31|1; 4|April|30|2; 5|May|31|2; 6|June|30|2; 7|July|31|3;"
    "8|August|31|3; 9|September|30|3; 10|October|31|4; 11|November|30|4; 12|December|31|4",
)

DATASETS = (
    Dataset(
        "the months of an ordinary year",
        "month of an ordinary year",
        "n#|name|days#|quarter#",
        LEAP_YEAR.rows.replace("February|29", "February|28"),
    ),
    Dataset(
        "the days of the week",
        "day of the week",
        "n#|name|short|weekend",
        "1|Monday|Mon|no; 2|Tuesday|Tue|no; 3|Wednesday|Wed|no; 4|Thursday|Thu|no; 5|Friday|Fri|no;"
        "6|Saturday|Sat|yes; 7|Sunday|Sun|yes",
    ),
    Dataset(
        "the planets of the solar system",
        "planet",
        "n#|name|kind|rings",
        "1|Mercury|rocky|no; 2|Venus|rocky|no; 3|Earth|rocky|no; 4|Mars|rocky|no; 5|Jupiter|gas giant|yes;"
        "6|Saturn|gas giant|yes; 7|Uranus|ice giant|yes; 8|Neptune|ice giant|yes",
    ),
    Dataset(
        "the letters of the alphabet with their numbers",
        "letter",
        "letter|number#",
        "; ".join(f"{letter}|{number}" for number, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1)),
    ),
    Dataset(
        "twelve colors with their hex codes",
        "color",
        "color|hex",
        "black|#000000; white|#FFFFFF; red|#FF0000; lime|#00FF00; blue|#0000FF; yellow|#FFFF00; cyan|#00FFFF;"
        "magenta|#FF00FF; gray|#808080; orange|#FFA500; purple|#800080; navy|#000080",
    ),
    Dataset(
        "the chess pieces",
        "chess piece",
        "piece|letter|count#|value",
        "king|K|1|none; queen|Q|1|nine; rook|R|2|five; bishop|B|2|three; knight|N|2|three; pawn|P|8|one",
    ),
    Dataset(
        "the notes of the C major scale",
        "note",
        "note|syllable|step",
        "C|do|first; D|re|second; E|mi|third; F|fa|fourth; G|sol|fifth; A|la|sixth; B|ti|seventh",
    ),
    Dataset(
        "the NATO spelling alphabet",
        "letter of the NATO alphabet",
        "letter|word",
        "A|Alfa; B|Bravo; C|Charlie; D|Delta; E|Echo; F|Foxtrot; G|Golf; H|Hotel; I|India; J|Juliett; K|Kilo;"
        "L|Lima; M|Mike; N|November; O|Oscar; P|Papa; Q|Quebec; R|Romeo; S|Sierra; T|Tango; U|Uniform; V|Victor;"
        "W|Whiskey; X|X-ray; Y|Yankee; Z|Zulu",
    ),
    Dataset(
        "the four seasons",
        "season",
        "season|months",
        "spring|March to May; summer|June to August; autumn|September to November; winter|December to February",
    ),
    Dataset(
        "the letters of the Greek alphabet",
        "Greek letter",
        "n#|name",
        "1|alpha; 2|beta; 3|gamma; 4|delta; 5|epsilon; 6|zeta; 7|eta; 8|theta; 9|iota; 10|kappa; 11|lambda; 12|mu;"
        "13|nu; 14|xi; 15|omicron; 16|pi; 17|rho; 18|sigma; 19|tau; 20|upsilon; 21|phi; 22|chi; 23|psi; 24|omega",
    ),
    Dataset(
        "the continents by size",
        "continent",
        "n#|name",
        "1|Asia; 2|Africa; 3|North America; 4|South America; 5|Antarctica; 6|Europe; 7|Australia",
    ),
    Dataset(
        "the oceans by size",
        "ocean",
        "n#|name",
        "1|Pacific Ocean; 2|Atlantic Ocean; 3|Indian Ocean; 4|Southern Ocean; 5|Arctic Ocean",
    ),
    Dataset(
        "the colors of the rainbow",
        "color of the rainbow",
        "n#|color",
        "1|red; 2|orange; 3|yellow; 4|green; 5|blue; 6|indigo; 7|violet",
    ),
    Dataset(
        "the suits of a card deck",
        "suit of a card deck",
        "suit|color|cards#",
        "clubs|black|13; diamonds|red|13; hearts|red|13; spades|black|13",
    ),
    Dataset(
        "the eight compass directions",
        "compass direction",
        "direction|short|degrees#",
        "north|N|0; northeast|NE|45; east|E|90; southeast|SE|135; south|S|180; southwest|SW|225; west|W|270;"
        "northwest|NW|315",
    ),
    Dataset(
        "the first ten chemical elements",
        "chemical element, for the first ten",
        "n#|name|symbol",
        "1|hydrogen|H; 2|helium|He; 3|lithium|Li; 4|beryllium|Be; 5|boron|B; 6|carbon|C; 7|nitrogen|N; 8|oxygen|O;"
        "9|fluorine|F; 10|neon|Ne",
    ),
    Dataset(
        "the units of time",
        "unit of time",
        "unit|length",
        "minute|60 seconds; hour|60 minutes; day|24 hours; week|7 days; year|12 months; decade|10 years;"
        "century|100 years; millennium|1000 years",
    ),
    Dataset(
        "the five senses",
        "sense",
        "sense|organ",
        "sight|eyes; hearing|ears; smell|nose; taste|tongue; touch|skin",
    ),
    Dataset(
        "ten European capitals",
        "country, for ten countries of Europe",
        "country|capital",
        "Austria|Vienna; Belgium|Brussels; Denmark|Copenhagen; France|Paris; Germany|Berlin; Greece|Athens;"
        "Italy|Rome; Poland|Warsaw; Portugal|Lisbon; Spain|Madrid",
    ),
    Dataset(
        "the phases of the moon",
        "phase of the moon",
        "n#|phase",
        "1|new moon; 2|waxing crescent; 3|first quarter; 4|waxing gibbous; 5|full moon; 6|waning gibbous;"
        "7|last quarter; 8|waning crescent",
    ),
    Dataset(
        "the basic git commands",
        "basic git command",
        "command|purpose",
        "git init|start a repository; git clone|copy a repository; git add|stage changes;"
        "git commit|save staged changes; git status|show what changed; git log|show the history;"
        "git pull|fetch and merge; git push|send commits",
    ),
)
