"""The passive: what is done to somebody or something, and by whom."""
from english import verbs
from grammar.agreement import be, have, say_auxiliary, say_verb
from grammar.named import name
from grammar.noun_phrases import counted
from grammar.places import somewhere
from grammar.tenses import say_not

MAY_BE_DONE_TO = {**{kind: group for kind, group in verbs.ON_OBJECT.items() if kind != "ideas"}, "portable": verbs.ON_OBJECT["tools"]}


def passive(t, subject, time):
    """was written by the poet, is being cleaned, will be sold, has been found in the garden."""
    how = t.choose((5, "simple"), (1, "not"), (1 if time != "future" else 0, "perfect"), (0.7 if time != "future" else 0, "progressive"),
                   (0.7, "modal"))
    if how == "modal" or time == "future":
        if how == "not":
            say_not(t, subject, "will")
        else:
            say_auxiliary(t, subject, *(("can", "must", "should", "may", "could", "might") if how == "modal" else ("will",)))
        t.say("be")
    elif how == "perfect":
        say_auxiliary(t, subject, have(subject, time))
        t.say("been")
    elif how == "not":
        say_not(t, subject, be(subject, time))
    else:
        say_auxiliary(t, subject, be(subject, time))
        if how == "progressive":
            t.say("being")
    _, at = say_verb(t, MAY_BE_DONE_TO[subject.kind], "participle")
    t.link("subject", at, subject.at)
    how = t.choose((2, "by"), (1, "where"), (1.5, "alone"))
    if how == "by":
        t.say("by")
        if t.choose(True, False):
            return name(t)
        return counted(t, t.choose((4, "people"), (1, "animals")))
    if how == "where":
        somewhere(t)
    return None


def can_be_done_to(referent):
    return referent.kind in MAY_BE_DONE_TO
