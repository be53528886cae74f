#!/usr/bin/env python3
"""The tree of rooms in README.md, made from engine/rooms.txt.

    tests/house_tree.py          prints it
    tests/house_tree.py --write  puts it between the marks in README.md
"""
import re
import sys

import house_rooms

MARKS = re.compile(r"(<!-- rooms -->\n).*?(<!-- /rooms -->)", re.DOTALL)
EXPLAINED = {"engine": "numbers and figures: no window, no global state", "app": "the window and the command line", "app/gui": "the only rooms that know Dear ImGui"}


def tree(rooms):
    lines, named = [], set()
    for path, room in sorted(rooms.items(), key=lambda item: (item[0].startswith("app/"), item[0].removesuffix(".*").split("/"))):
        *folders, name = path.split("/")
        for depth in range(len(folders)):
            folder = "/".join(folders[: depth + 1])
            if folder not in named and folder not in rooms:
                lines.append(("  " * depth + folders[depth] + "/", EXPLAINED[folder]))
            named.add(folder)
        lines.append(("  " * len(folders) + (name if name.endswith("*") else name + "/"), room.job))
        named.add(path)
    width = max(len(name) for name, _ in lines) + 2
    return "```\n" + "".join(f"{name:<{width}}{job}\n" for name, job in lines) + "```\n"


def in_readme(text, rooms):
    """README.md with the tree between its marks."""
    return MARKS.sub(lambda match: match.group(1) + tree(rooms) + match.group(2), text)


def main():
    rooms = house_rooms.load()
    if sys.argv[1:] != ["--write"]:
        print(tree(rooms), end="")
        return
    readme = house_rooms.ROOT / "README.md"
    readme.write_text(in_readme(readme.read_text(encoding="utf-8"), rooms), encoding="utf-8")


if __name__ == "__main__":
    main()
