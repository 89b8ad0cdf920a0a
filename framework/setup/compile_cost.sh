# What seam's headers cost those who compile programs with them. `measure_compile_cost` is called by
# bootstrap.sh when the preset is configured; it prints the table of docs/profile.md, for g++
# and clang++, in some minutes.

compared_compilers() { echo g++ clang++-14; }

measure_compile_cost() {
  # shellcheck disable=SC2046
  python3 "$setup_dir/compile_cost.py" "$root" "$root/build/$preset/compile_commands.json" \
    $(compared_compilers) || fail "compile-cost: no table"
}
