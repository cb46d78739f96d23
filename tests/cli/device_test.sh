#!/usr/bin/env bash
# The CUDA program from the command line: on CPU streams it runs and is verified, what it does not
# take is refused by name, and without a GPU the commands that want one end with 3 and say so.
#   device_test.sh PROGRAM JSON_TOOL WORK
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
small=(--device cpu_cuda --heads 2 --head-dim 32 --json)

for dtype in float32 float16 bfloat16; do
  answers 0 run "${small[@]}" --tokens 70 --ranks 8 --dtype "$dtype" --backward --kv-heads 1
  has /exact true
  has /transport '"cpu_cuda"'
  has /dtype "\"$dtype\""
done
answers 0 run "${small[@]}" --tokens 48 --ranks 4 --schedule ulysses_ring --dtype bfloat16 \
  --rotary-base 10000
has /exact true
answers 0 run "${small[@]}" --tokens 3 --ranks 4
answers 0 run "${small[@]}" --tokens 48 --ranks 2 --input "" --verify rows=7
# The same under other orders of the streams, to the last digit.
answers 0 run "${small[@]}" --tokens 48 --ranks 3
first=$("$json_tool" get /rel_frobenius_error <out)
for seed in 1 2 3; do
  answers 0 run "${small[@]}" --tokens 48 --ranks 3 --stream-seed "$seed"
  has /rel_frobenius_error "$first"
done
# Float32 does not get away with what 16 bits may.
answers 1 run "${small[@]}" --tokens 48 --ranks 3 --dtype bfloat16 --tolerance 2e-6
# A 16-bit wire costs more than float32 is allowed, and the report says how much.
answers 1 run "${small[@]}" --tokens 48 --ranks 3 --backward --wire16
answers 0 run "${small[@]}" --tokens 48 --ranks 3 --backward --wire16 --tolerance 1e-2
# A link that is slower than the tiles is not hidden.
answers 0 run "${small[@]}" --tokens 48 --ranks 3 --link-speed 1e-6 --trace run.trace.json \
  --save results
"$json_tool" object <run.trace.json || failed "the trace is not one JSON object"
answers 0 bench cuda --device cpu_cuda --tokens 32 --heads 1 --repeats 1 --json
has /device '"CPU streams"'
echo '{"tokens": 32, "heads": 1, "rows": [
  {"what": "forward", "head_dim": 64, "causal": true, "seconds": 1e-3}]}' >cudnn.json
answers 0 bench cuda --device cpu_cuda --tokens 32 --heads 1 --repeats 1 --cudnn cudnn.json --json
refused cudnn bench cuda --device cpu_cuda --cudnn missing.json
refused tokens bench cuda --device cpu_cuda --tokens 64 --heads 1 --cudnn cudnn.json
echo '{"tokens": 32, "heads": 1, "rows": [{"what": "forward"}]}' >bare.json
refused rows bench cuda --device cpu_cuda --tokens 32 --heads 1 --cudnn bare.json

refused device run --device gpu --tokens 8
refused dtype run --dtype bfloat16 --tokens 8
refused dtype run --device cpu_cuda --dtype float64 --tokens 8
refused head_dim run --device cpu_cuda --head-dim 48 --tokens 8
refused dropout run --device cpu_cuda --dropout 0.1 --head-dim 32 --tokens 8
refused transport run --device cpu_cuda --transport mpi --tokens 8
refused delay run --device cpu_cuda --delay 5 --tokens 8
refused die_rank run --device cpu_cuda --die-rank 1 --tokens 8
refused wire16 run --wire16 --tokens 8
refused link_speed run --link-speed 3 --tokens 8
refused link_speed run --device cpu_cuda --link-speed -3 --tokens 8
refused gpu_order run --device cpu_cuda --gpu-order 0,1 --tokens 8
refused gpu_order run --gpu-order 0,1 --tokens 8
refused timeout run --device cpu_cuda --timeout 0 --tokens 8
refused ranks run --device cpu_cuda --ranks 1025 --tokens 8
refused tokens bench cuda --tokens 1
refused device bench cuda --device cpu

# no_gpu ARGUMENTS...: exit 3, and the reason.
no_gpu() {
  call_program "$@"
  ((code == 3)) || { failed "exit code $code, not 3"; return; }
  [[ ! -s out ]] || { failed "something on standard output"; return; }
  grep -q 'cpu_cuda' err || failed "does not say what to do instead"
}
if [[ ! -e /dev/nvidiactl ]]; then
  no_gpu run --device cuda_single --tokens 64 --head-dim 64 --json
  no_gpu run --device cuda --tokens 64 --head-dim 64 --json
  no_gpu bench cuda --json
  RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 no_gpu run --device cuda --tokens 64
  RANK=2 WORLD_SIZE=2 LOCAL_RANK=0 refused RANK run --device cuda --tokens 64
fi
finish
