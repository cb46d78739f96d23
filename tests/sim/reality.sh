#!/usr/bin/env bash
# The simulator against reality: the ring on CPUs, two MPI ranks in two network namespaces, over a
# link whose rate the kernel's token bucket shapes.
#
# Calibrated on one length at one rate; then the time of the ring is predicted at four other lengths
# and two other rates, and measured. Ends with 0 if every prediction is within the bound, 1 if not,
# 77 (and the reason) where this cannot be done.
#   reality.sh PROGRAM JSON_TOOL WORK [REPEATS [BOUND]]
#
# Each rank has one core to itself: it is bound to it, and a control group gives it nearly all of it
# on a machine that does other work. Rounds go over all cases in turn, so that a slow minute slows all
# of them. The figure of a case is the fastest of its rounds, as the calibration keeps the best of its
# repeats: what other work takes is only ever added. The median stands beside it.
set -uo pipefail
program=$(realpath -- "$1") json_tool=$(realpath -- "$2") work=$3 repeats=${4:-5} bound=${5:-10}
calibrated_tokens=12288 calibrated_rate=100
lengths=(8192 12288 16384 20480 24576)
rates=(50 100 200) # Mbit/s
shape=(--ranks 2 --layout zigzag --heads 8 --kv-heads 2 --head-dim 64 --dtype float32)

skip() {
  printf 'skipped: %s\n' "$1"
  exit 77
}
die() {
  printf 'reality.sh: %s\n' "$1" >&2
  exit 3
}

((EUID == 0)) || skip "only root may make network namespaces"
for tool in ip tc mpirun taskset awk; do
  command -v "$tool" >/dev/null || skip "$tool is not here (Debian: iproute2, openmpi-bin, util-linux)"
done
(($(nproc) >= 2)) || skip "two ranks need two cores"
mkdir -p -- "$work" && cd -- "$work" || die "cannot use the folder $work"
work=$PWD

names=(ringlab-$$-0 ringlab-$$-1)
devices=(rl$$a rl$$b)
group=/sys/fs/cgroup/cpu/ringlab-$$
cleanup() {
  for name in "${names[@]}"; do ip netns del "$name" 2>/dev/null; done
  if [[ -d $group ]]; then
    while read -r task; do echo "$task" >"${group%/*}/tasks"; done <"$group/tasks" 2>/dev/null
    rmdir "$group"
  fi
}
trap cleanup EXIT

# ---- two namespaces and a wire ------------------------------------------------------------------
make_wire() {
  for i in 0 1; do ip netns add "${names[i]}" || return; done
  ip link add "${devices[0]}" netns "${names[0]}" type veth \
    peer name "${devices[1]}" netns "${names[1]}" || return
  for i in 0 1; do
    ip -n "${names[i]}" addr add "10.77.0.$((i + 1))/24" dev "${devices[i]}" &&
      # The bucket pays for whole packets: small ones keep its credit small.
      ip -n "${names[i]}" link set "${devices[i]}" gso_max_size 16384 &&
      ip -n "${names[i]}" link set lo up &&
      ip -n "${names[i]}" link set "${devices[i]}" up || return
  done
}
# A bucket is filled once a tick, 100 times a second at least: it holds what 15 ms let through. Its
# queue is long enough that nothing is dropped.
shape_wire() {
  for i in 0 1; do
    ip netns exec "${names[i]}" tc qdisc replace dev "${devices[i]}" root tbf rate "${1}mbit" \
      burst $(($1 * 1000000 / 8 * 15 / 1000)) limit 16mb || return
  done
}
make_wire 2>wire.txt || skip "no network namespaces here: $(head -1 wire.txt)"
shape_wire "$calibrated_rate" 2>wire.txt || skip "no token bucket (tc tbf) here: $(head -1 wire.txt)"

# ---- two ranks ------------------------------------------------------------------------------------
# mpirun reaches the other "host" through this in place of ssh.
cat >agent.sh <<END
#!/bin/bash
host=\$1
shift
[[ \$host == 10.77.0.1 ]] && name=${names[0]} || name=${names[1]}
exec ip netns exec "\$name" bash -c "\$*"
END
cat >rank.sh <<'END'
#!/bin/bash
exec taskset -c "$OMPI_COMM_WORLD_RANK" "$@"
END
chmod +x agent.sh rank.sh
if mkdir "$group" 2>/dev/null && echo 262144 >"$group/cpu.shares"; then
  echo $$ >"$group/tasks"
