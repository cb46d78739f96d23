#!/usr/bin/env bash
# Holds whole outputs of the program against the stored ones.
#   approve.sh PROGRAM           shows every difference; ends with 1 if there is one
#   approve.sh PROGRAM --accept  shows every difference and stores it
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath -- "$1") accept=${2-}
cd -- "$here/../.." || exit 1 # so that a case can name files of the tree
differing=0 cases=0
declare -A known

case_of() {
  local name=$1 approved=$here/approved/$1.approved.txt received
  shift
  ((++cases))
  known[$name]=1
  # Standard output and the exit code; a word on standard error would be a difference too.
  received=$("$program" "$@" 2>&1 </dev/null && printf 'exit code 0\n' || printf 'exit code %d\n' $?)
  received="\$ ringlab $*"$'\n'$received
  diff -u --label "approved: $name" --label received <(cat -- "$approved" 2>/dev/null) \
    <(printf '%s\n' "$received") && return
  ((++differing))
  [[ $accept == --accept ]] && printf '%s\n' "$received" >"$approved"
}
source "$here/cases.sh"

for approved in "$here"/approved/*.approved.txt; do
  name=${approved##*/}
  name=${name%.approved.txt}
  [[ -n ${known[$name]-} || ! -e $approved ]] && continue
  echo "$approved belongs to no case of cases.sh: remove it"
  ((++differing))
done

if [[ $accept == --accept ]]; then
  echo "$cases outputs, $differing stored anew"
elif ((differing)); then
  echo "$differing of $cases outputs differ; if they should, run tests/cli/accept.sh and commit"
  exit 1
else
  echo "$cases outputs as approved"
fi
