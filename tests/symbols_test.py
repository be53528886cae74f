#!/usr/bin/env python3
"""symbols_test.py BUILD: no room defines what only another room's header declares. Include paths cannot see this: a .cpp file may hold the
body of any function whose header it may read. Reads the rooms' libraries in the folder BUILD with nm; prints each breach and a closing
line."""
import re
import subprocess
import sys
from pathlib import Path

import house_rooms
from house_rooms import ROOT
from house_test import tracked, without_text

NOT_TYPES = {"return", "throw", "else", "new", "delete", "case", "using", "typedef", "co_return", "operator", "goto"}


def library_of(build, room):
    """engine/formats/tensors -> BUILD/engine/libheadlight_formats_tensors.a, as rooms.cmake names it."""
    top, _, name = room.removesuffix(".*").partition("/")
    return build / top / f"libheadlight_{name.replace('/', '_')}.a"


def namespace_level(code):
    """The code outside of all braces but those of namespaces, each of the other blocks as {}."""
    kept, inside = [], []
    begin = 0
    for match in re.finditer(r"[{}]", code):
        if not any(inside):
            kept.append(code[begin : match.start()])
        begin = match.end()
        if match.group() == "{":
            is_block = not re.search(r"\bnamespace(\s+[\w:]+)?\s*$", code[max(0, match.start() - 80) : match.start()])
            if is_block and not any(inside):
                kept.append("{};")
            inside.append(is_block)
        elif inside:
            inside.pop()
    kept.append(code[begin:])
    return "".join(kept)


def declared(header):
    """Names of the functions, variables and types that a header declares for its namespace; types of which it only says that there are
    some are left out."""
    code = without_text(header)
    code = re.sub(r"^\s*#[^\n]*", "", code, flags=re.MULTILINE)
    types = set(re.findall(r"\b(?:class|struct|union)\s+(\w+)(?:\s+final)?\s*(?::[^;{}()]*)?\{", code))
    names = set()
    for statement in namespace_level(code).split(";"):
        head = re.split(r"[=({]", statement, maxsplit=1)[0] if "operator" not in statement else ""
        words = re.findall(r"[A-Za-z_]\w*", head)
        if len(words) >= 2 and words[0] not in NOT_TYPES and words[-1] != "operator":
            names.add(words[-1])
    return names, types


def headers_of(paths, read):
    """Room -> the names and the types that its headers declare."""
    rooms = house_rooms.load()
    found = {room: (set(), set()) for room in rooms}
    for path in paths:
        room = house_rooms.room_of(rooms, path)
        if path.endswith(".h") and room is not None:
            names, types = declared(read(path))
            found[room][0].update(names)
            found[room][1].update(types)
    return found


def parts_of(symbol):
    """"headlight::Mask::set(long, bool)" -> ("Mask", "set"); None for a symbol that is not ours, or that is local to one file."""
    name = re.sub(r"\[abi:\w+\]", "", symbol)
    if not name.startswith("headlight::") or "(anonymous namespace)" in name or "operator" in name:
        return None
    name = name.removeprefix("headlight::").split("(")[0]
    while "<" in name:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            return None
        name = shorter
    return tuple(name.split("::")) if re.fullmatch(r"[\w~:]+", name) else None


def breaches(room, symbols, headers):
    own_names, own_types = headers[room]
    for symbol in sorted(set(symbols)):
        parts = parts_of(symbol)
        if parts is None:
            continue
        kind = 0 if len(parts) == 1 else 1
        if parts[0] in (own_names, own_types)[kind]:
            continue
        others = [other for other, lists in headers.items() if parts[0] in lists[kind]]
        if others:
            yield f"{room} defines {symbol}, which is declared in {', '.join(others)}"


def symbols_of(library):
    """Functions (T) and variables (B, D, R) that other rooms can link with; not what the compiler makes of templates and inline code."""
    listed = subprocess.run(["nm", "-C", "--defined-only", "--extern-only", library], capture_output=True, text=True, check=True).stdout
    return [match.group(1) for match in re.finditer(r"^[0-9a-f]+ [TBDR] (.+)$", listed, flags=re.MULTILINE)]


def self_test():
    """A check that cannot fail is worse than none."""
    texts = {
        "engine/core/x.h": "namespace headlight {\nint here(int x);\nextern const int kHere;\nclass Kind {\n public:\n  int size() const;\n};\nclass Later;\n}\n",
        "engine/text/x.h": "namespace headlight {\nint there() { return here(1); }\nLater size(const Kind& kind);\nclass Later final : public Kind {};\n}\n",
    }
    headers = headers_of(texts, texts.get)
    for symbol in ("headlight::here(int)", "headlight::kHere", "headlight::Kind::size() const", "headlight::here[abi:cxx11](int)"):
        if not list(breaches("engine/text", [symbol], headers)):
            yield f"symbols_test.py: {symbol} in engine/text is not seen"
        for breach in breaches("engine/core", [symbol], headers):
            yield f"symbols_test.py: a room may define what it declares: {breach}"
    for symbol in ("headlight::Later::Later()", "headlight::there()", "headlight::size(headlight::Kind const&)"):
        if not list(breaches("engine/core", [symbol], headers)):
            yield f"symbols_test.py: {symbol} in engine/core is not seen"
    for symbol in ("headlight::nowhere()", "headlight::(anonymous namespace)::here()", "std::here()", "main"):
        for breach in breaches("engine/text", [symbol], headers):
            yield f"symbols_test.py: not a symbol of another room: {breach}"


def main():
    build = Path(sys.argv[1])
    headers = headers_of([p for p in tracked() if p.startswith(("engine/", "app/"))], lambda path: (ROOT / path).read_text(encoding="utf-8"))
    found, symbols, libraries = [*self_test()], 0, 0
    for room in headers:
        library = library_of(build, room)
        if not library.is_file():  # a build without the window
            continue
        defined = symbols_of(library)
        libraries, symbols = libraries + 1, symbols + len(defined)
        found += breaches(room, defined, headers)
    for line in found:
        print(line)
    if symbols < 500:
        print(f"symbols_test.py: only {symbols} symbols in {build}; is the program built?")
        return 1
    print(f"symbols: {symbols} of {libraries} rooms, {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
