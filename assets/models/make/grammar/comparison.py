"""Comparison: taller than Ben, as old as Anna, the most famous poet."""
from functools import lru_cache

from english import forms, nouns, qualities
from grammar.noun_phrases import counted
from grammar.referents import looks_of
from grammar.subjects import object_pronoun, person

LIKE = {"portable": "tools", "drinks": "food", "weather": "sky"}  # with what a thing of this class is compared


@lru_cache(maxsize=None)
def degrees(kind, which):
    """Comparatives (0) or superlatives (1) of what can be said of a kind; (short, long)."""
    looks = [word for word in looks_of(kind) if word not in ("golden", "electric", "wooden", "same", "royal", "single", "extra", "dead")]
    short = tuple(forms.compared(word)[which] for word in looks if word in qualities.SHORT_ADJECTIVES)
    return short, tuple(word for word in looks if word not in qualities.SHORT_ADJECTIVES)


def compared_to(t, kind):
    """than the sailor, than him, than yesterday."""
    how = t.choose((3, "other"), (1, "pronoun"), (0.5, "before"))
    if how == "other":
        return person(t) if kind == "people" else counted(t, kind)
    if how == "pronoun":
        return object_pronoun(t)
    return t.say("before", "yesterday", "ever", "usual", "now")


def comparative(t, kind):
    """taller than Ben, more beautiful than the queen, less careful, as old as Anna."""
    short, long = degrees(kind, 0)
    how = t.choose((3, "short"), (2, "long"), (2, "as"))
    if how == "as":
        t.say("as")
        t.say(*looks_of(kind))
        t.say("as")
        return compared_to(t, kind)
    if how == "short":
        if t.choose((5, False), True):
            t.say("much", "even", "far")
        t.say(*short)
    else:
        t.say("more", "less", "more")
        t.say(*long)
    t.say("than")
    return compared_to(t, kind)


def superlative(t, kind):
    """the oldest house in the town, the most famous poet of all."""
    short, long = degrees(kind, 1)
    t.say("the")
    if t.choose((2, True), False):
        t.say(*short)
    else:
        t.say("most", "least")
        t.say(*long)
    t.say(*nouns.COUNTED.get(kind, nouns.TOOLS))
    if t.choose(True, False):
        t.say("in", "of")
        t.say("the")
        t.say("world", "town", "country", "city", "village", "class", "school", "house", "year", "family")
