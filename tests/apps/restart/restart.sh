#!/bin/sh
# restart.sh PROGRAM DIRECTORY MPIEXEC INTERVAL RANKS RANKS_LATER SHORT LONG ARGS [LINES]
#
# A run as a whole, and one in two parts: on RANKS ranks, and on RANKS_LATER from the first part's
# checkpoint on. In ARGS the length of a run is an @, which becomes SHORT in the first part and LONG
# otherwise. Both write the same checkpoints, bit by bit; with LINES, a regular expression, they print the
# same lines that begin with it. A run that ends before the checkpoint is refused.
program=$1 directory=$2 mpiexec=$3 interval=$4 ranks=$5 ranks_later=$6 short=$7 long=$8 args=$9
shift 9
lines=$1

fail() {
  echo "restart.sh: $*" >&2
  exit 1
}

# run FOLDER RANKS PROGRAM ARGS
run() {
  mkdir -p "$directory/$1" && cd "$directory/$1" || exit 1
  shift
  # shellcheck disable=SC2086
  $mpiexec -n "$@" --checkpoint "$interval" --checkpoint-file run.h5 >printed 2>&1 ||
    { cat printed && fail "$* failed"; }
  cat printed
  cd - >/dev/null || exit 1
}

rm -rf "$directory"
# shellcheck disable=SC2086
{
  run whole "$ranks" $program $(echo "$args" | sed "s/@/$long/")
  run parts "$ranks" $program $(echo "$args" | sed "s/@/$short/")
  run parts "$ranks_later" $program $(echo "$args" | sed "s/@/$long/") --resume
}
if [ -n "$lines" ]; then
  for part in whole parts; do
    grep -E "^($lines)" "$directory/$part/printed" >"$directory/$part/lines" || fail "no line $lines"
  done
  diff "$directory/whole/lines" "$directory/parts/lines" || fail "the lines $lines differ"
  exit 0
fi
for number in 0001 0002; do
  cmp "$directory/whole/run-$number.h5" "$directory/parts/run-$number.h5" ||
    fail "checkpoint $number differs"
done
# A step, or a time that is shorter than one.
case $args in
*--time*) early=0.001 ;;
*) early=1 ;;
esac
# shellcheck disable=SC2086
(run parts "$ranks" $program $(echo "$args" | sed "s/@/$early/") --resume) >"$directory/refusal" 2>&1 &&
  fail "a run that ends early goes on from a later step"
[ "$(grep -c "checkpoint: 'run.h5' is at step [0-9]*[, ].*(expected .*, of --" "$directory/refusal")" = 1 ] ||
  fail "$(cat "$directory/refusal")"
test ! -e "$directory/parts/run.h5.lock" || fail "the lock is left"
