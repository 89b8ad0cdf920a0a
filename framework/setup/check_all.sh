# All checks, also those that take longer than a change can wait for. `check_all` is called by
# bootstrap.sh, carries out each check as a step of its own, prints one line for each, and writes its
# result into the table of docs/checks.md. A check that fails does not keep the others from running.
# Words behind `--` choose checks: those whose lines have one of them.

# A line for each check: the arguments of bootstrap.sh.
all_checks() {
  cat <<'TEXT'
test --preset full
check --preset full
test --preset asan -- -E ^(multihost|framework\.program\.(fault|program\.)|install|docs|staircase)|\.messages\.|large_count
test --preset tsan -- -R ^exchange\.(endpoints|engine|partitioned|transport)\.|\.endpoints_|partitioned_(halo|exchange|mesh_halo)|^(stencil|mesh)\..*_threads|^exchange\.steps\.
browse --preset dev
package
compilers
newest
build --preset apart
test --preset mpich
crowded --preset full
mutants --preset full
guidelines
scale
first-hour
TEXT
}

checks_page=docs/checks.md

# True if check $1 is one of those that the caller of bootstrap.sh has chosen.
is_chosen() {
  local word
  [ ${#ctest_args[@]} -gt 0 ] || return 0
  for word in "${ctest_args[@]}"; do
    [[ " $1 " != *" $word "* ]] || return 0
  done
  return 1
}

# The commit of the sources; with a + behind it if they differ from it. The page itself does not count.
commit_of_sources() {
  local commit
  commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null) || { echo "-" && return; }
  [ -z "$(git -C "$root" status --porcelain -- . ":!$checks_page")" ] || commit+=+
  echo "$commit"
}

# What a check has found, in words, from its output $1.
findings() {
  awk '/ tests failed out of / { tests = sprintf("%d of %d tests failed", $(NF - 5), $NF) }
    /^\t *[0-9]+ - .*\((Failed|Timeout|SEGFAULT|Subprocess aborted)/ { names = names " `" $3 "`" }
    /^seam: / { said = substr($0, 7) }
    /^viewed / { said = $0 }
    /^[0-9]+ (mutants|changed sources): / { mutants = mutants (mutants ? "; " : "") $0 }
    END { print tests ? tests (names ? ":" names : "") : mutants ? mutants : said }' "$1" | tr '|' '/'
}

# Puts the row $2 of check $1 in the place of an older one, or at the end of the table.
write_row() {
  local page=$root/$checks_page check="| \`${1//|/\\|}\` |" new
  new=$(check=$check row="$check $2 |" awk '
    index($0, ENVIRON["check"]) == 1 { $0 = ENVIRON["row"]; written = 1 }
    in_table && !/^\|/ && !written { print ENVIRON["row"]; written = 1 }
    { in_table = /^\|/; print }
    END { if (!written) print ENVIRON["row"] }' "$page")
  printf '%s\n' "$new" >"$page"
}

# Carries out one check, and notes how it ended.
check_step() {
  local began=$SECONDS ended=passed log=$root/build/check-all/$1-${3:-dev}.log commit
  commit=$(commit_of_sources)
  "$root/bootstrap.sh" "$@" >"$log" 2>&1 </dev/null || ended=failed
  say "$ended after $((SECONDS - began)) s: ./bootstrap.sh $*"
  write_row "$*" "$(date +%F) | $commit | $((SECONDS - began)) | $ended | $(findings "$log")"
  [ $ended = passed ]
}

check_all() {
  local num_failed=0 line words
  mkdir -p "$root/build/check-all"
  while IFS= read -r line; do
    is_chosen "$line" || continue
    read -r -a words <<<"$line"
    check_step "${words[@]}" || num_failed=$((num_failed + 1))
  done < <(all_checks)
  [ $num_failed -eq 0 ] || fail "$num_failed checks failed; their output is in build/check-all"
}
