"""Cities and their countries, told in the words of a lexicon: what the end of the sentence says, its beginning decides."""
from english import places
from grammar.agreement import say_auxiliary
from grammar.referents import Referent
from grammar.times import DIGITS

COUNTRY_OF = {city: country for country, cities in places.CITIES.items() for city in cities if " " not in city}
CAPITALS = tuple(cities[0] for cities in places.CITIES.values() if " " not in cities[0])


def inhabited(t, at):
    """, inhabited by more than 10 million people,"""
    t.say(",")
    t.say("inhabited", "loved", "visited", "known", "admired")
    t.link("what is said", t.last(), at)
    t.say("by")
    t.say("more", "less", "fewer") if t.choose((5, True), False) else t.say("over", "almost", "nearly", "about", "only")
    if t.words[-1] in ("more", "less", "fewer"):
        t.say("than")
    t.say(*DIGITS[1:40])
    t.say("million", "thousand", "hundred")
    t.say("people")
    t.link("what is said", t.last(), at)
    t.say(",")


def city(t):
    """London, inhabited by more than 10 million people, is the capital of England. Milan is a city in Italy."""
    is_capital = t.choose((3, True), False)
    told = t.say(*(CAPITALS if is_capital else COUNTRY_OF))
    at = t.last()
    if t.choose((2, True), False):
        inhabited(t, at)
    say_auxiliary(t, Referent(at, "it", None, "rooms"), "is")
    if is_capital:
        t.say("the")
        t.say("capital")
        t.link("what is said", t.last(), at)
        t.say("of")
    else:
        t.say("a")
        t.say("city", "town", "famous", "beautiful", "big", "large", "great", "busy")
        if t.words[-1] not in ("city", "town"):
            t.say("city", "town")
        t.say("in")
    t.say(COUNTRY_OF[told])
    t.link("capital", t.last(), at)
    t.say(".")


def question(t):
    """What is the capital of France? It is Paris."""
    t.say_all("what is the capital of")
    country = t.say(*(COUNTRY_OF[city] for city in CAPITALS))
    at = t.last()
    t.say("?")
    t.say_all("it is" if t.choose(True, False) else "the capital is")
    t.say(next(city for city in CAPITALS if COUNTRY_OF[city] == country))
    t.link("capital", t.last(), at)
    t.say(".")


def capitals(t):
    for left in range(t.choose((2, 1), (1, 2)), 0, -1):
        t.pass_by("capitals", left)
        t.choose((4, city), (1, question))(t)
