#!/usr/bin/env bash
# chosen_tests_test.sh SOURCES: runs `bootstrap.sh test` on a project of three small tests, with packages,
# a compiler and a Kokkos pretended, and looks which programs it builds.
set -euo pipefail

sources=$1
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
fail() { echo "$*" && exit 1; }

# A machine that has all that set-up looks for.
mkdir -p "$project"/{machine,cache/kokkos-3.4-GNU-12.2.0/lib/cmake/Kokkos,framework}
printf '#!/bin/sh\necho "ii "\n' >"$project/machine/dpkg-query"
printf '#!/bin/sh\necho GNU-12.2.0\n' >"$project/machine/c++"
chmod +x "$project"/machine/*
export PATH=$project/machine:$PATH SEAM_CACHE=$project/cache SEAM_JOBS=1 CXX=c++
unset SEAM_HOLDS_CHECKOUT

cp "$sources/bootstrap.sh" "$project"
cp -r "$sources"/framework/{setup,cmake} "$project/framework"
cat >"$project/CMakePresets.json" <<'JSON'
{
  "version": 6,
  "configurePresets": [
    { "name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/build/small" }
  ],
  "buildPresets": [
    { "name": "small", "configurePreset": "small" }
  ],
  "testPresets": [
    { "name": "small", "configurePreset": "small", "execution": { "noTestsAction": "error" } }
  ]
}
JSON

# Writes the project's list: a program and a test of it for each of the names, and a test without one.
write_list() {
  cat >"$project/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
option(SEAM_TESTS "" OFF)
enable_testing()
foreach(name IN ITEMS $*)
  set(program \${PROJECT_BINARY_DIR}/tests/bin/test-\${name})
  add_custom_command(OUTPUT \${program} COMMAND \${CMAKE_COMMAND} -E copy /bin/true \${program})
  add_custom_target(\${name} ALL DEPENDS \${program})
  add_test(NAME \${name} COMMAND env A=b \${program} --of folder/\${name})
endforeach()
add_test(NAME other COMMAND \${CMAKE_COMMAND} -E true)
TEXT
}

# The chosen tests pass, and then the programs of these names are there; `said` is what it printed.
builds() {
  local tests=$1 programs=$2 found
  said=$("$project/bootstrap.sh" test --preset small -- -R "$tests" 2>&1) || fail "$tests: $said"
  found=$(cd "$project/build/small/tests/bin" && echo *)
  [ "$found" = "$programs" ] || fail "$tests: expected $programs, found $found: $said"
}
counts() { grep -q "build/small: $1 steps" <<<"$said" || fail "expected $1 steps: $said"; }

write_list one two three
builds '^one$' 'test-one'
builds '^(one|two)$' 'test-one test-two'
write_list one two three four five six
builds '^four$' 'test-four test-one test-two'
write_list one two three four five six seven
builds '^other$' 'test-five test-four test-one test-seven test-six test-three test-two'
counts 4
