"""The Python packages that some words need: a line says what to install where one is missing."""

import importlib
import sys

from .placed import UsageError

ANALYSIS = {"scipy": "SciPy", "pandas": "pandas", "jinja2": "Jinja2"}
DRAWING = {"matplotlib": "Matplotlib"}


def require_packages(word: str, names: dict[str, str]) -> None:
    """Refuses a word of the program if a package that it needs cannot be imported."""
    missing = [name for name in names if not _can_be_imported(name)]
    if missing:
        raise UsageError(
            f"{word}: {sys.executable} has no {', '.join(names[name] for name in missing)} (on Debian: "
            f"apt-get install {' '.join('python3-' + name for name in missing)})"
        )


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
