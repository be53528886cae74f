"""Names: of people, cities and countries."""
from english import names, places
from grammar.referents import Referent


def name(t, pronouns=("she", "he")):
    """Anna, Ben, Mrs Brown."""
    pronoun = t.choose(*pronouns)
    if t.choose((15, False), True):
        t.say(*(("Mrs", "Miss", "Ms") if pronoun == "she" else ("Mr",)), "Dr", "Professor")
        t.say(*names.FAMILIES)
    else:
        t.say(*(names.SHE if pronoun == "she" else names.HE))
    return Referent(t.last(), pronoun, None, "people")


CITIES = tuple(city for group in places.CITIES.values() for city in group if " " not in city)
LONG_NAMES = tuple(city for group in places.CITIES.values() for city in group if " " in city)
COUNTRIES = tuple(places.CITIES)


def place_name(t):
    """A city or a country."""
    if t.choose((20, True), False):
        t.say(*CITIES, *COUNTRIES)
    else:
        t.say_all(t.choose(*LONG_NAMES))
    return t.last()
