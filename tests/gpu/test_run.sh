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

# What there is, is packed; a part that takes too long is cut off, and says so, and the next one
# goes on.
is "the archive has the log, what GPUs are here, and the recordings" "./log ./probe.json ./runs/gpt2-ladder-4.jsonl" \
    "$(tar -tzf "$work/out/results.tar.gz" | grep -xE './(log|probe.json|runs/gpt2-ladder-4.jsonl)' | sort | tr '\n' ' ' | sed 's/ $//')"
BUDGET=1 OUT="$work/cut" sh tests/gpu/run --emulated --built --only "local_parity attention" >"$work/log" 2>&1
is "too little time: exit status 1" 1 $?
grep -q '^not ok - local_parity: cut off with status 124 after 1 s' "$work/log"
check $? "… the part that was cut off is named"
[ "$(grep -c '^not ok - attention\|^ok 1 - attention' "$work/log")" = 1 ]
check $? "… the next one is begun all the same"
tar -tzf "$work/cut/results.tar.gz" | grep -qx ./probe.json
check $? "… and what there was is packed"
tar -tzf "$work/cut/results.tar.gz" | grep -q ./runs/
is "… and nothing of another run's" 1 $?

# A compute-sanitizer that finds a race, one that is not here, and one that found something before
# its time was up.
printf '%s\n' '#!/bin/sh' 'echo "$2 $(basename "$7")" >>"$SEEN"' '[ "$2" = racecheck ] && echo "===== a race" && exit 9' 'exit 0' >"$work/sanitizer"
chmod +x "$work/sanitizer"
SEEN="$work/seen" SANITIZER="$work/sanitizer" OUT="$work/clean" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
is "compute-sanitizer: two programs under three tools" "memcheck racecheck synccheck" "$(cut -d' ' -f1 "$work/seen" | sort | uniq -d | tr '\n' ' ' | sed 's/ $//')"
is "… what it finds counts: $(tail -n 1 "$work/log")" 2 "$(grep -c '^not ok .* racecheck.*found' "$work/log")"
is "… and is said again at the end" 2 "$(grep -c '^    sanitizers: not ok .* racecheck' "$work/log")"
SANITIZER='' PATH="$work:/usr/bin:/bin" OUT="$work/none" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
is "without it the run goes on" 0 $?
[ -e /usr/local/cuda/bin/compute-sanitizer ] || is "… and says that nothing was tested" "0 passed, 0 failed, 1 skipped" "$(tail -n 1 "$work/log")"
for found in "" "========= Invalid __global__ write of size 4 bytes"; do
    printf '%s\n' '#!/bin/sh' 'echo "========= COMPUTE-SANITIZER"' "echo '$found'" 'exec sleep 60' >"$work/sanitizer"
    SANITIZER_SECONDS=1 SANITIZER="$work/sanitizer" OUT="$work/slow" sh tests/gpu/run --emulated --built --only sanitizers >"$work/log" 2>&1
    is "its time is up, and it said '$found'" "$([ -n "$found" ] && echo 6 || echo 0)" "$(grep -c '^not ok .*check, test_.*found' "$work/log")"
done

# A lab that never ends, in a build of its own: whatever a part started ends with it, and with the
# run.
mkdir -p "$work/stuck"
cat >"$work/stuck/zerolab-cuda-emulated" <<'LAB'
#!/bin/sh
[ "$1" = --probe ] && echo '{"devices":[{"device":"cuda","gpu":0}]}' && exit 0
echo $$ >>"$PIDS"
trap '' TERM
while :; do sleep 1; done
LAB
chmod +x "$work/stuck/zerolab-cuda-emulated"
export PIDS="$work/pids"
: >"$PIDS"
none_lives() { # soon: what is killed takes a moment to be gone
    for _ in $(seq 50); do
        living=no
        while read -r pid; do kill -0 "$pid" 2>/dev/null && living=yes; done <"$PIDS"
        [ $living = no ] && [ -s "$PIDS" ] && return
        sleep 0.1
    done
    return 1
}
BUDGET=3 BUILD="$work/stuck" OUT="$work/hangs" sh tests/gpu/run --emulated --built --only outside >"$work/log" 2>&1
none_lives
check $? "a part that is cut off: none of its processes is left"
: >"$PIDS"
BUILD="$work/stuck" OUT="$work/killed" sh tests/gpu/run --emulated --built --only "faults recordings" >"$work/log" 2>&1 &
run=$!
until [ -s "$PIDS" ]; do sleep 0.1; done
kill -TERM $run
wait $run
is "killed half-way: exit status 1" 1 $?
none_lives
check $? "… none of its processes is left"
is "… it says where it was stopped" 1 "$(grep -c '^not ok - faults: stopped' "$work/log")"
is "… the last line counts" "0 passed, 1 failed, 0 skipped" "$(tail -n 1 "$work/log")"
is "… and what there was is packed, with the log" "$(cat "$work/log")" "$(tar -xOzf "$work/killed/results.tar.gz" ./log)"

# A build that fails is packed as well; and nvcc is asked for this GPU's code alone only if it knows
# the GPU.
printf '%s\n' '#!/bin/sh' 'echo "a.cu(1): error: $CUDA_ARCH"' 'exit 2' >"$work/make"
printf '%s\n' '#!/bin/sh' 'echo 12.3' >"$work/nvidia-smi"
printf '%s\n' '#!/bin/sh' 'echo compute_90' 'echo compute_$KNOWN' >"$work/nvcc"
chmod +x "$work/make" "$work/nvidia-smi" "$work/nvcc"
for known in 100 123; do
    env -u CUDA_ARCH KNOWN=$known NVCC="$work/nvcc" PATH="$work:$PATH" BUILD="$work/none" OUT="$work/failed" sh tests/gpu/run --only outside >"$work/log" 2>&1
    is "a build that fails: exit status 1" 1 $?
    case $(tar -xOzf "$work/failed/results.tar.gz" ./build.log) in *arch=compute_123*) asked=yes ;; *"error:"*) asked=no ;; *) asked="nothing is packed" ;; esac
    is "a GPU of capability 12.3, nvcc knows $known: code for it alone" "$([ $known = 123 ] && echo yes || echo no)" "$asked"
done

echo "1..$number"
exit $((bad > 0))
