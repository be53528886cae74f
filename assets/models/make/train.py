#!/usr/bin/env python3
"""Trains story-gpt or story-bert on passages of tell.py. Needs PyTorch (1.13 and later); one thread of one processor is enough.

    train.py MODEL FOLDER --steps N [--typing N] [--from FOLDER] [--seed S] [--state FILE]

FOLDER holds the model's tokenizer.json and gets config.json and model.safetensors (F16). The batch of step s depends on the seed and s
alone, so that a run that was interrupted and resumed from --state equals one that was not. The learning rate rises for 200 steps, stays,
and falls to 0 over the last three tenths of N. After these come the steps of --typing, with more words that the grammar did not say: what
people type has many of them. They begin at two fifths of the rate, and it falls to 0 again.
"""
import argparse
import json
import os
import random
import time
from collections import Counter
from itertools import accumulate
from pathlib import Path

import torch
import torch.nn.functional as F

from carry_over import carried
from english import lexicon
from grammar.passages import passage
from grammar.writer import ENDS_SENTENCE, Writer
from measures import sentences
from safetensors_file import write_safetensors
from tokens import OPENINGS, Tokenizer

ROTARY_BASE = 1000
PAD, CLS, SEP, MASK = 0, 2, 3, 4  # ids of story-bert's tokenizer
SIZE = {"layers": 4, "heads": 8, "d_model": 192, "d_ff": 768}
POSITIONS = {"story-gpt": 256, "story-bert": 128}
TOKENS = 2048  # in a batch
UNKNOWN = 0.04  # of the words, how many are others than the grammar said: so that a word it does not know does not throw a model
UNKNOWN_TYPED = 0.1  # in the steps of --typing
OPENED = 0.1  # of the passages there, how many begin with a word of OPENINGS
AGAIN = 0.25  # the share of a batch of story-gpt that is random tokens, said again


