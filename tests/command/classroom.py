"""A class of many: accounts that join one class, work through lesson 1.1 in line mode, each through
its own pipes, and queue for labs at the same time, while their teacher watches.

    classroom.py ZEROTUTOR ZEROLAB FOLDER LEARNERS

FOLDER exists and is empty. As root the learners are numeric user ids without accounts, else one
user with a home for each. It prints TAP."""
import csv, glob, json, os, random, re, sqlite3, subprocess, sys, threading, time

TUTOR, LAB, PLACE, LEARNERS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
ROOT = os.getuid() == 0
CLASS, STARTS, STAND_IN = f"{PLACE}/class", f"{PLACE}/starts", f"{PLACE}/zerolab"
TEACHER, FIRST, CORES, AGAIN = 2000, 2001, 2, 2
SHORT = ["lab", "run", "--", "--ranks", "1", "--stage", "0", "--model", "tiny", "--steps", "2"]


def as_user(uid, words):
    become = ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"] if ROOT else []
    home = f"{PLACE}/{uid}"
    return become + ["env", f"HOME={home}", f"ZEROTUTOR_HOME={home}", f"ZEROLAB={STAND_IN}", TUTOR] + words


def tutor(uid, *words):
    return subprocess.run(as_user(uid, list(words)), stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/")


class Learner(threading.Thread):
    """Answers about half of the first tries wrongly, and every second try rightly, where it can."""

    def __init__(self, uid):
        super().__init__()
        self.uid, self.chance = uid, random.Random(uid)
        self.asked, self.said, self.status, self.step, self.tries = [], "", None, "", 0
        self.failed, self.killed, self.reported = None, False, False

    def number(self, text):
        billions = re.findall(r"([\d.]+)B model", text)
        if not billions:
            return "7"
        bytes_each = 8 if "next line: optimizer moments" in text.rsplit("Type ", 1)[-1] else 16
        return f"{bytes_each * float(billions[-1]):g}"

    def answer(self, prompt, text):
        step = re.findall(r"── step (\d+)", self.said)[-1:]
        self.tries = self.tries + 1 if step == self.step else 1
        self.step = step
        if prompt.startswith("next") and not self.reported:
            self.reported = True
            return f":report {self.uid} finds it \x1b[31mwrong"
        if prompt.startswith(("next", "move")):
            return ""
        if prompt.startswith("run"):
            self.asked.append(time.time_ns())
            return "run"
        if self.tries > 4:
            return ""
        if prompt.startswith("answer"):
            return "1" if self.tries == 1 and self.chance.random() < 0.5 else self.number(self.said)
        return str(self.chance.randint(1, 3))

    def lesson(self):
        pipes = subprocess.Popen(as_user(self.uid, ["learn", "1.1", "--linear"]), cwd="/", stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while heard := os.read(pipes.stdout.fileno(), 65536):
            text = heard.decode("utf-8", "replace")
            self.said += text
            prompt = self.said.rsplit("\n", 1)[-1]
            if self.dies(prompt):
                pipes.kill()
            elif prompt.endswith("> "):
                pipes.stdin.write((self.answer(prompt, text) + "\n").encode())
                pipes.stdin.flush()
        return pipes.wait()

    def dies(self, prompt):
        """Each third one's program is killed at its second question, once, and started again."""
        due = self.uid % 3 == 0 and not self.killed and prompt.startswith("answer") and "step 5" in self.said
        self.killed = self.killed or due
        return due

    def run(self):
        try:
            joined = tutor(self.uid, "class", "join", CLASS)
            self.status = joined.returncode or self.lesson()
            if self.killed:
                self.said += "\n"
                self.status = self.lesson()
            for _ in range(AGAIN):
                self.asked.append(time.time_ns())
                self.status = self.status or tutor(self.uid, *SHORT).returncode
        except Exception as error:  # told by the check of its status
            self.failed = error


# ── the room ──
def make_class():
    if ROOT:
        os.chmod(PLACE, 0o755)
    for uid in [TEACHER] + [FIRST + i for i in range(LEARNERS)]:
        os.mkdir(f"{PLACE}/{uid}")
        if ROOT:
            os.chown(f"{PLACE}/{uid}", uid, uid)
    os.mkdir(f"{PLACE}/srv")
    if ROOT:
        os.chown(f"{PLACE}/srv", TEACHER, TEACHER)
    global CLASS
    CLASS = f"{PLACE}/srv/class"
    open(STARTS, "w").close()
    os.chmod(STARTS, 0o666)
    with open(STAND_IN, "w") as f:
        f.write(f'#!/bin/sh\necho "$ZEROTUTOR_HOME begins $(date +%s%N)" >>{STARTS}\n"{LAB}" "$@"\nstatus=$?\n'
                f'echo "$ZEROTUTOR_HOME ends $(date +%s%N)" >>{STARTS}\nexit $status\n')
    os.chmod(STAND_IN, 0o755)
    made = tutor(TEACHER, "class", "new", CLASS, "lessons=1.1", f"cores={CORES}", "ends=+3h")
    return made.returncode == 0, made.stderr


def watch(learners):
    """Once a second, while they work. Returns how often, the longest, and what went wrong."""
    times, most, wrong, chance = [], 0, "", random.Random(1)
    while any(l.is_alive() for l in learners):
        begun = time.monotonic()
        seen = tutor(TEACHER, "class", "watch", CLASS, "--once", "--json")
        times.append(time.monotonic() - begun)
        for verb in (["collect"], ["watch", "--once", "--json"]):  # the teacher's programs are killed, too
            half = subprocess.Popen(as_user(TEACHER, ["class", verb[0], CLASS] + verb[1:]), stdout=subprocess.DEVNULL, cwd="/")
            try:
                half.wait(chance.random() * 0.03)
            except subprocess.TimeoutExpired:
                half.kill()
                half.wait()
        try:
            room = json.loads(seen.stdout)
            most = max(most, room["here"] + room["away"])
        except (ValueError, KeyError) as error:
            wrong = f"{error!r} {seen.stdout[:300]} {seen.stderr}"
        if seen.returncode:
            wrong = seen.stderr
        for l in learners:
            l.join(max(0, begun + 1 - time.monotonic()))
            if time.monotonic() >= begun + 1:
                break
    return times, most, wrong


# ── what must be true afterwards ──
def record_of(uid):
    path, = glob.glob(f"{PLACE}/{uid}/classes/*.db")
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("SELECT * FROM answer ORDER BY id")]


def handin_of(uid):
    name = json.load(open(f"{PLACE}/{uid}/class.json"))["handin"]
    lines = [json.loads(line) for line in open(f"{CLASS}/handins/{name}.handin")]
    return lines[0], [dict(zip(lines[1]["columns"], line["answer"])) for line in lines[2:]]


def lost_answers():
    for i in range(LEARNERS):
        record, (head, handed) = record_of(FIRST + i), handin_of(FIRST + i)
        if ROOT and head["account"] != f"uid {FIRST + i}":
            return f"{head}"
        if len(record) < 8 or [(r["id"], r["item"], r["typed"], r["time"]) for r in record] != \
                [(h["id"], h["item"], h["typed"], h["time"]) for h in handed]:
            return f"learner {i}: {len(record)} in the record, {len(handed)} handed in"
    return ""


def both_kinds():
    verdicts = [h["verdict"] for i in range(LEARNERS) for h in handin_of(FIRST + i)[1]]
    right = sum(v == "right" for v in verdicts)
    return "" if LEARNERS * 2 < right < len(verdicts) - LEARNERS * 2 else f"{right} of {len(verdicts)} are right"


def collected():
    got = json.loads(tutor(TEACHER, "class", "collect", CLASS, "--json").stdout)
    answers = sum(len(record_of(FIRST + i)) for i in range(LEARNERS))
    # a collecting that was killed may have kept reports before: reports() finds all of them
    fine = (got["handins"] == LEARNERS >= got["reports"] and got["answers"] == answers and
            (not ROOT or not got["listed"]))
    return "" if fine else f"{answers} answers: {got}"


def reports():
    got = json.loads(tutor(TEACHER, "class", "reports", CLASS, "--json").stdout)
    page = tutor(TEACHER, "class", "reports", CLASS).stdout
    words = sorted(one["wrong"].replace("[31m", "").replace("\ufffd", "") for one in got)
    wanted = [f"{FIRST + i} finds it wrong" for i in range(LEARNERS)]
    fine = words == wanted and all(one["item"].startswith("1.1/") and one["account"] for one in got)
    fine = fine and page.count(" finds it ") == LEARNERS and "\x1b" not in page
    fine = fine and (not ROOT or tutor(FIRST, "class", "reports", CLASS).returncode == 2)
    return "" if fine else f"{got}\n{page}"


def book():
    """The gradebook, from the hand-ins alone: the first try of each problem, all of its lines."""
    graded = json.loads(tutor(TEACHER, "class", "grade", CLASS, "--json").stdout)
    items, = [lesson["items"] for lesson in graded["lessons"]]
    rows = list(csv.reader(tutor(TEACHER, "class", "export", CLASS, "--format", "canvas").stdout.splitlines(), strict=True))
    got = {row[3]: float(row[5]) for row in rows[2:]}
    if float(rows[1][5]) != len(items) or len({len(row) for row in rows}) != 1:
        return f"{rows[:2]}"
    for i in range(LEARNERS if ROOT else 0):
        tries, points = {}, 0
        for h in handin_of(FIRST + i)[1]:
            if h["item"].split("/")[1] in items and h["verdict"] not in ("", "noted", "unreadable"):
                tries.setdefault(h["item"], {}).setdefault(h["try"], []).append(h)
        for answers in tries.values():
            first = answers[min(answers)]
            points += all(h["verdict"] in ("right", "rounded") for h in first)
        if got.get(f"uid {FIRST + i}") != points:
            return f"uid {FIRST + i}: {points} from the hand-in, {got} in the book"
    return "" if not ROOT or len(set(got.values())) > 1 else f"all have the same: {got}"


def turns():
    """Each run as (home, begins, ends), in the order of their beginnings."""
    begun, out = {}, []
    for line in open(STARTS):
        home, what, at = line.split()
        if what == "begins":
            begun[home] = int(at)
        else:
            out.append((home, begun.pop(home), int(at)))
    return sorted(out, key=lambda run: run[1])


def too_many_together(runs):
    moments = sorted([(b, 1) for _, b, _ in runs] + [(e, -1) for _, _, e in runs])
    now = most = 0
    for _, change in moments:
        now += change
        most = max(most, now)
    return "" if most <= CORES else f"{most} labs ran at the same time on {CORES} cores"


def passed(runs, learners):
    """While a learner waits, each other one starts at most two turns: one in either round; and one
    more if it read the tickets just before they changed (tests/classroom/test_turns.c)."""
    worst = 0
    for l in learners:
        own = [run for run in runs if run[0] == f"{PLACE}/{l.uid}"]
        for asked, (_, begins, _) in zip(l.asked, own):
            others = [home for home, at, _ in runs if asked < at < begins and home != f"{PLACE}/{l.uid}"]
            worst = max([worst] + [others.count(home) for home in set(others)])
    return worst


number = 0


def check(name, wrong):
    global number
    number += 1
    print(f"{'not ' if wrong else ''}ok {number} - {name}" + (f"\n# {wrong}" if wrong else ""), flush=True)


def main():
    print("1..11")
    made, why = make_class()
    check("a teacher makes a class", "" if made else why)
    learners = [Learner(FIRST + i) for i in range(LEARNERS)]
    begun = time.monotonic()
    for l in learners:
        l.start()
    times, most, wrong = watch(learners)
    bad = [(l.uid, l.status, l.failed, l.said[-400:]) for l in learners if l.status != 0 or l.failed]
    killed = sum(l.killed for l in learners)
    check(f"{LEARNERS} learners finish lesson 1.1 and {1 + AGAIN} labs each, a third after a kill",
          bad[:2] or ("" if killed == LEARNERS // 3 + (LEARNERS % 3 > 0) else f"{killed} were killed"))
    runs = turns()
    waits = sorted((begins - asked) / 1e9 for l in learners for asked, (_, begins, _) in
                   zip(l.asked, [run for run in runs if run[0] == f"{PLACE}/{l.uid}"]))
    check("each lab that was asked for has had its turn",
          "" if len(runs) == LEARNERS * (1 + AGAIN) else f"{len(runs)} turns")
    check("never more labs than the class has cores for", too_many_together(runs))
    worst = passed(runs, learners)
    check("while a learner waits no other starts more than three turns",
          f"one started {worst} turns" if ROOT and worst > 3 else "")
    check("no answer is lost: each record is in its hand-in, in order", lost_answers())
    check("right and wrong answers are among them", both_kinds())
    check("the teacher collects all of them", collected())
    check("and lists what they report as wrong", reports())
    check("the gradebook has the points of the hand-ins", book())
    check("the teacher watches once a second", wrong or ("" if most == (LEARNERS if ROOT else 1) and times else f"{most} seen"))
    print(f"# {time.monotonic() - begun:.0f} s, {len(runs)} turns, waits {waits[0]:.1f} to {waits[-1]:.1f} s (half "
          f"under {waits[len(waits) // 2]:.1f}), passed at most {worst} times; {len(times)} looks, "
          f"{max(times):.2f} s the longest")


main()
