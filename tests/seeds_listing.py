#!/usr/bin/env python3
"""Which test shows which item of the seed checklist, and whether it passed.

    tests/seeds_listing.py [--build FOLDER] [--list-missing]

Reads every `// Seeds …` comment of tests/*/*_test.cpp ("S4-1", lists and ranges: "S4-1, S4-3 to S4-6 and D1"; the rest of the line is
prose); the test it speaks of is the next one in the file. Runs those tests with the programs in FOLDER/tests (default: build) and prints
each item with its tests. Exit status 1 when an item has no test, or one that failed or did not run. --list-missing prints the items
without a test and runs nothing.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
COUNTS = {"S0": 11, "S1": 8, "S2": 14, "S3": 13, "S4": 12}
ITEMS = [f"{seed}-{number}" for seed, count in COUNTS.items() for number in range(1, count + 1)]
ITEMS += [f"D{number}" for number in range(1, 9)]

ITEM = r"(?:S[0-4]-|D)\d+"
LIST = re.compile(rf"{ITEM}(?:\s*(?:,|and|to|–|\.\.\.?|…)\s*(?:and\s+)?{ITEM})*")
RANGE = re.compile(rf"({ITEM})\s*(?:to|–|\.\.\.?|…)\s*({ITEM})")
COMMENT = re.compile(r"^\s*///? Seeds\s+(.*)$")
TEST = re.compile(r"^\s*(TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\)")


def items_of(text):
    """ "S4-1, S4-3 to S4-5: prose" -> S4-1, S4-3, S4-4, S4-5. Only the list at the start counts."""
    start = LIST.match(text)
    if not start:
        return []
    found = re.findall(ITEM, start.group())
    for first, last in RANGE.findall(start.group()):
        prefix = first.rstrip("0123456789")
        found += [f"{prefix}{n}" for n in range(int(first[len(prefix):]), int(last[len(prefix):]) + 1)]
    return sorted(set(found), key=found.index)


def citations_of(text):
    """(item, "Suite.Name") of one file, and the lines that cite no test or no item."""
    cited, faults, waiting = [], [], []
    for number, line in enumerate(text.splitlines(), 1):
        comment, test = COMMENT.match(line), TEST.match(line)
        if comment:
            items = items_of(comment.group(1))
            if not items:
                faults.append(f"{number}: no item is named")
            waiting += items
        elif test:
            cited += [(item, f"{test.group(2)}.{test.group(3)}") for item in waiting]
            waiting = []
    if waiting:
        faults.append(f"no test follows the comment that cites {', '.join(waiting)}")
    return cited, faults


def read_citations():
    by_room, faults = {}, []
    for path in sorted(TESTS.glob("*/*_test.cpp")):
        cited, found = citations_of(path.read_text(encoding="utf-8"))
        place = path.relative_to(TESTS)
        faults += [f"{place}:{fault}" for fault in found]
        faults += [f"{place}: the checklist has no item {item}" for item, _ in cited if item not in ITEMS and item not in LATER]
        for item, test in cited:
            by_room.setdefault(path.parent.name, {}).setdefault(test, []).append(item)
    return by_room, faults


def outcomes(program, tests):
    """Suite.Name -> "passed", "failed" or "did not run"; of a test with parameters, the worst of its instances."""
    if not program.is_file():
        return {test: "did not run" for test in tests}
    filters = ":".join(f"{test}:*/{test}/*:{test.replace('.', '/*.', 1)}" for test in tests)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([program, f"--gtest_filter={filters}", f"--gtest_output=json:{report}"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"] if report.is_file() else []
    found, cited_suites = {}, {test.split(".")[0] for test in tests}
    for run in (run for suite in suites for run in suite["testsuite"]):
        suite = next((part for part in run["classname"].split("/") if part in cited_suites), run["classname"])
        test = f"{suite}.{run['name'].split('/')[0]}"
        outcome = "failed" if run.get("failures") else "passed" if run["result"] == "COMPLETED" else "did not run"
        if found.get(test, "passed") == "passed":
            found[test] = outcome
    return {test: found.get(test, "did not run") for test in tests}


def self_test():
    """A listing that cannot miss anything is worth nothing: each rule is shown a case."""
    assert items_of("S4-1, S4-3 to S4-5 and D1: rows, S1-1") == ["S4-1", "S4-3", "S4-5", "D1", "S4-4"]
    assert items_of("S0-10 and reliability N6.") == ["S0-10"]
    assert items_of("S3-4: the variance") == ["S3-4"]
    assert items_of("of the garden") == []
    text = "// Seeds S0-1 and D4.\nstatic int x;\nTEST(Config, Refuses) {\n// Seeds D2.\nTEST_P(Masks, Convert) {\n"
    assert citations_of(text) == ([("S0-1", "Config.Refuses"), ("D4", "Config.Refuses"), ("D2", "Masks.Convert")], [])
    assert len(citations_of("// Seeds about birds\nTEST(A, B)\n// Seeds D1.\n")[1]) == 2
    assert outcomes(TESTS / "no_such_program", ["A.B"]) == {"A.B": "did not run"}
    assert len(ITEMS) == 66


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=TESTS.parent / "build", metavar="FOLDER")
    parser.add_argument("--list-missing", action="store_true")
    arguments = parser.parse_args()
    self_test()

    by_room, faults = read_citations()
    for fault in faults:
        print(f"seeds_listing.py: {fault}")
    tests_of = {item: [] for item in ITEMS}
    for room, tests in by_room.items():
        ran = {} if arguments.list_missing else outcomes(arguments.build / "tests" / f"test_{room}", list(tests))
        for test, items in tests.items():
            for item in items:
                tests_of.setdefault(item, []).append((f"{room} {test}", ran.get(test)))

    missing = [item for item in ITEMS if not tests_of[item]]
    if arguments.list_missing:
        print("\n".join(missing) if missing else "every item has a test")
        return 1 if missing or faults else 0
    not_passed = 0
    for item in ITEMS:
        print(item if tests_of[item] else f"{item}  NO TEST")
        for test, outcome in tests_of[item]:
            print(f"    {outcome:12} {test}")
        not_passed += any(outcome != "passed" for _, outcome in tests_of[item])
    print(f"seeds: {len(ITEMS)} items, {len(missing)} without a test, {not_passed} with a test that did not pass")
    return 1 if missing or not_passed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
