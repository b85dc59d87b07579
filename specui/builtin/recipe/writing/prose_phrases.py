"""Phrases of the prose: any doer goes with any thing and any place, and each stands in a group of like chances."""

from __future__ import annotations


def listed(text: str) -> tuple[str, ...]:
    """The phrases of a text, parted by bars and ends of lines."""
    return tuple(phrase.strip() for phrase in text.strip().replace("\n", "|").split("|"))


DOERS = listed("""
the keeper counts | a gull carries | wind turns | my father paints | night hides | an old man mends
rain reads | some child draws | the moon keeps | somebody steals | time forgets | one small dog guards
water returns | nobody opens | her lamp warms | a stranger buys | your hand follows | snow covers
every bird leaves | his sister folds | the baker weighs | tired horses pull | our ship loses | two boys break
that cat watches | the last guest eats | paper holds | each storm washes | a teacher finds | grey stones swallow
no king wants | ice measures | people follow | the queen sells | a black crow shakes | Monday brings
three ladies share | fire teaches | my uncle trades | the doctor waters | no sailor trusts | grandmother peels
spring throws | the judge borrows | bells wake | a fox visits | the echo repeats | clouds spill
""")
THINGS = listed("""
the last letter | a bowl of salt | two wet coats | her green door | nine grey boats | one map of the sky
an empty chair | his red scarf | some jar of light | the ship's name | a box of keys | my broken bell
half a song | cold sand | the long shadow | three slices of bread | a cup of tea | your wrong street
an iron rose | pockets of stars | the second window | numbers | its wooden leg | the smallest egg
a bag of nails | every quiet road | old shoes | the picture of a queen | bad news | warm milk
the price of fish | open books | a wet match | no answer | the key to the sea | forty pears
a clean plate | our only ladder | blue smoke | the other half | a roof without a house | the first snowflake
an old promise | seven white stones | the drummer's hat | a loaf of rye | dust | their second name
""")
PLACES = listed("""
before morning | under the stairs | behind a wall | without a word | at the end of the street | between two storms
for half a penny | in a paper boat | near the cold oven | with both hands | on the roof | after lunch
below that bridge | a third time | among reeds | in front of the church | as if in a dream | once a year
against all advice | by candle light | over the hill | inside the piano | until it rings | far from home
across my yard | like a thief | in the middle of June | on one leg | beside the well | by mistake
through a keyhole | for the fun of it | at low tide | in plain sight | where nobody lives | out of habit
under her breath | with a spoon | all winter long | just in time | behind the bakery | in broad daylight
for want of salt | under a red umbrella | at the last station | before breakfast | between the pages | as fast as it can
""")
SPEECHES = listed("""
"Keep {thing}." | "Who needs {thing}?" | "I never asked for {thing}." | "You smell of {thing}."
"Not {place}." | "And why {place}?" | "Go and hide {place}." | "I was here first, {place}."
"Look: {doer} {thing}." | "Even {doer} {thing}." | "Without me, {doer} {thing}." | "Somewhere {doer} {thing}."
"Eat {thing}, then!" | "Stop counting {thing}." | "Give back {thing}." | "Nobody believes in {thing}."
""")
"""Four for each part of a quarrel."""

TITLES = listed("""
a lighthouse: the keeper | an empty harbour: the pilot | a forest: the ranger | a night train: the guard
a market: the trader | an island: the hermit | a library: the reader | an old bridge: the painter
a winter garden: the gardener | a desert: the rider | a circus: the juggler | a bakery: the baker
a mountain hut: the guide | a railway station: the porter | a piano: the tuner | a museum: the guard
a snowstorm: the postman | a small theatre: the actor | a windmill: the miller | a ferry: the pilot
""")
"""What a text can be about, and who is at home there."""

RIVALS = listed("""
keeper: fog | baker: oven | pilot: tide | gardener: frost | clockmaker: clock | postman: dog | miller: wind
painter: light | ranger: owl | porter: bell | juggler: mirror | reader: moth | captain: moon | tailor: rain
""")
