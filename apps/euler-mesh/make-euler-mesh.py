#!/usr/bin/env python3
"""Writes meshes of triangles and quadrilaterals, with vertices out of their rows, for seam-euler-mesh.

usage: make-euler-mesh.py wedge|step|vortex SIZE FILE.msh

wedge   a channel with a floor that rises by 10 degrees from x = 0.5 on, SIZE cells high; groups "wall",
        "ramp", which is the part of the floor behind x = 0.8, "inflow" and "outflow"
step    a channel of 3 x 1 with a step of 0.2 at x = 0.6 (Woodward and Colella 1984), SIZE cells high, a
        multiple of 5; groups "wall", "floor", which is its part before the step from x = 0.4 on, "inflow"
        and "outflow"; cells at the step's corner are no smaller than others
vortex  the square from -5 to 5, SIZE cells wide, which repeats itself along both axes
"""
import math
import random
import sys


class Lattice:
    """Columns and rows of vertices, of which those inside are moved at random."""

    def __init__(self, case, size):
        self.is_periodic = case == "vortex"
        self.is_wedge = case == "wedge"
        self.length = {"wedge": 1.5, "step": 3, "vortex": 1}[case]
        self.columns, self.rows = int(self.length * size), size
        self.step = (3 * size // 5, size // 5) if case == "step" else (self.columns, 0)
        self.bend = self.columns // 3 if self.is_wedge else 2 * size // 5
        self.random = random.Random(size)
        self.places = {}
        for j in range(self.rows + 1):
            for i in range(self.columns + 1):
                if i <= self.step[0] or j >= self.step[1]:
                    self.places[i, j] = self.place(i, j)

    def place(self, i, j):
        """Where a vertex is: of a periodic mesh as far from its place as the one at the other end."""
        if self.is_periodic and (i == self.columns or j == self.rows):
            x, y = self.places[i % self.columns, j % self.rows]
            return x + 10 * (i // self.columns), y + 10 * (j // self.rows)
        moved = [self.random.uniform(-0.2, 0.2) for _ in range(2)]
        if self.is_periodic:
            return (-5 + 10 * (i + moved[0]) / self.columns, -5 + 10 * (j + moved[1]) / self.rows)
        if i in (0, self.columns, self.bend) or i == self.step[0] and j <= self.step[1]:
            moved[0] = 0
        if j in (0, self.rows) or i >= self.step[0] and j == self.step[1]:
            moved[1] = 0
        x = self.length * (i + moved[0]) / self.columns
        low = max(0.0, x - 0.5) * math.tan(math.radians(10)) if self.is_wedge else 0
        return x, low + (1 - low) * (j + moved[1]) / self.rows

    def number(self, i, j):
        return i + j * (self.columns + 1) + 1

    def cells(self):
        """Quadrilaterals, and triangles with either diagonal."""
        for j in range(self.rows):
            for i in range(self.columns if j >= self.step[1] else self.step[0]):
                a, b, c, d = (self.number(i, j), self.number(i + 1, j), self.number(i + 1, j + 1),
                              self.number(i, j + 1))
                kind = self.random.randrange(3)
                if kind == 0:
                    yield 3, 9, (a, b, c, d)
                elif kind == 1:
                    yield 2, 9, (a, b, c)
                    yield 2, 9, (a, c, d)
                else:
                    yield 2, 9, (a, b, d)
                    yield 2, 9, (b, c, d)

    def sides(self):
        for i in range(self.columns):
            for j in (0 if i < self.step[0] else self.step[1], self.rows):
                is_chosen = self.places[i, j][0] > 0.8 if self.is_wedge else i >= self.bend
                yield 1, 2 if j == 0 and is_chosen else 1, (self.number(i, j), self.number(i + 1, j))
        for j in range(self.rows):
            yield 1, 3, (self.number(0, j), self.number(0, j + 1))
            is_end = j >= self.step[1]
            end = self.columns if is_end else self.step[0]
            yield 1, 4 if is_end else 1, (self.number(end, j), self.number(end, j + 1))

    def pairs(self):
        """For each axis the vertices at its end with those at its begin."""
        yield [(self.number(self.columns, j), self.number(0, j)) for j in range(self.rows + 1)]
        yield [(self.number(i, self.rows), self.number(i, 0)) for i in range(self.columns + 1)]


def write(case, size, path):
    mesh = Lattice(case, size)
    names = {9: "air"}
    elements = list(mesh.cells())
    if not mesh.is_periodic:
        names = {1: "wall", 2: "ramp" if mesh.is_wedge else "floor", 3: "inflow", 4: "outflow", **names}
        elements = [*mesh.sides(), *elements]
    with open(path, "w") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
        out.write(f"$PhysicalNames\n{len(names)}\n")
        out.writelines(f'{2 if tag == 9 else 1} {tag} "{name}"\n' for tag, name in names.items())
        out.write(f"$EndPhysicalNames\n$Nodes\n{len(mesh.places)}\n")
        for (i, j), (x, y) in mesh.places.items():
            out.write(f"{mesh.number(i, j)} {x!r} {y!r} 0\n")
        out.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for k, (kind, tag, vertices) in enumerate(elements):
            out.write(f"{k + 1} {kind} 2 {tag} {tag} {' '.join(map(str, vertices))}\n")
        out.write("$EndElements\n")
        if mesh.is_periodic:
            out.write("$Periodic\n2\n")
            for axis, pairs in enumerate(mesh.pairs()):
                out.write(f"1 {axis + 1} {axis + 3}\n{len(pairs)}\n")
                out.writelines(f"{end} {begin}\n" for end, begin in pairs)
            out.write("$EndPeriodic\n")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("wedge", "step", "vortex") or \
            not sys.argv[2].isdigit() or int(sys.argv[2]) < 4 or \
            sys.argv[1] == "step" and int(sys.argv[2]) % 5:
        sys.exit("usage: make-euler-mesh.py wedge|step|vortex SIZE FILE.msh, with a size from 4 on, a "
                 "multiple of 5 for step")
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
