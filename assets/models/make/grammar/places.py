"""Where something is or goes: a preposition and a place."""
from english import nouns, places
from grammar.named import name, place_name
from grammar.noun_phrases import counted

IN_ROOM = ("in", "in", "in", "in", "in", "at", "at", "at", "near", "behind", "outside", "inside", "beside", "opposite", "around", "in",
           "at", "beyond", "below")
ON_FURNITURE = ("on", "on", "on", "on", "on", "in", "under", "near", "beside", "behind", "against", "over", "below", "above", "beneath",
                "underneath", "next to",
                "in front of")
TO_ROOM = ("to", "to", "to", "to", "to", "into", "into", "towards", "past", "through", "across", "around", "along", "out of", "away from",
           "from", "over", "up", "down",
           "past", "onto", "off", "via", "within", "toward", "throughout")
HOME = ("at home", "at school", "at work", "in bed", "upstairs", "downstairs", "outside", "outdoors", "indoors", "abroad", "here", "there",
        "everywhere",
        "somewhere", "nowhere", "nearby", "in town")
TO_HOME = ("home", "to school", "to work", "to bed", "upstairs", "downstairs", "outside", "away", "abroad", "there", "back", "somewhere", "anywhere",
           "forward", "ahead", "inside", "up", "down", "out")


def say_preposition(t, phrases):
    """One of the prepositions, of one word or more."""
    first = t.say(*(phrase.split()[0] for phrase in phrases))
    rests = tuple(dict.fromkeys(phrase.partition(" ")[2] for phrase in phrases if phrase.split()[0] == first))
    t.say_all(t.choose(*((1, rest) for rest in rests)) if len(rests) > 1 else rests[0])


def somewhere(t):
    """in the garden, under an old table, next to Ben, at home, in London."""
    kind = t.choose((5, "room"), (2, "furniture"), (1.5, "home"), (1, "city"), (0.5, "person"), (0.4, "body"), (0.3, "between"))
    if kind == "room":
        say_preposition(t, IN_ROOM)
        counted(t, "rooms")
    elif kind == "furniture":
        say_preposition(t, ON_FURNITURE)
        counted(t, t.choose((2, "furniture"), (1, "vehicles"), (1, "plants")))
    elif kind == "home":
        say_preposition(t, HOME)
    elif kind == "city":
        t.say("in", "near", "from")
        place_name(t)
    elif kind == "between":
        t.say("between")
        counted(t, "furniture")
        t.say("and")
        counted(t, "furniture")
    elif kind == "body":
        t.say("with", "by", "on", "without")
        t.say("his", "her", "my", "the")
        t.say(*nouns.BODY)
    else:
        t.say("with", "with", "with", "with", "for", "for", "for", "without", "near", "beside", "behind", "for", "against", "besides",
              "except", "unlike", "about", "after")
        name(t) if t.choose((2, True), False) else counted(t, "people")


def to_somewhere(t):
    """into the garden, home, to London."""
    kind = t.choose((5, "room"), (2, "home"), (1.5, "city"), (0.7, "thing"), (0.3, "river"))
    if kind == "room":
        say_preposition(t, TO_ROOM)
        counted(t, "rooms")
    elif kind == "home":
        say_preposition(t, TO_HOME)
    elif kind == "city":
        t.say("to", "from", "through", "towards")
        place_name(t)
    elif kind == "river":
        t.say("along", "across", "down", "over")
        t.say("the")
        t.say(*places.RIVERS)
    else:
        t.say("over", "past", "round", "around", "under", "behind", "across", "onto", "like")
        counted(t, t.choose((2, "furniture"), (1, "plants"), (1, "vehicles"), (1, "animals")))
