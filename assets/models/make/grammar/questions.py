"""Questions: with a question word, and of any kind."""
from english import nouns, verbs
from grammar.actions import action
from grammar.agreement import be, do, say_verb
from grammar.asking import inverted, is_like, many_of, one_of, yes_or_no
from grammar.noun_phrases import say_noun
from grammar.places import somewhere
from grammar.referents import Referent, plurals
from grammar.tenses import say_group


def with_word(t):
    """Where does the pilot sleep? Why are you sad? When will Ben come? How can we help you?"""
    t.say("where", "when", "why", "how", "why", "where")
    yes_or_no(t)


def what(t):
    """What did Anna buy? What is the dog eating? Whom do they help?"""
    asked = t.say("what", "what", "who", "whom")
    time = t.choose((3, "present"), (2, "past"))
    kinds = ("people",) if asked != "what" else ("tools", "food", "read", "clothes", "events")
    group = tuple(dict.fromkeys(verb for kind in kinds for verb in verbs.ON_OBJECT[kind]))
    if t.choose((3, True), False):
        say_verb(t, group, "base", inverted(t, do, time))
    else:
        say_verb(t, group, "ing", inverted(t, be, time))


def who(t):
    """Who helped the sailors? Who is at the door?"""
    t.say("who")
    about = Referent(t.last(), "he", None, "people")
    time = t.choose("present", "past")
    if t.choose((3, True), False):
        say_group(t, about, time, action)
    else:
        t.say(be(about, time))
        is_like(t, about)


def what_is(t):
    """What is your name? Where are my keys? Whose book is this? How old is Ben?"""
    how = t.choose((2, "be"), (1, "whose"), (1, "how"), (1, "which"), (1, "how many"))
    if how == "whose":
        t.say("whose", "which", "what")
        t.say(*nouns.TOOLS, *nouns.CLOTHES, *nouns.READ, *nouns.ANIMALS, *nouns.VEHICLES)
        t.say("is")
        t.say("this", "that", "yours", "his", "hers", "mine", "theirs", "ours", "better", "best", "it")
    elif how == "how many":
        t.say_all("how many")
        kind = t.choose("people", "animals", "tools", "food", "rooms", "times")
        t.say(*plurals(nouns.COUNTED[kind]))
        t.say("are", "were")
        t.say("there")
        somewhere(t)
    elif how == "how":
        t.say("how")
        t.say(*"old tall big far long much heavy deep high good fast expensive many late often well soon".split())
        if t.choose((4, False), True):
            t.say("are")
            t.say("you", "we", "they", "these", "those") if t.choose(True, False) else many_of(t)
        else:
            t.say("is")
            one_of(t) if t.choose(True, False) else t.say("it", "this", "that")
    elif how == "which":
        t.say("which")
        kind = t.choose("people", "animals", "tools", "food", "vehicles")
        noun = t.say(*nouns.COUNTED[kind])
        say_group(t, Referent(t.last(), "it", noun, kind if kind in ("people", "animals") else "tools"), "past", action)
    else:
        t.say("what", "where", "who", "how", "when")
        if t.choose((2, True), False):
            t.say("is", "was")
            if t.choose((3, True), False):
                t.say("the", "the", "your", "my", "our", "his", "her")
                say_noun(t, t.choose("people", "animals", "tools", "rooms", "vehicles", "ideas", "events"), False)
            else:
                t.say("it", "this", "that", "he", "she")
        else:
            t.say("are", "were")
            t.say("you", "we", "they", "these", "those") if t.choose(True, False) else many_of(t)


def question(t):
    t.choose((4, yes_or_no), (2, with_word), (2, what), (1.5, who), (1.5, what_is))(t)
    t.say("?")
