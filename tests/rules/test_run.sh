#!/bin/sh
# The test runner itself: whatever goes wrong with a test program counts as failed. Speaks TAP.
set -u
run=$(cd "$(dirname "$0")/.." && pwd)/run.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

counts() { # what happens, the script's lines, the last line wanted, the exit status wanted
    printf '%s\n' "$2" >"$work/test_x.sh"
    LIMIT=1 sh "$run" "$work/test_x.sh" >"$work/out" 2>&1
    status=$?
    number=$((number + 1))
    if [ "$(tail -n 1 "$work/out")" = "$3" ] && [ $status -eq "$4" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "# wanted $3, exit status $4; got exit status $status and:"
        sed 's/^/# /' "$work/out"
    fi
}

counts "two that pass" 'echo 1..2; echo ok 1 - a; echo ok 2 - b' "2 passed, 0 failed" 0
counts "the plan at the end" 'echo ok 1 - a; echo 1..1' "1 passed, 0 failed" 0
counts "one that fails" 'echo 1..2; echo ok 1 - a; echo not ok 2 - b; exit 1' "1 passed, 1 failed" 1
counts "a failure behind noise on its line" 'echo 1..1; echo noisenot ok 1 - b; exit 1' "0 passed, 1 failed" 1
counts "a failure with a good exit status" 'echo 1..1; echo not ok 1 - b' "0 passed, 1 failed" 1
counts "a crash before the end" 'echo 1..3; echo ok 1 - a; kill -9 $$' "1 passed, 2 failed" 1
counts "a bad exit after tests that passed" 'echo 1..1; echo ok 1 - a; exit 3' "1 passed, 1 failed" 1
counts "no test at all" 'true' "0 passed, 1 failed" 1
counts "a program that hangs" 'echo 1..1; sleep 20' "0 passed, 1 failed" 1
counts "one that is skipped" 'echo 1..2; echo ok 1 - a; echo "ok 2 # SKIP b"' "1 passed, 0 failed, 1 skipped" 0
counts "a script that is skipped whole" 'echo "1..0 # SKIP only root can"' "0 passed, 0 failed, 1 skipped" 1 # as nothing passed
counts "a forked child that repeats lines" 'echo 1..1; echo ok 1 - a; echo ok 1 - a' "1 passed, 0 failed" 0
counts "comments that look like results" 'echo 1..1; echo "# not ok 1 - a"; echo ok 1 - a' "1 passed, 0 failed" 0
counts "a home that is there and empty" 'echo 1..1; [ -d "$HOME" ] && [ -z "$(ls -A "$HOME")" ] && echo ok 1 - a' "1 passed, 0 failed" 0

number=$((number + 1))
sh "$run" "$work/never-built" >"$work/out"
[ "$(tail -n 1 "$work/out")" = "0 passed, 1 failed" ] || printf 'not '
echo "ok $number - a program that was not built"
# Several at a time: each has its own home, and all that fail are named before the last line.
number=$((number + 1))
mkdir "$work/many"
for i in 1 2 3 4 5 6; do
    echo "echo 1..2; touch \"\$HOME/$i\"; [ \"\$(ls \"\$HOME\")\" = $i ] && echo ok 1 - a; [ $i -gt 2 ] || printf 'not '; echo ok 2 - b" >"$work/many/test_$i.sh"
done
AT_ONCE=3 sh "$run" "$work"/many/test_*.sh >"$work/out"
named=$(sed -n '/^What failed:/,$p' "$work/out" | grep -c '(exit status 0)')
[ "$(tail -n 1 "$work/out")" = "10 passed, 2 failed" ] && [ "$named" = 2 ] || printf 'not '
echo "ok $number - several at a time"
# A runner that is killed loses no test silently.
number=$((number + 1))
# shellcheck disable=SC2016 # the script's own
echo 'kill -9 $(ps -o ppid= -p $PPID)' >"$work/test_x.sh"
echo 'echo 1..1; echo ok 1 - a' >"$work/test_y.sh"
AT_ONCE=1 sh "$run" "$work/test_x.sh" "$work/test_y.sh" >"$work/out" 2>&1
[ "$(tail -n 1 "$work/out")" = "1 passed, 1 failed" ] || printf 'not '
echo "ok $number - a runner that is killed"
number=$((number + 1))
echo 'echo 1..1; echo ok 1 - a' >"$work/test_x.sh"
BUILD_FAILED=yes sh "$run" "$work/test_x.sh" >"$work/out"
[ "$(tail -n 1 "$work/out")" = "1 passed, 1 failed" ] || printf 'not '
echo "ok $number - a build that failed"
echo "1..$number"
