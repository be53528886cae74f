#!/usr/bin/env python3
"""Stories in a small English, with the dependencies that its heads are measured by. Standard library only; the same seed gives the same text
on every Python, for the only source of chance is random.Random(seed).random().

    story.py --seed 1 --passages 5                 five passages as text
    story.py --seed 7 --passages 160 --labels      the same as JSON lines, with words, relations and accepted words
    story.py --seed 7 --repeated 20                lists of 25 different words, for what the card says about induction
    story.py --vocabulary                          every word that the grammar can write

THE GRAMMAR. A passage is one of these, written from left to right:

    tale       two to five sentences about animals and people of trades; pronouns stand for who was named before
               "The pilot meets a nurse near the bridge. She flies. He does not wait."
    far        one to three sentences whose subject and verb stand apart, by a relative clause or a place
               "The horse that the sailors follow gallops." "The dogs near the tower are old." "The pilot knows herself."
    people     people with a first and a family name, told in full again and again
               "Anna Brown met Ben Young. Anna Brown gave Ben Young a ring, and he thanked her."
    speech     quoted speech: "Clara says, "I am going to plant my tree in the garden.""
    plan       "I am going to deposit my money at the bank": each deed has its thing and its place
    capital    "London, inhabited by more than 10 million people, is the capital of England."
    list       "There are a key, a ring and a lamp near the mill." "Anna, Ben, Clara sing." The same list comes twice, and a
               thing may be in it twice

The grammar is smaller than English: "a" stays "a" before a vowel ("a old cat").

THE DEPENDENCIES. A sentence's labels say from which word to which earlier word each relation goes (both counted in words of the
passage, from 0). `from` is always the later word, so that a head of a causal model can show it.

    subject      verb -> head noun of its subject ("gallops" -> "horse"), or the pronoun, or the first name
    far subject  the same where at least two words stand between
    object       object noun or name -> its verb
    antecedent   pronoun -> the noun or first name that it stands for (also herself, his, their), never another pronoun; "my" and "our"
                 outside of quoted speech -> "I" and "We"
    speaker      "I" or "my" in quoted speech -> who speaks
    deed         noun of the place -> the deed that is done there ("bank" -> "deposit")
    capital      the country -> the city that is its capital
    name again   a first name that was told before -> the family name after its first telling (what induction needs)
    quote        closing quotation mark -> the opening one
    determiner   noun -> its determiner, in subjects and objects

Not labelled: who gets what is given ("gave Ben Young a ring"), whom a relative clause is about ("the horse that the sailors follow" has
"sailors" as the subject of "follow", and no object), and lists with "There are".

WHAT THE GRAMMAR ACCEPTS. The same functions that write also read: Reader runs them with every choice in turn and keeps what the words
allow, so the set of words that may come next is exact for every place of a passage.
"""
import argparse
import json
import random
from collections import Counter

SHE = {"pilot": "flies", "painter": "paints", "hunter": "hunts", "driver": "drives", "queen": "rules", "cook": "cooks"}
HE = {"nurse": "heals", "sailor": "sails", "singer": "sings", "teacher": "teaches", "king": "commands", "dancer": "dances"}
IT = {"dog": "barks", "cat": "purrs", "horse": "gallops", "bird": "chirps", "fox": "hides", "frog": "jumps"}
DOES = {**SHE, **HE, **IT}  # what each of them does
KIND = {**dict.fromkeys(SHE, "she"), **dict.fromkeys(HE, "he"), **dict.fromkeys(IT, "it")}
OBJECT_FORM = {"she": "her", "he": "him", "it": "it", "they": "them"}
OWN_FORM = {"she": "her", "he": "his", "it": "its", "they": "their"}
SELF_FORM = {"she": "herself", "he": "himself", "it": "itself", "they": "themselves"}

