"""People with a first and a family name, told in full again and again: what was said once tells what comes next."""
from english import names
from grammar.agreement import say_verb
from grammar.noun_phrases import counted
from grammar.places import somewhere
from grammar.referents import OBJECT
from grammar.times import when

DID = ("meet", "see", "call", "help", "thank", "visit", "invite", "ask", "follow", "greet", "teach", "tease", "know", "like", "forgive", "phone")
GAVE = ("give", "show", "send", "lend", "sell", "bring")


class Person:
    """Somebody who was told in full: the words and where they stand."""

    def __init__(self, t, pronoun):
        self.pronoun = pronoun
        self.first, self.at = t.say(*(names.SHE if pronoun == "she" else names.HE)), t.last()
        self.family, self.family_at = t.say(*names.FAMILIES), t.last()

    def say_again(self, t):
        t.say(self.first)
        at = t.last()
        t.link("name again", at, self.family_at)
        t.say(self.family)
        return at


def did(t, subject, verbs):
    _, at = say_verb(t, verbs, "past")
    t.link("subject", at, subject)
    return at


def people(t):
    """Anna Brown met Ben Young. Anna Brown gave Ben Young a ring, and he thanked her."""
    pronouns = t.choose(("she", "he"), ("he", "she"))
    one = Person(t, pronouns[0])
    at = did(t, one.at, DID)
    other = Person(t, pronouns[1])
    t.link("object", other.at, at)
    if t.choose(False, True):
        somewhere(t) if t.choose(True, False) else when(t, "past")
    t.say(".")
    for _ in range(t.choose(1, 2, 3)):
        told_again(t, *t.choose((one, other), (other, one)))


def told_again(t, doer, other):
    if t.choose((4, False), True):
        t.say(doer.pronoun)
        t.refer("antecedent", doer.at)
        at = t.last()
    else:
        at = doer.say_again(t)
    how = t.choose((3, "did"), (2, "gave"))
    verb = did(t, at, DID if how == "did" else GAVE)
    place = other.say_again(t)
    if how == "did":
        t.link("object", place, verb)
    else:
        t.link("object", counted(t, "portable").at, verb)
        thanks(t, other, doer)
    t.say(".")


def thanks(t, one, other):
    """, and he thanked her"""
    if t.choose(True, False):
        t.say(",")
        t.say("and")
        t.say(one.pronoun)
        t.refer("antecedent", one.at)
        verb = did(t, t.last(), DID)
        t.say(OBJECT[other.pronoun])
        t.link("object", t.last(), verb)
        t.refer("antecedent", other.at)
