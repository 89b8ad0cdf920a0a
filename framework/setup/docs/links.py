"""Follows each link of a site from page to page, and each picture, script and style sheet that a page
names. Prints those that lead nowhere, and fails if there is one. Other sites are not looked at.

    links.py SITE"""
import html
import pathlib
import re
import sys
import urllib.parse

site = pathlib.Path(sys.argv[1]).resolve()
pages = sorted(site.rglob("*.html"))
anchor = re.compile(r"""<[^>]*?\s(?:id|name)=["']([^"']+)["']""")
link = re.compile(r"""<(a|img|script|link)\b[^>]*?\s(?:href|src)=["']([^"']*)["']""")


def read(page):
    text = page.read_text(errors="replace")
    tags = re.sub(r"(<script\b[^>]*>).*?</script>|<!--.*?-->", r"\1", text, flags=re.S)
    return ({html.unescape(name) for name in anchor.findall(tags)},
            [(kind, html.unescape(target)) for kind, target in link.findall(tags)])


def fault_of(page, kind, target):
    """What is wrong with a link of `page`, or nothing."""
    path, _, place = target.partition("#")
    if re.match(r"[a-z]+:|//", path) or target in ("", "#"):
        return None
    file = (page.parent / urllib.parse.unquote(path.split("?")[0])).resolve() if path else page
    if not file.is_file():
        return f"no file {path}"
    place = urllib.parse.unquote(place)
    if kind == "a" and place and file in found and place not in found[file][0]:
        return f"no place {target}"
    return None


found = {page: read(page) for page in pages}
faults = [f"{page.relative_to(site)}: {fault}" for page in pages for kind, target in found[page][1]
          if (fault := fault_of(page, kind, target))]
num_links = sum(len(links) for _, links in found.values())
print(*faults, f"{len(pages)} pages, {num_links} links, wrong: {len(faults)}", sep="\n")
sys.exit(bool(faults) or not num_links)