SEES = {"sees": "see", "knows": "know", "likes": "like", "follows": "follow", "helps": "help", "hears": "hear", "loves": "love", "finds": "find"}
RESTS = {"sleeps": "sleep", "waits": "wait", "smiles": "smile", "rests": "rest"}
PAST = ("met", "saw", "called", "helped", "thanked", "visited")
THINGS = ("key", "ring", "lamp", "letter", "box", "cup", "ball", "stone", "coin", "hat")
PLACES = ("bridge", "river", "tower", "church", "harbour", "forest", "mill", "gate")
LOOKS = ("old", "young", "small", "big", "quiet", "happy", "kind", "proud")
THING_LOOKS = ("old", "new", "small", "big", "red", "blue", "green", "heavy")
WOMEN = ("Anna", "Clara", "Emma", "Grace", "Iris", "Kate", "Mary", "Olga", "Rosa", "Tina")
MEN = ("Ben", "David", "Frank", "Henry", "Jack", "Leo", "Noah", "Paul", "Simon", "Victor")
FAMILIES = ("Brown", "Young", "Green", "Stone", "Wood", "Hill", "Field", "Rivers", "Winter", "Baker", "Cooper", "Mason", "Fisher", "Marsh", "Lane", "Bell")
DEEDS = {"deposit": ("money", "at", "bank"), "buy": ("bread", "at", "market"), "read": ("book", "in", "library"),
         "plant": ("tree", "in", "garden"), "boil": ("soup", "in", "kitchen"), "catch": ("train", "at", "station"),
         "learn": ("lesson", "at", "school"), "park": ("car", "in", "street"), "milk": ("cow", "on", "farm"), "fly": ("kite", "on", "hill")}
CAPITALS = {"London": "England", "Paris": "France", "Rome": "Italy", "Madrid": "Spain", "Berlin": "Germany", "Vienna": "Austria",
            "Lisbon": "Portugal", "Athens": "Greece", "Oslo": "Norway", "Dublin": "Ireland", "Tokyo": "Japan", "Cairo": "Egypt"}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NUMBERS = ("2", "3", "4", "5", "6", "8", "10", "12", "15", "20")
END = "<end>"  # what the grammar accepts where a passage may stop

PLURALS = {"fox": "foxes", "church": "churches", "box": "boxes"}
BASES = {"flies": "fly", "teaches": "teach"}


def plural(noun):
    return PLURALS.get(noun, noun + "s")


def base(verb):
    """flies -> fly: the form of many, and after 'does not'."""
    return BASES.get(verb) or SEES.get(verb) or RESTS.get(verb) or verb[:-1]


class Writer:
    """Writes a passage by chance: the one who makes choices, says words and keeps the labels."""

    def __init__(self, rng):
        self.rng, self.words, self.relations, self.contrasts, self.stands_for = rng, [], [], [], {}

    def choose(self, *options):
        """One of the options; an option given as (weight, option) is chosen that much more often."""
        weighed = [option if isinstance(option, tuple) else (1, option) for option in options]
        at = self.rng.random() * sum(weight for weight, _ in weighed)
        for weight, option in weighed:
            at -= weight
            if at < 0:
                return option
        return weighed[-1][1]

    def say(self, *words):
        """Says one of the words; returns it."""
        self.words.append(words[int(self.rng.random() * len(words))])
        return self.words[-1]

    def last(self):
        return len(self.words) - 1

    def link(self, relation, start, end):
        if start is not None and end is not None:
            self.relations.append((relation, start, end))

    def refer(self, relation, other):
        """The last word stands for what `other` is or stands for."""
        self.stands_for[self.last()] = self.stands_for.get(other, other)
        self.link(relation, self.last(), self.stands_for[self.last()])

    def contrast(self, wrong):
        """The last word would be wrong in this other form."""
        self.contrasts.append((self.last(), wrong))


class Mismatch(Exception):
    """The words do not go on as this run of the grammar would."""


