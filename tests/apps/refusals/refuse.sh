#!/usr/bin/env bash
# Starts a program with each command line of a list of those that it must refuse. Each has to end with
# a code other than 0 and one line, and to leave the files in its folder as they are.
#
# usage: refuse.sh PROGRAM LIST FOLDER MPIEXEC...
#
# A line of LIST is a command line, " => " or " -> ", and an extended regular expression for the line that
# the program prints after its name; behind " !> " there may be one for what it must not print. With "=>"
# the ranks that MPIEXEC starts refuse together; with "->" a process refuses that is started without it
# and cannot start MPI. Empty lines and those that begin with # say nothing. Words are quoted as in the
# shell; $inputs is the folder of the programs' inputs. In the program's own folder are some files, and a
# folder u.vtkhdf.
set -uo pipefail
program=$1 list=$2 folder=$3
shift 3
inputs=$(cd "$(dirname "$list")/../../../apps" && pwd)
name=$(basename "$program") failures=0
without_mpi=(env OMPI_MCA_pml=none)

# Files that a program might overwrite, and a folder where it might want to write one.
fresh_folder() {
  rm -rf "$folder" && mkdir -p "$folder/u.vtkhdf" && cd "$folder" || exit 1
  local file
  for file in old.rle old.png old.vtkhdf old.csv; do echo "old" >"$file"; done
}

state_of_folder() { ls -AR && cat ./old.*; }

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
  [ -z "$forbidden" ] || ! grep -Eq -- "$forbidden" <<<"$output" || complain "found '$forbidden'"
  [ "$before" = "$(state_of_folder)" ] || complain "expected all files as they were"
}

fresh_folder
while IFS= read -r line; do
  forbidden=
  case $line in
    *' => '*) arguments=${line%% => *} expected=${line#* => } start=("$@") ;;
    *' -> '*) arguments=${line%% -> *} expected=${line#* -> } start=("${without_mpi[@]}") ;;
    *) continue ;;
  esac
  case $expected in *' !> '*) forbidden=${expected#* !> } expected=${expected% !> *} ;; esac
  check "${start[@]}"
done <"$list"
[ "$failures" = 0 ] || exit 1
