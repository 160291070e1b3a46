#!/bin/sh
# A class of six, or with TEST_ALL=1 of forty, at work: classroom.py. Then the forty once more without
# locks of open files, as on a file system that has only POSIX's. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
lab=${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}
learners=6
[ -z "${TEST_ALL:-}" ] || learners=40
unset ZEROLAB_CUDA ZEROTUTOR_LOCKS 2>/dev/null
at_work() {
    mkdir "$place/$1" && "${PYTHON:-python3}" "$(dirname "$0")/classroom.py" "$ZEROTUTOR" "$lab" "$place/$1" "$learners"
}
chmod 755 "$place"
at_work first
[ -z "${TEST_ALL:-}" ] || ZEROTUTOR_LOCKS=posix at_work second
