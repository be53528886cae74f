"""How English words change their form: plural, the forms of a verb, comparison, and a or an. British spelling.

Rules first, exceptions in tables (Quirk et al. 1985, A Comprehensive Grammar of the English Language, chapters 3, 5 and 7).
"""

import re

VOWELS = "aeiou"

# singular: plural
PLURALS = dict(pair.split(":") for pair in """
    man:men woman:women child:children person:people penny:pence foot:feet tooth:teeth goose:geese mouse:mice ox:oxen
    policeman:policemen salesman:salesmen gentleman:gentlemen policewoman:policewomen fisherman:fishermen postman:postmen fireman:firemen
    grandchild:grandchildren
    knife:knives wife:wives life:lives leaf:leaves loaf:loaves half:halves shelf:shelves bookshelf:bookshelves thief:thieves wolf:wolves
    calf:calves scarf:scarves dwarf:dwarves sheep:sheep deer:deer reindeer:reindeer fish:fish salmon:salmon squid:squid
    potato:potatoes tomato:tomatoes hero:heroes quiz:quizzes mosquito:mosquitoes mango:mangoes stomach:stomachs
""".split())

# base: past, participle
IRREGULAR = {line.split()[0]: tuple(line.split()[1:]) for line in """
    be was been
    have had had
    do did done
    go went gone
    beat beat beaten
    become became become
    begin began begun
    bend bent bent
    bite bit bitten
    blow blew blown
    break broke broken
    bring brought brought
    build built built
    burst burst burst
    buy bought bought
    catch caught caught
    choose chose chosen
    come came come
    cost cost cost
    creep crept crept
    cut cut cut
    deal dealt dealt
    dig dug dug
    draw drew drawn
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed fed
    feel felt felt
    fight fought fought
    find found found
    flee fled fled
    fly flew flown
    forget forgot forgotten
    forgive forgave forgiven
    freeze froze frozen
    get got got
    give gave given
    grow grew grown
    hang hung hung
    hear heard heard
    hide hid hidden
    hit hit hit
    hold held held
    hurt hurt hurt
    keep kept kept
    know knew known
    lay laid laid
    lead led led
    leave left left
    lend lent lent
    let let let
    lie lay lain
    lose lost lost
    make made made
    mean meant meant
    meet met met
    overtake overtook overtaken
    pay paid paid
    put put put
    rebuild rebuilt rebuilt
    read read read
    ride rode ridden
    ring rang rung
    rise rose risen
    run ran run
    say said said
    see saw seen
    sell sold sold
    send sent sent
    set set set
    shake shook shaken
    shine shone shone
    shoot shot shot
    show showed shown
    shut shut shut
    sew sewed sewn
    sing sang sung
    sink sank sunk
    sit sat sat
    sleep slept slept
    slide slid slid
    speak spoke spoken
    spend spent spent
    spin spun spun
    split split split
    spread spread spread
    stand stood stood
    steal stole stolen
    stick stuck stuck
    stink stank stunk
    sweep swept swept
    swim swam swum
    swing swung swung
    take took taken
    teach taught taught
    tear tore torn
    tell told told
    think thought thought
    throw threw thrown
    understand understood understood
    upset upset upset
    wake woke woken
    wear wore worn
    weep wept wept
    win won won
    write wrote written
""".strip().splitlines()}

THIRD_PERSON = {"be": "is", "have": "has", "do": "does", "go": "goes"}

# Words of several syllables that double their last consonant: stressed at the end (begin), or ending in l (travel).
DOUBLED = set("begin forget admit permit prefer refer regret occur upset control travel cancel quarrel signal label cruel".split())
SHORT = re.compile("(qu|[^aeiou])*[aeiou][^aeiouwxy]")  # one syllable, one vowel before one consonant: stop, swim, quit

# Adjectives and adverbs: comparative, superlative.
COMPARED = {
    "good": ("better", "best"), "well": ("better", "best"), "bad": ("worse", "worst"), "badly": ("worse", "worst"),
    "shy": ("shyer", "shyest"), "far": ("farther", "farthest"), "little": ("less", "least"), "much": ("more", "most"), "many": ("more", "most"),
}

# Written with a vowel and said with a consonant (a university), or the other way round (an hour): how such words begin.
SAID_WITH_CONSONANT = ("unicorn", "uniform", "union", "unique", "unit", "univers", "use", "usu", "europe", "one", "once")
SAID_WITH_VOWEL = ("hour", "honest", "honour", "heir")


def ends_in_consonant_y(word):
    return word.endswith("y") and len(word) > 1 and word[-2] not in VOWELS


def hisses(word):
    return word.endswith(("s", "x", "z", "ch", "sh"))


def with_s(word):
    """The ending that plurals and the third person share."""
    if ends_in_consonant_y(word):
        return word[:-1] + "ies"
    return word + ("es" if hisses(word) else "s")


def plural(noun):
    return PLURALS.get(noun) or with_s(noun)


def doubles(word):
    """Whether the last consonant is written twice before -ed, -ing and -er."""
    return word in DOUBLED or SHORT.fullmatch(word) is not None


def third_person(verb):
    return THIRD_PERSON.get(verb) or with_s(verb)


def with_ed(verb):
    if verb.endswith("e"):
        return verb + "d"
    if ends_in_consonant_y(verb):
        return verb[:-1] + "ied"
    return verb + (verb[-1] if doubles(verb) else "") + "ed"


def past(verb):
    return IRREGULAR[verb][0] if verb in IRREGULAR else with_ed(verb)


def participle(verb):
    return IRREGULAR[verb][1] if verb in IRREGULAR else with_ed(verb)


def gerund(verb):
    if verb == "be" or verb.endswith(("ee", "ye", "oe")):
        return verb + "ing"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e"):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if doubles(verb) else "") + "ing"


def verb_forms(verb):
    """Base, third person, past, participle, -ing."""
    return verb, third_person(verb), past(verb), participle(verb), gerund(verb)


def with_ending(word, ending):
    if word.endswith("e"):
        return word + ending[1:]
    if ends_in_consonant_y(word):
        return word[:-1] + "i" + ending
    return word + (word[-1] if doubles(word) else "") + ending


def compared(word):
    """Comparative and superlative of a word that takes -er and -est."""
    return COMPARED.get(word) or (with_ending(word, "er"), with_ending(word, "est"))


def article(word):
    """a or an, by how the word begins when it is said."""
    lower = word.lower()
    if lower.startswith(SAID_WITH_VOWEL):
        return "an"
    return "an" if lower[0] in VOWELS and not lower.startswith(SAID_WITH_CONSONANT) else "a"


def possessive(noun, is_plural=False):
    return noun + ("'" if is_plural and noun.endswith("s") else "'s")
