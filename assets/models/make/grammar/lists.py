"""Lists, and the same list again: what was said once tells what comes next."""
from english import function_words, names, verbs
from grammar.agreement import inflected, say_verb
from grammar.named import name
from grammar.places import somewhere
from grammar.referents import NOUNS, Referent, a_or_an, after_article

ALL_NAMES = names.SHE + names.HE
BUYING = ("buy", "see", "find", "want", "need", "like", "have", "bring", "lose", "take", "sell", "carry", "draw", "paint", "count", "eat", "wash")


def comma_or_and(t, index, count):
    if index:
        t.say("and") if index == count - 1 else t.say(",")


def names_again(t):
    """Anna, Ben and Clara sing. Anna, Ben and Clara laugh."""
    told = []
    count = t.choose(2, 3, 4, 5)
    for index in range(count):
        comma_or_and(t, index, count)
        told.append(t.say(*ALL_NAMES))
    they_do(t)
    for _ in range(t.choose(1, 2)):
        for index, one in enumerate(told):
            comma_or_and(t, index, count)
            t.say(one)
        they_do(t)


def they_do(t):
    t.say(*inflected(verbs.ALONE["people"], "base"), *inflected(verbs.ALONE["people"], "past"))
    t.say(".")


def item(t, kind):
    article = t.choose(*a_or_an(NOUNS[kind]), (2, "the"))
    return t.say(article), t.say(*after_article(NOUNS[kind], article))


def things_again(t):
    """There are a key, an orange and the lamp on the table. I see a key, an orange and the lamp."""
    kind = t.choose("tools", "food", "animals", "clothes", "people", "read", "vehicles", "furniture", "rooms")
    count = t.choose(2, 3, 4)
    who(t) if t.choose((2, True), False) else t.say_all("there are")
    kept = []
    for index in range(count):
        comma_or_and(t, index, count)
        kept.append(item(t, kind))
    if t.choose((2, False), True):
        somewhere(t)
    t.say(".")
    seeing = who(t)
    for index, (article, noun) in enumerate(kept):
        comma_or_and(t, index, count)
        t.say(article)
        t.say(noun)
        t.link("determiner", t.last(), t.last() - 1)
        t.link("object", t.last(), seeing)
    t.say(".")


def who(t):
    """I want, Anna sees; returns the place of the verb."""
    if t.choose(True, False):
        about = name(t)
    else:
        pronoun = t.say("I", "we", "you", "they")
        about = Referent(t.last(), pronoun, None, "people")
    return say_verb(t, BUYING, t.choose("present", "past"), about)[1]


def days(t):
    """Monday, Tuesday, Wednesday: words in their order."""
    row = t.choose(function_words.WEEKDAYS, function_words.MONTHS, function_words.CARDINALS[1:21], tuple(str(n) for n in range(1, 31)),
                   tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    at = t.choose(*range(min(7, len(row) - 4)))
    for index in range(t.choose(3, 4, 5)):
        if index:
            t.say(",")
        t.say(row[(at + index) % len(row)])
    t.say(".")


def lists(t):
    t.choose((3, names_again), (3, things_again), (1, days))(t)
