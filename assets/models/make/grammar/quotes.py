"""Quotation marks, and what "I" says between them."""
from grammar.actions import SHORT_ACTIONS
from grammar.agreement import be, say_auxiliary
from grammar.copular import copular
from grammar.named import name
from grammar.noun_phrases import counted
from grammar.plans import deed
from grammar.referents import Referent
from grammar.tenses import say_group


def open_quote(t):
    t.say('"')
    t.begins = True
    return t.last()


def close_quote(t, quote):
    t.say('"')
    t.link("quote", t.last(), quote)


def who_says(t):
    return name(t) if t.choose((2, True), False) else counted(t, "people")


def own_words(t, speaker_at):
    """I am going to plant my tree in the garden: "I" and "my" are the one who speaks."""
    t.say("I")
    if speaker_at is not None:
        t.refer("speaker", speaker_at)
    me = Referent(t.last(), "I", None, "people")
    how = t.choose((2, "plan"), (3, "action"), (1, "is"))
    if how == "plan":
        say_auxiliary(t, me, be(me, "present"), may_be_short=True)
        t.say_all("going to")
        deed(t, me, "base", "speaker")
    elif how == "action":
        say_group(t, me, t.choose("present", "past", "future"), lambda t, about, form: t.choose(*SHORT_ACTIONS)(t, about, form))
    else:
        copular(t, me, t.choose("present", "past"))
