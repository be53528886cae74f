"""Questions without a question word: the auxiliary stands before the subject."""
from english import qualities
from grammar.actions import action
from grammar.agreement import be, do, have
from grammar.comparison import comparative
from grammar.named import name
from grammar.noun_phrases import say_noun
from grammar.places import somewhere
from grammar.referents import Referent, looks_of
from grammar.tenses import MODALS
from grammar.times import when


def inverted(t, auxiliary_of, time):
    """did the pilot: the auxiliary agrees with a subject that comes after it, so the number of the subject is chosen before. Returns the
    subject."""
    who = t.choose((3, "one"), (2, "many"), (3, "you"), (0.7, "I"))
    pronoun = {"one": "it", "many": "they", "you": "you", "I": "I"}[who]
    t.say(auxiliary_of(Referent(None, pronoun, None, "people"), time))
    return asked_about(t, who)


def asked_about(t, who):
    """The subject of a question, in one or many."""
    if who in ("you", "I"):
        t.say(*(("you", "we", "they") if who == "you" else ("I",)))
        return Referent(t.last(), "you", None, "people")
    return one_of(t) if who == "one" else many_of(t)


def one_of(t):
    how = t.choose((3, "name"), (3, "noun"), (2, "pronoun"))
    if how == "name":
        return name(t)
    if how == "pronoun":
        pronoun = t.say("he", "she", "it")
        t.stands_for[t.last()] = None
        return Referent(t.last(), pronoun, None, "people" if pronoun != "it" else "animals")
    t.say("the", "your", "my", "this", "that", "our", "his", "her")
    return say_noun(t, t.choose((3, "people"), (2, "animals")), False)


def many_of(t):
    t.say("the", "your", "these", "those", "all", "some", "our")
    return say_noun(t, t.choose((3, "people"), (2, "animals")), True)


def yes_or_no(t):
    """Does Anna like tea? Are the dogs asleep? Can you swim? Have you seen my key?"""
    time = t.choose((3, "present"), (2, "past"))
    how = t.choose((3, "do"), (2, "be"), (1, "progressive"), (1.5, "modal"), (0.7, "perfect"))
    if how == "do":
        action(t, inverted(t, do, time), "base")
    elif how == "progressive":
        action(t, inverted(t, be, time), "ing")
    elif how == "perfect":
        action(t, inverted(t, have, time), "participle")
    elif how == "modal":
        t.say(*MODALS)
        action(t, asked_about(t, t.choose("one", "many", (2, "you"), "I")), "base")
    else:
        is_like(t, inverted(t, be, time))
    if t.choose((5, False), True):
        when(t, time)


def is_like(t, about):
    how = t.choose((3, "looks"), (2, "where"), (1, "comparative"))
    if how == "where":
        somewhere(t)
    elif how == "comparative":
        comparative(t, about.kind)
    else:
        t.say(*(qualities.FEELINGS if about.kind in ("people", "animals") else looks_of(about.kind)))
