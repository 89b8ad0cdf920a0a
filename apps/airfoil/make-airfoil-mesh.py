#!/usr/bin/env python3
"""Writes the mesh of Airfoil, OP2's benchmark, for Gmsh and seam-airfoil.

usage: make-airfoil-mesh.py SIZE FILE.msh

Quadrilaterals around a NACA 0012 section, 3 * SIZE along it and 3/2 * SIZE outward: 7,200 with SIZE 40,
720,000 with SIZE 400. Its borders are the groups "wall" and "far field".

The plane around the section is the square of a half plane: above a line on which a spline through the
roots of the section's points takes the place of [-1, 1]. What lies left and right of it on the line are
the two banks of a cut behind the section, whose vertices are the same here. Places have six decimals.

Source: OP2-Common, apps/mesh_generators/naca0012.m.
"""
import bisect
import cmath
import math
import sys


class Spline:
    """A cubic spline without knots at the second and the last point but one."""

    def __init__(self, x, y):
        self.x, self.y = x, y
        last = len(x) - 1
        h = [x[i + 1] - x[i] for i in range(last)]
        diagonal, above, right = [0.0] * last, [0.0] * last, [0.0] * last
        first, end = h[0] / h[1], h[last - 1] / h[last - 2]
        for i in range(1, last):
            below = h[i - 1]
            diagonal[i] = 2 * (h[i - 1] + h[i])
            above[i] = h[i]
            right[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
            if i == 1:
                diagonal[i] += h[0] * (1 + first)
                above[i] -= h[0] * first
            if i == last - 1:
                diagonal[i] += h[i] * (1 + end)
                below -= h[i] * end
            if i > 1:
                factor = below / diagonal[i - 1]
                diagonal[i] -= factor * above[i - 1]
                right[i] -= factor * right[i - 1]
        c = [0.0] * (last + 1)
        c[last - 1] = right[last - 1] / diagonal[last - 1]
        for i in range(last - 2, 0, -1):
            c[i] = (right[i] - above[i] * c[i + 1]) / diagonal[i]
        c[0] = (1 + first) * c[1] - first * c[2]
        c[last] = (1 + end) * c[last - 1] - end * c[last - 2]
        self.curvature = c

    def __call__(self, at):
        x, y, c = self.x, self.y, self.curvature
        i = bisect.bisect_right(x, at, 1, len(x) - 1) - 1
        h = x[i + 1] - x[i]
        a, b = (x[i + 1] - at) / h, (at - x[i]) / h
        return a * y[i] + b * y[i + 1] + ((a**3 - a) * c[i] + (b**3 - b) * c[i + 1]) * h * h / 6


def section():
    """The section in the half plane, from the lower end over the nose to the upper one."""
    count, nose, roots = 100, 0.0077, []
    for k in range(count):
        s = math.sin(math.pi / 2 * k / (count - 1))
        x = s * s
        y = 0.594689181 * (0.298222773 * math.sqrt(x) - 0.127125232 * x - 0.357907906 * x * x
                           + 0.291984971 * x**3 - 0.105174696 * x**4) if k < count - 1 else 0.0
        roots.append(cmath.sqrt(complex(x - nose, y)))
    x = [-root.real for root in reversed(roots)] + [root.real for root in roots[1:]]
    y = [root.imag for root in reversed(roots)] + [root.imag for root in roots[1:]]
    return Spline(x, y)


def write(size, path):
    across, outward = size, 3 * size // 2
    around = 3 * across
    wing = section()

    def vertex(i, j):
        return (around - i if j == 0 and i >= 2 * across else i) + j * (around + 1) + 1

    nodes, lines, quads = [], [], []
    for j in range(outward + 1):
        for i in range(around + 1):
            if vertex(i, j) != i + j * (around + 1) + 1:
                continue
            x = -3 + 6.0 * i / around
            base = wing(x) if across < i < 2 * across else 0
            place = complex(x, base + (3 - base) * j / outward)**2
            nodes.append(f"{vertex(i, j)} {place.real:.6f} {place.imag:.6f} 0\n")
    for j in range(outward):
        for i in range(around):
            a, b, c, d = vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)
            quads.append(f"3 2 3 1 {a} {b} {c} {d}\n")
            if j == 0 and across <= i < 2 * across:
                lines.append(f"1 2 1 1 {a} {b}\n")
            if i == around - 1:
                lines.append(f"1 2 2 2 {b} {c}\n")
            if j == outward - 1:
                lines.append(f"1 2 2 2 {c} {d}\n")
            if i == 0:
                lines.append(f"1 2 2 2 {d} {a}\n")
    with open(path, "w") as out:
        out.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 "wall"\n1 2 "far field"\n'
                  '2 3 "air"\n$EndPhysicalNames\n')
        out.write(f"$Nodes\n{len(nodes)}\n" + "".join(nodes) + "$EndNodes\n")
        out.write(f"$Elements\n{len(lines) + len(quads)}\n")
        out.writelines(f"{k + 1} {element}" for k, element in enumerate(lines + quads))
        out.write("$EndElements\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 4 or int(sys.argv[1]) % 2:
        sys.exit("usage: make-airfoil-mesh.py SIZE FILE.msh, with an even size from 4 on")
    write(int(sys.argv[1]), sys.argv[2])
