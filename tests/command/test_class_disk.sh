#!/bin/sh
# A class on a disk that is full, read-only for a while, and on one with access control lists, with
# real users and mounts that only this script sees. Needs root. Speaks TAP.
set -u
if [ "$(id -u)" != 0 ] || ! unshare --mount --propagation private true 2>/dev/null ||
    ! setpriv --reuid 2001 --regid 2001 --clear-groups test -x "$ZEROTUTOR"; then
    echo '1..0 # SKIP only root can mount and become other users'
    exit 0
fi
[ "${IN_NAMESPACE:-}" = yes ] || IN_NAMESPACE=yes exec unshare --mount --propagation private sh "$0"
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
unset ZEROLAB_CUDA ZEROTUTOR_LOCKS 2>/dev/null
ZEROLAB=${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}
chmod 755 "$place"
mkdir "$place/srv" "$place/acl" "$place/2000" "$place/2001" "$place/1"
for user in 2000 2001 1; do chown $user "$place/$user"; done
chown 2000 "$place/acl"
mount -t tmpfs -o size=2m,mode=755,uid=2000 tmpfs "$place/srv" || exit 1
trap 'umount "$place/srv"; rm -rf "$place"' EXIT
class="$place/srv/class"

as() { # user, a command
    user=$1
    shift
    (cd / && exec setpriv --reuid "$user" --regid "$user" --clear-groups \
        env HOME="$place/$user" ZEROTUTOR_HOME="$place/$user" ZEROLAB="$ZEROLAB" "$@")
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
answers() { # wrong answers to lesson 1.1, where it resumes
    { wrong 14; echo :quit; } | as 2001 timeout 60 "$ZEROTUTOR" learn 1.1 --linear >"$place/said" 2>&1 || { cat "$place/said"; false; }
}
compare() { # what the record has and the hand-in lacks; whether there must be any: some, none
    "${PYTHON:-python3}" - "$place/2001" "$class" "$1" <<'PYTHON'
import glob, json, sqlite3, sys
home, folder, waits = sys.argv[1], sys.argv[2], sys.argv[3] == "some"
name = json.load(open(f"{home}/class.json"))["handin"]
text = open(f"{folder}/handins/{name}.handin").read()
assert text.endswith("}\n"), text[-80:]
handed = [json.loads(line)["answer"][0] for line in text.splitlines()[2:]]
record = [row[0] for row in sqlite3.connect(glob.glob(f"{home}/classes/*.db")[0]).execute("SELECT id FROM answer ORDER BY id")]
assert handed == record[:len(handed)], (handed, record)
assert len(record) > 6 and (len(record) > len(handed)) == waits, (len(handed), len(record), waits)
PYTHON
}

begins() {
    tutor 2000 0 class new "$class" lessons=1.1 cores=1 && tutor 2001 0 class join "$class" && answers && answers && compare none
}
full() { # nothing half-written; the record, on another disk, has all
    dd if=/dev/zero of="$place/srv/fill" bs=4k 2>/dev/null
    answers && has "$place/said" 'hand-in has waited' && compare some &&
        tutor 2000 1 class doctor "$class" && flat && has "$place/line" 'cannot' && rm "$place/srv/fill"
}
full_screen() { # the tutor in a terminal runs a lab: it says why it waits, starts no run, and loses no answer
    dd if=/dev/zero of="$place/srv/fill" bs=4k 2>/dev/null
    answers || return 1 # which take what is left of the hand-in's own last page
    as 2001 "${PYTHON:-python3}" - "$ZEROTUTOR" <<'PYTHON' >"$place/said" 2>&1 || { cat "$place/said"; return 1; }
import fcntl, os, pty, re, select, struct, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", LC_ALL="C.UTF-8")
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
seen = ""
def until(words, seconds=20):  # the blanks that a terminal skips are not sent
    global seen
    end, wanted = time.monotonic() + seconds, re.sub(r"\s", "", words)
    while wanted not in re.sub(r"\x1b[\[(][0-9;?]*[A-Za-z]|\s", "", seen):
        if time.monotonic() > end:
            sys.exit(f"no {words!r} in {seen[-3000:]!r}")
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 65536).decode("utf-8", "replace")
def type(keys, words):
    global seen
    seen = ""
    os.write(fd, keys.encode())
    until(words)
until("quit")
type("l", "first-weighing")
type("\r", "1 the parameters")
type("1\r", "your estimate")
type("2\r", "Run the lab")
type("\r", "No space left on device")
until("No answer is lost")
type("x", "You left the queue")
until("could not be used")
type("\x1b", "first-weighing")
PYTHON
    as 2001 "$ZEROTUTOR" class status >"$place/said" && flat && has "$place/line" 'Answers cannot be handed in now: cannot add to it: No space' && compare some &&
        rm "$place/srv/fill" && answers && compare none
}
unreadable() { # settings that their own owner cannot read
    as 2000 chmod 0044 "$class/class.json" && tutor 2000 1 class doctor "$class" && has "$place/said" 'install -m 0644' &&
        sed -n 's/^    \(install\)/\1/p' "$place/said" >"$place/fix" && as 2000 sh -eu "$place/fix" && tutor 2000 0 class doctor "$class" && answers && compare none
}
room_again() { answers && compare none && tutor 2000 0 class doctor "$class"; }
read_only() {
    mount -o remount,ro "$place/srv" && answers && has "$place/said" 'hand-in has waited' && compare some &&
        tutor 2001 0 class status && tutor 2000 2 class set "$class" ends=+1h && has "$place/error" 'Read-only'
}
a_lab_waits() { # and starts when the folder can be written again
    as 2001 timeout 60 "$ZEROTUTOR" lab run -- --ranks 1 --stage 0 --model tiny --steps 2 >"$place/lab" 2>&1 &
    lab=$!
    until_has "$place/lab" 'folder cannot be used at the moment' && mount -o remount,rw "$place/srv" &&
        wait $lab && has "$place/lab" 'rank 0'
}
writable_again() { tutor 2001 0 class status && has "$place/said" ' are handed in, the last at' && compare none; }