class Reader(Writer):
    """Runs the grammar along given words with one path of choices, and notes which words it would accept at each place."""

    def __init__(self, given, path, accepted):
        self.given, self.path, self.accepted = given, path, accepted
        self.words, self.relations, self.contrasts, self.stands_for, self.step = [], [], [], {}, 0

    def choose(self, *options):
        if self.step == len(self.path):
            self.path.append([0, len(options)])
        option = options[self.path[self.step][0]]
        self.step += 1
        return option[1] if isinstance(option, tuple) else option

    def say(self, *words):
        place = len(self.words)
        self.accepted[place].update(words)
        if place == len(self.given) or self.given[place] not in words:
            raise Mismatch
        self.words.append(self.given[place])
        return self.words[-1]


def accepted_words(words):
    """For each place of a passage, and for the one after it, the words that the grammar accepts there."""
    accepted, path = [set() for _ in range(len(words) + 1)], []
    while True:
        try:
            reader = Reader(words, path, accepted)
            passage(reader)
            accepted[reader.last() + 1].add(END)
        except Mismatch:
            pass
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return accepted
        path[-1][0] += 1


# Phrases. Each returns the place of its head noun.


def capital(word):
    return word[0].upper() + word[1:]


def who(t, is_first, is_many, nouns=tuple(DOES)):
    """The old pilot, some dogs. Returns (place, noun, pronoun)."""
    first = capital if is_first else str
    determiners = ("the", "some", "many") if is_many else ("the", "a", "every")
    t.say(*map(first, determiners))
    determiner = t.last()
    if t.choose((2, False), True):
        t.say(*LOOKS)
    forms = {plural(noun): noun for noun in nouns} if is_many else {noun: noun for noun in nouns}
    noun = forms[t.say(*forms)]
    t.link("determiner", t.last(), determiner)
    return t.last(), noun, "they" if is_many else KIND[noun]


def thing(t, owner=None):
    """a red ball, the balls, her ball; the owner is (place, pronoun)."""
    if owner and t.choose(True, False):
        t.say(OWN_FORM[owner[1]])
        t.refer("antecedent", owner[0])
        is_many = t.choose(False, True)
    else:
        is_many = t.choose(False, True)
        t.say(*(("the", "some") if is_many else ("the", "a")))
    determiner = t.last()
    if t.choose((3, False), True):
        t.say(*THING_LOOKS)
    t.say(*(map(plural, THINGS) if is_many else THINGS))
    t.link("determiner", t.last(), determiner)
    return t.last()


def where(t):
    t.say("near", "behind", "under", "at")
    t.say("the")
    if t.choose((3, False), True):
        t.say("old", "big", "small", "quiet")
    t.say(*(PLACES if t.choose(True, False) else map(plural, PLACES)))


def verb(t, subject, is_many, forms):
    """Says a verb in its form for one or for many; forms: {sees: see}."""
    said = t.say(*(forms.values() if is_many else forms.keys()))
    t.link("subject", t.last(), subject)
    if t.last() - subject > 2:
        t.link("far subject", t.last(), subject)
    pairs = {**forms, **{many: one for one, many in forms.items()}}
    t.contrast(pairs[said])


def predicate(t, subject, noun, pronoun):
    """What the subject does: its own deed, seeing somebody, itself or a thing, not doing so, or what it is like."""
    is_many = pronoun == "they"
    own = {DOES[noun]: base(DOES[noun])} if noun else RESTS
    kind = t.choose((4, "own"), (3, "sees"), (2, "not"), (1, "is"), (1, "rests"))
    if kind == "own":
        verb(t, subject, is_many, own)
    elif kind == "rests":
        verb(t, subject, is_many, RESTS)
    elif kind == "is":
        verb(t, subject, is_many, {"is": "are"})
        t.say(*LOOKS)
    elif kind == "not":
        verb(t, subject, is_many, {"does": "do"})
        t.say("not")
        t.say(*own.values(), *RESTS.values())
        t.link("subject", t.last(), subject)
    else:
        verb(t, subject, is_many, SEES)
        seeing = t.last()
        kind = t.choose((3, "self"), (3, "thing"), (1, "who"))
        if kind == "self":
            t.say(SELF_FORM[pronoun])
            t.refer("antecedent", subject)
        elif kind == "thing":
            t.link("object", thing(t, (subject, pronoun)), seeing)
        else:
            t.link("object", who(t, False, t.choose(False, True))[0], seeing)


