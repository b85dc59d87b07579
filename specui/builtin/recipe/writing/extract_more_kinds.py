"""What kinds of notes there are: their sentences, and what can be told from them; second half."""

from __future__ import annotations

from specui.builtin.recipe.writing.extract_kinds import MEETING, MEMO, ORDER, Kind, items

TRIP = Kind(
    name="travel note",
    words={
        "purpose": items("""visit the trade fair|meet a new supplier|inspect the factory|attend a conference
            |look at a second shop|interview three candidates|install the new machine|sign the contract
            |train the staff|study the harbor"""),
        "hotel": items("""Grand Hotel|Station Hotel|Park Inn|Harbor Lodge|Hotel Astoria|Old Mill Inn
            |Hotel Bellevue|Castle Inn|Hotel Central|Garden Lodge"""),
    },
    tasks=items("""buy the tickets|book the rooms|print the maps|pack the samples|prepare the slides|rent a car
            |reserve a table|call the hosts|charge the camera|order the taxi|plan the visits|wrap the gifts
            |check the passports|update the laptops"""),
    sentences=(
        (
            "{p1}, {p2} and {p3} travel from {town} to {town2} on {d2} to {purpose}.",
            "On {d2} {p1}, {p2} and {p3} leave {town} for {town2} to {purpose}.",
        ),
        (
            "The three of them stay at the {hotel}, which costs {m1} in all.",
            "They have rooms at the {hotel} for {m1} in all, breakfast included.",
        ),
        ("The train tickets cost {m2}.", "Another {m2} is needed for the train tickets."),
        ("{p1} will {t1} by {d1}.", "Before they leave, {p1} will {t1}, by {d1} at the latest."),
        ("{p2} will {t2}.", "{p2} was asked to {t2}.", "It is the job of {p2} to {t2}."),
        ("And {p3} will {t3}.", "{p3} will {t3}, too.", "{p3} offered to {t3}."),
        ("Each of them may spend {m3} a day on meals.", "There is {m3} a day for meals."),
        ("They come back to {town} on {d3}.", "The way home is planned for {d3}, by the evening train."),
    ),
    summary=(
        "{p1}, {p2} and {p3} travel from {town} to {town2} on {d2} to {purpose}.",
        "They stay at the {hotel} for {m1} and come back on {d3}.",
    ),
    facts=(
        ("{d2}", "they leave for {town2}"),
        ("{m1}", "the rooms at the {hotel}"),
        ("{m2}", "the train tickets"),
        ("{d1}", "{p1} must {t1}"),
        ("{m3}", "meals, a day"),
        ("{d3}", "they come back"),
    ),
    questions=(
        ("When do they leave?", "They leave {town} on {d2}."),
        ("Where do they stay?", "They stay at the {hotel}."),
        ("How much does the hotel cost?", "The rooms at the {hotel} cost {m1} in all."),
        ("How much do the train tickets cost?", "The train tickets cost {m2}."),
        ("When do they come back?", "They come back on {d3}."),
        ("Why do they travel to {town2}?", "They travel to {town2} to {purpose}."),
    ),
    deadlines=("d1", "", ""),
)

