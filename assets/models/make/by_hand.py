#!/usr/bin/env python3
"""Writes induction-by-hand: a GPT-2 of two layers with one head each that nobody trained; every number is set here, for a reason.

    by_hand.py FOLDER

Tokens are letters. The stream of 224 numbers has four blocks, and every block holds a one-hot vector:

    token      0 ..  31   which letter stands here                           (embedding)
    previous  32 ..  63   which letter stands before                         (written by layer 0)
    next      64 ..  95   which letter comes next, if the text repeats       (written by layer 1)
    position  96 .. 223   where we are                                       (embedding)

Layer 0, the previous-token head: q reads position i and asks for i − 1, k says position j, v and W_O carry `token` of j to `previous`.
Layer 1, the induction head (Elhage et al. 2021, Olsson et al. 2022, arXiv 2209.11895): q asks for `token` of i, k says `previous` of j
(what layer 0 wrote: K-composition), so it looks at what came after an earlier copy; v and W_O carry `token` of j to `next`, which the
language-model head reads. Where no copy stands before, it rests on the first token: a smaller score that any key of position 0 gets.

LayerNorm does no harm: the stream of layer l is always 2 + l ones among zeros, so mean m and deviation s are known, and a gain of s with a
bias of m gives back what came in. The feed-forward parts are zero. Scores of a match are 16 · 16 / √224 = 17.1, of the rest 8.6, else 0.
"""
import json
import random
import string
import sys
from pathlib import Path

import numpy as np

from tokens import SPACE, START, added, template
from safetensors_file import write_safetensors

LETTERS = [START, "?", SPACE, *string.ascii_lowercase, ".", ",", "'"]
BLOCK, POSITIONS = len(LETTERS), 128
TOKEN, PREVIOUS, NEXT, POSITION = 0, BLOCK, 2 * BLOCK, 3 * BLOCK
WIDTH = 3 * BLOCK + POSITIONS
EPSILON = 1e-5
MATCH, REST = 16, 8  # q·k of a match is MATCH², of the resting place REST·MATCH


def carry(start, end, count=BLOCK, value=1.0):
    """A matrix [in, out] that carries one block to the place of another."""
    matrix = np.zeros((WIDTH, WIDTH))
    matrix[np.arange(start, start + count), np.arange(end, end + count)] = value
    return matrix


def norm(ones, scale=1.0):
    """Gain and bias that undo LayerNorm on a vector of so many ones."""
    mean = ones / WIDTH
    deviation = np.sqrt(mean * (1 - mean) + EPSILON)
    return np.full(WIDTH, deviation * scale), np.full(WIDTH, mean * scale)


def layer(number, q, k, v, o, q_bias):
    h = f"transformer.h.{number}."
    gain, bias = norm(2 + number)
    return {
        h + "ln_1.weight": gain,
        h + "ln_1.bias": bias,
        h + "attn.c_attn.weight": np.concatenate([q, k, v], 1),
        h + "attn.c_attn.bias": np.concatenate([q_bias, np.zeros(2 * WIDTH)]),
        h + "attn.c_proj.weight": o,
        h + "attn.c_proj.bias": np.zeros(WIDTH),
        h + "ln_2.weight": np.ones(WIDTH),
        h + "ln_2.bias": np.zeros(WIDTH),
        h + "mlp.c_fc.weight": np.zeros((WIDTH, 1)),
        h + "mlp.c_fc.bias": np.zeros(1),
        h + "mlp.c_proj.weight": np.zeros((1, WIDTH)),
        h + "mlp.c_proj.bias": np.zeros(WIDTH),
    }


def weights():
    tokens, positions, head = np.zeros((BLOCK, WIDTH)), np.zeros((POSITIONS, WIDTH)), np.zeros((BLOCK, WIDTH))
    tokens[range(BLOCK), np.arange(BLOCK) + TOKEN] = 1
    positions[range(POSITIONS), np.arange(POSITIONS) + POSITION] = 1
    head[range(BLOCK), np.arange(BLOCK) + NEXT] = 1
    named = {"transformer.wte.weight": tokens, "transformer.wpe.weight": positions}

    ask_before = carry(POSITION + 1, POSITION, POSITIONS - 1, MATCH)  # position i asks for i − 1
    say_position = carry(POSITION, POSITION, POSITIONS, MATCH)
    named.update(layer(0, ask_before, say_position, carry(TOKEN, TOKEN), carry(TOKEN, PREVIOUS), np.zeros(WIDTH)))

    ask_token, say_previous = carry(TOKEN, TOKEN, value=MATCH), carry(PREVIOUS, TOKEN, value=MATCH)
    say_previous[POSITION, POSITION] = MATCH  # the first token says so, and every query asks for it a little
    rest = np.zeros(WIDTH)
    rest[POSITION] = REST
    named.update(layer(1, ask_token, say_previous, carry(TOKEN, TOKEN), carry(TOKEN, NEXT), rest))

    gain, bias = norm(4, scale=10)
    return {**named, "transformer.ln_f.weight": gain, "transformer.ln_f.bias": bias, "lm_head.weight": head}


def tokenizer():
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added([START]),
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": level,
        "post_processor": template(f"{START}:0 A:0", f"{START}:0 A:0 B:0", {START: 0}),
        "decoder": level,
        "model": {"type": "BPE", "dropout": None, "unk_token": "?", "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False, "vocab": {letter: index for index, letter in enumerate(LETTERS)}, "merges": []},
    }


def config():
    return {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "activation_function": "gelu_new", "attn_pdrop": 0.0, "embd_pdrop": 0.0,
            "resid_pdrop": 0.0, "bos_token_id": 0, "eos_token_id": 0, "initializer_range": 0.02, "layer_norm_epsilon": EPSILON, "n_ctx": POSITIONS,
            "n_embd": WIDTH, "n_head": 1, "n_inner": 1, "n_layer": 2, "n_positions": POSITIONS, "tie_word_embeddings": False, "torch_dtype": "float16",
            "use_cache": False, "vocab_size": BLOCK}


def repeated(seed, count):
    """Strings of 25 different letters, for what the card says about induction."""
    rng, lines = random.Random(seed), []
    for _ in range(count):
        some, letters = list(string.ascii_lowercase), ""
        while len(letters) < 25:
            letters += some.pop(int(rng.random() * len(some)))
        lines.append(letters)
    return lines


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "model.safetensors", weights())
    (folder / "repeated.jsonl").write_text("".join(json.dumps({"letters": letters}) + "\n" for letters in repeated(seed=7, count=20)))
    (folder / "config.json").write_text(json.dumps(config(), indent=2) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
