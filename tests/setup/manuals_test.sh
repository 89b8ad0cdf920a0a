#!/usr/bin/env bash
# manuals_test.sh MANUALS LIFE GUIDELINES: makes manual pages and completions of two programs, and
# looks at both.
set -euo pipefail

manuals=$1 life=$2 guidelines=$3
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

fail() { echo "$*" && exit 1; }

# The page of program $1 has these lines, and its formatter has nothing to say about it.
has_lines() {
  local page=$made/$1.1 line
  shift
  for line in "$@"; do
    grep -qxF -e "$line" "$page" || fail "expected '$line', found: $(cat "$page")"
  done
  if command -v groff >/dev/null; then
    [ -z "$(groff -man -ww -z -Tutf8 "$page" 2>&1)" ] || groff -man -ww -z -Tutf8 "$page"
  fi
}

# The words that bash offers for the last of words $2... are $1.
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  "_${1//-/_}"
  [ "${COMPREPLY[*]}" = "$expected" ] || fail "$*: expected '$expected', found '${COMPREPLY[*]}'"
}

"$manuals" "$life" 1.2.3 "$made/seam-life.1" "$made/seam-life"
has_lines seam-life '.TH SEAM-LIFE 1 "" "seam 1.2.3" "seam"' '.SH EXAMPLES' \
  "seam-life \\- plays Conway's Game of Life, or another rule of its kind" \
  '.B \-\-topology TEXT:{torus,plane}' 'how long to play' '.B \-\-checks TEXT:{on,off}'
# shellcheck disable=SC1091
source "$made/seam-life"
offers '--topology' seam-life --topo
offers 'torus plane' seam-life --topology ''
offers 'off' seam-life glider.rle --checks of
offers '' seam-life gl

"$manuals" "$guidelines" 1.2.3 "$made/seam-guidelines.1" "$made/seam-guidelines" run analyze
has_lines seam-guidelines '.SH ANALYZE' '.B \-\-confirm FOLDER'
# shellcheck disable=SC1091
source "$made/seam-guidelines"
offers 'run analyze' seam-guidelines ''
offers '--confirm' seam-guidelines analyze --conf
