#!/usr/bin/env python3
"""Every figure, in every kind of file, read again by other programs than the one that wrote it.

    tests/figures_test.py [--all|--long] [PROGRAM]    (default: build/headlight)

Pictures are read by ImageMagick, poppler, librsvg and xmllint, numbers by Python's own csv and json and by NumPy; each file is written twice and
has the same bytes, and `headlight verify` finds it equal. One pixel, one number or one weight that is changed is found. The command that a file
says makes it again is typed into a shell, and gives the same bytes. --all also opens the HTML pages in Chromium, points at a cell by keyboard, and
reads what the page says; --long also measures figures for a column of 85 mm and for every preset.
"""
import csv
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

try:
    import numpy
except ModuleNotFoundError:  # the system's interpreter has what setup.sh installs; the first in PATH may be another
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

ROOT = Path(__file__).resolve().parent.parent
TEXT = 'The "cat" (sat) on <the> mat\\ & ate, 1+1; naïve 日本'
TEXTS = {"pruning": 'The "cat" <sat> & ate.'}  # a short one: each of its files prunes 32 heads one by one
MODEL = ["-m", "sandbox", "--layers", "2", "--heads", "4", "--d-model", "32"]
FIGURES = {
    "heatmap": ["--layer", "1", "--head", "2", "--theme", "light", "--queries", "2-9", "--keys", "0-6", "--row", "6", "--key", "2", "--frame", "6:2,7:3-4"],
    "grid": ["--mask", "causal+window:4", "--deny", "3:0,4:*", "--only", "1.2,0.0-0.2", "--row", "5", "--sort", "mean-distance:rising", "--where", "mean-distance > 0"],
    "compare": ["--pin", "0.1", "--pin", "1.2", "--range", "0.5", "--tokens", "3-8"],
    "links": ["--layer", "1", "--top", "2", "--query", "3"],
    "text": ["--layer", "1", "--key", "3"],
    "flow": ["--reduce", "rollout", "--only", "0-1", "--identity", "0.25"],
    "output": ["--query", "3", "--tokens", "2-7", "--listed", "4", "--off", "1.2", "--theme", "light"],
    "measures": ["--measures", "mean-distance,induction,entropy", "--sort", "mean-distance:rising", "--where", "mean-distance > 0.5", "--brush", "0.1,1.2"],
    "scatter": ["--across", "entropy", "--up", "previous-token", "--size", "mean-distance", "--brush", "0.1"],
    "inside": ["--layer", "0", "--head", "1", "--step", "6"],
    "compare-measures": ["--pin", "0.1", "--pin", "1.2", "--theme", "light"],
    "attribution": ["--target", "logit:#4-#11@3", "--layer", "1", "--head", "2", "--theme", "light"],
    "effects": ["--target", "logit:#4@3", "--method", "zero"],
    "methods": ["--methods", "uniform,zero,gate", "--theme", "light"],
    "patch": ["--target", "logit:#4@3", "--from", TEXT.replace("cat", "dog"), "--part", "layer-z", "--theme", "light"],
    "pruning": ["--method", "gate", "--theme", "light"],
    "lens": ["--query", "3", "--theme", "light"],
    "lab": ["--lab", "dropout:p=0.5,sample=2", "--layer", "1", "--head", "2", "--theme", "light"],
}
PREDICTING = ("output", "attribution", "effects", "methods", "patch", "pruning", "lens")  # the sandbox predicts nothing
MODELS = {figure: ["-m", "story-gpt"] for figure in PREDICTING}
STORY = ["-m", "story-gpt", "-t", "The horse that the sailors follow gallops. It knows itself.", "--theme", "light"]
COLUMN = {
    "heatmap": ["--layer", "2", "--head", "1", "--letter", "a"],
    "grid": ["--without", "caption,footer"],
    "compare": ["--pin", "1.3", "--pin", "2.1", "--font-family", "DejaVu Serif"],
    "links": ["--layer", "1", "--top", "1", "--transparent"],
    "text": ["--preset", "column", "--with", "footer", "--layer", "2", "--head", "1", "--query", "9", "--letter", "b"],
    "flow": ["--reduce", "rollout", "--without", "title", "--height", "90mm"],
    "output": ["--listed", "5", "--edit", "2.1=off"],
    "measures": ["--measures", "induction,mean-distance,entropy"],
    "scatter": ["--across", "entropy", "--up", "previous-token"],
    "inside": ["--layer", "2", "--head", "1", "--step", "6", "--letter", "f"],
    "compare-measures": ["--pin", "1.3", "--pin", "2.1"],
    "attribution": ["--query", "6", "--letter", "c"],
    "effects": ["--without", "caption"],
    "methods": ["--methods", "zero,gate,uniform,previous,self,first", "--letter", "d"],
    "patch": ["--from", "The horses that the sailor follow gallops. It knows itself.", "--target", "logit:follows", "--letter", "e"],
    "pruning": ["--target", "loss"],
    "lens": ["--query", "6"],
    "lab": ["--lab", "dropout:p=0.2", "--layer", "2", "--head", "1"],
}
PRESETS = {"column": 6, "page": 7.9, "slide": 11.9, "poster": 23.9}  # the least type, in points
DRAWN, MAPS, TABLES = ["png", "svg", "pdf", "html"], ["csv", "tsv", "npy", "npz", "safetensors", "json"], ["csv", "tsv", "npz", "safetensors", "json"]
COLUMNS, LISTS = ("measures", "scatter"), ("text", "output", "compare-measures", "attribution", "effects", "methods", "patch", "pruning", "lens")
ENDINGS = {figure: TABLES for figure in ("inside", "lab", *COLUMNS, *LISTS)}
RECORDED = {"png", "svg", "pdf", "html", "npz", "safetensors", "json"}
failures = []


