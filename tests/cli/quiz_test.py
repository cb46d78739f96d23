#!/usr/bin/env python3
"""Whole certificate runs through a pseudo-terminal at 80 and at 40 columns, stopped, killed, hung up
and resumed; then the certificate, the instructor's way, and the exports, each read by other means.

    quiz_test.py PROGRAM WORK
"""
import base64
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import termios
import time
import xml.etree.ElementTree
import zipfile
import zlib

program, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
checks = failures = 0
SEED = "20261130"
PROMPT = "h help: "


def check(condition, what):
    global checks, failures
    checks += 1
    if not condition:
        failures += 1
        print("FAILED:", what)
    return condition


def environment(data):
    env = dict(os.environ, XDG_DATA_HOME=data, TERM="xterm", ASAN_OPTIONS="detect_leaks=0")
    env.pop("NO_COLOR", None)
    return env


def run(*arguments, data, stdin=""):
    return subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True,
                          env=environment(data), cwd=work, timeout=120)


class Terminal:
    """The program on a pseudo-terminal of so many columns."""

    def __init__(self, columns, data, *arguments):
        self.columns, self.text, self.code = columns, "", None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execve(program, [program, *arguments], environment(data))
        self.seen = 0

    def _read(self):
        try:
            part = os.read(self.master, 65536)
        except OSError:
            part = b""
        self.text += part.decode("utf-8", "replace")
        return bool(part)

    def until(self, what, seconds=30):
        """The new text up to `what`; None at the end of the program."""
        end = time.time() + seconds
        while what not in self.text[self.seen:]:
            if time.time() > end or not self._read():
                return None
        at = self.text.index(what, self.seen) + len(what)
        part, self.seen = self.text[self.seen:at], at
        return part

    def send(self, line):
        os.write(self.master, (line + "\n").encode())

    def finish(self):
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        self.code = os.waitstatus_to_exitcode(status)
        part, self.seen = self.text[self.seen:], len(self.text)
        return part

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.finish()

    def hang_up(self):
        os.close(self.master)
        _, status = os.waitpid(self.pid, 0)
        self.code = os.waitstatus_to_exitcode(status)

    def check_width(self):
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.text).replace("\r", "")
        for line in plain.split("\n"):
            words = line.split()
            check(len(line) <= self.columns or len(words) <= 1,
                  f"wider than {self.columns} columns: {line!r}")


def learn_key(data, columns):
    """Answers `a` everywhere and reads from the feedback which option would have been right."""
    terminal = Terminal(columns, data, "quiz", "exam", "--seed", SEED)
    letters = []
    terminal.until(PROMPT)
    for number in range(20):
        terminal.send("a")
        said = terminal.until(PROMPT) if number < 19 else terminal.finish()
        said = re.sub(r"\x1b\[[0-9;]*m", "", said).replace("\r", "")
        wrong = re.search(r"Right is ([a-d])\)", said)
        check(("Not quite." in said) == bool(wrong), "feedback says which is right: " + said[:400])
        check(" Why: " in said, "feedback explains")
        letters.append(wrong.group(1) if wrong else "a")
    terminal.check_width()
    check(terminal.code == 1, f"a run that is not passed ends with 1, not {terminal.code}")
    return letters


