# The sources' form: `check_format` compares all C++ files with .clang-format, or rewrites them,
# `check_headers` compiles each public header alone, and `check_tidy` runs clang-tidy over the folders'
# sources. Called by bootstrap.sh when all is built.
#
# With SEAM_CHECK_SECONDS check_headers and check_tidy begin no other file after that time; files that
# changed last come first.

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

# What the compiler was told, as CMake recorded it. Where it was told several sources in one file of
# includes, it is told each of them; what it reads precompiled is left out, since Clang cannot.
commands_of_sources() {
  sed 's# -Winvalid-pch -include [^ ]*/cmake_pch.hxx##' "$root/build/$preset/compile_commands.json" |
    awk -F '"' '
      /^ *"command": / { command = $0 }
      /^ *"file": .*\/(Unity\/unity_[0-9]+_cxx.cxx|build\/[^\/]*\/together\/[^\/]*)"/ {
        together = $4; separator = ""
        while ((getline line <together) > 0)
          if (split(line, word, "\"") == 3 && line ~ /^#include /) {
            one = command; gsub(together, word[2], one)
            if (separator) print separator "\n" one
            else print one
            print "  \"file\": \"" word[2] "\""
            separator = "},\n{\n" directory
          }
        close(together); command = ""; next
      }
      /^ *"directory": / { directory = $0 }
      /^ *"command": / { next }
      command != "" && !/^ *"directory": / { print command; command = "" }
      { print }'
}

# The sources below the root; those of the tests are left to the compiler.
tidy_sources() {
  commands_of_sources | sed -n "s|^ *\"file\": \"$root/\(.*\)\",\{0,1\}\$|\1|p" |
    grep -E '^(exchange|mapping|stencil|mesh|framework|apps)/' | sort -u
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

# The public headers, each with the command by which CMake would compile a source that includes it
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

# clang-tidy comes without omp.h. It reads the compiler's own after all other headers, with GCC's
# form of the attribute malloc cut to the one that Clang knows. Warnings stay the compiler's
# business (-w).
check_tidy() {
  local omp tidied=$log_dir/tidied
  omp=$(dirname "$("${CXX:-c++}" -print-file-name=include/omp.h)")
  commands_of_sources >"$log_dir/compile_commands.json"
  tidy_sources | newest_first | (cd "$root" && for_each_in_time "$tidied" clang-tidy-16 --quiet \
    -p "$log_dir" --extra-arg=-w "--extra-arg=-idirafter$omp" \
    '--extra-arg=-D__malloc__(...)=__malloc__') \
    2> >(grep -v 'warnings* .*generated' >&2) || fail "clang-tidy found the above"
  say "clang-tidy: nothing to say about $(wc -l <"$tidied") of $(tidy_sources | wc -l) sources"
}