def expect(condition, words):
    if not condition:
        failures.append(words)
        print(f"!! {words}")


def output_of(command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **more)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: exit status {done.returncode}: {done.stderr[:300]}")
    return done.stdout


def read_png(file):
    expect(output_of(["identify", "-format", "%m %[Software]", file]).startswith("PNG Headlight"), f"{file.name}: ImageMagick reads another file")
    return json.loads(output_of(["identify", "-format", "%[Headlight]", file]))


def read_svg(file):
    output_of(["xmllint", "--noout", "--nonet", file])
    words = output_of(["xmllint", "--xpath", "//*[local-name()='text']/text()", file])
    expect(any(word in words for word in ("sandbox · ", "story-gpt · ", "queries", "layer 0")), f"{file.name}: no text")
    picture = file.with_suffix(".from-svg.png")
    output_of(["rsvg-convert", file, "-o", picture])
    expect(int(output_of(["identify", "-format", "%k", picture])) > 8, f"{file.name}: librsvg draws nothing")
    return json.loads(output_of(["xmllint", "--xpath", "string(//*[local-name()='metadata'])", file]))


def read_pdf(file):
    words = output_of(["pdftotext", file, "-"])
    expect(any(word in words for word in ("queries", "key", "layer ", "mean distance", "likeliest", "previous token", "story-gpt", "measures of")), f"{file.name}: no text")
    fonts = output_of(["pdffonts", file]).splitlines()[2:]
    expect(fonts and all(re.search(r" yes +yes +yes ", font + " ") or re.search(r" yes +no +(yes|no) ", font + " ") for font in fonts), f"{file.name}: a font that is not embedded: {fonts}")
    output_of(["pdftoppm", "-r", "36", "-png", file, file.with_suffix(".from-pdf")])
    keywords = re.search(r"^Keywords: +(\{.*\})$", output_of(["pdfinfo", file]), re.MULTILINE)
    return json.loads(keywords.group(1)) if keywords else {}


def read_html(file):
    page = file.read_text()
    outside = re.findall(r"""(?:src|href)=["'](?!data:|#)[^"']*""", page)
    expect(not outside and "@import" not in page and "fetch(" not in page, f"{file.name}: refers to something outside it: {outside}")
    return json.loads(re.search(r'id="headlight-figure">(.*?)</script>', page).group(1))


def read_safetensors(file):
    data = file.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    texts = header.pop("__metadata__")
    arrays = {}
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        arrays[name] = numpy.frombuffer(data[8 + size + begin : 8 + size + end], {"F32": "<f4", "F64": "<f8"}[tensor["dtype"]]).reshape(tensor["shape"])
    return arrays, texts


def weights_in_json(read):
    return numpy.array(read["values"] if "values" in read else [head["weights"] for head in read["heads"]], numpy.float32)


