#!/usr/bin/env bash
# bootstrap_test.sh BOOTSTRAP CASE: runs the script on a machine that lacks all packages, a PATH of
# few programs, and compares what it says. It must fail before it installs or builds anything.
set -euo pipefail

bootstrap=$1 case=$2
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT

# Programs that the machine has as they are, and ones that only leave a trace.
provide() {
  local program
  for program in "$@"; do ln -s "$(type -P "$program")" "$machine/$program"; done
}
pretend() {
  local program
  for program in "$@"; do
    printf '#!%s\necho "$0 $*" >>%s/trace\n' "$BASH" "$machine" >"$machine/$program"
    chmod +x "$machine/$program"
  done
}
prints() {
  printf '#!%s\necho "%s"\n' "$BASH" "$2" >"$machine/$1"
  chmod +x "$machine/$1"
}
user_id() { prints id "$1"; }
remove() { rm "$machine/$1"; }

# It fails when it is called with these arguments, and says a line that matches `expected`.
says() {
  local expected=$1 output
  shift
  if output=$(PATH=$machine HOME=$machine "$BASH" "$bootstrap" "$@" 2>&1); then
    echo "it ends with 0: $output" && exit 1
  fi
  grep -q -- "$expected" <<<"$output" || { echo "expected '$expected', found: $output" && exit 1; }
  [ ! -e "$machine/trace" ] || { echo "it ran: $(cat "$machine/trace")" && exit 1; }
}

provide awk cat dirname echo grep mktemp rm sed xargs
pretend apt-get cmake c++ ninja
user_id 0
ln -s "$(type -P false)" "$machine/dpkg-query"

case $case in
  unknown_argument) says '^seam: unknown argument: biuld$' biuld ;;
  unknown_preset)
    says '^seam: unknown preset: nope (expected one of: dev full mpich release shared package apart asan tsan)$' \
      --preset nope build
    says '^seam: unknown preset: strict ' --preset=strict test
    ;;
  two_steps) says '^seam: one step at a time: build or test$' build test ;;
  no_step) says '^usage: ./bootstrap.sh' ;;
  not_root)
    user_id 1000
    says '^seam: missing packages, and only root can install them: build-essential ' setup
    says 'Ask for: apt-get install build-essential ' setup
    says ' libopenmpi-dev ' setup
    says ' libmpich-dev mpich' setup --preset mpich
    ;;
  space_in_path)
    mkdir "$machine/a b"
    cp -r "$(dirname "$bootstrap")"/{bootstrap.sh,CMakePresets.json,framework} "$machine/a b"
    bootstrap="$machine/a b/bootstrap.sh"
    says "^seam: the path of this checkout, '$machine/a b', has a space, which .*; move it$" setup
    ;;
  unknown_extra) says "^seam: --with 'tests' (expected benchmarks)$" build --with tests ;;
  old_compiler)
    remove dpkg-query
    remove cmake
    remove c++
    provide cmake tr
    prints dpkg-query 'ii '
    prints c++ GNU-10.2.0
    says '^seam: c++: the compiler is GNU 10.2.0; expected GNU 11, Clang 14 or newer' setup
    ;;
  no_network)
    remove apt-get
    printf '#!%s\necho "E: Unable to locate package catch2" >&2\nexit 100\n' "$BASH" >"$machine/apt-get"
    chmod +x "$machine/apt-get"
    provide tail
    says '^seam: apt-get cannot install them: E: Unable to locate package catch2$' setup
    ;;
  no_apt_get)
    remove apt-get
    says '^seam: missing packages, and there is no apt-get here: build-essential ' setup
    ;;
  no_dpkg)
    remove dpkg-query
    says "there is no dpkg-query here. Install the like of: build-essential " build
    says 'Then: cmake --preset release && cmake --build --preset release$' build
    ;;
esac
