#!/bin/sh
# Ranks that are processes, with NCCL: the emulated zerolab-cuda and a libnccl that meets in shared
# memory (fake_nccl). The stages agree, several ranks share a GPU, and whatever fails ends in one
# clear line within seconds. Speaks TAP.
# shellcheck source=tests/gpu/nccl.sh
. "$(dirname "$0")/nccl.sh"

# ── training ──
for precision in fp32 bf16 fp16; do
    run --ranks 2 --comm local --precision $precision
    local=$(hash_of "$out")
    for stage in 0 1 2 3; do
        run --ranks 2 --stage $stage --precision $precision
        is "2 ranks, $precision, stage $stage: the weights of comm local, bit for bit" "$local" "$(hash_of "$out")"
        is "… and what was predicted is what was measured" "" "$(compare_ledgers "$out")"
    done
done
is "what NCCL says that it holds stands beside what was measured" $((12 << 20)) "$(values outside nccl_says "$out" | head -n 1)"
run --ranks 4 --comm local --accumulate 2
plain=$(losses "$out")
for stage in 0 3; do
    run --ranks 4 --stage $stage --accumulate 2
    near=$(apart "$(losses "$out")" "$plain")
    under "$near" 1e-5
    check $? "4 ranks, accumulating, stage $stage: losses within 1e-5 of comm local ($near)"
done
ZEROLAB_EMULATE_ASYNC=1 run --ranks 3 --stage 3 --prefetch 2
late=$(losses "$out")
run --ranks 3 --stage 3 --prefetch 2
is "streams that take their time change nothing" "$(losses "$out")" "$late"
for stage in 0 1 2 3; do
    rm -f "$dir/log"
    FAKE_NCCL_LOG=$dir/log run --ranks 2 --stage $stage
    is "stage $stage: both sides of every transfer are registered, from the first that warms up" 0 \
        "$(sed -n 's/.* bare \([0-9]*\) .*/\1/p' "$dir/log" | sort -u)"
done
waits=$(sed -n 's/.*"event":"comm".*"start_ms":\([^,]*\),"end_ms":\([^,]*\),.*/\1 \2/p' "$out" | awk '!($1 >= 0 && $2 >= $1)' | wc -l)
is "every transfer began after the run and ended after it began" 0 "$waits"

