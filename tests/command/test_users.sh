#!/bin/sh
# A class with real users: what the modes forbid learners, and what their files cannot make the
# teacher's program do. The users are numbers without accounts. Needs root. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
if [ "$(id -u)" != 0 ] || ! setpriv --reuid 2001 --regid 2001 --clear-groups test -x "$ZEROTUTOR"; then
    echo '1..0 # SKIP only root can become other users'
    exit 0
fi
chmod 755 "$place"
mkdir "$place/srv" "$place/2000" "$place/2001" "$place/2002" "$place/2003"
for user in 2000 2001 2002 2003; do chown $user "$place/$user"; done
chown 2000 "$place/srv"
class="$place/srv/class"

as() { # user, a command
    user=$1
    shift
    (cd / && exec setpriv --reuid "$user" --regid "$user" --clear-groups \
        env HOME="$place/$user" ZEROTUTOR_HOME="$place/$user" "$@")
}
# Every prompt of a lesson gets a wrong number and then an Enter: one of them leads on, whatever the steps are.
wrong() { yes '1
' | head -$((2 * $1)); }
tutor() { # user, exit status expected, words
    user=$1 status=$2
    shift 2
    as "$user" timeout 60 "$ZEROTUTOR" "$@" </dev/null >"$place/said" 2>"$place/error"
    [ $? = "$status" ] || { cat "$place/said" "$place/error"; false; }
}
forbidden() { # user, a shell's command
    ! as "$1" sh -c "$2" sh "$class" 2>"$place/error" || { echo "$2"; false; }
}
handin_of() { find "$class/handins" -user "$1" -name '*.handin'; }

begins() { tutor 2000 0 class new "$class" lessons=1.1 ends=+90m; }
hands_in() {
    for user in 2001 2002; do
        tutor $user 0 class join "$class" || return 1
        wrong 12 | as $user timeout 60 "$ZEROTUTOR" learn 1.1 --linear >"$place/said" 2>&1
        [ -s "$(handin_of $user)" ] || { cat "$place/said"; return 1; }
    done
    [ "$(stat -c %a "$(handin_of 2001)")" = 644 ] && tutor 2001 0 class status &&
        has "$place/said" "$(($(wc -l <"$(handin_of 2001)") - 2)) answer" &&
        grep -q '^ 1\.1 .* [1-9][0-9]*  20' "$place/said"
}
seen_by_the_teacher() {
    tutor 2000 0 class status "$class" && has "$place/said" 'uid 2001' && has "$place/said" 'uid 2002' &&
        tutor 2000 0 class doctor "$class" && ! grep -q 'broken' "$place/said"
}

clock_off() { # joining tells of a clock that is off, since the class begins and ends by it
    as 2003 env ZEROTUTOR_NOW=$(($(date +%s) - 3600)) "$ZEROTUTOR" class join "$class" >"$place/said" && flat &&
        has "$place/line" "is 60 minutes behind the file server's" &&
        as 2003 env ZEROTUTOR_NOW=$(($(date +%s) + 600)) "$ZEROTUTOR" class join "$class" >"$place/said" && flat &&
        has "$place/line" "is 10 minutes ahead of the file server's" &&
        tutor 2003 0 class join "$class" && lacks "$place/said" "the file server's" && tutor 2003 0 class leave
}

# ── what a learner may not do ──
says_whose() { tr -s ' \n' ' ' <"$place/error" >"$place/line" && has "$place/line" 'only its teacher, uid 2000, may do that'; }
lists_nothing() {
    for place_ in handins feedback kept; do forbidden 2001 "ls \"\$1\"/$place_" || return 1; done
    tutor 2001 2 class status "$class" && says_whose && has "$place/line" 'without a folder' &&
        tutor 2001 2 class watch "$class" --once && says_whose &&
        tutor 2001 2 present 1.1 --class "$class" && says_whose
}
writes_nothing() {
    for file in class.json roster extensions members board.json feedback/x kept/x new; do
        forbidden 2001 "echo x >\"\$1\"/$file" || return 1
    done
    forbidden 2001 'mv "$1"/class.json "$1"/queue/' && forbidden 2001 'rm -f "$1"/class.json && test ! -e "$1"/class.json' &&
        forbidden 2001 'rmdir "$1"/kept' && forbidden 2001 'chmod 777 "$1"/handins' && forbidden 2001 'mv "$1"/handins "$1"/h'
}
spares_others() { # though it was told the name
    theirs=$(handin_of 2002)
    cp "$theirs" "$place/before"
    forbidden 2001 "echo x >>$theirs" && forbidden 2001 "rm -f $theirs" && forbidden 2001 "mv -f $theirs $class/handins/x" &&
        forbidden 2001 "cp /dev/null $class/handins/y && mv -f $class/handins/y $theirs" &&
        forbidden 2001 "truncate -s 0 $theirs" && cmp "$theirs" "$place/before"
}
reads_no_secret() {
    echo 'uid2001, Ada' >"$place/2000/list"
    tutor 2000 0 class roster "$class" "$place/2000/list" && forbidden 2001 'cat "$1"/roster' &&
        as 2000 sh -c 'echo grades >"$1"/kept/grades.json' sh "$class" && forbidden 2001 'cat "$1"/kept/grades.json' &&
        rm "$class/roster"
}
ends_of() { # user: when the class ends for that user
    tutor "$1" 0 class status --json && sed -n 's/.*"ends": \([0-9]*\).*/\1/p' "$place/said"
}
name_of() { grep '"handin"' "$place/$1/class.json" | sed 's/.*: "\(.*\)".*/\1/'; }
# Of a file that the teacher wrote for 2001, 2002 knows the name. Only access control lists keep it out.
is_for_2001() { # the file's ending
    file="$class/feedback/$(name_of 2001)$1"
    as 2001 cat "$file" >/dev/null || return 1
    if flat && grep -q 'This file system has access control lists' "$place/line"; then
        [ -z "${WITHOUT_LISTS:-}" ] || { echo 'ramfs has access control lists'; return 1; }
        forbidden 2002 "cat $file" && forbidden 2003 "cat $file"
    else
        as 2002 cat "$file" >/dev/null
    fi
}
hides_extra_time() {
    tutor 2000 0 class set "$class" 'extend=uid 2001+10m' && ! grep -rqw '2001' "$class/class.json" &&
        forbidden 2002 'cat "$1"/extensions' && forbidden 2001 'cat "$1"/extensions' || return 1
    long=$(ends_of 2001) short=$(ends_of 2002)
    [ $((long - short)) = 600 ] || { echo "$long $short"; return 1; }
    tutor 2000 0 class doctor "$class" && is_for_2001 .time &&
        tutor 2000 0 class set "$class" 'extend=uid 2001+0m' && [ "$(ends_of 2001)" = "$short" ]
}
hides_feedback() {
    tutor 2000 0 class collect "$class" && tutor 2000 0 class grade "$class" && tutor 2000 0 class doctor "$class" && is_for_2001 .json &&
        tutor 2001 0 class status && has "$place/said" 'Your teacher wrote feedback' &&
        as 2000 rm -r "$class/kept" && tutor 2000 1 class doctor "$class" && as 2000 mkdir -m 700 "$class/kept"
}
tells_of_the_roster() {
    echo '2001, Ada' >"$place/2000/list"
    tutor 2000 0 class roster "$class" "$place/2000/list" && ! grep -qw '2001\|Ada' "$class/members" || return 1
    tutor 2001 0 class join "$class" && lacks "$place/said" 'roster' &&
        tutor 2002 0 class join "$class" && flat && has "$place/line" "not on this class's roster" && has "$place/line" 'uid 2002' || return 1
    rm "$class/roster" && tutor 2000 0 class status "$class" && [ ! -e "$class/members" ] &&
        tutor 2002 0 class join "$class" && lacks "$place/said" 'roster'
}
remarks() { # to an account as a number or as it is told, and to either of a pair; the gradebook has all of them
    tutor 2000 0 class collect "$class" && tutor 2000 0 class grade "$class" || return 1
    for who in 2001 'uid 2002' 2003; do
        tutor 2000 0 class remark "$class" "$who" "for $who" || return 1
    done
    grep -q '"for 2003"' "$class/feedback/$(name_of 2002).json" && grep -q '"for 2001"' "$class/feedback/$(name_of 2001).json" &&
        tutor 2000 2 class remark "$class" 2009 x && has "$place/error" 'no hand-in of uid 2009' || return 1
    for format in canvas moodle; do
        tutor 2000 0 class export "$class" --format $format && "${PYTHON:-python3}" - "$place/said" $format <<'END' || return 1
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline=""), strict=True))
people = {row[3]: row for row in rows[1:] if row[3]}
assert len({len(row) for row in rows}) == 1 and set(people) == {"uid 2001", "uid 2002", "uid 2003"}, rows
names = {"canvas": ["'=Ada, the \"Countess\""], "moodle": ["'=Ada, the", '"Countess"']}[sys.argv[2]]
assert people["uid 2001"][:len(names)] == names, people
assert people["uid 2002"][4:] == people["uid 2003"][4:], people
END
    done
    has "$place/error" 'set the maximum grade of 1.1 to 5' || return 1
    tutor 2000 0 class remark "$class" 'uid 2003' '' && has "$place/said" 'taken back' && rm -r "$class/kept"/* "$class/feedback"/*
}
seats_pairs() { # who shares another's keyboard is not missing, and an account that is a number is one
    printf '2001,"=Ada, the ""Countess"""\n2002, Bob\nuid 2003, Cyd\n' >"$place/2000/list"
    tutor 2000 0 class roster "$class" "$place/2000/list" && tutor 2002 0 class leave &&
        tutor 2002 0 class join "$class" --with 2003 && wrong 12 | as 2002 timeout 60 "$ZEROTUTOR" learn 1.1 --linear >"$place/said" 2>&1
    tutor 2000 0 class status "$class" && has "$place/said" 'uid 2002 + uid 2003' && lacks "$place/said" 'not yet' &&
        tutor 2000 0 class watch "$class" --once && has "$place/said" '0 here, 2 not' &&
        tutor 2000 0 class doctor "$class" && lacks "$place/said" 'no such' && remarks && rm "$class/roster" "$class/members" &&
        tutor 2002 0 class leave && tutor 2002 0 class join "$class"
}
is_no_teacher() {
    for verb in set close doctor roster; do tutor 2001 2 class $verb "$class" || return 1; done
    tutor 2001 2 class set "$class" ends=never && has "$place/error" 'only its teacher'
}
keeps_the_ticket_of_others() {
    as 2002 sh -c 'echo x >"$1"/queue/theirs' sh "$class"
    forbidden 2001 'rm -f "$1"/queue/theirs' && forbidden 2001 'echo y >"$1"/queue/theirs' && rm "$class/queue/theirs"
}

# ── what a learner's files cannot make the teacher's program do ──
name() { printf '%032x.%s' "$1" "$2"; }
plants() {
    echo secret >"$place/2000/secret" && chown 2000 "$place/2000/secret" && chmod 600 "$place/2000/secret"
    as 2001 sh -eu -c '
        cd "$1"/handins
        ln -s ../kept/grades.json "$2"
        ln -s "$9" "$3"
        ln -s /dev/zero "$4"
        mkfifo "$5"
        mkdir "$6"
        truncate -s 1T "$7"
        dd if=/dev/zero of="$8" bs=1M count=3 status=none
        ln -s loop loop
        echo x >twice && ln twice "${10}"
        mkfifo pipe
        touch -- "$(printf "\033[2J\007")" "$(printf "a\nb")" "$(printf "\377\376")" -rf "; reboot" "$(printf "%0200d" 0)"
    ' sh "$class" "$(name 1 handin)" "$(name 2 now)" "$(name 3 handin)" "$(name 4 handin)" "$(name 5 handin)" \
        "$(name 6 handin)" "$(name 7 handin)" "$place/2000/secret" "$(name 11 handin)" &&
        as 2001 python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$class/handins/$(name 8 now)" &&
        mknod "$class/handins/$(name 9 handin)" c 1 5 && chown 2001 "$class/handins/$(name 9 handin)"
}
survives() { # a command that reads all hand-ins: it ends, shows no control character, and says nothing of a secret
    before=$(find "$class" "$place/2000" -printf '%p %s %i %m %U\n' | LC_ALL=C sort | cksum)
    as 2000 timeout 20 "$ZEROTUTOR" "$@" </dev/null >"$place/said" 2>&1
    [ $? -le 1 ] || { cat "$place/said"; return 1; }
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$place/said" || { cat -v "$place/said"; return 1; }
    ! grep -q 'secret$\|^secret' "$place/said" || return 1
    after=$(find "$class" "$place/2000" -printf '%p %s %i %m %U\n' | LC_ALL=C sort | cksum)
    [ "$before" = "$after" ]
}
# The teacher's own files change; what was planted is not in them, and nothing else is written.
collects_none_of_it() {
    before=$(find "$class" "$place/2000" -path "$class/kept" -prune -o -path "$class/feedback" -prune -o -printf '%p %s %i %m %U\n' | LC_ALL=C sort | cksum)
    for verb in 'collect' 'grade' 'watch --once --json'; do
        # shellcheck disable=SC2086 # a verb and its options
        as 2000 timeout 60 "$ZEROTUTOR" class ${verb%% *} "$class" $(echo "$verb " | cut -s -d' ' -f2-) </dev/null >"$place/said" 2>&1 || { cat "$place/said"; return 1; }
        ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$place/said" || { cat -v "$place/said"; return 1; }
        ! grep -rq '^secret' "$place/said" "$class/kept" "$class/feedback" || return 1
    done
    after=$(find "$class" "$place/2000" -path "$class/kept" -prune -o -path "$class/feedback" -prune -o -printf '%p %s %i %m %U\n' | LC_ALL=C sort | cksum)
    [ "$before" = "$after" ] && [ "$(find "$class/kept" -name '*.handin' -size +0 | wc -l)" = 2 ] &&
        [ "$(find "$class/feedback" -name '*.json' | wc -l)" = 2 ] && [ -z "$(find "$class/kept" "$class/feedback" -type l)" ]
}
plants_in_the_line() { # in queue/, where every learner may write, and all programs read
    as 2001 sh -eu -c 'cd "$1"/queue
        mkfifo "$2" && ln -s "$6" "$3" && ln -s /dev/zero "$4" && truncate -s 1T "$5" && mkdir "$7"
        mkfifo pipe && touch -- "$(printf "\033[2J\007")" "$(printf "a\nb")" -rf' sh "$class" "$(name 21 ticket)" \
        "$(name 22 ticket)" "$(name 23 ticket)" "$(name 24 ticket)" "$place/2000/secret" "$(name 25 ticket)" || return 1
    for verb in 'queue' 'watch --once' 'status'; do
        # shellcheck disable=SC2086 # a verb and its options
        survives class ${verb%% *} "$class" $(echo "$verb " | cut -s -d' ' -f2-) || return 1
    done
    survives class doctor "$class" && tutor 2002 0 class queue &&
        as 2002 env ZEROLAB="${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}" timeout 60 "$ZEROTUTOR" lab run -- --ranks 1 --stage 0 --model tiny --steps 2 >"$place/said" 2>&1 &&
        has "$place/said" 'rank 0' && rm -rf "$class"/queue/*
}
swaps() { # a file that is a link, a pipe and a hand-in in turn while it is read
    own="$class/handins/$(name 12 handin)"
    as 2001 sh -c 'cd "$1"/handins; cp "$5" .mine; touch "$4"; while [ -e "$4" ]; do ln -s "$3" .a && mv .a "$2"; cp .mine .b && mv .b "$2"; mkfifo .c && mv .c "$2"; done; rm -f "$2" .mine' \
        sh "$class" "$own" "$place/2000/secret" "$place/2001/go" "$(handin_of 2001)" 2>/dev/null &
    swapper=$!
    until [ -e "$own" ]; do kill -0 $swapper || return 1; done
    for i in 1 2 3 4 5 6 7 8; do
        for verb in status collect; do
            as 2000 timeout 20 "$ZEROTUTOR" class $verb "$class" </dev/null >"$place/said" 2>&1
            [ $? -le 1 ] && ! grep -rq '^secret' "$place/said" "$class/kept" || { cat "$place/said"; rm -f "$place/2001/go"; return 1; }
        done
    done
    rm -f "$place/2001/go"
    wait $swapper
    rm -f "$own" && [ -s "$place/2000/secret" ] && [ ! -L "$place/2000/secret" ]
}
status_survives() { survives class status "$class" && has "$place/said" 'cannot be used' && has "$place/said" 'uid 2002'; }
doctor_survives() {
    survives class doctor "$class" && tr -s '\n ' '  ' <"$place/said" >"$place/line" && has "$place/line" 'this is a link' &&
        has "$place/line" 'a pipe, a socket or a device' && has "$place/line" 'this is a folder' &&
        has "$place/line" 'too large' && has "$place/line" 'names that this program does not write'
}
mends() { # the removals that the doctor prints take the planted files away, and only those
    sed -n "s/^    \(rm -rf -- \)/\1/p" "$place/said" >"$place/mend" && [ "$(wc -l <"$place/mend")" -ge 8 ] &&
        as 2000 sh -eu "$place/mend" && [ -s "$(handin_of 2002)" ] && [ -s "$place/2000/secret" ] &&
        tutor 2000 0 class doctor "$class"
}
floods() { # a hand-in that comes after 25,000 files of another learner's is collected all the same
    as 2001 python3 -c '
import os, sys
for place, n in (("handins/junk-%d", 21000), ("queue/junk-%d", 4000)):
    for i in range(n): os.close(os.open(os.path.join(sys.argv[1], place % i), os.O_CREAT | os.O_WRONLY, 0o644))' "$class"
    tutor 2003 0 class join "$class" || return 1
    wrong 8 | as 2003 timeout 60 "$ZEROTUTOR" learn 1.1 --linear >"$place/said" 2>&1
    tutor 2000 0 class status "$class" && has "$place/said" 'uid 2003' &&
        tutor 2000 0 class collect "$class" && has "$place/said" 'uid 2001: this account has more files in handins/' &&
        [ "$(wc -l <"$place/said")" -lt 100 ] && cmp "$(handin_of 2003)" "$class/kept/$(basename "$(handin_of 2003)")" &&
        tutor 2000 0 class doctor "$class" && flat && has "$place/line" 'uid 2001 has more files in handins/ than a learner' &&
        has "$place/line" 'uid 2001 has more files in queue/ than a learner' &&
        has "$place/line" "find $class/queue -user 2001" &&
        find "$class/queue" "$class/handins" -name 'junk-*' -delete
}
two_machines() { # an account with two homes is one learner: it has the points of both, and feedback in both
    mkdir "$place/2004" "$place/elsewhere" && chown 2004 "$place/2004" "$place/elsewhere"
    tutor 2004 0 class join "$class" && yes '' | as 2004 timeout 60 "$ZEROTUTOR" learn 1.1 --linear >/dev/null 2>&1
    as 2004 env ZEROTUTOR_HOME="$place/elsewhere" "$ZEROTUTOR" class join "$class" >"$place/said" || return 1
    wrong 12 | as 2004 env ZEROTUTOR_HOME="$place/elsewhere" timeout 60 "$ZEROTUTOR" learn 1.1 --linear >/dev/null 2>&1
    for user in 2004 elsewhere; do
        grep -h '"handin"' "$place/$user/class.json" | sed 's/.*: "\(.*\)".*/\1/'
    done >"$place/names"
    tutor 2000 0 class collect "$class" && tutor 2000 0 class grade "$class" --json || return 1
    "${PYTHON:-python3}" - "$class" "$place/said" "$place/names" <<'END' || return 1
