#!/usr/bin/env bash
# Wrong calls: each ends with 2 before any work, and one line names the field.
#   bad_input_test.sh PROGRAM JSON_TOOL WORK DATA
data=$4
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"

# Every field of a scenario as a flag.
refused tokens run --tokens -1
refused tokens run --tokens 2147483648
refused tokens run --tokens 4k
refused heads run --heads 0
refused kv_heads run --kv-heads 3
refused head_dim run --head-dim 0
refused ranks run --ranks 0
refused ranks run --ranks 4097
refused ranks run --ranks 1025 --tokens 8
refused layout run --layout zig-zag
refused layout_file run --layout custom
refused layout_file run --layout custom --layout-file missing.json
refused layout_file run --layout-file owners.json
refused mask run --mask casual
refused mask run --mask window=-1:0
refused documents run --documents 1+2
refused documents run --documents 0
refused query_tokens run --tokens 8 --query-tokens 9
refused schedule run --schedule rign
refused rotation run --rotation up
refused dtype run --dtype float16
refused scale run --scale 0
refused soft_cap run --soft-cap -1
refused sinks run --heads 8 --sinks 0.5
refused sinks run --sinks x
refused alibi run --alibi=perhaps
refused rotary_base run --rotary-base 0.5
refused rotary_base run --rotary-base 10000 --head-dim 5
refused dropout run --dropout 1
refused seed run --seed -1
refused seed run --seed 1.5
refused backward run --backward=perhaps
refused input run --input missing.txt

# What only one command knows.
refused verify run --verify most
refused verify run --verify rows=0
refused verify run --verify rows=99999999999999999999
refused transport run --transport tcp
refused tolerance run --tolerance small
refused tolerance run --tolerance -1 --tokens 8
refused tolerance run --tolerance nan --tokens 8
refused die_rank run --die-rank 1 --tokens 8
refused die_rank run --die-rank 9 --tokens 8 --transport mpi
refused degree run --degree U=2,R=2 --tokens 8
refused degree run --schedule ulysses_ring --degree U=3,R=2 --tokens 8
refused degree run --schedule ulysses --ranks 3 --heads 4 --tokens 8
refused backward run --schedule decode_tree --backward --tokens 8
refused trace run --trace /proc/none --tokens 8
refused export schedule --export /proc/none --tokens 8
refused ranks schedule --ranks 2000
refused foo foo
refused gpu bench gpu
refused bench bench
refused timeout run --timeout 0 --tokens 8
refused timeout run --timeout soon
refused delay run --delay -1 --tokens 8
refused trace run --trace missing/run.json
refused trace run --trace .
: >file
refused save run --save file/results
refused scenario run missing.json
refused scenario schedule --scenario missing.json
refused more run one.json more.json
refused --colour run --colour
refused --head-dim run --head-dim
refused schedule schedule rign
refused ranks schedule ring --ranks 0
refused missing/ring.json schedule ring --tokens 8 --export missing/ring.json
refused missing.json schedule --import missing.json
refused file schedule --import file
refused tokens demo --tokens 1
refused tokens demo --tokens many
refused ranks demo --ranks 0
refused input demo --input missing.txt
refused tokens bench cpu --tokens 1
refused repeats bench cpu --repeats 0

refused commands

# The list that the parser is held to, as files.
while IFS=$'\t' read -r number field; do
  refused "$field" run "$number/scenario.json"
done < <("$json_tool" bad-scenarios "$data/bad_scenarios.json" "$work")
((checks > 100)) || { echo "only $checks calls: the list was not read"; exit 1; }
finish