def far_sentence(t):
    """The subject, something between, its verb."""
    is_many = t.choose(False, True)
    subject, noun, pronoun = who(t, True, is_many)
    kind = t.choose((3, "whom"), (3, "who"), (3, "where"), (1, "none"))
    if kind == "where":
        where(t)
    elif kind != "none":
        t.say("that")
        if kind == "whom":
            are_many = t.choose(False, True)
            inner = who(t, False, are_many)
            verb(t, inner[0], are_many, SEES)
        else:
            verb(t, subject, is_many, SEES)
            seeing = t.last()
            t.link("object", thing(t), seeing) if t.choose(True, False) else t.link("object", who(t, False, t.choose(False, True))[0], seeing)
    predicate(t, subject, noun, pronoun)
    t.say(".")


def far(t):
    for _ in range(t.choose(1, 2, 3)):
        far_sentence(t)


# Passages.


def tale(t):
    """Two are named; pronouns tell which of them does what. They have different pronouns, so that each is clear."""
    is_many = t.choose((3, False), True)
    one = who(t, True, is_many)
    t.say(*(SEES.values() if is_many else SEES) if t.choose(True, False) else ("meet",) if is_many else ("meets",))
    t.link("subject", t.last(), one[0])
    seeing = t.last()
    others = [noun for noun in DOES if KIND[noun] != one[2]]
    other = who(t, False, False if is_many else t.choose((3, False), True), others)
    t.link("object", other[0], seeing)
    if t.choose(False, True):
        where(t)
    t.say(".")
    for _ in range(t.choose(1, 2, 3, 4)):
        pronoun_sentence(t, *t.choose([one, other], [other, one]))


def pronoun_sentence(t, one, other):
    t.say(capital(one[2]))
    pronoun = t.last()
    t.refer("antecedent", one[0])
    if t.choose((3, False), True):
        verb(t, pronoun, one[2] == "they", SEES)
        seeing = t.last()
        t.say(OBJECT_FORM[other[2]])
        t.link("object", t.last(), seeing)
        t.refer("antecedent", other[0])
    else:
        predicate(t, pronoun, one[1], one[2])
    t.say(".")


class Person:
    def __init__(self, t, pronoun, names):
        self.pronoun = pronoun
        self.first = t.say(*names)
        self.at = t.last()
        self.family = t.say(*FAMILIES)
        self.family_at = t.last()

    def say_again(self, t):
        t.say(self.first)
        t.link("name again", t.last(), self.family_at)
        at = t.last()
        t.say(self.family)
        return at


def past(t, subject, verbs):
    """Says one of the verbs, which have one form for all; returns its place."""
    t.say(*verbs)
    t.link("subject", t.last(), subject)
    return t.last()


def people(t):
    """A woman and a man, in full names; then again and again."""
    order = t.choose([("she", WOMEN), ("he", MEN)], [("he", MEN), ("she", WOMEN)])
    one = Person(t, *order[0])
    did = past(t, one.at, PAST)
    other = Person(t, *order[1])
    t.link("object", other.at, did)
    if t.choose(False, True):
        where(t)
    t.say(".")
    for _ in range(t.choose(1, 2, 3)):
        doer, done_to = t.choose([one, other], [other, one])
        kind = t.choose((3, "past"), (2, "gave"), (1, "pronoun"))
        if kind == "pronoun":
            t.say(capital(doer.pronoun))
            at = t.last()
            t.refer("antecedent", doer.at)
        else:
            at = doer.say_again(t)
        if kind == "gave":
            did = past(t, at, ("gave", "showed"))
            done_to.say_again(t)
            t.link("object", thing(t), did)
            t.say(",")
            t.say("and")
            t.say(done_to.pronoun)
            t.refer("antecedent", done_to.at)
            did = past(t, t.last(), PAST)
            t.say(OBJECT_FORM[doer.pronoun])
            t.link("object", t.last(), did)
            t.refer("antecedent", doer.at)
        else:
            did = past(t, at, PAST)
            t.link("object", done_to.say_again(t), did)
        t.say(".")


