#!/usr/bin/env bash
# From a fresh checkout to running programs, one word at a time. Each step first does all that it
# needs and is quick where nothing is left to do. The steps live in framework/setup/.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
setup_dir=$root/framework/setup
apt_etc=/etc/apt
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}

usage() {
  cat <<'TEXT'
usage: ./bootstrap.sh setup|build|demo|test|check|docs|browse|gallery|guidelines|scale|
                      package|compilers|compile-cost|newest|first-hour|crowded|mutants|check-all
                      [--preset NAME] [--with benchmarks] [--fix] [-- ARGS]

  setup   install the packages that are missing (Debian, root) and provide Kokkos
  build   setup, then build libraries and programs into build/NAME; programs are in build/NAME/bin
  demo    build Game of Life and Jacobi, run them on 2 ranks, and name the pictures
  test    build with tests, then run them; with --preset full also those that take long, or repeat
          others on more ranks; with ARGS that choose tests only what these need is built
  check   build, then compare the sources with .clang-format, compile each public header alone, and
          run clang-tidy over the sources, but for those that it has found good as they are
  docs    setup, then make the site of all pages and of the reference in build/docs
  browse  docs, then look at each page of the site in a headless browser: pictures, links, search,
          a phone's width
  gallery  build the programs and draw the pictures of docs/gallery.md anew
  guidelines  build seam-guidelines and compare seam's collectives with the MPI library's and with
          each other, in about a minute; prints what is slower than it should be
  scale  build seam-bench-scale, count what operations cost on up to 256 ranks of this machine, in
          build/scale, and draw what that predicts for more; needs some 12 GiB of memory
  package  build without tests, make Debian packages in build/package/packages, and try them in a
          fresh system of the same release (root)
  compilers   setup, then compile the public headers and seam-heat with the oldest compilers that
          seam is for, and run seam-heat's tests
  compile-cost  print what seam's headers, and kernels of steps, cost compilers, in seconds and memory;
          some minutes
  newest  make a fresh system of the release that Debian works on, in build/newest, and build and run
          all tests there (root)
  first-hour  make a fresh system of this release, in build/first-hour, take the time of each step of
          README there, and write the table into docs/checks.md (root); nothing else should run
  crowded  build tests whose runs were cut off on crowded machines, and repeat them, as often as
          SEAM_TEST_REPEATS says (default 1000), in jobs that crowd the machine
  mutants  build programs whose exchanges can be left out, and count how many of several hundred
          mistakes checked builds find
  check-all   all of these checks in turn, and the tests under sanitizers; takes hours, and writes the
              results into docs/checks.md

  --preset NAME   one of CMakePresets.json: release (default of build, demo, docs, gallery,
                  guidelines and scale), dev (default of test, check, crowded and mutants), asan, tsan;
                  full is as dev, with all tests and the benchmarks; mpich is as full, with MPICH in
                  place of Open MPI; shared is as release, with shared libraries and tests; package
                  (default of package) is below /usr; apart compiles each source alone
  --with benchmarks   build also the benchmark programs, now and whenever this build is made again
  --fix           check rewrites the files that are not in form
  -- ARGS         test and newest hand them to ctest, for example -- -R exchange; check-all runs the
                  checks that have one of them in their lines, for example -- newest asan
  --help          this text

Environment: CXX  the compiler; SEAM_CACHE  where a Kokkos built here is kept, default
~/.cache/seam; SEAM_JOBS  how many compilers run at a time, and half as many as ranks of tests;
SEAM_CHECK_SECONDS  after which check begins no other header or source, those that changed last being
the first. A second ./bootstrap.sh in the same checkout waits until the first one has ended.
TEXT
}

say() { echo "seam: $*"; }
fail() {
  echo "seam: $*" >&2
  exit 1
}

# Runs a command with its output in log file $1, and shows the log's end if the command fails.
run_quietly() {
  local log=$1
  shift
  "$@" >>"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail "failed: $*"
  }
}

# Lets mpiexec of Open MPI start two ranks anywhere, as root and on a single core. From version 5 on it
# takes PRTE's settings.
allow_mpi_here() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
}

# Lets ranks keep the cores on which mpiexec starts them: for measurements where cores are not shared.
keep_cores() {
  unset OMPI_MCA_hwloc_base_binding_policy PRTE_MCA_hwloc_default_binding_policy
}

# Jobs of Open MPI share a folder, which the last one to end removes: another that begins at that
# moment finds it gone. A file keeps it there while tests run; those named output-* are not removed.
keep_folder_of_jobs() {
  local folder
  folder=${TMPDIR:-/tmp}/ompi.$(hostname -s).$(id -u)
  mkdir -p -m 700 "$folder" && touch "$folder/output-kept-by-tests"
}

