#!/bin/sh
# Builds the fuzz targets and runs each for a number of seconds:
#   tests/fuzz/run.sh [seconds, 60] [npy | safetensors | scenario ...]
# A finding ends the script with 1 and is left in build/fuzz/findings/, to be added to the tests.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-npy safetensors scenario}

cmake --preset fuzz >/dev/null
for target in $targets; do
  cmake --build --preset fuzz --target "${target}_fuzz"
done
mkdir -p build/fuzz/findings
for target in $targets; do
  seeds=tests/data/files
  [ "$target" = scenario ] && seeds="tests/fuzz/scenarios tests/fuzz/layouts"
  corpus=build/fuzz/corpus/$target
  log=build/fuzz/$target.log
  mkdir -p "$corpus"
  echo "$target: $seconds s"
  # $seeds is a list of folders
  if ! "build/fuzz/tests/fuzz/${target}_fuzz" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix=build/fuzz/findings/ "$corpus" $seeds >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "$target: a finding, see $log" >&2
    exit 1
  fi
  grep -E '^(Done|stat::(average|peak))' "$log"
done