import json, os, sys
folder, said, names = sys.argv[1:]
grades, names = json.load(open(said)), open(names).read().split()
mine = [one for one in grades["learners"] if one["account"] == "uid 2004"]
rows = [sum(1 for _ in open(f"{folder}/handins/{name}.handin")) - 2 for name in names]
assert len(set(names)) == 2 and min(rows) > 0, (names, rows)
assert len(mine) == 1 and mine[0]["answers"] == sum(rows), (mine, rows)
assert sorted([mine[0]["handin"]] + mine[0]["others"]) == sorted(names), mine
assert "are graded together with those of" in json.dumps(mine[0]["listed"]), mine
assert all(os.path.exists(f"{folder}/feedback/{name}.json") for name in names)
END
    as 2000 "$ZEROTUTOR" class export "$class" --format moodle -o "$place/2000/book.csv" >"$place/said" &&
        [ "$(stat -c %a "$place/2000/book.csv")" = 600 ] && forbidden 2001 "cat $place/2000/book.csv" &&
        as 2000 chmod 644 "$place/2000/book.csv" && as 2000 "$ZEROTUTOR" class export "$class" --format moodle -o "$place/2000/book.csv" >"$place/said" 2>&1 &&
        has "$place/said" 'Other accounts can read this file' || return 1
    tutor 2000 0 class export "$class" --format canvas && [ "$(grep -c 'uid 2004' "$place/said")" = 1 ] &&
        tutor 2000 0 class export "$class" --format datashop && mv "$place/said" "$place/rows" &&
        tutor 2000 0 class grade "$class" --json && counts_attempts
}
counts_attempts() { # of each learner at each step, from what was handed in alone; numbered from 1, hints among them
    "${PYTHON:-python3}" - "$class" "$place/said" "$place/rows" <<'END'
import collections, csv, json, sys
folder, graded, rows = sys.argv[1:]
steps, wanted = collections.defaultdict(list), collections.Counter()
for row in csv.DictReader(open(rows), delimiter="\t", quoting=csv.QUOTE_NONE):
    steps[row["Anon Student Id"], row["Problem Name"], row["Problem View"], row["Step Name"]].append(row)
for step in steps.values():
    assert [int(row["Attempt At Step"]) for row in step] == list(range(1, len(step) + 1)), step
    assert all((row["Outcome"] == "HINT") == (row["Student Response Type"] == "HINT_REQUEST") == (row["Help Level"] != "") for row in step), step
for learner in json.load(open(graded))["learners"]:
    tries = collections.Counter()
    for name in [learner["handin"]] + learner.get("others", []) if "items" in learner else []:
        head, table, *lines = map(json.loads, open(f"{folder}/kept/{name}.handin"))
        for line in lines:
            a = dict(zip(table["columns"], line["answer"]))
            if a["typed"] and "/" in a["item"] and a["line"] != "card" and a["verdict"] not in ("", "noted", "unreadable"):
                tries[a["item"], str(a["try"]), a["line"] or "answer"] += 1
    wanted.update((step, n) for step, n in tries.items())
got = collections.Counter()
for (_, *step), all_rows in steps.items():
    n = sum(row["Outcome"] != "HINT" for row in all_rows)
    got[tuple(step), n] += n > 0
assert got == wanted and sum(got.values()) > 3, (got, wanted)
END
}
hostile_folder() { # a learner invites the teacher to a folder that is not what it seems
    as 2001 sh -eu -c 'mkdir "$1" && ln -s /etc/passwd "$1"/class.json && mkdir "$1"2 && mkfifo "$1"2/class.json
        mkdir "$1"3 && truncate -s 1T "$1"3/class.json' sh "$place/2001/trap"
    for trap in trap trap2 trap3; do
        tutor 2000 2 class join "$place/2001/$trap" || return 1
        tutor 2000 2 class status "$place/2001/$trap" || return 1
    done
}
forged() { # copied under another name and owner, a hand-in is the copier's fault
    cp "$(handin_of 2002)" "$class/handins/$(name 10 handin)" && chown 2001 "$class/handins/$(name 10 handin)"
    tutor 2000 1 class doctor "$class" && tr -s '\n ' '  ' <"$place/said" >"$place/line" &&
        has "$place/line" "the account uid 2001 owns this file, and it says that it is uid 2002's"
}
owned_by_another() { # file, what the doctor says; then it is the teacher's again
    chown 2001 "$class/$1" && tutor 2000 1 class doctor "$class" && tr -s '\n ' '  ' <"$place/said" >"$place/line" &&
        has "$place/line" "$1 belongs to uid 2001" && has "$place/said" "sudo chown 2000 $class/$1" && chown 2000 "$class/$1"
}
owners() { # nothing is read of settings that are another account's, by the learners' programs either
    owned_by_another handins && owned_by_another class.json && chown 2001 "$class/class.json" &&
        tutor 2002 0 class status --json && grep -q '"reachable": false' "$place/said" && chown 2000 "$class/class.json"
}

