#!/usr/bin/env python3
"""Our verdict on mutated safetensors files against an independent validator (spec_safetensors.py).

  differential_safetensors.py --cmd 'build/headlight inspect {path}' [--count 10000] [--seed 1] [--keep FOLDER]

The command must end with 0 for a file it accepts and with 3 for one it refuses. A disagreement is allowed only where we refuse on purpose
what the reference accepts (EXTRA below). Prints a summary and ends with 1 on any other disagreement, signal or exit status.
"""
import argparse
import json
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import spec_safetensors  # noqa: E402

# What our message says of each extra refusal (engine/formats/safetensors.h).
EXTRA = {
    "duplicate": "duplicate name or key",
    "NUL": "NUL in a name",
    "rank of at most": "rank over 8",
    "2^48": "dimension over 2^48 - 1",
    "nested deeper": "nesting over 64 levels",
    "not an object": "entry that is not an object",
    "dtype has the wrong type": "dtype written as an object",
}
DTYPES = list(spec_safetensors.BITS)
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 9, 255, 2**31, 2**32, 2**48 - 1, 2**48, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -1, 1.5, "-0", "1e3", "01", "NaN", "null", "true", '"4"', "[]", "{}"]
TOKENS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', '\\ud800', '\\u0074', ' ', '\n', '\t', '\0', '\x01', '\xff', '\xc3\xa9', '__metadata__', 'null', '"dtype"', '"shape"', '"data_offsets"', '"t0"', '"t1"']


def pack(header, data):
    raw = header if isinstance(header, bytes) else header.encode()
    return struct.pack("<Q", len(raw)) + raw + data


def number(rng):
    value = rng.choice(NUMBERS)
    return value if isinstance(value, str) else json.dumps(value)


def well_formed(rng):
    """A valid file of a few tensors, with its entries as texts so that they can be damaged one by one."""
    entries, offset = [], 0
    for index in range(rng.randrange(4)):
        dtype = rng.choice(DTYPES)
        shape = [rng.randrange(4) for _ in range(rng.randrange(4))]
        bits = spec_safetensors.BITS[dtype]
        for dimension in shape:
            bits *= dimension
        if bits % 8:
            shape.append(8)
            bits *= 8
        end = offset + bits // 8
        entries.append(["t%d" % index, dtype, [str(d) for d in shape], [str(offset), str(end)]])
        offset = end
    rng.shuffle(entries)
    return entries, bytes(rng.randrange(256) for _ in range(offset))


def write_header(entries, extra=()):
    items = ['"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%s]}' % (name, dtype, ",".join(shape), ",".join(offsets)) for name, dtype, shape, offsets in entries]
    return "{" + ",".join(list(extra) + items) + "}"


def mutate_fields(rng, entries, data):
    extra = []
    for _ in range(rng.randrange(1, 3)):
        kind = rng.randrange(9)
        if kind == 0:
            extra.append(rng.choice(['"__metadata__":{"a":"b"}', '"__metadata__":null', '"__metadata__":{"a":1}', '"__metadata__":{"a":"b","a":"c"}', '"__metadata__":[]', '"x":{}', '"x":[]', '"x":["U8",[0],[0,0]]']))
        elif kind == 1:
            data = data[: rng.randrange(len(data) + 1)] if rng.random() < 0.5 else data + b"x" * rng.randrange(1, 9)
        elif entries:
            entry = rng.choice(entries)
            if kind == 2:
                entry[0] = rng.choice(["t0", "t\\u0030", "", "a\\u0000", "é", "##id", "__metadata__"])
            elif kind == 3:
                entry[1] = rng.choice(DTYPES + ["f32", "Q4_0", "", "F32 "])
            elif kind == 4:
                entry[2].insert(rng.randrange(len(entry[2]) + 1), number(rng))
            elif kind == 5 and entry[2]:
                entry[2][rng.randrange(len(entry[2]))] = number(rng)
            elif kind == 6:
                entry[3][rng.randrange(len(entry[3]))] = number(rng)
            elif kind == 7:
                entry[3].append(number(rng))
            else:
                entries.append([entry[0] + rng.choice(["", "b"])] + entry[1:])
    return pack(write_header(entries, extra), data)


def mutate_bytes(rng, entries, data):
    raw = bytearray(pack(rng.choice(["", "", " ", "\n"]) + write_header(entries) + " " * rng.randrange(9), data))
    for _ in range(rng.randrange(1, 4)):
        kind = rng.randrange(5)
        at = rng.randrange(len(raw))
        if kind == 0:
            raw[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            raw[at] = rng.randrange(256)
        elif kind == 2:
            del raw[at : at + rng.randrange(1, 5)]
        elif kind == 3:
            raw[at:at] = rng.choice(TOKENS).encode("latin-1")
        else:
            raw = raw[:at]
        if not raw:
            return b""
    if rng.random() < 0.5 and len(raw) >= 8:  # a length that fits again, so that the damage is reached
        raw[:8] = struct.pack("<Q", max(0, min(len(raw) - 8, len(raw) - 8 - len(data) + rng.choice([0, 0, 0, 1, -1]))))
    return bytes(raw)


def seeds(folder):
    """Files to mutate besides the made ones."""
    found = []
    for root, _, names in os.walk(folder) if folder else []:
        for name in sorted(names):
            path = os.path.join(root, name)
            if name.endswith(".safetensors") and os.path.getsize(path) < 5000:
                with open(path, "rb") as file:
                    found.append(file.read())
    return found


def mutant(rng, given):
    if given and rng.random() < 0.3:
        raw = bytearray(rng.choice(given))
        for _ in range(rng.randrange(1, 3)):
            if raw:
                raw[rng.randrange(len(raw))] = rng.randrange(256)
        return bytes(raw)
    entries, data = well_formed(rng)
    return (mutate_fields if rng.random() < 0.6 else mutate_bytes)(rng, entries, data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cmd", required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", help="a folder of files to mutate as well")
    parser.add_argument("--keep", help="a folder for the files on which the verdicts differ")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    given = seeds(arguments.seeds)
    counts, failures = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mutant.safetensors")
        command = [word.replace("{path}", path) for word in shlex.split(arguments.cmd)]
        for index in range(arguments.count):
            raw = mutant(rng, given)
            with open(path, "wb") as file:
                file.write(raw)
            expected = spec_safetensors.validate(raw)
            run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            message = run.stdout.decode("utf-8", "replace")
            reason = next((name for text, name in EXTRA.items() if re.search(re.escape(text), message)), None)
            if run.returncode == 0 and expected["verdict"] == "accept":
                counts["both accept"] += 1
            elif run.returncode == 3 and expected["verdict"] == "reject":
                counts["both refuse: " + expected["error"]] += 1
            elif run.returncode == 3 and reason:
                counts["only we refuse: " + reason] += 1
            else:
                failures += 1
                print("mutant %d: exit %d, the validator says %s %s\n  %s" % (index, run.returncode, expected["verdict"], expected["error"] or "", message.strip()[:300]))
                if arguments.keep:
                    os.makedirs(arguments.keep, exist_ok=True)
                    with open(os.path.join(arguments.keep, "mutant_%d_%d.safetensors" % (arguments.seed, index)), "wb") as file:
                        file.write(raw)
    for name, count in sorted(counts.items()):
        print("%7d  %s" % (count, name))
    print("%d mutants, %d disagreements" % (arguments.count, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
