"""What the texts to translate are made of: phrases in English, German, French and Spanish."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """The same in the four languages."""

    english: str
    german: str
    french: str
    spanish: str


class Person(NamedTuple):
    """Who acts: a nominative, third person singular."""

    name: Phrase
    is_woman: bool


class Thing(NamedTuple):
    """What is acted on, with its article: as a subject, and as an object in German."""

    name: Phrase
    german_object: str
    is_french_feminine: bool
    is_spanish_feminine: bool


class Quality(NamedTuple):
    """An adjective; Spanish has its verb with it, since that depends on the adjective."""

    masculine: Phrase
    feminine: Phrase


def phrases(text: str) -> list[Phrase]:
    """A phrase from every line: its four languages are parted by bars."""
    return [Phrase(*line.split("|")) for line in text.strip().splitlines()]


def people(text: str) -> list[Person]:
    """A person from every line: a phrase, then m or f."""
    rows = [line.split("|") for line in text.strip().splitlines()]
    return [Person(Phrase(*row[:4]), row[4] == "f") for row in rows]


def things(text: str) -> list[Thing]:
    """A thing from every line: a phrase, then the genders in French and Spanish as two letters."""
    rows = [line.split("|") for line in text.strip().splitlines()]
    return [Thing(Phrase(*row[:4]), row[1].replace("der ", "den "), row[4][0] == "f", row[4][1] == "f") for row in rows]


def qualities(text: str) -> list[Quality]:
    """A quality from every line: English, German, French twice, the Spanish verb, Spanish twice."""
    rows = [line.split("|") for line in text.strip().splitlines()]
    return [
        Quality(Phrase(english, german, he, f"{verb}|{el}"), Phrase(english, german, she, f"{verb}|{ella}"))
        for english, german, he, she, verb, el, ella in rows
    ]


PEOPLE = people("""
my brother|mein Bruder|mon frère|mi hermano|m
my sister|meine Schwester|ma sœur|mi hermana|f
my father|mein Vater|mon père|mi padre|m
my mother|meine Mutter|ma mère|mi madre|f
my uncle|mein Onkel|mon oncle|mi tío|m
my aunt|meine Tante|ma tante|mi tía|f
our grandfather|unser Großvater|notre grand-père|nuestro abuelo|m
our grandmother|unsere Großmutter|notre grand-mère|nuestra abuela|f
the baker|der Bäcker|le boulanger|el panadero|m
the farmer|der Bauer|le fermier|el granjero|m
the gardener|der Gärtner|le jardinier|el jardinero|m
the teacher|die Lehrerin|la professeure|la profesora|f
the old man|der alte Mann|le vieil homme|el anciano|m
the young woman|die junge Frau|la jeune femme|la joven|f
Anna|Anna|Anna|Anna|f
Maria|Maria|Maria|Maria|f
Julia|Julia|Julia|Julia|f
Emma|Emma|Emma|Emma|f
Paul|Paul|Paul|Paul|m
Tom|Tom|Tom|Tom|m
Leo|Leo|Leo|Leo|m
Max|Max|Max|Max|m
""")

THINGS = things("""
the bicycle|das Fahrrad|le vélo|la bicicleta|mf
the chair|der Stuhl|la chaise|la silla|ff
the table|der Tisch|la table|la mesa|ff
the lamp|die Lampe|la lampe|la lámpara|ff
the clock|die Uhr|l'horloge|el reloj|fm
the radio|das Radio|la radio|la radio|ff
the ladder|die Leiter|l'échelle|la escalera|ff
the box|die Kiste|la caisse|la caja|ff
the mirror|der Spiegel|le miroir|el espejo|mm
the guitar|die Gitarre|la guitare|la guitarra|ff
the suitcase|der Koffer|la valise|la maleta|ff
the umbrella|der Regenschirm|le parapluie|el paraguas|mm
the picture|das Bild|le tableau|el cuadro|mm
the basket|der Korb|le panier|la cesta|mf
the boat|das Boot|le bateau|el barco|mm
the coat|der Mantel|le manteau|el abrigo|mm
""")

VERBS = phrases("""
repairs|repariert|répare|repara
cleans|putzt|nettoie|limpia
buys|kauft|achète|compra
sells|verkauft|vend|vende
finds|findet|trouve|encuentra
draws|zeichnet|dessine|dibuja
forgets|vergisst|oublie|olvida
hides|versteckt|cache|esconde
measures|misst|mesure|mide
photographs|fotografiert|photographie|fotografía
admires|bewundert|admire|admira
sees|sieht|voit|ve
""")

BUSY_VERBS = phrases("""
is looking for|sucht|cherche|busca
is repairing|repariert|répare|repara
is cleaning|putzt|nettoie|limpia
is drawing|zeichnet|dessine|dibuja
""")

TIMES = phrases("""
In the morning|Am Morgen|Le matin|Por la mañana
In the afternoon|Am Nachmittag|L'après-midi|Por la tarde
In the evening|Am Abend|Le soir|Por la noche
On Monday|Am Montag|Lundi|El lunes
On Wednesday|Am Mittwoch|Mercredi|El miércoles
On Saturday|Am Samstag|Samedi|El sábado
On Sunday|Am Sonntag|Dimanche|El domingo
At noon|Am Mittag|À midi|A mediodía
After work|Nach der Arbeit|Après le travail|Después del trabajo
After lunch|Nach dem Mittagessen|Après le déjeuner|Después del almuerzo
Before dinner|Vor dem Abendessen|Avant le dîner|Antes de la cena
At eight o'clock|Um acht Uhr|À huit heures|A las ocho
Today|Heute|Aujourd'hui|Hoy
""")

PLACES = phrases("""
in the garden|im Garten|dans le jardin|en el jardín
in the garage|in der Garage|dans le garage|en el garaje
in the kitchen|in der Küche|dans la cuisine|en la cocina
in the courtyard|im Hof|dans la cour|en el patio
in the cellar|im Keller|dans la cave|en el sótano
at the market|auf dem Markt|au marché|en el mercado
at the station|am Bahnhof|à la gare|en la estación
at the beach|am Strand|à la plage|en la playa
on the bridge|auf der Brücke|sur le pont|en el puente
by the river|am Fluss|au bord de la rivière|junto al río
in front of the house|vor dem Haus|devant la maison|delante de la casa
behind the school|hinter der Schule|derrière l'école|detrás de la escuela
next to the church|neben der Kirche|à côté de l'église|al lado de la iglesia
under the old tree|unter dem alten Baum|sous le vieil arbre|bajo el viejo árbol
""")

STATES = phrases("""
is late|kommt zu spät|est en retard|llega tarde
stays at home|bleibt zu Hause|reste à la maison|se queda en casa
has no time|hat keine Zeit|n'a pas le temps|no tiene tiempo
does not hear the telephone|hört das Telefon nicht|n'entend pas le téléphone|no oye el teléfono
does not come to dinner|kommt nicht zum Abendessen|ne vient pas dîner|no viene a cenar
""")

FAULTS = qualities("""
old|alt|vieux|vieille|es|viejo|vieja
heavy|schwer|lourd|lourde|es|pesado|pesada
small|klein|petit|petite|es|pequeño|pequeña
dirty|schmutzig|sale|sale|está|sucio|sucia
broken|kaputt|cassé|cassée|está|roto|rota
wet|nass|mouillé|mouillée|está|mojado|mojada
expensive|teuer|cher|chère|es|caro|cara
""")

MERITS = qualities("""
beautiful|schön|beau|belle|es|bonito|bonita
useful|nützlich|utile|utile|es|útil|útil
practical|praktisch|pratique|pratique|es|práctico|práctica
red|rot|rouge|rouge|es|rojo|roja
green|grün|vert|verte|es|verde|verde
""")

EXCESSES = qualities("""
old|alt|vieux|vieille|es|viejo|vieja
heavy|schwer|lourd|lourde|es|pesado|pesada
small|klein|petit|petite|es|pequeño|pequeña
expensive|teuer|cher|chère|es|caro|cara
""")

OPENINGS = phrases("""
It is a quiet day.|Es ist ein ruhiger Tag.|C'est une journée calme.|Es un día tranquilo.
The sun is shining.|Die Sonne scheint.|Le soleil brille.|El sol brilla.
It is raining again.|Es regnet wieder.|Il pleut de nouveau.|Llueve otra vez.
The weather is nice.|Das Wetter ist schön.|Il fait beau.|Hace buen tiempo.
It is very cold.|Es ist sehr kalt.|Il fait très froid.|Hace mucho frío.
The street is empty.|Die Straße ist leer.|La rue est vide.|La calle está vacía.
The shop is closed.|Das Geschäft ist geschlossen.|Le magasin est fermé.|La tienda está cerrada.
There is a lot to do.|Es gibt viel zu tun.|Il y a beaucoup à faire.|Hay mucho que hacer.
The window is open.|Das Fenster ist offen.|La fenêtre est ouverte.|La ventana está abierta.
The whole family is here.|Die ganze Familie ist hier.|Toute la famille est ici.|Toda la familia está aquí.
""")

CLOSINGS = phrases("""
Then everyone drinks tea.|Dann trinken alle Tee.|Ensuite, tout le monde boit du thé.|Luego todos beben té.
Everyone is happy now.|Jetzt sind alle glücklich.|Maintenant, tout le monde est content.|Ahora todos están contentos.
That is enough for today.|Das reicht für heute.|Cela suffit pour aujourd'hui.|Eso es suficiente por hoy.
Nobody says a word.|Niemand sagt ein Wort.|Personne ne dit un mot.|Nadie dice una palabra.
The dog sleeps in the hall.|Der Hund schläft im Flur.|Le chien dort dans le couloir.|El perro duerme en el pasillo.
The children laugh.|Die Kinder lachen.|Les enfants rient.|Los niños se ríen.
Dinner is ready.|Das Abendessen ist fertig.|Le dîner est prêt.|La cena está lista.
Tomorrow is another day.|Morgen ist auch noch ein Tag.|Demain est un autre jour.|Mañana será otro día.
It was a good day.|Es war ein guter Tag.|C'était une bonne journée.|Fue un buen día.
It is time to go home.|Es ist Zeit, nach Hause zu gehen.|Il est temps de rentrer.|Es hora de volver a casa.
""")
