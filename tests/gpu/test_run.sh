#!/bin/sh
# What tests/gpu/run checks on a machine with a GPU, at a tiny size on the emulator. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
zerolab=$build/zerolab-cuda-emulated
if [ ! -x "$zerolab" ]; then
    skip "the lab on the emulator" "g++, which builds it, is not here"
    echo "1..$number"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ZEROTUTOR_SHARE="$PWD"

for part in local_parity nccl_parity outside faults recordings; do
    OUT="$work/out" sh tests/gpu/run --emulated --built --only $part >"$work/log" 2>&1
    status=$?
    grep -E '^not ok|^# zerolab|^# [^ ]*error|SKIP' "$work/log" | sed 's/^not ok/# not ok/; s/^ok [0-9]*/#/' | head -n 20
    check $status "$part: $(tail -n 1 "$work/log")"
    is "… and the log is kept" "$(cat "$work/log")" "$(cat "$work/out/log")"
done

echo "1..$number"
exit $((bad > 0))
