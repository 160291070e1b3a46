#!/bin/sh
# Ranks that are threads on several GPUs which read each other's memory: the bits of one GPU; and
# what is said where they cannot. On the emulator, where a kernel that is given memory of a GPU it
# cannot read is a fault, and so is a launch on another GPU's stream. Speaks TAP.
# shellcheck source=tests/gpu/nccl.sh
. "$(dirname "$0")/nccl.sh"

for precision in fp32 bf16; do
    for stage in 0 1 2 3; do
        run --comm local --ranks 4 --stage $stage --precision $precision
        one=$(hash_of "$out") losses=$(losses "$out")
        for words in "--gpus 2" "--gpus 3 --prefetch 2" "--gpus 4"; do
            # shellcheck disable=SC2086 # words
            ZEROLAB_EMULATE_ASYNC=1 run --comm local --ranks 4 --stage $stage --precision $precision $words
            is "stage $stage, $precision, $words: the weights of one GPU, bit for bit" "$one" "$(hash_of "$out")"
            is "… and its losses" "$losses" "$(losses "$out")"
            is "… predicted is measured" "" "$(compare_ledgers "$out")"
        done
    done
done
is "each GPU's first rank says what lies beside the ledger on it" "0 1 2 3" "$(values outside rank "$out" | sort | tr '\n' ' ' | sed 's/ $//')"
is "a GPU a rank: times are real" real "$(values start times "$out")"
run --comm local --ranks 4 --gpus 2
is "two ranks a GPU: they are not" "shared processor" "$(values start times "$out")"
ZEROLAB_EMULATE_APART=1 run --comm local --ranks 2 --gpus 2
is "GPUs that cannot read each other: exit status 1" 1 $?
likes "… and says which, and what to do" "*GPU [01] cannot read GPU [01]'s memory*CUDA_VISIBLE_DEVICES*" "$(grep error "$out")"
run --comm local --ranks 8 --gpus 8
is "more GPUs than are here: exit status 2" 2 $?
run --comm local --ranks 1 --gpus 2
likes "more GPUs than ranks: says so" "*--gpus 2: use as many ranks*" "$(cat "$dir/said")"
# What the run makes of the GPU, by the catalogue's number for it.
ZEROLAB_EMULATE_NAME="NVIDIA H200" run --comm local --ranks 2 --gpus 2 --precision bf16
awk_mfu=$(awk -v tokens="$(values step tokens_per_s "$out" | tail -n 1)" 'BEGIN { s = 16; h = 64; l = 2; v = 256
    printf "%.6g\n", tokens * 3 * (l * (24 * h * h + 4 * s * h) + 2 * h * v) / (2 * 989e12) }')
near=$(apart "$(values step mfu "$out" | tail -n 1)" "$awk_mfu")
under "$near" 1e-3
check $? "MFU is the model's operations over what two H200 could do ($near)"
for gpu in "NVIDIA H200 MIG 1g.18gb" "Unheard of 9000"; do
    ZEROLAB_EMULATE_NAME=$gpu run --comm local --ranks 2 --precision bf16
    is "no MFU of a GPU that the catalogue does not have: $gpu" "" "$(values step mfu "$out")"
done
echo "1..$number"
exit $((bad > 0))
