# The sources' form: `check_format` compares all C++ files with .clang-format, or rewrites them, and
# `check_tidy` runs clang-tidy over the folders' sources. Called by bootstrap.sh when all is built.

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

# What the compiler was told, as CMake recorded it; the tests' sources are left to the compiler.
tidy_sources() {
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$root/build/$preset/compile_commands.json" |
    grep -E "^$root/(exchange|mapping|stencil|mesh|framework|apps)/" | sort -u
}

# The same, those first that changed last.
tidy_sources_newest_first() {
  {
    git -C "$root" diff --name-only HEAD
    git -C "$root" log --name-only --format=
  } 2>/dev/null | sed "s|^|$root/|" | cat - <(tidy_sources) |
    awk 'NR == FNR { known[$0]; next } ($0 in known) && !seen[$0]++' <(tidy_sources) -
}

# Clang cannot read what GCC precompiled.
commands_without_precompiled_headers() {
  sed 's# -Winvalid-pch -include [^ ]*/cmake_pch.hxx##' "$root/build/$preset/compile_commands.json"
}

# clang-tidy comes without omp.h. It reads the compiler's own after all other headers, with GCC's
# form of the attribute malloc cut to the one that Clang knows. Warnings stay the compiler's
# business (-w). With SEAM_TIDY_SECONDS no file is begun after that time.
check_tidy() {
  local omp done=$log_dir/tidy-done
  omp=$(dirname "$("${CXX:-c++}" -print-file-name=include/omp.h)")
  local until=$(($(date +%s) + ${SEAM_TIDY_SECONDS:-86400}))
  export until done
  : >"$done"
  commands_without_precompiled_headers >"$log_dir/compile_commands.json"
  tidy_sources_newest_first | xargs -P "$(jobs_that_fit)" -n 1 bash -c '
    (($(date +%s) < until)) || exit 0
    echo "${*: -1}" >>"$done"
    exec "$@"' tidy clang-tidy-16 --quiet -p "$log_dir" \
    --extra-arg=-w "--extra-arg=-idirafter$omp" '--extra-arg=-D__malloc__(...)=__malloc__' \
    2> >(grep -v 'warnings* .*generated' >&2) || fail "clang-tidy found the above"
  say "clang-tidy: nothing to say about $(wc -l <"$done") of $(tidy_sources | wc -l) sources"
}
