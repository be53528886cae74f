#!/usr/bin/env python3
"""Trainings that differ in their seed alone, side by side: which to ship is decided on choosing.jsonl, and what it is worth is told on
held_out.jsonl.

    seeds.py FOLDER...        a table for README.md; the folders hold config.json, model.safetensors and tokenizer.json

Score: the shares of the best heads for far subjects, antecedents and objects, from either word, added up, and of story-gpt prefix matching
on the first half of the lists.
"""
import sys
from pathlib import Path

from card import table, three
from figures import Figures, add_typed, halves
from forward import Model
from measures import Encoder, induction, repeated_lists, tallies

RELATIONS = ("far subject", "antecedent", "object")


def best_share(tally, relation):
    """The share of the best head, from whichever word it looks."""
    return max((tally.hits[name] / tally.cases[name]).max() for name in tally.cases if name[0] == relation)


def figures_of_seed(folder):
    """{name: (where heads are chosen, where they are measured)}, None where a figure is not taken."""
    model, encoder = Model(folder), Encoder(folder)
    first, second = tallies(model, encoder)
    found = {"previous token": tuple(tally.masses["previous token"].max() for tally in (first, second))}
    found.update({relation: (best_share(first, relation), best_share(second, relation)) for relation in RELATIONS})
    score = sum(found[relation][0] for relation in RELATIONS)
    if model.is_causal:
        lists = repeated_lists(encoder)
        found["prefix matching"] = tuple(induction(model, half).max() for half in halves(lists))
        found["accepted"] = None, second.accepted / second.decided
        typed = Figures()
        add_typed(typed, model, encoder)
        found["typed loss"] = None, typed.found[0]["value"]
        score += found["prefix matching"][0]
    found["right form"] = first.right / first.verbs, second.right / second.verbs
    return {"score": (score, None), **found}


def cell(pair):
    return " / ".join("" if value is None else three(round(float(value), 6)) for value in pair)


def main():
    folders = [Path(name).resolve() for name in sys.argv[1:]]
    seeds = [figures_of_seed(folder) for folder in folders]
    rows = [[name, *(cell(seed[name]) for seed in seeds)] for name in seeds[0]]
    print("\n".join(table(["chosen on / held out", *(folder.name for folder in folders)], rows)))


if __name__ == "__main__":
    main()
