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

# Every time is at least that of the emulated link, by which a rank sends 2/3 or 4/3 of the bytes.
run --links --to 64KB
is "a range of sizes is asked for with --to, which collectives alone know" 0 $?
timeout 60 "$zerolab" collectives --ranks 3 --steps 3 --from 3KB --to 48KB --factor 4 --link 10MB/s,1ms >"$out" 2>"$dir/said"
is "collectives over a range: ends well" "0 ok" "$? $(values end status "$out")"
is "… of these sizes, the largest twice the last" "3000 12000 48000 96000" "$(values collective bytes "$out" | sort -un | tr '\n' ' ' | sed 's/ $//')"
is "… each for three collectives" "12 3" "$(values collective op "$out" | wc -l | tr -d ' ') $(values link op "$out" | wc -l | tr -d ' ')"
is "… no time is shorter than the link allows" "" "$(sed -n 's/.*"event":"collective","op":"\([a-z_]*\)","bytes":\([0-9]*\),"us":\([0-9.e+]*\).*/\1 \2 \3/p' "$out" |
    awk '{ times = $1 == "all_reduce" ? 2 : 1; least = times * (2 * 1000 + $2 * 2 / 3 / 10); if ($3 < least) print }')"
is "… the largest was predicted by a fit of the others" "96000" "$(values link bytes "$out" | sort -u)"
for wrong in "--to 1KB --from 2KB" "--steps 1" "--steps 5000"; do
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" collectives $wrong >"$out" 2>"$dir/said"
    is "collectives $wrong: exit status 2" 2 $?
done
run --to 64KB
is "a range without collectives: exit status 2" 2 $?

run --no-hash
is "without hashes: ends well" ok "$(values end status "$out")"
is "… and has none" "" "$(grep -o '"[a-z]*_hash"' "$out")"
echo "1..$number"
exit $((bad > 0))
