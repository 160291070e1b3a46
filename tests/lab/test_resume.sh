#!/bin/sh
# Checkpoints from the command line: a run that is killed at any moment goes on from the newest one
# to the same weights; what is refused; one file of weights. Speaks TAP. TEST_ALL kills fifty times.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/../gpu/lib.sh"
zerolab=${ZEROLAB:-build/zerolab}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out
small="--layers 2 --width 32 --heads 2 --seq 16 --vocab 256 --bucket 5KB"
run() {
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small "$@" >"$out" 2>"$dir/said"
}
says() { # name, words that standard error must hold
    case $(cat "$dir/said") in *"$2"*) check 0 "$1" ;; *) check 1 "$1: $(cat "$dir/said")" ;; esac
}

# ── killed ──
# The launcher and its ranks, all of them, at a moment that differs from time to time.
steps=150 kills=12 tries=0 most=0
[ -n "${TEST_ALL-}" ] && steps=1000 kills=50
run --ranks 2 --stage 2 --precision bf16 --steps $steps --save "$dir/whole"
begin="--ranks 2 --stage 2 --precision bf16 --steps $steps --save $dir/often --save-every 1 --keep 2"
newest() { find "$dir/often" -name 'step-*[0-9]' 2>/dev/null | sed 's/.*step-//' | sort -n | tail -n 1; }
often() { # begins, or goes on from the newest
    # shellcheck disable=SC2046,SC2086 # words
    exec setsid "$zerolab" $small $begin $([ -n "$(newest)" ] && echo "--resume $dir/often") >"$out" 2>"$dir/said"
}
while [ "$tries" -lt "$kills" ] && [ "$(newest)" != $steps ]; do
    tries=$((tries + 1))
    often &
    group=$!
    sleep "0.$(((tries * 37) % 30 + 10))"
    kill -9 "-$group" 2>/dev/null
    wait "$group" 2>/dev/null
    found=$(find "$dir/often" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
    [ "$found" -gt "$most" ] && most=$found
    [ -s "$dir/said" ] && sed 's/^/# /' "$dir/said"
done
[ "$most" -le 4 ]
check $? "killed $tries times while saving after every step: at most 4 folders ($most)"
last=$(newest)
if [ "$last" != $steps ]; then
    (often)
    is "… the rest, from step ${last:-0} on, is as predicted" "" "$(compare_ledgers "$out")"
fi
"$zerolab" consolidate "$dir/whole" "$dir/x" && "$zerolab" consolidate "$dir/often" "$dir/y" && cmp "$dir/x" "$dir/y"
check $? "… and the weights are those of a run that nothing killed"

# ── elsewhere ──
run --ranks 4 --stage 3 --steps 4 --save "$dir/a" --save-every 2
last=$(hash_of "$out")
is "saved after the steps that were asked for" "2 4" "$(values saved step "$out" | tr '\n' ' ' | sed 's/ $//')"
for to in "--comm local --stage 1" "--comm shm --stage 0" "--comm shm --stage 3 --prefetch 2"; do
    # shellcheck disable=SC2086 # words
    run --ranks 4 --steps 4 --resume "$dir/a/step-2" $to
    is "from shared memory, stage 3, to $to: the same weights" "$last" "$(hash_of "$out")"
    is "… the start says where it begins" 2 "$(values start resumed_after "$out")"
    is "… and first comes step 3" 3 "$(values step step "$out" | head -n 1)"
done
run --ranks 2 --steps 5 --resume "$dir/a"
is "on half of the ranks: ends well" ok "$(values end status "$out")"
says "… and says that the batch is another one" "the global batch was 4 sequences and is now 2"
run --ranks 2 --accumulate 2 --steps 5 --resume "$dir/a"
is "with as many micro-steps more it is the same, and not said" "" "$(cat "$dir/said")"

# ── what is read is what was written ──
# A step that overflows fp16 updates nothing, so a run of such steps saves the states that it read:
# on other ranks, stages, tiers and transports, and back on the first four.
half="--precision fp16 --batch 2"
# shellcheck disable=SC2086 # words
run $half --ranks 4 --stage 3 --steps 4 --save "$dir/h0"
mkdir "$dir/tier"
count=0
while read -r words; do
    before=$dir/h$count count=$((count + 1))
    # shellcheck disable=SC2086,SC2046 # words
    run $half --resume "$before" --loss-scale 1e12 --steps $((4 + count)) --save "$dir/h$count" \
        $(echo "$words" | sed "s,DIR,$dir/tier,")
    is "$words: no step updates" 1 "$(grep -c '"skipped":true' "$out")"
done <<'ROWS'
--ranks 2 --stage 1 --offload-optimizer host --comm local
--ranks 3 --stage 2 --offload-optimizer nvme --offload-dir DIR
--ranks 1 --stage 0
--ranks 5 --stage 3 --offload-optimizer nvme --offload-params nvme --offload-dir DIR --comm local
--ranks 4 --stage 3
ROWS
same=0
for rank in 0 1 2 3; do
    cmp -s "$dir/h0/step-4/rank-$rank.bin" "$dir/h$count/step-$((4 + count))/rank-$rank.bin" && same=$((same + 1))
done
is "… and all states are what they were, bit for bit" 4 $same
# shellcheck disable=SC2086 # words
run $half --ranks 4 --stage 3 --steps 5 --resume "$dir/h0" --loss-scale 1024
is "a loss scale that is asked for is the one used" 1024 "$(values step scale "$out")"

# ── refused ──
refused() { # name, words of the message, options
    name=$1 words=$2
    shift 2
    run "$@"
    is "$name: exit status 2" 2 $?
    says "… and says so" "$words"
}
refused "a folder without a checkpoint" "holds no complete checkpoint" --resume "$dir"
refused "no folder" "No such file or directory" --resume "$dir/none"
refused "a training that is over" "set --steps above that" --resume "$dir/a" --ranks 4 --steps 4
refused "another model" "--layers 2 --width 32" --resume "$dir/a" --width 64 --steps 9
refused "a folder of a later training" "has a checkpoint of a later step, step-4" --save "$dir/a" --steps 2
refused "a number of steps without a folder" "--save DIR" --save-every 3
refused "a dry run" "has no effect with --dry" --dry --save "$dir/b"
: >"$dir/file"
ln -s "$dir/away" "$dir/nowhere"
refused "a file where the folder should be" "Not a directory" --ranks 2 --steps 2 --save "$dir/file"
refused "a link to nothing" "No such file or directory" --ranks 2 --steps 2 --save "$dir/nowhere"
refused "a folder in no folder" "No such file or directory" --ranks 2 --steps 2 --save "$dir/x1/x2"

# A run has its folder to itself until it ends, whatever ends it.
# shellcheck disable=SC2086 # words
"$zerolab" $small --ranks 2 --steps 1000000 --detail-every 1000000 --save "$dir/mine" --save-every 50 >/dev/null 2>&1 &
first=$!
soon() { # waits at most a minute until a command succeeds: machines may be busy
    waited=0
    until "$@" || [ "$waited" -ge 300 ]; do
        sleep 0.2
        waited=$((waited + 1))
    done
}
saved() { [ -n "$(find "$dir/mine" -name 'step-*[0-9]' 2>/dev/null)" ]; }
resumed() { run --steps 1000000 --predict --save "$dir/mine" --resume "$dir/mine"; }
free() { resumed || ! grep -q "another run saves there" "$dir/said"; }
soon saved
refused "a folder where another run saves" "another run saves there" --steps 1000001 --save "$dir/mine"
kill -9 "$first"
wait "$first" 2>/dev/null
soon free # its ranks end a moment after it
resumed
is "… and when that one was killed it can be resumed" 0 $?

# ── what is not a checkpoint's stays ──
mkdir -p "$dir/mixed/step-1" "$dir/mixed/step-2.part" "$dir/archive"
for file in mixed/step-1/notes mixed/step-2.part/notes mixed/notes archive/manifest.json archive/rank-0.bin; do
    echo kept >"$dir/$file"
done
ln -s "$dir/archive" "$dir/mixed/step-3"
run --steps 4 --save "$dir/rest" --save-every 1 --keep 1
is "--keep 1 keeps the newest" "step-4" "$(ls "$dir/rest")"
refused "a folder with another's step" "a later step, step-3" --steps 8 --save "$dir/mixed" --save-every 4 --keep 1
rm "$dir/mixed/step-3" && ln -s "$dir/archive" "$dir/mixed/step-5.part"
run --steps 4 --save "$dir/start"
# From step 4 on, so that the folders before it are older.
run --steps 8 --resume "$dir/start" --save "$dir/mixed" --save-every 2 --keep 1
is "a folder with other files: ends well" 0 $?
is "… it has the newest checkpoint, and all that was not its own" "notes step-1 step-2.part step-5.part step-8" \
    "$(find "$dir/mixed" -mindepth 1 -maxdepth 1 -printf "%f\\n" | sort | tr '\n' ' ' | sed 's/ $//')"
is "… with what is in them" "kept kept kept kept kept" "$(cat "$dir/mixed/notes" "$dir/mixed/step-1/notes" \
    "$dir/mixed/step-2.part/notes" "$dir/archive/manifest.json" "$dir/archive/rank-0.bin" | tr '\n' ' ' | sed 's/ $//')"

# ── one file ──
"$zerolab" consolidate "$dir/a" "$dir/model.safetensors" 2>"$dir/said"
is "consolidate: ends well" 0 $?
length=$(od -An -tu8 -N8 "$dir/model.safetensors" | tr -d ' ')
header=$(dd if="$dir/model.safetensors" bs=1 skip=8 count="$length" 2>/dev/null)
is "… the header's length is a multiple of 8" 0 $((length % 8))
is "… the file ends where the last tensor does" "$(($(wc -c <"$dir/model.safetensors") - 8 - length))" \
    "$(echo "$header" | sed 's/.*data_offsets":\[[0-9]*,\([0-9]*\)\].*/\1/')"
case $header in *'"h.1.qkv.weight":{"dtype":"F32","shape":[96,32],'*) check 0 "… tensors have names and shapes" ;; *) check 1 "… tensors have names and shapes: $header" ;; esac
# Moments in 8 bits change no weight before the second step, but their blocks change who owns what.
for optimizer in adamw adam8bit; do
    run --steps 1 --ranks 3 --stage 3 --optimizer $optimizer --save "$dir/$optimizer"
    "$zerolab" consolidate "$dir/$optimizer" "$dir/$optimizer.safetensors" 2>"$dir/said"
