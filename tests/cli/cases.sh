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
