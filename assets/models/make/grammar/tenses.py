"""The groups of verbs that make tenses, moods and negation: each says its auxiliaries, and action(t, subject, form) says the main verb and
what follows it."""
from grammar.agreement import be, do, have, say_auxiliary

MODALS = ("can", "could", "may", "might", "must", "should", "would", "will", "shall")
CONTRACTED = {word: word + "n't" for word in "is are was were do does did has have had could would should must".split()}
CONTRACTED |= {"will": "won't", "can": "can't"}


def say_not(t, subject, *auxiliaries):
    """does not, or doesn't."""
    short = tuple(CONTRACTED[word] for word in auxiliaries if word in CONTRACTED)
    said = say_auxiliary(t, subject, *short, *("cannot" if word == "can" else word for word in auxiliaries), *short)
    if said in auxiliaries:
        t.say("not")


def simple(t, subject, time, action):
    return action(t, subject, time)


def negative(t, subject, time, action):
    say_not(t, subject, do(subject, time))
    return action(t, subject, "base")


def progressive(t, subject, time, action):
    """is sleeping, isn't sleeping."""
    if t.choose((5, True), False):
        say_auxiliary(t, subject, be(subject, time), may_be_short=True)
    else:
        say_not(t, subject, be(subject, time))
    return action(t, subject, "ing")


def perfect(t, subject, time, action):
    if t.choose((5, True), False):
        say_auxiliary(t, subject, have(subject, time), may_be_short=True)
        if t.choose((4, False), True):
            t.say("already", "just", "never", "always", "finally", "often")
    else:
        say_not(t, subject, have(subject, time))
    return action(t, subject, "participle")


def modal(t, subject, time, action):
    if t.choose((4, True), False):
        say_auxiliary(t, subject, *(("could", "might", "would", "should") if time == "past" else MODALS))
    else:
        say_not(t, subject, *(("could", "would") if time == "past" else ("can", "could", "will", "must", "should", "would")))
    return action(t, subject, "base")


def must(t, subject, time, action):
    """has to, had to; used to."""
    used = ("used",) if time == "past" else ()
    say_auxiliary(t, subject, have(subject, time), *used)
    t.say("to")
    return action(t, subject, "base")


def going_to(t, subject, time, action):
    say_auxiliary(t, subject, be(subject, "present" if time == "future" else time), may_be_short=True)
    t.say("going")
    t.say("to")
    return action(t, subject, "base")


def future(t, subject, time, action):
    if t.choose((4, True), False):
        say_auxiliary(t, subject, "will", may_be_short=True)
    else:
        say_not(t, subject, "will")
    return action(t, subject, "base")


GROUPS = {
    "present": ((6, simple), (1.2, negative), (1.5, progressive), (0.9, perfect), (1.5, modal), (0.4, must), (0.2, going_to)),
    "past": ((7, simple), (1.2, negative), (1.2, progressive), (0.5, perfect), (0.6, modal), (0.3, must)),
    "future": ((3, future), (1, going_to)),
}


def say_group(t, subject, time, action):
    """The whole group of verbs in a tense of this time; action(t, subject, form) says the main verb and what follows it."""
    return t.choose(*GROUPS[time])(t, subject, time, action)
