#!/usr/bin/env bash
# life_kernels_test.sh NM LIFE PATTERN OBJECT...: looks for code that the objects of kernels, which are
# compiled for several processors, could share with other sources; where QEMU is installed, it also
# plays the glider of PATTERN on a processor without wide vectors.
set -euo pipefail

nm=$1 life=$2 pattern=$3
shift 3

fail() { echo "$*" && exit 1; }

[ $# -gt 0 ] || fail "expected objects of kernels"
for object in "$@"; do
  shared=$("$nm" --demangle --extern-only --defined-only "$object" | grep -v ' T life::.*::advance(' || true)
  [ -z "$shared" ] || fail "${object##*/} defines, beside its kernel: $shared"
done

if command -v qemu-x86_64 >/dev/null; then
  printed=$(qemu-x86_64 -cpu qemu64 "$life" "$pattern" --generations 100)
  grep -qx 'population 5' <<<"$printed" || fail "without wide vectors: $printed"
fi
