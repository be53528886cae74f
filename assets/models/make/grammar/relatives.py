"""Relative clauses: they stand between a subject and its verb, or after an object."""
from english import verbs
from grammar.actions import SHORT_ACTIONS
from grammar.agreement import say_verb
from grammar.intransitive import alone, changing, motion
from grammar.named import name
from grammar.noun_phrases import counted
from grammar.objects import done_to
from grammar.referents import Referent
from grammar.tenses import say_group

BY_PEOPLE = {**verbs.ON_OBJECT, "portable": verbs.ON_OBJECT["tools"]}


def relative(t, head, time):
    """that the sailors follow, who follows the sailors, whose brother sings, which broke."""
    kind = t.choose((4, "object"), (4, "subject"), (0.5 if head.kind == "people" else 0, "whose"))
    pronouns = ("who", "who", "that") if head.kind == "people" else ("that", "that", "which")
    if kind == "whose":
        t.say("whose")
        t.link("relative pronoun", t.last(), head.at)
        t.say("brother", "sister", "mother", "father", "friend", "dog", "cat", "son", "daughter", "house", "car", "horse")
        return say_group(t, head._replace(at=t.last(), pronoun="it", noun=None, kind="animals"), time, alone)
    if kind == "subject":
        t.say(*pronouns)
        t.link("relative pronoun", t.last(), head.at)
        return say_group(t, head._replace(noun=None), time, inner_action)
    if t.choose((2, True), False):
        t.say(*(("whom", "who", "that") if head.kind == "people" else ("that", "which", "that")))
        t.link("relative pronoun", t.last(), head.at)
    doer = name(t) if t.choose(True, False) else counted(t, "people") if t.choose((3, True), False) else we(t)
    return say_group(t, doer, time, lambda t, subject, form: say_verb(t, BY_PEOPLE.get(head.kind, verbs.ON_OBJECT["people"]), form, subject))


def we(t):
    pronoun = t.say("I", "we", "they", "you")
    return Referent(t.last(), pronoun, None, "people")


def inner_action(t, subject, form):
    if subject.kind == "people":
        return t.choose(*SHORT_ACTIONS)(t, subject, form)
    return t.choose((1, alone), (1, motion), (2, done_to))(t, subject, form) if subject.kind == "animals" else changing(t, subject, form)
