#!/usr/bin/env bash
# interrupt.sh PROGRAM DIRECTORY MPIEXEC SIGNAL TIMES OUTPUT ARGS
#
# Runs a program on three ranks, and interrupts it at TIMES random moments. KILL ends one rank, and
# with it the job; TERM goes to a rank, and USR1 to mpiexec: they have one more checkpoint written. The
# program then goes on with one rank fewer, and has to write into OUTPUT what a run writes that is not interrupted.
# SEAM_KILLS replaces TIMES, SEAM_KILL_SEED the seed.
set -uo pipefail
program=$1 directory=$2 mpiexec=$3 signal=$4 times=${SEAM_KILLS:-$5} output=$6 arguments=$7
RANDOM=${SEAM_KILL_SEED:-17}

fail() {
  echo "interrupt.sh: time $time: $*"
  cat log
  exit 1
}

# start RANKS OPTION...: runs the program in the background, as `job`
start() {
  local ranks=$1
  shift
  # shellcheck disable=SC2086
  $mpiexec -n "$ranks" "$program" $arguments "$@" >log 2>&1 &
  job=$!
}

# The processes of the job's ranks, of which the options of pgrep may select some: children of mpiexec,
# or with MPICH of a proxy that is a child of it.
ranks_of_job() {
  local proxy
  proxy=$(pgrep -P $job -x hydra_pmi_proxy) || proxy=$job
  pgrep -P "$proxy" "$@"
}

ranks_live() { ranks_of_job --runstates D,R,S >/dev/null; }

# Waits for at most some seconds until the job has ended; its exit code is in `code`. The mpiexec of
# Open MPI 4.1 at times does not notice that a rank has died while it started the others: when all
# ranks are gone it is ended.
await_end() {
  local tenths=0 alone=0
  while kill -0 $job 2>/dev/null; do
    sleep 0.1
    ((++tenths < 300)) || fail "the job has not ended in 30 s"
    ranks_live && alone=0 || ((++alone))
    ((alone >= 100)) && kill -KILL $job
  done
  wait $job
  code=$?
}

# One rank of the job.
pick_rank() {
  local ranks
  mapfile -t ranks < <(ranks_of_job)
  ((${#ranks[@]} > 0)) && rank=${ranks[RANDOM % ${#ranks[@]}]}
}

# USR1 and TERM wait until the program is about to step: before that they end it as usual, and while
# mpiexec starts processes a signal can leave it waiting for ever.
await_begin() {
  [[ $signal == KILL ]] && return
  while [[ ! -e run.h5.lock ]] && kill -0 $job 2>/dev/null; do
    sleep 0.02
  done
}

interrupt() {
  if [[ $signal == USR1 ]]; then
    kill -USR1 $job 2>/dev/null
  else
    pick_rank && kill -"$signal" "$rank" 2>/dev/null
  fi
}

rm -rf "$directory" && mkdir -p "$directory" && cd "$directory" || exit 1
time=0
began=$(date +%s%N)
start 3
await_end
((code == 0)) || fail "the whole run ended with $code"
milliseconds=$((($(date +%s%N) - began) / 1000000))
mv "$output" expected

interrupted=0
for ((time = 1; time <= times; ++time)); do
  rm -f run-*.h5 "$output"
  start 3 --checkpoint 20steps --checkpoint-file run.h5
  await_begin
  if [[ $signal == KILL ]]; then # the first time for sure in the midst of the run
    half=$((milliseconds / 2))
    moment=$((time == 1 ? half : half / 2 + RANDOM % (milliseconds + 500)))
  else
    moment=$((10 + (time - 1) * (RANDOM % milliseconds) / 2)) # the first time at once
  fi
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  interrupt
  await_end
  if [[ $signal != KILL && $code -ne 0 ]]; then
    # A signal that comes before the program is ready for it, or after its end, ends it as usual.
    grep -q "ended by a signal" log && fail "the job ended with $code"
  fi
  grep -q "ended by a signal" log && ((++interrupted))
  [[ $signal == KILL && $code -ne 0 ]] && ((++interrupted))
  if compgen -G "run-*.h5" >/dev/null; then
    start 2 --checkpoint 20steps --checkpoint-file run.h5 --resume
  else
    start 2
  fi
  await_end
  ((code == 0)) || fail "the resumed run ended with $code"
  cmp "$output" expected || fail "the result differs"
  [[ -e run.h5.lock && $signal != KILL ]] && fail "the lock is left"
done
echo "interrupted $interrupted of $times runs"
((interrupted > 0)) || fail "no run was interrupted"
