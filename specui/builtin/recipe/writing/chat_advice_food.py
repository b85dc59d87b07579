"""Advice about the kitchen, in the notation of `chat_topics`."""

from __future__ import annotations

FOOD = """
? How do I make pancakes? | Give me a simple recipe for pancakes. | I would like to make pancakes. How?
Pancakes need four things and no talent. | Nothing is easier, and the first one always fails.
* two cups of flour
* two cups of milk
* two eggs and a pinch of salt | two eggs, a pinch of salt and a spoon of sugar
Stir everything until it is smooth, and let it rest. | Mix it well, then let it rest for a quarter of an hour.
Melt some butter in a hot pan and pour in a thin layer. | Heat a pan with a little butter and pour in a ladleful.
Turn it when the top is no longer wet. | When the edges come loose, turn it over.
Eat them at once, with sugar or jam. | The cook may eat the first one in secret.
< Mix flour, milk, eggs and salt, let it rest, and fry thin layers in butter.
! The rest matters most, for the dough and for the cook.
+ Keep the finished ones warm under a second plate.

? How do I boil an egg? | How long should I boil an egg? | How do I cook a soft-boiled egg?
That depends on how you like it. | A boiled egg is a question of minutes.
Lower it into boiling water with a spoon, and look at the clock: | Put it into boiling water, then watch the time:
* six minutes for a soft egg
* eight minutes for a creamy one
* ten minutes for a hard one
Then hold it under cold water, so that it stops cooking. | After that, cool it under the tap for a moment.
Eggs straight from the fridge need a minute more. | Large eggs take a minute longer. | Do not forget the salt.
< Six minutes for soft, eight for creamy, ten for hard, then cold water.
! The clock matters most. An egg does not wait.
+ Make a small hole in the blunt end, and it will hardly ever crack.

? How do I make good coffee? | What is the secret of good coffee? | How do I brew filter coffee?
Good coffee is not magic, only care. | Fresh beans, hot water and a little patience will do.
# Grind the beans just before you brew. | Use fresh beans, and grind them at the last moment.
# Take a heaped spoon for each cup. | Allow one heaped spoon a cup.
# Let the boiling water stand for half a minute. | Use water that has just stopped boiling.
# Wet the coffee first, wait, then pour slowly. | Pour a little, wait for it to swell, then pour the rest.
Drink it fresh and never heat it up again. | Do not keep it warm for hours.
< Fresh beans, water just off the boil, and pour slowly.
! The beans matter most. No machine can save old beans.
+ Warm the cup with hot water first.
"""
