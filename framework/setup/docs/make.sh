#!/usr/bin/env bash
# Makes the site of seam: its pages by Sphinx, and below reference/ all public names by Doxygen.
#
#     make.sh SOURCES PUBLIC_HEADERS STAGE SITE
#
# PUBLIC_HEADERS is the list that a configured build holds, with each stable header and the files that it
# brings; STAGE and SITE are folders that are made anew. Fails with exit code 77 where a tool is missing,
# and otherwise if a page, a contract or a link refers to something that does not exist.
set -euo pipefail
sources=$1 headers=$2 stage=$3 site=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in doxygen sphinx-build; do
  command -v $tool >/dev/null || { echo "no $tool" && exit 77; }
done
/usr/bin/python3 -c 'import furo, myst_parser' 2>/dev/null || { echo "no furo, or no MyST" && exit 77; }
version=$(sed -n 's/^project(seam VERSION \([0-9.]*\).*/\1/p' "$sources/CMakeLists.txt")

# The files of a stable header become one file, by whose name the reference tells how to include it.
stage_headers() {
  local header path
  mkdir -p "$stage/reference/seam/c"
  cp "$here"/reference/* "$stage/reference"
  while read -r header path; do
    awk -f "$here/reference/header.awk" "$sources/$path" >>"$stage/reference/seam/$header"
  done <"$headers"
}

make_reference() {
  stage_headers
  printf '%s = %s\n' OUTPUT_DIRECTORY "$site/reference" PROJECT_NUMBER "$version" \
    STRIP_FROM_PATH "$stage/reference" STRIP_FROM_INC_PATH "$stage/reference" \
    >>"$stage/reference/Doxyfile"
  (cd "$stage/reference" && doxygen Doxyfile)
  grep -q '#include &lt;seam/grid.hpp&gt;' "$site/reference/classseam_1_1Grid.html" || {
    echo "the page of Grid does not say which header programs include for it" && exit 1
  }
}

make_pages() {
  /usr/bin/python3 "$here/pages.py" "$sources" "$stage/pages" "$stage/reference/names.tag"
  cp -r "$here"/conf.py "$here/static" "$stage/pages"
  SEAM_VERSION=$version SEAM_NAMES=$stage/pages/names.json \
    sphinx-build -q -W --keep-going -j auto -b html -d "$stage/doctrees" "$stage/pages" "$site"
}

rm -rf "$stage" "$site"
mkdir -p "$stage" "$site/reference"
make_reference
make_pages
/usr/bin/python3 "$here/links.py" "$site"
