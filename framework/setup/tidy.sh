# clang-tidy over the folders' sources. `check_tidy` is called by bootstrap.sh when all is built, and
# remembers in build/NAME/tidied the sources that clang-tidy had nothing to say about: it has no look
# at them again before they, something that they include, their commands or clang-tidy change.

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

# The sources below the root, each with its command behind a tab.
tidy_commands() {
  awk -F '"' '
    /^ *"command": / {
      command = $0; sub(/^ *"command": "/, "", command); sub(/",$/, "", command)
      gsub(/\\"/, "\"", command); gsub(/\\\\/, "\\", command)
    }
    /^ *"file": / { print $4 "\t" command }' "$log_dir/compile_commands.json" |
    sed -n "s|^$root/||p"
}

# All that clang-tidy's opinion of source $1 depends on, as one number.
tidy_key() (
  set -o pipefail
  command=$(grep -m 1 "^$1"$'\t' "$tidy_commands" | cut -f 2 | sed 's| -o [^ ]*||') || exit
  {
    clang-tidy-16 --version
    cat "$root/.clang-tidy"
    declare -f run_tidy
    echo "$command"
    cd "$root/build/$preset" && eval "$command -M -MF /dev/stdout" | tr ' \\' '\n' | grep '^/' |
      sort -u | xargs cat
  } | sha256sum
)

# clang-tidy comes without omp.h. It reads the compiler's own after all other headers, with GCC's
# form of the attribute malloc cut to the one that Clang knows. Warnings stay the compiler's
# business (-w).
run_tidy() {
  clang-tidy-16 --quiet -p "$log_dir" --extra-arg=-w "--extra-arg=-idirafter$omp" \
    '--extra-arg=-D__malloc__(...)=__malloc__' "$root/$1"
}

# Runs clang-tidy over source $1, or remembers that there is nothing to say about it.
tidy_unless_known() {
  local key known=$known_tidy/${1//\//-}
  key=$(tidy_key "$1") && [ "$key" = "$(cat "$known" 2>/dev/null)" ] && return
  rm -f "$known"
  run_tidy "$1" || return
  echo "$1" >>"$log_dir/looked-at"
  [ -z "$key" ] || echo "$key" >"$known"
}

check_tidy() {
  local taken=$log_dir/tidied num_taken num_looked_at
  known_tidy=$root/build/$preset/tidied tidy_commands=$log_dir/tidy-commands
  omp=$(dirname "$("${CXX:-c++}" -print-file-name=include/omp.h)")
  export root preset log_dir known_tidy tidy_commands omp
  export -f tidy_key run_tidy tidy_unless_known
  mkdir -p "$known_tidy"
  : >"$log_dir/looked-at"
  commands_of_sources >"$log_dir/compile_commands.json"
  tidy_commands >"$tidy_commands"
  tidy_sources | newest_first | for_each_in_time "$taken" bash -c 'tidy_unless_known "$1"' tidy \
    2> >(grep -v 'warnings* .*generated' >&2) || fail "clang-tidy found the above"
  num_taken=$(wc -l <"$taken") num_looked_at=$(wc -l <"$log_dir/looked-at")
  say "clang-tidy: nothing to say about $num_taken of $(tidy_sources | wc -l) sources," \
    "$((num_taken - num_looked_at)) of them as in an earlier check"
}
