#!/usr/bin/env python3
"""What the heads of a demo model do, from its shipped weights: a forward pass of its own, in NumPy and double precision.

    measure.py FOLDER                    all heads, best first, for each measure
    measure.py FOLDER --card             writes FOLDER/card.json: the figures that tests/reference/demo_models_test.cpp recomputes
    measure.py FOLDER --compare FILE.npz how far this is from what `headlight trace -m FOLDER -t TEXT -o FILE.npz` computes
    measure.py --overlap STEPS           how much of the held-out text the first STEPS batches of story-gpt's training held

MEASURES, on ../held_out.jsonl and ../repeated.jsonl (made by story.py, see README.md). Rows and columns are tokens; the first token of
a text (<|endoftext|>, or [CLS]) is a key like any other, except where said.

    previous token     mean weight on the token before; of the rows that have one; then mean over passages
    prefix matching    25 words four times over: weight on all tokens that follow an earlier copy of the query's token; mean over the
                       rows of repeats 2 to 4 (Olsson et al. 2022), then over lists
    first token        mean weight on the first token, of rows that see at least two
    [SEP]              mean weight on all [SEP] (story-bert)
    a relation         share of its cases in which the key with the most weight is the right word; query = the later word, or the word
                       before it ("before"), which has to foresee it. Left out as keys: the query itself, and the special tokens
                       (Clark et al. 2019). Baseline: the one distance that is right most often for these cases.
    accepted           share of places where the grammar decides in which the likeliest next token is one that it accepts. It decides
                       where the passage cannot end and at most a tenth of its words may come.
    right form         share of verbs whose right form (sleeps, sleep) is likelier than the wrong one; in story-bert with the verb masked

Heads are chosen on ../choosing.jsonl and on the first half of the lists, and measured on ../held_out.jsonl and on the second half, so that
a figure is not the best of chance. The heads that a card names by hand ("heads") are measured there too.
"""
import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np

from bpe import SPACE, START, read_ids, word_ids

MODELS = Path(__file__).resolve().parent.parent


def read_lines(name):
    return [json.loads(line) for line in (MODELS / name).read_text(encoding="utf-8").splitlines()]


def read_safetensors(path):
    data = Path(path).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, info in json.loads(data[8:start]).items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            kind = {"F16": "<f2", "F32": "<f4"}[info["dtype"]]
            tensors[name] = np.frombuffer(data[start + begin : start + end], kind).reshape(info["shape"]).astype(np.float64)
    return tensors


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def turn(x, base):
    """Rotary positions (Su et al. 2021, arXiv 2104.09864) on [n, width]: number i with number i + width/2."""
    n, width = x.shape
    angle = np.arange(n)[:, None] / base ** (np.arange(0, width, 2) / width)
    first, second = np.split(x, 2, -1)
    return np.concatenate([first * np.cos(angle) - second * np.sin(angle), second * np.cos(angle) + first * np.sin(angle)], -1)


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


