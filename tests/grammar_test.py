#!/usr/bin/env python3
"""grammar_test.py: the grammar that writes the demo models' texts. What it writes is in its lexicon, reads again, and agrees; a wrong form does
not read; every phenomenon is told. Prints what is wrong, and a closing line."""
import random
import re
import sys
from collections import Counter
from pathlib import Path

MAKE = Path(__file__).resolve().parent.parent / "assets/models/make"
sys.path.insert(0, str(MAKE))

from english import forms, lexicon  # noqa: E402
from grammar.passages import passage  # noqa: E402
from grammar.reader import accepted_words  # noqa: E402
from grammar.text import text_of  # noqa: E402
from grammar.writer import Writer, written_forms  # noqa: E402
from tokens import INSIDE, SPACE, Tokenizer  # noqa: E402

TOLD, READ = 20000, 12
MARKS = set(',.?!:"')
SAME_PLURAL = {"sheep", "deer", "reindeer", "fish", "salmon", "squid"}

# What issue and lexicon promise: each is told somewhere in so many passages.
PHENOMENA = {
    "question": r"\?", "command": r"(^|\. )(Please|Don't|Let's) ", "negation": r" (do|does|did|is|are) not ", "contraction": r"n't ",
    "passive": r" (is|was|were|are) \w+ed by ", "because": " because ", "although": "[Aa]lthough ", "if": "[Ii]f ", "when": "[Ww]hen ",
    "before": " before ", "relative clause of the subject": r" who (is|was|has|\w+s) ", "of the object": " (whom|which|that) (the|a|Anna|we) ",
    "coordination": ", and (she|he|they|it) ", "comparison": r" (\w+er|more \w+) than ", "equality": r" as \w+ as ", "superlative": r" the (most \w+|\w+est) ",
    "list": r"\w+, \w+ and \w+", "quoted speech": r'said, "', "clock": "o'clock", "year": r" in (19|20)\d\d", "letter": r"Dear [\w ]+, ",
    "dialogue": r'[?.!]" "', "capital": "is the capital of ", "deposit": "deposit my money at the bank", "people told again": r"(\b\w+ \w+\b) .*\1",
}


def told():
    rng = random.Random(3)
    for _ in range(TOLD):
        yield passage(Writer(rng))


def is_known(word, known):
    return word in MARKS or word.isdigit() or word in known or word.lower() in known or word in ("'s", "'m", "'re", "'ll", "'ve", "'d") or len(word) == 1


def wrong_words(passages):
    """Words that are not in the lexicon, and articles that do not fit the next word."""
    known, unknown, articles = set(lexicon.all_forms()) | {"cannot"}, Counter(), Counter()
    for t in passages:
        unknown.update(word for word in t.words if not is_known(word, known))
        for at, (word, after) in enumerate(zip(t.words, t.words[1:])):
            if word.lower() in ("a", "an") and after not in MARKS and after != "and" and forms.article(after) != word.lower():
                articles[f"{word} {after}"] += 1
    yield from (f"not in the lexicon: {word} ({count} times)" for word, count in unknown.items())
    yield from (f"wrong article: {pair} ({count} times)" for pair, count in articles.items())


def wrong_labels(passages):
    for t in passages:
        for relation, start, end in t.relations:
            if not 0 <= end < start < len(t.words):
                yield f"{relation} from {start} to {end} in: {text_of(t.words)[0]}"


def missing(passages):
    text = "\n".join(text_of(t.words)[0] for t in passages)
    yield from (f"never told: {name}" for name, pattern in PHENOMENA.items() if not re.search(pattern, text, re.MULTILINE))


def accepts(groups, word):
    return any(word in written_forms(words, begins) for words, begins in groups)


def wrong_reading(passages):
    """What was written has to be accepted word by word; a verb in its other number has not."""
    for t in passages:
        accepted = accepted_words(t.words, passage)
        yield from (f"{word} is not accepted in: {text_of(t.words)[0]}" for groups, word in zip(accepted, t.words) if not accepts(groups, word))
        for at, wrong in t.contrasts:
            if accepts(accepted[at], wrong) and not SAME_PLURAL & set(t.words[:at]):
                yield f"{wrong} is accepted after: {' '.join(t.words[:at])}"


def typed_badly():
    """typed.txt: 300 sentences of people. In the tokenizers that are shipped no word of them falls into single letters, and 97 in 100 are one
    token or two; the cards say how many, numbers counted as words."""
    lines = (MAKE / "typed.txt").read_text(encoding="ascii").splitlines()
    if len(lines) != 300 or len(set(lines)) != 300:
        yield f"typed.txt has {len(lines)} lines, {len(set(lines))} different ones"
    for name in ("story-gpt", "story-bert"):
        tokenizer = Tokenizer(MAKE.parent / name)
        words = [[tokenizer.texts[index].lstrip(SPACE).removeprefix(INSIDE) for index in ids] for line in lines for ids in tokenizer.parts(line)]
        words = [pieces for pieces in words if "".join(pieces).isalpha()]
        yield from (f"{name}: {' '.join(pieces)} falls into letters" for pieces in words if len(pieces) > 1 and max(map(len, pieces)) == 1)
        few = sum(len(pieces) <= 2 for pieces in words) / len(words)
        if few < 0.97:
            yield f"{name}: only {few:.3f} of the typed words are one token or two"
        sizes = [len(tokenizer.word(word, False)) for line in lines for word in re.findall("[A-Za-z]+|[0-9]+", line)]
        one, two = (100 * sum(size <= most for size in sizes) / len(sizes) for most in (1, 2))
        told = f"{one:.1f} % are one token, {two:.1f} % at most two"
        if told not in (MAKE.parent / name / "README.md").read_text(encoding="utf-8"):
            yield f"{name}: its card does not say that of the typed words {told}"


def main():
    passages = list(told())
    said = {word.lower() for t in passages for word in t.words}
    share = sum(form.lower() in said or "'" in form for form in lexicon.all_forms()) / len(lexicon.all_forms())
    found = [*wrong_words(passages), *wrong_labels(passages), *missing(passages), *wrong_reading(passages[:READ]), *typed_badly()]
    if share < 0.9:
        found.append(f"only {share:.2f} of the lexicon is ever said")
    print("\n".join(found[:40]), end="\n" if found else "")
    print(f"grammar: {TOLD} passages, {share:.3f} of the lexicon said, {READ} passages read again, {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
