#!/usr/bin/env python3
"""Reads the series that seam-gray-scott writes with h5py and with VTK, and computes its values again.

usage: check_series.py FOLDER COMMAND...

COMMAND runs the program. Ends with 77 where h5py is missing, or, when all that needs no VTK is well,
where VTK is.
"""
import json
import pathlib
import shutil
import subprocess
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (on Debian: apt-get install python3-h5py)")
    sys.exit(77)

CELLS, STEPS, EVERY = 24, 10, 4
TIMES = [0, 4, 8, 10]


def states():
    """The second substance at TIMES, by numpy alone."""
    centers = (numpy.arange(CELLS) + 0.5) / CELLS
    x, y = numpy.meshgrid(centers, centers, indexing="ij")
    seed = ((abs(x - 0.5) < 0.05) & (abs(y - 0.45) < 0.05)
            | (abs(x - 0.62) < 0.03) & (abs(y - 0.6) < 0.04)).astype(float)
    u, v = 1 - 0.5 * seed, 0.25 * seed
    feed, kill = 0.037, 0.06
    for step in range(STEPS + 1):
        if step in TIMES:
            yield v
        sides = [sum(numpy.roll(w, s, a) for s in (1, -1) for a in (0, 1)) - 4 * w for w in (u, v)]
        reaction = u * v * v
        u, v = (u + 0.2097 * sides[0] - reaction + feed * (1 - u),
                v + 0.105 * sides[1] + reaction - (feed + kill) * v)


def check_steps(path, expected):
    with h5py.File(path) as file:
        top = file["VTKHDF"]
        assert list(top.attrs["Version"]) == [2, 0] and top.attrs["Type"] == b"ImageData"
        assert list(top.attrs["WholeExtent"]) == [0, CELLS - 1, 0, CELLS - 1, 0, 1]
        steps = top["Steps"]
        assert steps.attrs["NSteps"] == len(TIMES) and steps.attrs["NSteps"].shape == ()
        assert steps["Values"].shape == (len(TIMES),) and list(steps["Values"]) == TIMES
        assert list(steps["PointDataOffsets/v"]) == list(range(len(TIMES)))
        values = top["PointData/v"]
        assert values.shape == (len(TIMES), 2, CELLS, CELLS), values.shape
        found = values[...]
    for k, state in enumerate(expected):
        for layer in found[k]:
            numpy.testing.assert_allclose(layer, state, rtol=0, atol=1e-14)
    return found


def check_numbered(folder, steps):
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOHDF import vtkHDFReader
    except ImportError as missing:
        print(f"skipped: {missing} (on Debian: apt-get install python3-vtk9)")
        sys.exit(77)
    series = json.loads((folder / "v.vtkhdf.series").read_text())
    assert series["file-series-version"] == "1.0"
    assert [entry["time"] for entry in series["files"]] == TIMES
    for k, entry in enumerate(series["files"]):
        reader = vtkHDFReader()
        reader.SetFileName(str(folder / entry["name"]))
        reader.Update()
        image = reader.GetOutput()
        assert image.GetDimensions() == (CELLS, CELLS, 2), image.GetDimensions()
        array = vtk_to_numpy(image.GetPointData().GetArray("v"))
        assert (array.reshape(steps[k].shape) == steps[k]).all(), f"step {TIMES[k]} differs"


def main(folder, command):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = ["--cells", CELLS, "--steps", STEPS, "--every", EVERY, "--output", "v.vtkhdf"]
    for more in [], ["--numbered"]:
        where = folder / ("numbered" if more else "steps")
        where.mkdir()
        subprocess.run([*command, *map(str, options), *more], cwd=where, check=True,
                       stdin=subprocess.DEVNULL)
    assert [path.name for path in (folder / "steps").iterdir()] == ["v.vtkhdf"]
    check_numbered(folder / "numbered", check_steps(folder / "steps" / "v.vtkhdf", states()))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
