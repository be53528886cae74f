#!/usr/bin/env python3
"""The tokenizers of the demo models, made from the words of story.py's grammar. Standard library only.

    bpe.py FOLDER      writes FOLDER/story-gpt/tokenizer.json and FOLDER/story-bert/tokenizer.json

story-gpt: byte-level BPE (Sennrich et al. 2016, arXiv 1508.07909; over bytes: Radford et al. 2019), trained until every word of the grammar,
with the space before it, is one token. A text begins as if after a space, so that its first word is the token it would be inside, and
<|endoftext|> is put in front of it, as in training.
story-bert: WordPiece whose pieces are the words of the grammar, and all printable ASCII characters for what is not among them; [CLS] A
[SEP] B [SEP].
"""
import json
import sys
from collections import Counter
from pathlib import Path

from story import vocabulary

START = "<|endoftext|>"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MARKS = ',."'
SPACE = "\u0120"  # how byte-level BPE writes the byte of a space


def byte_letters():
    """The 256 letters that stand for bytes: printable Latin-1 for itself, the others from U+0100 on."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable}
    letters.update((byte, chr(256 + index)) for index, byte in enumerate(others))
    return [letters[byte] for byte in printable + others]


def train_bpe(words):
    """Merges, the most frequent pair first (the first in the alphabet among equals), until each word is one token. Every word counts once."""
    parts = {word: list(word) for word in words}
    merges = []
    while True:
        pairs = Counter(pair for word in parts.values() for pair in zip(word, word[1:]))
        if not pairs:
            return merges
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append((left, right))
        for word in parts.values():
            at = 0
            while at + 1 < len(word):
                if word[at] == left and word[at + 1] == right:
                    word[at : at + 2] = [left + right]
                at += 1


def added(names):
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": index, "content": name, **flags} for index, name in enumerate(names)]


def template(single, pair, special):
    def part(name):
        name, kind = name.split(":")
        return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": int(kind)}}

    tokens = {name: {"id": name, "ids": [index], "tokens": [name]} for name, index in special.items()}
    return {"type": "TemplateProcessing", "single": [*map(part, single.split())], "pair": [*map(part, pair.split())], "special_tokens": tokens}


def gpt_tokenizer(words):
    merges = train_bpe([SPACE + word for word in words if word not in MARKS] + [SPACE + '"'])
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


def bert_tokenizer(words):
    letters = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    tokens = [*SPECIAL, *letters, *("##" + letter for letter in letters), *(word for word in words if word not in letters)]
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


def read_ids(folder):
    """The ids of a tokenizer.json, by the word as story.py says it, and all ids that are no special token."""
    vocab = json.loads((Path(folder) / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    ids = {token.lstrip(SPACE): index for token, index in vocab.items() if token.startswith(SPACE)} if START in vocab else dict(vocab)
    ids.update((mark, vocab[mark]) for mark in MARKS)
    opening = vocab.get(SPACE + '"', vocab['"'])
    special = 1 if START in vocab else len(SPECIAL)
    return ids, opening, vocab["I"], range(special, len(vocab))


def word_ids(words, ids, opening, glued_i):
    """One id for each word of a passage. The opening quotation mark has its space with it, and the I after it has none."""
    result, is_open = [], False
    for index, word in enumerate(words):
        is_mark = word == '"'
        result.append(opening if is_mark and not is_open else glued_i if index and words[index - 1] == '"' and is_open else ids[word])
        is_open ^= is_mark
    return result


def main():
    words = vocabulary()
    for name, make in (("story-gpt", gpt_tokenizer), ("story-bert", bert_tokenizer)):
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        made = make(words)
        (folder / "tokenizer.json").write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {len(words)} words, {len(made['model']['vocab'])} tokens")


if __name__ == "__main__":
    main()
