#!/usr/bin/env bash
# try.sh TABLE: carries out the steps of README in a fresh system, and writes the seconds, and those of
# processor time, that each takes into TABLE. framework/setup/first_hour.sh calls it there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
export DEBIAN_FRONTEND=noninteractive CCACHE_DISABLE=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
table=$1
times=$(mktemp)

# Carries out a command and adds a row, named $1, with its times.
timed() {
  local words=$1 TIMEFORMAT='%R %U %S'
  shift
  echo "==== $words"
  { time "$@" 2>&3; } 3>&2 2>"$times"
  awk -v words="$words" '{ printf "| %s | %.2f | %.2f |\n", words, $1, $2 + $3 }' "$times" | tee -a "$table"
}

# The packages of step $1, as framework/setup/packages.sh finds them.
download_packages() {
  # shellcheck disable=SC2046
  apt-get -qq install -y --no-install-recommends --download-only $(
    setup_dir=framework/setup preset=release
    source framework/setup/packages.sh
    missing_packages "$1"
  )
}

# Another project that has seam among its folders and uses one part of it.
build_exchange_elsewhere() {
  cmake -S tests/install/fetched -B /elsewhere -G Ninja -DSEAM_SOURCES="$PWD" >/dev/null
  cmake --build /elsewhere --target seam_exchange
}

# One source of a library is touched, and its test run.
touch_and_test() {
  touch exchange/sparse/outbox.cpp
  ./bootstrap.sh test -- -R '^exchange\.sparse\.np3$'
}

help_of_life() { build/release/bin/seam-life --help >/dev/null; }

apt-get -qq update
apt-get -qq install -y --no-install-recommends bash procps >/dev/null
{
  echo "| step | s | processor s |"
  echo "| --- | ---: | ---: |"
} >"$table"
timed "packages of \`demo\`, download" download_packages demo
timed "\`./bootstrap.sh setup\`: packages without their download, and Kokkos with its download" ./bootstrap.sh setup
timed "\`./bootstrap.sh demo\` after that" ./bootstrap.sh demo
timed "\`seam-life --help\`" help_of_life
timed "\`cmake --install\` of what \`demo\` has built" cmake --install build/release --prefix /installed/demo
timed "packages of \`build\`, download" download_packages build
timed "\`./bootstrap.sh build\` after that" ./bootstrap.sh build
timed "\`cmake --install\`" cmake --install build/release --prefix /installed/all
timed "\`SEAM_PARTS=exchange\` in another project" build_exchange_elsewhere
timed "packages of \`test\`, download" download_packages test
timed "\`./bootstrap.sh test\` after that" ./bootstrap.sh test
timed "one source of a library touched, until its own test has run" touch_and_test
