"""Who may do something, and to what: people, pronouns, things."""
from grammar.named import name
from grammar.noun_phrases import counted, mass
from grammar.referents import MASS, NOUNS, Referent


def person(t, owner=None):
    """Anna; the pilot; the old queens; my uncle; Anna and Ben."""
    if t.choose((2, True), (3, False)):
        one = name(t)
        if t.choose((5, True), False):
            return one
        t.say("and")
        name(t)
        return Referent(one.at, "they", None, "people")
    return counted(t, "people", owner=owner)


def somebody(t):
    """everybody, nobody, someone."""
    t.say("everybody", "everyone", "nobody", "somebody", "someone")
    return Referent(t.last(), "he", None, "people")


def speaker(t):
    """I, you, he, she, we, they, not said of whom."""
    pronoun = t.say("I", "you", "he", "she", "we", "they", "I", "I", "we", "you")
    if pronoun not in ("I", "you", "we"):
        t.stands_for[t.last()] = None
    return Referent(t.last(), pronoun, None, "people")


def subject(t):
    """Whoever may do something."""
    kind = t.choose((5, "person"), (2, "animals"), (3, "speaker"), (0.4, "somebody"))
    if kind == "animals":
        return counted(t, "animals")
    return {"person": person, "speaker": speaker, "somebody": somebody}[kind](t)


def thing(t, kind, owner=None):
    """Something of a class, counted or not."""
    if kind == "people":
        return person(t, owner)
    if kind not in NOUNS or kind in MASS and t.choose((2, False), True):
        return mass(t, kind, owner)
    return counted(t, kind, owner=owner)


def object_pronoun(t):
    t.say("me", "you", "him", "her", "it", "us", "them", "something", "everything", "nothing")


THINGS = ((2, "tools"), (2, "rooms"), (1, "vehicles"), (1, "furniture"), (1, "food"), (1, "read"), (1, "clothes"), (1, "sky"),
          (0.7, "events"), (0.7, "plants"),
          (0.7, "ideas"), (0.3, "body"), (0.3, "weather"), (0.4, "drinks"))
