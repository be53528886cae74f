"""readers_test.py PROGRAM: what `headlight heads` and `export` write is what pandas, numpy, sqlite3 and R read: the same numbers from every format, undefined
ones missing, texts and tokens such as NA, 01, a quote or a comma as they are. The calls are those of app/README.md."""
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import numpy
import pandas

HERE = pathlib.Path(__file__).resolve().parent
MODEL = ["-m", "sandbox", "--layers", "2", "--heads", "3", "--d-model", "24"]
# The second is undefined everywhere under a causal mask; others have names that a reader may take for something else.
MEASURES = ["entropy", "next-token", "key-set:first-token+3+#5", "span-weight:2-3/0-1", "offset:-2", "previous-abs",
            "normalised-entropy-without-first-token"]
WRITTEN = [*MEASURES, "hidden-mass:first-token"]  # which stands beside a measure without keys, asked for or not
QUANTILES = ["q05", "q25", "q50", "q75", "q95"]
TEXTS = ["NA", "01", "1e5 T F", 'say "NA", 01 and 1e5', "the cat, the dog\nand a T", "=1+1, or 'nothing' of it at all", "naïve Ωmega 🙂 ␣ ↵ \\n",
         "NULL nan None inf -inf"]
TOKENS = ["NA", "01", "\"", ",", "T", "1e5", "=", "'", "nan", "NULL", "TRUE", "#", "3"]


def run(program, *options):
    subprocess.run([program, *map(str, options)], check=True, stdin=subprocess.DEVNULL)


def write_all(program, folder):
    rows = ["id,text"] + [f'{at},"{text.replace(chr(34), chr(34) * 2)}"' for at, text in enumerate(TEXTS)]
    (folder / "texts.csv").write_text("\n".join(rows) + "\n")
    command = ["heads", *MODEL, "--texts", folder / "texts.csv", "--length-bins", "2,6", "--measures", ",".join(MEASURES)]
    for ending in ("csv", "npy"):
        run(program, *command, "--details", "-o", folder / f"heads.{ending}")
    for ending in ("jsonl", "sqlite"):
        run(program, *command, "--top", 2, "-o", folder / f"heads.{ending}")
    (folder / "text.txt").write_text(" ".join(TOKENS))
    run(program, "export", *MODEL, "--text-file", folder / "text.txt", "--figure", "heatmap", "-o", folder / "map.csv")


def heads_of_jsonl(path):
    """{(layer, head, length_from, length or None, measure): its numbers}, and the first line."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    cells = {}
    for line in lines[1:]:
        for measure, numbers in line["measures"].items():
            cells[line["layer"], line["head"], line["length_from"], line["length"], measure] = numbers
    return lines[0], cells


def check_csv(folder, cells):
    table = pandas.read_csv(folder / "heads.csv", dtype={"length": "Int64"}, float_precision="round_trip")
    assert list(table.columns[:5]) == ["layer", "head", "length_from", "length", "n"], list(table.columns)
    assert [str(kind) for kind in table.dtypes[:5]] == ["int64", "int64", "int64", "Int64", "int64"], table.dtypes
    assert len(table) == 2 * 3 * 4
    assert list(table["length_from"]) == [1, 3, 7, 1] * 6
    assert list(table["length"].astype(object).where(table["length"].notna(), None)) == [2, 6, None, None] * 6
    for head in range(6):
        assert sum(table["n"][4 * head : 4 * head + 3]) == table["n"][4 * head + 3] == len(TEXTS)
    for row in table.to_dict("records"):
        length = None if pandas.isna(row["length"]) else int(row["length"])
        for measure in WRITTEN:
            numbers = cells[row["layer"], row["head"], row["length_from"], length, measure]
            assert row[f"{measure}.n"] == numbers["n"]
            for name, column in [("mean", measure), ("se", f"{measure}.se"), *[(each, f"{measure}.{each}") for each in QUANTILES]]:
                if numbers[name] is None:
                    assert numpy.isnan(row[column]), (column, row[column])
                else:
                    assert row[column] == numbers[name], (column, row[column], numbers[name])
    assert table["next-token"].isna().all() and table["next-token"].dtype == numpy.float64
    assert table["entropy"].notna().any() and table["entropy"].isna().any()
    return table


def check_npy(folder, table):
    records = numpy.load(folder / "heads.npy")  # allow_pickle is off
    assert list(records.dtype.names) == list(table.columns)
    kinds = [records.dtype[name].str for name in ("layer", "head", "length_from", "length", "n", "entropy", "entropy.n")]
    assert kinds == ["<i4", "<i4", "<i8", "<i8", "<i8", "<f8", "<f8"], kinds
    for name in records.dtype.names:
        column = table[name].fillna(-1).to_numpy() if name == "length" else table[name].to_numpy()
        assert numpy.array_equal(records[name], column, equal_nan=records.dtype[name].kind == "f"), name
    pandas.testing.assert_frame_equal(pandas.DataFrame(records)[WRITTEN], table[WRITTEN])


def check_sqlite(folder, first, cells):
    database = sqlite3.connect(folder / "heads.sqlite")
    table = pandas.read_sql("SELECT * FROM heads", database)
    assert len(table) == len(cells)
    for row in table.to_dict("records"):
        length = None if numpy.isnan(row["length"]) else int(row["length"])
        numbers = cells[row["layer"], row["head"], row["length_from"], length, row["measure"]]
        for name in ["n", "mean", "se", *QUANTILES]:
            assert (numpy.isnan(row[name]) if numbers[name] is None else row[name] == numbers[name]), (row, name)
    about = dict(database.execute("SELECT key, value FROM study"))
    assert about["corpus_digest"] == first["corpus_digest"] and json.loads(about["measures"]) == WRITTEN
    told = {text for numbers in cells.values() for text in [example["text"] for example in numbers.get("top", [])]}
    examples = {text for text, in database.execute("SELECT DISTINCT text FROM examples")}
    assert examples == told and told <= set(TEXTS), (examples, told)
    missing = [text for text in TEXTS if " " in text and text not in told]  # of one token nothing is defined
    assert not missing, missing
    types = {kind for kind, in database.execute("SELECT DISTINCT typeof(text) FROM examples")}
    assert types == {"text"}, types
    database.close()


def check_map(folder):
    table = pandas.read_csv(folder / "map.csv", keep_default_na=False, dtype={"query \\ key": str}, float_precision="round_trip")
    assert list(table["query \\ key"]) == TOKENS, list(table["query \\ key"])
    assert list(table.columns[1:]) == TOKENS, list(table.columns)
    weights = table[TOKENS].to_numpy(dtype=float)
    assert numpy.allclose(weights.sum(axis=1), 1, atol=1e-6) and numpy.all(numpy.triu(weights, 1) == 0)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="headlight-readers-") as name:
        folder = pathlib.Path(name)
        write_all(program, folder)
        first, cells = heads_of_jsonl(folder / "heads.jsonl")
        assert first["measures"] == WRITTEN and first["bad_lines"] == 0
        table = check_csv(folder, cells)
        check_npy(folder, table)
        check_sqlite(folder, first, cells)
        check_map(folder)
        print(f"   pandas {pandas.__version__}: {len(table)} rows, {len(cells)} cells, equal in csv, npy, jsonl and sqlite")
        (folder / "texts.json").write_text(json.dumps(TEXTS))
        (folder / "tokens.json").write_text(json.dumps(TOKENS))
        (folder / "measures.json").write_text(json.dumps(WRITTEN))
        subprocess.run(["Rscript", "--vanilla", HERE / "readers.R", folder], check=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
