"""engine/rooms.txt as data: the one table of rooms, for the checks of house_test.py and the tree in the README."""
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "engine" / "rooms.txt"


@dataclass(frozen=True)
class Room:
    path: str  # "engine/text/steps", or "engine/snapshot.*" for a room of single files
    sees: tuple[str, ...]  # as written; allowed() adds what those see
    libraries: tuple[str, ...]
    job: str


def parse(text):
    rooms = {}
    for line in text.splitlines():
        if not line.startswith(("engine/", "app/")):
            continue
        path, sees, libraries, job = (column.strip() for column in line.split("|"))
        rooms[path] = Room(path, tuple(sees.split()), tuple(libraries.split()), job)
    return rooms


def load():
    return parse(TABLE.read_text(encoding="utf-8"))


def room_of(rooms, path):
    """engine/core/error.h -> engine/core; engine/snapshot.h -> engine/snapshot.*; None where no room is."""
    folder, _, name = path.rpartition("/")
    single = f"{folder}/{name.split('.')[0]}.*"
    if single in rooms:
        return single
    return folder if folder in rooms else None


def allowed(rooms, path):
    """The rooms that files of `path` may include from: itself, and all that it sees, directly or not."""
    seen, waiting = set(), [path]
    while waiting:
        room = waiting.pop()
        if room not in seen:
            seen.add(room)
            waiting += rooms[room].sees
    return seen


def breaches(rooms):
    """A room without a job, one that sees an unknown room, and circles."""
    for path, room in rooms.items():
        if not room.job:
            yield f"engine/rooms.txt: {path} has no job"
        for other in room.sees:
            if other not in rooms:
                yield f"engine/rooms.txt: {path} sees {other}, which is not a room of the table"
            elif path in allowed(rooms, other):
                yield f"engine/rooms.txt: {path} and {other} see each other: a circle"