# The names of the presets that can be built.
presets() {
  sed -n 's/^ *{ "name": "\([^"]*\)", "configurePreset".*/\1/p' "$root/CMakePresets.json"
}

# A user's own presets are left to CMake.
require_preset() {
  presets | grep -xF -e "$preset" >/dev/null || grep -qsF "\"$preset\"" "$root/CMakeUserPresets.json" ||
    fail "unknown preset: $preset (expected one of: $(presets | xargs))"
}

# True if the build has the setting $1, NAME=ON.
is_set() { grep -qsx -e "${1%=*}:BOOL=${1#*=}" "$root/build/$preset/CMakeCache.txt"; }

# Configures with the settings NAME=ON ... where the build lacks one, or packages or presets have changed.
# All other changes Ninja notices itself. Settings of an earlier call stay.
configure() {
  local build=$root/build/$preset setting lacking=()
  for setting in "$@"; do
    is_set "$setting" || lacking+=(-D "$setting")
  done
  if [ ${#lacking[@]} -gt 0 ] || [ -n "$has_new_packages" ] ||
    ! [ "$build/build.ninja" -nt "$root/CMakePresets.json" ]; then
    say "configuring build/$preset, some seconds"
    run_quietly "$log_dir/configure.log" cmake -S "$root" --preset "$preset" "${lacking[@]}"
  fi
}

with_benchmarks() { [[ " ${with[*]} " != *" benchmarks "* ]] || echo SEAM_BENCHMARKS=ON; }

# The mpiexec of the MPI library that the preset is built with.
mpiexec_of_build() {
  sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$root/build/$preset/CMakeCache.txt"
}

# The steps that are left for the given targets. In a dry run Ninja would go no further than CMake, which
# it may have to run again, so it reads its file without that.
steps_to_build() {
  local build=$root/build/$preset
  sed '/^build build\.ninja:/,/^$/d' "$build/build.ninja" >"$log_dir/steps.ninja"
  ninja -C "$build" -f "$log_dir/steps.ninja" -n "$@" |
    sed -n 's|^\[[0-9]*/\([0-9]*\)\].*|\1|p' | tail -n 1
}

# Has CMake run again if its lists have changed.
renew_lists() { cmake --build "$root/build/$preset" --target build.ninja; }

# Builds the given targets. Ninja counts; says first how long that will take if it takes longer than ten
# seconds, by what a step takes on average.
build() {
  local jobs steps seconds
  jobs=$(jobs_that_fit)
  steps=$(steps_to_build "$@")
  seconds=$((${steps:-0} * seconds_of_step / jobs))
  [ $seconds -le 10 ] ||
    say "building into build/$preset: $steps steps on $jobs cores, about $(((seconds + 59) / 60)) min"
  NINJA_STATUS='[%f/%t, %es] ' cmake --build "$root/build/$preset" -j "$jobs" --target "$@"
}
seconds_of_step=5

do_setup() {
  require_place
  require_memory
  provide_packages
  require_compiler
  wait_for_others
  provide_kokkos
}

# The compilers that HDF5 and MPI wrap take paths apart at spaces.
require_place() {
  [[ $root != *[[:space:]]* ]] ||
    fail "the path of this checkout, '$root', has a space, which HDF5's compiler cannot take; move it"
}

# The same compilers as in framework/cmake/SeamCompilers.cmake, whose words they are.
require_compiler() {
  local said
  said=$(cmake -DCMAKE_CXX_COMPILER_ID="$(compiler_id | sed 's/-.*//')" \
    -DCMAKE_CXX_COMPILER_VERSION="$(compiler_id | sed 's/.*-//')" \
    -P "$root/framework/cmake/SeamCompilers.cmake" 2>&1) ||
    fail "${CXX:-c++}: $(xargs <<<"$said" | sed 's/.*seam: //; s/ *$//')"
}

# Two runs at once in one checkout would write the same files. Steps that run others hold the lock for them.
wait_for_others() {
  [ -z "${SEAM_HOLDS_CHECKOUT:-}" ] || return 0
  mkdir -p "$root/build"
  exec 8>"$root/build/lock"
  flock -n 8 || {
    say "another ./bootstrap.sh is at work in this checkout; waiting for its end"
    flock 8
  }
  export SEAM_HOLDS_CHECKOUT=yes
}

do_build() {
  do_setup
  # shellcheck disable=SC2046
  configure $(with_benchmarks)
  build all
}

do_demo() {
  do_setup
  configure
  build "${demo_programs[@]}"
  run_demo
}

# The programs of the tests that ctest's arguments choose, as Ninja names them; "all" if one of the tests
# is of another kind.
programs_of_tests() {
  (cd "$root" && ctest --preset "$preset" "${ctest_args[@]}" --show-only=json-v1) |
    awk -v build="\"$root/build/$preset/" '
      /^ *"command" : *$/ { within = 1; found = 0 }
      within && (at = index($0, build)) && match($0, /\/(tests\/)?bin\/[^"\/]*"/) {
        print substr($0, RSTART + 1, RLENGTH - 2)
        found = 1
      }
      within && /^ *\]/ { within = 0; if (!found) print "all" }' | sort -u
}

# A test takes half a second of a core on average.
say_how_many_tests() {
  local tests
  tests=$(cd "$root" && ctest --preset "$preset" -N "${ctest_args[@]}" | sed -n 's/^Total Tests: //p')
  say "running ${tests:-0} tests, about $((${tests:-0} / 2 / $(jobs_that_fit) / 60 + 1)) min"
}

do_test() {
  local programs=(all)
  do_setup
  # shellcheck disable=SC2046
  configure SEAM_TESTS=ON $(with_benchmarks)
  if [ ${#ctest_args[@]} -gt 0 ]; then
    renew_lists
    mapfile -t programs < <(programs_of_tests)
  fi
  [[ " ${programs[*]} " != *" all "* ]] || programs=(all)
  build "${programs[@]}"
  keep_folder_of_jobs
  say_how_many_tests
  # Two ranks for each core, half of which wait. On more crowded cores the ranks of a test wait long for
  # each other.
  (cd "$root" && ctest --preset "$preset" -j "$((2 * $(jobs_that_fit)))" "${ctest_args[@]}")
}

do_docs() {
  do_setup
  configure
  renew_lists # of public headers
  make_docs
}

do_browse() {
  do_docs
  browse_docs
}

do_gallery() {
  do_setup
  configure
  build seam_programs
  make_gallery
}

do_package() {
  do_build
  make_packages
}

do_compilers() {
  do_setup
  try_compilers
}

do_compile-cost() {
  do_setup
  configure
  measure_compile_cost
}

do_newest() {
  provide_packages
  try_newest
}

do_first-hour() {
  provide_packages
  measure_first_hour
}

do_crowded() {
  do_setup
  configure SEAM_TESTS=ON
  # shellcheck disable=SC2046
  build $(crowded_programs)
  run_crowded
}

do_mutants() {
  do_setup
  configure SEAM_TESTS=ON
  build by-hand seam-life
  run_mutants
}

do_guidelines() {
  do_setup
  configure SEAM_BENCHMARKS=ON
  build seam-guidelines
  run_guidelines
}

do_scale() {
  do_setup
  configure SEAM_BENCHMARKS=ON
  build seam-bench-scale
  run_scale
}

do_check-all() {
  do_setup
  check_all
}

do_check() {
  do_setup
  # shellcheck disable=SC2046
  configure SEAM_TESTS=ON $(with_benchmarks)
  build all
  check_format
  check_headers
  check_tidy
}

step='' preset='' fix='' with=() ctest_args=() has_new_packages=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit ;;
    --preset)
      preset=${2:-}
      [ -n "$preset" ] || fail "--preset needs a name"
      shift 2
      ;;
    --preset=*) preset=${1#*=} && shift ;;
    --with)
      [ "${2:-}" = benchmarks ] || fail "--with '${2:-}' (expected benchmarks)"
      with+=("$2")
      shift 2
      ;;
    --fix) fix=yes && shift ;;
    --) shift && ctest_args=("$@") && set -- ;;
    setup | build | demo | test | check | docs | browse | gallery | guidelines | scale | \
      package | compilers | compile-cost | newest | first-hour | crowded | mutants | check-all)
      [ -z "$step" ] || fail "one step at a time: $step or $1"
      step=$1 && shift
      ;;
    *) usage >&2 && fail "unknown argument: $1" ;;
  esac
done
[ -n "$step" ] || { usage >&2 && exit 2; }
[ -n "$preset" ] || case $step in
  test | check | crowded | mutants) preset=dev ;;
  package) preset=package ;;
  *) preset=release ;;
esac
require_preset

source "$setup_dir/memory.sh"
source "$setup_dir/packages.sh"
source "$setup_dir/kokkos.sh"
source "$setup_dir/demo.sh"
source "$setup_dir/check.sh"
source "$setup_dir/tidy.sh"
source "$setup_dir/docs.sh"
source "$setup_dir/gallery.sh"
source "$setup_dir/guidelines.sh"
source "$setup_dir/scale.sh"
source "$setup_dir/package.sh"
source "$setup_dir/compilers.sh"
source "$setup_dir/compile_cost.sh"
source "$setup_dir/newest.sh"
source "$setup_dir/first_hour.sh"
source "$setup_dir/crowded.sh"
source "$setup_dir/mutants.sh"
source "$setup_dir/check_all.sh"
log_dir=$(mktemp -d)
trap 'rm -rf "$log_dir"' EXIT
"do_$step"