done
cmp "$dir/adamw.safetensors" "$dir/adam8bit.safetensors" >"$dir/said" 2>&1
check $? "… of shards in whole blocks it is the same file"
"$zerolab" consolidate "$dir/a/step-2" "$dir/none/model" 2>"$dir/said"
is "… into no folder: exit status 2" 2 $?
says "… and says so" "cannot be written"
for name in link pipe folder; do
    case $name in
    link) ln -s "$dir/model.safetensors" "$dir/link" && words="it is a symbolic link" ;;
    pipe) mkfifo "$dir/pipe" && words="it is a device, a pipe or a socket" ;;
    folder) mkdir "$dir/folder" && words="Is a directory" ;;
    esac
    "$zerolab" consolidate "$dir/a/step-2" "$dir/$name" 2>"$dir/said"
    is "… into a $name: exit status 2" 2 $?
    says "… and says so" "$words"
done
[ -L "$dir/link" ] && [ -p "$dir/pipe" ] && [ -d "$dir/folder" ]
check $? "… and each is still what it was"
"$zerolab" consolidate "$dir/a" 2>"$dir/said"
is "… without a file's name: exit status 2" 2 $?
printf x | dd of="$dir/a/step-4/rank-3.bin" bs=1 seek=77 conv=notrunc 2>/dev/null
"$zerolab" consolidate "$dir/a" "$dir/damaged" 2>"$dir/said"
is "… of a damaged checkpoint: exit status 2" 2 $?
says "… and names the file" "rank-3.bin: is not the file that was saved"
[ ! -e "$dir/damaged" ] && [ ! -e "$dir/damaged.part" ]
check $? "… and writes nothing"
echo "1..$number"
exit $((bad > 0))
