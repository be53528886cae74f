#!/usr/bin/env python3
"""The house: include arrows, file and function sizes, names that must not appear. Prints each breach and a closing line."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ["core", "formats", "text", "model", "attention", "analysis", "snapshot", "figure"]
PIPELINE = ENGINE[:-1] + ["pipeline"]
ALLOWED = {room: set(ENGINE[: i + 1]) for i, room in enumerate(ENGINE)}
ALLOWED["pipeline"] = set(PIPELINE) | {"dump_snapshot"}
ALLOWED["dump_snapshot"] = set(PIPELINE[:-1]) | {"dump_snapshot"}  # a file of the pipeline's room
ALLOWED["session"] = set(ENGINE) | {"pipeline", "session"}
ALLOWED["hub"] = {"core", "formats", "text", "model", "hub"}
ALLOWED["cli"] = ALLOWED["session"] | {"cli", "hub"}
ALLOWED["gui"] = ALLOWED["session"] | {"gui", "hub"}
ALLOWED["main"] = {"cli", "gui"}
WINDOW_HEADERS = re.compile(r"imgui|GLFW|glad|glfw")
NETWORK_HEADERS = re.compile(r"^(curl|openssl)/")
TOP = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "CHANGELOG.md", "README.md", "vcpkg.json", "app", "engine", "assets", "third_party", "tests"}


def room_of(path):
    """engine/core/error.h -> core; engine/pipeline.h -> pipeline; app/main.cpp -> main."""
    parts = Path(path).parts
    return parts[1] if len(parts) > 2 else Path(parts[1]).stem


def breaches_of(path, text):
    room = room_of(path)
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
        if not match:
            continue
        kind, name = match.groups()
        if name.startswith(("engine/", "app/")):
            if room_of(name) not in ALLOWED[room]:
                yield f"{path}:{number}: room {room} may not include {name}"
        elif kind == '"' and not WINDOW_HEADERS.search(name):
            yield f"{path}:{number}: include by full room path, not {name}"
        if room != "gui" and WINDOW_HEADERS.search(name) and not name.startswith("app/"):
            yield f"{path}:{number}: only app/gui may include {name}"
        if room != "hub" and NETWORK_HEADERS.search(name):
            yield f"{path}:{number}: only app/hub may include {name}"
    if text.count("\n") > 800:
        yield f"{path}: {text.count(chr(10))} lines, more than 800"
    if path.endswith(".h") and "#pragma once" not in text:
        yield f"{path}: no #pragma once"


def self_test():
    """A check that cannot fail is worse than none: each rule is shown a breach."""
    samples = [
        ("engine/core/x.h", '#pragma once\n#include "engine/text/unicode.h"\n'),
        ("engine/text/x.cpp", "#include <imgui.h>\n"),
        ("engine/figure/x.cpp", '#include "engine/pipeline.h"\n'),
        ("engine/model/x.cpp", "#include <curl/curl.h>\n"),
        ("app/session/x.cpp", '#include "app/hub/http.h"\n'),
        ("app/cli/x.cpp", '#include "app/gui/window.h"\n'),
        ("engine/core/x.cpp", '#include "error.h"\n'),
        ("engine/core/x.cpp", "\n" * 801),
        ("engine/core/x.h", "int x;\n"),
    ]
    return [f"house_test.py: rule not kept by its own check: {path} {text[:40]!r}" for path, text in samples if not list(breaches_of(path, text))]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [p for p in listed.stdout.splitlines() if (ROOT / p).is_file()]


def main():
    found = self_test()
    files = tracked()
    for path in files:
        top = path.split("/")[0]
        if top not in TOP and not top.startswith("."):
            found.append(f"{path}: the top level holds more than the card names")
        if path.startswith(("engine/", "app/")) and path.endswith((".h", ".cpp")):
            found += breaches_of(path, (ROOT / path).read_text(encoding="utf-8"))
    for line in found:
        print(line)
    sources = sum(p.startswith(("engine/", "app/")) for p in files)
    if sources < 20:
        print(f"house_test.py: only {sources} source files found; is this a checkout?")
        return 1
    print(f"house: {sources} files, {len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
