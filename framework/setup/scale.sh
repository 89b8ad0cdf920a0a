# The tables of docs/scale.md: `run_scale` counts what operations cost on up to 256
# ranks of this machine, times them on two, predicts more ranks, and compares what is predicted for
# "hosts" of this machine with times on them. Called by bootstrap.sh when the program is built; takes
# some minutes and 12 GiB of memory.

scale_ranks=(4 16 64 128 256) # whose messages, bytes and memory are counted
scale_cells=512 scale_node=16 timed_cells=32768
scale_hosts=(2 4 8) # whose times are predicted, from counts with $hosts_counted cells
scale_rate=6mbit    # of their links: slow enough that they, and not the cores, decide
hosts_counted=4096
hosts_timed="message,16 messages,message of 32 KiB,step of Jacobi,step of Life,step of mesh diffusion,RIB"

# Measures on $2 ranks what the further arguments ask for, and calls the table $1.
measure_scale() {
  local name=$1 ranks=$2
  shift 2
  say "seam-bench-scale: $name"
  run_quietly "$log_dir/scale.log" "$(mpiexec_of_build)" -n "$ranks" "$scale_program" \
    --csv "$scale_out/$name.csv" "$@" </dev/null
}

# Counts on $1 ranks.
count_scale() {
  SEAM_NODE_SIZE=$scale_node measure_scale "$1" "$1" --cells $scale_cells --node-size $scale_node
}

# Times on one and two ranks; where cores are not shared, processes keep theirs.
time_scale() {
  if [ "$cores" -ge 2 ]; then
    keep_cores
    unset OMPI_MCA_mpi_yield_when_idle
  fi
  measure_scale timed-1 1 --cells $timed_cells --repetitions 21
  measure_scale timed-2 2 --cells $timed_cells --repetitions 21
}

# Times on $1 hosts, and counts on as many ranks. Nothing where hosts are not permitted.
verify_scale() {
  local hosts=$1 status=0
  [ -e "$scale_out/timed-$hosts.csv" ] ||
    measure_scale "counted-$hosts" "$hosts" --cells $hosts_counted --transports messages
  say "seam-bench-scale: $hosts hosts"
  "$root/tests/multihost/run-on-hosts.sh" --hosts "$hosts" --ranks "$hosts" \
    --rate $scale_rate --burst 10k --mtu 9000 --resend-after 5s -- "$scale_program" \
    --cells $timed_cells --repetitions 101 --transports messages --operations "$hosts_timed" \
    --csv "$scale_out/hosts-$hosts.csv" >"$log_dir/hosts.log" 2>&1 </dev/null || status=$?
  [ $status = 0 ] || [ $status = 77 ] ||
    fail "seam-bench-scale on $hosts hosts: $(tail -n 3 "$log_dir/hosts.log")"
  [ $status = 0 ] || say "not compared with hosts: $(tail -n 1 "$log_dir/hosts.log")"
}

run_scale() {
  local scale_program=$root/build/$preset/bin/seam-bench-scale scale_out=$root/build/scale ranks hosts
  local growth=$root/apps/bench-scale/growth.py
  local cores
  cores=$(nproc) # which OMP_NUM_THREADS would change
  rm -rf "$scale_out" && mkdir -p "$scale_out"
  allow_mpi_here
  export OMP_NUM_THREADS=1
  (time_scale)
  for ranks in "${scale_ranks[@]}"; do
    count_scale "$ranks"
  done
  measure_scale more-cells 4 --cells $timed_cells
  measure_scale edges-6 16 --cells $scale_cells --edges 6
  measure_scale edges-96 16 --cells $scale_cells --edges 96
  for hosts in "${scale_hosts[@]}"; do
    verify_scale "$hosts"
  done
  (
    cd "$scale_out"
    "$growth" 4.csv more-cells.csv >cells.md
    "$growth" edges-6.csv edges-96.csv >edges.md
    "$growth" timed-2.csv "${scale_ranks[@]/%/.csv}" >growth.md ||
      fail "something grows faster than it may: see ${scale_out#"$root"/}/growth.md"
    "$growth" timed-[12].csv {64,128,256}.csv --predict >predictions.md
    [ ! -e hosts-2.csv ] ||
      "$growth" timed-[12].csv counted-*.csv \
        --verify hosts-*.csv --cores "$cores" >verification.md ||
      fail "the model is wrong: see ${scale_out#"$root"/}/verification.md"
  )
  awk -v folder="$scale_out" -f "$setup_dir/scale.awk" "$root/docs/scale.md" >"$log_dir/scale.md"
  cp "$log_dir/scale.md" "$root/docs/scale.md"
  say "tables are in ${scale_out#"$root"/} and docs/scale.md"
}
