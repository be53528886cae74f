"""Commands and wishes: Please open the window. Don't be late! Could you come?"""
from english import qualities
from grammar.actions import SHORT_ACTIONS
from grammar.referents import Referent
from grammar.times import when


def command(t):
    how = t.choose((4, "plain"), (2, "please"), (2, "not"), (1.5, "let"), (1, "be"))
    if how == "please":
        t.say("please")
    elif how == "not":
        t.say("don't", "never")
    elif how == "let":
        t.say("let's")
    if how == "be":
        if t.choose(True, False):
            t.say("don't", "please")
        t.say("be")
        t.say(*qualities.FEELINGS, "careful", "polite", "kind", "nice", "good", "patient", "honest", "friendly", "careless", "rude")
    else:
        t.choose(*SHORT_ACTIONS)(t, Referent(None, "you", None, "people"), "base")
    if t.choose((4, False), True):
        when(t, "future")
    t.say(".", "!")


def wish(t):
    """I would like to ...; Could you ...?"""
    t.say("could", "can", "would", "will")
    t.say("you")
    if t.choose(True, False):
        t.say("please")
    t.choose(*SHORT_ACTIONS)(t, Referent(t.last(), "you", None, "people"), "base")
    t.say("?")
