"""A clause: a subject, alone or with a clause of its own, and what it does or is."""
from grammar.actions import action
from grammar.copular import copular
from grammar.existence import there_is, this_is, weather
from grammar.noun_phrases import counted
from grammar.passive import can_be_done_to, passive
from grammar.places import somewhere
from grammar.relatives import relative
from grammar.subjects import THINGS, subject, thing
from grammar.tenses import say_group
from grammar.times import OFTEN

ALL_TIMES = ((4, "present"), (5, "past"), (1, "future"))


def say_subject(t, time):
    """Somebody, or something with or without a clause of its own; and whether it stands far from its verb."""
    about = subject(t) if t.choose((3, True), False) else thing(t, t.choose(*THINGS))
    if about.noun and t.choose((3, False), True):
        relative(t, about, time)
    elif about.noun and t.choose((5, False), True):
        beside_noun(t)
    return about


def beside_noun(t):
    """the keys to the house, the man with the hat: another noun between a subject and its verb."""
    if t.choose(True, False):
        somewhere(t)
    else:
        t.say("of", "of", "of", "to", "with", "from", "for", "without", "about", "like", "on", "in", "at")
        counted(t, t.choose("people", "rooms", "tools", "animals", "clothes", "furniture"))


def say_predicate(t, about, time):
    """What it does or is, after its adverb; returns the object, or None."""
    is_done_to = can_be_done_to(about)
    how = t.choose((6 if about.kind in ("people", "animals") else 1.5, "does"), (2.5, "is"),
                   (2 if is_done_to and about.kind != "people" else 0.5 if is_done_to else 0, "passive"))
    if how == "is":
        return copular(t, about, time)
    if how == "passive":
        return passive(t, about, time)
    if time != "future" and t.choose((9, False), True):
        t.say(*OFTEN, "also", "only", "just", "really", "quickly", "slowly", "suddenly", "quietly", "never", "almost", "nearly", "hardly")
        return action(t, about, time)
    return say_group(t, about, time, action)


def clause(t, time):
    """A whole clause; returns its subject and its object."""
    how = t.choose((12, "subject"), (0.9, "there"), (1.2, "it"), (0.9, "this"))
    if how == "there":
        return there_is(t, time), None
    if how == "it":
        return weather(t, time), None
    if how == "this":
        return this_is(t), None
    about = say_subject(t, time)
    return about, say_predicate(t, about, time)
