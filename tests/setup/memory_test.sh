#!/usr/bin/env bash
# memory_test.sh SCRIPT: how much memory framework/setup/memory.sh finds free, and how many compilers it
# lets run, on machines and in containers that are pretended.
set -euo pipefail

machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
source "$1"
proc=$machine/proc cgroups=$machine/cgroups
nproc() { echo 4; }
say() { echo "$*"; }
unset SEAM_JOBS

# A machine with so many MB of free memory, and a process with such a line in /proc/self/cgroup.
machine_has() {
  rm -rf "$proc" "$cgroups"
  mkdir -p "$proc/self" "$cgroups"
  printf 'MemTotal: 99000000 kB\nMemAvailable: %d kB\n' "${1}000" >"$proc/meminfo"
  echo "$2" >"$proc/self/cgroup"
}

# A control group: its folder, the name of its limit, the limit [MB, or a word], what is used [MB].
group_has() {
  local folder=$cgroups/$1 limit=$3
  mkdir -p "$folder"
  [[ $limit != [0-9]* ]] || limit+=000000
  echo "$limit" >"$folder/$2"
  printf 'file 700000000\nanon %d\ntotal_rss %d\n' "${4}000000" "${4}000000" >"$folder/memory.stat"
}

expect() {
  local found
  found="$(free_memory) MB, $(jobs_that_fit) jobs"
  [ "$found" = "$1" ] || { echo "expected $1, found $found" && exit 1; }
}

machine_has 24000 0::/
expect '24000 MB, 4 jobs'
machine_has 1900 0::/
expect '1900 MB, 2 jobs'
[ -z "$(require_memory)" ] || { echo "it warns of 1900 MB" && exit 1; }
machine_has 500 0::/
expect '500 MB, 1 jobs'
grep -q '^500 MB of memory are free' <<<"$(require_memory)" || { echo "it does not warn" && exit 1; }

machine_has 24000 0::/box/inner # of which the outer one has the limit
group_has box/inner memory.max max 100
group_has box memory.max 2000 300
expect '1700 MB, 2 jobs'
machine_has 24000 0::/not/seen/from/here # since the container's own group is its root
group_has . memory.max 3000 300
expect '2700 MB, 3 jobs'
machine_has 24000 4:memory:/box
group_has memory/box memory.limit_in_bytes 1500 100
group_has memory memory.limit_in_bytes 9223372036854 100
expect '1400 MB, 1 jobs'
SEAM_JOBS=3 expect '1400 MB, 3 jobs'
