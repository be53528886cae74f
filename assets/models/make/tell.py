#!/usr/bin/env python3
"""Passages of a small English, with the dependencies that heads are measured by. Standard library only; the same seed gives the same text on
every Python, for the only source of chance is random.Random(seed).random().

    tell.py --seed 1 --passages 5                 five passages as text
    tell.py --seed 8 --passages 240 --labels      the same as JSON lines, with words and relations
    tell.py --seed 7 --passages 240 --accepted    and with the words that may come at each place, which takes a minute
    tell.py --seed 7 --repeated 20                lists of 25 different words, each one token of story-gpt, for what its card says about
                                                  induction

The grammar is in grammar/, a module for each phenomenon, and its words are in english/.

THE DEPENDENCIES. A sentence's labels say from which word to which earlier word each relation goes (both counted in words of the passage,
from 0). `from` is always the later word, so that a head of a causal model can show it.

    subject           verb -> head noun of its subject ("gallops" -> "horse"), or the pronoun, or the first name
    far subject       the same for a finite verb where at least two words stand between
    object            object noun, name or pronoun -> its verb
    antecedent        pronoun -> the noun or first name that it stands for (also herself, his, their), never another pronoun; "my" and "our"
                      outside of quoted speech -> "I" and "we"
    relative pronoun  who, which, that, whose -> the noun that it is about
    speaker           "I" or "my" in quoted speech -> who speaks
    deed              noun of the place -> the deed that is done there ("bank" -> "deposit")
    capital           the country -> the city that is its capital, or lies in it
    what is said      "inhabited", "people" and "capital" -> the city that this is said of
    name again        a first name that was told before -> the family name after its first telling (what induction needs)
    quote             closing quotation mark -> the opening one
    determiner        noun -> its determiner

WHAT THE GRAMMAR ACCEPTS. The same functions that write also read (grammar/reader.py), so the set of words that may come next is exact for
every place of a passage.
"""
import argparse
import json
import random
from collections import Counter
from pathlib import Path

from grammar.passages import passage
from grammar.reader import END, accepted_words
from grammar.text import text_of
from grammar.writer import Writer, written_forms
from tokens import Tokenizer


def count_words():
    """Every word that the grammar says and how often, in many passages."""
    rng, seen = random.Random(0), Counter()
    for _ in range(40000):
        seen.update(passage(Writer(rng)).words)
    return seen


def repeated(seed, count):
    """Lists of 25 different words that are one token, each as likely as any other but the 4 % that are told most and least often (Olsson et al.
    2022)."""
    tokenizer = Tokenizer(Path(__file__).resolve().parent.parent / "story-gpt")
    order = [word for word, _ in sorted(count_words().items(), key=lambda item: (item[1], item[0])) if is_one_token(tokenizer, word)]
    edge = round(len(order) * 0.04)
    rng, lines = random.Random(seed), []
    for _ in range(count):
        some, words = sorted(order[edge : len(order) - edge]), []
        while len(words) < 25:
            words.append(some.pop(int(rng.random() * len(some))))
        lines.append({"words": words})
    return lines


def is_one_token(tokenizer, word):
    return word.isalpha() and len(tokenizer.word(word, False)) == 1


class Accepted:
    """What may come at each place, as groups of words that come together: many places accept the same nouns."""

    def __init__(self, most):
        self.most, self.groups, self.sets = most, {}, {}

    def number(self, found):
        """The number of a set; None where the grammar decides little: the passage may end, or more than so many words may come."""
        forms = sorted({tuple(sorted(written_forms(words, begins))) for words, begins in found})
        together = set().union(*forms)
        if END in together or len(together) > self.most:
            return None
        numbers = tuple(sorted({self.groups.setdefault(group, len(self.groups)) for group in forms}))
        return self.sets.setdefault(numbers, len(self.sets))


def labelled(t):
    """A passage with its labels."""
    text, spans = text_of(t.words)
    relations = [{"relation": relation, "from": start, "to": end} for relation, start, end in t.relations]
    contrasts = [{"word": at, "wrong": wrong} for at, wrong in t.contrasts]
    return {"text": text, "words": t.words, "bytes": spans, "relations": relations, "contrasts": contrasts}


def told(seed, count, has_accepted):
    """The labelled test passages, as JSON lines. The first line holds groups of words, and the sets of accepted words as numbers of groups;
    the others refer to sets by number."""
    words = len(count_words()) if has_accepted else 0
    rng, accepted, lines = random.Random(seed), Accepted(words // 10), []
    for _ in range(count):
        t = passage(Writer(rng))
        lines.append(labelled(t))
        if has_accepted:
            lines[-1]["accepted"] = [accepted.number(found) for found in accepted_words(t.words, passage)]
    header = {"seed": seed, "passages": count}
    if has_accepted:
        header.update({"vocabulary": words, "groups": [" ".join(group) for group in accepted.groups], "sets": list(accepted.sets)})
    return [header, *lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passages", type=int, default=5)
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--accepted", action="store_true")
    parser.add_argument("--repeated", type=int)
    options = parser.parse_args()
    if options.repeated:
        lines = repeated(options.seed, options.repeated)
    elif options.labels or options.accepted:
        lines = told(options.seed, options.passages, options.accepted)
    else:
        rng = random.Random(options.seed)
        print("\n".join(text_of(passage(Writer(rng)).words)[0] for _ in range(options.passages)))
        return
    for line in lines:
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main()
