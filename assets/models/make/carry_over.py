"""Weights that were trained with one tokenizer, carried over to another that has a few other pieces in the same places: for train.py --from."""
import torch

from forward import read_safetensors
from tokens import SPACE, Tokenizer


def step_to_capital(tokenizer, before_word, rows):
    """How the row of a word with a capital letter differs from that of the word without, in the mean over the words that have both."""
    pairs = []
    for token, index in tokenizer.vocab.items():
        word = token.removeprefix(before_word)
        small = tokenizer.vocab.get(before_word + word.lower())
        if token.startswith(before_word) and len(word) > 1 and word.isalpha() and word.istitle() and small is not None:
            pairs.append(rows[index] - rows[small])
    return torch.stack(pairs).mean(0)


def new_rows(before, after, rows):
    """{id: where the row of a new piece begins}: at that of the same word after a space; else at that of the word without its capital letter
    and the step to capitals; else in the middle of the pieces that it fell into."""
    before_word, found = SPACE if before.is_bpe else "", {}
    step = step_to_capital(before, before_word, rows)
    for token, index in after.vocab.items():
        if before.vocab.get(token) == index:
            continue
        word = token.lstrip(SPACE)
        same, small = (before.vocab.get(before_word + form) for form in (word, word.lower()))
        if same is not None:
            found[index] = rows[same]
        elif small is not None:
            found[index] = rows[small] + step
        else:
            found[index] = rows[list(before.word(word, not token.startswith(SPACE)))].mean(0)
    return found


def carried(named, folder, after):
    """Puts the weights of a folder into the tensors of the same names, and begins the rows of pieces that its tokenizer does not have, in the
    table of pieces and among the biases of story-bert. Returns the ids of these pieces."""
    before = Tokenizer(folder)
    for name, numbers in read_safetensors(folder / "model.safetensors").items():
        tensor = torch.tensor(numbers)
        if len(tensor) == len(after.vocab):
            for index, row in new_rows(before, after, tensor.clone()).items():
                tensor[index] = row
        named[name].copy_(tensor)
    return sorted(index for token, index in after.vocab.items() if before.vocab.get(token) != index)
