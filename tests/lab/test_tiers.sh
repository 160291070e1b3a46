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
    run --precision $precision --stage 3 --steps 8
    whole=$(hash_of "$out")
    step=0 from=
    for tier in "" "$host" "$file" "$all"; do
        # shellcheck disable=SC2086 # words
        run --precision $precision --stage 3 --steps 8 --save "$dir/saved" --save-every 2 --keep 9 $tier $from
        step=$((step + 2))
        from="--resume $dir/saved"
        # The next tier goes on after two steps of this one.
        for later in $(seq $((step + 1)) 8); do rm -rf "$dir/saved/step-$later"; done
        [ -d "$dir/saved/step-$step" ] || check 1 "$precision: step $step was saved"
    done
    is "$precision: device, host, file, and parameters there: the weights of one run" "$whole" "$(hash_of "$out")"
done
# shellcheck disable=SC2086 # words
run --stage 3 $all --evaluate 2 --steps 4
is "an evaluation between steps moves nothing that is counted: predicted is measured" "" "$(compare_ledgers "$out")"
moved() { grep "\"event\":\"$1\"" "$out" | head -n 1 | grep -o '"\(host\|nvme\)":{"held".*' | sed 's/}.*"nvme"/ "nvme"/; s/,"state_hash.*//; s/}*$//'; }
is "… on its tiers too" "$(moved predict)" "$(moved end | sed 's/}},{.*//; s/}*$//')"
[ -n "$(moved predict)" ]
check $? "… which hold something"
is "nothing stays in the folder" "" "$(ls "$files")"

# ── what no device could hold: 16 bytes a parameter, of which the gradients' two stay there ──
deep="--layers 24 --width 64 --ranks 2 --stage 3 --precision bf16 --checkpoint full --prefetch 0 --bucket 64KB --steps 2"
# shellcheck disable=SC2086 # words
run $deep
whole=$(hash_of "$out")
# shellcheck disable=SC2086 # words
run $deep --cap 1.7MB $all
is "states of 9.7 MB train under a cap of 1.7 MB: the same weights" "0 $whole" "$? $(hash_of "$out")"
is "… every byte as predicted" "" "$(compare_ledgers "$out")"
# shellcheck disable=SC2086 # words
run $deep --cap 1.7MB
is "… and not without the file: exit status 1" 1 $?

TMPDIR=$files run --stage 2 --offload-optimizer nvme
is "without a folder: that of temporary files" "0 $files" "$? $(values start dir "$out" | head -n 1)"

# ── what is said ──
# shellcheck disable=SC2086 # words
run --stage 3 --steps 2 $all
holds "what passes through the host is staging" "$out" '"workspace":0,"staging":'
holds "a run says whether its file is past the page cache" "$out" '"direct":'
# shellcheck disable=SC2086 # words
run --stage 3 --steps 2 --predict $all
case $(cat "$out") in *'"direct":'*) check 1 "nothing was tried, so nothing is said" ;; *) check 0 "nothing was tried, so nothing is said" ;; esac

# ── what fails ──
run --stage 2 --offload-optimizer nvme --offload-dir "$dir/nowhere"
is "no folder: exit status 2" 2 $?
holds "… and says so" "$dir/said" "--offload-dir $dir/nowhere: no file can be made there"
is "… and writes nothing" "" "$(cat "$out")"
run --stage 0 --offload-optimizer host
is "a stage that has no use for it: exit status 2" 2 $?
holds "… and names the ones that have" "$dir/said" "--stage 1, 2 or 3"
# The limit is between what ranks share in memory, which it holds for too, and the larger file.
(
    ulimit -f 300
    # shellcheck disable=SC2086 # words
    run --ranks 2 --stage 2 --precision bf16 $file
)
is "a disk that takes no more: all ranks end, exit status 1" 1 $?
holds "… and the error names the folder" "$out" "--offload-dir $files: the file there fails"
is "… in which nothing stays" "" "$(ls "$files")"
echo "1..$number"
exit $((bad > 0))
