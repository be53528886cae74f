"""What is measured of every head on labelled passages. Rows and columns are tokens; the first token of a text (<|endoftext|>, or [CLS]) is a
key like any other, except where said. measure.py says what each measure is."""
import json
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

import numpy as np

from grammar.writer import ENDS_SENTENCE
from tokens import START, Tokenizer

MODELS = Path(__file__).resolve().parent.parent

FIRST_OF_WORDS = 1  # a text begins with one special token


class Encoder:
    """Passages as a tokenizer with special tokens gives them. A word is a range of tokens."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer(folder)
        vocab = self.tokenizer.vocab
        self.before, self.after = ([vocab[START]], []) if START in vocab else ([vocab["[CLS]"]], [vocab["[SEP]"]])
        self.mask = vocab.get("[MASK]")
        self.first_of = lru_cache(maxsize=None)(lambda word, is_glued: self.tokenizer.word(word, is_glued)[0])

    def encode(self, words):
        """Ids, and the first and the last token of each word."""
        ids, ranges = list(self.before), []
        for word in self.tokenizer.words(words):
            ranges.append((len(ids), len(ids) + len(word) - 1))
            ids += word
        return ids + self.after, ranges

    def text(self, text):
        return self.before + self.tokenizer.text(text) + self.after

    def is_first_of(self, token, words, before):
        """Whether the token is the first of one of the words, after the words told before."""
        is_open = before.count('"') % 2 == 1
        is_inside = is_open and before[-1] == '"'
        return any(token == self.first_of(word, is_open if word == '"' else word[0] in ",.?!:'" or is_inside) for word in words)


def prefix_matching(weights, count, repeats=4):
    """Rows and columns: the first token, then `repeats` copies of `count` tokens."""
    rows = range(1 + count, 1 + repeats * count)
    return np.mean([sum(weights[row, key + 1] for key in range(row - count, 0, -count)) for row in rows])


def prefix_chance(count, repeats=4):
    """The same number of a head that looks at all it sees alike."""
    return np.mean([len(range(row - count, 0, -count)) / (row + 1) for row in range(1 + count, 1 + repeats * count)])


def induction(model, lists):
    """lists: token ids of the first token, then of each list's words, once. Mean prefix matching of every head."""
    maps = [model.run([*first, *ids * 4])[1] for first, ids in lists]
    return sum(np.array([[prefix_matching(weights, len(ids)) for weights in layer] for layer in run])
               for run, (_, ids) in zip(maps, lists)) / len(lists)


def queries_of(relation, ranges, is_causal):
    """Which row to look at, and the range of keys that is right. A causal model may have to foresee the later word; one that sees all may
    look back from the earlier."""
    later, earlier = ranges[relation["from"]], ranges[relation["to"]]
    yield "word", later[1], earlier
    if not is_causal:
        yield "earlier word", earlier[1], later
    elif later[0] - 1 > earlier[1]:
        yield "word before", later[0] - 1, earlier


class Tally:
    """Sums over some held-out passages: every head's masses and relations, accepted words, right forms."""

    def __init__(self, model, encoder, header, lines):
        self.model, self.encoder, self.header = model, encoder, header
        shape = (model.layers, model.heads)
        self.masses, self.hits = defaultdict(lambda: np.zeros(shape)), defaultdict(lambda: np.zeros(shape))
        self.cases, self.offsets = Counter(), defaultdict(Counter)
        self.accepted, self.decided, self.right, self.verbs = 0, 0, 0, 0
        self.passages = len(lines)
        for line in lines:
            ids, ranges = encoder.encode(line["words"])
            logits, maps = model.run(ids)
            maps = np.array(maps)  # [layer, head, query, key]
            self.add_masses(maps)
            for relation in line["relations"]:
                self.add_relation(relation, maps, ranges)
            if model.is_causal:
                self.add_accepted(line, logits, ranges)
            self.add_forms(line, ids, logits, ranges)

    def add_masses(self, maps):
        masses = {"previous token": np.diagonal(maps, -1, 2, 3).mean(-1), "first token": maps[:, :, 1 if self.model.is_causal else 0 :, 0].mean(-1)}
        if not self.model.is_causal:
            masses.update({"next token": np.diagonal(maps, 1, 2, 3).mean(-1), "separator": maps[:, :, :, -1].mean(-1)})
        for name, mass in masses.items():
            self.masses[name] += mass / self.passages

    def add_relation(self, relation, maps, ranges):
        for which, query, (start, end) in queries_of(relation, ranges, self.model.is_causal):
            name = relation["relation"], which
            self.cases[name] += 1
            self.offsets[name].update(range(start - query, end - query + 1))
            rows = maps[:, :, query, : ranges[-1][1] + 1].copy()
            rows[:, :, [0, query]] = -1
            strongest = rows.argmax(-1)
            self.hits[name] += (strongest >= start) & (strongest <= end)

    def add_accepted(self, line, logits, ranges):
        for at, number in enumerate(line.get("accepted", [])[:-1]):
            if number is None:
                continue
            words = " ".join(self.header["groups"][group] for group in self.header["sets"][number]).split(" ")
            self.decided += 1
            self.accepted += self.encoder.is_first_of(int(logits[ranges[at][0] - 1].argmax()), words, line["words"][:at])

    def add_forms(self, line, ids, logits, ranges):
        """Verbs whose two forms are one token each."""
        for contrast in line["contrasts"]:
            first, last = ranges[contrast["word"]]
            wrong = self.encoder.tokenizer.word(contrast["wrong"], False)
            if first != last or len(wrong) != 1 or is_inside_quote(line["words"], contrast["word"]):
                continue
            told = logits[first - 1]
            if not self.model.is_causal:
                told = self.model.run([*ids[:first], self.encoder.mask, *ids[first + 1 :]])[0][first]
            self.verbs += 1
            self.right += told[ids[first]] > told[wrong[0]]


def tallies(model, encoder):
    """Of the passages that heads are chosen on, and of those they are measured on."""
    for name in ("choosing.jsonl", "held_out.jsonl"):
        header, *lines = read_lines(MODELS / name)
        yield Tally(model, encoder, header, lines)


def repeated_lists(encoder):
    """The special tokens before a list, and its words, one token each."""
    lines = read_lines(MODELS / "repeated.jsonl")
    return [(encoder.before, [encoder.tokenizer.word(word, False)[0] for word in line["words"]]) for line in lines]


def is_inside_quote(words, at):
    """Whether a word follows an opening quotation mark: it has no space before it."""
    return at > 0 and words[at - 1] == '"'


def sentences(words):
    """The sentences of a passage, each as a tuple of words."""
    found, sentence = [], []
    for word in words:
        sentence.append(word)
        if word in ENDS_SENTENCE:
            found.append(tuple(sentence))
            sentence = []
    return found + ([tuple(sentence)] if sentence else [])


def loss_of(model, encoder, text):
    """Sum over the tokens after the first of −log probability, and how many: of a causal model."""
    ids = encoder.text(text)
    logits = model.run(ids)[0]
    top = logits.max(-1, keepdims=True)
    chances = logits - top - np.log(np.exp(logits - top).sum(-1, keepdims=True))
    return -sum(chances[at, token] for at, token in enumerate(ids[1:])), len(ids) - 1


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