def compare_columns(folder, figure):
    """A line for each head: CSV, TSV and JSON have the same numbers, and an empty cell where there is none."""
    read = json.loads((folder / f"{figure}.json").read_text())
    rows = list(csv.reader(open(folder / f"{figure}.csv", newline="")))
    expect(rows == list(csv.reader(open(folder / f"{figure}.tsv", newline=""), dialect="excel-tab")), f"{figure}: .csv and .tsv differ")
    expect(rows[0] == ["layer", "head"] + [column["id"] for column in read["columns"]], f"{figure}: the first line of the CSV")
    expect([[int(cell) for cell in row[:2]] for row in rows[1:]] == [[head["layer"], head["head"]] for head in read["heads"]], f"{figure}: heads of the CSV")
    for place, column in enumerate(read["columns"]):
        expect([float(row[2 + place]) if row[2 + place] else None for row in rows[1:]] == column["values"], f"{figure}: {column['id']} differs")
    expect(len(rows) > 2, f"{figure}: few heads")
    archive = numpy.load(folder / f"{figure}.npz")
    arrays, texts = read_safetensors(folder / f"{figure}.safetensors")
    expect([column["id"] for column in json.loads(texts["columns"])] == [column["id"] for column in read["columns"]], f"{figure}: columns of the arrays")
    heads = {name: [head[name] for head in read["heads"]] for name in ("layer", "head")}
    for name, values in (heads | {column["id"]: column["values"] for column in read["columns"]}).items():
        wanted = numpy.array([numpy.nan if value is None else value for value in values], numpy.float64)
        expect(all(holds(array[name], wanted) for array in (archive, arrays)), f"{figure}: other numbers in {name}")


def compare_lists(folder, figure):
    """A line for each number: CSV, TSV and JSON have the same cells."""
    read = json.loads((folder / f"{figure}.json").read_text())
    rows = list(csv.reader(open(folder / f"{figure}.csv", newline="")))
    expect(rows == list(csv.reader(open(folder / f"{figure}.tsv", newline=""), dialect="excel-tab")), f"{figure}: .csv and .tsv differ")
    expect(len(rows) > 5 and rows[0] == list(read["lines"][0]), f"{figure}: the first line of the CSV")
    for row, line in zip(rows[1:], read["lines"], strict=True):
        cells = [text if isinstance(value, str) else None if text == "" else float(text) for text, value in zip(row, line.values(), strict=True)]
        expect(cells == list(line.values()), f"{figure}: {row} is {line} in the JSON")
    tokens = {line["position"]: line["token"] for line in read["lines"] if line.get("position") is not None}
    expect(all(read["tokens"][position] == token for position, token in tokens.items()), f"{figure}: other tokens")
    if figure == "output":
        for position in tokens:
            listed = [line["probability"] for line in read["lines"] if line["position"] == position and line["rank"] < 4]
            expect(len(listed) == 4 and listed == sorted(listed, reverse=True) and sum(listed) <= 1, f"{figure}: {listed} at {position}")


def compare_named(folder, figure):
    """Matrices with names along their sides: every file of them has the same numbers under the same names."""
    read = json.loads((folder / f"{figure}.json").read_text())
    rows = list(csv.reader(open(folder / f"{figure}.csv", newline="")))
    expect(rows == list(csv.reader(open(folder / f"{figure}.tsv", newline=""), dialect="excel-tab")), f"{figure}: .csv and .tsv differ")
    archive = numpy.load(folder / f"{figure}.npz")
    arrays, texts = read_safetensors(folder / f"{figure}.safetensors")
    named = [{"name": part["name"], "rows": part["rows"], "columns": part["columns"]} for part in read["parts"]]
    expect(json.loads(texts["parts"]) == json.loads(str(archive["parts"])) == named, f"{figure}: other names")
    cells = [[part["name"], str(row), part["rows"][row], str(column), part["columns"][column], value] for part in read["parts"] for row, line in enumerate(part["values"]) for column, value in enumerate(line)]
    expect(len(cells) > 50 and [row[:5] for row in rows[1:]] == [cell[:5] for cell in cells], f"{figure}: names of the CSV")
    expect([float(row[5]) if row[5] else None for row in rows[1:]] == [cell[5] for cell in cells], f"{figure}: numbers of the CSV")
    for part in read["parts"]:
        wanted = numpy.array([[numpy.nan if value is None else value for value in line] for line in part["values"]], numpy.float64)
        expect(all(holds(array[part["name"]], wanted) for array in (archive, arrays)), f"{figure}: other numbers in {part['name']}")


