"""Whatever a subject may do: its own trade, or any verb phrase; and to do, doing, asking somebody to do."""
from english import nouns, verbs
from english.trades import TRADES
from grammar.agreement import say_verb
from grammar.intransitive import alone, changing, motion, preposition_of, seeming, staying
from grammar.objects import done_to, giving, having, spending
from grammar.subjects import person

TRADE_KINDS = ((3, "trade"), (1, "other"))
SHORT_ACTIONS = ((2, alone), (2, motion), (5, done_to), (1, giving), (0.7, having), (1.2, preposition_of), (1, staying), (0.15, spending))
PEOPLE_WITH_TRADES = tuple(noun for noun in nouns.PEOPLE if noun in TRADES)
ANIMALS_WITH_TRADES = tuple(noun for noun in nouns.ANIMALS if noun in TRADES)


def trade(t, subject, form):
    """The baker bakes bread: what tells who "she" was."""
    deeds = TRADES[subject.noun]
    verb, at = say_verb(t, tuple(deed[0] for deed in deeds), form, subject)
    tails = [deed[1:] for deed in deeds if deed[0] == verb]
    for word in t.choose(*tails):
        t.say(word)


def wanting(t, subject, form):
    """wants to eat an apple."""
    say_verb(t, verbs.WANTING, form, subject)
    t.say("to")
    return action(t, subject, "base")


def enjoying(t, subject, form):
    """enjoys reading."""
    say_verb(t, verbs.ENJOYING, form, subject)
    return t.choose((2, alone), (2, done_to), (1, motion))(t, subject, "ing")


def asking(t, subject, form):
    """asks the sailor to wait."""
    _, at = say_verb(t, verbs.ASKING, form, subject)
    other = person(t, subject)
    t.link("object", other.at, at)
    t.say("to")
    t.choose((2, alone), (2, done_to), (1, motion))(t, other, "base")
    return other


def action(t, subject, form):
    """Whatever this subject may do."""
    if subject.noun in TRADES and t.choose(*TRADE_KINDS) == "trade":
        return trade(t, subject, form)
    if subject.kind == "people":
        return t.choose(*SHORT_ACTIONS, (1, wanting), (0.5, enjoying), (0.7, asking), (0.6, seeming))(t, subject, form)
    if subject.kind == "animals":
        return t.choose((2, alone), (2, motion), (3, done_to), (0.4, seeming), (0.7, staying))(t, subject, form)
    return t.choose((3, changing), (0.5, seeming))(t, subject, form)
