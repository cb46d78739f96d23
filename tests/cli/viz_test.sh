#!/usr/bin/env bash
# The visualiser from the command line: pictures and films without a display, scripts and their exit
# codes, wrong calls by name, and what it says where no window can be opened.
#   viz_test.sh PROGRAM JSON_TOOL WORK
source "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh" "$1" "$2" "$3"
unset DISPLAY WAYLAND_DISPLAY
export LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=1 XDG_CONFIG_HOME=$work/config HOME=$work

# works CODE ARGUMENTS...: the exit code, and no word on standard error.
works() {
  local wanted=$1
  shift
  call_program "$@"
  ((code == wanted)) || { failed "exit code $code, not $wanted"; return; }
  [[ ! -s $work/err ]] || failed "something on standard error"
}
# says WORD: on standard output of the last call.
says() { grep -qF -- "$1" "$work/out" || failed "does not say '$1'"; }
# png FILE WIDTH HEIGHT: by the bytes of its header.
png() {
  local found
  found=$(od -An -tu1 -j16 -N8 -- "$1" 2>/dev/null | awk '{print $3 * 256 + $4, $7 * 256 + $8}')
  [[ $found == "$2 $3" ]] || failed "$1 is '$found', not $2 $3"
}

works 0 viz --list
says causal-zigzag
works 0 viz --screenshot out.png --preset causal-zigzag --at hop=3
png out.png 1280 800
works 0 viz --screenshot again.png --preset causal-zigzag --at hop=3
cmp -s out.png again.png || failed "the same moment is another picture"
works 0 viz --screenshot other.png --preset causal-zigzag --at hop=4
cmp -s out.png other.png && failed "another moment is the same picture"
works 0 viz --screenshot small.png --ranks 3 --tokens 48 --size 640x480 --theme light --ui-scale 1.2 --at end
png small.png 640 480
printf '{"ranks": 2, "tokens": 32, "heads": 1, "head_dim": 8}' >scene.json
works 0 viz scene.json --screenshot scene.png --size 640x480
works 0 viz scene.json --record film.gif --size 480x360
[[ $(head -c6 film.gif) == GIF89a ]] || failed "no GIF"
works 0 viz scene.json --record film --size 480x360 --at hop=1
png film/frame_0000.png 480 360
[[ -e config ]] && failed "pictures have written settings"

# A run's own times are laid over its own scenario.
call_program run --ranks 2 --tokens 32 --heads 1 --head-dim 8 --trace run.json
works 0 viz --trace run.json --screenshot trace.png

printf 'key right\nexpect rank 0\nexpect layout\nshot shot.png\n' >good.txt
works 0 viz --script good.txt
says '4 steps, 0 expectations failed'
[[ -s shot.png ]] || failed "no shot"
printf 'expect rank 3\n' >bad.txt
works 1 viz --script bad.txt
says 'bad.txt:1: expect rank 3: it is 0'
printf 'dance\n' >wrong.txt
refused 'wrong.txt:1' viz --script wrong.txt

# A lesson beside its scene: its links and commands, through the whole program.
export RINGLAB_HOME=$work/home
cat >lesson.txt <<'END'
expect lesson 5
expect layout
expect item lesson/link0
click lesson/link1
expect layout
expect text "4 ranks · 64 tokens"
expect item lesson/show2
expect no-item lesson/show3
click lesson/show2
expect text "8 ranks · 512 tokens · 8 query / 2 key-value heads"
expect lesson 5
lesson 4
click lesson/show2
expect text "3 ranks · 7 tokens"
END
works 0 viz --lesson 5 --script lesson.txt
works 0 viz --lesson 10 --screenshot lesson.png
printf 'expect lesson 5\nexpect preset slow-link\nexpect time 0\n' >own.txt
works 0 viz --lesson 5 --preset slow-link --script own.txt
call_program lesson
grep -q '~ *5 ' "$work/out" || failed "lesson 5 is not marked as read"
grep -q '~ *10 ' "$work/out" || failed "lesson 10 is not marked as read"
grep -q '~ *4 ' "$work/out" && failed "a script has marked lesson 4 as read"
refused lesson viz --lesson 99 --screenshot x.png

works 0 viz --screenshot clock.png --ranks 8 --tokens 128 --clock simulated --cluster 2x4xh100 \
  --simulated-tokens 131072 --slow-rank 3 --slow-link-from 1 --slow-link-to 2
works 0 viz --screenshot two.png --preset two-nodes --at hop=3 --size 640x480
refused cluster viz --clock simulated --cluster 8xmoon --screenshot x.png
refused ranks viz --ranks 16 --tokens 128 --clock simulated --cluster 8xh100 --screenshot x.png
refused simulated_tokens viz --ranks 8 --tokens 128 --clock simulated --simulated-tokens 1000 \
  --screenshot x.png
refused clock viz --clock sundial --screenshot x.png
refused slow_rank viz --slow-rank many --screenshot x.png
refused simulated_dtype viz --simulated-dtype int4 --screenshot x.png
refused preset viz --preset nothing --screenshot x.png
refused at viz --at noon --screenshot x.png
refused at viz --at hop=99 --screenshot x.png
refused size viz --size 1280 --screenshot x.png
refused theme viz --theme pink --screenshot x.png
refused ui_scale viz --ui-scale 9 --screenshot x.png
refused script viz --script missing.txt
refused trace viz --trace missing.json
refused picture viz --screenshot nowhere/x.png
refused record viz --record /proc/none
refused ranks viz --ranks 0 --screenshot x.png
refused ranks bench viz --ranks 0
refused frames bench viz --frames 0

answers 0 bench viz --ranks 4 --frames 3 --size 640x480 --json
has /ranks 4
has /frames 3

# No display: it says so, and how to do without.
call_program viz
((code == 3)) || failed "exit code $code, not 3"
grep -qF -- --screenshot "$work/err" || failed "does not say how"
finish
