#!/usr/bin/env python3
"""What the heads of a demo model do, from its shipped weights: a forward pass of its own, in NumPy and double precision.

    measure.py FOLDER                    all heads, best first, for each measure
    measure.py FOLDER --card             writes FOLDER/card.json: the figures that tests/reference/demo_models_test.cpp and induction_by_hand_test.cpp recompute
    measure.py FOLDER --compare FILE.npz how far this is from what `headlight trace -m FOLDER -t TEXT -o FILE.npz` computes
    measure.py --overlap STEPS           how much of the held-out text the first STEPS batches of story-gpt's training held

MEASURES, on held_out.jsonl, repeated.jsonl (made by tell.py, see README.md) and typed.txt:

    previous token     mean weight on the token before; of the rows that have one; then mean over passages
    prefix matching    25 words four times over: weight on all tokens that follow an earlier copy of the query's token; mean over the
                       rows of repeats 2 to 4 (Olsson et al. 2022), then over lists
    first token        mean weight on the first token, of rows that see at least two
    [SEP]              mean weight on all [SEP] (story-bert)
    a relation         share of its cases in which the key with the most weight is a token of the right word; query = the last token of
                       the later word, or the token before its first ("word before"), which has to foresee it. Left out as keys: the
                       query itself, and the special tokens (Clark et al. 2019). Baseline: the one distance that is right most often.
    accepted           share of places where the grammar decides in which the likeliest next token is the first of a word that it accepts.
                       It decides where the passage cannot end and at most a tenth of its words may come.
    right form         share of verbs whose right form (sleeps, sleep) is likelier than the wrong one, where both are one token; in
                       story-bert with the verb masked
    typed loss         mean of -log probability a token of the sentences that people typed. Baseline: a bigram model (bigram.py)

Beside each figure stands what the same weights do in another order (forward.py, shuffled): of a model that was never trained, its best head,
chosen and measured in the same way.

Heads are chosen on choosing.jsonl and on the first half of the lists, and measured on held_out.jsonl and on the second half, so that a
figure is not the best of chance. The heads that a card names by hand ("heads") are measured there too.
"""
import argparse
import json
import random
from pathlib import Path

import numpy as np

from card import report, write_card
from figures import figures_of
from forward import Model
from measures import MODELS, read_lines, sentences


def compare(model, trace):
    """Largest differences between this forward pass and the maps and logits that `headlight trace -o FILE.npz` wrote."""
    file = np.load(trace)
    logits, maps = model.run(json.loads(str(file["ids"])))
    found = max(np.abs(maps[layer] - file[f"attention.{layer}"]).max() for layer in range(model.layers))
    print(f"attention {found:.1e}, logits {np.abs(logits - file['logits']).max():.1e}")


def overlap(steps, seed):
    """How many of the held-out sentences were in the training text of so many steps of story-gpt."""
    from train import Text, gpt_rows

    class Noting(Text):
        seen, passages = set(), 0

        def note(self, words):
            self.passages += 1
            self.seen.update(sentences(words))

    text = Noting(MODELS / "story-gpt")
    for step in range(steps):
        gpt_rows(text, random.Random(seed * 1000003 + step))
    held_out = [sentence for line in read_lines(MODELS / "held_out.jsonl")[1:] for sentence in sentences(line["words"])]
    for least in (1, 4):
        some = [sentence for sentence in held_out if len(sentence) >= least]
        share = np.mean([sentence in text.seen for sentence in some])
        print(f"{text.passages} training passages; of {len(some)} held-out sentences of {least} words and marks or more {share:.3f} were told there")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--card", action="store_true")
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--overlap", type=int)
    parser.add_argument("--seed", type=int, default=1, help="of the training whose text is told again")
    options = parser.parse_args()
    if options.overlap:
        overlap(options.overlap, options.seed)
        return
    folder = options.folder.resolve()
    if options.compare:
        compare(Model(folder), options.compare)
        return
    figures = figures_of(folder)
    report(figures)
    if options.card:
        write_card(folder, figures)


if __name__ == "__main__":
    main()
