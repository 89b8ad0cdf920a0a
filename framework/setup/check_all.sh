# All checks, also those that take longer than a change can wait for. `check_all` is called by
# bootstrap.sh, carries out each check as a step of its own, and prints one line for each. A check
# that fails does not keep the others from running.

# A line for each check: the arguments of bootstrap.sh.
all_checks() {
  cat <<'TEXT'
test --preset full
check --preset full
test --preset asan -- -E ^(multihost|framework\.program\.(fault|program\.)|install|docs|staircase)|\.messages\.|large_count
test --preset tsan -- -R ^exchange\.(endpoints|engine|partitioned|transport)\.|\.endpoints_|partitioned_(halo|exchange|mesh_halo)
browse --preset dev
package
compilers
newest
test --preset mpich
crowded
mutants
guidelines
scale
TEXT
}

# Carries out one check, and notes how it ended.
check_step() {
  local began=$SECONDS ended=passed log=$root/build/check-all/$1-${3:-dev}.log
  "$root/bootstrap.sh" "$@" >"$log" 2>&1 </dev/null || ended=failed
  say "$ended after $((SECONDS - began)) s: ./bootstrap.sh $*"
  [ $ended = passed ]
}

check_all() {
  local num_failed=0 line words
  mkdir -p "$root/build/check-all"
  while IFS= read -r line; do
    read -r -a words <<<"$line"
    check_step "${words[@]}" || num_failed=$((num_failed + 1))
  done < <(all_checks)
  [ $num_failed -eq 0 ] || fail "$num_failed checks failed; their output is in build/check-all"
}
