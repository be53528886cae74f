"""Verbs with an object: each asks for the class of what it is done to."""
from english import qualities, verbs
from grammar.agreement import say_verb
from grammar.noun_phrases import counted
from grammar.places import somewhere
from grammar.referents import ITSELF
from grammar.subjects import object_pronoun, person, thing
from grammar.times import DIGITS

# The classes of things that people and animals do something to, and how often.
DONE_TO = {
    "people": ((4, "people"), (1.5, "animals"), (2, "tools"), (2, "read"), (2, "food"), (1, "drinks"), (1, "clothes"), (1, "rooms"), (1, "vehicles"),
               (0.6, "furniture"), (0.7, "plants"), (1, "events"), (1, "ideas")),
    "animals": ((2, "people"), (3, "animals")),
}
SEE = ("see", "hear", "watch", "follow", "find", "frighten", "like", "love", "hate", "help", "attack", "bite", "catch", "chase", "hide")


def done_to(t, subject, form):
    """eats an apple: the verb asks for the class of its object."""
    kind = t.choose(*DONE_TO.get(subject.kind, DONE_TO["people"]))
    group = verbs.ON_OBJECT[kind] if subject.kind == "people" else SEE
    _, at = say_verb(t, group, form, subject)
    how = t.choose((6, "thing"), (1, "pronoun"), (0.7 if kind == "people" else 0, "self"))
    if how == "pronoun":
        object_pronoun(t)
        return None
    if how == "self":
        t.say(ITSELF[subject.pronoun])
        t.refer("antecedent", subject.at)
        return None
    other = thing(t, kind, subject)
    t.link("object", other.at, at)
    if t.choose((5, False), (2, True)):
        t.say(*qualities.MANNER) if t.choose(True, (3, False)) else somewhere(t)
    return other


def giving(t, subject, form):
    """gives the sailor a book; gives a book to the sailor; gives it to her."""
    _, at = say_verb(t, verbs.GIVING, form, subject)
    if t.choose((2, True), False):
        other = person(t) if t.choose((2, True), False) else object_pronoun(t)
        t.link("object", counted(t, "portable", owner=subject).at, at)
        return other
    t.link("object", counted(t, "portable", owner=subject).at, at)
    t.say("to")
    return person(t)


def having(t, subject, form):
    """has two cats, has a red car; has fun."""
    _, at = say_verb(t, ("have",), form, subject)
    kind = t.choose((2, "portable"), (1, "animals"), (1, "vehicles"), (1, "ideas"), (1, "food"), (1, "events"), (0.5, "people"), (0.7, "body"))
    other = thing(t, kind)
    t.link("object", other.at, at)
    return other


def spending(t, subject, form):
    """earns 20 pounds, the ring costs 5 euros."""
    say_verb(t, ("earn", "spend", "need", "pay", "lose", "find"), form, subject)
    t.say(*DIGITS[1:])
    t.say("pounds", "euros", "dollars", "pence", "coins")
