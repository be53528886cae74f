"""A forward pass of the demo models of its own, in NumPy and double precision: a second opinion of the program's."""
import json
import math
from pathlib import Path

import numpy as np

STRIDE = 1000003  # a prime: every place of a tensor comes once


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


def shuffled(tensor):
    """The same numbers in another order, number i from place i * STRIDE: weights that were never trained, of the same size and spread."""
    return tensor.reshape(-1)[np.arange(tensor.size) * STRIDE % tensor.size].reshape(tensor.shape)


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
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2)))


class Model:
    """Reads a folder; run(ids) gives logits [n, vocabulary] and weights [layer][head][query, key]. One row of `kinds` for each family."""

    def __init__(self, folder, is_shuffled=False):
        self.folder = Path(folder)
        self.config = json.loads((self.folder / "config.json").read_text())
        self.w = read_safetensors(self.folder / "model.safetensors")
        if is_shuffled:
            self.w = {name: shuffled(tensor) for name, tensor in self.w.items()}
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
        positions, first_text = self.w[e + "position_embeddings.weight"][: len(ids)], self.w[e + "token_type_embeddings.weight"][0]
        x = self.w[e + "word_embeddings.weight"][ids] + positions + first_text
        x = self.norm(x, e + "LayerNorm")
        for layer in range(self.layers):
            h = f"bert.encoder.layer.{layer}."
            weights, z = self.attend(*(self.apart(self.linear(x, h + "attention.self." + part)) for part in ("query", "key", "value")))
            maps.append(weights)
            x = self.norm(x + self.linear(z, h + "attention.output.dense"), h + "attention.output.LayerNorm")
            x = self.norm(x + self.linear(gelu(self.linear(x, h + "intermediate.dense")), h + "output.dense"), h + "output.LayerNorm")
        x = self.norm(gelu(self.linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
        return x @ self.w[e + "word_embeddings.weight"].T + self.w["cls.predictions.bias"], maps