def holds(array, wanted):
    """Whether these are the numbers of a text, where those of single precision have the fewest digits that read back as such."""
    single = array.astype(numpy.float32)
    is_single = numpy.array_equal(array, single, equal_nan=True)
    return numpy.array_equal(array, wanted, equal_nan=True) or (is_single and numpy.array_equal(single, wanted.astype(numpy.float32), equal_nan=True))


def compare_arrays(folder, figure):
    """The same for a figure that has arrays too: one for each column of numbers, of double precision, and the words beside them."""
    compare_lists(folder, figure)
    lines = json.loads((folder / f"{figure}.json").read_text())["lines"]
    archive = numpy.load(folder / f"{figure}.npz")
    arrays, texts = read_safetensors(folder / f"{figure}.safetensors")
    for column in lines[0]:
        cells = [line[column] for line in lines]
        if any(isinstance(cell, str) for cell in cells):
            expect(json.loads(texts[column]) == json.loads(str(archive[column])) == cells, f"{figure}: other words in {column}")
            continue
        wanted = numpy.array([numpy.nan if cell is None else cell for cell in cells], numpy.float64)
        for array in (arrays[column], archive[column]):
            expect(holds(array, wanted), f"{figure}: other numbers in {column}")
    if figure == "attribution":
        split = sum(line["value"] for line in lines if line["part"] == "source")
        whole = next(line["value"] for line in lines if line["part"] == "head" and (line["layer"], line["head"]) == (1, 2))
        expect(abs(split - whole) < 1e-4, f"{figure}: source tokens add {split}, their head {whole}")


def compare_numbers(folder, figure):
    """Every file of one figure's numbers holds the same numbers, and the tokens as they are."""
    read = json.loads((folder / f"{figure}.json").read_text())
    archive = numpy.load(folder / f"{figure}.npz")
    arrays, texts = read_safetensors(folder / f"{figure}.safetensors")
    expect(json.loads(texts["tokens"]) == read["tokens"] == json.loads(str(archive["tokens"])), f"{figure}: other tokens")
    expect(str(archive["text"]) == read["text"] == TEXT == texts["text"], f"{figure}: another text")
    for name, array in arrays.items():
        expect(array.tobytes() == archive[name].tobytes(), f"{figure}: .npz and .safetensors differ in {name}")
    rows = [list(csv.reader(open(folder / f"{figure}.csv", newline="")))]
    rows.append(list(csv.reader(open(folder / f"{figure}.tsv", newline=""), dialect="excel-tab")))
    expect(rows[0] == rows[1], f"{figure}: .csv and .tsv differ")
    if figure == "inside":
        softmax = [number for number in read["numbers"] if number["number"] == "weight"]
        return expect(len(rows[0]) > 50 and softmax is not None, f"{figure}: few numbers")
    ours = weights_in_json(read)
    expect(ours.reshape(-1).tobytes() == arrays["attention"].reshape(-1).tobytes(), f"{figure}: .json and .safetensors differ")
    expect(numpy.load(folder / f"{figure}.npy").tobytes() == arrays["attention"].tobytes(), f"{figure}: .npy differs")
    if figure in ("heatmap", "flow"):
        table = numpy.array([[float(cell) for cell in row[1:]] for row in rows[0][1:]], numpy.float32)
        expect([row[0] for row in rows[0][1:]] == read["tokens"] == rows[0][0][1:], f"{figure}: tokens of the CSV")
    else:
        table = numpy.array([float(row[-1]) for row in rows[0][1:]], numpy.float32)
    expect(table.reshape(-1).tobytes() == ours.reshape(-1).tobytes(), f"{figure}: .csv differs")


def read_record(file):
    kind = file.suffix[1:]
    if kind == "json":
        return json.loads(file.read_text())["provenance"]
    if kind == "npz":
        return json.loads(str(numpy.load(file)["headlight"]))
    if kind == "safetensors":
        return json.loads(read_safetensors(file)[1]["headlight"])
    return {"png": read_png, "svg": read_svg, "pdf": read_pdf, "html": read_html}[kind](file)