echo 1..26
check "a teacher makes a class" begins
check "learners hand in" hands_in
check "the teacher sees them, and all is well" seen_by_the_teacher
check "a learner is told of a clock that is off" clock_off
check "a learner cannot list hand-ins, feedback or what was collected" lists_nothing
check "a learner cannot change settings, roster, board, feedback or folders" writes_nothing
check "a learner cannot change, replace or delete another's hand-in" spares_others
check "a learner cannot read the roster or grades" reads_no_secret
check "who has more time is private" hides_extra_time
check "feedback is its learner's" hides_feedback
check "joining tells who is not on the roster" tells_of_the_roster
check "a pair is one learner, and nobody is missing" seats_pairs
check "a learner is not the teacher" is_no_teacher
check "a learner cannot remove another's ticket" keeps_the_ticket_of_others
check "a learner plants what is no hand-in" plants
check "the teacher's status reads none of it" status_survives
check "nor do collecting, grading and watching" collects_none_of_it
check "what is planted in the line for labs stops nobody" plants_in_the_line
check "a file that changes its kind while it is read harms nothing" swaps
check "the doctor names it" doctor_survives
check "its commands remove it and nothing else" mends
check "a flood of files hides nobody's hand-in" floods
check "an account with two hand-ins is one learner" two_machines
check "a folder that is no class harms nobody who joins it" hostile_folder
check "a copied hand-in is found" forged
check "wrong owners are found" owners

# The same once more on a file system that has no access control lists.
if [ -z "${WITHOUT_LISTS:-}" ] && unshare --mount --propagation private true 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    WITHOUT_LISTS=yes unshare --mount --propagation private sh -c '
        mkdir "$1" && mount -t ramfs -o mode=755 ramfs "$1" && TMPDIR="$1" sh "$2"' sh "$place/ram" "$0"
fi