def going(t, subject, own, relation):
    """... to deposit my money at the bank; own: my, her."""
    t.say("going")
    t.say("to")
    deed = t.say(*DEEDS)
    at = t.last()
    t.link("subject", at, subject)
    thing_word, preposition, place = DEEDS[deed]
    t.say(own)
    t.refer(relation, subject)
    t.say(thing_word)
    t.link("object", t.last(), at)
    t.say(preposition)
    t.say("the")
    t.say(place)
    t.link("deed", t.last(), at)
    if t.choose(False, True):
        t.say("on")
        t.say(*DAYS)


def plan(t):
    for _ in range(t.choose(1, 2)):
        kind = t.choose((3, "I"), (1, "we"), (2, "name"), (1, "who"))
        if kind == "I":
            t.say("I")
            at, be, own = t.last(), "am", "my"
        elif kind == "we":
            t.say("We")
            at, be, own = t.last(), "are", "our"
        elif kind == "name":
            pronoun = t.choose("she", "he")
            t.say(*(WOMEN if pronoun == "she" else MEN))
            at, be, own = t.last(), "is", OWN_FORM[pronoun]
        else:
            is_many = t.choose(False, True)
            at, _, pronoun = who(t, True, is_many, (*SHE, *HE))
            be, own = "are" if is_many else "is", OWN_FORM[pronoun]
        t.say(be)
        t.link("subject", t.last(), at)
        going(t, at, own, "antecedent")
        t.say(".")


def speech(t):
    for _ in range(t.choose(1, 2)):
        is_name = t.choose(True, False)
        if is_name:
            t.say(*WOMEN, *MEN)
        else:
            who(t, True, False, (*SHE, *HE))
        speaker = t.last()
        t.say("says", "said")
        t.link("subject", t.last(), speaker)
        t.say(",")
        t.say('"')
        quote = t.last()
        t.say("I")
        me = t.last()
        t.refer("speaker", speaker)
        if t.choose(True, False):
            t.say("am")
            t.link("subject", t.last(), me)
            going(t, me, "my", "speaker")
        else:
            t.say(*SEES.values())
            t.link("subject", t.last(), me)
            seeing = t.last()
            t.link("object", thing(t) if t.choose(True, False) else who(t, False, t.choose(False, True))[0], seeing)
        t.say(".")
        t.say('"')
        t.link("quote", t.last(), quote)


def capitals(t):
    for _ in range(t.choose((2, 1), (1, 2))):
        city = t.say(*CAPITALS)
        at = t.last()
        if t.choose((3, True), False):
            t.say(",")
            t.say("inhabited", "loved", "visited")
            t.say("by")
            t.say("more", "less")
            t.say("than")
            t.say(*NUMBERS)
            t.say("million")
            t.say("people")
            t.say(",")
        t.say("is")
        t.link("subject", t.last(), at)
        if t.last() - at > 2:
            t.link("far subject", t.last(), at)
        t.say("the")
        t.say("capital")
        t.say("of")
        t.say(CAPITALS[city])
        t.link("capital", t.last(), at)
        t.say(".")


