# Memory that is free, and how many compilers fit into it. Sourced by bootstrap.sh.

proc=/proc cgroups=/sys/fs/cgroup
# What a compiler of seam needs at most, that of the test of random steps, and what nearly all need [MB].
memory_of_largest=1100 memory_of_compiler=800

# The folders of the control groups that this process is in, as those of containers are: of either version
# of control groups, the innermost first.
groups_of_memory() {
  local kinds path folder
  while IFS=: read -r _ kinds path; do
    case $kinds in
      '') folder=$cgroups ;;
      memory) folder=$cgroups/memory ;;
      *) continue ;;
    esac
    while [ -n "${path%/}" ]; do
      echo "$folder$path"
      path=${path%/*}
    done
    echo "$folder"
  done <"$proc/self/cgroup"
}

# What a control group's processes may still take of its limit [MB]; nothing if it has none, which older
# groups say by a number near 2^63. Files that are kept in memory do not count, since they make room.
memory_left_in() {
  local limit=$1/memory.max
  [ -r "$limit" ] || limit=$1/memory.limit_in_bytes
  [ -r "$limit" ] || return 0
  awk '/^[0-9]+$/ && $1 < 1e15 { limit = $1 }
    $1 == "anon" || $1 == "total_rss" { used = $2 }
    END { if (limit) print int((limit - used) / 1e6) }' "$limit" "$1/memory.stat"
}

# What the machine and the control groups have left [MB].
free_memory() {
  local free left group
  free=$(awk '/MemAvailable/ { print int($2 / 1000) }' "$proc/meminfo")
  while read -r group; do
    left=$(memory_left_in "$group")
    [ -z "$left" ] || [ "$left" -gt "$free" ] || free=$left
  done < <(groups_of_memory)
  echo "$free"
}

# One compiler for each core, as long as each has its memory.
jobs_that_fit() {
  local by_memory cores
  by_memory=$(($(free_memory) / memory_of_compiler))
  cores=$(nproc)
  echo "${SEAM_JOBS:-$((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))}"
}

require_memory() {
  local free
  free=$(free_memory)
  [ "$free" -ge $memory_of_largest ] ||
    say "$free MB of memory are free, and a compiler may need $memory_of_largest: if one is killed," \
      "./bootstrap.sh goes on where it was when it is run again"
}
