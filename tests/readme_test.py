#!/usr/bin/env python3
"""The READMEs keep their word: no broken link, the commands they show run and print what they show, and the figures for papers are those that the
program makes now (assets/figures/make.sh makes them anew).

    tests/readme_test.py [PROGRAM]    (default: build/headlight)

Commands are the lines of ```sh blocks that name the program or app/run.sh with arguments, and the lines of ```console blocks that begin with
"$ "; what follows those, up to the next command, is what they print, and "(exit status 7)" what they end with. A ```python block is run
where the console block after it needs its files. All of it runs in an empty folder.
"""
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import house_rooms

ROOT = house_rooms.ROOT
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def readmes():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [ROOT / name for name in listed.stdout.split() if (ROOT / name).is_file()]


def anchors_of(text):
    """The names that headings can be linked by."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(path, text):
    for link in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", text)):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield f"{path.relative_to(ROOT)}: {link} leads nowhere"
        elif anchor and anchor not in anchors_of(target.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: {link} names no heading"


def commands_of(text):
    """(command, lines it should print or None, exit status), in order; python blocks as ("python", source)."""
    found = []
    for language, body in BLOCK.findall(text):
        if language == "python":
            found.append(("python", body, 0))
        elif language == "sh":
            lines = [line.split("  #")[0].strip() for line in body.splitlines()]
            found += [(line, None, 0) for line in lines if re.match(r"(headlight|build/headlight|app/run\.sh) +\w", line)]
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                status = re.search(r"\(exit status (\d)\)", printed)  # a line of ours, or words of the program's
                shown = [line for line in printed.splitlines() if not re.fullmatch(r"\(exit status \d\)", line)]
                found.append((command, shown, int(status.group(1)) if status else 0))
    return found


def python_with_numpy():
    """The system's interpreter has what setup.sh installs; the first in PATH may be another."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            return python
    return sys.executable


def run_commands(path, text, program):
    with tempfile.TemporaryDirectory() as folder:
        source = None
        for command, printed, status in commands_of(text):
            if command == "python":
                source = printed
                continue
            if source and printed is not None:
                ran = subprocess.run([python_with_numpy(), "-c", source], cwd=folder, capture_output=True, text=True, check=False)
                if ran.returncode != 0:
                    yield f"{path.relative_to(ROOT)}: the python block before '{command}': {ran.stderr.strip().splitlines()[-1]}"
                    continue
                source = None
            words = shlex.split(command)
            ran = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
            if ran.returncode != status:
                yield f"{path.relative_to(ROOT)}: '{command}' ends with {ran.returncode}, not {status}: {ran.stderr.strip()[-300:]}"
            elif printed is not None and ran.stdout.splitlines() != printed:
                wrong = [f"    shown {a!r}\n    now   {b!r}" for a, b in zip([*printed, None], [*ran.stdout.splitlines(), None]) if a != b]
                yield f"{path.relative_to(ROOT)}: '{command}' prints something else:\n" + "\n".join(wrong[:3])


def stale_figures(program):
    figures = sorted((ROOT / "assets" / "figures").glob("*.png"))
    if len(figures) != 6:
        yield f"assets/figures: {len(figures)} figures, not 6"
    for figure in figures:
        ran = subprocess.run([program, "verify", figure], capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            yield f"{figure.relative_to(ROOT)}: {(ran.stdout + ran.stderr).strip()[:300]}"


def self_test():
    text = "[a](nowhere.md) [b](#none)\n# One\n```sh\nheadlight bench  # why\n```\n```console\n$ headlight x\nline\n(exit status 7)\n```\n"
    if len(list(broken_links(ROOT / "README.md", text))) != 2:
        yield "readme_test.py: broken links are not seen"
    if commands_of(text) != [("headlight bench", None, 0), ("headlight x", ["line"], 7)]:
        yield f"readme_test.py: commands are not seen: {commands_of(text)}"


def main():
    program = str(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "headlight").resolve())
    found = list(self_test())
    count = 0
    for path in readmes():
        text = path.read_text(encoding="utf-8")
        found += broken_links(path, text)
        if path.parent in (ROOT, ROOT / "engine", ROOT / "app", ROOT / "tests"):
            count += sum(command != "python" for command, _, _ in commands_of(text))
            found += run_commands(path, text, program)
    found += stale_figures(program)
    for line in found:
        print(line)
    print(f"readme: {count} commands, {len(found)} breaches")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
