#!/usr/bin/env bash
# Everything that only a GPU can answer, in at most five minutes: builds, runs the correctness grid on
# the GPUs that are here, looks for races and bad accesses on small shapes, measures, and writes one
# JSON report.
#
#   cuda/gpu_check.sh [REPORT.json]     exit 0: all good; 1: something differs or failed; 3: no GPU
#
# Limits, each part its own: build 150 s (not counted where it is built already), grid 60 s, GPUs
# 30 s, sanitizer 60 s, bench 60 s. RINGLAB_BUILD names another build folder.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
report=$(realpath -m -- "${1:-gpu_check.json}")
build=${RINGLAB_BUILD:-$root/build/gpu}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0
parts=()

say() { printf '%s\n' "$*" >&2; }

# Before the build, which takes minutes: without a device file (Linux, or WSL) there is nothing to check.
if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && [[ ! -e /dev/dxg ]]; then
  say "no GPU here: there is no /dev/nvidia0; run this on a machine with an NVIDIA driver"
  exit 3
fi

# part NAME SECONDS COMMAND...: runs it, keeps its output, notes how it ended.
part() {
  local name=$1 limit=$2 began=$SECONDS code
  shift 2
  timeout "$limit" "$@" >"$work/$name.out" 2>"$work/$name.err"
  code=$?
  parts+=("{\"part\": \"$name\", \"exit\": $code, \"seconds\": $((SECONDS - began))}")
  if ((code == 0)); then
    say "good    $name ($((SECONDS - began)) s)"
  else
    say "FAILED  $name: exit $code"
    tail -n 5 "$work/$name.err" "$work/$name.out" >&2
    failures=$((failures + 1))
  fi
  return "$code"
}

# run NAME SECONDS ARGUMENTS...: `ringlab run`, verified against float64.
run() {
  local name=$1 limit=$2
  shift 2
  part "$name" "$limit" "$program" run --json "$@"
}

part configure 60 cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DRINGLAB_CUDA=ON \
  -DRINGLAB_TESTS=OFF || exit 1
part build 600 cmake --build "$build" --target ringlab -j "$(nproc)" || exit 1
program=$build/cli/ringlab

# No GPU is no failure of the program: say why, in its words.
if ! part first_tile 30 "$program" run --device cuda_single --tokens 64 --heads 1 --ranks 1 --json
then
  if grep -q 'no NVIDIA driver\|but no GPU\|install a newer driver' "$work/first_tile.err"; then
    exit 3
  fi
fi
gpus=$(nvidia-smi --query-gpu=name,driver_version,pci.bus_id --format=csv,noheader)
count=$(printf '%s\n' "$gpus" | wc -l)

# The grid on one GPU: every family, layouts and masks, dtypes, ranks.
for schedule in ring bidirectional_ring double_ring query_ring auto all_gather all_gather_heads ulysses \
  ulysses_ring decode_tree decode_ring; do
  run "single_$schedule" 20 --device cuda_single --schedule "$schedule" --tokens 512 --heads 8 \
    --kv-heads 8 --ranks 4 --dtype bfloat16
done
for dtype in float32 float16 bfloat16; do
  for ranks in 1 2 3 8; do
    run "single_${dtype}_$ranks" 20 --device cuda_single --dtype "$dtype" --ranks "$ranks" \
      --tokens 777 --heads 4 --kv-heads 2 --backward
  done
done
for head_dim in 32 80 128 256; do
  run "single_dim_$head_dim" 20 --device cuda_single --head-dim "$head_dim" --ranks 4 \
    --tokens 300 --heads 2 --dtype bfloat16 --backward
done
for mask in full causal+window=63:0; do
  run "single_mask_${mask//[^a-z0-9]/_}" 20 --device cuda_single --mask "$mask" --layout striped \
    --ranks 4 --tokens 500 --heads 2 --documents 200+300 --backward
done

# A GPU a rank, as many as there are.
if ((count > 1)); then
  run nccl 60 --device cuda --ranks "$count" --tokens 4096 --heads 8 --dtype bfloat16 --backward
fi
run nccl_one 30 --device cuda --ranks 1 --tokens 512 --heads 2 --backward

if command -v compute-sanitizer >"$work/tool"; then
  for tool in memcheck racecheck; do
    part "$tool" 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" run \
      --device cuda_single --tokens 96 --heads 2 --ranks 2 --dtype bfloat16 --backward --json
  done
else
  say "left out: compute-sanitizer is not installed"
fi

# The yardstick is left out where PyTorch is not there to ask cuDNN with.
cudnn=()
if python3 -c 'import torch' 2>"$work/torch" && part cudnn 90 "$root/cuda/cudnn_seconds.py"; then
  cudnn=(--cudnn "$work/cudnn.out")
else
  say "left out: cuDNN as a yardstick, for which python3 needs PyTorch"
fi
part bench 90 "$program" bench cuda --json "${cudnn[@]}"

{
  printf '{\n "gpus": ['
  printf '%s\n' "$gpus" | sed 's/["\\]//g; s/.*/"&"/' | paste -sd, -
  printf ' ],\n "failures": %d,\n "parts": [\n' "$failures"
  (IFS=$'\n'; printf '%s\n' "${parts[*]}" | sed '$!s/$/,/')
  printf ' ],\n "bench": '
  if [[ -s $work/bench.out ]]; then cat "$work/bench.out"; else echo null; fi
  printf '}\n'
} >"$report"
say "report: $report"
((failures == 0))
