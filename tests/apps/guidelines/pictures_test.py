"""Pictures of violations: nothing of them is cut off, and none need Matplotlib where there are none."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from made_up import HEAD, LIST, PROGRAM, new_folder
from seam_guidelines.folder import Source, open_or_generate
from seam_guidelines.placed import read_file, write_file
from seam_guidelines.tables import Group

LONG = (
    "Cartesian Cart_create finite=0 work=50000 + Neighbor_alltoallw_init Dist_graph_create_adjacent radius=1 "
    "ordering=FMAJ"
)


def group_of(words: str) -> Group:
    boxes = [[0.9, 1.0, 1.1, 1.2, 1.3]] * 10
    point = {"x": "1024", "a": 2e-6, "b": 1e-6, "p": 1e-5, "v": 2.0, "violation": True}
    return {
        "guideline": "GL9",
        "a": words,
        "b": words,
        "deployment": "35x16",
        "group": ", ".join(["MPI_BYTE", words, words, "ordering_without_any_blank" * 6]),
        "points": [point | {"boxes_a": boxes, "boxes_b": boxes}, point | {"x": "2048", "violation": False}],
    }


class Pictures(unittest.TestCase):
    def test_nothing_of_a_picture_is_cut_off(self) -> None:
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from seam_guidelines.pictures import focus_of, overview_of
        except ImportError as missing:
            self.skipTest(str(missing))
        for words in ("Alltoall", LONG):
            group = group_of(words)
            for figure in (overview_of(group, "bytes"), focus_of(group, "bytes", group["points"][0])):
                canvas = FigureCanvasAgg(figure)
                canvas.draw()
                (axes,) = figure.axes
                for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
                    extent = text.get_window_extent(canvas.get_renderer())
                    for least, most, limit in (
                        (extent.x0, extent.x1, figure.bbox.width),
                        (extent.y0, extent.y1, figure.bbox.height),
                    ):
                        self.assertTrue(0 <= least and most <= limit, (text.get_text(), extent, figure.bbox))


class WithoutMatplotlib(unittest.TestCase):
    """A campaign whose left side takes so many times as long as its right side."""

    def setUp(self) -> None:
        folder = new_folder()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)
        write_file(self.place / "none/matplotlib/__init__.py", "raise ImportError\n")

    def plot(self, ratio: float) -> "subprocess.CompletedProcess[str]":
        campaign = self.place / f"campaign-{ratio}"
        text = HEAD + LIST.replace("Alltoall", "Alltoall Alltoallv")
        text += "guideline G setup=Alltoall <= setup=Alltoallv\n"
        here = Source("launch mpiexec {kernel}\n", "e.txt")
        made = open_or_generate(campaign, Source(text, "c.txt"), here, PROGRAM)
        for run in made.runs():
            title, header, *lines = read_file(run.input).splitlines()
            rows = [header + ",status,seconds"]
            for line in lines:
                time = (ratio if line.startswith("Alltoall,") else 1) * (1 + 0.001 * run.number)
                rows.append(f"{line},ok," + " ".join([f"{time:.5e}"] * 5))
            head = "# machine: a\n# library: b\n# build: c\n# settings: d\n"
            write_file(run.output, head + "\n".join(rows) + f"\n# end: {len(lines)}\n")
        environment = os.environ | {"PYTHONPATH": str(self.place / "none")}
        command = [PROGRAM.path, "plot", campaign, "--python", sys.executable]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def test_violations_cannot_be_drawn(self) -> None:
        plot = self.plot(1.5)
        self.assertEqual(plot.returncode, 1)
        self.assertEqual(
            plot.stderr,
            f"seam-guidelines: plot: {sys.executable} has no Matplotlib (on Debian: apt-get install "
            "python3-matplotlib)\n",
        )

    def test_nothing_to_draw_is_no_error(self) -> None:
        plot = self.plot(1)
        self.assertEqual((plot.returncode, plot.stderr), (0, ""))
        sheet = self.place / "campaign-1/plots/contact.html"
        self.assertEqual(plot.stdout, f"0 violations are drawn in {sheet}\n")
        self.assertIn("There are no violations.", read_file(sheet))


if __name__ == "__main__":
    unittest.main()