def interrupted_run(data, columns, letters):
    """Passes with two wrong answers, stopped by q, by SIGKILL and by a hang-up on the way."""
    given = list(letters)
    for i in (3, 11):
        given[i] = "b" if letters[i] == "a" else "a"
    at = 0

    def session(arguments, count, first):
        nonlocal at
        terminal = Terminal(columns, data, "quiz", "exam", *arguments)
        start = terminal.until(PROMPT)
        check(f"Question {first} of 20" in " ".join(start.split()), f"begins with question {first}")
        for i in range(count):
            terminal.send(given[at] + ("!" if at % 3 == 0 else "?" if at % 3 == 1 else ""))
            at += 1
            if at < 20:
                check(terminal.until(PROMPT) is not None, f"question {at + 1} comes")
        return terminal

    terminal = session(["--seed", SEED, "--restart"], 7, 1)
    terminal.send("x")  # no answer at all: help, and the same question again
    check("stops" in (terminal.until(PROMPT) or ""), "help on a wrong key")
    terminal.send("q")
    check("nothing is lost" in " ".join(terminal.finish().split()), "q says that nothing is lost")
    check(terminal.code == 1, "an unfinished exam is not passed")
    terminal.check_width()
    terminal = session([], 6, 8)
    terminal.kill()
    terminal = session([], 2, 14)
    terminal.hang_up()
    terminal = session([], 5, 16)
    end = re.sub(r"\x1b\[[0-9;]*m", "", terminal.finish())
    check("18 of 20 right" in end, "18 of 20 right at the end: " + end[-400:])
    check(terminal.code == 0, f"a passed run ends with 0, not {terminal.code}")
    terminal.check_width()

    exams = sorted(os.listdir(os.path.join(data, "ringlab/quiz/exams")))
    transcript = json.load(open(os.path.join(data, "ringlab/quiz/exams", exams[-1])))
    check([("abcd"[a["choice"]]) for a in transcript["answers"]] == given,
          "every answer stands in the transcript, in order")
    check([a["confidence"] for a in transcript["answers"]] ==
          [["sure", "guess", "think"][i % 3] for i in range(20)], "and how sure it was")
    progress = json.load(open(os.path.join(data, "ringlab/quiz/progress.json")))
    check("exam" not in progress, "the run is closed")
    check(sum(item["asked"] for item in progress["items"].values()) == 40, "statistics count 40")
    return os.path.join(data, "ringlab/quiz/exams", exams[-1])


def png_chunks(content):
    check(content[:8] == b"\x89PNG\r\n\x1a\n", "a PNG")
    at, chunks = 8, []
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        data = content[at + 8:at + 8 + size]
        (crc,) = struct.unpack(">I", content[at + 8 + size:at + 12 + size])
        check(crc == zlib.crc32(kind + data), f"checksum of {kind}")
        chunks.append((kind, data))
        at += 12 + size
    return chunks


def certificate(data, transcript):
    made = run("quiz", "certificate", "--name", "አበበ በቂላ", "--language", "am", "--out", "own",
               data=data)
    check(made.returncode == 0, "certificate: " + made.stderr)
    key = os.path.join(data, "ringlab/quiz/key")
    check(stat.S_IMODE(os.stat(key).st_mode) == 0o600, "the secret key has mode 600")
    secret = open(key).read().split("\n")[1]
    credential = open(os.path.join(work, "own.json")).read()

    chunks = png_chunks(open(os.path.join(work, "own.png"), "rb").read())
    width, height = struct.unpack(">II", chunks[0][1][:8])
    rows = zlib.decompress(b"".join(d for k, d in chunks if k == b"IDAT"))
    check(len(rows) == height * (1 + 3 * width), "all pixels of the PNG are there")
    baked = [d for k, d in chunks if k == b"iTXt"]
    check(len(baked) == 1, "one iTXt chunk")
    check(baked[0] == b"openbadgecredential\0\0\0\0\0" + credential.encode(), "with the credential")

    tree = xml.etree.ElementTree.parse(os.path.join(work, "own.svg"))
    found = tree.findall(".//{https://purl.imsglobal.org/ob/v3p0}credential")
    check(len(found) == 1 and found[0].text == credential, "one credential in the SVG")
    if shutil.which("zbarimg"):
        scanned = subprocess.run(["zbarimg", "--quiet", "--raw", os.path.join(work, "own.png")],
                                 capture_output=True, text=True)
        check(scanned.stdout.strip() == json.loads(credential)["id"], "the QR code holds the id")

    for ending in ("json", "png", "svg"):
        verified = run("quiz", "verify", "own." + ending, data=data)
        check(verified.returncode == 0 and "Valid." in verified.stdout, f"own.{ending} verifies")
        check("not who sat there" in " ".join(verified.stdout.split()), "and says what that is worth")
    elsewhere = run("quiz", "verify", "own.png", "--json", data=os.path.join(work, "stranger"))
    answer = json.loads(elsewhere.stdout)
    check(answer["valid"] and answer["trust"] == "unknown", "a stranger verifies it as well")
    check(answer["name"] == "አበበ በቂላ" and answer["right"] == 18, "with name and result")

    # The evidence is the transcript itself.
    evidence = json.loads(credential)["evidence"][0]["id"].split("base64,")[1]
    run_in_it = json.loads(base64.urlsafe_b64decode(evidence + "=" * (-len(evidence) % 4)))
    check(run_in_it == json.load(open(transcript)), "the evidence is the transcript")

    # A better score, typed in.
    cheat = json.loads(credential)
    cheat["evidence"][0]["narrative"] = "20 of 20 right."
    json.dump(cheat, open(os.path.join(work, "cheat.json"), "w"))
    refused = run("quiz", "verify", "cheat.json", data=data)
    check(refused.returncode == 1 and "Not valid." in refused.stdout, "a changed score is refused")

    open(os.path.join(work, "large.json"), "wb").truncate(100 << 20)
    large = run("quiz", "verify", "large.json", data=data)
    check(large.returncode == 2 and "larger" in large.stderr, "a file of 100 MB is refused")
    return secret


