#!/usr/bin/env bash
# Lessons from the command line: the map, a page, hints one by one, an exercise from stub to solved.
#   lesson_test.sh PROGRAM JSON_TOOL WORK SOURCE
source_folder=$4
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
export RINGLAB_HOME=$work/home

# says CODE WORD ARGUMENTS...: the exit code, and the word on standard output.
says() {
  local wanted=$1 word=$2
  shift 2
  call_program "$@"
  ((code == wanted)) || { failed "exit code $code, not $wanted"; return; }
  grep -qF -- "$word" "$work/out" || failed "does not say '$word'"
}

says 0 'Go on with: ringlab lesson 1' lesson
for lesson in "$source_folder"/lessons/[0-9]*/lesson.json; do
  number=$(basename "$(dirname "$lesson")")
  number=$((10#${number%%-*}))
  says 0 'What to take along' lesson "$number"
  grep -q $'\x1b' "$work/out" && failed "colours in a pipe"
done
says 0 'log-sum-exp' lesson --glossary

refused lesson lesson 99
refused lesson lesson three
refused lesson lesson check 3
refused lesson lesson hint 3
refused lesson lesson start 3c
refused language lesson --language xx
refused missing.cpp lesson check 3a missing.cpp
refused file lesson check 3a
# Opening a page: without a display it says so and the page is not read; in a window it is.
display=${DISPLAY-}
unset DISPLAY WAYLAND_DISPLAY
rm -f home/lessons.json
call_program lesson 3 --open
((code == 2 || code == 3)) || failed "exit code $code for --open without a display"
((code == 2)) || grep -q viz err || failed "does not name the visualiser"
grep -qs 3 home/lessons.json && failed "a page that did not open is marked as read"
if [[ -z $display ]] && command -v Xvfb >/dev/null && ((code == 3)); then
  Xvfb -displayfd 3 -screen 0 1280x800x24 3>display.txt 2>/dev/null &
  server=$!
  for _ in {1..50}; do [[ -s display.txt ]] || sleep 0.2; done
  display=:$(<display.txt)
  XDG_CONFIG_HOME=$work/config DISPLAY=$display LIBGL_ALWAYS_SOFTWARE=1 \
    timeout 60 "$program" lesson 3 --open >out 2>err &
  window=$!
  for _ in {1..100}; do grep -qs 3 home/lessons.json || sleep 0.2; done
  call='lesson 3 --open, in a window'
  grep -qs 3 home/lessons.json || failed "the page is not marked as read"
  kill -0 "$window" 2>/dev/null || failed "the window is gone"
  kill "$window" "$server"
  wait "$window" "$server" 2>/dev/null
fi

says 0 'yours to fill in' lesson start 3a
says 0 'was left as it is' lesson start 3a
[[ -s ringlab-lessons/exercise.hpp ]] || failed "no header beside the file"
says 0 'yours to fill in' lesson start 10
[[ -s ringlab-lessons/split_mlp.hpp ]] || failed "no header of its own beside the file"
says 1 'not yet right' lesson check 10
says 1 'not yet right' lesson check 3a
grep -q 'right  3' out || failed "does not show the right value"
says 0 'A nudge' lesson hint 3a
says 0 'The concept' lesson hint 3a
says 0 'A worked neighbour' lesson hint 3a
grep -q 'A solution' out && failed "the solution comes too early"
says 0 'A solution' lesson hint 3a
says 0 'A solution' lesson hint 3a
cp "$source_folder"/lessons/03-online-softmax/online_softmax.solution.cpp mine.cpp
says 0 'Why it is right' lesson check 3a mine.cpp
grep -q 'Second goal' out || failed "no second goal"
says 0 '3a+' lesson
says 1 'does not build' lesson check 3a "$source_folder/README.md"
chmod -R u+w "$work"
echo '{' >home/lessons.json
refused lessons.json lesson
finish
