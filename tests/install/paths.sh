#!/usr/bin/env bash
# paths.sh PREFIX PATH...: finds files below PREFIX that name one of the paths, which are those of the
# machine that built and installed them. What is compiled is searched without what is for debuggers.
set -euo pipefail

prefix=$1
shift
patterns=()
for path in "$@"; do patterns+=(-e "$path"); done
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
found=$(grep -rIlF "${patterns[@]}" "$prefix") || true

compiled=0
while IFS= read -r file; do
  objcopy --strip-debug "$file" "$stripped"
  compiled=$((compiled + 1))
  if grep -qaF "${patterns[@]}" "$stripped"; then
    found+=" $file: $({ strings -a "$stripped" | grep -m 3 -F "${patterns[@]}" || true; } | xargs)"
  fi
done < <(find "$prefix" -type f \( -perm -u+x -path '*/bin/*' -o -name '*.a' -o -name '*.so.*' \))

[ -z "$found" ] || { echo "of $* these files know:"$'\n'"$found" && exit 1; }
[ "$compiled" -gt 0 ] || { echo "nothing is compiled below $prefix" && exit 1; }
echo "$compiled compiled files, and all texts, know nothing of $*"
