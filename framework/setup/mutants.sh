# Programs with exchanges that are wrong, of which checked builds find all. `run_mutants` is called by
# bootstrap.sh when the programs are built.

run_mutants() {
  allow_mpi_here
  python3 "$root/tests/stencil/mutants/mutants.py" "$root/build/$preset" --source-mutants ||
    fail "mutants: not all are found"
}
