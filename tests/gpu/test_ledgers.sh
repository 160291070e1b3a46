#!/bin/sh
# Ledgers of random runs on the emulator, measured and dry, beside the engine's prediction. Speaks
# TAP.
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

# The model's shape, ranks, stage, precision, buckets, checkpointing. To the byte, each of them.
configurations() { # how many
    awk -v count="$1" 'function one_of(words,    list, n) { n = split(words, list, " "); return list[1 + int(rand() * n)] }
        BEGIN {
            srand(7)
            for (i = 0; i < count; i++) {
                heads = one_of("1 2 3"); size = one_of("8 16 32 64")
                print "--layers", one_of("1 2 3"), "--heads", heads, "--width", heads * size, "--seq", one_of("8 24 32 65"),
                    "--vocab", one_of("60 64 65 257"), "--batch", one_of("1 2 3"), "--ranks", one_of("1 2 3"), "--stage", one_of("0 1 2 3"),
                    "--precision", one_of("fp32 bf16 fp16"), "--checkpoint", one_of("none selective full"), "--bucket", one_of("2KB 30KB 25MB"),
                    "--prefetch", one_of("0 1 2"), "--accumulate", one_of("1 1 2"), "--clip", one_of("off 1"), "--steps 2 --tokens random --comm local"
            }
        }'
}
configurations $((${TEST_ALL:+90} + 10)) >"$work/configurations"
while read -r flags; do
    # shellcheck disable=SC2086 # a list of words
    "$zerolab" --device cuda $flags >"$work/events" 2>"$work/words"
    status=$?
    # shellcheck disable=SC2086
    "$zerolab" --device cuda --dry $flags >"$work/dry" 2>&1
    is "$flags" "0" "$status$(cat "$work/words" && compare_ledgers "$work/events" && compare_ledgers "$work/dry" | sed 's/^/dry: /')"
done <"$work/configurations"
echo "1..$number"
exit $((bad > 0))