def instructor(data, transcript):
    keygen = run("quiz", "keygen", "--out", "school.key", data=data)
    public = keygen.stdout.strip()
    check(keygen.returncode == 0 and re.fullmatch(r"did:key:z6Mk\w+", public), "keygen")
    check(stat.S_IMODE(os.stat(os.path.join(work, "school.key")).st_mode) == 0o600, "mode 600")
    secret = open(os.path.join(work, "school.key")).read().split("\n")[1]
    again = run("quiz", "keygen", "--out", "school.key", data=data)
    check(again.returncode == 2, "a key is never written over")
    issued = run("quiz", "issue", transcript, "--name", "Hodan", "--issuer", "School", "--key",
                 "school.key", "--out", "hodan.png", data=data)
    check(issued.returncode == 0, "issue: " + issued.stderr)
    trusted = run("quiz", "verify", "hodan.png", "--trust", public, "--json", data=data)
    check(json.loads(trusted.stdout)["trust"] == "trusted", "verify --trust KEY")
    open(os.path.join(work, "school.pub"), "w").write(public + "\n")
    by_file = run("quiz", "verify", "--trust", "school.pub", "hodan.png", data=data)
    check(by_file.returncode == 0, "verify --trust FILE")
    stranger = run("quiz", "keygen", "--out", "other.key", data=data).stdout.strip()
    refused = run("quiz", "verify", "hodan.png", "--trust", stranger, data=data)
    check(refused.returncode == 1, "a key that is not trusted is refused")

    changed = json.load(open(transcript))
    changed["answers"][0]["choice"] = (changed["answers"][0]["choice"] + 1) % 3
    changed["answers"][1]["choice"] = (changed["answers"][1]["choice"] + 1) % 3
    changed["answers"][2]["choice"] = (changed["answers"][2]["choice"] + 1) % 3
    json.dump(changed, open(os.path.join(work, "failed.json"), "w"))
    refused = run("quiz", "issue", "failed.json", "--name", "Hodan", "--issuer", "School", "--key",
                  "school.key", "--out", "no.png", data=data)
    check(refused.returncode == 2 and not os.path.exists(os.path.join(work, "no.png")),
          "a transcript that is not passed is not signed")
    os.chmod(os.path.join(work, "school.key"), 0o644)
    refused = run("quiz", "issue", transcript, "--name", "Hodan", "--issuer", "School", "--key",
                  "school.key", "--out", "no.png", data=data)
    check(refused.returncode == 2 and "chmod 600" in refused.stderr, "a key that others can read")
    check(secret not in refused.stderr + keygen.stdout + keygen.stderr, "the secret is not printed")
    return secret


def piped(data):
    """Practice and statistics over a plain pipe: no colours, ends with the input."""
    practice = run("quiz", "--count", "3", "--seed", "5", data=data, stdin="a!\nb\n")
    check(practice.returncode == 0, "practice over a pipe")
    check("\x1b" not in practice.stdout, "no colours in a pipe")
    check("Stopped after 2 of 3" in practice.stdout, "stops at the end of the input")
    rest = run("quiz", data=data, stdin="c?\n")
    check("Going on with question 3 of 3" in rest.stdout and "of 3 right" in rest.stdout,
          "and goes on")
    stats = json.loads(run("quiz", "stats", "--json", data=data).stdout)
    check(sum(lesson["asked"] for lesson in stats["lessons"]) == 3, "statistics count them")
    # What was missed or guessed comes back, once the clock says so.
    progress_file = os.path.join(data, "ringlab/quiz/progress.json")
    progress = json.load(open(progress_file))
    check(len(progress["cards"]) >= 1, "what was guessed is on the schedule")
    for card in progress["cards"].values():
        card["due_at"] = card["last_at"]
    json.dump(progress, open(progress_file, "w"))
    review = run("quiz", "review", data=data, stdin="a\n" * len(progress["cards"]))
    check(f"of {len(progress['cards'])} right" in review.stdout, "review asks what is due")
    check("Nothing is due" in run("quiz", "review", data=data).stdout, "and then nothing is")

    # A named lesson goes on as well; another one is another run.
    lesson = run("quiz", "--lesson", "5", data=data, stdin="a\n")
    check("Stopped after 1 of" in lesson.stdout, "a lesson, stopped")
    lesson = run("quiz", "--lesson", "5", data=data, stdin="a\n")
    check("Going on with question 2" in lesson.stdout, "a lesson goes on")
    lesson = run("quiz", "--lesson", "4", data=data, stdin="")
    check("Question 1 of" in lesson.stdout and "lesson 4:" in lesson.stdout, "another lesson")

    # Two at a time would lose answers.
    held = Terminal(80, data, "quiz", "--restart")
    held.until(PROMPT)
    check(run("quiz", data=data, stdin="a\n").returncode == 2, "a second quiz is refused")
    held.send("q")
    held.finish()

    # A broken file is named, not overwritten.
    broken = '{"version": 1, "items": {'
    open(progress_file, "w").write(broken)
    refused = run("quiz", data=data, stdin="a\n")
    check(refused.returncode == 2 and "progress.json" in refused.stderr, "a broken file is refused")
    check(open(progress_file).read() == broken, "and left alone")


