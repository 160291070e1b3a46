#!/bin/sh
# Where a GPU's memory goes beside the ledger: libraries and kernels that are loaded when they first
# run, slices of a GPU, GPUs that are kept for one process. On the emulator. Speaks TAP.
# shellcheck source=tests/gpu/nccl.sh
. "$(dirname "$0")/nccl.sh"
library=$((48 << 20)) module=$((64 << 10))

# ── loaded when first used ──
for words in "--comm local --ranks 2 --stage 2" "--comm nccl --ranks 2 --stage 0 --accumulate 2" "--comm nccl --ranks 2 --stage 3 --checkpoint full"; do
    # shellcheck disable=SC2086 # words
    ZEROLAB_EMULATE_LIBRARY=$library ZEROLAB_EMULATE_MODULE=$module run $words
    is "$words: ends well" ok "$(values end status "$out")"
    is "… cuBLAS' own is what came with its first product" $library "$(values outside blas "$out" | head -n 1)"
    modules=$(values outside modules "$out" | head -n 1)
    [ "${modules:-0}" -ge $((10 * module)) ] && [ $((modules % module)) = 0 ]
    check $? "… kernels' is what came with them: $modules bytes"
    # Sums between ranks run first in the first step.
    left=$(values outside unexplained "$out" | head -n 1)
    [ "${left:-$library}" -le $((2 * module)) ] && [ "${left:--1}" -ge 0 ]
    check $? "… and nothing is left to explain but a sum between ranks: ${left:-?} bytes"
    is "… predicted is measured" "" "$(compare_ledgers "$out")"
done
run --comm local --ranks 2 --stage 2
plain=$(hash_of "$out")
run --comm nccl --ranks 2 --stage 2
is "what was rehearsed leaves nothing behind" "$plain" "$(hash_of "$out")"

# ── slices ──
nvml=$(cd "$build" && pwd)/emulated/libnvidia-ml.so.1
likes "a slice of a GPU is named" '*"name":"Emulated GPU MIG *"mig":true*' "$(ZEROLAB_EMULATE_MIG=1 "$program" --probe)"
ZEROLAB_NVML=$nvml run --comm local --ranks 1
whole=$(values memory device_used "$out" | tail -n 1)
ZEROLAB_NVML=$nvml ZEROLAB_EMULATE_MIG=1 run --comm local --ranks 1
slice=$(values memory device_used "$out" | tail -n 1)
[ "${whole:-0}" -ge 2000000000 ] && [ "${slice:-0}" -gt 0 ] && [ "$slice" -lt 2000000000 ]
check $? "… and has what lies on it, not what lies on the whole GPU: $slice of $whole bytes"

# ── kept for one ──
ZEROLAB_EMULATE_MODE=busy run --comm local --ranks 1
is "a GPU for one process, which another has: exit status 1" 1 $?
likes "… and says so by name" "*compute mode is exclusive: one process at a time, and another has it*--comm local*" "$(grep error "$out")"
ZEROLAB_EMULATE_MODE=prohibited run --comm local --ranks 1
likes "a GPU for nobody: says so by name" "*compute mode is prohibited*nvidia-smi*" "$(grep error "$out")"
likes "… and --probe names it" '*"mode":"exclusive"*' "$(ZEROLAB_EMULATE_MODE=exclusive "$program" --probe)"
echo "1..$number"
exit $((bad > 0))
