#!/bin/sh
# Which algorithm products take: the library's first, or what was timed once, by rank 0 for all, and
# kept. The emulator's algorithms differ in the order of their sums, so the bits say which one was
# taken. Speaks TAP.
# shellcheck source=tests/gpu/nccl.sh
. "$(dirname "$0")/nccl.sh"
export ZEROLAB_EMULATE_ALGORITHMS=3 XDG_CACHE_HOME="$dir/cache"

run --comm local --ranks 2
first=$(hash_of "$out")
[ -e "$XDG_CACHE_HOME" ]
is "the library's first is taken unless it is asked for more, and nothing is kept" 1 $?
run --comm nccl --ranks 2 --products timed
timed=$(hash_of "$out")
is "timed: ends well" ok "$(values end status "$out")"
is "… predicted is measured: what ranks tell each other of it is not counted" "" "$(compare_ledgers "$out")"
file=$(find "$XDG_CACHE_HOME" -name 'products-Emulated-GPU-*')
[ "$(grep -cE '^[0-9a-f]{16} [012]$' "$file")" -ge 8 ]
check $? "… each product's algorithm is kept: $(wc -l <"$file") lines"
for words in "--comm nccl --stage 0" "--comm nccl --stage 3" "--comm local --stage 2" "--comm local --stage 1 --gpus 2"; do
    # shellcheck disable=SC2086 # words
    run $words --ranks 2 --products timed
    is "… and taken again, with the same bits: $words" "$timed" "$(hash_of "$out")"
done
# What is kept decides, on every rank.
lines=$(wc -l <"$file")
sed -i 's/ [012]$/ 2/' "$file"
for words in "--comm local" "--comm nccl" "--comm nccl --stage 3"; do
    # shellcheck disable=SC2086 # words
    run $words --ranks 2 --products timed
    [ "$words" = "--comm local" ] && kept=$(hash_of "$out")
    is "what is kept decides on every rank: $words" "$kept" "$(hash_of "$out")"
done
[ "$kept" != "$first" ]
check $? "… and other sums have other bits: $kept, the first's $first"
is "… and nothing is timed again" "$lines" "$(wc -l <"$file")"
# A file that has grown over many runs, of other models.
awk 'BEGIN { for (i = 0; i < 300; i++) printf "%016x 1\n", 1048576 + 8 * i }' | cat - "$file" >"$dir/grown" && cp "$dir/grown" "$file"
lines=$(wc -l <"$file")
run --comm nccl --ranks 2 --products timed
is "what is kept decides behind $((lines)) products as well" "$kept" "$(hash_of "$out")"
is "… and nothing is timed again" "$lines" "$(wc -l <"$file")"
# Ranks of two machines share no file: rank 0 times, and the others take its choices and keep none.
port=$((21000 + $$ % 9000))
joined() { # rank
    # shellcheck disable=SC2086 # words
    RANK=$1 LOCAL_RANK=$1 WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port TORCHELASTIC_RUN_ID=$$ XDG_CACHE_HOME="$dir/of.$1" \
        timeout 60 "$program" $small --products timed >"$dir/out.$1" 2>"$dir/said.$1"
}
mkdir "$dir/of.0" "$dir/of.1"
joined 1 &
joined 0
wait
is "rank 0's machine keeps what was timed: $(values end status "$dir/out.0")" "$file" "$(find "$dir/of.0" -type f | sed "s,of.0,cache,")"
is "… and no other machine times or keeps any" "" "$(find "$dir/of.1" -type f)"
run --comm local --ranks 2
is "who does not ask for it has the library's first" "$first" "$(hash_of "$out")"
printf 'nonsense\n0123456789abcdef 99\n' >"$file"
run --comm local --ranks 2 --products timed
is "a file that says nothing is no harm" ok "$(values end status "$out")"
echo >"$dir/plain"
XDG_CACHE_HOME=$dir/plain run --comm local --ranks 2 --products timed
is "where it cannot be kept: exit status 1" 1 $?
likes "… and says so" "*cannot keep the timings*--products first*" "$(grep error "$out")"
echo "1..$number"
exit $((bad > 0))