def check_recorded(program, folder, file, figure):
    record = read_record(file)
    expect(record.get("format") == "headlight-figure" and record["figure"]["kind"] == figure, f"{file.name}: says not how it was made: {str(record)[:200]}")
    expect(str(folder) not in file.read_bytes().decode("latin-1"), f"{file.name}: names a folder")
    found = output_of([program, "verify", file], cwd=folder)
    expect(found.startswith("equal: "), f"{file.name}: {found}")
    again = folder / "again"
    again.mkdir(exist_ok=True)
    output_of(["bash", "-c", 'headlight() { "$PROGRAM" "$@"; }; ' + record["command"]], cwd=again, env={"PROGRAM": str(program), "PATH": "/usr/bin:/bin", "HOME": str(again)})
    made = list(again.glob("*" + file.suffix))
    expect(len(made) == 1 and made[0].read_bytes() == file.read_bytes(), f"{file.name}: its command makes another file: {record['command']}")
    for each in made:
        each.unlink()


def options_for(ending, options, figure):
    """Numbers have no style, but some options of a picture decide which numbers there are."""
    kept = {"output": ["--tokens"], "text": ["--key"]}.get(figure, [])
    style = ["--theme", "--range", "--tokens", "--queries", "--keys", "--row", "--key", "--frame", "--brush"] if ending not in DRAWN else []
    style = [option for option in style if option not in kept]
    return [option for at, option in enumerate(options) if option not in style and (at == 0 or options[at - 1] not in style)]


def check_figure(program, folder, figure, options):
    for ending in DRAWN + ENDINGS.get(figure, MAPS):
        kept = options_for(ending, options, figure)
        file, twin = folder / f"{figure}.{ending}", folder / f"twin.{ending}"
        for name in (file, twin):
            output_of([program, "export", *MODELS.get(figure, MODEL), "-t", TEXTS.get(figure, TEXT), "--figure", figure, *kept, "-o", name])
        expect(file.read_bytes() == twin.read_bytes(), f"{file.name}: other bytes the second time")
        twin.unlink()
        if ending in RECORDED:
            check_recorded(program, folder, file, figure)
    compare = compare_columns if figure in COLUMNS else compare_arrays if figure in LISTS else compare_named if figure == "lab" else compare_numbers
    compare(folder, figure)


def check_sizes(program, folder):
    """144 maps of 64 tokens stay small enough to be opened, and titles hold exact values."""
    words = " ".join(f"w{word}" for word in range(64))
    for ending, most in (("svg", 2_000_000), ("pdf", 2_000_000), ("html", 6_000_000)):
        file = folder / f"many.{ending}"
        output_of([program, "export", "-m", "sandbox", "--layers", "12", "--heads", "12", "--d-model", "96", "-t", words, "--figure", "grid", "-o", file])
        expect(file.stat().st_size < most, f"{file.name}: {file.stat().st_size} bytes")
    read_svg(folder / "many.svg")
    titled = folder / "titled.svg"
    output_of([program, "export", *MODEL, "-t", TEXT, "--titles", "-o", titled])
    titles = output_of(["xmllint", "--xpath", "//*[local-name()='rect']/*[local-name()='title']/text()", titled])
    expect("masked" in titles and "“The” (0) → “The” (0): 1" in titles, "titled.svg: no exact values")


def smallest_type(file):
    """Points of the smallest letters, by another program: it counts in whole pixels, at most three to a point."""
    xml = output_of(["pdftohtml", "-xml", "-stdout", "-zoom", "3", "-i", file])
    return min(int(size) for size in re.findall(r'<fontspec [^>]*size="(\d+)"', xml)) / 3


