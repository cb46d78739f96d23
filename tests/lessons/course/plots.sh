#!/bin/bash
# Draws the plots of the lessons again and holds them against the stored ones, byte for byte. No other
# SVG may lie among the lessons' pictures.
#   plots.sh PROGRAM LESSONS [--accept]
set -euo pipefail
program=$1 lessons=$2 accept=${3:-}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failures=0 drawn=0
fail() {
  echo "$1"
  failures=$((failures + 1))
}
while read -r file arguments; do
  [[ -z $file || $file == \#* ]] && continue
  drawn=$((drawn + 1))
  # shellcheck disable=SC2086  # the arguments are words
  "$program" sim $arguments --plot "$work/plot.svg" >/dev/null || { fail "$file: sim fails"; continue; }
  [[ $accept == --accept ]] && { mkdir -p "$(dirname "$lessons/$file")"; cp "$work/plot.svg" "$lessons/$file"; }
  cmp "$work/plot.svg" "$lessons/$file" || fail "$file differs"
  [[ $(stat -c %s "$lessons/$file") -lt 120000 ]] || fail "$file is too large for a page"
  echo "$file" >>"$work/known"
done <"$lessons/plots.txt"
while read -r file; do
  grep -qxF "$file" "$work/known" || fail "$file: no line of plots.txt makes it"
done < <(cd "$lessons" && find . -name '*.svg' -printf '%P\n')
echo "$drawn plots, $failures different"
[[ $failures -eq 0 && $drawn -gt 0 ]]
