#!/bin/sh
# What makes a run faster, and changes none of its bits: threads of the BLAS, events that are left
# out; and what a run says of its own speed. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/../gpu/lib.sh"
zerolab=${ZEROLAB:-build/zerolab}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=$dir/out
# so wide that a BLAS divides its products among threads
wide="--layers 2 --width 256 --heads 4 --seq 64 --vocab 512 --batch 4 --steps 3 --tokens random"
cores=$(getconf _NPROCESSORS_ONLN)
run() {
    # shellcheck disable=SC2086 # words
    timeout 100 "$zerolab" $wide "$@" >"$out" 2>"$dir/said"
}
# what the BLAS uses of so many threads: the reference one has no threads
used() {
    "$zerolab" --probe | grep -q blas_slow && echo 1 || echo "$1"
}
said() {
    case $(cat "$dir/said") in *"$1"*) check 0 "$2" ;; *) check 1 "$2: $(cat "$dir/said")" ;; esac
}

# ── threads ──
most=$([ "$cores" -gt 1 ] && echo 2 || echo 1)
for threads in 1 $most; do
    run --threads "$threads"
    is "--threads $threads: start says so" "$(used "$threads")" "$(values start blas_threads "$out")"
    first=$(hash_of "$out")
    run --threads "$threads"
    is "… the same setting gives the same bits" "$first" "$(hash_of "$out")"
    run --ranks 2 --threads "$threads"
    first=$(hash_of "$out")
    for stage in 1 2 3; do
        run --ranks 2 --threads "$threads" --stage $stage --comm "$([ $stage = 2 ] && echo local || echo shm)"
        is "… and stage $stage those of stage 0" "$first" "$(hash_of "$out")"
    done
done
run
is "by default the ranks share the cores" "$(used "$cores")" "$(values start blas_threads "$out")"
run --ranks $((cores + 1))
is "… and have one each if they are more" 1 "$(values start blas_threads "$out")"
run --threads $((cores + 1))
is "more threads than cores: exit status 2" 2 $?
said "this machine has $cores core" "… and says how many there are"
# (a sanitizer's build cannot even start there)
if (ulimit -v 4000000 && "$zerolab" --probe) >"$out" 2>"$dir/said"; then
    (ulimit -v 4000000 && run --threads 2)
    is "threads where address space is limited: exit status 2" 2 $?
    said "--threads 2: " "… and names the option"
    (ulimit -v 4000000 && run)
    is "without the option: one" "0 1" "$? $(values start blas_threads "$out")"
fi

# ── the BLAS by itself ──
run
is "start has the BLAS's name" 1 "$(values start blas "$out" | grep -c .)"
is "… and its speed" 1 "$(values start blas_gflops "$out" | awk '$1 > 0' | wc -l | tr -d ' ')"
is "… and each step its share of it" 3 "$(values step mfu "$out" | awk '$1 > 0' | wc -l | tr -d ' ')"
run --predict
is "a prediction times nothing" "" "$(values start blas_gflops "$out")"
timeout 60 "$zerolab" collectives --ranks 2 --to 4KB >"$out" 2>"$dir/said"
is "… and neither do collectives" "" "$(values start blas_gflops "$out")"
timeout 60 "$zerolab" gflops >"$out" 2>"$dir/said"
is "gflops alone prints a number" "0 1" "$? $(awk '$1 > 0' "$out" | wc -l | tr -d ' ')"
# ── events that are left out ──
small="--layers 2 --width 32 --heads 2 --seq 16 --vocab 256 --ranks 2 --steps 7 --tokens random"
for stage in 0 3; do
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" $small --stage $stage >"$dir/all" 2>"$dir/said"
    # shellcheck disable=SC2086
    timeout 60 "$zerolab" $small --stage $stage --detail-every 3 >"$out" 2>"$dir/said"
    for kind in memory comm; do
        is "stage $stage, --detail-every 3: $kind of the steps 1, 3 and 6" \
            "$(values $kind step "$dir/all" | grep -c '^[0136]$') " \
            "$(values $kind step "$out" | grep -c '^[0136]$') $(values $kind step "$out" | grep '[2457]')"
    done
    is "… all losses" "$(losses "$dir/all")" "$(losses "$out")"
    is "… the same weights" "$(hash_of "$dir/all")" "$(hash_of "$out")"
    is "… measured is predicted" "" "$(compare_ledgers "$out")"
    is "… times of communication in every step" 7 "$(values step comm_ms "$out" | awk '$1 > 0' | wc -l | tr -d ' ')"
done
timeout 60 "$zerolab" --ranks 1 --detail-every 0 >"$out" 2>"$dir/said"
is "--detail-every 0: exit status 2" 2 $?

# ── an update that ranks repeat ──
while read -r words updaters; do
    # shellcheck disable=SC2086 # words
    timeout 60 "$zerolab" --layers 1 --width 16 --heads 2 --seq 8 --vocab 64 --tokens random --steps 1 $(echo "$words" | tr _ ' ') \
        --events "$out" >"$dir/said"
    is "$words: ranks that update each parameter" "$updaters" "$(values start updaters "$out")"
    is "… which the head of the table says if they are several" "$([ "$updaters" -gt 1 ] && echo 1 || echo 0)" \
        "$(sed "/^ *step /q" "$dir/said" | grep -c "each parameter is updated by $updaters ranks")"
done <<'ROWS'
--ranks_1 1
--ranks_2_--stage_0 2
--ranks_4_--stage_1 1
--ranks_4_--stage_3 1
--ranks_4_--stage_2_--shard-group_2 2
ROWS

echo "1..$number"
exit $((bad > 0))
