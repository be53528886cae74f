#!/usr/bin/env python3
"""What a bigram model makes of the 300 typed sentences: the likelihood of a token by the one before it alone, counted in the grammar's own
passages. Standard library only.

    bigram.py FOLDER        the mean of −log probability a token of typed.txt, with story-gpt's tokens

A token that seldom or never followed is told by how frequent it is (Witten and Bell 1991): with n tokens counted after a, of k kinds,
p(b | a) = (count(a, b) + k p(b)) / (n + k), and p(b) = (count(b) + 1) / (all + vocabulary).
"""
import math
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from grammar.passages import passage
from grammar.writer import Writer
from tokens import Tokenizer

PASSAGES = 200000
START_ID = 0  # <|endoftext|>


def counted(tokenizer):
    """How often each token follows each other."""
    rng, after = random.Random(1), defaultdict(Counter)
    for _ in range(PASSAGES):
        before = START_ID
        for ids in tokenizer.words(passage(Writer(rng)).words):
            for token in ids:
                after[before][token] += 1
                before = token
    return after


def typed_loss(tokenizer, lines):
    after = counted(tokenizer)
    alone = Counter()
    for followers in after.values():
        alone.update(followers)
    total, size = sum(alone.values()), len(tokenizer.vocab)
    loss, tokens = 0.0, 0
    for line in lines:
        before = START_ID
        for token in tokenizer.text(line):
            followers = after[before]
            kinds = len(followers) or 1
            chance = (followers[token] + kinds * (alone[token] + 1) / (total + size)) / (sum(followers.values()) + kinds)
            loss, tokens, before = loss - math.log(chance), tokens + 1, token
    return loss / tokens


def main():
    lines = (Path(__file__).parent / "typed.txt").read_text(encoding="ascii").splitlines()
    print(f"{typed_loss(Tokenizer(sys.argv[1]), lines):.6f}")


if __name__ == "__main__":
    main()
