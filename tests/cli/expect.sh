# What the shell tests of the program share. Sourced with PROGRAM, JSON_TOOL and a scratch folder:
#   source expect.sh PROGRAM JSON_TOOL WORK
program=$1 json_tool=$2 work=$3
rm -rf -- "$work"
mkdir -p -- "$work"
cd -- "$work" || exit 1
checks=0 failures=0

failed() {
  ((++failures))
  printf 'FAILED: ringlab %s\n  %s\n' "$call" "$1"
  [[ -s $work/err ]] && sed 's/^/  stderr: /' "$work/err" | head -5
  return 1
}

# Runs the program; leaves $code, $work/out and $work/err. A hang is a failure, not a stuck test.
call_program() {
  call=$*
  ((++checks))
  timeout 60 "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
  code=$?
}

# refused WORD ARGUMENTS...: exit 2, nothing on standard output, one line that has the word.
refused() {
  local word=$1
  shift
  call_program "$@"
  ((code == 2)) || { failed "exit code $code, not 2"; return; }
  [[ ! -s $work/out ]] || { failed "something on standard output"; return; }
  (($(wc -l <"$work/err") == 1)) || { failed "not one line on standard error"; return; }
  grep -qF -- "$word" "$work/err" || failed "does not say '$word'"
}

# answers CODE ARGUMENTS...: the exit code, one JSON object, and no word on standard error.
answers() {
  local wanted=$1
  shift
  call_program "$@"
  ((code == wanted)) || { failed "exit code $code, not $wanted"; return; }
  "$json_tool" object <"$work/out" || { failed "standard output is not one JSON object"; return; }
  [[ ! -s $work/err ]] || failed "something on standard error"
}

# has POINTER VALUE: of the last answer.
has() {
  local value
  value=$("$json_tool" get "$1" <"$work/out") || value="nothing"
  [[ $value == "$2" ]] || failed "$1 is $value, not $2"
}

finish() {
  printf '%d calls, %d failed\n' "$checks" "$failures"
  ((failures == 0))
  exit
}