class Model:
    """Reads a folder; run(ids) gives logits [n, vocabulary] and weights [layer][head][query, key]. One row of `kinds` for each family."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.config = json.loads((self.folder / "config.json").read_text())
        self.w = read_safetensors(self.folder / "model.safetensors")
        kinds = {"gpt_neox": (self.run_neox, "num_hidden_layers", "num_attention_heads", "layer_norm_eps"),
                 "gpt2": (self.run_gpt2, "n_layer", "n_head", "layer_norm_epsilon"),
                 "bert": (self.run_bert, "num_hidden_layers", "num_attention_heads", "layer_norm_eps")}
        self.run, *keys = kinds[self.config["model_type"]]
        self.layers, self.heads, self.epsilon = (self.config[key] for key in keys)
        self.is_causal = self.config["model_type"] != "bert"

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon) * self.w[name + ".weight"] + self.w[name + ".bias"]

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def conv1d(self, x, name):
        return x @ self.w[name + ".weight"] + self.w[name + ".bias"]

    def attend(self, q, k, v):
        """q k v: one matrix [n, width] for each head."""
        n, weights, z = len(q[0]), [], []
        for head in range(self.heads):
            scores = q[head] @ k[head].T / math.sqrt(q[head].shape[1])
            if self.is_causal:
                scores[np.triu_indices(n, 1)] = -np.inf
            weights.append(softmax(scores))
            z.append(weights[-1] @ v[head])
        return np.array(weights), np.concatenate(z, -1)

    def apart(self, x):
        return np.split(x, self.heads, -1)

    def run_neox(self, ids):
        base, maps = self.config["rotary_emb_base"], []
        x = self.w["gpt_neox.embed_in.weight"][ids]
        for layer in range(self.layers):
            h = f"gpt_neox.layers.{layer}."
            parts = [np.split(part, 3, -1) for part in self.apart(self.linear(self.norm(x, h + "input_layernorm"), h + "attention.query_key_value"))]
            weights, z = self.attend([turn(q, base) for q, _, _ in parts], [turn(k, base) for _, k, _ in parts], [v for _, _, v in parts])
            maps.append(weights)
            x = x + self.linear(z, h + "attention.dense")
            x = x + self.linear(gelu(self.linear(self.norm(x, h + "post_attention_layernorm"), h + "mlp.dense_h_to_4h")), h + "mlp.dense_4h_to_h")
        return self.norm(x, "gpt_neox.final_layer_norm") @ self.w["gpt_neox.embed_in.weight"].T, maps

    def run_gpt2(self, ids):
        p, maps = "transformer.", []
        x = self.w[p + "wte.weight"][ids] + self.w[p + "wpe.weight"][: len(ids)]
        for layer in range(self.layers):
            h = f"{p}h.{layer}."
            q, k, v = np.split(self.conv1d(self.norm(x, h + "ln_1"), h + "attn.c_attn"), 3, -1)
            weights, z = self.attend(self.apart(q), self.apart(k), self.apart(v))
            maps.append(weights)
            x = x + self.conv1d(z, h + "attn.c_proj")
            inner = self.conv1d(self.norm(x, h + "ln_2"), h + "mlp.c_fc")
            x = x + self.conv1d(0.5 * inner * (1 + np.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3))), h + "mlp.c_proj")
        return self.norm(x, p + "ln_f") @ self.w.get("lm_head.weight", self.w[p + "wte.weight"]).T, maps

    def run_bert(self, ids):
        e, maps = "bert.embeddings.", []
        x = self.w[e + "word_embeddings.weight"][ids] + self.w[e + "position_embeddings.weight"][: len(ids)] + self.w[e + "token_type_embeddings.weight"][0]
        x = self.norm(x, e + "LayerNorm")
        for layer in range(self.layers):
            h = f"bert.encoder.layer.{layer}."
            weights, z = self.attend(*(self.apart(self.linear(x, h + "attention.self." + part)) for part in ("query", "key", "value")))
            maps.append(weights)
            x = self.norm(x + self.linear(z, h + "attention.output.dense"), h + "attention.output.LayerNorm")
            x = self.norm(x + self.linear(gelu(self.linear(x, h + "intermediate.dense")), h + "output.dense"), h + "output.LayerNorm")
        x = self.norm(gelu(self.linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
        return x @ self.w[e + "word_embeddings.weight"].T + self.w["cls.predictions.bias"], maps


class Encoder:
    """Passages as a tokenizer with special tokens gives them. Token of word w: w + 1."""

    def __init__(self, folder):
        self.ids, self.opening, self.glued_i, self.plain = read_ids(folder)
        vocab = json.loads((Path(folder) / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
        self.before, self.after = ([vocab[START]], []) if START in vocab else ([vocab["[CLS]"]], [vocab["[SEP]"]])
        self.mask, self.texts = vocab.get("[MASK]"), {index: token for token, index in vocab.items()}

    def encode(self, words):
        return self.before + word_ids(words, self.ids, self.opening, self.glued_i) + self.after

    def accepts(self, words, token):
        return self.texts[token].lstrip(SPACE) in words


def previous_mass(weights):
    return np.diagonal(weights, -1).mean()


def prefix_matching(weights, count, repeats=4):
    """Rows and columns: the first token, then `repeats` copies of `count` tokens."""
    rows = range(1 + count, 1 + repeats * count)
    return np.mean([sum(weights[row, key + 1] for key in range(row - count, 0, -count)) for row in rows])


def prefix_chance(count, repeats=4):
    """The same number of a head that looks at all it sees alike."""
    return np.mean([len(range(row - count, 0, -count)) / (row + 1) for row in range(1 + count, 1 + repeats * count)])


def queries_of(relation, is_causal):
    """Which row to look at, and where its most weight should be; both as tokens. A causal model may have to foresee the later word; one
    that sees all may look back from the earlier."""
    later, earlier = relation["from"] + 1, relation["to"] + 1
    yield "word", later, earlier
    if not is_causal:
        yield "earlier word", earlier, later
    elif later - 1 != earlier:
        yield "word before", later - 1, earlier


class Tally:
    """Sums over some held-out passages: every head's masses and relations, accepted words, right forms."""

    def __init__(self, model, encoder, header, lines):
        self.model, self.encoder, self.header = model, encoder, header
        shape = (model.layers, model.heads)
        self.masses, self.hits, self.offsets = defaultdict(lambda: np.zeros(shape)), defaultdict(lambda: np.zeros(shape)), defaultdict(Counter)
        self.accepted, self.decided, self.right, self.verbs = 0, 0, 0, 0
        self.passages = len(lines)
        for line in lines:
            ids = encoder.encode(line["words"])
            logits, maps = model.run(ids)
            maps = np.array(maps)  # [layer, head, query, key]
            self.add_masses(maps)
            for relation in line["relations"]:
                self.add_relation(relation, maps, len(line["words"]))
            if model.is_causal:
                self.add_accepted(line, logits)
            self.add_forms(line, ids, logits)

    def add_masses(self, maps):
        masses = {"previous token": np.diagonal(maps, -1, 2, 3).mean(-1), "first token": maps[:, :, 1 if self.model.is_causal else 0 :, 0].mean(-1)}
        if not self.model.is_causal:
            masses.update({"next token": np.diagonal(maps, 1, 2, 3).mean(-1), "separator": maps[:, :, :, -1].mean(-1)})
        for name, mass in masses.items():
            self.masses[name] += mass / self.passages

    def add_relation(self, relation, maps, words):
        for which, query, key in queries_of(relation, self.model.is_causal):
            name = relation["relation"], which
            self.offsets[name][key - query] += 1
            rows = maps[:, :, query, : words + 1].copy()
            rows[:, :, [0, query]] = -1
            self.hits[name] += rows.argmax(-1) == key

    def add_accepted(self, line, logits):
        for at, number in enumerate(line["accepted"][:-1]):
            words = self.header["sets"][number]
            if "<end>" not in words and len(words) * 10 <= self.header["vocabulary"]:
                self.decided += 1
                self.accepted += self.encoder.accepts(words, int(logits[at].argmax()))

    def add_forms(self, line, ids, logits):
        for contrast in line["contrasts"]:
            at, told = contrast["word"] + 1, logits[contrast["word"]]
            if not self.model.is_causal:
                told = self.model.run([*ids[:at], self.encoder.mask, *ids[at + 1 :]])[0][at]
            self.verbs += 1
            self.right += told[ids[at]] > told[self.encoder.ids[contrast["wrong"]]]


