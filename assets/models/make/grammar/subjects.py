"""Who may do something, and to what: people, pronouns, things."""
from grammar.named import name
from grammar.noun_phrases import counted, mass
from grammar.referents import MASS, NOUNS, Referent, plurals


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
    pronoun = t.say("I", "you", "he", "she", "we", "they", "I", "I", "I", "we", "you", "it")
    if pronoun not in ("I", "you", "we"):
        t.stands_for[t.last()] = None
    return Referent(t.last(), pronoun, None, "people")


def subject(t):
    """Whoever may do something."""
    kind = t.choose((4, "person"), (1.5, "animals"), (7, "speaker"), (0.3, "somebody"))
    if kind == "animals":
        return counted(t, "animals")
    return {"person": person, "speaker": speaker, "somebody": somebody}[kind](t)


def thing(t, kind, owner=None):
    """Something of a class, counted or not."""
    if kind == "people":
        return person(t, owner)
    if kind in PORTIONS and t.choose((5, False), True):
        return portion(t, kind)
    if kind not in NOUNS or kind in MASS and t.choose((2, False), True):
        return mass(t, kind, owner)
    other = counted(t, kind, owner=owner)
    if t.choose((10, False), True):
        t.say("and")
        counted(t, kind)
        return other._replace(pronoun="they", noun=None)
    if kind not in ("people", "animals") and t.choose((5, False), True):
        t.say("of")
        counted(t, t.choose((2, "people"), "animals", "rooms", "plants", "ideas", "times"))
    return other


def portion(t, kind):
    """a cup of tea, a bag of apples."""
    t.say("a", "the", "my", "another", "this", "every", "one")
    noun = t.say(*PORTIONS[kind])
    at = t.last()
    t.say("of")
    t.say(*(MASS["drinks"] if kind == "drinks" else MASS["food"] if t.choose(True, False) else plurals(NOUNS["food"])))
    return Referent(at, "it", noun, "food")


def object_pronoun(t):
    t.say("me", "you", "him", "her", "it", "us", "them", "something", "everything", "nothing")


PORTIONS = {"food": ("piece", "bag", "bowl", "box", "plate", "slice", "basket", "packet", "jar", "lot"),
            "drinks": ("cup", "glass", "bottle", "mug", "jug", "drop", "lot")}
THINGS = ((2, "tools"), (2, "rooms"), (1, "vehicles"), (1, "furniture"), (1, "food"), (1, "read"), (1, "clothes"), (1, "sky"),
          (0.7, "events"), (0.7, "plants"),
          (0.7, "ideas"), (0.3, "body"), (0.3, "weather"), (0.4, "drinks"))
