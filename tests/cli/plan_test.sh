#!/usr/bin/env bash
# Plans as a program reads them: exit codes, one JSON object, and figures that are known.
#   plan_test.sh PROGRAM JSON_TOOL WORK
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"

answers 0 plan --model llama3-70b --tokens 1M --cluster 8xh100 --purpose prefill --json
has /fits true
has /tokens 1048576
has /best/0/layout/tp 8
has /best/0/bound_by '"compute"'

# Nothing fits: the answer is no, and says what would do.
answers 1 plan --model llama3-405b --tokens 1M --cluster 8xh100 --purpose train --json
has /fits false
answers 1 plan --model llama3-70b --cluster 8xa100-40 --layout dp=1,tp=1,pp=1,cp=8 --json
has /smallest/largest_part '"weights"'

# The longest that fits does, and a thousand more do not.
answers 0 plan --model llama3-8b --cluster 8xh100 --purpose train --tokens max --json
most=$("$json_tool" get /tokens <out)
answers 0 plan --model llama3-8b --cluster 8xh100 --purpose train --tokens "$most" --json
answers 1 plan --model llama3-8b --cluster 8xh100 --purpose train --tokens $((most + 1024)) --json
answers 0 plan --model llama3-70b --tokens 128K --gpus min --json
gpus=$("$json_tool" get /gpus <out)
answers 1 plan --model llama3-70b --tokens 128K --gpus $((gpus / 2)) --json

# A calibration takes the place of the data's figures.
cat >slow.json <<'J'
{"links": {"node": {"bytes_per_second": 1e9, "latency_seconds": 1e-3}}, "source": "made up"}
J
answers 0 plan --model llama3-8b --tokens 64K --layout tp=8 --json
fast=$("$json_tool" get /best/0/seconds <out)
answers 0 plan --model llama3-8b --tokens 64K --layout tp=8 --calibration slow.json --json
slow=$("$json_tool" get /best/0/seconds <out)
awk "BEGIN {exit !($slow > 2 * $fast)}" || failed "a slow link makes no difference: $fast, $slow"
has /best/0/bound_by '"links"'

# A model of the reader's own.
cat >tiny.json <<'J'
{"layers": 2, "hidden": 64, "heads": 4, "head_dim": 16, "ffn": 128, "vocabulary": 100}
J
answers 0 plan --model tiny.json --tokens 1K --cluster 2xrtx4090 --json
has /model '"tiny"'

for question in family slower axes batch padding hide memory balance grouped decode placement; do
  answers 0 plan --question "$question" --tokens 64K --json
  has /question "\"$question\""
done
finish
