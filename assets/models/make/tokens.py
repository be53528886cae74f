#!/usr/bin/env python3
"""The tokenizers of story-gpt and story-bert, made from the words of the grammar. Standard library only.

    tokens.py FOLDER        writes FOLDER/story-gpt/tokenizer.json and FOLDER/story-bert/tokenizer.json
    tokens.py FOLDER --typed how many tokens the words of typed.txt become

story-gpt: byte-level BPE (Sennrich et al. 2016, arXiv 1508.07909; over bytes: Radford et al. 2019) of 6,000 tokens. A text begins as if
after a space, so that its first word is the token it would be inside, and <|endoftext|> is put in front of it, as in training.
story-bert: WordPiece (Schuster and Nakajima 2012) of 6,000 pieces, found in the same way: pieces inside a word begin with ##; [CLS] A [SEP]
B [SEP].
"""
import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

from english import lexicon
from english.common import COMMON
from english.function_words import CLASSES
from grammar.passages import passage
from grammar.writer import Writer, capital

START = "<|endoftext|>"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SPACE = "\u0120"  # how byte-level BPE writes the byte of a space
SIZE = 6000
INSIDE = "##"  # how WordPiece begins a piece that stands inside a word
LEAST = 60  # how often a word of a dictionary counts at least
TEXTS = 100000  # passages in which words are counted
# What people begin with, and the grammar says seldom or never: each of these is one token. WordPiece takes the longest piece first, so that a
# piece for So would make So ##n ##g of Song, and one for Of needs another for Often. Perhaps is one already, and stays.
OPENINGS = {"story-gpt": "Of At By So Up Hi Oh Ok hi oh ok Hello".split(), "story-bert": "Of Often At By Up Oh Ok oh Perhaps".split()}
QUOTED = "Of It He We If In".split()  # the same in story-gpt, right after a quotation mark, where no space is
LAST = 300  # among so many of the last pieces those are sought that make room for them

# As GPT-2 takes a text apart (and BERT, but for apostrophes): the endings of contractions, words, numbers, marks.
GPT_PARTS = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[0-9]+| ?[^A-Za-z0-9\s]+|\s+(?!\S)|\s+")
PARTS = re.compile(r"'(?:s|t|re|ve|m|ll|d)|[A-Za-z]+|[0-9]+|[^A-Za-z0-9\s]")


def byte_letters():
    """The 256 letters that stand for bytes: printable Latin-1 for itself, the others from U+0100 on."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable}
    letters.update((byte, chr(256 + index)) for index, byte in enumerate(others))
    return [letters[byte] for byte in printable + others]


def glued(words):
    """For each word whether no space stands before it: marks, endings like 's, the first word within quotation marks, the closing one."""
    is_open = False
    for at, word in enumerate(words):
        is_quote = word == '"'
        yield is_open if is_quote else word[0] in ",.?!:'" or is_open and words[at - 1] == '"'
        is_open ^= is_quote


def parts_of(word, is_glued):
    """What a word is taken apart into before its pieces are looked for, the first with the space before it."""
    first, *others = PARTS.findall(word)
    return [first if is_glued else SPACE + first, *others]


def count_parts():
    """How often the grammar says each part of a word, with the space before it. Every form of the lexicon counts once more, and so
    does its capital form; words as a dictionary lists them count more often, so that what the grammar says seldom is known too."""
    rng, counts = random.Random(0), Counter()
    for _ in range(TEXTS):
        words = passage(Writer(rng)).words
        counts.update(zip(words, glued(words)))
    parts = Counter()
    for (word, is_glued), count in counts.items():
        for part in parts_of(word, is_glued):
            parts[part] += count
    basic = lexicon.basic_words()
    for form in lexicon.all_forms():
        for word in (form, capital(form)):
            for part in parts_of(word, False):
                parts[part] += LEAST if word in basic else 1
    return parts


def join(left, right):
    return left + right.removeprefix(INSIDE)


def merge(parts, left, right):
    """The parts with the pair joined wherever it stands."""
    joined, at = [], 0
    while at < len(parts):
        is_pair = at + 1 < len(parts) and parts[at] == left and parts[at + 1] == right
        joined.append(join(left, right) if is_pair else parts[at])
        at += 2 if is_pair else 1
    return joined


