#!/usr/bin/env python3
"""The house: include arrows, circles, sizes of rooms, files and functions, and names that say nothing. Prints each breach and a closing line."""
import re
import subprocess
import sys

import house_rooms
import house_tree
from house_rooms import ROOT

MOST_FILES = 22  # of a room, headers and sources together: "about 20"
MOST_LINES = 400  # of a file
MOST_FUNCTION_LINES = 60
EMPTY_NAMES = re.compile(r"(^|_)(utils?|common|helpers?|manager|misc|stuff|base)(_|$)")
WINDOW_HEADERS = re.compile(r"imgui|GLFW|glad|glfw")
NETWORK_HEADERS = re.compile(r"^(curl/|openssl/(?!evp\.h))")  # evp.h has checksums alone
TOP = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "CHANGELOG.md", "README.md", "vcpkg.json", "app", "engine", "assets", "third_party", "tests"}


def include_breaches(rooms, path, text):
    room = house_rooms.room_of(rooms, path)
    if room is None and path != "app/main.cpp":
        yield f"{path}: in no room of engine/rooms.txt"
        return
    may_include = set(rooms) if room is None else house_rooms.allowed(rooms, room)
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
        if not match:
            continue
        kind, name = match.groups()
        if name.startswith(("engine/", "app/")):
            if house_rooms.room_of(rooms, name) not in may_include:
                yield f"{path}:{number}: {room} may not include {name}"
        elif kind == '"' and not WINDOW_HEADERS.search(name):
            yield f"{path}:{number}: include by full room path, not {name}"
        if WINDOW_HEADERS.search(name) and not name.startswith("app/") and "app/gui/kit/shaping" not in may_include:
            yield f"{path}:{number}: only app/gui/kit and the rooms above it may include {name}"
        if NETWORK_HEADERS.search(name) and room != "app/hub":
            yield f"{path}:{number}: only app/hub may include {name}"


def without_text(text):
    """The code with comments and literals blanked, so that braces in them count for nothing."""
    pattern = r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.DOTALL)


def functions_of(text):
    """(first line, lines) of every function body: the outermost braces that follow a parameter list, outside other functions."""
    code = without_text(text)
    depth, start, inside, found = 0, 0, 0, []
    for match in re.finditer(r"[{}]", code):
        if match.group() == "{":
            depth += 1
            before = code[: match.start()].rstrip()
            opens = re.search(r"\)\s*(const|noexcept|override|final|mutable|->\s*[\w:<>,&*\s]+|:\s[^;{}]*)*$", before[-400:])
            is_value = re.search(r"(\]|=|,|\(|return)\s*$", before[-40:])
            if not inside and opens and not is_value:
                inside, start = depth, code.count("\n", 0, match.start())
        else:
            if depth == inside:
                found.append((start + 1, code.count("\n", 0, match.start()) - start + 1))
                inside = 0
            depth -= 1
    return found


def size_breaches(path, text):
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield f"{path}: {lines} lines, more than {MOST_LINES}"
    for first, length in functions_of(text):
        if length > MOST_FUNCTION_LINES:
            yield f"{path}:{first}: a function of {length} lines, more than {MOST_FUNCTION_LINES}"


def name_breaches(path, text):
    stem = path.rpartition("/")[2].split(".")[0]
    for part in (*path.split("/")[:-1], stem):
        if EMPTY_NAMES.search(part):
            yield f"{path}: '{part}' is a name that says nothing"
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*(?:class|struct|namespace|enum class)\s+(\w+)", line)
        if match and EMPTY_NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", match.group(1)).lower()):
            yield f"{path}:{number}: '{match.group(1)}' is a name that says nothing"


ABORTING = (  # what ends the program where memory or threads run out, and what stands in for it
    (re.compile(r"\bdirectory_iterator\b|\brecursive_directory_iterator\b"), "file_names_in (engine/formats/file_names.h)"),
    (re.compile(r"\bstd::(jthread|async)\b|\bstd::thread\s*[({]|\bstd::thread\s+\w+\s*[({]"), "start_thread (engine/core/parallel.h)"),
    (re.compile(r"\bconst Json \w+ = parse_json\b"), "a JsonTree (engine/formats/json.h)"),
)
UNPROVED_LOCKS = re.compile(r"\bstd::(mutex|recursive_mutex|shared_mutex|timed_mutex|lock_guard|unique_lock|scoped_lock|condition_variable(_any)?)\b")


def aborting_breaches(path, text):
    for number, line in enumerate(without_text(text).splitlines(), 1):
        for pattern, instead in ABORTING:
            if pattern.search(line) and not path.startswith("engine/core/parallel."):
                yield f"{path}:{number}: ends the program where memory or threads run out; use {instead}"


