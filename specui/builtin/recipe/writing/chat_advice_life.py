"""Advice about work, travel and everyday life, in the notation of `chat_topics`."""

from __future__ import annotations

LIFE = """
? How can I sleep better? | I cannot sleep. What should I do? | Give me tips for better sleep.
Good sleep begins before you go to bed. | Here is what helps most people:
* Go to bed at the same time every day. | Keep the same hours, even on Sundays.
* Keep the room cool, dark and quiet. | Open the window and close the curtains.
* No coffee after lunch. | Drink your last coffee at noon.
* Put the telephone in another room. | Leave all screens outside.
* If you lie awake, get up and read something dull. | If sleep does not come, get up for a while.
Be patient: it takes a week or two. | If it goes on for weeks, please ask a doctor. | Counting sheep is optional.
< Same hours every day, a cool dark room, no late coffee and no telephone.
! The same hours every day matter most.
+ Write down what worries you before you go to bed. It can wait on paper.

? How do I learn a language? | What is the best way to learn a new language? | I want to learn Spanish. How do I begin?
A little every day beats a lot on Sunday. | You need no talent, only a habit.
* Learn ten words a day, in short sentences. | Collect ten useful words a day and use them.
* Speak aloud from the first day. | Speak early, even if it sounds strange.
* Listen to songs and simple stories. | Listen while you wash the dishes.
* Find somebody to talk to once a week. | Look for a partner who learns your language.
* Be glad about mistakes. | Make mistakes on purpose. They stay in your head.
After half a year you will surprise yourself. | In a few months you will order soup like a native.
< A little every day: ten words, some listening, and speaking from the start.
! Doing it every day matters most, even if it is only for ten minutes.
+ Set your telephone to the new language. It is a good kind of trouble.

? What should I pack for a weekend trip? | Help me pack for a short trip. | What do I need for a weekend by the sea?
For two nights, one small bag is enough. | Pack light, since you have to carry it yourself.
* two shirts, one pair of trousers and a warm sweater | clothes for two days and one warm layer
* a rain jacket | something against the rain
* toothbrush, soap and a small towel | your toothbrush and what else you need in the morning
* tickets, keys, money and a charger | keys, papers, money and the charger
* one book | a book, and a pen for postcards
Lay it all on the bed and take a third away. | Leave some room for what you find there.
< Clothes for two days, a rain jacket, toothbrush, papers, charger and one book.
! Tickets, keys and money matter most. The rest can be bought.
+ Put a small bag into the large one. You will need it.

? What can I do on a rainy day? | I am bored. What can I do? | Give me ideas for a rainy Sunday.
Rain is an excellent excuse. | Let it rain! Here are some ideas:
* Bake something that makes the house smell good. | Cook a soup that takes all afternoon.
* Write a letter by hand. | Write to somebody you have not seen for years.
* Read the first chapter of three books, and keep the best. | Read in bed until noon.
* Sort one drawer, but only one. | Mend something that has waited for months.
* Walk in the rain and come back to a warm room. | Put on boots and jump into puddles.
Or ask me for a story about a lighthouse. | Or do nothing at all, and do it well.
< Bake, write a letter, read, or walk in the rain and come back.
! The warm room afterwards matters most.
+ Listen to the rain for five minutes. It is free.
"""