class Text:
    """Passages as token ids. None of them has a sentence of three words or more that is held out for the card's figures."""

    def __init__(self, folder):
        lines = (Path(folder).parent / "held_out.jsonl").read_text().splitlines()[1:]
        told = [sentence for line in lines for sentence in sentences(json.loads(line)["words"])]
        self.held_out = {sentence for sentence in told if len(sentence) > 3}
        self.tokenizer = Tokenizer(folder)
        self.plain = self.tokenizer.plain
        self.starts, self.inner = self.tokenizer.pieces()
        self.forms = lexicon.all_forms()
        self.openings = OPENINGS["story-gpt" if self.tokenizer.is_bpe else "story-bert"]
        self.is_typing = False
        self.told = self.count_told()

    def count_told(self):
        """The words of the grammar, and running sums of the roots of how often it says them."""
        rng = random.Random(0)
        counts = Counter(word for _ in range(4000) for word in passage(Writer(rng)).words if word.isalnum())
        words = sorted(counts)
        return words, list(accumulate(counts[word] ** 0.5 for word in words))

    def passage(self, rng):
        while True:
            words = passage(Writer(rng)).words
            if self.held_out.isdisjoint(sentences(words)):
                self.note(words)
                if self.is_typing and rng.random() < OPENED:
                    words = self.opened(rng, words)
                told = self.tokenizer.words(words)
                share = UNKNOWN_TYPED if self.is_typing else UNKNOWN
                return [index for word, ids in zip(words, told) for index in (self.unknown(rng) if word.isalnum() and rng.random() < share else ids)]

    def opened(self, rng, words):
        """A greeting before a comma, or another word that people begin with and a small letter after it."""
        opening, first = self.openings[int(rng.random() * len(self.openings))], words[0].lower()
        if opening.lower() in ("hi", "hello", "oh", "ok"):
            return [opening, ",", *words]
        return [opening, first if first in self.told[0] else words[0], *words[1:]]

    def unknown(self, rng):
        """Any word of the lexicon, or one to three pieces that are no word at all; where people type, more often a word of the grammar."""
        if self.is_typing and rng.random() < 0.6:
            return self.tokenizer.word(rng.choices(self.told[0], cum_weights=self.told[1])[0], False)
        if rng.random() < 0.5:
            return self.tokenizer.word(self.forms[int(rng.random() * len(self.forms))], False)
        inner = [self.inner[int(rng.random() * len(self.inner))] for _ in range(int(rng.random() * 3))]
        return (self.starts[int(rng.random() * len(self.starts))], *inner)

    def note(self, words):
        """For measure.py, which asks what was told."""

    def row(self, rng, length):
        """Passages one after another, cut to the length."""
        row = []
        while len(row) < length:
            row += self.passage(rng)
        return row[:length]

    def said_again(self, rng, length):
        """Phrases of random tokens, two to eight each, said again and again in any order; and whether each token could be known, which is so
        for all but the first of a phrase that was said before."""
        phrases = []
        while sum(map(len, phrases)) < length / (2 + 3 * rng.random()) or len(phrases) < 2:
            phrases.append([self.plain[int(rng.random() * len(self.plain))] for _ in range(2 + int(rng.random() * 7))])
        row, known, told = [], [], set()
        while len(row) < length:
            at = int(rng.random() * len(phrases))
            row += phrases[at]
            known += [False] + [at in told] * (len(phrases[at]) - 1)
            told.add(at)
        return row[:length], known[:length]

    def listed(self, rng, length):
        """A list of random tokens, from beginning to end again and again."""
        count = min(3 + int(rng.random() * 28), length // 2)
        tokens = [self.plain[int(rng.random() * len(self.plain))] for _ in range(count)]
        return (tokens * (length // count + 1))[:length], [at >= count for at in range(length)]


def gpt_rows(text, rng):
    """Rows of ids, and the same moved by one as targets; -100 where nothing can be known. A fixed share of the rows is random tokens
    said again, three in four of them phrases: a list can be told by its period too, without looking at what followed a copy."""
    length = (32, 48, 64, 104)[int(rng.random() * 4)]
    ids, wanted = [], []
    rows = TOKENS // length
    for at in range(rows):
        if at < AGAIN * rows:
            row, known = (text.said_again if rng.random() < 0.75 else text.listed)(rng, length)
            wanted.append([token if is_known else -100 for token, is_known in zip(row, known)] + [-100])
        else:
            row = text.row(rng, length)
            wanted.append(row + [-100])
        ids.append([0] + row)
    return ids, wanted


def bert_batch(text, rng):
    """[CLS] A [SEP], or [CLS] A [SEP] B [SEP] where B goes on after A; 25 in 100 tokens are to be told (Devlin et al. 2019 take 15; Wettig et
    al. 2023, arXiv 2202.08005, found more to teach faster)."""
    length = (24, 32, 48, 64)[int(rng.random() * 4)]
    ids, types, wanted = [], [], []
    ends = [text.tokenizer.vocab[mark] for mark in ENDS_SENTENCE]
    for _ in range(TOKENS // length):
        row = []
        while len(row) < length / 2:
            row += text.passage(rng)
        row = row[: length - 3]
        cuts = [at + 1 for at, token in enumerate(row[:-1]) if token in ends]
        cut = cuts[int(rng.random() * len(cuts))] if cuts and rng.random() < 0.5 else len(row)
        first, second = row[:cut], row[cut:]
        line = [CLS, *first, SEP] + ([*second, SEP] if second else [])
        kinds = [0] * (len(first) + 2) + [1] * (len(line) - len(first) - 2)
        target = [-100] * len(line)
        for at, token in enumerate(line):
            if token in (CLS, SEP) or rng.random() >= 0.25:
                continue
            target[at] = token
            chance = rng.random()
            line[at] = MASK if chance < 0.8 else text.plain[int(rng.random() * len(text.plain))] if chance < 0.9 else token
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
    named.update({e + "word_embeddings.weight": normal(vocabulary, d, std=0.08),
                  e + "position_embeddings.weight": waves(POSITIONS["story-bert"], d),
                  e + "token_type_embeddings.weight": normal(2, d, std=0.05)})

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
        z = attend(apart("query"), apart("key"), apart("value"), forbidden, kept)
        x = norm(x + linear(z, h + "attention.output.dense"), h + "attention.output.LayerNorm")
        x = norm(x + linear(F.gelu(linear(x, h + "intermediate.dense")), h + "output.dense"), h + "output.LayerNorm")
    if wanted is not None:
        x = x[wanted != -100]
    x = norm(F.gelu(linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
    return x @ w[e + "word_embeddings.weight"].T + w["cls.predictions.bias"]


def loss_of(name, w, text, rng):
    if name == "story-gpt":
        ids, wanted = (torch.tensor(rows) for rows in gpt_rows(text, rng))
        logits = gpt_forward(w, SIZE, ids)
        return F.cross_entropy(logits.flatten(0, 1).float(), wanted.flatten()), ids.numel()
    ids, types, wanted = bert_batch(text, rng)
    logits = bert_forward(w, SIZE, ids, types, wanted)
    return F.cross_entropy(logits.float(), wanted[wanted != -100]), ids.numel()


# Files.


def write_config(path, name, size, vocabulary):
    shared = {"torch_dtype": "float16", "initializer_range": 0.02, "vocab_size": vocabulary, "use_cache": False}
    if name == "story-gpt":
        config = {"architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "attention_bias": True, "attention_dropout": 0.0,
                  "bos_token_id": 0, "eos_token_id": 0, "hidden_act": "gelu", "hidden_dropout": 0.0, "hidden_size": size["d_model"], "intermediate_size": size["d_ff"],
                  "layer_norm_eps": 1e-5, "max_position_embeddings": POSITIONS[name], "num_attention_heads": size["heads"],
                  "num_hidden_layers": size["layers"], "rotary_emb_base": ROTARY_BASE, "rotary_pct": 1.0, "tie_word_embeddings": True,
                  "use_parallel_residual": False, **shared}
    else:
        config = {"architectures": ["BertForMaskedLM"], "model_type": "bert", "hidden_act": "gelu", "attention_probs_dropout_prob": 0.0,
                  "hidden_dropout_prob": 0.0, "hidden_size": size["d_model"], "intermediate_size": size["d_ff"], "layer_norm_eps": 1e-12,
                  "max_position_embeddings": POSITIONS[name], "num_attention_heads": size["heads"], "num_hidden_layers": size["layers"],
                  "pad_token_id": PAD, "position_embedding_type": "absolute",
                 
                  "tie_word_embeddings": True, "type_vocab_size": 2, **shared}
    Path(path).write_text(json.dumps(config, indent=2) + "\n")


# Training.


def learning_rate(step, options):
    if step >= options.steps:
        return options.rate * 0.4 * (1 - (step - options.steps) / options.typing)
    rise, left = min(1, (step + 1) / 200), options.steps - step
    return options.rate * rise * min(1, left / (0.3 * options.steps))


def decayed(named):
    """Matrices lose a little of themselves at each step; vectors and tables do not."""
    matrices = [p for name, p in named.items() if p.dim() == 2 and "embed" not in name]
    others = [p for p in named.values() if not any(p is matrix for matrix in matrices)]
    return [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]


def hold_to_positions(named):
    """Head 0 of layer 0 of story-gpt looks by position alone: its W_q and W_k stay 0."""
    with torch.no_grad():
        named["gpt_neox.layers.0.attention.query_key_value.weight"].view(SIZE["heads"], 3, -1, SIZE["d_model"])[0, :2] = 0


class Run:
    """Weights, optimizer and where it stands; kept in a file, from which it goes on."""

    def __init__(self, options, vocabulary):
        torch.manual_seed(options.seed)
        self.options = options
        self.named = (new_gpt if options.model == "story-gpt" else new_bert)(SIZE, vocabulary)
        self.new_pieces = carried(self.named, options.begin, Tokenizer(options.folder)) if options.begin else []
        for tensor in self.named.values():
            tensor.requires_grad_(not self.new_pieces or len(tensor) == vocabulary)
        self.optimizer = torch.optim.AdamW(decayed(self.named), lr=options.rate, betas=(0.9, 0.98), eps=1e-8)
        self.step, self.seen, self.curve = 0, 0, []
        if options.state and options.state.exists():
            self.load()

    def load(self):
        state = torch.load(self.options.state)
        self.step, self.seen, self.curve = state["step"], state["seen"], state["curve"]
        self.optimizer.load_state_dict(state["optimizer"])
        with torch.no_grad():
            for name, tensor in state["named"].items():
                self.named[name].copy_(tensor)

    def save(self):
        new = f"{self.options.state}.new"
        torch.save({"step": self.step, "seen": self.seen, "curve": self.curve, "optimizer": self.optimizer.state_dict(), "named": self.named}, new)
        os.replace(new, self.options.state)

    def leave_old_pieces(self):
        """Where only new pieces learn, the rows of the others get no gradient: they stay as they are, to the bit."""
        for tensor in self.named.values() if self.new_pieces else ():
            if tensor.requires_grad:
                kept = tensor.grad[self.new_pieces].clone()
                tensor.grad.zero_()
                tensor.grad[self.new_pieces] = kept

    def learn(self, text):
        """One step; returns its loss."""
        text.is_typing = self.step >= self.options.steps
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.step, self.options)
        with torch.autocast("cpu", torch.bfloat16):  # products in BF16: twice as fast and more
            loss, count = loss_of(self.options.model, self.named, text, random.Random(self.options.seed * 1000003 + self.step))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.leave_old_pieces()
        torch.nn.utils.clip_grad_norm_(self.named.values(), 1.0)
        self.optimizer.step()
        if self.options.model == "story-gpt":
            hold_to_positions(self.named)
        self.step, self.seen = self.step + 1, self.seen + count
        return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=POSITIONS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=14000)
    parser.add_argument("--typing", type=int, default=0)
    parser.add_argument("--from", dest="begin", type=Path)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--until", type=int, help="stop after this step, to go on later")
    options = parser.parse_args()
    torch.set_num_threads(1)
    text = Text(options.folder)
    run = Run(options, len(text.tokenizer.vocab))
    total, started = 0.0, time.time()
    last = options.until or options.steps + options.typing
    while run.step < last:
        total += run.learn(text)
        if run.step % 100 == 0 or run.step == last:
            run.curve.append((run.step, total / 100))
            print(f"step {run.step} loss {total / 100:.4f} tokens {run.seen} seconds {time.time() - started:.0f}", flush=True)
            total = 0.0
            if options.state:
                run.save()
    write_safetensors(options.folder / "model.safetensors", {name: tensor.detach().numpy() for name, tensor in run.named.items()})
    write_config(options.folder / "config.json", options.model, SIZE, len(text.tokenizer.vocab))


if __name__ == "__main__":
    main()
