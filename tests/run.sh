#!/bin/sh
# Runs tests one after another and counts: `sh tests/run.sh PROGRAM…`. A program is a compiled
# cmocka test or a test_*.sh; both speak TAP ("1..3", "ok 1 - name", "not ok 2 - name"). What passes
# stays quiet; of what fails the checks that failed come first, then all that it said, and the
# checks that failed once more before the last line, where the end of a long log shows them. A
# program that was not built, crashes, hangs (LIMIT seconds) or runs no test counts as failed. The
# last line is "N passed, N failed"; the exit status is 1 if anything failed.
set -u

limit=${LIMIT:-300}
build_failed=${BUILD_FAILED:-no}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The tests' own world: no test sees the learner's record, settings or terminal, or the voice of
# this machine.
export ZEROTUTOR_HOME="$work/home" XDG_DATA_HOME="$work/data" XDG_CONFIG_HOME="$work/config" HOME="$work/home"
export LC_ALL="${TEST_LOCALE:-C.UTF-8}" TERM=xterm-256color TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP ZEROTUTOR_VOICE=none
unset NO_COLOR NO_MOTION COLORFGBG COLUMNS LINES ZEROTUTOR_SHARE BUILD_FAILED

# Reads TAP, prints "passed failed skipped". Tests that were planned and never came count as failed;
# so does a bad end without one.
count() { # exit status
    awk -v status="$1" '
        /^1\.\.0 # SKIP/ { planned++; skipped++; next }
        /^1\.\.[0-9]+/ { planned += substr($0, 4) + 0; next }
        /^#/ { next }
        /ok [0-9]+ # SKIP/ { skipped++; next }
        /not ok [0-9]+ / { failed++; next }
        /ok [0-9]+ / { passed++ }
        END {
            lost = planned - passed - failed - skipped
            if (lost > 0) failed += lost
            if (lost < 0 && failed == 0) passed += lost  # a forked child wrote its parents lines again
            if ((status != 0 || passed + skipped == 0) && failed == 0) failed = 1
            print passed + 0, failed + 0, skipped + 0
        }' "$2"
}

run() {
    case $1 in
    *.sh) timeout -k 5 "$limit" sh "$1" ;;
    *) timeout -k 5 "$limit" "$1" ;;
    esac
}

all_passed=0 all_failed=0 all_skipped=0
for program in "$@"; do
    mkdir -p "$ZEROTUTOR_HOME"
    begun=$(date +%s)
    status=0
    if [ -e "$program" ]; then run "$program" >"$work/out" 2>&1 </dev/null || status=$?; else echo "was not built" >"$work/out" && status=127; fi
    # shellcheck disable=SC2046 # three numbers
    set -- $(count "$status" "$work/out")
    all_passed=$((all_passed + $1)) all_failed=$((all_failed + $2)) all_skipped=$((all_skipped + $3))
    if [ "$2" -gt 0 ]; then
        echo "FAILED $program ($2 of $(($1 + $2)), exit status $status$([ "$status" = 124 ] && echo ": over $limit s"))"
        why=$(grep -A 8 -E '^ *not ok |^\[  (ERROR|FAILED)' "$work/out" | grep -v '^ok ' | head -n 40)
        [ -n "$why" ] || why=$(tail -n 8 "$work/out")
        printf '%s\n' "$program (exit status $status)" "$why" | sed 's/^/    /' | tee -a "$work/failures"
        echo "    all that it said:"
        sed 's/^/    /' "$work/out"
    else
        echo "ok     $program ($1, $([ "$3" -gt 0 ] && echo "$3 skipped, ")$(($(date +%s) - begun)) s)"
    fi
    rm -rf "$ZEROTUTOR_HOME" "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
done

[ -s "$work/failures" ] && echo "What failed:" && cat "$work/failures"
[ "$build_failed" = yes ] && echo "FAILED the build: see above" && all_failed=$((all_failed + 1))
skips=''
[ "$all_skipped" -gt 0 ] && skips=", $all_skipped skipped"
echo "$all_passed passed, $all_failed failed$skips"
[ "$all_failed" -eq 0 ] && [ "$all_passed" -gt 0 ]
