#!/usr/bin/env python3
"""Trains story-gpt or story-bert on passages of story.py. Needs PyTorch (1.13 and later); one thread of one processor is enough.

    train.py MODEL FOLDER --steps N [--decay D] [--state FILE]

FOLDER holds the model's tokenizer.json and gets config.json and model.safetensors (F16). The batch of step s depends on the seed and s
alone, so that a run that was interrupted and resumed from --state equals one that was not. The learning rate rises for 100 steps, stays,
and falls to 0 over the last D.
"""
import argparse
import json
import math
import os
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from bpe import MARKS, read_ids, word_ids
from story import Writer, passage, vocabulary

SEED = 20240
ROTARY_BASE = 1000
PAD, CLS, SEP, MASK = 0, 2, 3, 4  # ids of story-bert's tokenizer
SIZES = {"story-gpt": {"layers": 3, "heads": 8, "d_model": 128, "d_ff": 192, "positions": 128},
         "story-bert": {"layers": 3, "heads": 8, "d_model": 96, "d_ff": 192, "positions": 64}}
TOKENS = {"story-gpt": 1024, "story-bert": 1024}  # in a batch


def sentences(words):
    """The sentences of a passage."""
    return [tuple(part.split(" ")) for part in " ".join(words).split(" . ")]


class Tokens:
    """Passages as token ids. None of them has a sentence of three words or more that is held out for the card's figures."""

    def __init__(self, folder):
        lines = (Path(__file__).parent.parent / "held_out.jsonl").read_text().splitlines()[1:]
        told = [sentence for line in lines for sentence in sentences(json.loads(line)["words"])]
        self.held_out = {sentence for sentence in told if len(sentence) >= 3}
        self.ids, self.opening, self.glued_i, self.plain = read_ids(folder)
        self.words = [self.ids[word] for word in vocabulary() if word not in MARKS]

    def passage(self, rng):
        while True:
            words = passage(Writer(rng)).words
            if self.held_out.isdisjoint(sentences(words)):
                self.note(words)
                return word_ids(words, self.ids, self.opening, self.glued_i)

    def note(self, words):
        """For measure.py, which asks what was told."""

    def row(self, rng, length):
        """Passages one after another, cut to the length."""
        row = []
        while len(row) < length:
            row += self.passage(rng)
        return row[:length]

    def some(self, rng, count):
        """Different tokens: mostly of the first 90 words (names, cities, days), else of all words, seldom of all tokens."""
        chance = rng.random()
        pool = list(self.words[:90] if chance < 0.6 else self.words if chance < 0.95 else self.plain)
        for at in range(count):
            other = at + int(rng.random() * (len(pool) - at))
            pool[at], pool[other] = pool[other], pool[at]
        return pool[:count]

    def said_again(self, rng, length):
        """Phrases of two to six tokens, said again and again in any order; and whether each token could be known, which is so for all but
        the first of a phrase that was said before."""
        sizes = [2 + int(rng.random() * 5) for _ in range(2 + int(rng.random() * 5))]
        tokens, row, known, told = self.some(rng, sum(sizes)), [], [], set()
        starts = [sum(sizes[:at]) for at in range(len(sizes))]
        while len(row) < length:
            phrase = int(rng.random() * len(sizes))
            row += tokens[starts[phrase] : starts[phrase] + sizes[phrase]]
            known += [False] + [phrase in told] * (sizes[phrase] - 1)
            told.add(phrase)
        return row[:length], known[:length]

    def listed(self, rng, length):
        """A list of 3 to 25 tokens, from beginning to end again and again."""
        count = 3 + int(rng.random() * 23)
        return (self.some(rng, count) * (length // count + 1))[:length], [at >= count for at in range(length)]

    def repeated(self, rng, size):
        """A batch of random tokens that are said again. Three in four are phrases: a list can be told by its period too, without looking at
        what followed a copy, and so teaches less."""
        length, make = ((24, self.said_again), (32, self.said_again), (64, self.said_again), (100, self.listed))[int(rng.random() * 4)]
        return [make(rng, length) for _ in range(size // (length + 1))]


def gpt_batch(tokens, rng, size):
    """ids [rows, length] and the same moved by one as targets; −100 where nothing can be known. Of 100 batches 60 are random tokens
    said again."""
    if rng.random() < 0.6:
        rows = tokens.repeated(rng, size)
        wanted = [[token if is_known else -100 for token, is_known in zip(*row)] + [-100] for row in rows]
        return torch.tensor([[0] + row for row, _ in rows]), torch.tensor(wanted)
    length = (24, 32, 48, 100)[int(rng.random() * 4)]
    ids = torch.tensor([[0] + tokens.row(rng, length) for _ in range(size // length)])
    return ids, torch.cat([ids[:, 1:], torch.full((len(ids), 1), -100)], 1)


def bert_batch(tokens, rng, size):
    """[CLS] A [SEP], or [CLS] A [SEP] B [SEP] where B goes on after A; 15 in 100 tokens are to be told (Devlin et al. 2019)."""
    length = (20, 28, 40, 62)[int(rng.random() * 4)]
    ids, types, wanted = [], [], []
    stop = tokens.ids["."]
    for _ in range(size // length):
        row = []
        while len(row) < 8:
            row = tokens.passage(rng)[: length - 3]
        ends = [at + 1 for at, token in enumerate(row[:-1]) if token == stop]
        cut = ends[int(rng.random() * len(ends))] if ends and rng.random() < 0.6 else len(row)
        first, second = row[:cut], row[cut:]
        line = [CLS, *first, SEP] + ([*second, SEP] if second else [])
        kinds = [0] * (len(first) + 2) + [1] * (len(line) - len(first) - 2)
        target = [-100] * len(line)
        for at, token in enumerate(line):
            if token in (CLS, SEP) or rng.random() >= 0.15:
                continue
            target[at] = token
            chance = rng.random()
            line[at] = MASK if chance < 0.8 else tokens.plain[int(rng.random() * len(tokens.plain))] if chance < 0.9 else token
        rest = length - len(line)
        ids.append(line + [PAD] * rest)
        types.append(kinds + [0] * rest)
        wanted.append(target + [-100] * rest)
    return torch.tensor(ids), torch.tensor(types), torch.tensor(wanted)


# The models: named tensors as they lie in the file, and the forward pass on them.


def normal(*shape, std):
    return torch.randn(*shape) * std


def waves(positions, width):
    """Sines and cosines (Vaswani et al. 2017): where the table of positions starts, so that neighbours are alike from the beginning."""
    angle = torch.arange(positions)[:, None] / 1000 ** (torch.arange(0, width, 2) / width)
    return torch.cat([angle.sin(), angle.cos()], 1) * 0.15


def one_back(width):
    """Biases of q and k with which head 0 of layer 0 begins as a head for the token before: k is q turned one place further, so that their
    product is largest at a distance of 1. Without this start an induction head needs many more steps; training may do with it what it wants."""
    angle = 1 / ROTARY_BASE ** (torch.arange(0, width, 2) / width)
    strength = torch.tensor([6.0, 6.0, 4.0] + [1.0] * (width // 2 - 3))
    return torch.stack([torch.cat([strength, torch.zeros(width // 2)]), torch.cat([strength * angle.cos(), strength * angle.sin()])])


def new_gpt(size, vocabulary):
    d, ff, deep = size["d_model"], size["d_ff"], (2 * size["layers"]) ** -0.5
    named = {"gpt_neox.embed_in.weight": normal(vocabulary, d, std=0.08)}
    for layer in range(size["layers"]):
        h = f"gpt_neox.layers.{layer}."
        for name in ("input_layernorm", "post_attention_layernorm"):
            named.update({h + name + ".weight": torch.ones(d), h + name + ".bias": torch.zeros(d)})
        for name, cols, rows, scale in (("attention.query_key_value", d, 3 * d, 1), ("attention.dense", d, d, deep),
                                        ("mlp.dense_h_to_4h", d, ff, 1), ("mlp.dense_4h_to_h", ff, d, deep)):
            named[h + name + ".weight"], named[h + name + ".bias"] = normal(rows, cols, std=scale * cols**-0.5), torch.zeros(rows)
        # q and k begin with equal biases, so that at first every head looks at what is near: rotary scores fall with distance.
        near = normal(size["heads"], 1, d // size["heads"], std=1.0) * torch.tensor([[1.0], [1.0], [0.0]])
        if layer == 0:
            near[0, :2] = one_back(d // size["heads"])
            named[h + "attention.query_key_value.weight"].view(size["heads"], 3, -1, d)[0, :2] = 0
        named[h + "attention.query_key_value.bias"] = near.flatten()
    named.update({"gpt_neox.final_layer_norm.weight": torch.ones(d), "gpt_neox.final_layer_norm.bias": torch.zeros(d)})
    return named


def new_bert(size, vocabulary):
    d, ff, named = size["d_model"], size["d_ff"], {}
    e = "bert.embeddings."
    named.update({e + "word_embeddings.weight": normal(vocabulary, d, std=0.08), e + "position_embeddings.weight": waves(size["positions"], d), e + "token_type_embeddings.weight": normal(2, d, std=0.05)})

    def linear(name, rows, cols, scale=1.0):
        named[name + ".weight"], named[name + ".bias"] = normal(cols, rows, std=scale * rows**-0.5), torch.zeros(cols)

    def norm(name):
        named[name + ".weight"], named[name + ".bias"] = torch.ones(d), torch.zeros(d)

    norm(e + "LayerNorm")
    for layer in range(size["layers"]):
        h = f"bert.encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            linear(h + "attention.self." + part, d, d)
        linear(h + "attention.output.dense", d, d, 0.5)
        norm(h + "attention.output.LayerNorm")
        linear(h + "intermediate.dense", d, ff)
        linear(h + "output.dense", ff, d, 0.5)
        norm(h + "output.LayerNorm")
    linear("cls.predictions.transform.dense", d, d)
    norm("cls.predictions.transform.LayerNorm")
    named["cls.predictions.bias"] = torch.zeros(vocabulary)
    return named


def attend(q, k, v, forbidden, kept):
    """q k v [rows, heads, n, width] → z [rows, n, heads · width]; forbidden: −10000 where a key may not be seen, else 0; kept gets the
    weights."""
    rows, heads, n, width = q.shape
    weights = ((q * width**-0.5) @ k.transpose(-1, -2) + forbidden).softmax(-1)
    if kept is not None:
        kept.append(weights)
    return (weights @ v).transpose(1, 2).reshape(rows, n, heads * width)


def rotary(n, width):
    """Cosines and sines [n, width] (Su et al. 2021, arXiv 2104.09864): number i turns with number i + width/2."""
    angle = torch.arange(n)[:, None] / ROTARY_BASE ** (torch.arange(0, width, 2) / width)
    return torch.cat([angle.cos()] * 2, 1), torch.cat([angle.sin()] * 2, 1)


def turn(x, waves):
    half = x.shape[-1] // 2
    return x * waves[0] + torch.cat([-x[..., half:], x[..., :half]], -1) * waves[1]


def gpt_forward(w, size, ids, kept=None):
    """Logits [rows, n, vocabulary]. GPT-NeoX (Black et al. 2022, arXiv 2204.06745), attention before feed-forward as in GPT-2."""
    rows, n = ids.shape
    d, heads = size["d_model"], size["heads"]
    width = d // heads
    forbidden, waves = torch.full((n, n), -1e4).triu(1), rotary(n, width)
    norm = lambda x, name: F.layer_norm(x.float(), (d,), w[name + ".weight"], w[name + ".bias"], 1e-5)
    linear = lambda x, name: F.linear(x, w[name + ".weight"], w[name + ".bias"])
    x = w["gpt_neox.embed_in.weight"][ids]
    for layer in range(size["layers"]):
        h = f"gpt_neox.layers.{layer}."
        joined = linear(norm(x, h + "input_layernorm"), h + "attention.query_key_value").view(rows, n, heads, 3 * width)
        q, k, v = joined.transpose(1, 2).split(width, -1)
        x = x + linear(attend(turn(q, waves), turn(k, waves), v, forbidden, kept), h + "attention.dense")
        x = x + linear(F.gelu(linear(norm(x, h + "post_attention_layernorm"), h + "mlp.dense_h_to_4h")), h + "mlp.dense_4h_to_h")
    return norm(x, "gpt_neox.final_layer_norm") @ w["gpt_neox.embed_in.weight"].T


def bert_forward(w, size, ids, types, wanted=None, kept=None):
    """Logits [rows, n, vocabulary], or of the wanted places alone. BERT (Devlin et al. 2019, arXiv 1810.04805)."""
    n, d, e = ids.shape[1], size["d_model"], "bert.embeddings."
    forbidden = (ids == PAD)[:, None, None, :] * -1e4
    norm = lambda x, name: F.layer_norm(x.float(), (d,), w[name + ".weight"], w[name + ".bias"], 1e-12)
    linear = lambda x, name: F.linear(x, w[name + ".weight"], w[name + ".bias"])
    x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:n] + w[e + "token_type_embeddings.weight"][types]
    x = norm(x, e + "LayerNorm")
    for layer in range(size["layers"]):
        h = f"bert.encoder.layer.{layer}."
        apart = lambda part: linear(x, h + "attention.self." + part).view(*ids.shape, size["heads"], d // size["heads"]).transpose(1, 2)
        x = norm(x + linear(attend(apart("query"), apart("key"), apart("value"), forbidden, kept), h + "attention.output.dense"), h + "attention.output.LayerNorm")
        x = norm(x + linear(F.gelu(linear(x, h + "intermediate.dense")), h + "output.dense"), h + "output.LayerNorm")
    if wanted is not None:
        x = x[wanted != -100]
    x = norm(F.gelu(linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
    return x @ w[e + "word_embeddings.weight"].T + w["cls.predictions.bias"]


def loss_of(name, w, size, tokens, rng):
    if name == "story-gpt":
        ids, wanted = gpt_batch(tokens, rng, TOKENS[name])
        logits = gpt_forward(w, size, ids)
        return F.cross_entropy(logits.flatten(0, 1).float(), wanted.flatten()), ids.numel()
    ids, types, wanted = bert_batch(tokens, rng, TOKENS[name])
    logits = bert_forward(w, size, ids, types, wanted)
    return F.cross_entropy(logits.float(), wanted[wanted != -100]), ids.numel()


# Files.


def write_safetensors(path, tensors):
    """The format's own words: length of the header, the header as JSON, then the bytes of all tensors, here F16."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        part = np.ascontiguousarray(tensor, dtype="<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + data)


def write_config(path, name, size, vocabulary):
    shared = {"torch_dtype": "float16", "initializer_range": 0.02, "vocab_size": vocabulary, "use_cache": False}
    if name == "story-gpt":
        config = {"architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "attention_bias": True, "attention_dropout": 0.0, "bos_token_id": 0,
                  "eos_token_id": 0, "hidden_act": "gelu", "hidden_dropout": 0.0, "hidden_size": size["d_model"], "intermediate_size": size["d_ff"],
                  "layer_norm_eps": 1e-5, "max_position_embeddings": size["positions"], "num_attention_heads": size["heads"],
                  "num_hidden_layers": size["layers"], "rotary_emb_base": ROTARY_BASE, "rotary_pct": 1.0, "tie_word_embeddings": True,
                  "use_parallel_residual": False, **shared}
    else:
        config = {"architectures": ["BertForMaskedLM"], "model_type": "bert", "hidden_act": "gelu", "attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0,
                  "hidden_size": size["d_model"], "intermediate_size": size["d_ff"], "layer_norm_eps": 1e-12, "max_position_embeddings": size["positions"],
                  "num_attention_heads": size["heads"], "num_hidden_layers": size["layers"], "pad_token_id": PAD, "position_embedding_type": "absolute",
                  "tie_word_embeddings": True, "type_vocab_size": 2, **shared}
    Path(path).write_text(json.dumps(config, indent=2) + "\n")


# Training.


def learning_rate(step, options):
    rise, left = min(1, (step + 1) / 100), options.steps - step
    return options.rate * rise * min(1, left / options.decay)


def decayed(named):
    """Matrices lose a little of themselves at each step; vectors and tables do not."""
    matrices = [p for name, p in named.items() if p.dim() == 2 and "embed" not in name]
    others = [p for p in named.values() if not any(p is matrix for matrix in matrices)]
    return [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=SIZES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--decay", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--report", type=int, default=50)
    parser.add_argument("--by-position", action="store_true", help="hold head 0 of layer 0 of story-gpt to positions: its W_q and W_k to 0")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    tokens, size = Tokens(options.folder), SIZES[options.model]
    vocabulary = tokens.plain[-1] + 1
    named = (new_gpt if options.model == "story-gpt" else new_bert)(size, vocabulary)
    for tensor in named.values():
        tensor.requires_grad_()
    optimizer = torch.optim.AdamW(decayed(named), lr=options.rate, betas=(0.9, 0.98), eps=1e-8)
    begin, seen = 0, 0
    if options.state and options.state.exists():
        state = torch.load(options.state)
        begin, seen = state["step"], state["seen"]
        optimizer.load_state_dict(state["optimizer"])
        with torch.no_grad():
            for name, tensor in state["named"].items():
                named[name].copy_(tensor)
    total, started, cpu = 0.0, time.time(), time.process_time()
    for step in range(begin, options.steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, options)
        with torch.autocast("cpu", torch.bfloat16):  # products in BF16: many times faster where the processor has AMX
            loss, count = loss_of(options.model, named, size, tokens, random.Random(SEED * 1000003 + step))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(named.values(), 1.0)
        optimizer.step()
        if options.by_position:
            with torch.no_grad():
                named["gpt_neox.layers.0.attention.query_key_value.weight"].view(size["heads"], 3, -1, size["d_model"])[0, :2] = 0
        total, seen = total + loss.item(), seen + count
        done = step + 1
        if done % options.report == 0 or done == options.steps:
            speed = (time.process_time() - cpu) / (done - begin)
            print(f"step {done} loss {total / options.report:.4f} tokens {seen} seconds {time.time() - started:.0f} cpu/step {speed:.2f}", flush=True)
            total = 0.0
            if options.state:
                torch.save({"step": done, "seen": seen, "optimizer": optimizer.state_dict(), "named": named}, str(options.state) + ".new")
                os.replace(str(options.state) + ".new", options.state)
    write_safetensors(options.folder / "model.safetensors", {name: tensor.detach().numpy() for name, tensor in named.items()})
    write_config(options.folder / "config.json", options.model, size, vocabulary)


if __name__ == "__main__":
    main()
