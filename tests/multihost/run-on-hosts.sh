#!/bin/bash
# Runs an MPI program on several "hosts" of this machine: network namespaces with host names of their
# own, joined by links of limited bandwidth to a switch. MPI sees different nodes, and so does seam.
#
#     run-on-hosts.sh --hosts 4 --ranks 16 [--rate 1gbit] [--burst 32k]
#                      [--mtu 9000] [--resend-after 1s] -- PROGRAM ARGUMENTS...
#
# --burst gives the bytes that a link passes on at once after a pause; --mtu those of the longest
# packet: 1500, or 9000 as in networks of clusters.
#
# The links lose nothing, but what waits in a queue or for a core may take longer than TCP is ready
# to wait, by default 0.2 s: it then sends again, and waits twice as long the next time. With
# --resend-after it waits at least that long.
#
# Ranks fill the hosts one after another, as launchers do. Exits with 77, which tests take for
# "skipped", where namespaces are not permitted.
set -euo pipefail

hosts=4 ranks=16 rate=1gbit burst=32k mtu=1500 resend_after=
while (($#)); do
  case $1 in
    --hosts) hosts=$2; shift 2 ;;
    --ranks) ranks=$2; shift 2 ;;
    --rate) rate=$2; shift 2 ;;
    --burst) burst=$2; shift 2 ;;
    --mtu) mtu=$2; shift 2 ;;
    --resend-after) resend_after=$2; shift 2 ;;
    --) shift; break ;;
    *) echo "run-on-hosts: unknown option '$1' (expected --hosts, --ranks, --rate, --burst, --mtu, --resend-after or --)" >&2; exit 2 ;;
  esac
done

skip() {
  echo "run-on-hosts: skipped: $1" >&2
  exit 77
}

((EUID == 0)) || skip "needs root for network namespaces"
for tool in ip tc unshare mpirun; do
  command -v "$tool" > /dev/null || skip "needs the program $tool"
done
unshare --net --uts true 2> /dev/null || skip "namespaces are not permitted here"

name=seam$$ # of everything that is made here, and removed again
agent=$(mktemp)

remove_all() {
  local h
  for ((h = 0; h < hosts; ++h)); do
    ip netns pids "$name-$h" 2> /dev/null | xargs --no-run-if-empty kill -9 2> /dev/null || true
    ip netns del "$name-$h" 2> /dev/null || true
    rm -rf "/etc/netns/$name-$h"
  done
  ip netns del "$name-switch" 2> /dev/null || true
  rm -f "$agent"
}
trap remove_all EXIT

host_names() {
  local h
  echo "127.0.0.1 localhost"
  for ((h = 0; h < hosts; ++h)); do
    echo "10.77.0.$((h + 1)) $name-$h"
  done
}

add_switch() {
  ip netns add "$name-switch" 2> /dev/null || skip "network namespaces are not permitted here"
  ip -n "$name-switch" link add switch type bridge 2> /dev/null || skip "bridges are not permitted here"
  ip -n "$name-switch" link set switch up
}

# A host, its link, and the limit of what leaves it and of what comes to it. Queues are long enough
# to drop nothing.
add_host() {
  local host=$name-$1 port=port$1
  ip netns add "$host"
  ip link add link0 mtu "$mtu" netns "$host" type veth peer name "$port" mtu "$mtu" netns "$name-switch"
  ip -n "$host" addr add "10.77.0.$(($1 + 1))/24" dev link0
  ip -n "$host" link set lo up
  ip -n "$host" link set link0 up
  if [[ -n $resend_after ]]; then
    ip -n "$host" route change 10.77.0.0/24 dev link0 rto_min "$resend_after"
    ip netns exec "$host" sh -c 'echo 0 > /proc/sys/net/ipv4/tcp_early_retrans' # nor probes before
  fi
  ip -n "$name-switch" link set "$port" master switch up
  tc -n "$host" qdisc add dev link0 root tbf rate "$rate" burst "$burst" latency 2s
  tc -n "$name-switch" qdisc add dev "$port" root tbf rate "$rate" burst "$burst" latency 2s
  mkdir -p "/etc/netns/$host"
  host_names > "/etc/netns/$host/hosts"
}

# on_host HOST COMMAND...: in the network of the host, under its name.
on_host='exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"'

add_switch
list=
for ((h = 0; h < hosts; ++h)); do
  add_host "$h"
  slots=$((ranks * (h + 1) / hosts - ranks * h / hosts))
  list+=${list:+,}$name-$h:$slots
done
printf '#!/bin/sh\nhost=$1\nshift\n%s\n' "$on_host" > "$agent"
chmod +x "$agent"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch=(mpirun -n "$ranks" --host "$list" --oversubscribe --bind-to none
  --mca plm_rsh_agent "$agent" --mca plm_rsh_no_tree_spawn 1
  --mca btl vader,tcp,self --mca btl_tcp_if_include 10.77.0.0/24
  --mca oob_tcp_if_include 10.77.0.0/24 --mca mpi_yield_when_idle 1)
for variable in OMP_NUM_THREADS OMP_PROC_BIND OMP_WAIT_POLICY ${!SEAM_@}; do
  [[ -v $variable ]] && launch+=(-x "$variable")
done
status=0
"$agent" "$name-0" "$(printf '%q ' "${launch[@]}" "$@")" || status=$?
exit "$status"
