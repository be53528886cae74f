"""Small dialogues of several sentences, each in quotation marks."""
from english import names
from grammar.agreement import say_auxiliary
from grammar.clauses import clause
from grammar.questions import question
from grammar.quotes import close_quote, open_quote, own_words
from grammar.referents import Referent

GREETINGS = ("hello", "hi", "good morning", "good evening", "good afternoon", "good night", "welcome")
STATES = ("fine", "well", "tired", "happy", "sad", "hungry", "sorry", "sick", "busy", "cold", "ready", "late", "glad", "very well",
          "not well", "very tired")


def dialogue(t):
    """"Hello, Ben! How are you?" "I am fine, thank you." """
    quote = open_quote(t)
    t.say_all(t.choose(*GREETINGS))
    if t.choose((3, True), False):
        t.say(",")
        t.say(*names.SHE, *names.HE)
    t.say("!", ".")
    if t.choose((2, True), False):
        t.say_all("how are you")
        t.say("?")
    else:
        t.say_all("my name is")
        t.say(*names.SHE, *names.HE)
        t.say(".")
    close_quote(t, quote)
    for left in range(t.choose(1, 2, 3), 0, -1):
        t.pass_by("dialogue", left)
        quote = open_quote(t)
        answer(t)
        close_quote(t, quote)


def answer(t):
    how = t.choose((2, "yes"), (2, "question"), (1, "fine"), (1, "thanks"), (2, "own"))
    if how == "yes":
        t.say("yes", "no", "yes", "no", "well", "oh", "okay", "sorry", "sure")
        t.say(",")
        own_words(t, None) if t.choose((2, True), False) else clause(t, "present")
        t.say(".")
    elif how == "fine":
        t.say("I")
        me = Referent(t.last(), "I", None, "people")
        say_auxiliary(t, me, "am", may_be_short=True)
        t.say_all(t.choose(*STATES))
        if t.choose(True, False):
            t.say(",")
            t.say("thanks") if t.choose(True, False) else t.say_all("thank you")
        t.say(".")
    elif how == "thanks":
        t.say_all(t.choose("thank you very much", "thank you", "thanks", "goodbye", "bye", "see you tomorrow", "see you soon",
                           "see you later", "excuse me",
                           "good luck", "happy birthday", "well done", "please", "not yet", "of course", "me too", "good idea", "come in",
                           "sit down"))
        t.say("!", ".")
    elif how == "question":
        question(t)
    else:
        own_words(t, None)
        t.say(".")
