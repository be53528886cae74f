"""Times PyTorch and llama.cpp on the shapes of `headlight bench forward` and prints them beside its lines. Run by peers.sh."""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

import gguf
import numpy
import torch
import transformers

TOKENS = (16, 64, 256, 512)
THREADS = (1, 2)
VOCABULARY = 1000  # the table of tokens counts for neither side
SHAPES = {  # layers, d_model, heads, kv_heads, d_ff
    "BERT-base": (12, 768, 12, 12, 3072),
    "GPT-2": (12, 768, 12, 12, 3072),
    "SmolLM-135M": (30, 576, 9, 3, 1536),
    "Llama 1B, BF16": (16, 2048, 32, 8, 8192),
}


def torch_model(name, is_float):
    layers, width, heads, kv_heads, inner = SHAPES[name]
    if name == "BERT-base":
        config = transformers.BertConfig(vocab_size=VOCABULARY)
        kind = transformers.BertModel
    elif name == "GPT-2":
        config = transformers.GPT2Config(vocab_size=VOCABULARY)
        kind = transformers.GPT2Model
    else:
        config = transformers.LlamaConfig(vocab_size=VOCABULARY, hidden_size=width, intermediate_size=inner, num_hidden_layers=layers,
                                          num_attention_heads=heads, num_key_value_heads=kv_heads, max_position_embeddings=2048)
        kind = transformers.LlamaModel
    config._attn_implementation = "eager"  # the one that gives maps
    model = kind(config).eval()
    return model if is_float else model.to(torch.bfloat16)


def torch_milliseconds(name, is_float):
    """The median of some runs with all maps, for each number of tokens; the better number of threads."""
    model = torch_model(name, is_float)
    best = {}
    for threads in THREADS:
        torch.set_num_threads(threads)
        for tokens in TOKENS:
            ids = torch.randint(0, VOCABULARY, (1, tokens))
            times = []
            with torch.inference_mode():
                model(ids, output_attentions=True)
                end = time.perf_counter() + 4
                while len(times) < 5 and (not times or time.perf_counter() < end):
                    start = time.perf_counter()
                    model(ids, output_attentions=True)
                    times.append((time.perf_counter() - start) * 1e3)
            best[tokens] = min(best.get(tokens, float("inf")), statistics.median(times))
    return best


def write_gguf(path, name):
    layers, width, heads, kv_heads, inner = SHAPES[name]
    is_llama = name != "GPT-2"
    writer = gguf.GGUFWriter(path, "llama" if is_llama else "gpt2")
    writer.add_context_length(2048)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    if is_llama:
        writer.add_layer_norm_rms_eps(1e-5)
        writer.add_rope_dimension_count(width // heads)
    else:
        writer.add_layer_norm_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)] +
                          [b"w%d" % number for number in range(VOCABULARY - 259)])
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * (VOCABULARY - 259))
    random = numpy.random.default_rng(1)

    def add(tensor, *shape):
        numbers = (random.standard_normal(shape, dtype=numpy.float32) * 0.02).astype(numpy.float32)
        if name.endswith("BF16") and len(shape) == 2:
            halves = (numbers.view(numpy.uint32) >> 16).astype(numpy.uint16)
            writer.add_tensor(tensor, halves.view(numpy.uint8), raw_dtype=gguf.GGMLQuantizationType.BF16)
        else:
            writer.add_tensor(tensor, numbers)

    def add_norm(tensor):
        add(tensor + ".weight", width)
        if not is_llama:
            add(tensor + ".bias", width)

    add("token_embd.weight", VOCABULARY, width)
    add("output.weight", VOCABULARY, width)
    add_norm("output_norm")
    kv_width = width // heads * kv_heads
    if not is_llama:
        add("position_embd.weight", 2048, width)
    for layer in range(layers):
        block = f"blk.{layer}."
        add_norm(block + "attn_norm")
        add_norm(block + "ffn_norm")
        if is_llama:
            sizes = {"attn_q": (width, width), "attn_k": (kv_width, width), "attn_v": (kv_width, width), "attn_output": (width, width),
                     "ffn_gate": (inner, width), "ffn_up": (inner, width), "ffn_down": (width, inner)}
        else:
            sizes = {"attn_qkv": (3 * width, width), "attn_output": (width, width), "ffn_up": (inner, width), "ffn_down": (width, inner)}
        for tensor, shape in sizes.items():
            add(block + tensor + ".weight", *shape)
            if not is_llama:
                add(block + tensor + ".bias", shape[0])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def llama_milliseconds(name, folder):
    """The prefill of llama-bench; the better number of threads. Nothing where it does not have the shape."""
    if name == "BERT-base":
        return {}
    path = folder / (re.sub(r"\W+", "_", name) + ".gguf")
    write_gguf(path, name)
    command = ["llama-bench", "-m", str(path), "-p", ",".join(map(str, TOKENS)), "-n", "0", "-t", ",".join(map(str, THREADS)), "-r", "5",
               "-ngl", "0", "-o", "json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    path.unlink()
    if found.returncode != 0:
        print(f"llama-bench on {name}: {found.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return {}
    best = {}
    for run in json.loads(found.stdout):
        milliseconds = statistics.median(run["samples_ns"]) * 1e-6
        best[run["n_prompt"]] = min(best.get(run["n_prompt"], float("inf")), milliseconds)
    return best


def own_milliseconds(path):
    line = re.compile(r"forward pass of the shape of (.+), (\d+) tokens\s+([\d.]+) ms")
    return {(name, int(tokens)): float(time_of) for name, tokens, time_of in line.findall(path.read_text())}


def row_of(title, ours, *theirs):
    row = f"{title:34}" + (f"{ours:>9.1f} ms" if ours else f"{'–':>12}")
    for each in theirs:
        row += f"{each:>9.1f} ms{ours / each:>8.2f}" if each and ours else f"{'–':>12}{'–':>8}"
    return row


def main():
    folder = pathlib.Path(sys.argv[1])
    own = own_milliseconds(folder / "headlight.txt")
    print(f"\nPyTorch {torch.__version__}, all maps; llama.cpp, prefill without maps; the better of one and two threads")
    print(f"{'':34}{'Headlight':>12}{'PyTorch':>12}{'ratio':>8}{'llama.cpp':>12}{'ratio':>8}")
    for name in SHAPES:
        is_half = name.endswith("BF16")
        of_torch, of_llama = torch_milliseconds(name, not is_half), llama_milliseconds(name, folder)
        # In BF16 PyTorch rounds what goes into every product to 8 bits; Headlight rounds nothing. With float32 it multiplies the same numbers.
        of_float = torch_milliseconds(name, True) if is_half else {}
        for tokens in TOKENS:
            ours = own.get((name, tokens))
            print(row_of(f"{name}, {tokens} tokens", ours, of_torch.get(tokens), of_llama.get(tokens)), flush=True)
            if is_half:
                print(row_of("  PyTorch in float32", ours, of_float.get(tokens)), flush=True)


if __name__ == "__main__":
    main()
