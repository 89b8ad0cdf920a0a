#!/usr/bin/env python3
"""Watches a run on a terminal of 80 x 24 characters, and compares the last picture.

usage: on_a_terminal.py life|gray-scott FOLDER GLIDER COMMAND...

Of seam-life the picture must be a glider's 12th generation, which is computed here; of
seam-gray-scott that of the PNG file, for which it ends with 77 where Pillow is missing.
"""
import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios

COLUMNS, ROWS = 80, 24
BLOCK = "\u2580"
PAPER, INK = (0xF7, 0xF4, 0xEC), (0x16, 0x21, 0x3A)
CONTROL = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


class Screen:
    """As much of a terminal as seam writes to."""

    def __init__(self):
        self.rows, self.row, self.column, self.colors = {}, 0, 0, [None, None]

    def put(self, character):
        self.rows.setdefault(self.row, {})[self.column] = (character, *self.colors)
        self.column += 1

    def control(self, numbers, letter):
        if letter == "A":
            self.row -= numbers[0]
            assert self.row >= 0
        elif letter == "K":
            line = self.rows.get(self.row, {})
            self.rows[self.row] = {c: line[c] for c in line if c < self.column}
        elif letter == "J":
            self.rows = {r: line for r, line in self.rows.items() if r < self.row}
        elif letter == "m" and numbers == [0]:
            self.colors = [None, None]
        elif letter == "m":
            assert numbers[0] in (38, 48) and numbers[1] == 2, numbers
            self.colors[numbers[0] == 48] = tuple(numbers[2:5])
        else:
            sys.exit(f"unknown control sequence {numbers} {letter}")

    def write(self, text):
        at = 0
        while at < len(text):
            control = CONTROL.match(text, at)
            if control:
                numbers = [int(n) for n in control[1].split(";") if n]
                self.control(numbers, control[2])
                at = control.end()
                continue
            if text[at] == "\r":
                self.column = 0
            elif text[at] == "\n":
                self.row += 1
            else:
                self.put(text[at])
            at += 1

    def lines(self):
        for row in sorted(self.rows):
            yield "".join(self.rows[row].get(c, " ")[0] for c in range(COLUMNS)).rstrip()

    def pixels(self):
        """The colors of the pictures' characters, two rows of pixels for each line."""
        pixels = []
        for row in sorted(self.rows):
            line = self.rows[row]
            shown = [line[c] for c in sorted(line) if line[c][0] == BLOCK]
            if shown:
                pixels.append([upper for _, upper, _ in shown])
                pixels.append([lower for _, _, lower in shown])
        return pixels


def watch(command, folder):
    """Runs the command on the terminal, and returns its screen."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(command, cwd=folder, stdin=follower, stdout=follower,
                               stderr=follower)
    os.close(follower)
    output = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the last process has closed its end
            break
        if not part:
            break
        output += part
    assert process.wait() == 0, output
    screen = Screen()
    screen.write(output.decode())
    return screen


def glider_after(generations, size):
    alive = {(2, 3), (3, 4), (4, 2), (4, 3), (4, 4)}
    for _ in range(generations):
        around = {}
        for row, column in alive:
            for r in (-1, 0, 1):
                for c in (-1, 0, 1):
                    if (r, c) != (0, 0):
                        cell = ((row + r) % size, (column + c) % size)
                        around[cell] = around.get(cell, 0) + 1
        alive = {cell for cell, n in around.items() if n == 3 or n == 2 and cell in alive}
    return alive


def check_life(folder, glider, command):
    size, factor = 8, 5
    screen = watch([*command, glider, "--size", "8x8", "--topology", "torus", "--generations",
                    "12", "--watch"], folder)
    alive = glider_after(12, size)
    expected = [[INK if (y // factor, x // factor) in alive else PAPER
                 for x in range(size * factor)] for y in range(size * factor)]
    assert screen.pixels() == expected, "\n".join(screen.lines())
    assert list(screen.lines()) == [BLOCK * size * factor] * 20 + ["population 5"]


def without_scale(drawn):
    """The square of cells in a picture, whose scale is white, gray and a bar to the right."""
    def is_of_cell(x, y):
        return drawn.getpixel((x, y)) not in ((255, 255, 255), (48, 48, 48))

    left, top = next((x, y) for y in range(drawn.height) for x in range(drawn.width)
                     if is_of_cell(x, y))
    right = next(x for x in range(left, drawn.width) if not is_of_cell(x, top))
    return drawn.crop((left, top, right, top + right - left))


def check_gray_scott(folder, command):
    try:
        from PIL import Image
    except ImportError as missing:
        print(f"skipped: {missing} (on Debian: apt-get install python3-pil)")
        sys.exit(77)
    cells, factor = 20, 2
    screen = watch([*command, "--cells", "20", "--steps", "300", "--picture", "v.png", "--watch",
                    "--watch-share", "50"], folder)
    picture = without_scale(Image.open(folder / "v.png").convert("RGB"))
    scale = picture.width // cells
    expected = [[picture.getpixel((x // factor * scale, y // factor * scale))
                 for x in range(cells * factor)] for y in range(cells * factor)]
    pixels = screen.pixels()
    assert len(set(sum(expected, []))) > 20
    assert pixels[-cells * factor:] == expected, "\n".join(screen.lines())


def main(program, folder, glider, command):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if program == "life":
        check_life(folder, glider, command)
    else:
        check_gray_scott(folder, command)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
