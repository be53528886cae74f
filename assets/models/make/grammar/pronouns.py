"""Clauses about somebody who was named before: a pronoun says who."""
from english.verbs import ON_OBJECT
from grammar.agreement import say_verb
from grammar.clauses import say_predicate
from grammar.referents import OBJECT
from grammar.tenses import say_group


def pronoun_clause(t, one, other, time):
    """She helped them: two that were named, whose pronouns are different."""
    t.say(one.pronoun)
    about = one._replace(at=t.last())
    t.refer("antecedent", one.at)
    if other and t.choose((2, True), False):
        return say_group(t, about, time, lambda t, about, form: say_object_pronoun(t, other, say_verb(t, ON_OBJECT["people"], form, about)[1]))
    return say_predicate(t, about, time)


def say_object_pronoun(t, other, verb):
    t.say(OBJECT[other.pronoun])
    t.link("object", t.last(), verb)
    t.refer("antecedent", other.at)


def can_be_meant(referent):
    """Whether a pronoun of the third person may stand for it."""
    if referent is None or referent.pronoun not in ("she", "he", "it", "they"):
        return False
    return referent.noun is not None or referent.pronoun in ("she", "he")
