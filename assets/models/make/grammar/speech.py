"""What is said and thought: in quotation marks, and after "that"."""
from english import verbs
from grammar.agreement import say_verb
from grammar.clauses import clause
from grammar.commands import command, wish
from grammar.questions import question
from grammar.quotes import close_quote, open_quote, own_words, who_says
from grammar.subjects import speaker
from grammar.tenses import say_group

SAYING = ("say", "answer", "reply", "shout", "whisper", "cry", "think", "explain", "repeat", "announce", "write", "add")


def words_first(t):
    """"Where is the key?" asked Anna."""
    quote = open_quote(t)
    asks = t.choose((2, False), True)
    question(t) if asks else sentence(t, None)
    close_quote(t, quote)
    t.begins = False
    say_verb(t, ("ask",) if asks else ("say", "cry", "shout", "whisper"), "past")
    at = t.last()
    one = who_says(t)
    t.link("subject", one.at, at)
    t.say(".")


def sentence(t, speaker_at):
    """A short one within quotation marks, with its mark at the end."""
    how = t.choose((4, "own"), (1, "command"), (2, "clause"))
    if how == "command":
        command(t)
        return
    own_words(t, speaker_at) if how == "own" else clause(t, t.choose("present", "past"))
    t.say(".", "!", ".") if speaker_at is not None else t.say(",", "!")


def speaker_first(t):
    """Anna said, "I am going to plant my tree in the garden.\""""
    one = who_says(t)
    say_verb(t, SAYING, t.choose((2, "past"), "present"), one)
    t.say(",")
    quote = open_quote(t)
    t.choose((4, lambda t: sentence(t, one.at)), (1, question), (0.5, wish))(t)
    close_quote(t, quote)


def reported(t):
    """Anna said that the train was late. I think you are right. Ben asked if it would rain."""
    time = t.choose("present", "past")
    one = who_says(t) if t.choose(True, False) else speaker(t)
    how = t.choose((3, "that"), (1, "if"))
    if how == "that":
        say_group(t, one, time, lambda t, about, form: say_verb(t, verbs.SAYING, form, about))
        if t.choose((3, True), False):
            t.say("that")
    else:
        say_group(t, one, time, lambda t, about, form: say_verb(t, ("ask", "wonder", "know", "forget", "remember", "understand"), form, about))
        t.say("if", "whether", "why", "when", "where", "how")
    clause(t, time)
    t.say(".")


def speech(t):
    for left in range(t.choose((2, 1), (1, 2)), 0, -1):
        t.pass_by("speech", left)
        t.choose((3, speaker_first), (2, words_first), (3, reported))(t)
