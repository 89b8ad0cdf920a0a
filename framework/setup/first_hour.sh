# The first hour of a new user: `measure_first_hour` makes a fresh system of this machine's release, and
# takes the time of each step of README there, on a copy of the sources, without ccache. Writes the table
# into docs/checks.md. Called by bootstrap.sh; framework/setup/first_hour/ holds what runs in the system.

# Puts the lines of file $2 in the place of those between the markers `<!-- $1 -->` of docs/checks.md.
write_table() {
  local page=$root/docs/checks.md
  awk -v name="$1" -v table="$2" '
    $0 == "<!-- end of " name " -->" { skip = 0 }
    !skip
    $0 == "<!-- " name " -->" { while ((getline line < table) > 0) print line; skip = 1 }' \
    "$page" >"$log_dir/page"
  cp "$log_dir/page" "$page"
}

measure_first_hour() {
  local system=$root/build/first-hour/system codename table=$log_dir/first-hour.md
  [ "$(id -u)" = 0 ] || fail "first-hour: only root can make a fresh system"
  codename=$(release_in_sources)
  rm -rf --one-file-system "$system"
  mkdir -p "$(dirname "$system")"
  say "a fresh system '$codename', in which to take the times, about half an hour: ${system#"$root"/}"
  make_system "$system" "$codename"
  mkdir "$system/seam-sources"
  tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$system/seam-sources" -x
  run_in_system "$system" bash /seam-sources/framework/setup/first_hour/try.sh /table.md ||
    fail "first-hour: see above"
  {
    echo "$(date +%F), $(commit_of_sources), $(nproc) cores:"
    echo
    cat "$system/table.md"
  } >"$table"
  write_table first-hour "$table"
  cat "$table"
  rm -rf --one-file-system "$system"
  say "the table stands in $checks_page"
}
