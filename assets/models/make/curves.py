#!/usr/bin/env python3
"""Draws the losses of trainings as train.py printed them. Standard library only.

    curves.py TITLE LOG... > curves.svg        a line for each log, named by its file
"""
import re
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 320, 56, 40, 110, 40
COLOURS = ("#1f6f78", "#b5651d", "#6b4c9a", "#3c7d3c", "#a03050")


def points_of(path):
    """Step and loss of each report."""
    return [(int(step), float(loss)) for step, loss in re.findall(r"step (\d+) loss ([\d.]+)", Path(path).read_text(encoding="utf-8"))]


class Axes:
    """Where a step and a loss stand on the page."""

    def __init__(self, curves):
        self.last = max(step for points in curves for step, _ in points)
        self.most = max(1, min(8, max(loss for points in curves for _, loss in points)))

    def x(self, step):
        return LEFT + step / self.last * (WIDTH - LEFT - RIGHT)

    def y(self, loss):
        return TOP + (1 - min(loss, self.most) / self.most) * (HEIGHT - TOP - BOTTOM)

    def draw(self):
        for loss in range(int(self.most) + 1):
            yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(loss):.1f}" y2="{self.y(loss):.1f}" stroke="#ddd"/>'
            yield text(LEFT - 8, self.y(loss) + 4, str(loss), "end")
        for part in range(5):
            step = self.last * part // 4
            yield text(self.x(step), HEIGHT - BOTTOM + 18, f"{step:,}", "middle")
        yield text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6, "step", "middle")
        yield text(LEFT - 8, TOP - 10, "loss, nats a token", "start")


def text(x, y, words, anchor, colour="#444"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def main():
    title, names = sys.argv[1], sys.argv[2:]
    curves = [points_of(name) for name in names]
    axes = Axes(curves)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(LEFT - 8, 16, title, "start", "#000"), *axes.draw()]
    ends = sorted(((axes.y(points[-1][1]), number) for number, points in enumerate(curves)))
    for number, (name, points) in enumerate(zip(names, curves)):
        path = " ".join(f"{axes.x(step):.1f},{axes.y(loss):.1f}" for step, loss in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="1.5"/>')
    below = 0.0
    for y, number in ends:
        below = max(y, below + 15)
        end = curves[number][-1][1]
        lines.append(text(WIDTH - RIGHT + 6, below + 4, f"{Path(names[number]).stem} {end:.2f}", "start", COLOURS[number % len(COLOURS)]))
    print("\n".join([*lines, "</svg>"]))


if __name__ == "__main__":
    main()
