"""numpy_measures_test.py PROGRAM: the measures that `headlight heads` prints, computed again by numpy from the maps that `headlight trace` writes: by
the formulas of the literature, in float64 and plain loops, without a line of the program's."""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SANDBOX = ["-m", "sandbox", "--layers", "2", "--heads", "3", "--d-model", "24", "-t", "the cat sat on the mat and the cat sat on it"]
STORY = "The captain told the sailors about the storm. The captain told them that the storm was near."
CASES = [(["-m", "story-gpt", "-t", STORY], lambda q, k: k <= q), (["-m", "story-bert", "-t", STORY], lambda q, k: True),
         (SANDBOX + ["--mask", "causal+window:4"], lambda q, k: q - 4 < k <= q),
         (SANDBOX + ["--mask", "causal+no-self"], lambda q, k: k < q)]
PARAMETERS = "beyond-distance:2,offset:-2,sink:0,sink:1,key-set:first-token+3,span-weight:4-7/1-3,entropy-without-0+2,hidden-mass:0+2"
LEFT_OUT = ("output-norm", "output-norm-ratio")  # of z and W_O, not of maps


def patterns_of(ids):
    """Target keys by pattern and query."""
    n = len(ids)
    return {"previous": [[i - 1] if i else [] for i in range(n)],
            "duplicate": [[j for j in range(i) if ids[j] == ids[i]] for i in range(n)],
            "induction": [[j + 1 for j in range(i) if ids[j] == ids[i] and j + 1 != i] for i in range(n)]}


def entropy(a):
    positive = a[a > 0]
    return float(-(positive * np.log(positive)).sum())


def coverage(a):
    sums = np.cumsum(np.sort(a)[::-1])
    return int(np.searchsorted(sums, 0.9 - 1e-6) + 1)


class Head:
    """A map with its mask, and the rows that count: two or more allowed keys."""

    def __init__(self, weights, allowed, ids):
        self.a, self.allowed, self.n = weights.astype(np.float64), allowed, len(ids)
        self.targets = patterns_of(ids)
        self.every = [i for i in range(self.n) if self.a[i].sum() > 0]
        self.rows = [i for i in self.every if allowed[i].sum() >= 2]

    def mean(self, of_row, rows=None):
        values = [value for value in (of_row(i) for i in (self.rows if rows is None else rows)) if value is not None]
        return float(np.mean(values)) if values else np.nan

    def without(self, keys):
        """Rows renormalised without these keys, where more than 1e-6 is left."""
        rest = Head(self.a, self.allowed, [])
        rest.n, rest.targets, rest.every, rest.hidden = self.n, self.targets, [], set(keys)
        rest.a, rest.allowed = self.a.copy(), self.allowed.copy()
        rest.a[:, keys], rest.allowed[:, keys] = 0, False
        for i in self.every:
            left = rest.a[i].sum()
            if left > 1e-6:
                rest.a[i] /= left
                rest.every.append(i)
        rest.rows = [i for i in rest.every if rest.allowed[i].sum() >= 2]
        return rest

    hidden = frozenset()

    def at(self, i, key):
        return self.a[i, key] if 0 <= key < self.n and self.allowed[i, key] else None

    def measure(self, name):
        name, _, parameter = name.partition(":")
        distance = lambda i: np.abs(np.arange(self.n) - i)
        strongest = lambda i: int(np.argmax(self.a[i]))
        plain = {
            "entropy": lambda i: entropy(self.a[i]),
            "normalised-entropy": lambda i: entropy(self.a[i]) / np.log(self.allowed[i].sum()),
            "effective-tokens": lambda i: np.exp(entropy(self.a[i])),
            "confidence": lambda i: self.a[i].max(),
            "k-coverage": lambda i: coverage(self.a[i]),
            "previous-token": lambda i: self.at(i, i - 1),
            "self-token": lambda i: self.at(i, i),
            "next-token": lambda i: self.at(i, i + 1),
            "offset": lambda i: self.at(i, i + int(parameter)),
            "first-token": lambda i: None if 0 in self.hidden else self.a[i, 0],
            "mean-distance": lambda i: (self.a[i] * distance(i)).sum(),
            "argmax-distance": lambda i: abs(i - strongest(i)),
            "positional-previous": lambda i: None if self.at(i, i - 1) is None else strongest(i) == i - 1,
            "positional-next": lambda i: None if self.at(i, i + 1) is None else strongest(i) == i + 1,
            "beyond-distance": lambda i: self.a[i][distance(i) > int(parameter)].sum(),
        }
        if name in plain:
            return self.mean(plain[name])
        if name == "sink":
            return self.mean(lambda i: self.a[i, int(parameter)] if i >= int(parameter) else None, self.every)
        if name in ("key-set", "hidden-mass"):
            keys = [0 if part == "first-token" else int(part) for part in parameter.split("+")]
            return self.mean(lambda i: self.a[i, keys].sum())
        if name == "span-weight":
            (first, last), (begin, end) = [map(int, part.split("-")) for part in parameter.split("/")]
            return self.mean(lambda i: self.a[i, begin:end + 1].sum() if first <= i <= last else None)
        return self.pattern(name)

    def pattern(self, name):
        pattern, _, kind = name.partition("-")
        targets = self.targets[pattern]
        seen = lambda i: [j for j in targets[i] if self.allowed[i, j]]
        mass = lambda i: self.a[i, seen(i)].sum() if seen(i) else None
        base = lambda i: len(seen(i)) / self.allowed[i].sum() if seen(i) else None
        if kind in ("", "token"):
            return self.mean(mass)
        if kind == "baseline":
            return self.mean(base)
        if kind == "lift":
            return self.mean(mass) / self.mean(base)
        d = np.zeros_like(self.a)
        for i, keys in enumerate(targets):
            d[i, keys] = 1
        a = self.a[self.every]
        d = d[self.every]
        if kind == "mul":
            return (a * d).sum() / a.sum()
        if kind == "abs":
            return 1 - np.abs(a - d).sum() / len(self.every)
        assert kind == "mul-excluding", name
        a = self.a.copy()
        a[:, 0] = 0
        np.fill_diagonal(a, 0)
        a = a[self.every]
        return (a * d).sum() / a.sum()