else
  echo "no control group for CPU time here: other work on this machine shows in the figures"
fi
two_ranks() {
  # Small socket buffers: what waits in them delays the other direction's control messages.
  timeout 300 ip netns exec "${names[0]}" mpirun --allow-run-as-root --quiet --bind-to none \
    --mca mpi_yield_when_idle 1 --mca pml ob1 --mca btl tcp,self \
    --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
    --mca btl_tcp_sndbuf 32768 --mca btl_tcp_rcvbuf 32768 \
    --mca plm_rsh_agent "$work/agent.sh" --host 10.77.0.1:1,10.77.0.2:1 -np 2 \
    "$work/rank.sh" "$program" "$@" </dev/null
}
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# ---- calibrate on one length and one rate ---------------------------------------------------------
two_ranks bench calibrate --transport mpi --forward --tokens "$calibrated_tokens" --heads 8 \
  --kv-heads 2 --head-dim 64 --repeats $((2 * repeats + 1)) --out "$work/calibration.json" \
  >calibrate.txt 2>&1 || die "calibration failed: $(tail -1 calibrate.txt)"
cat calibrate.txt
printf '%s\n' '{"name": "two namespaces", "gpu": "laptop", "levels": [{"name": "wire", "size": 2,
  "kind": "crossbar", "bytes_per_second": 1e6, "latency_seconds": 1e-6}]}' >cluster.json
measured_rate=$("$json_tool" get /links/wire/bytes_per_second <calibration.json)

# ---- measure --------------------------------------------------------------------------------------
for ((round = 0; round < repeats; ++round)); do
  for rate in "${rates[@]}"; do
    shape_wire "$rate" || die "the rate cannot be changed"
    for tokens in "${lengths[@]}"; do
      two_ranks run --transport mpi "${shape[@]}" --tokens "$tokens" --verify none --json >run.json \
        2>run.err || die "the run of $tokens tokens failed: $(tail -1 run.err)"
      "$json_tool" get /seconds <run.json >>"measured.$rate.$tokens"
    done
  done
done

# ---- predict and compare --------------------------------------------------------------------------
printf '\n| tokens | Mbit/s | predicted, s | fastest of %d, s | median, s | off by |\n' "$repeats"
printf '|---|---|---|---|---|---|\n'
failures=0 cases=0
for rate in "${rates[@]}"; do
  # The same share of the wire's rate is left after headers, at every rate.
  bytes_per_second=$(awk -v m="$measured_rate" -v r="$rate" -v c="$calibrated_rate" \
    'BEGIN {printf "%.6g", m * r / c}')
  sed -E "s/(\"bytes_per_second\": )[0-9.e+]+/\1$bytes_per_second/" calibration.json >"rate.$rate.json"
  for tokens in "${lengths[@]}"; do
    "$program" sim "${shape[@]}" --tokens "$tokens" --cluster cluster.json \
      --calibration "rate.$rate.json" --json >sim.json || die "the simulation failed"
    predicted=$("$json_tool" get /seconds <sim.json)
    measured=$(sort -g "measured.$rate.$tokens" | head -1)
    off=$(awk -v p="$predicted" -v m="$measured" 'BEGIN {printf "%+.1f", 100 * (p - m) / m}')
    note=
    [[ $tokens == "$calibrated_tokens" && $rate == "$calibrated_rate" ]] && note=" (calibrated here)"
    ((++cases))
    awk -v o="$off" -v b="$bound" 'BEGIN {exit !(o > b || o < -b)}' && ((++failures)) && note+=" **"
    printf '| %d | %d | %.3f | %.3f | %.3f | %s %%%s |\n' "$tokens" "$rate" "$predicted" "$measured" \
      "$(median <"measured.$rate.$tokens")" "$off" "$note"
  done
done
printf '\n%d of %d cases are off by more than %s %%\n' "$failures" "$cases" "$bound"
((failures == 0))