def lock_breaches(path, text):
    for number, line in enumerate(without_text(text).splitlines(), 1):
        if UNPROVED_LOCKS.search(line) and path != "engine/core/guarded.h":
            yield f"{path}:{number}: a lock that the compiler cannot check; use Mutex, Lock and Condition (engine/core/guarded.h)"


def breaches_of(rooms, path, text):
    yield from include_breaches(rooms, path, text)
    yield from size_breaches(path, text)
    yield from name_breaches(path, text)
    yield from aborting_breaches(path, text)
    yield from lock_breaches(path, text)
    if path.endswith(".h") and "#pragma once" not in text:
        yield f"{path}: no #pragma once"


def room_breaches(rooms, paths):
    """Rooms of the table without a file, and rooms with too many."""
    count = dict.fromkeys(rooms, 0)
    for path in paths:
        if (room := house_rooms.room_of(rooms, path)) is not None:
            count[room] += 1
    for room, files in count.items():
        if files == 0:
            yield f"engine/rooms.txt: {room} has no file"
        if files > MOST_FILES:
            yield f"{room}: {files} files, more than {MOST_FILES}: what is the second room in it?"


def self_test(rooms):
    """A check that cannot fail is worse than none: each rule is shown a breach, and a long function without one."""
    long_function = "int f(int x) {\n" + "  ++x;\n" * 61 + "}\n"
    samples = [
        ("engine/core/x.h", '#pragma once\n#include "engine/text/tokenizer.h"\n'),
        ("engine/formats/x.cpp", '#include "engine/formats/tensors/npy.h"\n'),  # a parent does not see into its subroom
        ("engine/text/x.cpp", "#include <imgui.h>\n"),
        ("engine/figure/x.cpp", '#include "engine/pipeline/pipeline.h"\n'),
        ("engine/model/x.cpp", "#include <curl/curl.h>\n"),
        ("app/session/x.cpp", '#include "app/hub/http.h"\n'),
        ("app/cli/x.cpp", '#include "app/gui/window/window.h"\n'),
        ("app/nowhere/x.cpp", "int x;\n"),
        ("engine/core/x.cpp", '#include "error.h"\n'),
        ("engine/core/x.cpp", "\n" * (MOST_LINES + 1)),
        ("engine/core/x.cpp", long_function),
        ("engine/core/x.cpp", "struct S {\n  int f() const {\n" + "\n" * 60 + "  }\n};\n"),
        ("engine/core/string_utils.h", "#pragma once\n"),
        ("engine/core/x.h", "#pragma once\nclass FontManager;\n"),
        ("engine/core/x.h", "int x;\n"),
        ("app/work/x.cpp", "for (const auto& entry : fs::directory_iterator(folder)) use(entry);\n"),
        ("app/work/x.cpp", "thread_ = std::thread([this] { run(); });\n"),
        ("app/work/x.cpp", "const Json json = parse_json(bytes, file);\n"),
        ("app/work/x.cpp", "const std::lock_guard lock(mutex);\n"),
    ]
    for path, text in samples:
        if not list(breaches_of(rooms, path, text)):
            yield f"house_test.py: rule not kept by its own check: {path} {text[:40]!r}"
    sound = "namespace a {\nconst int kTable[] = {\n" + "  1,\n" * 80 + "};\n}\n"
    for breach in size_breaches("engine/core/x.cpp", sound):
        yield f"house_test.py: a table is taken for a function: {breach}"
    circle = house_rooms.parse("engine/a | engine/b | | one\nengine/b | engine/a | | two\n")
    if not list(house_rooms.breaches(circle)):
        yield "house_test.py: a circle of rooms is not seen"


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [p for p in listed.stdout.splitlines() if (ROOT / p).is_file()]


def main():
    rooms = house_rooms.load()
    files = tracked()
    sources = [p for p in files if p.startswith(("engine/", "app/")) and p.endswith((".h", ".cpp"))]
    found = [*house_rooms.breaches(rooms), *self_test(rooms), *room_breaches(rooms, sources)]
    for path in files:
        top = path.split("/")[0]
        if top not in TOP and not top.startswith("."):
            found.append(f"{path}: the top level holds more than the card names")
    for path in sources:
        found += breaches_of(rooms, path, (ROOT / path).read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if house_tree.tree(rooms) not in readme:
        found.append("README.md: its tree of rooms is not that of engine/rooms.txt: run tests/house_tree.py --write")
    for line in found:
        print(line)
    if len(sources) < 20:
        print(f"house_test.py: only {len(sources)} source files found; is this a checkout?")
        return 1
    print(f"house: {len(rooms)} rooms, {len(sources)} files, {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
