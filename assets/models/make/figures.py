"""A card's figures: for each measure the head that is best where heads are chosen, and its value where they are measured."""
import json
from pathlib import Path

import numpy as np

from bigram import typed_loss
from forward import Model
from measures import MODELS, Encoder, induction, loss_of, prefix_chance, read_lines, repeated_lists, tallies

MAKE = Path(__file__).resolve().parent


def name_of(figure):
    return figure["measure"] if figure["measure"] != "relation" else f"{figure['relation']}, from the {figure['query']}"


def rounded(value):
    return round(float(value), 6)


class Figures:
    def __init__(self):
        self.found, self.tables = [], {}

    def add(self, measure, first, second, **more):
        layer, head = (int(at) for at in np.unravel_index(first.argmax(), first.shape))
        self.found.append({"measure": measure, "layer": layer, "head": head, "value": rounded(second[layer, head]), **more})
        self.tables[name_of(self.found[-1])] = second

    def add_untrained(self, others):
        """Beside each figure that of shuffled weights."""
        values = {name_of(figure): figure["value"] for figure in others.found}
        for figure in self.found:
            figure["untrained"] = values[name_of(figure)]


def halves(lines):
    return lines[: len(lines) // 2], lines[len(lines) // 2 :]


def hand_figures(model, folder):
    """Of induction-by-hand, whose heads were set and not found: no halves."""
    figures = Figures()
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    lists = [([0], [vocab[letter] for letter in line["letters"]]) for line in read_lines(MODELS / "induction-by-hand/repeated.jsonl")]
    previous = np.mean([np.diagonal(np.array(model.run([*first, *ids * 4])[1]), -1, 2, 3).mean(-1) for first, ids in lists], 0)
    figures.add("previous token", previous, previous)
    prefix = induction(model, lists)
    figures.add("prefix matching", prefix, prefix, baseline=rounded(prefix_chance(len(lists[0][1]))))
    return figures


def add_relations(figures, first, second):
    for relation, query in sorted(first.cases.keys() & second.cases.keys()):
        name = relation, query
        cases = second.cases[name]
        offset, most = max(second.offsets[name].items(), key=lambda item: (item[1], item[0]))
        shares = first.hits[name] / first.cases[name], second.hits[name] / cases
        figures.add("relation", *shares, relation=relation, query=query, cases=cases, baseline=rounded(most / cases), offset=offset)


def add_typed(figures, model, encoder):
    lines = (MAKE / "typed.txt").read_text(encoding="ascii").splitlines()
    losses = [loss_of(model, encoder, line) for line in lines]
    loss, tokens = (sum(part) for part in zip(*losses))
    figures.found.append({"measure": "typed loss", "value": rounded(loss / tokens), "cases": tokens})


def story_figures(model, folder):
    figures, encoder = Figures(), Encoder(folder)
    first, second = tallies(model, encoder)
    for measure in first.masses:
        figures.add(measure, first.masses[measure], second.masses[measure])
    if model.is_causal:
        lists = repeated_lists(encoder)
        figures.add("prefix matching", *(induction(model, half) for half in halves(lists)), baseline=rounded(prefix_chance(len(lists[0][1]))))
    add_relations(figures, first, second)
    for measure, good, all_cases in (("accepted", "accepted", "decided"), ("right form", "right", "verbs")):
        cases = getattr(second, all_cases)
        if cases:
            figures.found.append({"measure": measure, "value": rounded(getattr(second, good) / cases), "cases": int(cases)})
    if model.is_causal:
        add_typed(figures, model, encoder)
    return figures


def figures_of(folder):
    """Of the trained weights, with those of the same weights shuffled beside them."""
    if folder.name == "induction-by-hand":
        return hand_figures(Model(folder), folder)
    figures = story_figures(Model(folder), folder)
    figures.add_untrained(story_figures(Model(folder, is_shuffled=True), folder))
    for figure in figures.found:
        if figure["measure"] == "typed loss":
            figure["baseline"] = rounded(typed_loss(Encoder(folder).tokenizer, (MAKE / "typed.txt").read_text(encoding="ascii").splitlines()))
    return figures
