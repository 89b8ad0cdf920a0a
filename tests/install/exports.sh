#!/usr/bin/env bash
# exports.sh PREFIX SOVERSION: looks at seam's shared libraries below PREFIX: their names for the loader,
# where they look for each other, and what they export.
set -euo pipefail

prefix=$1 version=$2 found=0
fail() { echo "$*" && exit 1; }

while IFS= read -r library; do
  found=$((found + 1))
  name=$(basename "$library")
  readelf -d "$library" >"$library.dynamic"
  grep -qF "soname: [${name%%.so*}.so.$version]" "$library.dynamic" ||
    fail "$name: expected a name that ends with .so.$version, found $(grep SONAME "$library.dynamic")"
  # shellcheck disable=SC2016
  grep -q 'RUNPATH.*\[$ORIGIN' "$library.dynamic" || fail "$name does not look for others beside it"
  rm "$library.dynamic"
  others=$(nm -D --defined-only "$library" | awk '{ print $3 }' |
    grep -vE '4seam|6Kokkos|^(Seam|MPIX|Cart|Comm|comm)_') || true
  [ -z "$others" ] || fail "$name exports what is not seam's: $(head -n 5 <<<"$others" | xargs)"
done < <(find "$prefix" -name 'libseam_*.so.*' -type f)
[ "$found" -gt 0 ] || fail "no shared libraries of seam below $prefix"
echo "$found libraries export the names of seam alone"
