#!/bin/sh
# The tutor on a machine that has a GPU, which the emulator and an NVML of the tests stand for.
# Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "${BUILD:-build}" && pwd)
zerotutor=${ZEROTUTOR:-$build/zerotutor}
ZEROLAB_CUDA=$build/zerolab-cuda-emulated
ZEROLAB_NVML=$build/emulated/libnvidia-ml.so.1
if [ ! -x "$ZEROLAB_CUDA" ] || [ ! -x "$zerotutor" ]; then
    skip "the tutor with a GPU" "g++, which builds the emulated lab, is not here"
    echo "1..$number"
    exit 0
fi
export ZEROLAB_CUDA ZEROLAB_NVML ZEROTUTOR_SHARE="$PWD"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
small="--layers 1 --width 32 --heads 1 --seq 16 --vocab 64 --steps 2 --tokens random"

says() { # name, text, file
    grep -q -- "$2" "$3"
    check $? "$1: '$2'"
}
"$zerotutor" doctor --json >"$work/doctor"
says "doctor" "Emulated GPU, 8.59 GB, capability 9.0, driver 580.00.00, CUDA 13.0" "$work/doctor"
! grep '"name": "lab"' "$work/doctor" | grep -q NCCL
check $? "doctor asks no NCCL of the CPU"
ZEROLAB_EMULATE_GPUS=0 "$zerotutor" doctor --json >"$work/doctor"
says "doctor without a GPU" "none: this machine has no NVIDIA driver" "$work/doctor"
ZEROLAB_EMULATE_CAPABILITY=75 "$zerotutor" doctor --json >"$work/doctor"
says "doctor beside a GPU that is too old" "none: Emulated GPU has compute capability 7.5, and zerolab's kernels need 8.0" "$work/doctor"
printf '#!/bin/sh\necho "libcublasLt.so.13: cannot open shared object file" >&2\nexit 127\n' >"$work/broken" && chmod +x "$work/broken"
ZEROLAB_CUDA="$work/broken" "$zerotutor" doctor --json >"$work/doctor"
grep '"name": "gpus"' -A 3 "$work/doctor" | tr -d '\n' | grep -q '"state": "note".*libcublasLt.so.13: cannot open'
check $? "doctor notes a zerolab-cuda that does not start"

# shellcheck disable=SC2086 # a list of words
"$zerotutor" lab run --record "$work/run.jsonl" -- --ranks 2 --stage 2 $small >"$work/run" 2>&1
check $? "a run by itself ends well"
says "it is on the GPU" '"device":"cuda","comm":"local"' "$work/run.jsonl"
says "its machine is the GPU" '"hardware":"Emulated GPU"' "$work/run.jsonl"
says "its memory events have" '"device_used":[0-9]*,"power_w":412.5,"sm_mhz":1980' "$work/run.jsonl"
says "what is outside the ledger is measured" '"event":"outside","rank":0,"context":[0-9]' "$work/run.jsonl"
says "the table of memory has the GPU's own count" 'GPU 0, as its driver says: .* in use, 412 W, 1980 MHz' "$work/run"
"$zerotutor" lab replay "$work/run.jsonl" >"$work/replay" 2>&1
says "and so has the recording" 'GPU 0, as its driver says: .* in use, 412 W, 1980 MHz' "$work/replay"

# shellcheck disable=SC2086
"$zerotutor" lab run --device cpu --record "$work/cpu.jsonl" -- --ranks 2 --stage 2 $small >/dev/null 2>&1
says "--device cpu" '"device":"cpu"' "$work/cpu.jsonl"
# shellcheck disable=SC2086
ZEROLAB_EMULATE_GPUS=0 "$zerotutor" lab run --device cuda -- $small >"$work/none" 2>&1
is "--device cuda without a GPU: status 1" 1 $?
says "it says why" "this machine has no NVIDIA driver" "$work/none"
# shellcheck disable=SC2086
ZEROLAB_EMULATE_CAPABILITY=75 "$zerotutor" lab run --record "$work/old.jsonl" -- --ranks 2 --stage 2 $small >"$work/old" 2>&1
says "a GPU that is too old is left alone" '"device":"cpu"' "$work/old.jsonl"
echo "1..$number"
exit $((bad > 0))
