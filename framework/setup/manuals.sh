#!/usr/bin/env bash
# manuals.sh PROGRAM VERSION MANUAL COMPLETION [WORD...]: makes a program's manual page and its
# completion for bash of what it prints with --help, alone and after each of its words.
set -euo pipefail

program=$1 version=$2 manual=$3 completion=$4
shift 4
scripts=$(dirname "${BASH_SOURCE[0]}")/manuals
name=$(basename "$program")

help=$(
  "$program" --help
  for word in "$@"; do
    printf '\f%s\n' "$word"
    "$program" "$word" --help
  done
)
awk -v program="$name" -v version="$version" -f "$scripts/help.awk" -f "$scripts/manual.awk" \
  <<<"$help" >"$manual"
awk -v program="$name" -f "$scripts/help.awk" -f "$scripts/completion.awk" <<<"$help" >"$completion"
