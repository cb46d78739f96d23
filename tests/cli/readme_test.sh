#!/usr/bin/env bash
# Every ```console block of a text that begins with "$ ringlab ..." shows what that command says.
#   readme_test.sh PROGRAM README           shows every difference; ends with 1 if there is one
#   readme_test.sh PROGRAM README --accept  writes the blocks anew
set -uo pipefail
program=$1 readme=$2 accept=${3-}
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1
made=$(mktemp)
trap 'rm -f -- "$made"' EXIT
blocks=0 inside=''
while IFS= read -r line || [[ -n $line ]]; do
  if [[ $inside == skip ]]; then
    [[ $line == '```' ]] || continue
    inside=''
  elif [[ $inside == first ]]; then
    inside=''
    if [[ $line == '$ ringlab '* ]]; then
      ((++blocks))
      inside=skip
      printf '%s\n' "$line" >>"$made"
      # The arguments stand as a shell would read them; a comment behind them is for people.
      eval "set -- ${line#'$ ringlab '}"
      "$program" "$@" </dev/null >>"$made" 2>&1
      continue
    fi
  elif [[ $line == '```console' ]]; then
    inside=first
  fi
  printf '%s\n' "$line" >>"$made"
done <"$readme"
((blocks > 0)) || { echo "$readme shows no command"; exit 1; }
if diff -u --label "$readme" --label 'what the program says' "$readme" "$made"; then
  echo "$blocks commands say what the text shows"
elif [[ $accept == --accept ]]; then
  cp -- "$made" "$readme"
  echo "$blocks commands, written anew"
else
  echo "they differ; if they should, run tests/cli/readme_test.sh PROGRAM $readme --accept"
  exit 1
fi
