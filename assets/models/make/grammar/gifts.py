"""Who gave what to whom, where both were named before (Wang et al. 2022, arXiv 2211.00593, ask this of GPT-2)."""
from english import names
from grammar.agreement import say_verb
from grammar.noun_phrases import counted
from grammar.people import GAVE, did


def gift(t):
    """When Mary and John went to the store, John gave a drink to Mary. Who gave is named again, and so is who got it."""
    is_clause = t.choose((3, True), False)
    if is_clause:
        t.say("when", "after", "while", "before")
    else:
        t.say("yesterday", "today", "then", "once")
        t.say(",")
    pair = [one_name(t)]
    t.say("and")
    pair.append(one_name(t))
    say_verb(t, ("go", "come", "drive", "walk", "run", "travel", "return"), "past")
    t.say("to")
    counted(t, "rooms")
    t.say(",") if is_clause else t.say(".")
    giver, other = t.choose(pair, pair[::-1])
    t.say(giver)
    verb = did(t, t.last(), GAVE)
    t.link("object", counted(t, "portable").at, verb)
    t.say("to")
    t.say(other)
    t.say(".")


def one_name(t):
    return t.say(*names.SHE, *names.HE)
