"""Verbs in their forms, and how they agree with their subject."""
from functools import lru_cache

from english import forms

MAKE = {"base": str, "third": forms.third_person, "past": forms.past, "participle": forms.participle, "ing": forms.gerund}
ONE = ("he", "she", "it")
BE = {"present": {"I": "am", "one": "is", "many": "are"}, "past": {"I": "was", "one": "was", "many": "were"}}
OTHER_NUMBER = {"am": "are", "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do", "do": "does"}
PRONOUNS = ("i", "you", "he", "she", "it", "we", "they")
SHORT = {"am": "'m", "is": "'s", "are": "'re", "will": "'ll", "has": "'s", "have": "'ve", "had": "'d"}


@lru_cache(maxsize=None)
def inflected(verbs, form):
    """{as it is said: verb}"""
    return {MAKE[form](verb): verb for verb in verbs}


def is_one(subject):
    return subject.pronoun in ONE


def note_subject(t, subject, is_finite):
    t.link("subject", t.last(), subject.at)
    if is_finite and t.last() - subject.at > 2:
        t.link("far subject", t.last(), subject.at)


def say_verb(t, verbs, form, subject=None):
    """One of the verbs; form: base, past, participle, ing, or present, which agrees with the subject. Returns the verb and its place."""
    agrees = form == "present"
    if agrees:
        form = "third" if is_one(subject) else "base"
    said = inflected(verbs, form)
    verb = said[t.say(*said)]
    if subject:
        note_subject(t, subject, agrees or form == "past")
    if agrees:
        t.contrast(MAKE["base" if form == "third" else "third"](verb))
    return verb, t.last()


def say_auxiliary(t, subject, *words, may_be_short=False):
    """A finite auxiliary; returns it. After a pronoun it may be short: I'm, she'll."""
    is_short = may_be_short and subject.at == t.last() and t.words[-1].lower() in PRONOUNS and t.choose((2, False), True)
    said = t.say(*((SHORT.get(word, word) for word in words) if is_short else words))
    note_subject(t, subject, True)
    if said in OTHER_NUMBER:
        t.contrast(OTHER_NUMBER[said])
    return said


def be(subject, time):
    return BE[time]["I" if subject.pronoun == "I" else "one" if is_one(subject) else "many"]


def have(subject, time):
    return "had" if time == "past" else "has" if is_one(subject) else "have"


def do(subject, time):
    return "did" if time == "past" else "does" if is_one(subject) else "do"
