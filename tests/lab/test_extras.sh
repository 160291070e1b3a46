#!/bin/sh
# What a run does besides training: the loss on what is kept back, collectives alone, runs without hashes.
# Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/../gpu/lib.sh"
zerolab=${ZEROLAB:-build/zerolab}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out
small="--layers 2 --width 32 --heads 2 --seq 16 --vocab 256 --ranks 3 --steps 4 --bucket 5KB"
run() {
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small "$@" >"$out" 2>"$dir/said"
}
run --tokens random
plain=$(hash_of "$out")
for stage in 0 1 2 3; do
    run --stage $stage --evaluate 2
    found=$(values evaluation loss "$out" | tr '\n' ' ')
    [ $stage = 0 ] && first=$found
    is "stage $stage: evaluations after steps 2 and 4" "2 4" "$(values evaluation step "$out" | tr '\n' ' ' | sed 's/ $//')"
    is "… with the losses of stage 0" "$first" "$found"
    is "… predicted is measured: what they send is not counted" "" "$(compare_ledgers "$out")"
    run --stage $stage --evaluate 2 --prefetch 2 --tokens random
    is "… and they change nothing of the training" "$plain" "$(hash_of "$out")"
done
head -c 100 /dev/zero | tr '\0' 'a' >"$dir/short"
run --evaluate 1 --tokens "$dir/short"
is "a text of which a tenth is no sequence: exit status 2" 2 $?
case $(cat "$dir/said") in *"--evaluate holds out"*) check 0 "… and says so" ;; *) check 1 "… and says so: $(cat "$dir/said")" ;; esac

run --links --comm shm
is "collectives alone: ends well" 0 $?
is "… as many of each as steps, on each rank" "12 all_gather 12 all_reduce 12 reduce_scatter" \
    "$(values comm op "$out" | sort | uniq -c | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
is "… and nothing is trained or predicted" "" "$(values step loss "$out")$(values predict peak_total "$out")"
is "… each sends what its op sends" "3328 6656" "$(values comm sent "$out" | sort -un | tr '\n' ' ' | sed 's/ $//')"
run --links --ranks 1
is "one rank has no links: exit status 2" 2 $?

run --no-hash
is "without hashes: ends well" ok "$(values end status "$out")"
is "… and has none" "" "$(grep -o '"[a-z]*_hash"' "$out")"
echo "1..$number"
exit $((bad > 0))
