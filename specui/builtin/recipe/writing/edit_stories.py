"""Sentences of little stories with places for a woman, a man, a town, a thing, a day and a number.

`{woman}` is always a woman and `{man}` a man, so that pronouns stay right whatever name stands there.
"""

from __future__ import annotations

from specui.builtin.recipe.writing.extract_words import words

DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
NUMBERS = words("12 14 15 16 18 20 24 25 30 32 36 40 45 48 50 60 64 72 75 80 90 96")
THINGS = words("""lantern kettle basket compass ladder mirror violin trumpet camera blanket bottle candle drum
feather guitar hammer jar key lamp map notebook painting pencil piano pillow rocket rope saddle
scarf shovel spoon suitcase telescope ticket trunk vase wagon wheel whistle bicycle bucket button
chair clock coat coin crown cup desk doll flag flute globe hat helmet kite medal necklace parcel
puzzle radio ring robe sail sculpture statue sword teapot tent toolbox watch""")

Story = tuple[tuple[str, ...], ...]
"""For each sentence of the story the ways to say it; an empty one leaves it out."""

STORIES: tuple[Story, ...] = (
    (
        (
            "{woman} found an old {thing} in the attic of her house in {town}.",
            "On {day} {woman} bought a strange {thing} at the flea market in {town}.",
            "There was a {thing} on the doorstep when {woman} came home to {town}.",
        ),
        (
            "It was wrapped in {number} pages of newspaper, and a card with her name hung from it.",
            "Someone had painted the number {number} on its side in bright red.",
            "",
        ),
        (
            "{woman} showed the {thing} to {man}, who collects such things.",
            "Her neighbor {man} looked at the {thing} for a long time and shook his head.",
        ),
        (
            "{man} offered {woman} {number} dollars for it, but she only laughed.",
            '"I have never seen one like it," said {man}, and {woman} believed him.',
        ),
        (
            "Now the {thing} stands on a shelf in the kitchen, where {woman} sees it every morning.",
            "Since then {woman} has kept the {thing} in a glass box beside the window.",
        ),
    ),
    (
        (
            "{man} drives the night bus from {town} to the coast.",
            "{man} has been the postman of {town} for {number} years.",
            "{man} is the only doctor in {town}, and he knows everyone.",
        ),
        (
            "Every {day} he takes a {thing} along, and nobody knows why.",
            "Under his seat there is always a {thing}, just in case.",
            "",
        ),
        (
            "Last winter the snow was so deep that {man} had to stop at the old bridge.",
            "One {day} the fog was so thick that {man} lost his way outside {town}.",
        ),
        (
            "{woman} saw his lights from her farm and brought {man} a pot of soup.",
            "It was {woman} who found him and showed {man} the way with a torch.",
        ),
        (
            "To thank her, {man} gave {woman} his {thing}.",
            "Since that day {man} and {woman} have tea together every {day}.",
        ),
    ),
    (
        (
            "{woman} and {man} run a small cafe near the station in {town}.",
            "{woman} opened a tiny bookshop in {town} last spring, and {man} helps her.",
            "{woman} repairs clocks in {town}, and {man} sells them.",
        ),
        (
            "On {day} they serve {number} guests before noon.",
            "On a good {day} {number} people come through the door.",
            "",
        ),
        (
            "{woman} does the books, while {man} talks to everyone about the weather.",
            "{man} makes the coffee, and {woman} knows every customer by name.",
        ),
        (
            "Behind the counter hangs a {thing} that once belonged to the aunt of {woman}.",
            "A {thing} in the window brings them luck, or so {man} says.",
        ),
        (
            "A visitor from the city wanted to buy the {thing}, but {woman} said no.",
            "When the {thing} fell down one {day}, {man} glued it together again.",
            "",
        ),
        (
            "They plan to stay in {town} for another {number} years.",
            '"We will never leave {town}," says {man}, and {woman} nods.',
        ),
    ),
    (
        (
            "The boat to the island leaves {town} every {day} with {number} people on board.",
            "Each {day} a small ferry crosses the bay from {town} to the lighthouse.",
        ),
        (
            "{woman} is the captain, and {man} looks after the engine.",
            "Captain {woman} stands at the wheel while {man} sells the tickets.",
            "",
        ),
        (
            "Once a guest dropped a {thing} over the rail, and {man} jumped in after it.",
            "One morning {man} leaned too far over the rail to catch a floating {thing} and fell in.",
        ),
        (
            "{woman} turned the boat around and pulled {man} out with a rope.",
            "{woman} hung the {thing} up in the cabin, where it swings with the waves.",
        ),
        (
            "The story was in the {town} paper, with a picture of {woman} on the front page.",
            "Ask {woman} about it, and she will tell you the tale for {number} minutes.",
        ),
    ),
    (
        (
            "{man} teaches music at the school in {town}.",
            "{man} leads the choir of {town}, which has {number} singers.",
        ),
        (
            "His best pupil is {woman}, who practices {number} minutes a day.",
            "Every {day} {woman} arrives first and opens the windows.",
        ),
        (
            "Before the summer concert {woman} lost her {thing} and could not sleep.",
            "On the night of the concert {woman} forgot her {thing} on the train.",
        ),
        (
            "{man} lent her his own and said that nobody would notice.",
            "{man} searched all of {town} until he found another {thing}.",
        ),
        (
            "{woman} played better than ever, and {man} clapped the loudest.",
            "In the end {woman} got flowers, and {man} took a bow.",
        ),
    ),
    (
        (
            "Behind the town hall of {town} {woman} grows beans, roses and one giant pumpkin.",
            "{woman} has the largest garden in {town}, with {number} apple trees.",
        ),
        (
            "On {day} the children come, and {woman} gives each of them a carrot.",
            "Every {day} {woman} waters the beds before the sun is up.",
            "",
        ),
        (
            "Her friend {man} built a shed there and painted it green.",
            "{man} comes by with {number} buckets of compost whenever she calls.",
        ),
        (
            "While digging, {man} hit something hard: it was a rusty {thing}.",
            "Last {day} {man} found a {thing} under the roses, and nobody knew whose it was.",
        ),
        (
            "{woman} cleaned it and gave it to the museum of {town}.",
            "At harvest time {woman} and {man} invite half of {town} for supper.",
        ),
    ),
    (
        (
            "{woman} is a detective in {town}, though a rather sleepy one.",
            "Inspector {woman} of {town} had a strange case last {day}.",
        ),
        (
            "A {thing} had vanished from the museum, and {number} people had seen nothing.",
            "Someone had taken the golden {thing} from the bank at {number} minutes past nine.",
        ),
        (
            "The guard, {man}, swore that he had only closed his eyes for a moment.",
            "Only {man}, the cook, had crumbs on his sleeve and a smile on his face.",
        ),
        (
            "{woman} asked {man} three questions and looked under his hat.",
            "{woman} followed {man} home on {day}, eating a sandwich on the way.",
        ),
        (
            "There was the {thing}, and {man} turned as red as a beet.",
            "The {thing} was in the fridge, right next to the cheese, and {man} had no idea how it got there.",
        ),
        (
            "{woman} closed the case and went back to bed.",
            "All of {town} laughed about it for {number} days.",
        ),
    ),
)
