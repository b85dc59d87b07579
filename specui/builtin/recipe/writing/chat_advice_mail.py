"""E-mails and short messages to write for somebody, in the notation of `chat_topics`."""

from __future__ import annotations

MAIL = """
? Write an e-mail to my landlord about a broken heater. | Write to my landlord that the heater is broken.
? My heater is broken. Write an e-mail to the landlord. | Draft an e-mail to my landlord: the heater does not work.
Subject: Broken heater in my flat | Subject: Heater not working
// Dear landlord, | Dear Sir or Madam,
// since Monday my heater has not worked. | the heater in my flat has been cold since Monday.
I have checked the valve and let out the air. | I have tried the valve and the switch, but it stays cold.
Please send somebody to repair it this week. | Could you please send somebody this week to repair it?
I am at home every day after five. | You can reach me by telephone at any time.
// Thank you and kind regards, | With kind regards,
// [your name]
< Dear landlord, my heater has not worked since Monday. Please have it repaired this week. Kind regards
! The date matters most, so that it is clear since when it has been broken.
+ Take a photo of the heater and add it to the e-mail.

? Write an e-mail to my boss: I am ill today. | Write a sick note to my boss. | Tell my boss that I am ill.
Subject: Ill today | Subject: Not at work today
// Good morning, | Dear [name of your boss],
// I woke up with a fever and cannot come to work today. | I am ill and have to stay in bed today.
I hope to be back tomorrow and will let you know tonight. | I will write again tonight to say how I am.
The papers for the meeting lie on my desk. | What is urgent can wait in my inbox or go to a colleague.
// Thank you for understanding. | Thank you, and sorry for the short notice.
// [your name]
< Good morning, I am ill today and cannot come to work. I will write again tonight.
! Sending it early matters most. Nobody needs the details.
+ Switch off the telephone after that, and sleep.

? Write an invitation to my birthday party. | Invite my friends to my birthday. | Write a birthday invitation.
Dear friends, | Hello everybody,
// another year is over, and I want to celebrate that with you! | I am getting older, and you are invited to watch!
Come to my place on Saturday at seven. | We begin on Saturday evening at seven, at my place.
There will be soup, cake and far too much music. | I will cook, and somebody else may sing.
Please bring good mood and, if you like, a salad. | Do not bring presents, bring an appetite.
// Let me know by Wednesday whether you can come. | Please tell me by Wednesday who is coming.
// See you soon! | I look forward to seeing you!
< I am celebrating my birthday on Saturday at seven, at my place. Please come, and tell me by Wednesday!
! Day, time and place matter most. All the rest is decoration.
+ Invite the neighbours too, and nobody will complain about the music.

? Write a thank-you note for a present. | Thank my aunt for her present. | Write a short thank-you card.
Dear aunt, | My dear aunt,
// thank you very much for the lovely scarf! | what a beautiful scarf you sent me. Thank you so much!
It is warm and soft, and the colour suits me. | I have worn it every day, and two people have asked about it.
You always know what I need before I do. | I think of you each time I put it on.
I hope that you are well and that your garden is too. | How are you, and how is the cat?
// I hope to visit you in spring. | Come and see me soon. There will be cake.
// With love, | Warm greetings,
// [your name]
< Dear aunt, thank you for the lovely scarf. I wear it every day. With love
! Naming the present matters most. It shows that you mean it.
+ Write it by hand. It takes five minutes and is kept for years.
"""
