#!/usr/bin/env bash
# From a run to a gate: the example of the help, a baseline and what drifts from it.
#   gate_test.sh PROGRAM JSON_TOOL WORK SOURCE OPEN_METRICS_TOOL
source=$4 open_metrics=$5
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
targets=$source/sim/gate/example.targets.json

answers 0 run --tokens 1024 --ranks 4 --layout zigzag --json
cp out run.json
# Drift is stated and there is no baseline yet: hold, and one is stored.
answers 1 gate "$targets" run.json --json
has /go false
has /missed 0
has /unmeasured 2
call_program gate "$targets" run.json --store-baseline baseline.json --json
((code == 1)) || failed "exit code $code, not 1"
[[ -s baseline.json ]] || failed "no baseline was stored"
answers 0 gate "$targets" run.json --baseline baseline.json --json
has /go true
has /close_first null

# A run that sends more than the baseline is held, whatever else is good, and does not move it.
sed -E 's/"peak_kv_bytes_per_rank"/"other"/; s/"bytes_sent_per_rank"/"peak_kv_bytes_per_rank"/' \
  run.json | sed 's/"ranks"/"bytes_sent_per_rank": [3500000], "ranks"/' >worse.json
before=$(<baseline.json)
call_program gate "$targets" run.json worse.json --baseline baseline.json \
  --store-baseline baseline.json --json
((code == 1)) || failed "exit code $code, not 1"
has /missed 1
has /baseline_stored false
has /close_first/metric '"bytes_sent_per_rank.max"'
grep -q 'not stored' err || failed "does not say that the baseline stands"
[[ $(<baseline.json) == "$before" ]] || failed "the baseline has moved"

# A trace as evidence.
answers 0 run --tokens 256 --ranks 2 --trace run.trace.json --json
printf '%s' '{"name": "n", "waived": {"quality": "x", "cost": "x"}, "targets":
  [{"metric": "trace.seconds", "kind": "latency", "at_most": 60},
   {"metric": "trace.ranks", "kind": "other", "at_least": 2, "at_most": 4}]}' >trace.json
answers 0 gate trace.json run.trace.json --json
# The same figures for monitoring; open_metrics reads them by the rules of the format.
answers 0 run --tokens 256 --ranks 2 --backward --metrics run.metrics.txt --json
bytes=$("$json_tool" get /bytes_sent_per_rank/0 <out)
"$open_metrics" run.metrics.txt >samples || failed "the metrics are no OpenMetrics"
grep -qxF "ringlab_run_sent_bytes{rank=0} $bytes" samples || failed "other bytes than in the JSON"
grep -qF 'ringlab_run_max_abs_error{tensor=dk} ' samples || failed "no error of dk"
grep -qxF 'ringlab_run_exact{} 1' samples || failed "not exact"
answers 0 run --tokens 256 --ranks 2 --verify none --metrics run.metrics.txt --json
"$open_metrics" run.metrics.txt >samples || failed "the metrics are no OpenMetrics"
grep -q exact samples && failed "says exact of what was not verified"
# A simulated run leaves the same: figures, events, pictures, and traces for other simulators.
ring=(--ranks 4 --tokens 4096 --heads 8 --head-dim 64)
answers 0 sim "${ring[@]}" --metrics sim.metrics.txt --csv sim.csv --plot sim.svg --chakra et \
  --trace sim.trace.json --json
"$open_metrics" sim.metrics.txt >samples || failed "the metrics are no OpenMetrics"
grep -q '^ringlab_sim_' samples || failed "no figures in the metrics"
(($(wc -l <sim.csv) > 16)) || failed "the events are not in the CSV"
[[ $(head -c 4 sim.svg) == '<svg' ]] || failed "the plot is no SVG"
(($(ls et/*.et | wc -l) == 4)) || failed "not one Chakra trace a rank"
for what in memory break-even ranks length; do
  answers 0 sim "${ring[@]}" --plot "$what.svg" --plot-of "$what" --json
  [[ $(head -c 4 "$what.svg") == '<svg' ]] || failed "the plot is no SVG"
done
printf '%s' '{"name": "n", "waived": {"quality": "simulated", "cost": "x"}, "targets":
  [{"metric": "seconds", "kind": "latency", "at_most": 1, "unit": "s"}]}' >sim.targets.json
answers 0 sim "${ring[@]}" --json
cp out sim.json
answers 0 gate sim.targets.json sim.json --json
answers 0 gate trace.json sim.trace.json --json
# What is measured here goes into a simulation.
# Long enough that a block is longer than a part of it on a busy machine, too.
answers 0 bench calibrate --tokens 4096 --repeats 3 --level ethernet --out calibration.json --json
answers 0 sim --ranks 2 --tokens 4096 --cluster laptops --calibration calibration.json --json
finish
