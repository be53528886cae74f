"""A model's card: card.json, and the same as tables in README.md, between their marks."""
import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np

from figures import name_of, rounded
from forward import Model
from measures import MODELS, Encoder

EXAMPLES = MODELS.parent / "examples"


def three(value):
    """Three digits, a half upwards."""
    return str(Decimal(str(value)).quantize(Decimal("0.001"), ROUND_HALF_UP))


def head_text(figure):
    return f"L{figure['layer']}H{figure['head']}" if "head" in figure else ""


def row_of(figure):
    """Figure, baseline, its distance, untrained, cases."""
    numbers = [three(figure[field]) if field in figure else "" for field in ("value", "baseline", "untrained")]
    return [numbers[0], numbers[1], str(figure.get("offset", "")), numbers[2], str(figure.get("cases", ""))]


def report(figures):
    for figure in figures.found:
        name, heads = name_of(figure), ""
        if name in figures.tables:
            table = figures.tables[name]
            order = table.ravel().argsort()[::-1][:4]
            heads = "best here: " + "  ".join(f"L{at // table.shape[1]}H{at % table.shape[1]} {table.ravel()[at]:.3f}" for at in order)
        print(f"{name:40} {head_text(figure):5} {' | '.join(row_of(figure))}  {heads}")


def encode_text(folder, text):
    """The ids of a sentence; letters of induction-by-hand."""
    if folder.name != "induction-by-hand":
        return Encoder(folder).text(text)
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return [0, *(vocab[letter] for letter in text)]


def measure_heads(model, folder, heads, figures):
    """Fills in what the heads that the card names by hand do: the weight in their sentence, and their own share or mass."""
    for head in heads:
        maps = model.run(encode_text(folder, head["text"]))[1]
        head["weight"] = rounded(maps[head["layer"]][head["head"], head["query"], head["key"]])
        head["value"] = rounded(figures.tables[head["measure"]][head["layer"], head["head"]])
    return heads


def seed_relations(model, folder):
    """The two sentences of the examples: for each relation that a reader frames there, the head that gives its cell the most weight."""
    found = []
    for path in sorted(EXAMPLES.glob("*.json")):
        example = json.loads(path.read_text(encoding="utf-8"))
        encoder = Encoder(folder)
        ids = encoder.text(example["text"])
        texts = [encoder.tokenizer.texts[index].lstrip("\u0120") for index in ids]
        maps = np.array(model.run(ids)[1])
        for relation in example["relations"]:
            query, key = texts.index(relation["from"]), texts.index(relation["to"])
            layer, head = (int(at) for at in np.unravel_index(maps[:, :, query, key].argmax(), maps.shape[:2]))
            found.append({"text": example["text"], "from": relation["from"], "to": relation["to"], "label": relation["label"],
                          "layer": layer, "head": head, "weight": rounded(maps[layer, head, query, key])})
    return found


def json_rows(rows):
    return ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]


def write_card(folder, figures):
    """card.json, whose version, summary and choice of heads stay; and its tables in README.md."""
    model, path = Model(folder), folder / "card.json"
    card = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"version": 1, "summary": "", "heads": []}
    heads = measure_heads(model, folder, card.get("heads", []), figures)
    parts = [f' {json.dumps(field)}: {json.dumps(card[field])}' for field in ("version", "text", "summary") if field in card]
    parts += [f' "heads": [\n{json_rows(heads)}\n ]', f' "figures": [\n{json_rows(figures.found)}\n ]']
    if not model.is_causal:
        relations = seed_relations(model, folder)
        parts.append(f' "relations": [\n{json_rows(relations)}\n ]')
        rows = [[row["text"], row["from"], row["to"], row["label"], head_text(row), three(row["weight"])] for row in relations]
        replace_between(folder / "README.md", "relations", table(["sentence", "from", "to", "relation", "head", "weight"], rows))
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    rows = [[name_of(figure), head_text(figure), *row_of(figure)] for figure in figures.found]
    replace_between(folder / "README.md", "figures", table(["what", "head", "figure", "baseline", "its distance", "untrained", "cases"], rows))
    rows = [[head_text(head), *(head[field] for field in ("name", "text", "from", "to")), three(head["weight"]), head["measure"], three(head["value"])]
            for head in heads]
    titles = ["head", "what it looks at", "sentence", "from", "to", "weight", "over all: measure", "figure"]
    replace_between(folder / "README.md", "heads", table(titles, rows))


def replace_between(path, mark, rows):
    """The lines between <!-- mark --> and the next <!-- end -->."""
    before, found, rest = Path(path).read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    if found:
        path.write_text(before + found + "\n".join(rows) + "\n<!-- end -->\n" + rest.partition("<!-- end -->\n")[2], encoding="utf-8")
