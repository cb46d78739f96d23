#!/usr/bin/env python3
"""Asks every item of the bank over a pipe, runs every command that is to show an answer, and holds
the figures of its --json output against what the item claims of them.

    quiz_show_test.py PROGRAM CLAIMS_TOOL WORK
"""
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys

program, tool, work = (os.path.abspath(argument) for argument in sys.argv[1:4])
LONGEST = 5    # seconds of computation that a learner waits for an answer to be shown
PROVEN = 110   # items, of all, that a command proves
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
env = dict(os.environ, XDG_DATA_HOME=work, ASAN_OPTIONS="detect_leaks=0")
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)


def seconds_of_children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


outputs = {}


def output_of(command):
    """Exit code and JSON of a command; a command that several items show is run once."""
    if command not in outputs:
        begin = seconds_of_children()
        done = subprocess.run([program, *shlex.split(command), "--json"], capture_output=True,
                              text=True, env=env, stdin=subprocess.DEVNULL, timeout=120, cwd=work)
        seconds = seconds_of_children() - begin
        if seconds > LONGEST:
            fail(f"{command}: {seconds:.1f} s")
        try:
            document = json.loads(done.stdout)
        except ValueError:
            document = None
            if done.returncode != 3:  # a run that failed has no figures
                fail(f"{command}: no JSON; {done.stderr.strip()}")
        outputs[command] = (done.returncode, document)
    return outputs[command]


def members(document, pointer):
    """What a JSON pointer (RFC 6901) names, as a list; a part * is every member of a list."""
    found = [document]
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        found = [inner for outer in found
                 for inner in (outer if part == "*" else
                               [outer[int(part)] if isinstance(outer, list) else outer[part]])]
    return found


def figure(document, pointer, claim):
    found = members(document, pointer)
    if "*" not in pointer.split("/"):
        found = found[0]
        if "fold" not in claim and "count" not in claim:
            return found
    if "count" in claim:
        wanted = claim["count"] if isinstance(claim["count"], list) else [claim["count"]]
        return sum(str(one) in map(str, wanted) for one in found)
    fold = {"sum": sum, "max": max, "min": min,
            "imbalance": lambda list: max(list) * len(list) / sum(list)}
    return fold[claim["fold"]](found) if "fold" in claim else found


def number_of(value):
    """A stated number and half a unit of its last digit: '234.9' says 234.85 to 234.95."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    text = str(value)
    try:
        number = float(text)
    except ValueError:
        return None
    digits = len(text.split(".")[1]) if isinstance(value, str) and "." in text else None
    if isinstance(value, str) and digits is None:
        digits = 0
    return number, 0.5 * 10.0 ** -digits if digits is not None else 0.0


def holds(found, claim):
    relation, value = claim["relation"], claim["value"]
    if relation == "contains":
        return value in found or str(value) in [str(one) for one in found]
    stated = number_of(value)
    if stated is None or isinstance(found, (bool, str)) or not isinstance(found, (int, float)):
        return relation == "equals" and found == value
    number, rounding = stated
    room = rounding + max(claim["within"], 1e-9) * abs(number)
    if relation == "equals":
        return abs(found - number) <= room
    return found >= number - room if relation == "at_least" else found <= number + room


def check(line, claim):
    _, document = output_of(claim.get("of", line["show"]))
    found = figure(document, claim["at"], claim)
    if "minus" in claim:
        found -= figure(output_of(claim["minus"])[1], claim["at"], claim)
    if "over" in claim or "against" in claim:
        other = output_of(claim["against"])[1] if "against" in claim else document
        found /= figure(other, claim.get("over", claim["at"]), claim)
    if claim["unit"] != 1:
        found /= claim["unit"]
    if not holds(found, claim):
        fail(f"{line['item']} ({line['key']}): {line['show']}: {claim['at']} is {found}, "
             f"claimed {claim['relation']} {claim['value']}")


asked = subprocess.run([program, "quiz", "--count", "1000", "--seed", "1"], input="a\n" * 1000,
                       capture_output=True, text=True, env=env, timeout=60)
count = int(re.search(r"Question 1 of (\d+)", asked.stdout).group(1))
if asked.returncode != 0 or f"of {count} right" not in asked.stdout:
    fail(f"the whole bank over a pipe: {asked.stdout[-400:]} {asked.stderr}")

lines = [json.loads(line) for line in
         subprocess.run([tool, "5"], capture_output=True, text=True, check=True).stdout.splitlines()]
claims, proven = 0, set()
for line in lines:
    if not line["show"]:
        continue
    code, _ = output_of(line["show"])
    if code != line["exit"]:
        fail(f"{line['item']}: {line['show']}: exit code {code}, expected {line['exit']}")
        continue
    for claim in line["expects"]:
        claims += 1
        try:
            check(line, claim)
        except (KeyError, IndexError, TypeError, ValueError, ZeroDivisionError) as error:
            fail(f"{line['item']}: {line['show']}: {claim['at']}: {error!r}")
    proven.add(line["item"])
    # As a person runs it, without --json: exit code and something to read.
    done = subprocess.run([program, *shlex.split(line["show"])], capture_output=True, text=True,
                          env=env, stdin=subprocess.DEVNULL, timeout=120, cwd=work)
    if done.returncode != line["exit"] or not (done.stdout or line["exit"] == 3):
        fail(f"{line['item']}: {line['show']}: exit code {done.returncode}; {done.stderr.strip()}")

items = {line["item"] for line in lines}
if len(items) != count:
    fail(f"{len(items)} items, but {count} questions were asked")
if len(proven) < PROVEN:
    fail(f"{len(proven)} items are proven by a command, {PROVEN} should be")
for line in lines:
    if not line["generated"] and not line["show"] and not line["source"]:
        fail(f"{line['item']}: neither a command nor a source")
print(f"{count} items, {len(proven)} proven by {claims} claims on {len(outputs)} commands, "
      f"{failures} failed")
sys.exit(failures > 0 or count < 10)