# Clocks of several GPUs drift apart. How long a transfer took on each rank, less its skew, is the
# same on all: the least that any rank took.
ZEROLAB_EMULATE_DRIFT=0.5 run --ranks 3 --stage 2
transfers() { # of the last step: rank op unit took skew
    sed -n 's/.*"event":"comm","rank":\([0-9]*\),"step":2,"op":"\([^"]*\)","unit":"\([^"]*\)".*"start_ms":\([^,]*\),"end_ms":\([^,]*\),.*"skew_ms":\([^,}]*\).*/\1 \2 \3 \4 \5 \6/p' "$out" |
        awk '{ skew = $NF; end = $(NF - 1); start = $(NF - 2); $(NF - 2) = $(NF - 1) = $NF = ""; printf "%s %.6f %.6f\n", $0, end - start, skew }'
}
wrong=$(transfers | awk '
    { rank = $1; took = $(NF - 1); wire = took - $NF; $1 = $(NF - 1) = $NF = ""; key = $0 " " ++count[rank, $0]
      seen[key]++
      if (!(key in least) || took < least[key]) least[key] = took
      if (!(key in low) || wire < low[key]) low[key] = wire
      if (!(key in high) || wire > high[key]) high[key] = wire }
    function apart(a, b) { return a > b ? a - b : b - a }
    END { for (key in seen) { n++; if (seen[key] != 3 || apart(low[key], high[key]) > 1e-4 || apart(low[key], least[key]) > 1e-4) print key ": " low[key] " to " high[key] ", least " least[key] }
          if (!n) print "no transfer has a skew" }')
is "clocks that drift apart: what is not skew is the least that a rank took, and the same on all" "" "$(echo "$wrong" | head -n 3)"

# ── several ranks on one GPU ──
ZEROLAB_EMULATE_GPUS=1
run --ranks 2
is "more ranks than GPUs: exit status 2" 2 $?
likes "… and what to do" "*needs 2 GPUs, one per rank with NCCL*1 is here*--comm local*--share-gpu*" "$(cat "$dir/said")"
for version in 22809 23001; do
    FAKE_NCCL_VERSION=$version FAKE_NCCL_LOG=$dir/log run --ranks 2 --share-gpu --stage 2
    is "--share-gpu, NCCL $version: runs" ok "$(values end status "$out")"
    likes "… and says that times are no cluster's" "*shared processor*" "$(values start times "$out")"
done
likes "… each rank its own host before 2.30" "*zerolab-*-0 gpu 0*" "$(cat "$dir/log")"
likes "the environment it sets is printed" "*NCCL_MULTI_RANK_GPU_ENABLE=1*NCCL_ALGO=Ring*" "$(FAKE_NCCL_VERSION=23001 run --ranks 2 --share-gpu && values start nccl_environment "$out")"
likes "the version as well" "2.28.9" "$(run --ranks 2 --share-gpu && values start nccl "$out")"
ZEROLAB_EMULATE_GPUS=4

# ── what fails ──
fails() { # name, pattern, words: exit status 1 and an error that says so
    name=$1 pattern=$2
    shift 2
    began=$(date +%s)
    run "$@"
    is "$name: exit status 1" 1 $?
    likes "… and says so" "$pattern" "$(error_of)"
    [ $(($(date +%s) - began)) -lt 20 ]
    check $? "… within seconds"
}
# On a GPU the host goes on while a collective runs: so it must be here.
export ZEROLAB_EMULATE_ASYNC=1
FAKE_NCCL_HANG=1:20 fails "a collective that never ends" "*has not ended within 2 s: a rank hangs*" --ranks 3 --stage 2 --stall 2
FAKE_NCCL_HANG=1:1 fails "the first collective never ends" "*NCCL's first reduce_scatter does not end*" --ranks 3 --stage 2 --stall 2
FAKE_NCCL_HANG=1:20 FAKE_NCCL_ABORT_HANG=1 fails "a communicator that cannot be aborted" \
    "*has not ended within 2 s: a rank hangs; rank *: NCCL did not free its communicator within 2 s" --ranks 3 --stage 2 --stall 2
FAKE_NCCL_ERROR=2:20 fails "an error that comes later" "rank 2: NCCL: remote process exited*" --ranks 3 --stage 2
FAKE_NCCL_INIT_HANG=1 fails "a communicator that is never ready" "*NCCL did not end within 2 s*" --ranks 3 --patience 2
ZEROLAB_NCCL=/nonexistent/libnccl.so.2 fails "no NCCL" "*ZEROLAB_NCCL: *" --ranks 2
# The real library, which gives up by itself where there is no driver.
real=$(ZEROLAB_NCCL='' "$program" --probe | sed -n '1s/.*"nccl_path":"\([^"]*\)".*/\1/p')
if [ -z "$real" ] || [ -e /dev/nvidiactl ]; then
    skip "the real NCCL without a driver" "there is no NCCL here, or a driver"
else
    ZEROLAB_NCCL=$real fails "the real NCCL without a driver" "rank [01]: NCCL: *driver*" --ranks 2
fi
FAKE_NCCL_VERSION=21005 fails "an old NCCL" "*2.10.5*too old: install 2.18*" --ranks 2
fails "too little memory" "out of memory" --ranks 2 --cap 300KB

# A rank is killed while all train.
# shellcheck disable=SC2086 # words
timeout 60 "$program" $small --steps 100000 --ranks 3 --stage 3 >"$out" 2>"$dir/said" &
launcher=$!
until [ -s "$out" ] && grep -q '"event":"step"' "$out"; do sleep 0.1; done
victim=$(ps -eo pid,ppid,pgid | awk -v l="$(ps -o pid= --ppid $launcher | tr -d ' ')" '$2 == l { print $1 }' | sed -n 2p)
kill -KILL "${victim:-0}" 2>/dev/null
wait $launcher
is "a rank that is killed: exit status 1" 1 $?
likes "… and is named" "*\"rank\":1,*killed*" "$(grep '"event":"error"' "$out" | tr '\n' ' ')"
is "no shared memory is left behind" "" "$(find /dev/shm -name "*$FAKE_NCCL_NAME*" 2>/dev/null)"
echo "1..$number"
exit $((bad > 0))
