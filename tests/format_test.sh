#!/usr/bin/env bash
# Every C++ file is as .clang-format wants it. Ends with 77, which ctest shows as skipped, where
# clang-format 14 is not installed: other versions lay out some lines differently.
#   tests/format_test.sh [--fix]
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
tool=$(command -v clang-format-14 || command -v clang-format)
if [[ -z $tool || $("$tool" --version) != *" version 14."* ]]; then
  echo "skipped: needs clang-format 14 (Debian 12: apt-get install clang-format)"
  exit 77
fi
mapfile -t files < <(find "$root" \( -name build -o -name out -o -name .git \) -prune -o \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print | sort)
if [[ ${1-} == --fix ]]; then
  exec "$tool" -i "${files[@]}"
fi
if ! complaints=$("$tool" --dry-run --Werror "${files[@]}" 2>&1); then
  grep ': error:' <<<"$complaints" | sort -t: -u -k1,1
  echo "not formatted: run tests/format_test.sh --fix"
  exit 1
fi
echo "${#files[@]} files are formatted"
