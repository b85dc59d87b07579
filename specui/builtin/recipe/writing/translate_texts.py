"""Texts to translate that stand as they are: the three that are measured, and everyday phrases."""

from __future__ import annotations

from specui.builtin.recipe.writing.translate_phrases import Phrase, phrases

BICYCLE = Phrase(
    english=(
        "My bicycle has a flat tyre. First I take off the wheel and look for the hole.\n\n"
        "Then I glue a patch on the tube and wait ten minutes. Finally I pump up the tyre. "
        "Now I can ride to work again."
    ),
    german=(
        "Mein Fahrrad hat einen Platten. Zuerst nehme ich das Rad ab und suche das Loch.\n\n"
        "Dann klebe ich einen Flicken auf den Schlauch und warte zehn Minuten. Zum Schluss pumpe ich den Reifen auf. "
        "Jetzt kann ich wieder zur Arbeit fahren."
    ),
    french=(
        "Mon vélo a un pneu crevé. D'abord, j'enlève la roue et je cherche le trou.\n\n"
        "Ensuite, je colle une rustine sur la chambre à air et j'attends dix minutes. Enfin, je gonfle le pneu. "
        "Maintenant, je peux de nouveau aller au travail à vélo."
    ),
    spanish=(
        "Mi bicicleta tiene una rueda pinchada. Primero quito la rueda y busco el agujero.\n\n"
        "Luego pego un parche en la cámara y espero diez minutos. Por último, inflo la rueda. "
        "Ahora puedo volver a ir al trabajo en bicicleta."
    ),
)

MARKET = Phrase(
    english=(
        "The market opens at seven. An old woman sells apples, pears and honey. "
        "She knows every customer by name. At noon she closes her stall and drinks a coffee in the sun."
    ),
    german=(
        "Der Markt öffnet um sieben Uhr. Eine alte Frau verkauft Äpfel, Birnen und Honig. "
        "Sie kennt jeden Kunden beim Namen. Am Mittag schließt sie ihren Stand und trinkt einen Kaffee in der Sonne."
    ),
    french=(
        "Le marché ouvre à sept heures. Une vieille femme vend des pommes, des poires et du miel. "
        "Elle connaît chaque client par son nom. À midi, elle ferme son stand et boit un café au soleil."
    ),
    spanish=(
        "El mercado abre a las siete. Una anciana vende manzanas, peras y miel. "
        "Conoce a cada cliente por su nombre. A mediodía cierra su puesto y toma un café al sol."
    ),
)

CAT = Phrase(
    english=(
        "Our cat sleeps on the sofa all day. In the evening she wakes up and waits at the door. "
        "Then she runs into the garden and climbs a tree. At midnight she comes home and wants to eat."
    ),
    german=(
        "Unsere Katze schläft den ganzen Tag auf dem Sofa. Am Abend wacht sie auf und wartet an der Tür. "
        "Dann läuft sie in den Garten und klettert auf einen Baum. "
        "Um Mitternacht kommt sie nach Hause und will fressen."
    ),
    french=(
        "Notre chatte dort toute la journée sur le canapé. Le soir, elle se réveille et attend à la porte. "
        "Puis elle court dans le jardin et grimpe à un arbre. À minuit, elle rentre à la maison et veut manger."
    ),
    spanish=(
        "Nuestra gata duerme todo el día en el sofá. Por la noche se despierta y espera junto a la puerta. "
        "Luego corre al jardín y se sube a un árbol. A medianoche vuelve a casa y quiere comer."
    ),
)

EVERYDAY = phrases("""
Good morning!|Guten Morgen!|Bonjour !|¡Buenos días!
Good evening!|Guten Abend!|Bonsoir !|¡Buenas noches!
Good night!|Gute Nacht!|Bonne nuit !|¡Buenas noches!
How are you?|Wie geht es dir?|Comment vas-tu ?|¿Cómo estás?
What is your name?|Wie heißt du?|Comment t'appelles-tu ?|¿Cómo te llamas?
Nice to meet you.|Freut mich.|Enchanté.|Mucho gusto.
Thank you very much.|Vielen Dank.|Merci beaucoup.|Muchas gracias.
Where is the station?|Wo ist der Bahnhof?|Où est la gare ?|¿Dónde está la estación?
Where do you live?|Wo wohnst du?|Où habites-tu ?|¿Dónde vives?
How much does it cost?|Wie viel kostet das?|Combien ça coûte ?|¿Cuánto cuesta?
A coffee, please.|Einen Kaffee, bitte.|Un café, s'il vous plaît.|Un café, por favor.
I would like to pay.|Ich möchte zahlen.|Je voudrais payer.|Quisiera pagar.
I do not understand.|Ich verstehe nicht.|Je ne comprends pas.|No entiendo.
I speak a little English.|Ich spreche ein wenig Englisch.|Je parle un peu anglais.|Hablo un poco de inglés.
I am hungry.|Ich habe Hunger.|J'ai faim.|Tengo hambre.
I am thirsty.|Ich habe Durst.|J'ai soif.|Tengo sed.
I am tired.|Ich bin müde.|Je suis fatigué.|Estoy cansado.
I love you.|Ich liebe dich.|Je t'aime.|Te quiero.
I am learning to cook.|Ich lerne kochen.|J'apprends à cuisiner.|Estoy aprendiendo a cocinar.
I am reading a book.|Ich lese ein Buch.|Je lis un livre.|Leo un libro.
We are going to the cinema.|Wir gehen ins Kino.|Nous allons au cinéma.|Vamos al cine.
The train is late.|Der Zug hat Verspätung.|Le train est en retard.|El tren llega tarde.
The soup is hot.|Die Suppe ist heiß.|La soupe est chaude.|La sopa está caliente.
The water is cold.|Das Wasser ist kalt.|L'eau est froide.|El agua está fría.
The house is big.|Das Haus ist groß.|La maison est grande.|La casa es grande.
The dog is tired.|Der Hund ist müde.|Le chien est fatigué.|El perro está cansado.
The cat drinks milk.|Die Katze trinkt Milch.|Le chat boit du lait.|El gato bebe leche.
My friend lives in Berlin.|Mein Freund wohnt in Berlin.|Mon ami habite à Berlin.|Mi amigo vive en Berlín.
What time is it?|Wie spät ist es?|Quelle heure est-il ?|¿Qué hora es?
See you tomorrow!|Bis morgen!|À demain !|¡Hasta mañana!
Have a good trip!|Gute Reise!|Bon voyage !|¡Buen viaje!
Happy birthday!|Alles Gute zum Geburtstag!|Joyeux anniversaire !|¡Feliz cumpleaños!
Can you help me?|Kannst du mir helfen?|Peux-tu m'aider ?|¿Puedes ayudarme?
No problem.|Kein Problem.|Pas de problème.|No hay problema.
""")
