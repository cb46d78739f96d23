#!/usr/bin/env bash
# Ranks as processes: the same answer as over threads, and a rank that dies is told of soon.
#   mpi_test.sh PROGRAM JSON_TOOL WORK
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
small=(--heads 4 --head-dim 16 --tokens 130 --ranks 4 --backward --json)

answers 0 run "${small[@]}"
out=$("$json_tool" get /rel_frobenius_error <out) dk=$("$json_tool" get /dk <out)
answers 0 run "${small[@]}" --transport mpi
has /exact true
# The same tiles in the same order: the same bits.
has /rel_frobenius_error "$out"
has /dk "$dk"
answers 1 run "${small[@]}" --transport mpi --tolerance 1e-12
refused tokens run --transport mpi --tokens -1
refused verify run --transport mpi --ranks 2 --verify most

start=$SECONDS
call_program run --transport mpi --ranks 4 --tokens 4096 --die-rank 2 --die-hop 1
((code == 3)) || failed "exit code $code, not 3"
((SECONDS - start <= 10)) || failed "took $((SECONDS - start)) s to see that a rank had died"
grep -Eq 'rank [0-9].*rank [0-9]' err || failed "does not say who waited for whom"
finish
