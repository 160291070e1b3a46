#!/bin/sh
# `zerotutor class`, as a teacher and a learner type it. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
export ZEROTUTOR_HOME="$place/home" ZEROTUTOR_NOW=1795521600 # 2026-11-24 12:00 UTC
class="$place/sys 26"
PYTHON=${PYTHON:-python3}

# Every prompt of a lesson gets a wrong number and then an Enter: one of them leads on, whatever the steps are.
wrong() { yes '1
' | head -$((2 * $1)); }
tutor() { # exit status expected, then the words
    status=$1
    shift
    "$ZEROTUTOR" "$@" >"$place/said" 2>"$place/error"
    [ $? = "$status" ] || { cat "$place/said" "$place/error"; false; }
}
modes() { stat -c '%a %n' "$class" "$class"/* | sed "s|$class||; s|/||" | sort | tr '\n' ' '; }

makes() {
    tutor 0 class new "$class" lessons=1.1:15,1.2:12 ends=+90m &&
        has "$place/said" "zerotutor class join '$class'" &&
        [ "$(modes)" = '1733 handins 1777 queue 644 class.json 700 kept 711 feedback 755  ' ] || { modes; false; }
}
joins_from_anywhere() { # what is to be written on the wall is no name relative to the teacher's folder
    (cd "$place" && "$ZEROTUTOR" class new relative) >"$place/said" && has "$place/said" "zerotutor class join $place/relative"
}
makes_once() { tutor 2 class new "$class" && has "$place/error" 'not empty'; }
makes_nothing() { tutor 2 class new "$place/bad" ends=noon && has "$place/error" 'not a time' && [ ! -e "$place/bad" ]; }
warns_of_strangers() {
    tutor 0 class set "$class" extend=no-such-one+10m assistants=nor-this && has "$place/said" 'no-such-one, who gets more time' &&
        has "$place/said" 'This machine has no account nor-this' && tutor 0 class set "$class" extend=no-such-one+0m assistants= &&
        lacks "$place/said" 'no-such-one' && lacks "$place/said" 'nor-this'
}
lists_settings() { tutor 0 class set "$class" due=1.1@12:30 && has "$place/said" 'due=1.1@2026-11-24 12:30'; }

no_class() { tutor 2 class status && has "$place/error" 'you are in no class'; }
joins() {
    tutor 0 class join "$class" && flat &&
        has "$place/line" 'from 2026-11-24 12:00 until 2026-11-24 13:30' &&
        has "$place/line" 'nothing from before' && has "$place/line" 'numbers of your own' &&
        has "$place/line" 'Two of you at one keyboard?' && lacks "$place/line" 'lessons differ' &&
        [ "$(stat -c %a "$ZEROTUTOR_HOME/class.json")" = 600 ]
}
joins_as_a_pair() {
    tutor 0 class join "$class" --with bob && has "$place/said" 'with bob' &&
        has "$place/said" 'one hand-in with two names' && tutor 0 class status &&
        has "$place/said" 'with bob in the class sys 26'
}
tells_deadlines() {
    tutor 0 class status && has "$place/said" 'It runs until 2026-11-24 13:30.' &&
        has "$place/said" '1.1          15  2026-11-24 12:30' && has "$place/said" '1.2          12  2026-11-24 13:30' &&
        has "$place/said" 'You have not handed in an answer yet.'
}
tells_json() {
    tutor 0 class status --json && has "$place/said" '"lesson": "1.1"' && has "$place/said" '"running": true' &&
        has "$place/said" '"with": "bob"'
}
tells_other_lessons() {
    sed -i 's/"course": "[0-9a-f]*"/"course": "other"/; s/"version": "[^"]*"/"version": "9.9"/' "$class/class.json"
    tutor 0 class join "$class" && flat &&
        has "$place/line" 'lessons differ' && has "$place/line" 'made with zerotutor 9.9' &&
        tutor 0 class doctor "$class" && flat &&
        has "$place/line" 'lessons note the class was made with zerotutor 9.9' &&
        has "$place/line" 'your lessons are not those'
}
another_first() {
    tutor 0 class new "$place/other" && tutor 2 class join "$place/other" &&
        has "$place/error" '`zerotutor class leave` before'
}
another_day() { # a time that is past is tomorrow's, which is said, and makes no class of a day
    tutor 0 class new "$place/tomorrow" begins=11:59 && has "$place/said" 'does not begin today, but at 2026-11-25 11:59' &&
        tutor 2 class new "$place/day" begins=13:00 ends=11:59 && has "$place/error" 'ends="2026-11-25 11:59"' &&
        [ ! -e "$place/day" ] && tutor 0 class new "$place/day" 'begins=2026-11-24 14:00' 'ends=2026-11-25 13:00'
}
after_the_end() { # a class that is over is left for another
    (export ZEROTUTOR_HOME="$place/second" && tutor 0 class new "$place/first class" && tutor 0 class join "$place/first class" &&
        tutor 0 class new "$place/next" && tutor 2 class join "$place/next" && tutor 0 class close "$place/first class" &&
        tutor 0 class join "$place/next" && has "$place/said" 'first class is over, and you left it' &&
        tutor 0 class status && has "$place/said" 'in the class next' && lacks "$place/said" 'cannot be handed in' &&
        tutor 2 class nickname daemon && has "$place/error" 'daemon is taken' && tutor 0 class nickname fox &&
        { wrong 12; echo :quit; } | "$ZEROTUTOR" learn 1.1 --linear >"$place/said" && tutor 0 class status && flat &&
        has "$place/line" 'handed in, the last at' && rm -r "$place/next/handins" && tutor 0 class status && flat &&
        has "$place/line" 'Answers cannot be handed in now: ' && lacks "$place/line" 'not handed in an answer')
}
leaves() {
    tutor 0 class leave && has "$place/said" 'You left the class sys 26' && [ ! -e "$ZEROTUTOR_HOME/class.json" ] &&
        tutor 2 class leave && has "$place/error" 'you are in no class'
}
not_a_class() { tutor 2 class join "$place" && has "$place/error" 'not a class'; }

roster() {
    printf 'root, Ada Lovelace\n%s\neve # later\n' "$(id -un | sed 's/^root$/daemon/')" >"$place/list"
    tutor 0 class roster "$class" "$place/list" && has "$place/said" 'Ada Lovelace' &&
        [ "$(stat -c %a "$class/roster")" = 600 ] && cmp "$place/list" "$class/roster"
}
bad_roster() {
    printf 'ada\nada lovelace\n' >"$place/bad"
    tutor 2 class roster "$class" "$place/bad" && has "$place/error" 'bad:2: ' && cmp "$place/list" "$class/roster" &&
        tutor 2 class roster "$class" "$place/none" && has "$place/error" "$place/none"
}
who_is_here() {
    tutor 0 class status "$class" && has "$place/said" '0 learners started zerotutor in it' &&
        has "$place/said" 'Ada Lovelace' && has "$place/said" 'not yet' &&
        tutor 0 class status "$class" --json && has "$place/said" '"joined": false'
}

fine() {
    tutor 0 class doctor "$place/other" && lacks "$place/said" broken && lacks "$place/said" 'chmod' &&
        flat && has "$place/line" 'only Slurm can enforce turns'
}
broken() { # each command that is printed is run, and fixes it
    umask 022
    chmod 777 "$class/handins" "$class"
    chmod 666 "$class/roster"
    : >"$class/board.json"
    mv "$class/feedback" "$place/elsewhere" && ln -s "$place/elsewhere" "$class/feedback"
    mkfifo "$class/handins/00000000000000000000000000000001.handin"
    tutor 1 class doctor "$class" --json && has "$place/said" '"ok": false' && has "$place/said" '"state": "broken"' &&
        has "$place/said" '"fix": "chmod 1733' && tutor 1 class doctor "$class" &&
        has "$place/said" 'Run these commands' && tr -s ' \n' ' ' <"$place/said" >"$place/line" &&
        has "$place/line" 'is a link, not a folder' && has "$place/line" 'not valid JSON' &&
        sed -n 's/^    \(chmod\|rm\|mv\)/\1/p' "$place/said" | sh -eu && [ -d "$place/elsewhere" ] &&
        tutor 0 class doctor "$class" && lacks "$place/said" broken
}
restored() { # settings that cannot be used come back by the command that is printed, and the class has its id
    id=$(grep '"id"' "$class/class.json") && cp "$class/class.json" "$place/before" || return 1
    for harm in ': >F' 'echo {} >F' 'head -c 90 "$place/before" >F' 'sed -i s/begins/begin/ F; sed -i "s/: 4/: -4/" F' 'rm F; ln -s "$place/list" F' 'rm F; mkdir F'; do
        eval "$(echo "$harm" | sed 's|F|"$class/class.json"|g')"
        tutor 1 class doctor "$class" && sed -n 's/^    \(chmod\|install\|mv\)/\1/p' "$place/said" >"$place/fix" && [ -s "$place/fix" ] || { echo "$harm"; return 1; }
        sh -u "$place/fix" 2>/dev/null # a folder in its place is moved away first, and then the doctor is asked again
        [ -e "$class/class.json" ] || sh -u "$place/fix" 2>/dev/null
        rm -rf "$class/class.json.away"
        tutor 0 class doctor "$class" && tutor 0 class status "$class" && grep -qF "$id" "$class/class.json" &&
            [ "$(stat -c %a "$class/class.json")" = 644 ] || { echo "$harm"; return 1; }
    done
    rm "$class/class.json" && tutor 2 class status "$class" && sed -n 's/.*`\(install .*\)` brings.*/\1/p' "$place/error" | sh -eu &&
        tutor 0 class doctor "$class" && grep -qF "$id" "$class/class.json" || return 1
    # without the copy, too
    cp "$class/kept/class.json" "$place/copy" && rm "$class/kept/class.json" && : >"$class/class.json" && tutor 1 class doctor "$class" &&
        flat && has "$place/line" 'make another class' && has "$place/said" '    zerotutor class new' && tutor 1 class doctor "$class" --json
    cp "$place/copy" "$class/kept/class.json"
    cp "$place/before" "$class/class.json"
}
plans() { # each lab once, and a lab without a recording takes at most what a turn may take
    tutor 0 class new "$place/plan" 'lessons=1.1:15,1.2,lab replicas' ends=+20m cores=4 gpus=0 &&
        tutor 0 class plan "$place/plan" --people 28 && has "$place/said" '28 people, 0 GPUs, 4 cores' &&
        flat && has "$place/line" 'The lessons take 25 minutes, and the class has 20.' &&
        [ "$(grep -c replicas "$place/said")" = 1 ] && has "$place/said" 'no, by ' &&
        tutor 0 class plan "$place/plan" --people 28 --seconds 60 --json &&
        "$PYTHON" - "$place/said" <<'END'
import json, sys
plan = json.load(open(sys.argv[1]))
labs = {lab["lab"]: lab for lab in plan["labs"]}
ways = {way["way"]: way for way in plan["ways"]}
assert labs["first-weighing"]["places"] == 4 and labs["first-weighing"]["minutes"] == 7, labs
assert labs["replicas"]["places"] == 1 and labs["replicas"]["minutes"] == 28, labs
assert ways["as it is"]["day"] == 25 + 35 and ways["as it is"]["fits"] is False, ways
assert ways["pairs"]["labs"] == 4 + 14 and ways["fewer ranks"]["labs"] == 7 + 14, ways
assert ways["at the front"]["labs"] == 2 and "cores" not in ways, ways
END
}
plans_narrow() { # no line is wider than the terminal
    tutor 0 class plan "$place/plan" --ascii && ! LC_ALL=C grep -n '.\{81\}' "$place/said"
}
plans_what_is_there() { # a lesson that is not there is refused as it is typed; another version may have had it
    for lesson in 9.9 'lab none'; do
        cp "$place/plan/class.json" "$place/before"
        tutor 2 class set "$place/plan" "lessons=$lesson" && has "$place/error" "'${lesson#lab }'" &&
            tutor 2 class new "$place/typo" "lessons=$lesson" && [ ! -e "$place/typo" ] &&
            cmp "$place/before" "$place/plan/class.json" &&
            sed -i "s/\"lesson\": \"1.1\"/\"lesson\": \"$lesson\"/" "$place/plan/class.json" &&
            tutor 2 class plan "$place/plan" && has "$place/error" "'${lesson#lab }'" &&
            tutor 0 class set "$place/plan" late=10 && cp "$place/before" "$place/plan/class.json" || return 1
    done
    tutor 2 class plan "$place/plan" --people 0
}
rehearses() { # beside the class, with its lessons, and nothing is left in the temporary folder
    mkdir "$place/tmp"
    TMPDIR="$place/tmp" tutor 0 class rehearse "$class" --people 4 --speed 10000 &&
        has "$place/said" "zerotutor class watch '$class-rehearsal'" && has "$place/said" "rm -r '$class-rehearsal'" &&
        has "$place/said" 'not people' && [ -z "$(ls "$place/tmp")" ] &&
        tutor 0 class status "$class-rehearsal" && has "$place/said" 'REHEARSAL' && has "$place/said" '4 learners started zerotutor in it.' &&
        has "$place/said" 'Simulated learner 4' && [ -z "$(ls "$class/handins")" ] &&
        [ "$(ls "$class-rehearsal/handins" | grep -c '\.handin$')" = 4 ] && tutor 0 class doctor "$class-rehearsal" || return 1
    # some had a turn with a lab, each by its seat
    ls "$class-rehearsal/queue" && grep -q '"with":"seat-' "$class-rehearsal/queue"/*
}
rehearsed_answers() { # to the class's lessons only; right ones, and mistakes that have a name
    "$PYTHON" - "$class-rehearsal/handins" <<'END'
import json, os, sys
verdicts, mistakes, lessons = set(), set(), set()
for name in os.listdir(sys.argv[1]):
    first, table, *rows = map(json.loads, open(os.path.join(sys.argv[1], name)))
    assert rows and first["account"].startswith("seat-"), first
    for row in rows:
        answer = dict(zip(table["columns"], row["answer"]))
        verdicts.add(answer["verdict"]); mistakes.add(answer["mistake"]); lessons.add(answer["item"].split("/")[0])
assert lessons == {"1.1", "1.2"}, lessons
assert {"right", "mistake"} <= verdicts and len(mistakes) > 1, (verdicts, mistakes)
END
}
rehearses_once() {
    tutor 2 class rehearse "$class" && has "$place/error" 'not empty' && tutor 2 class rehearse &&
        tutor 2 class rehearse "$place/none" --people 0 && [ ! -e "$place/none" ]
}
ends_early() { # as ^C does; learners who are in the middle of a lesson are gone, and their presence with them
    TMPDIR="$place/tmp" "$ZEROTUTOR" class rehearse "$place/early" --people 3 --speed 3 >"$place/said" 2>&1 &
    rehearsal=$!
    until [ "$(find "$place/early/handins" -name '*.now' 2>/dev/null | wc -l)" = 3 ]; do
        kill -0 $rehearsal || return 1
    done
    pupils=$(pgrep -P $rehearsal | wc -l)
    kill -TERM $rehearsal
    wait $rehearsal
    [ "$pupils" = 3 ] && [ -z "$(ls "$place/tmp")" ] && [ -z "$(find "$place/early/handins" -name '*.now')" ] &&
        has "$place/said" 'The rehearsal is over.' && ! pgrep -f "class rehearse $place/early" >/dev/null &&
        tutor 0 class set "$place/early" && has "$place/said" 'lessons=1.1:' # without a class, the first phase
}
teaches() { # each row of the lesson plan: a problem, a mistake that it is about, and the mistake's name
    "$PYTHON" - <<'END'
import glob, json, re
names = {m["id"]: m["name"] for m in json.load(open("data/mistakes.json"))}
rows = re.findall(r"^\| `([0-9.]+)/([a-z0-9-]+)` \| `([a-z0-9-]+)` \| ([^|]+) \| \S", open("lessons/TEACHING.md").read(), re.M)
assert len(rows) > 20, len(rows)
for lesson, step, mistake, name in rows:
    text = open(glob.glob(f"lessons/*/{lesson}.lua")[0]).read()
    at = text.index(f'id = "{step}"')
    about = re.search(r"about = \{([^}]*)\}", text[at:text.index("\n  }", at)]).group(1)
    assert f'"{mistake}"' in about, (lesson, step, mistake, about)
    assert names[mistake] == name, (mistake, names[mistake], name)
END
}
plans_labs() { # the labs that the lesson plan names are in those lessons
    grep -o '^| `[a-z-]*` | [1-4]\.[1-5]' lessons/TEACHING.md | tr -d '|`' | while read -r lab lesson; do
        grep -q "lab = \"$lab\"" lessons/*/"$lesson".lua || { echo "$lab $lesson"; exit 1; }
    done
}
of_settings() {
    echo '{}' >"$place/other/class.json"
    tutor 1 class doctor "$place/other" && flat && has "$place/line" 'did not write this file'
}
unknown() {
    tutor 2 class enrol && tutor 2 class doctor && has "$place/error" "name the class's folder" &&
        tutor 2 class leave "$class" && tutor 2 class set "$class" --json && has "$place/error" 'does not take --json'
}
closes() {
    tutor 0 class close "$class" && tutor 2 class join "$class" && has "$place/error" 'is over' &&
        tutor 0 class status "$class" && flat && has "$place/line" 'The teacher closed it.' &&
        tutor 0 class set "$class" ends=+30m && has "$place/said" "open again" &&
        tutor 0 class status "$class" && flat && ! grep -q 'The teacher closed it.' "$place/line" &&
        tutor 0 class close "$class"
}

with_git() { # git carries no empty folders; a clone gets its own, and what is the teacher's alone is not in it
    git="git -c user.name=x -c user.email=x@y -c init.defaultBranch=main"
    tutor 0 class new "$place/kept in git" lessons=1.1 synchronised=yes && flat && has "$place/line" 'can read all hand-ins' || return 1
    echo root >"$place/list" && tutor 0 class roster "$place/kept in git" "$place/list" && echo x >"$place/kept in git/kept/grades.json" || return 1
    (cd "$place/kept in git" && $git init -q && $git add -A && $git commit -qm class) && $git clone -q "$place/kept in git" "$place/clone" || return 1
    [ "$(cd "$place/clone" && $git ls-files | tr '\n' ' ')" = '.gitignore class.json members ' ] && [ ! -e "$place/clone/handins" ] || { ls -a "$place/clone"; return 1; }
    export ZEROTUTOR_HOME="$place/cloner"
    tutor 0 class join "$place/clone" && flat && has "$place/line" 'Everybody who has a copy' || return 1
    { wrong 12; echo :quit; } | "$ZEROTUTOR" learn 1.1 --linear >"$place/said" 2>&1
    tutor 0 class status && flat && has "$place/line" 'handed in, the last at' && tutor 0 lab run -- --ranks 1 --stage 0 --model tiny --steps 2 || return 1
    export ZEROTUTOR_HOME="$place/home"
    (cd "$place/clone" && $git add -A && $git commit -qm answers) && (cd "$place/kept in git" && $git pull -q "$place/clone" main) &&
        tutor 0 class collect "$place/kept in git" && has "$place/said" '1 hand-in with ' && tutor 0 class grade "$place/kept in git" &&
        tutor 0 class doctor "$place/kept in git" && lacks "$place/said" broken
}
helps() {
    tutor 0 help class && flat && has "$place/line" 'join FOLDER | leave' && has "$place/line" 'Teachers type new'
}

echo 1..36
check "a class is a folder with its modes" makes
check "the line for the wall has the whole path" joins_from_anywhere
check "a folder that holds something is not made a class" makes_once
check "a setting that cannot be used makes nothing" makes_nothing
check "settings are listed and set" lists_settings
check "a class of another day is told" another_day
check "a learner without a class is told how to join" no_class
check "joining says what is shared, and from when to when" joins
check "two at one keyboard are a pair" joins_as_a_pair
check "a learner sees deadlines and what was handed in" tells_deadlines
check "and as JSON" tells_json
check "another version and other lessons are told" tells_other_lessons
check "one class at a time" another_first
check "leaving ends it" leaves
check "a folder that is no class cannot be joined" not_a_class
check "a teacher's file becomes the roster" roster
check "a roster that is wrong is told by its line and changes nothing" bad_roster
check "a teacher sees who joined" who_is_here
check "who is in a class that is over can join another" after_the_end
check "the doctor finds nothing in a new class" fine
check "what the doctor finds, its commands fix" broken
check "settings that are broken come back by its command" restored
check "the doctor looks at a class whose settings are broken" of_settings
check "the plan counts lessons, labs and turns" plans
check "the plan fits 80 columns" plans_narrow
check "a plan of what there is not is refused" plans_what_is_there
check "a rehearsal is a class beside the class" rehearses
check "simulated learners are right and wrong in ways that have names" rehearsed_answers
check "a rehearsal takes no folder that is there" rehearses_once
check "a rehearsal that is ended leaves nothing" ends_early
check "the lesson plan names problems and mistakes that there are" teaches
check "and labs" plans_labs
check "words that a verb does not take are refused" unknown
check "a closed class is closed for all" closes
if command -v git >/dev/null; then check "git can keep a class in step" with_git; else echo 'ok 32 # SKIP no git' && number=32; fi
check "the help tells what learners and teachers type" helps