def induction(model, lists):
    """lists: token ids of the first token, then of each list's words, once."""
    return sum(np.array([[prefix_matching(weights, len(ids)) for weights in layer] for layer in model.run([*first, *ids * 4])[1]]) for first, ids in lists) / len(lists)


def halves(lines):
    return lines[: len(lines) // 2], lines[len(lines) // 2 :]


class Figures:
    """The card's figures: for each measure the head that is best where heads are chosen, its value where they are measured, and that of all."""

    def __init__(self):
        self.found, self.tables = [], {}

    def add(self, measure, first, second, **more):
        layer, head = (int(at) for at in np.unravel_index(first.argmax(), first.shape))
        self.found.append({"measure": measure, "layer": layer, "head": head, "value": round(float(second[layer, head]), 6), **more})
        self.tables[name_of(self.found[-1])] = second


def hand_figures(model, folder):
    """Of induction-by-hand, whose heads were set and not found: no halves."""
    figures = Figures()
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    lists = [([0], [vocab[letter] for letter in line["letters"]]) for line in read_lines("induction-by-hand/repeated.jsonl")]
    previous = np.mean([np.diagonal(np.array(model.run([*first, *ids * 4])[1]), -1, 2, 3).mean(-1) for first, ids in lists], 0)
    figures.add("previous token", previous, previous)
    prefix = induction(model, lists)
    figures.add("prefix matching", prefix, prefix, baseline=round(float(prefix_chance(len(lists[0][1]))), 6))
    return figures


def story_figures(model, folder):
    figures, encoder = Figures(), Encoder(folder)
    first, second = (Tally(model, encoder, lines[0], lines[1:]) for lines in map(read_lines, ("choosing.jsonl", "held_out.jsonl")))
    for measure in first.masses:
        figures.add(measure, first.masses[measure], second.masses[measure])
    if model.is_causal:
        lists = [(encoder.before, [encoder.ids[word] for word in line["words"]]) for line in read_lines("repeated.jsonl")]
        figures.add("prefix matching", *(induction(model, half) for half in halves(lists)), baseline=round(float(prefix_chance(len(lists[0][1]))), 6))
    for relation, query in sorted(first.offsets):
        name = relation, query
        cases = sum(second.offsets[name].values())
        offset, most = second.offsets[name].most_common(1)[0]
        shares = first.hits[name] / sum(first.offsets[name].values()), second.hits[name] / cases
        figures.add("relation", *shares, relation=relation, query=query, cases=cases, baseline=round(most / cases, 6), offset=offset)
    for measure, good, all_cases in (("accepted", "accepted", "decided"), ("right form", "right", "verbs")):
        cases = getattr(second, all_cases)
        if cases:
            figures.found.append({"measure": measure, "value": round(float(getattr(second, good) / cases), 6), "cases": int(cases)})
    return figures


def figures_of(model, folder):
    return (hand_figures if folder.name == "induction-by-hand" else story_figures)(model, folder)


def name_of(figure):
    return figure["measure"] if figure["measure"] != "relation" else f"{figure['relation']}, from the {figure['query']}"


def report(figures):
    for figure in figures.found:
        name, chosen, heads = name_of(figure), f"{three(figure['value'])}", ""
        if name in figures.tables:
            table = figures.tables[name]
            order = table.ravel().argsort()[::-1][:4]
            chosen = f"L{figure['layer']}H{figure['head']} {chosen}"
            heads = "best here: " + "  ".join(f"L{at // table.shape[1]}H{at % table.shape[1]} {table.ravel()[at]:.3f}" for at in order)
        print(f"{name:40} {chosen:12} {row_end(figure)} {heads}")


def three(value):
    """Three digits, a half upwards."""
    return str(Decimal(str(value)).quantize(Decimal("0.001"), ROUND_HALF_UP))


def row_end(figure):
    base = three(figure["baseline"]) if "baseline" in figure else ""
    return f"| {base} | {figure.get('offset', '')} | {figure.get('cases', '')} |"


def measure_heads(model, folder, heads, figures):
    """Fills in what the heads that the card names by hand do: the weight in their sentence, and their own share or mass."""
    for head in heads:
        encoder = None if folder.name == "induction-by-hand" else Encoder(folder)
        ids = encode_text(encoder, folder, head["text"])
        head["weight"] = round(float(model.run(ids)[1][head["layer"]][head["head"], head["query"], head["key"]]), 6)
        table = figures.tables[head["measure"]]
        head["value"] = round(float(table[head["layer"], head["head"]]), 6)
    return heads


def encode_text(encoder, folder, text):
    """The words of a sentence of the grammar, or the letters of induction-by-hand."""
    if encoder:
        words = re.findall(r"[A-Za-z0-9]+|[,.\"]", text)
        return encoder.encode(words)
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return [0, *(vocab[letter] for letter in text)]


def write_card(model, folder, figures):
    """card.json, whose summary and choice of heads stay, and the same figures as tables in README.md, between their marks."""
    path = folder / "card.json"
    card = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"summary": "", "heads": []}
    heads = measure_heads(model, folder, card.get("heads", []), figures)
    lines = [",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows) for rows in (heads, figures.found)]
    summary = json.dumps(card["summary"])
    path.write_text(f'{{\n "summary": {summary},\n "heads": [\n{lines[0]}\n ],\n "figures": [\n{lines[1]}\n ]\n}}\n', encoding="utf-8")
    rows = ["| what | head | figure | baseline | its distance | cases |", "|---|---|---|---|---|---|"]
    for figure in figures.found:
        head = f"L{figure['layer']}H{figure['head']}" if "head" in figure else ""
        rows.append(f"| {name_of(figure)} | {head} | {three(figure['value'])} {row_end(figure)}")
    replace_between(folder / "README.md", "figures", rows)
    rows = ["| head | what it looks at | sentence | from | to | weight | over all: measure | figure |", "|---|---|---|---|---|---|---|---|"]
    for head in heads:
        rows.append(f"| L{head['layer']}H{head['head']} | {head['name']} | {head['text']} | {head['from']} | {head['to']} "
                    f"| {three(head['weight'])} | {head['measure']} | {three(head['value'])} |")
    replace_between(folder / "README.md", "heads", rows)


def replace_between(path, mark, rows):
    """The lines between <!-- mark --> and the next <!-- end -->."""
    before, _, rest = path.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    path.write_text(before + f"<!-- {mark} -->\n" + "\n".join(rows) + "\n<!-- end -->\n" + rest.partition("<!-- end -->\n")[2], encoding="utf-8")


def compare(model, trace):
    """Largest differences between this forward pass and the maps and logits that `headlight trace -o FILE.npz` wrote."""
    file = np.load(trace)
    logits, maps = model.run(json.loads(str(file["ids"])))
    found = max(np.abs(maps[layer] - file[f"attention.{layer}"]).max() for layer in range(model.layers))
    print(f"attention {found:.1e}, logits {np.abs(logits - file['logits']).max():.1e}")


def overlap(steps):
    """How many of the held-out sentences were in the training text of so many steps of story-gpt."""
    from train import SEED, TOKENS, Tokens, gpt_batch, sentences

    class Noting(Tokens):
        seen, passages = set(), 0

        def note(self, words):
            self.passages += 1
            self.seen.update(sentences(words))

    tokens = Noting(MODELS / "story-gpt")
    for step in range(steps):
        gpt_batch(tokens, random.Random(SEED * 1000003 + step), TOKENS["story-gpt"])
    held_out = [sentence for line in read_lines("held_out.jsonl")[1:] for sentence in sentences(line["words"])]
    for least in (1, 3):
        some = [sentence for sentence in held_out if len(sentence) >= least]
        print(f"{tokens.passages} training passages; of {len(some)} held-out sentences of {least} words or more {np.mean([s in tokens.seen for s in some]):.3f} were told there")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--card", action="store_true")
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--overlap", type=int)
    options = parser.parse_args()
    if options.overlap:
        overlap(options.overlap)
        return
    folder = options.folder.resolve()
    model = Model(folder)
    if options.compare:
        compare(model, options.compare)
        return
    figures = figures_of(model, folder)
    report(figures)
    if options.card:
        write_card(model, folder, figures)


if __name__ == "__main__":
    main()