def lists(t):
    """A list, and the same list again: what was said once tells what comes next."""
    if t.choose(True, False):
        names = []
        for index in range(t.choose(3, 4, 5)):
            if index:
                t.say(",")
            names.append(t.say(*(name for name in WOMEN + MEN if name not in names)))
        t.say("sing", "smile", "wait", "sleep")
        t.say(".")
        for index, name in enumerate(names):
            if index:
                t.say(",")
            t.say(name)
        t.say("rest", "dance", "swim", "laugh")
        t.say(".")
    else:
        t.say("There")
        t.say("are")
        kept = []
        for index in range(t.choose(2, 3, 4)):
            if index:
                t.say(",")
            kept.append((t.say("a", "the"), t.say(*THINGS)))
        t.say("and")
        kept.append((t.say("a", "the"), t.say(*THINGS)))
        where(t)
        t.say(".")
        t.say("I", "We")
        t.say(*SEES.values())
        seeing = t.last()
        t.link("subject", seeing, seeing - 1)
        for index, (determiner, noun) in enumerate(kept):
            if index:
                t.say("and" if index == len(kept) - 1 else ",")
            t.say(determiner)
            t.say(noun)
            t.link("determiner", t.last(), t.last() - 1)
            t.link("object", t.last(), seeing)
        t.say(".")


def passage(t):
    t.choose((5, tale), (5, far), (4, people), (2, speech), (2, plan), (2, capitals), (2, lists))(t)
    return t


# Text of words, and files.


def text_of(words):
    """Words joined as people write them; and the byte range of each (all is ASCII)."""
    text, spans, is_open = "", [], False
    for word in words:
        closes = word == '"' and is_open
        glued = not text or word in ",." or closes or text.endswith(' "') and is_open
        text += word if glued else " " + word
        spans.append((len(text) - len(word), len(text)))
        if word == '"':
            is_open = not is_open
    return text, spans


def count_words():
    """Every word that the grammar says and how often, found by saying enough: tables are used evenly, so nothing stays unseen for long."""
    rng, seen = random.Random(0), Counter()
    for _ in range(20000):
        seen.update(passage(Writer(rng)).words)
    return seen


def vocabulary():
    return sorted(count_words())


def repeated(seed, count):
    """Lists of 25 different words, each as likely as any other but the 4 % that are told most and least often (Olsson et al. 2022)."""
    order = [word for word, _ in sorted(count_words().items(), key=lambda item: (item[1], item[0])) if word not in ',."']
    edge = round(len(order) * 0.04)
    rng, lines = random.Random(seed), []
    for _ in range(count):
        some, words = sorted(order[edge : len(order) - edge]), []
        while len(words) < 25:
            words.append(some.pop(int(rng.random() * len(some))))
        lines.append({"words": words})
    return lines


def labelled(seed, count):
    """The labelled test passages, as JSON lines. The first line holds the sets of accepted words; the others refer to them by number."""
    rng, sets, lines = random.Random(seed), {}, []
    for _ in range(count):
        told = passage(Writer(rng))
        text, spans = text_of(told.words)
        relations = [{"relation": relation, "from": start, "to": end} for relation, start, end in told.relations]
        contrasts = [{"word": at, "wrong": wrong} for at, wrong in told.contrasts]
        accepted = [sets.setdefault(tuple(sorted(words)), len(sets)) for words in accepted_words(told.words)]
        lines.append({"text": text, "words": told.words, "bytes": spans, "relations": relations, "contrasts": contrasts, "accepted": accepted})
    return [{"seed": seed, "passages": count, "vocabulary": len(vocabulary()), "sets": [list(words) for words in sets]}, *lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passages", type=int, default=5)
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--repeated", type=int)
    parser.add_argument("--vocabulary", action="store_true")
    options = parser.parse_args()
    if options.vocabulary:
        print("\n".join(vocabulary()))
        return
    if options.labels or options.repeated:
        for line in repeated(options.seed, options.repeated) if options.repeated else labelled(options.seed, options.passages):
            print(json.dumps(line, separators=(",", ":")))
        return
    rng = random.Random(options.seed)
    for _ in range(options.passages):
        print(text_of(passage(Writer(rng)).words)[0])


if __name__ == "__main__":
    main()
