#!/usr/bin/env python3
"""lexicon_test.py: the English that the demo models are taught. Size of each class, spelling of changed forms, and no row without use.
Prints what is wrong, and a closing line."""
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "assets/models/make"))

from english import forms, function_words, lexicon, names, nouns, places, qualities, verbs  # noqa: E402

# base, third person, past, participle, -ing: written down from a dictionary, a case for each rule and its exceptions
VERBS = """
    walk walks walked walked walking
    bake bakes baked baked baking
    cry cries cried cried crying
    play plays played played playing
    stop stops stopped stopped stopping
    visit visits visited visited visiting
    travel travels travelled travelled travelling
    admit admits admitted admitted admitting
    offer offers offered offered offering
    fix fixes fixed fixed fixing
    sew sews sewed sewn sewing
    fry fries fried fried frying
    quarrel quarrels quarrelled quarrelled quarrelling
    agree agrees agreed agreed agreeing
    flee flees fled fled fleeing
    lie lies lay lain lying
    tie ties tied tied tying
    go goes went gone going
    have has had had having
    do does did done doing
    teach teaches taught taught teaching
    wash washes washed washed washing
    begin begins began begun beginning
    sit sits sat sat sitting
    write writes wrote written writing
    swim swims swam swum swimming
    rain rains rained rained raining
    pick picks picked picked picking
    enjoy enjoys enjoyed enjoyed enjoying
    dye dyes dyed dyed dyeing
    tiptoe tiptoes tiptoed tiptoed tiptoeing
    label labels labelled labelled labelling
"""
PLURALS = "cat:cats quiz:quizzes box:boxes city:cities boy:boys bus:buses brush:brushes watch:watches stomach:stomachs photo:photos potato:potatoes " \
          "leaf:leaves roof:roofs child:children woman:women sheep:sheep fish:fish tooth:teeth piano:pianos radio:radios bookshelf:bookshelves"
COMPARED = "big:bigger:biggest nice:nicer:nicest happy:happier:happiest old:older:oldest good:better:best bad:worse:worst grey:greyer:greyest " \
           "cruel:crueller:cruellest slow:slower:slowest thin:thinner:thinnest clean:cleaner:cleanest shy:shyer:shyest"
ARTICLES = "a:cat an:apple an:hour a:university a:uniform a:unicorn an:umbrella an:uncle an:honest a:one a:European an:idea a:horse a:house an:owl a:yellow " \
           "a:useful an:unusual an:unimportant an:onion an:old"


def groups():
    """Each list of the lexicon by name, in which no word stands twice."""
    tables = {"nouns": nouns.COUNTED, "nouns without a plural": nouns.UNCOUNTED, "verbs with": verbs.ON_OBJECT, "verbs of": verbs.ALONE}
    for kind, table in tables.items():
        yield from ((f"{kind} {name}", group) for name, group in table.items())
    for module in (verbs, qualities, function_words, names):
        for name, group in vars(module).items():
            if isinstance(group, tuple) and isinstance(group[0], str):
                yield name, group


def wrong_forms():
    for line in VERBS.strip().splitlines():
        expected = tuple(line.split())
        if forms.verb_forms(expected[0]) != expected:
            yield f"{forms.verb_forms(expected[0])} should be {expected}"
    for base, *expected in (entry.split(":") for entry in (PLURALS + " " + COMPARED).split()):
        got = [forms.plural(base)] if len(expected) == 1 else list(forms.compared(base))
        if got != expected:
            yield f"{base}: {got} should be {expected}"
    for article, word in (entry.split(":") for entry in ARTICLES.split()):
        if forms.article(word) != article:
            yield f"{forms.article(word)} {word}"
    for noun, is_plural, expected in (("Anna", False, "Anna's"), ("James", False, "James's"), ("sailors", True, "sailors'"), ("men", True, "men's")):
        if forms.possessive(noun, is_plural) != expected:
            yield f"{forms.possessive(noun, is_plural)} should be {expected}"


def too_small():
    sizes = {name: len(members) for name, members in lexicon.classes().items()}
    cities = sum(map(len, places.CITIES.values()))
    least = {"forms": 3000, "first names": 300, "cities and countries": 150}
    found = {"forms": len(lexicon.all_forms()), "first names": sizes["first names"], "cities and countries": cities + len(places.CITIES)}
    yield from (f"{what}: {found[what]}, fewer than {least[what]}" for what in least if found[what] < least[what])


def without_use():
    """Exceptions that no word of the lexicon takes, words said twice, and words that are not letters."""
    counted = {noun for group in nouns.COUNTED.values() for noun in group}
    yield from (f"no noun needs the plural of {noun}" for noun in sorted(set(forms.PLURALS) - counted))
    yield from (f"no verb needs the forms of {verb}" for verb in sorted(set(forms.IRREGULAR) - set(verbs.ALL)))
    yield from (f"no word doubles its end as {word}" for word in sorted(forms.DOUBLED - set(verbs.ALL) - set(qualities.SHORT_ADJECTIVES)))
    for name, group in groups():
        yield from (f"{name}: {word} stands twice" for word, times in Counter(group).items() if times > 1)
    yield from (f"not a word: {word!r}" for word in lexicon.all_forms() if not re.fullmatch(r"[A-Za-z]*(n't|'[a-z]*)?", word))


def main():
    found = [*wrong_forms(), *too_small(), *without_use()]
    print("\n".join(found), end="\n" if found else "")
    print(f"lexicon: {len(lexicon.all_forms())} forms, {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
