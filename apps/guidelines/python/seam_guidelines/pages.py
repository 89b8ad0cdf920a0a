"""The pages of a campaign: a contact sheet of its pictures, and the report.

A browser shows each of them without any other file.
"""

import base64
import shutil
from pathlib import Path
from typing import NamedTuple

import jinja2

from . import tables
from .outcome import Outcome
from .packages import DRAWING, require_packages
from .placed import write_file

_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
)


class Picture(NamedTuple):
    """A picture, and the URL that has all of it."""

    path: Path
    url: str


def draw(outcome: Outcome, suffix: str) -> Path:
    """Draws the violations into the folder plots, with a contact sheet, whose path it returns.

    It needs Matplotlib if there are violations.
    """
    groups = tables.plotted_groups(outcome)
    if groups:
        require_packages("plot", DRAWING)
    plots = outcome.folder.place / "plots"
    shutil.rmtree(plots, ignore_errors=True)
    plots.mkdir()
    if groups:
        from .pictures import draw_pictures

        draw_pictures(groups, outcome.folder.campaign.varied, plots, suffix)
    sheet = plots / "contact.html"
    write_file(sheet, _page("contact.html", outcome))
    return sheet


def write_report(outcome: Outcome) -> Path:
    """Writes report.html, whose path it returns, and report.md. The pictures are those of the folder plots,
    if they have been drawn."""
    place = outcome.folder.place
    write_file(place / "report.md", tables.markdown(outcome))
    write_file(place / "report.html", _page("report.html", outcome))
    return place / "report.html"


def _page(template: str, outcome: Outcome) -> str:
    plots = outcome.folder.place / "plots"
    return _TEMPLATES.get_template(template).render(
        outcome=outcome,
        tables=tables,
        campaign=outcome.folder.campaign,
        has_been_drawn=plots.exists(),
        pictures=[_picture(path) for path in sorted(plots.glob("[0-9]*.*"))],
    )


def _picture(path: Path) -> Picture:
    kind = "svg+xml" if path.suffix == ".svg" else "png"
    data = base64.b64encode(path.read_bytes()).decode()
    return Picture(path, f"data:image/{kind};base64,{data}")
