"""There is, this is, it is: clauses whose subject says little."""
from grammar.agreement import be, say_auxiliary, say_verb
from grammar.noun_phrases import counted, say_noun
from grammar.places import somewhere
from grammar.referents import NOUNS, Referent, a_or_an
from grammar.subjects import THINGS
from grammar.tenses import say_group


def there_is(t, time):
    """There is a dog in the garden. There were many ships near the island."""
    t.say("there")
    is_many = t.choose(True, False)
    if time == "future":
        t.say_all("will be")
    else:
        t.say(({"present": "are", "past": "were"} if is_many else {"present": "is", "past": "was"})[time])
    kind = t.choose(*THINGS[:-2], (2, "animals"), (2, "people"))
    other = several(t, kind) if is_many else one(t, kind)
    somewhere(t)
    return other


def this_is(t):
    """This is my brother. Those are old books."""
    is_many = t.choose((3, False), True)
    t.say(*(("these", "those") if is_many else ("this", "that", "it")))
    t.say(*(("are", "were") if is_many else ("is", "was")))
    if is_many:
        t.say("my", "your", "our", "the")
        return say_noun(t, t.choose("people", "animals", "tools", "food"), True)
    return counted(t, t.choose((2, "people"), "animals", "tools", "food", "rooms", "ideas", "read"))


def several(t, kind):
    t.say("many", "some", "two", "three", "four", "five", "no", "several", "few", "ten", "twelve", "twenty", "thirty", "fifty", "hundred", "enough")
    return say_noun(t, kind, True)


def one(t, kind):
    article = t.choose(*a_or_an(NOUNS[kind]), (1, "no"))
    t.say(*("no", "another", "one") if article == "no" else (article,))
    return say_noun(t, kind, False, article)


def weather(t, time):
    """It is raining. It was very cold yesterday."""
    t.say("it")
    it = Referent(t.last(), "it", None, "weather")
    if t.choose(True, False):
        say_group(t, it, time, lambda t, about, form: say_verb(t, ("rain", "snow"), form, about))
    elif time == "future":
        t.say_all("will be")
        t.say("cold", "warm", "hot", "sunny", "windy", "dark", "late", "cool", "wet")
    else:
        say_auxiliary(t, it, be(it, time), may_be_short=True)
        if t.choose(True, False):
            t.say("very", "too", "quite", "not", "still", "already", "getting")
        t.say("cold", "warm", "hot", "sunny", "windy", "dark", "late", "early", "cool", "wet", "time", "possible", "true", "easy",
              "difficult", "important")
    return it