def exports(data):
    run("quiz", "export", "--format", "qti", "--out", "bank.zip", data=data)
    run("quiz", "export", "--format", "anki", "--out", "bank.txt", data=data)
    gift = run("quiz", "export", "--format", "gift", "--out", "bank.gift", data=data)
    count = int(gift.stdout.split()[0])
    cards = [line.split("\t") for line in open(os.path.join(work, "bank.txt"))
             if not line.startswith("#")]
    answers = {c[0].strip('"'): re.search(r"<b>[a-d]\) (.*?)</b>", c[2]).group(1).replace('""', '"')
               for c in cards}
    sourced = {c[0].strip('"') for c in cards if " Source: " in c[2]}
    check(len(answers) == count, f"{count} cards")
    check(len(sourced) > 0, "some cards name a source")

    qti = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
    package = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
    with zipfile.ZipFile(os.path.join(work, "bank.zip")) as archive:
        check(archive.testzip() is None, "the zip is whole")
        manifest = xml.etree.ElementTree.fromstring(archive.read("imsmanifest.xml"))
        hrefs = [r.get("href") for r in manifest.iter(package + "resource")]
        check(len(set(hrefs)) == count, "the manifest lists every question")
        check(set(archive.namelist()) == set(hrefs) | {"imsmanifest.xml"}, "and nothing else")
        for href in hrefs:
            item = xml.etree.ElementTree.fromstring(archive.read(href))
            name = item.get("identifier")
            choices = {c.get("identifier"): c.text for c in item.iter(qti + "simpleChoice")}
            right = item.find(f"{qti}responseDeclaration/{qti}correctResponse/{qti}value").text
            feedback = {f.get("identifier") for f in item.iter(qti + "modalFeedback")}
            check(right in choices, f"{name}: the right answer is a choice")
            check(feedback == set(choices), f"{name}: feedback for each choice")
            plain = answers[name].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
            check(choices[right] == plain, f"{name}: QTI and Anki agree on the right answer")
            said = [f.text for f in item.iter(qti + "modalFeedback")]
            check(all((" Source: " in text) == (name in sourced) for text in said),
                  f"{name}: the source, where there is one, stands in each feedback")
    check(run("quiz", "export", "--format", "aiken", "--out", "x", data=data).returncode == 2,
          "an unknown format is refused")


shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
secrets = []
for columns in (80, 40):
    data = os.path.join(work, f"data{columns}")
    os.makedirs(data)
    letters = learn_key(data, columns)
    transcript = interrupted_run(data, columns, letters)
    if columns == 80:
        secrets.append(certificate(data, transcript))
        secrets.append(instructor(data, transcript))
os.makedirs(os.path.join(work, "piped"))
piped(os.path.join(work, "piped"))
exports(os.path.join(work, "piped"))
for folder, _, names in os.walk(work):
    for name in names:
        path = os.path.join(folder, name)
        if name in ("key", "school.key", "other.key", "large.json"):
            continue
        content = open(path, "rb").read()
        check(not any(s.encode() in content for s in secrets), f"no secret in {path}")
print(f"{checks} checks, {failures} failed")
sys.exit(failures > 0)
