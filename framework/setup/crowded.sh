# Tests whose runs were cut off on crowded machines, many times over. `run_crowded` is called by
# bootstrap.sh; it runs several jobs at a time, each of more processes than there are cores, and fails
# if one of them fails, ends too late, or prints that a rank has waited for long.

crowded_tests() { echo mesh/fields/mesh_field exchange/sparse/algorithms/all; }
crowded_programs() { echo test-mesh test-exchange; }
crowded_ranks=8 crowded_stall=10 # s
repeats_of_job=10 seconds_of_job=600
crowded_repeats=${SEAM_TEST_REPEATS:-1000}

# A line for each job: its test and how many repeats have come before.
crowded_jobs() {
  local before test
  for ((before = 0; before < crowded_repeats; before += repeats_of_job)); do
    for test in $(crowded_tests); do echo "$test $before"; done
  done
}

crowded_job() {
  local test=$1 before=$2 left=$((crowded_repeats - $2)) log=$root/build/crowded/${1//\//-}-$2.log
  SEAM_TEST_REPEATS=$((left < repeats_of_job ? left : repeats_of_job)) SEAM_DEBUG_STALL=$crowded_stall \
    OMP_NUM_THREADS=1 KOKKOS_DISABLE_WARNINGS=1 timeout $seconds_of_job \
    "$(mpiexec_of_build)" -n $crowded_ranks "$root/build/$preset/tests/bin/test-${test%%/*}" --of "$test" >"$log" 2>&1 </dev/null &&
    ! grep '^seam: rank' "$log" && return
  say "failed or stalled: ${log#"$root"/}"
  return 1
}

run_crowded() {
  local began=$SECONDS running=0 num_failed=0 at_a_time job
  at_a_time=$(nproc)
  allow_mpi_here
  rm -rf "$root/build/crowded" && mkdir -p "$root/build/crowded"
  while read -r -a job; do
    if [ $running -eq "$at_a_time" ]; then
      wait -n || num_failed=$((num_failed + 1))
    else
      running=$((running + 1))
    fi
    crowded_job "${job[@]}" &
  done < <(crowded_jobs)
  for (( ; running > 0; --running)); do wait -n || num_failed=$((num_failed + 1)); done
  [ $num_failed -eq 0 ] || fail "crowded: $num_failed jobs"
  say "$(crowded_tests): $crowded_repeats repeats on $crowded_ranks ranks," \
    "$at_a_time jobs at a time, in $((SECONDS - began)) s"
}
