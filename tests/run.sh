#!/bin/sh
# Runs tests, as many at a time as there are processors (AT_ONCE sets another number), and counts:
# `sh tests/run.sh PROGRAM…`. A program is a compiled cmocka test or a test_*.sh; both speak TAP
# ("1..3", "ok 1 - name", "not ok 2 - name"). What passes stays quiet; of what fails the checks that
# failed come first, then all that it said, and the checks that failed once more before the last
# line, where the end of a long log shows them. A program that was not built, crashes, hangs (LIMIT
# seconds) or runs no test counts as failed. The last line is "N passed, N failed"; the exit status
# is 1 if anything failed.
set -u

limit=${LIMIT:-300}

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

# What is printed of a program, from its output in $mine/out.
report() { # program, status, passed, failed, skipped, seconds
    if [ "$4" -eq 0 ]; then
        echo "ok     $1 ($3, $([ "$5" -gt 0 ] && echo "$5 skipped, ")$6 s)"
        return
    fi
    echo "FAILED $1 ($4 of $(($3 + $4)), exit status $2$([ "$2" = 124 ] && echo ": over $limit s"))"
    why=$(grep -A 8 -E '^ *not ok |^\[  (ERROR|FAILED)' "$mine/out" | grep -v '^ok ' | head -n 40)
    [ -n "$why" ] || why=$(tail -n 8 "$mine/out")
    printf '%s\n' "$1 (exit status $2)" "$why" | sed 's/^/    /' | tee "$mine/failed"
    echo "    all that it said:"
    sed 's/^/    /' "$mine/out"
}

# One program in a world of its own: no test sees the learner's record, settings or terminal, the
# voice of this machine, or another test's files. Reports come out one after the other.
one() { # program
    mine=$(mktemp -d "$work/XXXXXX") || exit 1
    export ZEROTUTOR_HOME="$mine/home" XDG_DATA_HOME="$mine/data" XDG_CONFIG_HOME="$mine/config" HOME="$mine/home"
    export LC_ALL="${TEST_LOCALE:-C.UTF-8}" TERM=xterm-256color TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP ZEROTUTOR_VOICE=none
    unset NO_COLOR NO_MOTION COLORFGBG COLUMNS LINES ZEROTUTOR_SHARE BUILD_FAILED TEST_RUN_IN
    mkdir -p "$ZEROTUTOR_HOME"
    begun=$(date +%s)
    status=0
    if [ -e "$1" ]; then run "$1" >"$mine/out" 2>&1 </dev/null || status=$?; else echo "was not built" >"$mine/out" && status=127; fi
    counted=$(count "$status" "$mine/out")
    # shellcheck disable=SC2086 # three numbers
    report "$1" "$status" $counted $(($(date +%s) - begun)) >"$mine/report"
    until mkdir "$work/printing" 2>/dev/null; do sleep 0.05; done
    cat "$mine/report"
    [ ! -e "$mine/failed" ] || cat "$mine/failed" >>"$work/failures"
    echo "$counted" >>"$work/counts"
    rmdir "$work/printing"
    rm -rf "$mine"
}

# Started again by itself, once for each program, with the folder of the whole run.
if [ -n "${TEST_RUN_IN:-}" ]; then
    work=$TEST_RUN_IN
    one "$1"
    exit 0
fi

work=$(mktemp -d) && : >"$work/counts" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
at_once=${AT_ONCE:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
# xargs would end with a runner that is killed, so a second shell starts it.
printf '%s\n' "$@" | TEST_RUN_IN=$work xargs -P "$at_once" -n 1 sh -c 'sh "$0" "$1"; exit 0' "$0"

[ -s "$work/failures" ] && echo "What failed:" && cat "$work/failures"
# A program whose report is missing (its runner was killed) has failed.
# shellcheck disable=SC2046 # three numbers
set -- $(awk -v asked=$# '{ p += $1; f += $2; s += $3 } END { print p + 0, f + asked - NR, s + 0 }' "$work/counts")
failed=$2
[ "${BUILD_FAILED:-no}" = yes ] && echo "FAILED the build: see above" && failed=$((failed + 1))
echo "$1 passed, $failed failed$([ "$3" -gt 0 ] && echo ", $3 skipped")"
[ "$failed" -eq 0 ] && [ "$1" -gt 0 ]
