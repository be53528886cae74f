#!/usr/bin/env python3
"""A sheet of sentences to look at: the tokens of each, and the three heads that tell most about it.

    sheet.py FOLDER SENTENCES > sheet.svg        FOLDER holds a causal model and its card.json, SENTENCES a sentence a line

Of the heads that the card names by hand, for copying, or for a relation in which their figure is 0.1 or more above the baseline, the three
whose map has the largest weight above that of an even look, on a token two or more before the query; neither of the two is a mark. That cell is
framed, and named in the caption with its weight. A sentence too short for such a cell has its tokens alone.
"""
import html
import json
import sys
from pathlib import Path

from forward import Model
from measures import Encoder

COLUMNS, WIDTH, MAP, SHOWN, MARGIN = 2, 800, 112, 3, 16
DARK = "#35165f"


def roles_of(card):
    """{(layer, head): what the card says that it does}, told in a few words."""
    roles = {(head["layer"], head["head"]): head["name"].split(" (")[0] for head in card["heads"] if "token" not in head["name"]}
    for figure in card["figures"]:
        if figure["measure"] == "prefix matching" or figure["measure"] == "relation" and figure["value"] >= figure["baseline"] + 0.1:
            roles.setdefault((figure["layer"], figure["head"]), figure.get("relation", "copies what came after last time"))
    return roles


def telling(maps, head, is_word):
    """The cell whose weight is farthest above uniform: (excess, query, key). None if no cell qualifies."""
    cells = [(query, key) for query in range(len(is_word)) for key in range(query - 1) if is_word[query] and is_word[key]]
    weights = maps[head[0]][head[1]]
    return max(((weights[query, key] - 1 / (query + 1), query, key) for query, key in cells), default=None)


def words_at(x, y, size, words, colour="#222", family="sans-serif"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="{family}" fill="{colour}">{html.escape(words)}</text>'


def strip(x, y, texts):
    """The tokens in a row; a dot marks the space before one."""
    for text in texts:
        width = 7 + 6.1 * len(text)
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="17" rx="3" fill="#e2e6ee"/>' + words_at(x + 3, y + 12.5, 10, text, family="DejaVu Sans Mono")
        x += width + 2


def small_map(x, y, weights, query, key):
    side = MAP / len(weights)
    yield f'<path d="M{x},{y}v{MAP}h{MAP}z" fill="#f4f4f7"/>'
    for row, line in enumerate(weights):
        for column, weight in enumerate(line[: row + 1]):
            if weight >= 0.01:
                yield f'<rect x="{x + column * side:.2f}" y="{y + row * side:.2f}" width="{side:.2f}" height="{side:.2f}" fill="{DARK}" fill-opacity="{weight ** 0.6:.2f}"/>'
    yield f'<rect x="{x + key * side:.2f}" y="{y + query * side:.2f}" width="{side:.2f}" height="{side:.2f}" fill="none" stroke="#e08a00" stroke-width="1.6"/>'


class Sheet:
    def __init__(self, folder):
        self.model, self.encoder = Model(folder), Encoder(folder)
        self.roles = roles_of(json.loads((folder / "card.json").read_text(encoding="utf-8")))

    def draw(self, x, y, number, sentence):
        ids = self.encoder.text(sentence)
        texts = [self.encoder.tokenizer.texts[index].replace("\u0120", "\u00b7") for index in ids]
        is_word = [at > 0 and any(letter.isalnum() for letter in text) for at, text in enumerate(texts)]
        maps = self.model.run(ids)[1]
        yield words_at(x, y + 12, 13, f"{number}. {sentence}", "#000")
        yield from strip(x, y + 19, texts)
        found = sorted(((cell, head) for head in self.roles if (cell := telling(maps, head, is_word))), reverse=True)
        for place, ((_, query, key), (layer, head)) in enumerate(found[:SHOWN]):
            left = x + place * 262
            weights = maps[layer][head]
            yield from small_map(left, y + 42, weights, query, key)
            caption = (f"{layer}.{head}", self.roles[layer, head], f"{texts[query]} \u2192 {texts[key]}", f"{weights[query, key]:.2f}")
            yield from (words_at(left + 62, y + 52 + 13 * line, 10, words, "#000" if line == 2 else "#555") for line, words in enumerate(caption))


def main():
    sentences = Path(sys.argv[2]).read_text(encoding="ascii").splitlines()
    sheet, block = Sheet(Path(sys.argv[1]).resolve()), MAP + 58
    across, down = COLUMNS * WIDTH + MARGIN, -(-len(sentences) // COLUMNS) * block + MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}"><rect width="{across}" height="{down}" fill="white"/>')
    for at, sentence in enumerate(sentences):
        print("\n".join(sheet.draw(MARGIN + at % COLUMNS * WIDTH, MARGIN + at // COLUMNS * block, at + 1, sentence)))
    print("</svg>")


if __name__ == "__main__":
    main()
