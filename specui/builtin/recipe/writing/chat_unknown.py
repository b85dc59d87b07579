"""Questions that the toy cannot answer, and what it says instead of inventing something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.chat_self import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

COUNTRIES = """
Australia | Norway | Brazil | Canada | Kenya | Japan | Peru
France | Mongolia | Egypt | Italy | Chile | Poland | India
Portugal | Nepal | Iceland | Turkey | Vietnam | Ghana | Sweden
Mexico | Greece | Finland | Cuba | Spain | Germany | China
Austria | Hungary | Denmark | Morocco | Ireland | Thailand | Belgium | Argentina | Latvia | Uganda | Scotland | Russia
"""
SUBJECTS = """
gravity | black holes | quantum physics | the stock market | inflation | evolution | the Roman Empire | photosynthesis
relativity | nuclear fusion | blockchain | the French Revolution | plate tectonics | philosophy | the immune system
cryptography | climate change | the tides | thermodynamics | democracy | existentialism | DNA | volcanoes | opera
string theory | the water cycle | the Renaissance | jazz
chess openings | astrology | taxes | vaccines | the Cold War
"""
PEOPLE = """
Albert Einstein | Napoleon | Cleopatra | Mozart | Shakespeare
Marie Curie | Isaac Newton | Picasso | Beethoven | Homer
Julius Caesar | Charles Darwin | Leonardo da Vinci | Queen Victoria
Plato | Galileo | Gandhi | Columbus | Ada Lovelace
Alan Turing | Frida Kahlo | Socrates | Marco Polo
Charlie Chaplin | the president | the king | the prime minister | the pope
"""
GOODS = """
a house | an iPhone | a car | gold | a laptop
a horse | a graphics card | milk | a flight to London | a violin | petrol
a wedding | a bitcoin | a ticket to the opera | a new kitchen
a cup of coffee in Paris | a piano | silver | a haircut
"""
AILMENTS = """
a headache | a fever | a sore throat | back pain | a rash
a cough | toothache | a cold | high blood pressure | a swollen knee
an earache | hay fever | a burn | stomach pain | a broken toe | dizziness | chest pain | an allergy
"""
TONGUES = """
Rust | Java | C++ | JavaScript | Go | Haskell | SQL
Kotlin | Perl | assembly | Swift | TypeScript | PHP | Ruby | Lisp
Fortran | COBOL | Scala | Bash | Julia
"""
PROGRAMS = """
a web server | a chess engine | a compiler | a database | a video game | an operating system | a chat app | a web shop
a spam filter | a neural network | a text editor | a ray tracer | a calendar app | a mail client | a search engine
"""
EVENTS = """
the Second World War | the moon landing
the first Olympic Games | the fall of the Berlin Wall | the French Revolution
the Ice Age | the invention of printing | the last World Cup
the Great Fire of London | the first flight | the Black Death
"""
PLACES = """
Berlin | London | Tokyo | New York | my town | Paris | Rome
Oslo | Madrid | Cairo | Sydney | Vienna | Dublin | Lisbon
Chicago | Prague | Delhi | Toronto | Zurich | Athens | Seoul | the Alps
"""
THINGS = """
Mount Everest | the Eiffel Tower | the moon | a blue whale
the Nile | the sun | an elephant | the Great Wall | Jupiter
the Amazon | the Pacific | a dinosaur | the largest tree
an atom | the Titanic | the Sahara | Lake Geneva | a giraffe
"""
WORKS = """
Hamlet | Moby Dick | Star Wars | War and Peace | The Magic Flute
Don Quixote | Titanic | The Odyssey | Faust | Casablanca
The Hobbit | Dracula | Frankenstein | Macbeth | Carmen | The Lord of the Rings | Pride and Prejudice | The Matrix
"""

FRAMES: tuple[tuple[str, str], ...] = (
    ("What is the capital of @?|How many people live in @?|Who is the president of @?", COUNTRIES),
    (
        "Tell me about the history of @.|How large is @?|What do people eat in @?|Is @ worth a visit?",
        COUNTRIES,
    ),
    ("Explain @.|Explain @ to me.|What is @?|How does @ work?|Tell me about @.|Why is @ important?", SUBJECTS),
    ("Who was @?|When was @ born?|When did @ die?|What is @ famous for?|Tell me about @.|How old is @?", PEOPLE),
    ("How much is @?|What does @ cost?|What is the price of @?|Where can I buy @?|Should I buy @?", GOODS),
    ("I have @. What should I take?|What helps against @?|Is @ dangerous?|Should I see a doctor about @?", AILMENTS),
    ("Can you write @ code?|Write a program in @.|Write a sorting function in @.|How do I learn @?", TONGUES),
    ("Write @.|Write @ for me.|How do I write @?|Can you build @?|Please write @ in Python.", PROGRAMS),
    ("When was @?|How long did @ last?|Tell me about @.|How long ago was @?|Who remembers @?", EVENTS),
    ("What is the weather in @?|Will it rain in @ tomorrow?|How warm is it in @?|What time is it in @?", PLACES),
    ("How tall is @?|How big is @?|How heavy is @?|How old is @?|How far away is @?", THINGS),
    ("Who wrote @?|What is @ about?|How does @ end?|Is @ any good?|Summarise @.", WORKS),
)
SINGLE_QUESTIONS = """
Who will win the election? | What do you think about politics? | Is there a God? | What is the meaning of life?
Who won the game last night? | What is the news today?
What day is it today? | Who is the richest person in the world?
How do I get rich? | Which party should I vote for?
Can you do my homework? | How do I fix my car? | Should I get married?
What is the square root of 7391? | What is 48213 times 9377?
Divide 9876543 by 321. | What is the largest prime number?
Write an essay about the future of work. | Write a novel. | Give me legal advice. | How do I file my taxes?
Why is the sky blue? | Why do cats purr? | How do planes fly? | What is dark matter? | How many stars are there?
Draw me a picture. | Play some music. | Open a web page. | Send an e-mail. | Set an alarm for seven. | Call my mother.
Translate this into Japanese. | Say something in Chinese. | Translate a poem into Latin. | What stock should I buy?
Who is the best football player? | What film should I watch? | Which phone is the best? | What is the fastest car?
"""

OFFERS = """
a short story about a lighthouse | a table of squares | a ring buffer in Python | an e-mail to your landlord
a poem about an empty harbour | the months of a leap year as JSON | a recipe for pancakes | tips for a sad houseplant
a function that merges intervals | a scene with a lighthouse keeper | a small sum in steps | FizzBuzz in Python
""".replace("\n", "|")

ANSWERS = (
    "I do not know that. I am only a toy model and know just a few things. Ask me for {} instead, or for {}.",
    "That is beyond me, sorry. I am a toy, and I would only invent something. You could try {}, or perhaps {}.",
    "I am afraid I cannot answer that: I am a very small model. But you could ask me for {} or for {}.",
    "Good question, but too large for me. I am a toy model and would have to guess. How about {}, or {}?",
    "Sorry, nobody taught me that. I only know a handful of things, such as {} or {}.",
    "I would love to help, but I would be making it up. I am a toy model. Better ask me for {} or {}.",
    "I do not know, and I would rather say so than invent something. What I can offer is {}, or {}.",
    "That did not fit into one and a half million parameters, sorry. Try {} instead, or {}.",
)


def unknown_conversations(draws: Draws, count: int) -> Iterator[Conversation]:
    """`count` questions, each answered honestly; a tenth of them with a second question like it."""
    singles = phrases(SINGLE_QUESTIONS.replace("\n", "|"))
    for number in range(count):
        first = (draws.pick(singles), _answer(draws)) if number % 7 == 0 else _exchange(draws)
        yield first + _exchange(draws) if number % 10 == 0 else first


def _exchange(draws: Draws) -> Conversation:
    wordings, subjects = draws.pick(FRAMES)
    question = draws.pick(wordings.split("|")).replace("@", draws.pick(phrases(subjects.replace("\n", "|"))))
    return question, _answer(draws) + (" Please ask a doctor about this one." if subjects == AILMENTS else "")


def _answer(draws: Draws) -> str:
    one, other = draws.some(phrases(OFFERS), 2)
    return draws.pick(ANSWERS).format(one, other)
