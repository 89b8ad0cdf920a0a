#!/usr/bin/env bash
# Builds and tests seam in a system of the newest Debian: framework/setup/newest.sh calls it there.
# Arguments are those of ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
export DEBIAN_FRONTEND=noninteractive

# Debian's package of Kokkos names static libraries that it does not have. Nothing is in them that a
# program needs, so that empty ones will do.
mend_kokkos() {
  local file
  apt-get -qq install -y --no-install-recommends libkokkos-dev binutils >/dev/null
  sed -n 's|.*{_IMPORT_PREFIX}/\(lib/[^"]*[.]a\)".*|/usr/\1|p' \
    /usr/lib/*/cmake/Kokkos/KokkosTargets-*.cmake | sort -u | while read -r file; do
    [ -e "$file" ] || { echo "Kokkos: $file is missing; an empty one takes its place" && ar rc "$file"; }
  done
}

apt-get -qq update
mend_kokkos
dpkg-query -W -f '${Package} ${Version}\n' gcc libopenmpi-dev libkokkos-dev libhdf5-dev catch2 2>/dev/null || true
./bootstrap.sh test -- "$@"
