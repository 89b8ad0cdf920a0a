"""Copies the pages of seam to a folder as Sphinx reads them: README.md becomes index.md, with the side
bar's lists of pages, which are those of docs/README.md; names.md lists the public names.

    pages.py SOURCES OUT TAGS

TAGS is the file in which Doxygen lists the names of the reference. OUT also gets names.json, which maps
each name to its place there."""
import html
import json
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as xml


def copy_pages(sources, out):
    shutil.copytree(sources / "docs", out / "docs")
    for page in sources.glob("*.md"):
        shutil.copy(page, out / page.name)
    (out / "README.md").rename(out / "index.md")
    for page in out.glob("docs/*.md"):
        page.write_text(page.read_text().replace("](../README.md", "](../index.md"))


def lists_of_pages(contents):
    """The links of each section of the contents page, as hidden lists for the side bar."""
    for section in re.split(r"^## ", contents, flags=re.M)[1:]:
        title, text = section.split("\n", 1)
        pages = re.findall(r"\]\(([a-zA-Z./-]+)\.md\)", text)
        places = [page[3:] if page.startswith("../") else f"docs/{page}" for page in pages]
        yield "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *places, "```", ""])


def add_lists(out):
    front = out / "index.md"
    contents = (out / "docs/README.md").read_text()
    lists = list(lists_of_pages(contents))
    lists[0] = lists[0].replace("\n\n", "\n\ndocs/README\n", 1)
    front.write_text(front.read_text() + "\n" + "\n".join([*lists, "```{toctree}\n:hidden:\n\nnames\n```\n"]))


def public_names(tags):
    """Maps names in the namespace seam to [kind, place in the reference, whether a class has a member of this
    name]; the first of a name counts."""
    names, members = {}, set()
    for compound in xml.parse(tags).getroot():
        name = compound.findtext("name")
        if compound.get("kind") in ("class", "struct", "concept") and name.startswith("seam::"):
            place = compound.findtext("filename")
            names.setdefault(name.removeprefix("seam::"), [compound.get("kind"), place])
            members |= {member.findtext("name") for member in compound.iter("member")}
        elif name == "seam" or compound.get("kind") == "file":
            for member in compound.iter("member"):
                place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
                names.setdefault(member.findtext("name"), [member.get("kind"), place])
    return {name: [*place, name in members]
            for name, place in sorted(names.items(), key=lambda item: item[0].lower())
            if "<" not in name and not name.startswith("operator")}


def write_names(names, out):
    rows = "".join(
        f'<tr id="{html.escape(name)}"><td><a href="reference/{place}"><code>{html.escape(name)}</code></a></td>'
        f"<td>{kind}</td></tr>\n" for name, (kind, place, _) in names.items())
    (out / "names.md").write_text(
        "# Public names\n\nAll names of the reference. The search of this site finds them, too.\n\n"
        f"```{{raw}} html\n<table>\n{rows}</table>\n```\n")
    (out / "names.json").write_text(json.dumps(names))


sources, out, tags = (pathlib.Path(argument) for argument in sys.argv[1:])
copy_pages(sources, out)
add_lists(out)
write_names(public_names(tags), out)
