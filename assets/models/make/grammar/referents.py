"""Who or what was named, and what is known of nouns: their class, their pronoun, their looks, a or an."""
from collections import namedtuple
from functools import lru_cache

from english import forms, function_words, nouns, qualities

# Who was named: the place of its head word, its pronoun, its noun (None for a name) and the class of the noun.
Referent = namedtuple("Referent", "at pronoun noun kind")
NOUNS = {**nouns.COUNTED, "portable": nouns.TOOLS + nouns.CLOTHES + nouns.READ}
MASS = {"food": nouns.FOOD_MASS, "drinks": nouns.DRINKS_MASS, "ideas": nouns.MASS_IDEAS, "weather": nouns.WEATHER}
LOOKS = {"weather": "places", "tools": "things", "read": "things", "rooms": "places", "vehicles": "things", "furniture": "things",
         "plants": "things", "body": "things",
         "sky": "things", "events": "ideas", "times": "ideas", "portable": "things", "drinks": "food"}
OWN = {row[0]: row[2] for row in function_words.PRONOUNS.values()}
OBJECT = {row[0]: row[1] for row in function_words.PRONOUNS.values()}
ITSELF = {row[0]: row[4] for who, row in function_words.PRONOUNS.items() if who != "you all"}


def looks_of(kind):
    return qualities.LOOKS[LOOKS.get(kind, kind)]


def pronoun_of(noun, kind):
    return "it" if kind != "people" else "she" if noun in nouns.SHE else "he"


@lru_cache(maxsize=None)
def plurals(words):
    return {forms.plural(word): word for word in words}


@lru_cache(maxsize=None)
def after_article(words, article):
    return tuple(word for word in words if article not in ("a", "an") or forms.article(word) == article)


def a_or_an(words):
    """The choice between "a" and "an" before one of the words, each as often as it comes up."""
    return ((3, "a"), (0.7, "an")) if after_article(words, "an") else ((3, "a"),)
