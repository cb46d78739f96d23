#!/usr/bin/env bash
# Small runs over threads: exit codes, one JSON object, and what it says.
#   run_test.sh PROGRAM JSON_TOOL WORK
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
small=(--heads 4 --head-dim 16 --json)

for layout in contiguous striped zigzag; do
  answers 0 run "${small[@]}" --tokens 130 --ranks 4 --layout "$layout" --backward
  has /exact true
done
answers 0 run "${small[@]}" --tokens 64 --ranks 1
answers 0 run "${small[@]}" --tokens 3 --ranks 8 --kv-heads 2
answers 0 run "${small[@]}" --tokens 0 --ranks 2
answers 0 run "${small[@]}" --tokens 96 --ranks 3 --dtype float64 --mask causal+window=7:0 \
  --documents 50+46 --soft-cap 20 --dropout 0.1 --alibi --backward
has /exact true
answers 0 run "${small[@]}" --tokens 64 --ranks 3 --verify none

# Done, and the answer is no: float32 cannot be that close to float64.
answers 1 run "${small[@]}" --tokens 64 --ranks 3 --tolerance 1e-12
has /exact false

# A planted fault is said aloud, and its symptoms with it.
answers 1 run "${small[@]}" --tokens 16 --ranks 4 --layout contiguous --fault last_hop_skipped
has /fault '"last_hop_skipped"'
has /symptoms/wrong_rows_per_rank '[0,0,0,4]'
answers 0 run --fault list --json

# A scenario file, and what a run leaves behind; the same scenario gives the same answer again.
answers 0 run "${small[@]}" --tokens 64 --ranks 3 --trace run.trace.json --save results
first=$("$json_tool" get /rel_frobenius_error <out)
"$json_tool" object <run.trace.json || failed "the trace is not one JSON object"
[[ -s results/tensors.safetensors ]] || failed "no tensors were saved"
answers 0 run results/scenario.json --json
has /rel_frobenius_error "$first"

answers 0 schedule ring --tokens 64 --ranks 3 --check --json --export ring.json
has /proven true
answers 0 schedule --tokens 64 --ranks 3 --import ring.json --check --json
# A send that goes to another rank than the one that waits for it.
sed '0,/"peer": 1/s//"peer": 2/' ring.json >broken.json
answers 1 schedule --import broken.json --check --json
has /proven false

head -c 8192 /dev/zero | tr '\0' 'a' >text.txt
answers 0 demo --tokens 4096 --ranks 4 --json --input text.txt
has /exact true
refused tokens demo --tokens 8193 --input text.txt
finish
