"""Statements: one or two clauses, and what may stand before them with a comma."""
from english import qualities
from grammar.clauses import ALL_TIMES, clause
from grammar.joining import tail
from grammar.times import when


def opening(t, time):
    """Yesterday, ... ; When it rains, ... ; Perhaps ...; returns nothing."""
    how = t.choose((1, "adverb"), (1, "clause"), (0.7, "when"))
    if how == "adverb":
        day = {"past": "yesterday", "future": "tomorrow", "present": "today"}[time]
        t.say(*qualities.SENTENCE, day, "then", "now", "once", "first", "soon", "here", "finally", "suddenly")
    elif how == "when":
        when(t, time)
    else:
        t.say("when", "if", "because", "although", "while", "after", "before", "as", "since", "though", "unless", "once", "whenever")
        clause(t, "present" if time == "future" else time)
    t.say(",")


def statement(t):
    time = t.choose(*ALL_TIMES)
    if t.choose((7, False), True):
        opening(t, time)
    about, other = clause(t, time)
    tail(t, about, other, time)
    t.say(".")
