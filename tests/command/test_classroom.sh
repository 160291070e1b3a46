#!/bin/sh
# A class of six, or with TEST_ALL=1 of forty, at work: classroom.py. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
lab=${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}
learners=6
[ -z "${TEST_ALL:-}" ] || learners=40
unset ZEROLAB_CUDA ZEROTUTOR_LOCKS 2>/dev/null
"${PYTHON:-python3}" "$(dirname "$0")/classroom.py" "$ZEROTUTOR" "$lab" "$place" "$learners"
