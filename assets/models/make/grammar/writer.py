"""How the grammar writes. Its functions take a Writer, which makes the choices, says the words and keeps the labels; a Reader (reader.py)
runs the same functions along given words.

A function of the grammar says its words from left to right and chooses as late as it can: two choices that begin with the same words have
to be followed both, until their words part.
"""
from functools import lru_cache

from english.common import favoured


ENDS_SENTENCE = (".", "?", "!")


def capital(word):
    return word[0].upper() + word[1:]


def is_weighed(option):
    return type(option) is tuple and len(option) == 2 and isinstance(option[0], (int, float))


def weights_of(options):
    """An option is given as (weight, option), or alone and weighs 1."""
    return [option[0] if is_weighed(option) else 1 for option in options]


def bare(option):
    return option[1] if is_weighed(option) else option


@lru_cache(maxsize=None)
def written_forms(words, begins):
    """{as it is written: the word}; a word that begins a sentence has a capital letter."""
    return {capital(word) if begins else word: word for word in words}


class Writer:
    """Writes a passage by chance."""

    def __init__(self, rng):
        self.rng = rng
        self.clear()

    def clear(self):
        self.words, self.relations, self.contrasts, self.stands_for, self.begins = [], [], [], {}, True

    def choose(self, *options):
        """One of the options; an option given as (weight, option) is chosen that much more often."""
        weights = weights_of(options)
        at = self.rng.random() * sum(weights)
        chosen = options[0]
        for weight, option in zip(weights, options):
            if weight > 0:
                chosen, at = option, at - weight
                if at < 0:
                    break
        return bare(chosen)

    def say(self, *words):
        """Says one of the words, common ones more often; returns it as the lexicon has it."""
        pool = favoured(words)
        word = pool[int(self.rng.random() * len(pool))]
        self.put(capital(word) if self.begins else word)
        return word

    def put(self, written):
        self.words.append(written)
        self.begins = written in ENDS_SENTENCE or self.begins and not written[-1].isalnum()

    def say_all(self, text):
        """Says these words, one after another."""
        for word in text.split():
            self.say(word)

    def last(self):
        return len(self.words) - 1

    def link(self, relation, start, end):
        if start is not None and end is not None:
            self.relations.append((relation, start, end))

    def refer(self, relation, other):
        """The last word stands for what the word at `other` is or stands for; None: for somebody who was not named."""
        self.stands_for[self.last()] = self.stands_for.get(other, other)
        self.link(relation, self.last(), self.stands_for[self.last()])

    def contrast(self, wrong):
        """The last word would be wrong in this other form."""
        self.contrasts.append((self.last(), capital(wrong) if self.words[-1][0].isupper() else wrong))

    def pass_by(self, *state):
        """What follows depends on nothing but this state: a Reader that comes here again by other choices need not go on."""