SHOP = Kind(
    name="note",
    words={
        "shop": items("""bakery|bookshop|flower shop|bicycle shop|tea room|toy store|cheese shop|record store
            |hat shop|garden center|shoe store|music shop|pottery studio"""),
        "street": items("""Mill Lane|Station Road|Church Street|Market Square|Bridge Street|Park Avenue
            |Harbor Road|Castle Hill|Garden Street|River Walk|Main Street|School Lane"""),
        "thing": items("""the shelves|the oven|the counter|the shop window|the floor|the lamps|the sign
            |the cash register|the awning|the cooling"""),
    },
    tasks=items("""paint the walls|train the new staff|order the stock|hang up the sign|design the flyers
            |clean the windows|set the prices|test the till|decorate the window|invite the neighbors
            |update the website|fix the door|unpack the goods|hire a helper"""),
    sentences=(
        (
            "The new {shop} on {street} in {town} opens on {d3}.",
            "On {d3} we open a {shop} on {street} in {town}.",
        ),
        ("The rent is {m1} a month.", "We pay a rent of {m1} a month, heating included."),
        (
            "The bill for {thing} was {m2}, less than we had feared.",
            "We have already spent {m2} on {thing}.",
        ),
        ("The keys were handed over on {d1}.", "We have had the keys since {d1}."),
        ("{p1} will {t1} by {d2}.", "{p1} promised to {t1} by {d2}.", "Next, {p1} will {t1} by {d2}."),
        ("{p2} will {t2}.", "{p2} would like to {t2}.", "{p2} is going to {t2}."),
        ("{p3} will {t3}.", "It remains for {p3} to {t3}.", "{p3} knows how to {t3} and will do so."),
        (
            "Every guest on the first day gets a voucher worth {m3}.",
            "We give away vouchers worth {m3} on the first day.",
        ),
    ),
    summary=(
        "A new {shop} opens on {street} in {town} on {d3}, at a rent of {m1} a month.",
        "{m2} was spent on {thing}, and {p1} will {t1} by {d2}.",
    ),
    facts=(
        ("{d3}", "the {shop} opens"),
        ("{m1}", "the rent a month"),
        ("{m2}", "spent on {thing}"),
        ("{d1}", "the keys were handed over"),
        ("{d2}", "{p1} must {t1}"),
        ("{m3}", "the voucher on the first day"),
    ),
    questions=(
        ("When does the {shop} open?", "The {shop} opens on {d3}."),
        ("Where is the new {shop}?", "The new {shop} is on {street} in {town}."),
        ("How high is the rent?", "The rent is {m1} a month."),
        ("How much was spent on {thing}?", "{m2} was spent on {thing}."),
        ("What is the voucher worth?", "The voucher is worth {m3}."),
    ),
    deadlines=("d2", "", ""),
)

REPAIR = Kind(
    name="report",
    words={
        "machine": items("""packing machine|elevator|cold store|printing press|delivery van|bread oven
            |coffee roaster|water pump|bottling line|forklift|heating system|paper cutter|conveyor belt
            |wood saw"""),
        "part": items("""motor|control board|drive belt|main valve|pump head|power supply|gear wheel|sensor
            |fan|hose|brake|switch"""),
    },
    tasks=items("""order the spare part|open the housing|call the manufacturer|clean the filter
            |write the damage report|inform the insurance|rent a replacement|test the wiring|plan the extra shifts
            |oil the bearings|repair the cover|check the manual|move the orders|install the update"""),
    sentences=(
        (
            "On {d1} the {machine} at {firm} in {town} broke down.",
            "The {machine} at {firm} in {town} stopped working on {d1}.",
            "The {machine} at {firm} in {town} has been out of order since {d1}.",
        ),
        ("The cause is a broken {part}.", "An inspection showed that the {part} is worn out."),
        ("The repair costs {m1}.", "The estimate for the whole repair is {m1}."),
        (
            "The insurance pays {m2} of this.",
            "We will get {m2} back from the insurance.",
        ),
        ("{p1} will {t1} by {d2}.", "By {d2} {p1} will {t1}.", "{p1} is to {t1} by {d2}."),
        ("{p2} will {t2}.", "In the meantime, {p2} will {t2}.", "{p2} agreed to {t2}."),
        ("{p3} will {t3} after that.", "As soon as possible, {p3} will {t3}.", "{p3} will {t3}."),
        (
            "The {machine} should run again by {d3}; every day without it costs {m3}.",
            "It has to run again by {d3}, because each lost day costs {m3}.",
        ),
    ),
    summary=(
        "The {machine} at {firm} in {town} broke down on {d1}, and the repair costs {m1}.",
        "{p1} will {t1} by {d2}, and the {machine} should run again by {d3}.",
    ),
    facts=(
        ("{d1}", "the {machine} broke down"),
        ("{m1}", "the repair"),
        ("{m2}", "paid by the insurance"),
        ("{d2}", "{p1} must {t1}"),
        ("{d3}", "the {machine} should run again"),
        ("{m3}", "the cost of each lost day"),
    ),
    questions=(
        ("How much does the repair cost?", "The repair costs {m1}."),
        ("When did the {machine} break down?", "The {machine} broke down on {d1}."),
        ("How much does the insurance pay?", "The insurance pays {m2}."),
        ("Which part is broken?", "The broken part is the {part}."),
        ("By when should it run again?", "The {machine} should run again by {d3}."),
        ("What does each lost day cost?", "Each lost day costs {m3}."),
    ),
    deadlines=("d2", "", ""),
)

KINDS = (MEMO, MEETING, ORDER, TRIP, SHOP, REPAIR)
