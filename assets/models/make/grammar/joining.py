"""What is joined to a clause: and, but, because, although, if, when, before, or a time."""
from grammar.actions import action
from grammar.clauses import clause
from grammar.pronouns import can_be_meant, pronoun_clause
from grammar.times import when

REASONS = ("because", "because", "because", "although", "if", "when", "before", "after", "while", "until", "since", "unless", "as",
           "though", "where", "so",
           "whenever")


def tail(t, about, other, time):
    """What is joined to a clause: because they helped her; and a dog barks; when it rains; yesterday."""
    how = t.choose((9, "nothing"), (2, "when"), (3, "because"), (2, "and"), (0.5 if about.kind == "people" else 0, "ing"))
    if how == "when":
        when(t, time)
    elif how == "ing":
        t.say("while", "before", "after", "without", "by")
        action(t, about._replace(noun=None), "ing")
    elif how != "nothing":
        if how == "and":
            t.say(",")
            t.say("and", "but", "so", "and", "but", "or", "yet")
        else:
            t.say(*REASONS)
        follow(t, [one for one in (about, other) if can_be_meant(one)], "present" if time == "future" else time)


def follow(t, named, time):
    """A clause about one of those that were named, if a pronoun says which of them; else about anybody."""
    is_clear = len({one.pronoun for one in named}) == len(named) > 0
    if not is_clear or t.choose((3, False), True):
        clause(t, time)
    elif len(named) == 1:
        pronoun_clause(t, *named, None, time)
    else:
        pronoun_clause(t, *t.choose(named, named[::-1]), time)
