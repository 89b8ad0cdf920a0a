# The tables and the picture of docs/scale.md: `run_scale` counts what operations cost on up to 256
# ranks of this machine, times them on two, and predicts more ranks. Called by bootstrap.sh when
# the program is built; takes some minutes and 12 GiB of memory.

scale_ranks=(4 16 64 128 256) # whose messages, bytes and memory are counted
scale_cells=512 scale_node=16 timed_cells=32768

# Measures on $1 ranks what the further arguments ask for.
measure_scale() {
  local ranks=$1
  shift
  say "seam-bench-scale on $ranks ranks"
  run_quietly "$log_dir/scale.log" "$(mpiexec_of_build)" -n "$ranks" "$scale_program" \
    --csv "$scale_out/$ranks.csv" "$@" </dev/null
}

run_scale() {
  local scale_program=$root/build/$preset/bin/seam-bench-scale scale_out=$root/build/scale ranks
  rm -rf "$scale_out" && mkdir -p "$scale_out"
  allow_mpi_here
  (
    # Where cores are not shared, processes keep theirs.
    [ "$(nproc)" -lt 2 ] || unset OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_mpi_yield_when_idle
    measure_scale 2 --cells $timed_cells
  )
  for ranks in "${scale_ranks[@]}"; do
    SEAM_NODE_SIZE=$scale_node measure_scale "$ranks" --cells $scale_cells --node-size $scale_node
  done
  "$scale_program" --read "$scale_out"/*.csv >"$scale_out/growth.md" ||
    fail "something grows faster than it may: see ${scale_out#"$root"/}/growth.md"
  "$scale_program" --read "$scale_out/2.csv" "$scale_out"/{64,128,256}.csv --predict \
    --plot "$root/docs/pictures/scale.png" >"$scale_out/prediction.md"
  say "tables are in ${scale_out#"$root"/}, the picture is docs/pictures/scale.png"
}
