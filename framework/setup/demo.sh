# The demonstration: Game of Life and Jacobi on two ranks with as many threads as fit, where the pictures
# lie, and what to try next. `run_demo` is called by bootstrap.sh when the programs are built.

demo_programs=(seam-life seam-jacobi)

# Two ranks share the machine's cores.
demo_threads() { echo $(($(nproc) / 2 > 0 ? $(nproc) / 2 : 1)); }

on_two_ranks() {
  local program=$1
  shift
  say "mpiexec -n 2 ${program#"$root"/} ${*//"$root/"/}"
  OMP_NUM_THREADS=$(demo_threads) OMP_PROC_BIND=false KOKKOS_DISABLE_WARNINGS=1 \
    "$(mpiexec_of_build)" -n 2 "$program" "$@"
}

run_demo() {
  local bin=$root/build/$preset/bin out=$root/build/demo
  local written=("$out/life.png" "$out/jacobi.vtkhdf" "$out/jacobi.png") file
  rm -rf "$out"
  mkdir -p "$out"
  allow_mpi_here
  on_two_ranks "$bin/seam-life" gosper-gun --generations 300 --size 160x100 \
    --picture "$out/life.png"
  on_two_ranks "$bin/seam-jacobi" --cells 256x256 \
    --output "$out/jacobi.vtkhdf" --picture "$out/jacobi.png"
  for file in "${written[@]}"; do
    [ -s "$file" ] || fail "demo: ${file#"$root"/} was not written"
  done
  say "2 ranks x $(demo_threads) threads wrote ${written[*]#"$root"/}"
  cat <<TEXT
Next:
  ${bin#"$root"/}/seam-life --help            # more patterns, rules and pictures
  ./bootstrap.sh build                      # all programs, and the libraries for programs of your own
  ./bootstrap.sh test                       # the tests
TEXT
}
