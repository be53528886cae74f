"""What is joined to a clause: and, but, because, although, if, when, before, or a time."""
from grammar.actions import action
from grammar.clauses import clause
from grammar.pronouns import can_be_meant, pronoun_clause
from grammar.times import when

REASONS = ("because", "because", "because", "because", "because", "although", "when", "if", "before", "if", "when", "before", "after",
           "while", "until", "since", "unless", "as",
           "though", "where", "so",
           "whenever")


def tail(t, about, other, time):
    """What is joined to a clause: because they helped her; and a dog barks; when it rains; yesterday."""
    is_person = about.kind == "people"
    how = t.choose((7, "nothing"), (3, "when"), (4, "because"), (3, "and"), (0.5 if is_person else 0, "ing"), (1 if is_person else 0, "to do"),
                   (1.5 if is_person else 0.5, "and does"))
    if how == "when":
        when(t, time)
    elif how == "ing":
        t.say("while", "before", "after", "without", "by")
        action(t, about._replace(noun=None), "ing")
    elif how == "to do":
        t.say("to")
        action(t, about._replace(noun=None), "base")
    elif how == "and does":
        t.say("and", "and", "but", "or")
        action(t, about._replace(noun=None), "base" if time == "future" else time)
    elif how != "nothing":
        if how == "and":
            t.say(",")
            t.say("and", "but", "so", "and", "but", "or", "but", "and")
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
