# Performance guidelines: a campaign of less than a minute on seam's collectives, whose violations
# are printed and never end in an error. `run_guidelines` is called by bootstrap.sh when the program
# is built.

run_guidelines() {
  local program=$root/build/$preset/bin/seam-guidelines out=$root/build/guidelines
  rm -rf "$out" && mkdir -p "$out"
  allow_mpi_here
  local environment=local
  [ "$(nproc)" -ge 2 ] || environment=oversubscribed
  keep_cores
  say "seam-guidelines campaign short"
  "$program" campaign short --environment $environment --folder "$out/short" --no-archive \
    >"$out/guidelines.md" || fail "the campaign could not be made"
  grep -E '^\| (guideline|---)|\*\*' "$out/guidelines.md" || true
  say "$(grep -c '\*\*' "$out/guidelines.md" || true) guidelines are violated here; what a second" \
    "campaign confirms is no chance. All tests: ${out#"$root"/}/short/report.html"
}