def train_bpe(counts, letters_of, size):
    """Merges, the most frequent pair first (the first in the alphabet among equals). A word weighs 1 + log2 of its count: a word that is
    said a thousand times as often as another shall not take a hundred merges from it."""
    split = {word: letters_of(word) for word in counts}
    weight = {word: 1 + math.log2(count) for word, count in counts.items()}
    pairs, places = Counter(), defaultdict(set)
    for word, parts in split.items():
        for pair in zip(parts, parts[1:]):
            pairs[pair] += weight[word]
            places[pair].add(word)
    merges = []
    while len(merges) < size and pairs:
        best = min(pairs, key=lambda pair: (-round(pairs[pair], 6), pair))
        merges.append(best)
        for word in sorted(places[best]):
            for pair in zip(split[word], split[word][1:]):
                pairs[pair] -= weight[word]
                if pairs[pair] < 1e-6:
                    del pairs[pair]
            split[word] = merge(split[word], *best)
            for pair in zip(split[word], split[word][1:]):
                pairs[pair] += weight[word]
                places[pair].add(word)
        places.pop(best)
        pairs.pop(best, None)
    return merges


def make_room(tokens, built_on, counts, words):
    """{place in tokens: word} for the words that are not pieces yet. Each takes the place of a whole word that the grammar says least often
    among the last pieces, that is not a common one and that no other piece is built from; so every other piece keeps its id."""
    missing, kept = [word for word in words if word not in tokens], {*COMMON, *(word for group in CLASSES for word in group), *words}
    is_free = lambda token: token in counts and token not in built_on and token.lstrip(SPACE) not in kept
    free = [at for at in range(len(tokens) - LAST, len(tokens)) if is_free(tokens[at])]
    places = sorted(free, key=lambda at: (counts[tokens[at]], tokens[at]))[: len(missing)]
    return dict(zip(sorted(places), missing))


def pieces_of(word, merges):
    rank = {pair: at for at, pair in enumerate(merges)}
    pieces = list(word)
    while known := [pair for pair in zip(pieces, pieces[1:]) if pair in rank]:
        pieces = merge(pieces, *min(known, key=rank.get))
    return pieces


def added(names):
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": index, "content": name, **flags} for index, name in enumerate(names)]


def template(single, pair, special):
    def part(name):
        name, kind = name.split(":")
        return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": int(kind)}}

    tokens = {name: {"id": name, "ids": [index], "tokens": [name]} for name, index in special.items()}
    return {"type": "TemplateProcessing", "single": [*map(part, single.split())], "pair": [*map(part, pair.split())], "special_tokens": tokens}


def gpt_tokenizer(counts):
    merges = train_bpe(counts, list, SIZE - 257)
    built_on = {part for pair in merges for part in pair}
    whole = {part: count for part, count in counts.items() if part.startswith(SPACE)}
    wanted = [SPACE + word for word in OPENINGS["story-gpt"]] + QUOTED
    for at, word in make_room([left + right for left, right in merges], built_on, whole, wanted).items():
        merges[at] = tuple(pieces_of(word, merges))
    tokens = [START, *byte_letters(), *(left + right for left, right in merges)]
    level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added([START]),
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": template(f"{START}:0 A:0", f"{START}:0 A:0 B:0", {START: 0}),
        "decoder": {**level, "trim_offsets": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": [f"{left} {right}" for left, right in merges],
        },
    }


def inside_letters(word):
    return [word[0], *(INSIDE + letter for letter in word[1:])]


def without_space(counts):
    said = Counter()
    for part, count in counts.items():
        said[part.lstrip(SPACE).removeprefix("'")] += count
    return {part: count for part, count in said.items() if part}


def bert_tokenizer(counts):
    letters = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    letters += [INSIDE + letter for letter in letters]
    counts = without_space(counts)
    merges = train_bpe(counts, inside_letters, SIZE - len(SPECIAL) - len(letters))
    tokens = [*SPECIAL, *letters, *(join(left, right) for left, right in merges)]
    built_on = {part for part, longer in zip(sorted(counts), sorted(counts)[1:]) if longer.startswith(part)}
    for at, word in make_room(tokens, built_on, counts, OPENINGS["story-bert"]).items():
        tokens[at] = word
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added(SPECIAL),
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": False},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": template("[CLS]:0 A:0 [SEP]:0", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1", {"[CLS]": 2, "[SEP]": 3}),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {token: index for index, token in enumerate(tokens)},
        },
    }


