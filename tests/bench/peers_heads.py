"""peers_heads.py FOLDER TEXTS OUT.csv [THREADS]: the usual measures of `headlight heads` over a file of texts as one writes them in Python: transformers with eager maps,
numpy over all heads of a text at once. Prints seconds on the wall and of computing, of the whole run and without its start. Run by peers.sh."""
import sys
import time

START = time.perf_counter()
import numpy as np
import torch
import transformers

USUAL = ["normalised-entropy", "effective-tokens", "confidence", "previous-token", "first-token", "mean-distance", "self-token", "duplicate",
         "induction", "normalised-entropy-without-first-token", "previous-token-without-first-token", "hidden-mass:first-token"]


def entropy(a):
    return -np.where(a > 0, a * np.log(np.where(a > 0, a, 1)), 0).sum(-1)


def mean_where(values, rows):
    return values[..., rows].mean(-1) if rows.any() else np.full(values.shape[:-1], np.nan)


def measures(a, ids):
    """a [layers, heads, n, n] of a causal model; the numbers of every head in the order of USUAL."""
    n = a.shape[-1]
    rows = np.arange(1, n)
    allowed = np.arange(1, n + 1)
    distance = np.abs(rows[:, None] - np.arange(n)[None, :])
    same = np.equal.outer(ids, ids) & (np.arange(n)[:, None] > np.arange(n)[None, :])
    after = np.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    np.fill_diagonal(after, False)
    informative = a[..., 1:, :]
    h = entropy(informative)
    rest = informative[..., 1:, 1:]
    left = rest.sum(-1)
    rest = rest / np.maximum(left, 1e-30)[..., None]
    kept = left > 1e-6
    without = lambda values: np.where(kept, values, 0).sum(-1) / np.where(kept.sum(-1) > 0, kept.sum(-1), np.nan)
    previous = informative[..., np.arange(n - 1), np.arange(n - 1)]
    own = np.arange(n - 2)
    return np.stack([
        (h / np.log(allowed[1:])).mean(-1), np.exp(h).mean(-1), informative.max(-1).mean(-1), previous.mean(-1), informative[..., 0].mean(-1),
        (informative * distance).sum(-1).mean(-1), informative[..., np.arange(n - 1), rows].mean(-1),
        mean_where((a * same).sum(-1), same.any(-1)), mean_where((a * after).sum(-1), after.any(-1)),
        without(entropy(rest) / np.log(allowed[1:-1])), without(rest[..., own, own]), informative[..., 0].mean(-1)], -1)


def main():
    folder, texts, out = sys.argv[1:4]
    torch.set_num_threads(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=folder + "/tokenizer.json")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    loaded, computed = time.perf_counter(), time.process_time()
    sums = counts = forward = 0
    with torch.inference_mode(), np.errstate(invalid="ignore"):
        for text in open(texts, encoding="utf-8"):
            ids = tokenizer(text.rstrip("\n"))["input_ids"]
            begin = time.process_time()
            maps = model.base_model(torch.tensor([ids]), output_attentions=True).attentions
            forward += time.process_time() - begin
            found = measures(torch.stack([each[0] for each in maps]).numpy(), np.array(ids))
            sums = sums + np.nan_to_num(found)
            counts = counts + ~np.isnan(found)
    end = time.perf_counter()
    with open(out, "w", encoding="utf-8") as table:
        table.write("layer,head," + ",".join(USUAL) + "\n")
        for (layer, head) in np.ndindex(sums.shape[:2]):
            table.write(f"{layer},{head}," + ",".join(repr(float(each)) for each in sums[layer, head] / counts[layer, head]) + "\n")
    print(f"Python: {end - START:.2f} s, {time.process_time():.2f} s of computing; without its start {end - loaded:.2f} s, "
          f"{time.process_time() - computed:.2f} s of computing, {forward:.2f} s of it for the maps; PyTorch {torch.__version__}, transformers {transformers.__version__}")


main()
