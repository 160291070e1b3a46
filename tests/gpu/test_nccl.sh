#!/bin/sh
# Ranks that are processes, with NCCL: the emulated zerolab-cuda and a libnccl that meets in shared memory (fake_nccl). The stages agree, several ranks
# share a GPU, other launchers' ranks find each other, and whatever fails ends in one clear line within seconds. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
build=${BUILD:-build}
program=${ZEROLAB_EMULATED:-$build/zerolab-cuda-emulated}
if [ ! -x "$program" ]; then
    skip "NCCL on the emulator" "a C++ compiler, which builds it, is not here"
    echo "1..$number"
    exit 0
fi
ZEROLAB_NCCL=${ZEROLAB_NCCL:-$(cd "$build" && pwd)/emulated/libnccl.so.2} ZEROLAB_EMULATE_GPUS=4
FAKE_NCCL_NAME=test-$$
export ZEROLAB_NCCL ZEROLAB_EMULATE_GPUS FAKE_NCCL_NAME
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT SLURM_NTASKS SLURM_PROCID
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out
small="--layers 2 --width 64 --heads 2 --seq 16 --vocab 256 --bucket 30KB --steps 2 --tokens random"
run() { # words: events to $out, messages to $dir/said; it must end by itself
    # shellcheck disable=SC2086 # words
    timeout 60 "$program" $small "$@" >"$out" 2>"$dir/said"
}
error_of() { values error what "$out" | head -n 1; }
likes() { # name, pattern of case, text
    # shellcheck disable=SC2254 # a pattern
    case $3 in $2) check 0 "$1" ;; *) check 1 "$1: '$3'" ;; esac
}

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
    # Two sizes of each kind warm up in memory that is given back at once.
    is "stage $stage: both sides of every transfer are registered" "$([ $stage = 0 ] && echo 2 || echo 4)" \
        "$(sed -n 's/.* bare \([0-9]*\) .*/\1/p' "$dir/log" | sort -u)"
done
waits=$(sed -n 's/.*"event":"comm".*"start_ms":\([^,]*\),"end_ms":\([^,]*\),.*/\1 \2/p' "$out" | awk '!($1 >= 0 && $2 >= $1)' | wc -l)
is "every transfer began after the run and ended after it began" 0 "$waits"

# ── several ranks on one GPU ──
ZEROLAB_EMULATE_GPUS=1
run --ranks 2
is "more ranks than GPUs: exit status 2" 2 $?
likes "… and what to do" "*2 ranks with NCCL want a GPU each, 1 is here*--comm local*--share-gpu*" "$(cat "$dir/said")"
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
    "*has not ended within 2 s: a rank hangs; rank *: NCCL does not let go of its communicator within 2 s" --ranks 3 --stage 2 --stall 2
FAKE_NCCL_ERROR=2:20 fails "an error that comes later" "rank 2: NCCL: remote process exited*" --ranks 3 --stage 2
FAKE_NCCL_INIT_HANG=1 fails "a communicator that is never ready" "*NCCL has not come to an end within 2 s*" --ranks 3 --patience 2
ZEROLAB_NCCL=/nonexistent/libnccl.so.2 fails "no NCCL" "*ZEROLAB_NCCL: *" --ranks 2
# The real library, which gives up by itself where there is no driver.
real=$(ZEROLAB_NCCL='' "$program" --probe | sed -n '1s/.*"nccl_path":"\([^"]*\)".*/\1/p')
if [ -z "$real" ] || [ -e /dev/nvidiactl ]; then
    skip "the real NCCL without a driver" "there is no NCCL here, or a driver"
else
    ZEROLAB_NCCL=$real fails "the real NCCL without a driver" "rank [01]: NCCL: *driver*" --ranks 2
fi
FAKE_NCCL_VERSION=21005 fails "an old NCCL" "*2.10.5*too old: 2.18*" --ranks 2
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

unset ZEROLAB_EMULATE_ASYNC

# ── other launchers ──
port=$((21000 + $$ % 9000))
joined() { # rank, words: as torchrun starts it
    rank=$1
    shift
    # shellcheck disable=SC2086 # words
    RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=3 LOCAL_WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port TORCHELASTIC_RUN_ID=test \
        timeout 60 "$program" $small --stage 2 "$@" >"$dir/out.$rank" 2>"$dir/said.$rank"
}
run --ranks 3 --stage 2
own=$(hash_of "$out")
joined 1 & second=$!
joined 2 & third=$!
joined 0
is "ranks of torchrun: rank 0 ends well" 0 $?
wait $second && wait $third
is "… and so do the others" 0 $?
is "… with the weights of our own launcher" "$own" "$(hash_of "$dir/out.0")"
is "… predicted is measured, of all ranks" "" "$(compare_ledgers "$dir/out.0")"
is "… rank 0 alone writes events" "" "$(cat "$dir/out.1" "$dir/out.2")"
port=$((port + 2))
joined 1 --patience 5 &
second=$!
joined 0 --patience 5
is "a rank that is missing: exit status 1" 1 $?
wait $second
likes "… is named in rank 0's events" "rank 2 of 3 did not come to 127.0.0.1:$((port + 1)) within 5 s" "$(values error what "$dir/out.0")"
likes "… and at the others" "*rank 1: *rank 2 of 3 did not come*" "$(cat "$dir/said.1")"
port=$((port + 2))
joined 1 --seed 2 & second=$!
joined 2 & third=$!
joined 0
is "other options on one rank: exit status 1" 1 $?
wait $second
wait $third
likes "… are named" "rank 1 on * was started with other options than rank 0" "$(values error what "$dir/out.0")"
port=$((port + 2))
export ZEROLAB_EMULATE_ASYNC=1
joined 1 --steps 100000 & second=$!
joined 2 --steps 100000 & third=$!
joined 0 --steps 100000 & first=$!
until grep -q '"event":"step"' "$dir/out.0" 2>/dev/null; do sleep 0.1; done
kill -KILL "$(ps -o pid= --ppid "$(ps -o pid= --ppid $third | tr -d ' ')" | tr -d ' ')"
wait $first
is "torchrun's rank is killed: exit status 1" 1 $?
likes "… and is named" "rank 2 on * left the run without a word*" "$(values error what "$dir/out.0")"
wait $second
wait $third
is "no shared memory is left behind" "" "$(find /dev/shm -name "*$FAKE_NCCL_NAME*" 2>/dev/null)"
echo "1..$number"
exit $((bad > 0))
