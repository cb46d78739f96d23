#!/usr/bin/env python3
"""Asks every item of the bank over a pipe and runs every command that is to show its answer.

    quiz_show_test.py PROGRAM WORK
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

program, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LONGEST = 20  # seconds that a learner may wait for an answer to be shown
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
env = dict(os.environ, XDG_DATA_HOME=work, ASAN_OPTIONS="detect_leaks=0")

asked = subprocess.run([program, "quiz", "--count", "1000", "--seed", "1"], input="a\n" * 1000,
                       capture_output=True, text=True, env=env, timeout=60)
count = int(re.search(r"Question 1 of (\d+)", asked.stdout).group(1))
failures = int(asked.returncode != 0 or f"of {count} right" not in asked.stdout)
if failures:
    print("FAILED: the whole bank over a pipe:", asked.stdout[-400:], asked.stderr)

shows = re.findall(r"Show me: (ringlab .*?)\s+\(s\s+runs\s+it\)", asked.stdout, re.DOTALL)
commands = sorted({" ".join(show.split()) for show in shows})
for command in commands:
    arguments = shlex.split(command)[1:]
    if arguments[0] == "viz":  # opens a window
        continue
    begin = time.time()
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, env=env,
                              stdin=subprocess.DEVNULL, timeout=60, cwd=work)
        wrong = done.returncode != 0 or not done.stdout
        what = done.stderr.strip()
    except subprocess.TimeoutExpired:
        wrong, what = True, "no end within 60 s"
    seconds = time.time() - begin
    if wrong or seconds > LONGEST:
        failures += 1
        print(f"FAILED: {command}: {seconds:.1f} s; {what}")
print(f"{count} questions, {len(commands)} commands, {failures} failed")
sys.exit(failures > 0 or count < 10 or not commands)
