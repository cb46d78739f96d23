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
refused metrics run --metrics missing/run.txt
refused metrics run --metrics . --tokens 8
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
refused tokens bench calibrate --tokens 1
refused tokens bench calibrate --tokens 4098
refused repeats bench calibrate --repeats 0
refused transport bench calibrate --transport tcp
refused level bench calibrate --level ''
refused kv_heads bench calibrate --kv-heads 3
refused out bench calibrate --out missing/c.json

# The simulator: clusters that are none, ranks without a GPU, options that do not fit.
level='"latency_seconds": 0'
cluster() { printf '{"name": "mine", "gpu": "h100", "levels": [%s]}' "$1" >cluster.json; }
refused cluster sim --cluster moon
refused cluster sim --cluster 9xh100
refused cluster sim --cluster 2x4xrtx4090
echo '{"hardware": "moon"}' >moon.json
refused hardware sim moon.json
refused cluster sim --cluster missing.json
cluster ''
refused levels sim --cluster cluster.json
cluster "{\"name\": \"node\", \"size\": 8, \"bytes_per_second\": 0, $level}"
refused 'levels[0].bytes_per_second' sim --cluster cluster.json
cluster "{\"name\": \"node\", \"size\": 8, \"kind\": \"torus\", \"dimensions\": [3], \"bytes_per_second\": 1e9, $level}"
refused 'levels[0].dimensions' sim --cluster cluster.json
refused ranks sim --ranks 9 --cluster 8xh100
refused ranks sim --ranks 1025
refused ranks sim --ranks 512 --trace run.json
refused tokens sim --tokens 1000000000000000
refused tokens sim --ranks 2 --tokens 2000000000 --heads 1024 --head-dim 1024 --mask none --cluster laptops
refused degree sim --schedule ulysses --ranks 3 --heads 4
refused model sim --model llama9
refused heads sim --model llama3-8b --heads 4
refused kernel sim --kernel flash
refused placement sim --placement random
refused straggler sim --straggler 3
refused straggler sim --straggler rank=9,x=2
refused straggler sim --straggler rank=1,x=0.5
refused slow_link sim --slow-link from=1,to=1,x=2
refused slow_link sim --slow-link from=1,to=2,x=0.5
refused slow_link sim --slow-link from=1,to=2
refused jitter sim --jitter -1
refused lose sim --lose from=1,to=1,at=0
refused lose sim --lose from=1,at=0
refused calibration sim --calibration missing.json
refused plot-of sim --plot a.svg --plot-of pie
refused compare sim --compare --explain
refused ranks bench sim --ranks 1

refused fault run --tokens 8 --fault merge_newest
refused fault run --tokens 8 --fault window_lost
refused fault run --tokens 8 --fault delta_per_hop
refused fault run --tokens 8 --fault merge_newest_only --schedule all_gather
refused fault run --tokens 8 --fault merge_newest_only --device cpu_cuda
refused fault schedule ring --tokens 8 --fault merge_newest_only
# The gate: targets, results and baselines that are none.
gate=$data/gate
refused results gate "$gate/targets.json"
refused missing.json gate missing.json "$gate/ring.json"
refused missing.json gate "$gate/targets.json" missing.json
refused missing.json gate "$gate/targets.json" "$gate/ring.json" --baseline missing.json
refused name gate "$gate/ring.json" "$gate/ring.json"
refused ringlab_baseline gate "$gate/targets.json" "$gate/ring.json" --baseline "$gate/ring.json"
refused store_baseline gate "$gate/waived.json" "$gate/ring.json" --store-baseline missing/b.json
printf '{"name": "n", "targets": [{"metric": "a", "kind": "cost", "at_most": 1}]}' >one_kind.json
refused 'nothing of kind latency' gate one_kind.json "$gate/ring.json"
sed 's/0.5/"fast"/' "$gate/waived.json" >not_a_number.json
refused 'targets[0].at_most' gate not_a_number.json "$gate/ring.json"
sed 's/"seconds"/"seconds[0"/' "$gate/waived.json" >no_path.json
refused 'targets[0].metric' gate no_path.json "$gate/ring.json"
printf '{"seconds": NaN}' >nan.json
refused nan.json gate "$gate/waived.json" nan.json
printf '{"seconds": 1, "seconds": 0.1}' >twice.json
refused twice.json gate "$gate/waived.json" twice.json

# The planner.
refused tokens plan --tokens 1000000000000000
refused tokens plan --tokens 12q
refused tokens plan --tokens 0
refused tokens plan --tokens max --gpus min
refused tokens plan --tokens max --question hide
refused layout plan --layout dp=2,tp=8,pp=1,cp=4
refused layout plan --layout tp=3
refused layout plan --layout dp=8
refused layout plan --layout xp=2
refused layout plan --question balance --layout dp=1,tp=8,pp=1,cp=1
refused model plan --model llama9
refused model plan --model missing.json
refused model plan --model layers=2,depth=3
refused ideal sim --ideal tflops=400
refused ideal sim --ideal tflops=0,gbs=50
refused ideal sim --ideal tile_us=10,hop_us=20 --tokens 10 --ranks 4
refused ideal sim --ideal tile_us=10,hop_us=20 --backward
refused cluster sim --ideal tflops=400,gbs=50 --cluster 8xh100
refused lse merge
refused lse merge --lse 1 --sum 2
refused lse merge --lse 1,x
refused lse merge --lse inf
refused sum merge --sum=-1
refused maximum merge --lse 1,2 --maximum 1,2
refused maximum merge --sum 1,2 --maximum 1
refused out merge --lse 1,2 --out 1
refused base merge --lse 1,2 --base 10
refused base merge --sum 1,2 --base 2
refused abacus plan --cluster 8xabacus
refused gpus plan --gpus 12
refused gpus plan --gpus many
refused purpose plan --purpose dream
refused by plan --by beauty
refused cost plan --by cost
refused dollars plan --dollars-per-gpu-hour -1
refused batch plan --batch 0
refused question plan --question why
refused calibration plan --calibration missing.json
refused offload_cache plan --offload-cache --purpose train

refused commands

# The list that the parser is held to, as files.
while IFS=$'\t' read -r number field; do
  refused "$field" run "$number/scenario.json"
done < <("$json_tool" bad-scenarios "$data/bad_scenarios.json" "$work")
((checks > 100)) || { echo "only $checks calls: the list was not read"; exit 1; }

# The quiz, in a folder of its own.
export XDG_DATA_HOME=$work/data
refused lesson quiz --lesson 99
refused count quiz --count 0
refused language quiz --language fr
refused seed quiz --seed 9007199254740992
refused language quiz exam --language fr
refused transcript quiz certificate --name Hodan
refused transcript quiz certificate --name Hodan --transcript missing.json
refused out quiz certificate --name Hodan --out x.gif
refused certificate quiz verify missing.json
refused trust quiz verify "$data/bad_scenarios.json" --trust z6Mkbad
refused key quiz issue missing.json --name Hodan --issuer School --key missing.key
refused format quiz export --format aiken --out x
refused draws quiz export --format gift --out x --draws 0
refused out quiz export --format gift --out /proc/none
refused name quiz certificate

finish
