#!/usr/bin/env python3
"""All words of the lexicon, in all their forms.

    lexicon.py         how many forms each class has
    lexicon.py --list  every form, a line each
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from english import forms, function_words, names, nouns, places, qualities, verbs  # noqa: E402


def noun_forms():
    counted = {form for group in nouns.COUNTED.values() for noun in group for form in (noun, forms.plural(noun))}
    return counted | {noun for group in nouns.UNCOUNTED.values() for noun in group}


def adjective_forms():
    short = {form for word in qualities.SHORT_ADJECTIVES for form in (word, *forms.compared(word))}
    return short | set(qualities.LONG_ADJECTIVES)


def place_words():
    cities = [city for group in places.CITIES.values() for city in group]
    return {word for place in (*places.CITIES, *cities, *places.CONTINENTS, *places.RIVERS) for word in place.split()} | set(places.NATIONALITIES)


def classes():
    """Every class with its forms, capital letters as they are written inside a sentence."""
    return {
        "function words": {word for group in function_words.CLASSES for word in group},
        "nouns": noun_forms(),
        "verbs": {form for verb in verbs.ALL for form in forms.verb_forms(verb)},
        "adjectives": adjective_forms(),
        "adverbs": {word for group in qualities.ADVERBS for word in group},
        "first names": {*names.SHE, *names.HE},
        "family names": set(names.FAMILIES),
        "places": place_words(),
    }


def basic_words():
    """What a dictionary lists: nouns in the singular, verbs and adjectives in their plain form, function words, places."""
    counted = (noun for table in (nouns.COUNTED, nouns.UNCOUNTED) for group in table.values() for noun in group)
    return {*counted, *verbs.ALL, *qualities.SHORT_ADJECTIVES, *qualities.LONG_ADJECTIVES, *classes()["function words"], *classes()["places"]}


def all_forms():
    return sorted(set().union(*classes().values()))


def main():
    if "--list" in sys.argv:
        print("\n".join(all_forms()))
        return
    for name, members in classes().items():
        print(f"{len(members):5} {name}")
    print(f"{len(all_forms()):5} different forms")


if __name__ == "__main__":
    main()