class Tokenizer:
    """Reads a tokenizer.json that this file wrote; words of a passage become the ids that the program gives them."""

    def __init__(self, folder):
        model = json.loads((Path(folder) / "tokenizer.json").read_text(encoding="utf-8"))["model"]
        self.vocab, self.is_bpe = model["vocab"], model["type"] == "BPE"
        self.rank = {tuple(pair.split(" ")): at for at, pair in enumerate(model.get("merges", []))}
        self.plain = range(1 if self.is_bpe else len(SPECIAL), len(self.vocab))
        self.texts = {index: token for token, index in self.vocab.items()}
        self.word = lru_cache(maxsize=None)(self.split_word)

    def pieces(self):
        """Ids of the pieces of letters that a word begins with, and of those inside words."""
        letters = {index: token.lstrip(SPACE).removeprefix(INSIDE) for token, index in self.vocab.items()}
        known = [index for index in self.plain if letters[index].isascii() and letters[index].isalpha()]
        starts = [index for index in known if self.texts[index].startswith(SPACE) or not self.is_bpe and not self.texts[index].startswith(INSIDE)]
        return starts, sorted(set(known) - set(starts))

    def split_word(self, word, is_glued):
        """Ids of one word."""
        tell = self.merged if self.is_bpe else self.longest
        return tuple(index for part in parts_of(word, is_glued or not self.is_bpe) for index in tell(part))

    def merged(self, part):
        pieces = list(part)
        while len(pieces) > 1:
            best = min(zip(pieces, pieces[1:]), key=lambda pair: self.rank.get(pair, math.inf))
            if best not in self.rank:
                break
            pieces = merge(pieces, *best)
        return [self.vocab[piece] for piece in pieces]

    def longest(self, part):
        """BERT takes an apostrophe for a word of its own."""
        ids = []
        for run in re.findall(r"[A-Za-z0-9]+|.", part):
            at = 0
            while at < len(run):
                end = next(end for end in range(len(run), at, -1) if (INSIDE if at else "") + run[at:end] in self.vocab)
                ids.append(self.vocab[(INSIDE if at else "") + run[at:end]])
                at = end
        return ids

    def words(self, words):
        """A tuple of ids for each word of a passage."""
        return [self.word(word, is_glued) for word, is_glued in zip(words, glued(words))]

    def parts(self, text):
        """Ids of each word and mark of any ASCII text, as the program gives them without special tokens."""
        if not self.is_bpe:
            return [self.longest(run) for run in re.findall(r"[A-Za-z0-9]+|[^A-Za-z0-9\s]", text)]
        return [self.merged(part.replace(" ", SPACE)) for part in GPT_PARTS.findall(" " + text)]

    def text(self, text):
        return [index for ids in self.parts(text) for index in ids]


def typed_report(folder):
    """How many tokens the words of typed.txt become, with both tokenizers, and which of them become letters."""
    lines = (Path(__file__).parent / "typed.txt").read_text(encoding="utf-8").splitlines()
    for name in ("story-gpt", "story-bert"):
        tokenizer, sizes, letters = Tokenizer(Path(folder) / name), Counter(), set()
        for word in (word for line in lines for word in re.findall(r"[A-Za-z]+|[0-9]+", line)):
            ids = tokenizer.word(word, False)
            sizes[min(len(ids), 3)] += 1
            if len(ids) > 2:
                letters.add((word, " ".join(tokenizer.texts[index].lstrip(SPACE) for index in ids)))
        total = sum(sizes.values())
        print(f"{name}: {total} words, one token {sizes[1] / total:.3f}, at most two {(sizes[1] + sizes[2]) / total:.4f}")
        for word, parts in sorted(letters):
            print(f"  {word}: {parts}")


def main():
    if "--typed" in sys.argv:
        typed_report(sys.argv[1])
        return
    counts = count_parts()
    for name, made in (("story-gpt", gpt_tokenizer(counts)), ("story-bert", bert_tokenizer(counts))):
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tokenizer.json").write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {len(counts)} parts of words, {len(made['model']['vocab'])} tokens")


if __name__ == "__main__":
    main()