def value_of(head, measure):
    name, colon, parameter = measure.partition(":")
    name, without, keys = name.partition("-without-")
    if without:
        head = head.without([0 if part == "first-token" else int(part) for part in keys.split("+")])
    return head.measure(name + colon + parameter)


def check(program, options, allows):
    with tempfile.TemporaryDirectory(prefix="headlight-numpy-") as folder:
        path = pathlib.Path(folder) / "maps.npz"
        subprocess.run([program, "trace", *options, "-o", path], check=True, stdin=subprocess.DEVNULL)
        maps = np.load(path)
        ids = json.loads(maps["ids"].item())
        attention = [maps[f"attention.{layer}"] for layer in range(sum(name.startswith("attention.") for name in maps.files))]
        table = subprocess.run([program, "heads", *options, "--measures", "all," + PARAMETERS], check=True, capture_output=True, text=True).stdout
    allowed = np.array([[allows(q, k) for k in range(len(ids))] for q in range(len(ids))])
    worst, compared, defined = 0.0, 0, 0
    for row in csv.DictReader(io.StringIO(table)):
        head = Head(attention[int(row["layer"])][int(row["head"])], allowed, ids)
        for measure, text in list(row.items())[3:]:
            if measure in LEFT_OUT:
                continue
            found, told = float(text) if text else np.nan, value_of(head, measure)
            compared += 1
            assert np.isnan(found) == np.isnan(told), f"{options}: L{row['layer']}H{row['head']} {measure}: {found}, numpy {told}"
            if np.isnan(told):
                continue
            defined += 1
            difference = abs(found - told) / max(1.0, abs(told))
            assert difference <= 2e-6, f"{options}: L{row['layer']}H{row['head']} {measure}: {found}, numpy {told}"
            worst = max(worst, difference)
    assert compared > 300 and defined > compared / 2
    print(f"   {' '.join(options[:2])}, {len(ids)} tokens: {defined} values of {compared} cells, the farthest {worst:.1e} off")


def main():
    for options, allows in CASES:
        check(pathlib.Path(sys.argv[1]).resolve(), options, allows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
