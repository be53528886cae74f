"""When something happens: clock times, days, months, years, and words like yesterday, as the tense allows."""
from english import function_words, nouns, qualities

SMALL = function_words.CARDINALS[1:13]
DIGITS = tuple(str(number) for number in range(1, 100))
HOURS = tuple(str(hour) for hour in range(1, 13))
YEARS = tuple(str(year) for year in range(1900, 2031))
PARTS_OF_DAY = ("morning", "afternoon", "evening")
UNITS = tuple(noun for noun in nouns.TIMES if noun not in ("moment", "season", "morning", "afternoon", "evening"))


def clock(t):
    """seven o'clock, half past ten, noon, 5 pm."""
    kind = t.choose((3, "hour"), (1, "past"), (0.5, "noon"), (0.7, "pm"))
    if kind == "noon":
        t.say("noon", "midnight", "night", "lunch", "breakfast", "dinner")
    elif kind == "past":
        t.say("half", "quarter", "ten", "five", "twenty")
        t.say("past", "to")
        t.say(*SMALL)
    else:
        t.say(*SMALL, *HOURS)
        if kind == "pm":
            t.say("am", "pm")
        elif t.choose((2, True), False):
            t.say("o'clock")


def on_or_in(t):
    """on Monday, in May, in 1995, in the morning, in winter, at seven."""
    kind = t.choose((3, "day"), (2, "clock"), (1.5, "month"), (1, "year"), (1.5, "part"), (1, "season"), (0.7, "date"))
    if kind == "day":
        t.say("on", "every", "before", "after", "until")
        t.say(*function_words.WEEKDAYS)
        if t.choose((3, False), True):
            t.say(*PARTS_OF_DAY)
    elif kind == "clock":
        t.say("at", "at", "at", "around", "before", "after", "until", "till", "by", "about")
        clock(t)
    elif kind == "month":
        t.say("in", "since", "until")
        t.say(*function_words.MONTHS)
    elif kind == "year":
        t.say("in", "in", "since", "until")
        t.say(*YEARS)
    elif kind == "part":
        t.say("in")
        t.say("the")
        t.say(*PARTS_OF_DAY)
    elif kind == "date":
        t.say("on")
        t.say("the")
        t.say(*function_words.ORDINALS[:12])
        t.say("of")
        t.say(*function_words.MONTHS)
    else:
        t.say("in", "during")
        t.say(*function_words.SEASONS)


WORDS = {"past": ("yesterday", "then", "again", "once", "recently", "lately", "suddenly", "finally", "immediately", "later", "twice", "earlier"),
         "present": ("now", "today", "again", "always", "often", "daily", "sometimes", "still", "frequently", "twice", "together", "too"),
         "future": ("tomorrow", "tonight", "soon", "later", "afterwards", "again", "today", "early", "immediately", "together")}
OFTEN = tuple(word for word in qualities.FREQUENCY if word not in ("again", "once", "twice", "daily"))


def when(t, time):
    """A time that the tense allows: yesterday, last week, two years ago; tomorrow, next May; every day, now."""
    kind = t.choose((3, "word"), (2, "on"), (1, "unit"), (0.7, "how long"))
    if kind == "on":
        on_or_in(t)
    elif kind == "how long":
        t.say("for")
        t.say(*SMALL[1:], "many", "several", *DIGITS[1:30])
        t.say(*(unit + "s" for unit in UNITS if unit != "century"))
    elif kind == "word":
        t.say(*WORDS[time])
    elif time == "past" and t.choose(True, False):
        t.say(*SMALL[1:], "several", *DIGITS[1:30])
        t.say(*(unit + "s" for unit in UNITS if unit != "century"))
        t.say("ago")
    else:
        t.say(*{"past": ("last",), "future": ("next", "this"), "present": ("every", "each", "this")}[time])
        t.say(*UNITS[2:], *function_words.WEEKDAYS, *function_words.SEASONS, *(PARTS_OF_DAY if time == "present" else ()))
