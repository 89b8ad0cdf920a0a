"""The site's pages, for Sphinx: Markdown read by MyST, in the look of furo. Names of the reference link to
it wherever a page has them as code, and the search finds them."""
import json
import os
import pathlib
import re

from docutils import nodes
from sphinx.domains import Domain, ObjType

project = "seam"
version = release = os.environ["SEAM_VERSION"]
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"
exclude_patterns = ["docs/examples"]
html_theme = "furo"
html_title = f"seam {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_theme_options = {"navigation_with_keys": True}

names = json.loads(pathlib.Path(os.environ["SEAM_NAMES"]).read_text())


class Names(Domain):
    """The public names, for the search."""
    name = "seam"
    label = "seam"
    object_types = {"name": ObjType("public name")}

    def get_objects(self):
        return [(name, name, "name", "names", name, 1) for name in names]

    def merge_domaindata(self, docnames, otherdata):
        pass

    def resolve_any_xref(self, *reference):
        return []


def link_names(app, doctree, docname):
    """Makes links of code that is a name of the reference, or a call of it, outside headings and links;
    not of functions with the name of a member, which may be meant."""
    for code in list(doctree.findall(nodes.literal)):
        known = names.get(re.sub(r"^seam::|\(.*\)$", "", code.astext()))
        is_clear = known and (known[0] == "class" or not known[2])
        if is_clear and isinstance(code.parent, (nodes.paragraph, nodes.strong, nodes.emphasis)):
            link = nodes.reference("", "", code.deepcopy(), internal=True,
                                   refuri="../" * docname.count("/") + f"reference/{known[1]}")
            code.replace_self(link)


def setup(app):
    app.add_domain(Names)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
