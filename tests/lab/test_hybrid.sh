#!/bin/sh
# Groups of ranks from the command line, as processes: what was measured is what was predicted,
# inside nodes and between them; what does not fit is refused. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/../gpu/lib.sh"
zerolab=${ZEROLAB:-build/zerolab}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out
small="--layers 2 --width 32 --heads 2 --seq 16 --vocab 257 --bucket 5KB --steps 3"
run() {
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small "$@" >"$out" 2>"$dir/said"
}
first() { values "$1" "$2" "$out" | head -n 1; }

run --ranks 4 --stage 3
plain=$(losses "$out")
is "without groups nothing is said of nodes" "" "$(first predict between)"
for mesh in "4 2" "6 2" "6 3"; do
    # shellcheck disable=SC2086 # two words
    set -- $mesh
    for stage in 1 2 3; do
        run --ranks "$1" --stage $stage --shard-group "$2"
        is "$1 ranks in groups of $2, stage $stage: as predicted" "" "$(compare_ledgers "$out")"
        said=$(first predict between)
        is "… between groups too ($said bytes)" "$said" "$(first end between)"
        is "… and inside them" "$(first predict inside)" "$(first end inside)"
        [ "$said" -gt 0 ]
        check $? "… neither is nothing"
    done
done
run --ranks 4 --stage 3 --shard-group 2
distance=$(apart "$(losses "$out")" "$plain")
under "$distance" 1e-6
check $? "groups of 2 are near stage 3: $distance apart"
inside=$(first end between)
run --ranks 4 --stage 3 --gpus-per-node 2
[ "$inside" -lt "$(first end between)" ]
check $? "groups send less between nodes than stage 3 among all ($inside, $(first end between))"
is "the start says which ranks share a node" 2 "$(first start gpus_per_node)"

run --ranks 4 --stage 2 --shard-group 4 --gpus-per-node 2 --precision fp16 --rate 30
said=$(values predict between "$out" | tail -n 1)
[ "$said" -lt "$(first predict between)" ]
check $? "steps that overflow send less between nodes"
is "… as predicted once they are known" "$said" "$(first end between)"

hash_of() { run "$@" && first end weights_hash; }
plain_hash=$(hash_of --ranks 4 --stage 3 --gpus-per-node 2)
run --ranks 4 --stage 3 --hpz 2
is "a second copy changes no bit" "$plain_hash" "$(first end weights_hash)"
is "… holds and sends what was predicted" "" "$(compare_ledgers "$out")"
is "… also between nodes" "$(first predict between)" "$(first end between)"
is "… of as many ranks as share it" 2 "$(first start gpus_per_node)"
is "… and the start says how many" 2 "$(first start hpz)"
is "events tell its gathers from the others" "all second" "$(
    sed -n 's/.*"event":"comm".*"op":"all_gather","among":"\([a-z]*\)".*/\1/p' "$out" | sort -u | tr '\n' ' ' | sed 's/ $//')"

refused() { # name, words of the message, options
    name=$1 words=$2
    shift 2
    run "$@"
    is "$name: exit status 2" 2 $?
    case $(cat "$dir/said") in *"$words"*) check 0 "… and says so" ;; *) check 1 "… and says so: $(cat "$dir/said")" ;; esac
    is "… and nothing else" "" "$(cat "$out")"
}
refused "a group that does not divide" "--shard-group 4 does not divide --ranks 6" --ranks 6 --stage 3 --shard-group 4
refused "a stage that shards nothing" "stage 0 shards nothing" --ranks 4 --shard-group 2
refused "a network without nodes" "all ranks are on one node" --ranks 4 --stage 3 --net 1GB/s
refused "nodes that cut groups" "one that divides the other" --ranks 6 --stage 3 --shard-group 3 --gpus-per-node 2
refused "a second copy that does not divide" "--hpz 4 does not divide the 6 ranks" --ranks 6 --stage 3 --hpz 4
refused "a second copy where nothing is gathered" "stage 2 keeps parameters whole" --ranks 4 --stage 2 --hpz 2

echo "1..$number"
[ "$bad" = 0 ]
