#!/usr/bin/env bash
# Counts in how many campaigns of one pair, one size, 10 runs and 50 repetitions a delay of
# MPI_Neighbor_alltoall is found, and in how many of as many campaigns without it anything is.
#
# usage: faults.sh PROGRAM FAULTS_LIBRARY CAMPAIGNS [--clock] [--only found|false] [--delay D]
#
# PROGRAM is seam-guidelines, FAULTS_LIBRARY the library of faults.cpp. With --clock time is that of
# a clock that only the two operations move, so that nothing depends on the machine. Prints a line
# for each campaign and the two counts. Exits with 1 if fewer than 95 of 100 delays are found, or more
# than 1 of 100 campaigns without one reports a violation.
set -euo pipefail
program=$1 library=$2 campaigns=$3
shift 3
clock=off only= delay=0.1
while [ $# -gt 0 ]; do
  case $1 in
    --clock) clock=on && shift ;;
    --only) only=$2 && shift 2 ;;
    --delay) delay=$2 && shift 2 ;;
    *) echo "unknown: $1" >&2 && exit 2 ;;
  esac
done
/usr/bin/python3 -c 'import jinja2, pandas, scipy' || exit 77
bytes=${SEAM_FAULT_BYTES:-16384}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cat >"$place/pair.txt" <<TEXT
campaign     pair
deployments  1x2
runs         10
repetitions  50
minutes      2
experiments
  setup       Neighbor_alltoall Neighbor_alltoallv
  bytes       $bytes
  topology    vonNeumann
  constructor Dist_graph_create_adjacent
  dimensions  1
  finite      1
  radius      1
  ordering    FMAJ
  reorder     0
guideline GL6 setup=Neighbor_alltoall <= setup=Neighbor_alltoallv
TEXT
if [ $clock = on ]; then
  binding="--bind-to none"
else
  binding="--bind-to core"
fi
environment() { # delay
  printf '%s\n' "launch {mpiexec} -n {processes} $binding {kernel}" \
    "setting OMPI_MCA_rmaps_base_oversubscribe=1" \
    "setting PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe" \
    "setting LD_PRELOAD=$library" "setting SEAM_FAULT_DELAY=$1" "setting SEAM_FAULT_CLOCK=$clock" \
    "setting OMP_NUM_THREADS=1" "setting KOKKOS_DISABLE_WARNINGS=1"
}

# Prints "v p violation" of the one test of a campaign with a delay.
campaign() { # delay
  environment "$1" >"$place/environment.txt"
  rm -rf "$place/campaign"
  if ! "$program" campaign "$place/pair.txt" --environment "$place/environment.txt" \
    --folder "$place/campaign" --no-plots --no-archive >"$place/log" 2>&1; then
    cat "$place/log" >&2
    exit 3
  fi
  awk -F, 'NR == 2 { print "v " $7, "p " $8, "violation " $9 }' "$place/campaign/analysis/tests.csv"
}

count() { # delay, what
  local found=0 number line
  for ((number = 1; number <= campaigns; number++)); do
    line=$(campaign "$1")
    echo "$2 $number: $line"
    case $line in *"violation 1") found=$((found + 1)) ;; esac
  done
  counted=$found
}

status=0
if [ "$only" != false ]; then
  count "$delay" "delay $delay,"
  echo "found in $counted of $campaigns campaigns"
  [ $((100 * counted)) -ge $((95 * campaigns)) ] || status=1
fi
if [ "$only" != found ]; then
  count 0 "no delay,"
  echo "false alarms in $counted of $campaigns campaigns"
  [ $((100 * counted)) -le "$campaigns" ] || status=1
fi
exit $status
