"""Tales: two are named, and pronouns tell which of them does what. Their pronouns differ, so that each is clear."""
from grammar.actions import ANIMALS_WITH_TRADES, PEOPLE_WITH_TRADES
from grammar.agreement import say_verb
from grammar.joining import tail
from grammar.named import name
from grammar.noun_phrases import counted, say_noun
from grammar.places import somewhere
from grammar.pronouns import pronoun_clause
from grammar.referents import pronoun_of
from grammar.statements import opening, statement
from grammar.tenses import say_group
from grammar.times import when

MEETING = ("meet", "see", "help", "follow", "know", "visit", "find", "hear", "love", "like", "greet", "call", "thank", "remember", "watch",
           "admire", "fear")
PRONOUNS = ("she", "he", "it")


def somebody(t, pronouns):
    """A name, somebody with a trade, or an animal, in one or many; told by one of the pronouns, or by "they"."""
    people = tuple(pronoun for pronoun in pronouns if pronoun != "it")
    how = t.choose((2, "name"), (3, "people"), (2 if "it" in pronouns else 0, "animals"))
    if how == "name":
        return name(t, people)
    if how == "animals":
        return counted(t, "animals", ANIMALS_WITH_TRADES)
    return counted(t, "people", tuple(noun for noun in PEOPLE_WITH_TRADES if pronoun_of(noun, "people") in people))


def once(t):
    """Once upon a time there was an old king who ..."""
    t.say_all("once upon a time")
    if t.choose(True, False):
        t.say(",")
    t.say("there")
    t.say("was", "lived")
    article = t.choose((2, "a"), (1, "an"))
    t.say(article)
    one = say_noun(t, t.choose((2, "people"), (1, "animals")), False, article)
    t.say(*(("who", "that") if one.kind == "people" else ("that",)))
    t.link("relative pronoun", t.last(), one.at)
    return one


def tale(t):
    """The pilot meets some dogs. She feeds them. They bark."""
    is_old = t.choose((9, False), True)
    time = "past" if is_old else t.choose((3, "past"), (2, "present"))
    one = once(t) if is_old else somebody(t, PRONOUNS)
    _, at = say_group(t, one, time, lambda t, about, form: say_verb(t, MEETING, form, about))
    other = somebody(t, tuple(pronoun for pronoun in PRONOUNS if pronoun != one.pronoun))
    t.link("object", other.at, at)
    if t.choose((2, False), True):
        somewhere(t) if t.choose(True, False) else when(t, time)
    t.say(".")
    for left in range(t.choose(1, 2, 3), 0, -1):
        t.pass_by("tale", left, time, one, other)
        if one.pronoun == other.pronoun:
            statement(t)
        else:
            pronoun_sentence(t, time, *t.choose([one, other], [other, one]))


def pronoun_sentence(t, time, one, other):
    if t.choose((6, False), True):
        opening(t, time)
    pronoun_clause(t, one, other, time)
    if t.choose((4, False), True):
        tail(t, one, other, time)
    t.say(".")
