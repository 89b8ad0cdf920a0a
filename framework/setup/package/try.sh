#!/usr/bin/env bash
# Installs the packages that lie beside it and uses both, in a fresh system: framework/setup/package.sh
# calls it there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# Runs a command that is to print a line that matches $1.
prints() {
  local expected=$1 printed
  shift
  echo "+ $*"
  printed=$("$@") || { echo "$printed" && exit 1; }
  echo "$printed"
  grep -q -e "$expected" <<<"$printed" || { echo "expected a line '$expected'" && exit 1; }
}

apt-get -qq update
apt-get -qq install -y --no-install-recommends ./seam_*.deb >/dev/null
prints '^error ' mpiexec -n 2 seam-jacobi --cells 48x40
prints '^population 116' mpiexec -n 2 seam-life --generations 1103 --size 601x603 \
  r-pentomino
for file in /usr/share/man/man1/seam-jacobi.1.gz /usr/share/bash-completion/completions/seam-jacobi; do
  [ -s $file ] || { echo "$file is missing" && exit 1; }
done

apt-get -qq install -y --no-install-recommends ./libseam-dev_*.deb cmake g++ make pkg-config >/dev/null
sed -i 's#[./]*docs/examples/##' CMakeLists.txt
cmake -S . -B build >/dev/null
cmake --build build >/dev/null
prints 'heat 45.914870701731687' mpiexec -n 3 build/app
# shellcheck disable=SC2046
c++ -std=c++20 exchange-alone.cpp -o app $(pkg-config --cflags --libs seam-exchange)
prints 'heat 45.914870701731687' mpiexec -n 2 ./app
