#!/usr/bin/env python3
"""check_state.py DUMP.json EXPECTED: every line of EXPECTED is a JSON pointer and the value that must stand there."""
import json
import sys


def at(value, pointer):
    for part in pointer.split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def main(dump, expected):
    state = json.load(open(dump, encoding="utf-8"))
    failures = checks = 0
    for line in open(expected, encoding="utf-8"):
        pointer, _, wanted = line.strip().partition(" ")
        if not pointer or pointer.startswith("#"):
            continue
        checks += 1
        try:
            found = at(state, pointer)
        except (KeyError, IndexError, TypeError, ValueError):
            found = "(nothing)"
        if found != json.loads(wanted):
            failures += 1
            print(f"{dump}: {pointer} is {json.dumps(found, ensure_ascii=False)}, not {wanted}")
    if checks == 0:
        print(f"{expected}: no expectation was found")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
