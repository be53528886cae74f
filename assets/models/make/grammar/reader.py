"""How the grammar reads: which words it would accept at each place of a text."""
from grammar.writer import Writer, bare, weights_of, written_forms

END = "<end>"  # what the grammar accepts where a passage may stop


class Mismatch(Exception):
    """The words do not go on as this run of the grammar would."""


class Reader(Writer):
    """Runs the grammar along given words with one path of choices, and notes the words that it would accept at each place."""

    def __init__(self, given, path, accepted, passed):
        self.given, self.path, self.accepted, self.passed, self.step = given, path, accepted, passed, 0
        self.clear()

    def choose(self, *options):
        """The option that the path tells; a choice that it does not tell yet begins with the first that weighs anything."""
        if self.step == len(self.path):
            self.path.append([0, [at for at, weight in enumerate(weights_of(options)) if weight > 0]])
        number, places = self.path[self.step]
        self.step += 1
        return bare(options[places[number]])

    def say(self, *words):
        place = len(self.words)
        self.accepted[place].add((words, self.begins))
        forms = written_forms(words, self.begins)
        if place == len(self.given) or self.given[place] not in forms:
            raise Mismatch
        self.put(self.given[place])
        return forms[self.words[-1]]

    def pass_by(self, *state):
        taken = tuple(number for number, _ in self.path[: self.step])
        if self.passed.setdefault((len(self.words), state), taken) != taken:
            raise Mismatch


def accepted_words(words, passage):
    """For each place of a passage, and for the one after it, the groups of words that the grammar accepts there: {(words, begins)}."""
    accepted, path, passed = [set() for _ in range(len(words) + 1)], [], {}
    while True:
        try:
            reader = Reader(words, path, accepted, passed)
            passage(reader)
            accepted[reader.last() + 1].add(((END,), False))
        except Mismatch:
            pass
        while path and path[-1][0] + 1 == len(path[-1][1]):
            path.pop()
        if not path:
            return accepted
        path[-1][0] += 1