def check_columns(program, folder):
    """Figures for a column of 85 mm with labels of 7 points, read by other programs."""
    for figure, options in COLUMN.items():
        for ending in DRAWN:
            file, twin = folder / f"{figure}-column.{ending}", folder / f"twin.{ending}"
            for name in (file, twin):
                output_of([program, "export", *STORY, "--figure", figure, "--width", "85mm", "--font", "7pt", *options, "-o", name])
            expect(file.read_bytes() == twin.read_bytes(), f"{file.name}: other bytes the second time")
            twin.unlink()
            check_recorded(program, folder, file, figure)
        pdf, svg, png = (folder / f"{figure}-column.{ending}" for ending in ("pdf", "svg", "png"))
        width = float(re.search(r"^Page size: +([\d.]+) x", output_of(["pdfinfo", pdf]), re.MULTILINE).group(1))
        expect(abs(width - 85 * 72 / 25.4) < 0.01, f"{pdf.name}: {width} points wide")
        expect(smallest_type(pdf) >= 6.9, f"{pdf.name}: letters of {smallest_type(pdf)} points")
        picture = folder / "from-svg.png"
        output_of(["rsvg-convert", "-d", "300", "-p", "300", svg, "-o", picture])
        sizes = [output_of(["identify", "-format", "%w", file]) for file in (picture, png)]
        expect(all(abs(int(size) - 1004) <= 1 for size in sizes), f"{figure}: {sizes} pixels, not 1004")
        density = float(output_of(["identify", "-units", "PixelsPerInch", "-format", "%x", png]).split()[0])
        expect(abs(density - 300) < 0.1, f"{png.name}: {density} pixels on an inch")


def check_presets(program, folder):
    """On every preset, letters of every figure and of every step of the look inside are as large as those of the page; a table of many
    columns is smaller on a slide, and the program says so."""
    kinds = {figure: ([figure], options) for figure, options in COLUMN.items() if figure not in ("text", "inside")}
    kinds["text"] = (["text"], ["--layer", "2", "--head", "1", "--query", "9"])
    kinds["all measures"] = (["measures"], [])
    for step in range(1, 9):
        kinds[f"step {step}"] = (["inside"], ["--layer", "2", "--head", "1", "--step", str(step)])
    for preset, least in PRESETS.items():
        for name, ((figure,), options) in kinds.items():
            options = [option for at, option in enumerate(options) if "--height" not in options[max(0, at - 1) : at + 1]]
            file = folder / "preset.pdf"
            said = subprocess.run([str(program), "export", *STORY, "--figure", figure, "--preset", preset, *options, "-o", str(file)], capture_output=True, text=True, check=False)
            expect(said.returncode == 0, f"{preset} {name}: {said.stderr}")
            if preset == "slide" and name == "all measures":
                expect("The smallest letters are " in said.stderr, f"{preset} {name}: says nothing of small letters")
            else:
                expect(smallest_type(file) >= least, f"{preset} {name}: letters of {smallest_type(file):.1f} points, not {least}")


