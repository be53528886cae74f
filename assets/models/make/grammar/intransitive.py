"""Verbs without an object: alone, with a place, with a preposition of their own, and like "looks happy".

Here and in objects.py each function says a verb phrase; the form of its verb is given (agreement.py), and so the same phrase serves "eats an
apple", "to eat an apple" and "eating an apple". It returns whom or what the verb has as its object, or None.
"""
from english import qualities, verbs
from grammar.agreement import say_verb
from grammar.places import somewhere, to_somewhere
from grammar.referents import looks_of
from grammar.subjects import thing


def alone(t, subject, form):
    """sleeps, sleeps quietly."""
    say_verb(t, verbs.ALONE.get(subject.kind, verbs.ALONE["things"]), form, subject)
    if t.choose((3, False), True):
        t.say(*qualities.MANNER)
    elif t.choose((2, False), True):
        somewhere(t)


def motion(t, subject, form):
    """runs into the garden."""
    say_verb(t, verbs.MOTION, form, subject)
    to_somewhere(t)


TAKING_PREPOSITION = tuple(dict.fromkeys(verb for verb, _ in verbs.WITH_PREPOSITION))


def preposition_of(t, subject, form):
    """waits for the bus."""
    verb, _ = say_verb(t, TAKING_PREPOSITION, form, subject)
    word = t.say(*(preposition for told, preposition in verbs.WITH_PREPOSITION if told == verb))
    return thing(t, verbs.WITH_PREPOSITION[verb, word], subject)


def staying(t, subject, form):
    """lives in London."""
    say_verb(t, verbs.STAYING, form, subject)
    somewhere(t)


def seeming(t, subject, form):
    """looks happy."""
    say_verb(t, verbs.SEEMING, form, subject)
    t.say(*(qualities.FEELINGS if subject.kind in ("people", "animals") else looks_of(subject.kind)))


def changing(t, subject, form):
    """What things do: breaks, falls on the floor."""
    say_verb(t, verbs.ALONE["things"], form, subject)
    if t.choose((2, False), True):
        somewhere(t)
