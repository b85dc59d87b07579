"""Advice about the household, in the notation of `chat_topics`."""

from __future__ import annotations

HOME = """
? How do I clean a keyboard? | What is the best way to clean a keyboard? | How can I clean my keyboard?
? My keyboard is dirty. What should I do? | Give me tips for cleaning a keyboard. | How do you clean a keyboard?
Cleaning a keyboard takes about ten minutes: | You need ten minutes and a soft cloth: | It is easier than it looks:
# Unplug the keyboard, or switch it off. | Switch the computer off, or unplug the keyboard.
# Turn it upside down and shake out the crumbs. | Turn it over and tap it gently, so that the crumbs fall out.
# Brush between the keys with a soft brush. | Go between the keys with a dry paintbrush.
# Wipe the keys with a cloth that is damp, not wet. | Wipe the keys with a slightly damp cloth.
# Let everything dry before you plug it in again. | Wait until it is dry, then plug it in again.
Never spray anything straight onto the keys. | And try not to eat above it next time. | Your fingers will thank you.
< Unplug it, shake out the crumbs, wipe the keys with a damp cloth and let it dry.
! Unplugging it first matters most. After that, keep the cloth damp, never wet.
+ Take a photo of the keys before you pull any of them off, so that you know where they belong.

? My houseplant has yellow leaves. What should I do? | Why does my houseplant have yellow leaves?
? The leaves of my plant are turning yellow. Help! | What can I do about yellow leaves on a plant?
Yellow leaves mostly mean too much water. | Do not worry, yellow leaves are common. | Poor plant! Let us have a look.
Check these things, one after the other: | Go through this short list: | Try this, in this order:
* Feel the soil. If it is wet, do not water for a week. | Feel the soil, and water only when the top of it is dry.
* Make sure that water can run out of the pot. | Look under the pot: no plant likes wet feet.
* Move it closer to a window, but not into hot sun. | Give it a brighter place, away from the heater.
* Cut off the yellow leaves. They will not turn green again. | Remove the yellow leaves with clean scissors.
* Look for small insects under the leaves. | Turn a few leaves over and look for insects.
If only the oldest leaves are yellow, all is well. | Then be patient: a plant needs weeks. | Good luck to you both!
< Water less, give it more light, and cut off the yellow leaves.
! The water matters most. More houseplants are drowned than die of thirst.
+ In spring, give it a slightly larger pot and fresh soil.

? How do I remove a coffee stain? | There is coffee on my shirt. What now? | How do I get coffee out of a shirt?
Be quick, and the stain has no chance. | Coffee comes out well while it is fresh. | Do not panic, and do not rub.
# Dab the stain with a dry cloth. | Press a dry cloth on the stain.
# Rinse it from the back with cold water. | Hold it under cold water, from the back.
# Work in a drop of dish soap and wait ten minutes. | Put a drop of dish soap on it and let it rest.
# Wash the shirt as usual. | Then wash it as its label says.
Let it dry in the air, because heat fixes what is left. | Keep it out of the dryer until the stain is gone.
< Dab it, rinse it with cold water, add dish soap, and wash it.
! Speed matters most. A fresh stain is half gone already.
+ Drink your next coffee in a dark shirt.

? How do I unclog a sink? | My sink is blocked. What can I do? | The water in my sink does not drain. Help!
Most blocked sinks give up after these steps: | Start gently and get stronger step by step:
# Take out what you can see, with gloves on. | Put on gloves and pull out hair and leftovers.
# Pour in hot water, not boiling. | Pour a pot of hot water down the drain.
# Use a plunger, and close the overflow with a cloth. | Work with a plunger for a minute or two.
# Put a bucket below and open the trap. | Open the bend below the sink, with a bucket under it.
If it still does not drain, call a plumber. | If nothing helps, the trouble sits deeper and wants a plumber.
< Pull out the dirt, pour in hot water, use a plunger, and clean the trap.
! The bucket matters most. Never open the trap without it.
+ A small sieve over the drain saves you from all of this.

? How do I sharpen a kitchen knife? | My knife is blunt. What should I do? | How do I make a knife sharp again?
Take your time, and always cut away from yourself. | A whetstone, some water and patience are enough.
# Lay the stone in water for ten minutes. | Soak the whetstone until no more bubbles rise.
# Hold the blade at a low angle, about the height of two coins. | Set the blade on the stone at a low, steady angle.
# Draw it over the stone, edge first, with light pressure. | Push it lightly across the stone, ten times a side.
# Turn to the finer side and repeat. | Do the same on the fine side.
# Rinse and dry the knife. | Wash the blade and wipe it dry.
Test it on a tomato, never on your thumb. | If it slides through a tomato, you are done.
< Soak the stone, keep a low and steady angle, and finish on the fine side.
! The steady angle matters most. Speed does not matter at all.
+ Cut on wood, not on glass or stone, and the edge will stay for longer.
"""
