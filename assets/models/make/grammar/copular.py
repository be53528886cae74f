"""What somebody or something is or is like: what is said after "is"."""
from english import forms, nouns, qualities
from grammar.agreement import be, say_auxiliary
from grammar.comparison import LIKE, comparative, superlative
from grammar.places import somewhere
from grammar.referents import a_or_an, after_article, looks_of
from grammar.tenses import say_not
from grammar.times import DIGITS, SMALL

VERY = ("very", "very", "very", "too", "too", "so", "so", "quite", "rather", "almost", "really", "extremely", "fairly", "completely",
        "much too", "not very")


def copular(t, subject, time):
    """is tired; isn't very old; is a doctor; is in the garden; is taller than Ben; is twelve years old."""
    if time == "future":
        say_auxiliary(t, subject, "will", may_be_short=True) if t.choose((4, True), False) else say_not(t, subject, "will")
        t.say("be")
    elif t.choose((4, True), False):
        say_auxiliary(t, subject, be(subject, time), may_be_short=True)
    else:
        say_not(t, subject, be(subject, time))
    is_person, kind = subject.kind == "people", LIKE.get(subject.kind, subject.kind)
    how = t.choose((4, "looks"), (2, "where"), (2, "comparative"), (0.7, "superlative"), (1.5 if is_person else 0.3, "what"),
                   (0.5 if is_person else 0, "age"))
    if how == "what":
        what(t, kind, subject.pronoun in ("they", "we"))
    elif how == "where":
        somewhere(t)
    elif how == "age":
        t.say(*SMALL[1:], *DIGITS[1:])
        t.say("years")
        t.say("old")
    elif how == "looks":
        if t.choose(False, True):
            t.say_all(t.choose(*VERY))
        t.say(*(qualities.FEELINGS if is_person and t.choose(True, False) else looks_of(kind)))
    else:
        (comparative if how == "comparative" else superlative)(t, kind)


def what(t, kind, is_many):
    """a doctor, an old friend, teachers."""
    if is_many:
        t.say(*(forms.plural(noun) for noun in nouns.COUNTED[kind]))
        return
    article = t.choose(*a_or_an(nouns.COUNTED[kind]), (1, "the"))
    t.say(*("the", "my", "your", "our") if article == "the" else (article,))
    if t.choose((2, False), True):
        t.say(*after_article(looks_of(kind), article))
        article = "the"
    t.say(*after_article(nouns.COUNTED[kind], article))
