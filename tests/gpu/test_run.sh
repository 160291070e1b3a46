#!/bin/sh
# What tests/gpu/run checks on a machine with a GPU, at a tiny size on the emulator. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
zerolab=$build/zerolab-cuda-emulated
if [ ! -x "$zerolab" ]; then
    skip "the lab on the emulator" "g++, which builds it, is not here"
    # What there is, is packed; a part that takes too long is cut off, and says so, and the next one goes on.
is "the archive has the log, what GPUs are here, and the recordings" "./log ./probe.json ./runs/stage-ladder-4.jsonl" \
    "$(tar -tzf "$work/out/results.tar.gz" | grep -xE './(log|probe.json|runs/stage-ladder-4.jsonl)' | sort | tr '\n' ' ' | sed 's/ $//')"
BUDGET=1 OUT="$work/cut" sh tests/gpu/run --emulated --built --only "local_parity attention" >"$work/log" 2>&1
is "too little time: exit status 1" 1 $?
grep -q '^not ok - local_parity: cut off with status 124 after 1 s' "$work/log"
check $? "… the part that was cut off is named"
[ "$(grep -c '^not ok - attention\|^ok 1 - attention' "$work/log")" = 1 ]
check $? "… the next one is begun all the same"
tar -tzf "$work/cut/results.tar.gz" | grep -qx ./probe.json
check $? "… and what there was is packed"

# A compute-sanitizer that finds a race, and one that is not here.
printf '%s\n' '#!/bin/sh' 'echo "$2 $(basename "$7")" >>"$SEEN"' '[ "$2" = racecheck ] && echo "===== a race" && exit 9' 'exit 0' >"$work/sanitizer"
chmod +x "$work/sanitizer"
SEEN="$work/seen" SANITIZER="$work/sanitizer" OUT="$work/clean" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
is "compute-sanitizer: two programs under three tools" "memcheck racecheck synccheck" "$(cut -d' ' -f1 "$work/seen" | sort | uniq -d | tr '\n' ' ' | sed 's/ $//')"
is "… what it finds counts: $(tail -n 1 "$work/log")" 2 "$(grep -c '^not ok .* racecheck' "$work/log")"
SANITIZER='' PATH="$work:/usr/bin:/bin" OUT="$work/none" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
grep -q 'SKIP compute-sanitizer' "$work/log" || [ -e /usr/local/cuda/bin/compute-sanitizer ]
check $? "without it the run goes on"

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

# What there is, is packed; a part that takes too long is cut off, and says so, and the next one goes on.
is "the archive has the log, what GPUs are here, and the recordings" "./log ./probe.json ./runs/stage-ladder-4.jsonl" \
    "$(tar -tzf "$work/out/results.tar.gz" | grep -xE './(log|probe.json|runs/stage-ladder-4.jsonl)' | sort | tr '\n' ' ' | sed 's/ $//')"
BUDGET=1 OUT="$work/cut" sh tests/gpu/run --emulated --built --only "local_parity attention" >"$work/log" 2>&1
is "too little time: exit status 1" 1 $?
grep -q '^not ok - local_parity: cut off with status 124 after 1 s' "$work/log"
check $? "… the part that was cut off is named"
[ "$(grep -c '^not ok - attention\|^ok 1 - attention' "$work/log")" = 1 ]
check $? "… the next one is begun all the same"
tar -tzf "$work/cut/results.tar.gz" | grep -qx ./probe.json
check $? "… and what there was is packed"

# A compute-sanitizer that finds a race, and one that is not here.
printf '%s\n' '#!/bin/sh' 'echo "$2 $(basename "$7")" >>"$SEEN"' '[ "$2" = racecheck ] && echo "===== a race" && exit 9' 'exit 0' >"$work/sanitizer"
chmod +x "$work/sanitizer"
SEEN="$work/seen" SANITIZER="$work/sanitizer" OUT="$work/clean" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
is "compute-sanitizer: two programs under three tools" "memcheck racecheck synccheck" "$(cut -d' ' -f1 "$work/seen" | sort | uniq -d | tr '\n' ' ' | sed 's/ $//')"
is "… what it finds counts: $(tail -n 1 "$work/log")" 2 "$(grep -c '^not ok .* racecheck' "$work/log")"
SANITIZER='' PATH="$work:/usr/bin:/bin" OUT="$work/none" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
grep -q 'SKIP compute-sanitizer' "$work/log" || [ -e /usr/local/cuda/bin/compute-sanitizer ]
check $? "without it the run goes on"

echo "1..$number"
exit $((bad > 0))
