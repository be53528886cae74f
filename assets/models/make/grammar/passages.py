"""Passages: what a training text and a held-out text are made of."""
from grammar.capitals import capitals
from grammar.clauses import ALL_TIMES, say_predicate
from grammar.commands import command, wish
from grammar.dialogues import dialogue
from grammar.gifts import gift
from grammar.joining import tail
from grammar.letters import letter
from grammar.lists import lists
from grammar.noun_phrases import counted
from grammar.people import people
from grammar.plans import plan
from grammar.questions import question
from grammar.relatives import relative
from grammar.speech import speech
from grammar.statements import statement
from grammar.tales import tale


def far(t):
    """The horses that the sailor follows gallop: the subject stands far from its verb."""
    time = t.choose(*ALL_TIMES)
    about = counted(t, t.choose((3, "people"), (2, "animals"), (1, "tools"), (1, "read"), (1, "vehicles"), (1, "food")))
    relative(t, about, time)
    other = say_predicate(t, about, time)
    tail(t, about, other, time)
    t.say(".")


def sentences(t):
    """One to four sentences of any kind."""
    for left in range(t.choose((3, 1), (3, 2), (2, 3), (1, 4)), 0, -1):
        t.pass_by("sentences", left)
        t.choose((10, statement), (4, far), (3, question), (1.5, command), (0.7, wish))(t)


def passage(t):
    t.choose((14, sentences), (5, tale), (2, people), (1, gift), (1.5, speech), (1, plan), (0.7, capitals), (1.5, lists), (0.7, letter),
             (1, dialogue))(t)
    return t
