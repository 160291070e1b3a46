# shellcheck shell=sh disable=SC2034
# What the tests of ranks that are processes share: the emulated program, a libnccl for it, and how
# it is run.
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