def said_by_page(folder, figure, keys=(), place=""):
    """Chromium opens the page without a window; a script of ours presses keys, or points at the place whose words begin so, and leaves what is
    said in the title."""
    page = (folder / figure / f"{figure}.html").read_text()
    probe = f"""<script>
const map = document.querySelector(".map");
map.focus();
for (const key of {json.dumps(list(keys))}) map.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
if ({json.dumps(place)}) {{
  const [x, y, width, height] = JSON.parse(document.getElementById("headlight-maps").textContent).places[0].spots.find(spot => spot.words.startsWith({json.dumps(place)})).box;
  const at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(document.querySelector("svg").getScreenCTM());
  map.dispatchEvent(new PointerEvent("pointermove", {{clientX: at.x, clientY: at.y, bubbles: true}}));
}}
const faint = [...document.querySelectorAll("svg > path")].filter(path => path.style.opacity !== "").length;
document.title = "SAID " + faint + " FAINT " + document.getElementById("cell").textContent;
</script></body>"""
    probed = folder / "probed.html"
    probed.write_text(page.replace("</body>", probe))
    dom = output_of(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", probed.as_uri()])
    said = re.search(r"<title>SAID (\d+) FAINT (.*?)</title>", dom)
    expect(said, f"{figure}.html: Chromium says nothing")
    return (int(said.group(1)), said.group(2)) if said else (0, "")


def check_pages(folder):
    """What pages say is what the files of numbers hold."""
    _, said = said_by_page(folder, "heatmap", ["PageUp", "ArrowDown", "ArrowDown", "End", "Home", "ArrowRight"])
    read = json.loads((folder / "heatmap" / "heatmap.json").read_text())
    wanted = numpy.float32(read["heads"][0]["weights"][4][1])  # the page shows queries from 2 on
    value = re.search(r"\(4\) → key “(.*)” \(1\): (.*)$", said)
    expect(value and numpy.float32(value.group(2)) == wanted, f"heatmap.html: Chromium says {said}, not {wanted}")
    faint, said = said_by_page(folder, "links", ["Home", "ArrowDown", "ArrowDown"])
    weights = numpy.array([head["weights"] for head in json.loads((folder / "links" / "links.json").read_text())["heads"]], numpy.float32)
    expect(re.search(r"\(2\) gives ", said) and faint > 0, f"links.html: Chromium says {said}, {faint} lines are faint")
    for value, key, head in re.findall(r"([\d.e-]+) to “[^”]*” \((\d+)\) \(head 1\.(\d+)\)", said):
        expect(numpy.float32(value) == weights[int(head)][2][int(key)], f"links.html: {value} to {key} of head {head}")
    _, said = said_by_page(folder, "inside", place="weight of ")
    weights = next(number["values"] for number in json.loads((folder / "inside" / "inside.json").read_text())["numbers"] if number["number"] == "weight")
    value = re.search(r"^weight of “.*” \((\d+)\): (.*)$", said)
    expect(value and numpy.float32(value.group(2)) == numpy.float32(weights[int(value.group(1))]), f"inside.html: Chromium says {said}")
    _, said = said_by_page(folder, "effects", place="1.2: ")
    lines = json.loads((folder / "effects" / "effects.json").read_text())["lines"]
    line = next(each for each in lines if (each["layer"], each["head"]) == (1, 2))
    value = re.search(r"^1\.2: ([^;]*); the target would be (.*)$", said)
    expect(value and (float(value.group(1)), float(value.group(2))) == (line["zero"], line["target"]), f"effects.html: Chromium says {said}")
    _, said = said_by_page(folder, "text", ["Home", "ArrowRight"])
    lines = json.loads((folder / "text" / "text.json").read_text())["lines"]
    value = re.search(r"\((\d+)\): (.*)$", said)
    expect(value and numpy.float32(value.group(2)) == numpy.float32(lines[int(value.group(1))]["weight"]), f"text.html: Chromium says {said}")


def with_other_number(text):
    """A picture as text in which one number after an attribute's name is another."""
    return re.sub(r' (y|y1|height)="(\d+)', lambda found: f' {found[1]}="{int(found[2]) + 1}', text, count=1)


def with_other_pixel(png):
    """A PNG whose last pixel, lower right, is another."""
    chunks, at = [], 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + size]))
        at += size + 12
    pixels = bytearray(zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT")))
    pixels[-1] ^= 0x20
    first = [name for name, _ in chunks].index(b"IDAT")
    chunks = [chunk for chunk in chunks if chunk[0] != b"IDAT"]
    chunks.insert(first, (b"IDAT", zlib.compress(bytes(pixels))))
    return png[:8] + b"".join(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks)


def change_one(file, changed):
    """A copy of a figure's file in which one pixel or one number is another."""
    ending = file.suffix
    if ending == ".png":
        changed.write_bytes(with_other_pixel(file.read_bytes()))
    elif ending == ".svg":
        changed.write_text(with_other_number(file.read_text()))
    elif ending == ".html":
        before, svg = file.read_text().split("<svg ", 1)
        opening, rest = svg.split(">", 1)
        changed.write_text(f"{before}<svg {opening}>{with_other_number(rest)}")
    elif ending == ".json":
        changed.write_text(re.sub(r"0\.(\d)(\d+)", lambda found: f"0.{9 - int(found[1])}{found[2]}", file.read_text(), count=1))
    elif ending == ".npz":
        arrays = {name: array.copy() for name, array in numpy.load(file).items()}
        first = next(name for name, array in arrays.items() if array.dtype in (numpy.float32, numpy.float64))
        numbers = arrays[first].reshape(-1)
        numbers[numpy.flatnonzero(numpy.isfinite(numbers))[0]] += 0.25
        numpy.savez(changed, **arrays)
    else:  # a byte: of a PDF in the middle of what is drawn, of safetensors in the last number
        data = bytearray(file.read_bytes())
        data[data.index(b"stream") + 40 if ending == ".pdf" else -2] ^= 0x21
        changed.write_bytes(data)


def recorded_of(figure):
    return [ending for ending in DRAWN + ENDINGS.get(figure, MAPS) if ending in RECORDED]


def check_changes(program, folder, figure):
    """Whoever changes one pixel, number or byte of a figure is found out."""
    for ending in recorded_of(figure):
        file, changed = folder / f"{figure}.{ending}", folder / f"changed.{ending}"
        change_one(file, changed)
        expect(changed.read_bytes() != file.read_bytes(), f"{file.name}: nothing was changed")
        found = subprocess.run([str(program), "verify", str(changed)], capture_output=True, text=True, check=False)
        is_found = found.returncode == 7 and found.stdout.startswith("differs: ")
        expect(is_found or (ending == "pdf" and found.returncode == 3), f"{file.name}: a change is not found: {found.stdout}{found.stderr}")
        changed.unlink()


def check_weights(program, folder, figure, options):
    """Whoever changes one weight of the model is found out, whatever the figure and its file."""
    model = folder / "story-gpt"
    shutil.copytree(ROOT / "assets" / "models" / "story-gpt", model)
    for ending in recorded_of(figure):
        output_of([program, "export", "-m", model, "-t", TEXTS.get(figure, TEXT), "--figure", figure, *options_for(ending, options, figure), "-o", folder / f"{figure}-weights.{ending}"])
    weights = next(model.glob("*.safetensors"))
    data = bytearray(weights.read_bytes())
    data[-3] ^= 0x40
    weights.write_bytes(data)
    for ending in recorded_of(figure):
        found = subprocess.run([str(program), "verify", "-m", str(model), str(folder / f"{figure}-weights.{ending}")], capture_output=True, text=True, check=False)
        expect(found.returncode == 7 and "the weights of story-gpt are not those" in found.stdout, f"{figure}.{ending}: other weights are not found: {found.stdout}{found.stderr}")
    shutil.rmtree(model)


def check_batch(program, folder):
    """A folder of figures: its page is read by xmllint and names only files that are there."""
    (folder / "texts.csv").write_text('id,text\n1,"The <cat>, sat"\n2,שלום\n')
    out = folder / "batch"
    figures = [figure for figure in FIGURES if figure not in ("compare", "compare-measures", *PREDICTING)]
    output_of([program, "export", *MODEL, "--texts", folder / "texts.csv", "--figures", ",".join(figures), "--lab", "dropout", "--format", "png,json", "-o", out])
    page = out / "index.html"
    output_of(["xmllint", "--html", "--noout", "--nonet", page])
    named = set(re.findall(r'(?:href|src)="([^"#]+)"', page.read_text()))
    there = {file.name for file in out.iterdir()} - {"index.html", "batch.json"}
    expect(named == there and len(there) == 4 * len(figures), f"index.html: names {sorted(named ^ there)}, which are not the files")
    listed = {item["file"]: item["sha256"] for item in json.loads((out / "batch.json").read_text())["items"]}
    expect(listed == {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in there}, "batch.json: other digests")
    for name in ("0000-grid.png", "0001-links.json"):
        expect(output_of([program, "verify", out / name]).startswith("equal: "), f"{name}: not equal")


def new_folder(folder):
    folder.mkdir()
    return folder


def check_one(program, folder, figure):
    check_figure(program, folder, figure, FIGURES[figure])
    check_changes(program, folder, figure)
    check_weights(program, folder, figure, FIGURES[figure])


def main():
    arguments = sys.argv[1:]
    is_long = "--long" in arguments
    is_all = is_long or "--all" in arguments
    programs = [argument for argument in arguments if not argument.startswith("--")]
    program = Path(programs[0] if programs else ROOT / "build" / "headlight").resolve()
    with tempfile.TemporaryDirectory(prefix="headlight-figures-") as name:
        folder = Path(name)
        large = [check_columns, check_presets] if is_long else []
        checks = [(check.__name__, check) for check in (*large, check_sizes, check_batch)]
        checks += [(figure, partial(check_one, figure=figure)) for figure in FIGURES]
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # most of the programs that read have one thread
            for done in [pool.submit(check, program, new_folder(folder / place)) for place, check in checks]:
                done.result()
        if is_all:
            check_pages(folder)
    print(f"figures: {len(FIGURES)} figures, {len(DRAWN) + len(MAPS)} kinds of files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
