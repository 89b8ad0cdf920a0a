# The sources' form: `check_format` compares all C++ files with .clang-format, or rewrites them, and
# `check_headers` compiles each header alone. Called by bootstrap.sh when all is built.
#
# With SEAM_CHECK_SECONDS check_headers, and check_tidy of tidy.sh, begin no other file after that time;
# files that changed last come first.

cpp_files() {
  (cd "$root" && find . -path ./build -prune -o -path './.*' -prune -o \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.ipp' \) -print)
}

check_format() {
  local action=(--dry-run -Werror)
  [ -z "$fix" ] || action=(-i)
  (cd "$root" && cpp_files | xargs clang-format-16 "${action[@]}") ||
    fail "some files are not in the form of .clang-format; ./bootstrap.sh check --fix rewrites them"
  say "clang-format: $(cpp_files | wc -l) files are as .clang-format asks"
}

# The files of standard input, those first that changed last.
newest_first() {
  local files
  files=$(cat)
  {
    git -C "$root" diff --name-only HEAD
    git -C "$root" log --name-only --format=
    echo "$files"
  } 2>/dev/null |
    awk 'NR == FNR { known[$0]; next } ($0 in known) && !seen[$0]++' <(echo "$files") -
}

# Runs a command for each file of standard input, which is its last argument, one for each core at a
# time, and notes in $1 which files had their turn.
for_each_in_time() {
  local taken=$1 until=$(($(date +%s) + ${SEAM_CHECK_SECONDS:-86400}))
  shift
  export until taken
  : >"$taken"
  xargs -P "$(jobs_that_fit)" -n 1 bash -c '
    (($(date +%s) < until)) || exit 0
    echo "${*: -1}" >>"$taken"
    exec "$@"' each "$@"
}

# The headers, each with the command by which CMake would compile a source that includes it
# alone, behind a tab.
header_commands() {
  awk -F '"' '
    /^ *"command": / { command = $0; sub(/^ *"command": "/, "", command); sub(/",$/, "", command) }
    /^ *"file": .*_verify_interface_header_sets\// {
      header = $4; sub(/.*_verify_interface_header_sets\/seam\//, "", header)
      sub(/\.cxx$/, "", header); gsub(/\\"/, "\"", command); print header "\t" command
    }' "$root/build/$preset/compile_commands.json"
}

check_headers() {
  local commands=$log_dir/header-commands compiled=$log_dir/headers-compiled
  header_commands >"$commands"
  export commands
  cut -f 1 "$commands" | newest_first | for_each_in_time "$compiled" bash -c '
    eval "$(grep -m 1 "^$1"$'"'\t'"' "$commands" | cut -f 2) -fsyntax-only"' compile ||
    fail "the above headers do not compile alone"
  say "headers: $(wc -l <"$compiled") of $(wc -l <"$commands") compile alone"
}
