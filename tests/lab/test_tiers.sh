#!/bin/sh
# Tiers from the command line: a checkpoint goes from the device to the host to a file and back; folders and disks
# that fail; nothing stays in the folder. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/../gpu/lib.sh"
zerolab=${ZEROLAB:-build/zerolab}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out files=$dir/files
mkdir "$files"
small="--layers 2 --width 32 --heads 2 --seq 16 --vocab 256 --bucket 5KB --ranks 3"
run() {
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small "$@" >"$out" 2>"$dir/said"
}
holds() { # name, file, words
    case $(cat "$2") in *"$3"*) check 0 "$1" ;; *) check 1 "$1: $(cat "$2" "$dir/said" | tail -n 3)" ;; esac
}
host="--offload-optimizer host" file="--offload-optimizer nvme --offload-dir $files"
all="--offload-optimizer nvme --offload-params nvme --offload-dir $files"

# ── from tier to tier ──
for precision in fp32 bf16; do
    rm -rf "$dir/saved"
    begin="--precision $precision --stage 3 --steps 8 --save $dir/saved"
    run --precision $precision --stage 3 --steps 8
    whole=$(hash_of "$out")
    done=0
    for tier in "" "$host" "$file" "$all"; do
        done=$((done + 2))
        from=
        [ $done -gt 2 ] && from="--resume $dir/saved"
        # shellcheck disable=SC2086 # words
        if [ $done -lt 8 ]; then
            run $begin $tier $from --save-every $done &
            rank=$!
            wait $rank
            rm -rf "$dir/saved/step-8" # what is left is the step before the next tier
        else
            run $begin $tier $from
        fi
    done
    is "$precision: device, host, file, and parameters there: the weights of one run" "$whole" "$(hash_of "$out")"
done
# shellcheck disable=SC2086 # words
run --stage 3 $all --evaluate 2 --steps 4
is "an evaluation between steps moves nothing that is counted: predicted is measured" "" "$(compare_ledgers "$out")"
is "nothing stays in the folder" "" "$(ls "$files")"

# ── what fails ──
run --stage 2 --offload-optimizer nvme --offload-dir "$dir/nowhere"
is "no folder: exit status 2" 2 $?
holds "… and says so" "$dir/said" "--offload-dir $dir/nowhere: no file can be made there"
is "… and writes nothing" "" "$(cat "$out")"
run --stage 0 $host
is "a stage that has no use for it: exit status 2" 2 $?
holds "… and names the ones that have" "$dir/said" "--stage 1, 2 or 3"
(
    ulimit -f 8
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small --stage 2 $file 2>"$dir/said" | cat >"$out"
    timeout 60 "$zerolab" $small --stage 2 $file >/dev/null 2>&1
)
is "a disk that takes no more: all ranks end, exit status 1" 1 $?
holds "… and the error names the folder" "$out" "--offload-dir $files: the file there fails"
is "… in which nothing stays" "" "$(ls "$files")"
plan
