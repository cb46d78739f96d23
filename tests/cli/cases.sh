# The stored outputs: a name, then the arguments of `ringlab`. Each is held against
# approved/NAME.approved.txt; accept.sh stores a new one. Only outputs that are the same on every
# machine belong here: no times, no paths.
case_of help --help
case_of help_demo demo --help
case_of help_run run --help
case_of help_schedule schedule --help
case_of help_bench bench --help
case_of help_bench_cpu bench cpu --help
case_of schedule_zigzag schedule ring --ranks 4 --layout zigzag --tokens 64
case_of schedule_contiguous_check schedule ring --ranks 4 --layout contiguous --tokens 64 --check
case_of schedule_striped_backward schedule ring --ranks 3 --layout striped --tokens 64 --backward --check
case_of schedule_documents schedule ring --ranks 4 --layout zigzag_per_document --tokens 64 \
  --documents 40+24 --mask causal+window=15:0
case_of schedule_previous schedule ring --ranks 3 --tokens 7 --rotation previous
case_of schedule_json schedule ring --ranks 8 --layout zigzag --tokens 128 --json
case_of schedule_check_json schedule ring --ranks 2 --tokens 16 --check --json
case_of schedule_compare schedule compare --ranks 8 --tokens 65536 --heads 32 --kv-heads 8 --head-dim 128
case_of schedule_compare_ruled_out schedule compare --ranks 3 --tokens 300 --heads 4 --backward
case_of schedule_ulysses_ring schedule ulysses_ring --ranks 8 --degree U=2,R=4 --tokens 64 --check
case_of schedule_decode schedule decode_tree --ranks 4 --tokens 64 --query-tokens 2 --check
case_of help_bench_cuda bench cuda --help
case_of fault_list run --fault list
case_of fault_deadlock schedule ring --ranks 3 --tokens 24 --fault sends_first --check
case_of fault_last_hop schedule ring --ranks 4 --tokens 16 --fault last_hop_skipped --check
case_of help_gate gate --help
case_of gate_go gate tests/data/gate/targets.json tests/data/gate/ring.json tests/data/gate/timeline.json \
  --baseline tests/data/gate/baseline.json
case_of gate_hold gate tests/data/gate/targets.json tests/data/gate/ring.json \
  tests/data/gate/ring_slow.json --baseline tests/data/gate/baseline.json
case_of gate_unmeasured gate tests/data/gate/targets.json ring1=tests/data/gate/ring.json
case_of gate_waived gate tests/data/gate/waived.json tests/data/gate/ring.json
case_of gate_json gate tests/data/gate/targets.json tests/data/gate/ring_slow.json \
  tests/data/gate/timeline.json --baseline tests/data/gate/baseline.json --json
case_of help_bench_calibrate bench calibrate --help
case_of help_plan plan --help
case_of plan_prefill plan --model llama3-70b --tokens 1M --cluster 8xh100 --purpose prefill
case_of plan_cost plan --model llama3-8b --tokens 128K --cluster 8x8xh100 --batch 4 --by cost --dollars-per-gpu-hour 2
case_of plan_train plan --model llama3-70b --tokens 128K --cluster 32x8xh100 --batch 64 --purpose train
case_of plan_decode plan --model deepseek-v3 --tokens 128K --cluster 4x8xh200 --batch 32 --purpose decode
case_of plan_too_large plan --model llama3-405b --tokens 1M --cluster 8xh100 --purpose train
case_of help_bench_plan bench plan --help
case_of help_sim sim --help
case_of help_bench_sim bench sim --help
case_of sim_node sim --ranks 8 --tokens 131072 --model llama3-8b --cluster 8xh100 --explain
case_of sim_nodes_backward sim --ranks 16 --tokens 65536 --heads 32 --kv-heads 8 --head-dim 128 --backward \
  --cluster 2x8xh100 --straggler rank=3,x=1.5
case_of sim_torus sim --schedule bidirectional_ring --ranks 64 --tokens 1048576 --cluster tpu-v4-64 --heads 16 \
  --head-dim 128
case_of sim_ulysses sim --schedule ulysses --ranks 8 --tokens 65536 --heads 32 --kv-heads 8 --head-dim 128 \
  --cluster 8xl20 --layout contiguous
case_of sim_compare sim --compare --ranks 8 --tokens 65536 --heads 32 --kv-heads 8 --head-dim 128 --cluster 8xrtx4090
case_of sim_compare_ruled_out sim --compare --ranks 3 --tokens 3000 --heads 4 --backward --cluster laptops
# Tiles of 240 us and blocks of 300: three hops of 300 and a last tile of 240.
case_of sim_ideal sim --ranks 4 --tokens 256 --heads 1 --head-dim 64 --mask none --layout contiguous \
  --ideal tile_us=240,hop_us=300
case_of help_merge merge --help
case_of merge_suffix merge --sum 3072,64
case_of merge_running merge --maximum 3,5 --sum 12,4 --out 0.5,-1
case_of merge_json merge --lse=0,89,-inf --out 1,2,3 --json
case_of plan_shape plan --question memory --model layers=80,heads=64,kv_heads=8,head_dim=128 --tokens 128K \
  --cluster 8xh100 --layout tp=1,pp=1
case_of sim_json sim --ranks 4 --tokens 4096 --heads 8 --kv-heads 2 --cluster 2x2xa100 --placement scattered --json
case_of help_quiz quiz --help
case_of help_quiz_exam quiz exam --help
case_of help_quiz_certificate quiz certificate --help
case_of help_quiz_verify quiz verify --help
case_of help_quiz_issue quiz issue --help
case_of help_quiz_export quiz export --help
case_of help_viz viz --help
case_of help_bench_viz bench viz --help
case_of help_lesson lesson --help
case_of help_lesson_check lesson check --help
