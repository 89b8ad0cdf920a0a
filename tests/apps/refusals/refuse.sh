#!/usr/bin/env bash
# Starts a program with each command line of a list of those that it must refuse. Each has to end with
# a code other than 0 and one line, and to leave the files in its folder as they are.
#
# usage: refuse.sh PROGRAM LIST FOLDER MPIEXEC...
#
# A line of LIST is a command line, " => ", and an extended regular expression for the line that the
# program prints after its name. Empty lines and those that begin with # say nothing. Words are quoted
# as in the shell; $inputs is the folder of the programs' inputs.
set -uo pipefail
program=$1 list=$2 folder=$3
shift 3
inputs=$(cd "$(dirname "$list")/../../../apps" && pwd)
name=$(basename "$program") failures=0

# Files that a program might overwrite.
fresh_folder() {
  rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
  local file
  for file in old.rle old.png old.vtkhdf old.csv; do echo "old" >"$file"; done
}

state_of_folder() { ls -A && cat ./*; }

complain() {
  echo "$name $arguments: $1; it printed:"
  echo "$output"
  failures=$((failures + 1))
}

check() {
  local before lines
  eval "words=($arguments)"
  before=$(state_of_folder)
  output=$("$@" "$program" "${words[@]}" 2>&1 </dev/null) && complain "expected a failure"
  lines=$(grep -c "^$name: " <<<"$output")
  [ "$lines" = 1 ] || complain "expected one line, found $lines"
  grep -Eq -- "^$name: .*$expected" <<<"$output" || complain "expected a line with '$expected'"
  [ "$before" = "$(state_of_folder)" ] || complain "expected all files as they were"
}

fresh_folder
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  arguments=${line%% => *} expected=${line#* => }
  check "$@"
done <"$list"
[ "$failures" = 0 ] || exit 1