assistants() { # each command that the doctor prints is run, and does what it says
    tutor 2000 0 class new "$place/acl/class" assistants=daemon && tutor 2000 0 class doctor "$place/acl/class" && flat &&
        has "$place/line" 'daemon assists you and cannot list' && tutor 1 2 class status "$place/acl/class" && run_fixes &&
        tutor 2000 0 class doctor "$place/acl/class" && ! grep -q setfacl "$place/said" && as 1 ls "$place/acl/class/handins" &&
        tutor 1 0 class status "$place/acl/class" && ! as 2001 ls "$place/acl/class/handins" 2>/dev/null &&
        sees_extra_time && tutor 2000 0 class set "$place/acl/class" assistants= && ! as 1 cat "$place/acl/class/extensions" 2>/dev/null && tutor 2000 1 class doctor "$place/acl/class" && flat &&
        has "$place/line" 'daemon may list' && run_fixes && tutor 2000 0 class doctor "$place/acl/class" &&
        ! as 1 ls "$place/acl/class/handins" 2>/dev/null
}
sees_extra_time() { # of single learners: who assists does, learners do not, and the doctor is content
    tutor 2000 0 class set "$place/acl/class" 'extend=uid 2001+10m' && tutor 2001 0 class leave && tutor 2001 0 class join "$place/acl/class" && answers &&
        tutor 1 0 class watch "$place/acl/class" --once --json && has "$place/said" '"extra": 600' &&
        ! as 2001 cat "$place/acl/class/extensions" 2>/dev/null && tutor 2000 0 class doctor "$place/acl/class" &&
        lacks "$place/said" 'who has more time'
}
run_fixes() {
    as 2000 "$ZEROTUTOR" class doctor "$place/acl/class" >"$place/said"
    sed -n 's/^    \(setfacl\|chmod\)/\1/p' "$place/said" >"$place/fix"
    [ -s "$place/fix" ] && as 2000 sh -eu "$place/fix"
}

echo 1..9
check "a learner hands in" begins
check "a full disk costs no answer and leaves no half a line" full
check "what waited is handed in once there is room" room_again
check "nor does it at the full screen, which says why a lab waits" full_screen
check "settings that cannot be read come back by the doctor's command" unreadable
check "nor does a folder that is read-only" read_only
check "a lab waits until it can be written" a_lab_waits
check "then what waited is handed in" writable_again
if command -v setfacl >/dev/null && setfacl -m u:daemon:rx "$place/acl"; then
    check "assistants are let in and out by the doctor's commands" assistants
else
    echo 'ok 9 # SKIP no setfacl, or a file system without access control lists'
fi
