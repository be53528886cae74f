"""Noun phrases: determiners, possession, numbers, adjectives."""
from english import function_words
from grammar.named import name
from grammar.referents import MASS, NOUNS, OWN, Referent, a_or_an, after_article, looks_of, plurals, pronoun_of

COUNTS = function_words.CARDINALS[2:-3] + function_words.CARDINALS[2:13] * 3

MANY = ("some", "many", "these", "those", "all", "no", "few", "both", "several")


def say_noun(t, kind, is_many, article="the", among=None):
    """With or without an adjective, in one or many: old horses."""
    determiner = t.last()
    if t.choose((2, False), True):
        t.say(*after_article(looks_of(kind), article))
        article = "the"
    options = among or NOUNS[kind]
    if is_many:
        named = plurals(options)
        noun = named[t.say(*tuple(named))]
    else:
        noun = t.say(*after_article(options, article))
    if determiner >= 0:
        t.link("determiner", t.last(), determiner)
    return Referent(t.last(), "they" if is_many else pronoun_of(noun, kind), noun, kind)


def counted(t, kind, among=None, owner=None):
    """the old pilot, some dogs, three big cats, her ball, Anna's horses, no key."""
    how = t.choose((6, "one"), (2.5, "many"), (3 if owner else 1.2, "own"), (0.5, "whose"), (0.5, "number"), (0.5, "bare"))
    if how == "one":
        article = t.choose((8, "the"), *a_or_an(among or NOUNS[kind]), (0.8, "this"))
        if article == "this":
            t.say("this", "that", "every", "each", "no", "another")
        else:
            t.say(article)
        return say_noun(t, kind, False, article, among)
    if how == "many":
        t.say(*(("the",) if t.choose((2, True), False) else MANY))
        return say_noun(t, kind, True, among=among)
    if how == "number":
        t.say(*COUNTS)
        return say_noun(t, kind, True, among=among)
    if how == "bare":
        named = plurals(among or NOUNS[kind])
        noun = named[t.say(*tuple(named))]
        return Referent(t.last(), "they", noun, kind)
    if how == "own":
        possessive(t, owner)
    else:
        name(t)
        t.say("'s")
    return say_noun(t, kind, t.choose((2, False), True), among=among)


def possessive(t, owner):
    if owner:
        t.say(OWN[owner.pronoun])
        t.refer("antecedent", owner.at)
    else:
        t.say("my", "my", "your", "our", "his", "her", "their")


def mass(t, kind, owner=None):
    """bread, some cold milk, the water."""
    how = t.choose((3, "bare"), (1, "some"), (2, "the"), (1, "own"))
    if how in ("some", "the"):
        t.say(*("some", "some", "more", "enough", "much", "any") if how == "some" else ("the",))
    elif how == "own":
        possessive(t, owner)
    if t.choose((4, False), True):
        t.say(*looks_of(kind))
    noun = t.say(*MASS[kind])
    return Referent(t.last(), "it", noun, kind)
