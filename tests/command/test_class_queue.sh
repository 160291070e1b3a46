#!/bin/sh
# Labs of a class wait for their turn: `zerotutor lab run`, `zerotutor class queue`, and Slurm by a
# stand-in for srun. A lab that holds its turn is a stand-in that waits for a file. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
export ZEROTUTOR_HOME="$place/home"
unset ZEROLAB_CUDA ZEROTUTOR_LOCKS 2>/dev/null
tests=$(cd "$(dirname "$0")/.." && pwd)
lab=${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}
class=$place/class
short='--ranks 1 --stage 0 --model tiny --steps 2'

slow="$place/slow"
cat >"$slow" <<END
#!/bin/sh
echo "\${CUDA_VISIBLE_DEVICES:-none}" >>"$place/saw"
while [ ! -e "$place/go" ]; do sleep 0.05; done
exec "$lab" "\$@"
END
chmod +x "$slow"

hold() { # starts a lab that keeps its turn until \$place/go is there; its tutor's process is \$holder
    rm -f "$place/go" "$place/saw"
    # shellcheck disable=SC2086 # words
    ZEROLAB=$slow "$ZEROTUTOR" lab run -- --ranks ${1:-4} --stage 0 --model tiny --steps 2 >"$place/held" 2>&1 &
    holder=$!
    until_has "$place/saw" none
}
wait_behind() { # another one, in line behind it: \$behind
    rm -f "$place/behind" # what the one before it said
    # shellcheck disable=SC2086
    "$ZEROTUTOR" lab run -- $short >"$place/behind" 2>&1 &
    behind=$!
    until_has "$place/behind" 'in line for CPU cores'
}

outside() {
    # shellcheck disable=SC2086
    "$ZEROTUTOR" lab run -- $short >"$place/said" 2>&1 && ! grep -q 'in line' "$place/said"
}
nowhere() {
    "$ZEROTUTOR" class queue >"$place/said" 2>&1
    [ $? = 2 ] && has "$place/said" 'you are in no class'
}
joined() {
    "$ZEROTUTOR" class new "$class" cores=4 ranks=4 minutes=5 >"$place/said" 2>&1 &&
        "$ZEROTUTOR" class join "$class" >"$place/said" 2>&1 || { cat "$place/said"; return 1; }
    "$ZEROTUTOR" class queue >"$place/said" && has "$place/said" 'No lab runs and no lab waits.'
}
alone() {
    # shellcheck disable=SC2086
    "$ZEROTUTOR" lab run -- $short >"$place/said" 2>&1 && ! grep -q 'in line' "$place/said" &&
        has "$place/said" '--device cpu' && [ "$(find "$class/queue" -name '*.ticket' | wc -l)" = 1 ]
}
too_many() {
    "$ZEROTUTOR" lab run -- --ranks 5 >"$place/said" 2>&1
    [ $? = 2 ] && has "$place/said" 'the class allows 4 ranks'
}
in_turn() {
    hold && wait_behind || return 1
    has "$place/behind" 'You are number 1 of 1 in line for CPU cores. ' || return 1
    "$ZEROTUTOR" class queue >"$place/said" && has "$place/said" 'running' && has "$place/said" 'waiting' || return 1
    "$ZEROTUTOR" class queue --json >"$place/said" && has "$place/said" '"uses": "0,1,2,3"' &&
        has "$place/said" '"position": 1' || return 1
    "$ZEROTUTOR" class queue "$class" --ascii >"$place/said" && has "$place/said" '4 cores' || return 1
    touch "$place/go"
    wait $holder && wait $behind && has "$place/behind" 'rank 0' &&
        "$ZEROTUTOR" class queue >"$place/said" && has "$place/said" 'No lab runs'
}
killed() {
    hold && wait_behind || return 1
    kill -9 $holder
    wait $behind && has "$place/behind" 'rank 0'
}
left() {
    hold && wait_behind || return 1
    kill -TERM $behind
    wait $behind
    [ $? = 1 ] && has "$place/behind" 'You left the queue' || return 1
    touch "$place/go"
    wait $holder
}
cancelled() {
    hold && wait_behind || return 1
    "$ZEROTUTOR" class queue --cancel >"$place/said" && has "$place/said" '2 of your labs' || return 1
    wait $behind
    [ $? = 1 ] && has "$place/behind" 'taken out of the queue' || return 1
    wait $holder
    [ $? = 1 ] && has "$place/held" 'taken out of the queue' &&
        "$ZEROTUTOR" class queue --cancel >"$place/said" && has "$place/said" 'None of your labs'
}
round_the_queue() { # a lab that was started without a turn is named, with its process
    "$lab" --ranks 1 --model tiny --steps 1000000 >/dev/null 2>&1 &
    evader=$!
    "$ZEROTUTOR" class doctor "$class" >"$place/said"
    kill $evader
    wait $evader
    tr -s '\n ' '  ' <"$place/said" >"$place/line" &&
        has "$place/line" "runs a lab without a turn (process $evader)" && has "$place/said" "ps -o user,pid,lstart,args -p $evader"
}
over_time() { # by the file server's clock: a program that was stopped keeps its lock
    rm -f "$class"/queue/*
    hold || return 1
    touch -d '10 minutes ago' "$class"/queue/*.ticket
    "$ZEROTUTOR" class queue >"$place/said" && has "$place/said" 'over time' || return 1
    "$ZEROTUTOR" class doctor "$class" >"$place/said"
    tr -s '\n ' '  ' <"$place/said" >"$place/line"
    has "$place/line" 'has had a turn for 10 min' && has "$place/line" 'a turn takes at most 5' &&
        has "$place/said" "ps -o user,pid,stat,lstart,args -u $(id -u)" || return 1
    touch "$place/go"
    wait $holder
}
without_open_file_locks() {
    ZEROTUTOR_LOCKS=posix
    export ZEROTUTOR_LOCKS
    killed
    status=$?
    unset ZEROTUTOR_LOCKS
    return $status
}
linear() { # the lesson goes on when the lab that it asks for was left in the queue
    hold || return 1
    { yes '' | head -15; echo run; yes '' | head -60; } | "$ZEROTUTOR" learn 1.1 --linear >"$place/lesson" 2>&1 &
    lesson=$!
    until_has "$place/lesson" 'in line for CPU cores' || return 1
    kill -INT $lesson
    until_has "$place/lesson" 'You left the queue.' || return 1
    wait $lesson
    touch "$place/go"
    wait $holder
}
gpus() { # two GPUs: each of two labs sees one
    "$ZEROTUTOR" class set "$class" gpus=2 >/dev/null || return 1
    rm -f "$place/go" "$place/saw"
    cat >"$place/cuda" <<END
#!/bin/sh
[ "\${1:-}" = --probe ] && exec sh "$tests/experiment/zerolab-cuda.sh" "\$@"
echo "\$CUDA_VISIBLE_DEVICES \$*" >>"$place/saw"
while [ ! -e "$place/go" ]; do sleep 0.05; done
END
    chmod +x "$place/cuda"
    for i in 0 1; do
        GPUS=2 ZEROLAB_CUDA=$place/cuda "$ZEROTUTOR" lab run -- --ranks 2 >"$place/gpu$i" 2>&1 &
        until_has "$place/saw" "$i --ranks 2 --device cuda --comm local" || return 1
    done
    GPUS=2 ZEROLAB_CUDA=$place/cuda "$ZEROTUTOR" lab run -- --ranks 2 >"$place/gpu2" 2>&1 &
    until_has "$place/gpu2" 'in line for a GPU' || return 1
    touch "$place/go"
    wait
    [ "$(wc -l <"$place/saw")" = 3 ]
}
slurm() {
    mkdir -p "$place/bin"
    cat >"$place/bin/srun" <<END
#!/bin/sh
echo "\$*" >>"$place/srun"
while [ "\${1#--}" != "\$1" ]; do shift; done
exec "\$@"
END
    cat >"$place/bin/squeue" <<END
#!/bin/sh
echo "\$*" >>"$place/squeue"
cat "$place/jobs"
END
    printf '#!/bin/sh\necho "$1" >>%s\n' "$place/scancel" >"$place/bin/scancel"
    chmod +x "$place/bin/srun" "$place/bin/squeue" "$place/bin/scancel"
    sed 's/"slurm": false/"slurm": "debug"/' "$class/class.json" >"$place/new" && cp "$place/new" "$class/class.json" || return 1
    # shellcheck disable=SC2086
    PATH="$place/none" "$ZEROTUTOR" lab run -- $short >"$place/said" 2>&1 && [ ! -e "$place/srun" ] || return 1 # no srun here: tickets
    rm -f "$class"/queue/*
    # shellcheck disable=SC2086
    PATH="$place/bin:$PATH" "$ZEROTUTOR" lab run -- $short >"$place/said" 2>&1 && has "$place/said" 'rank 0' &&
        has "$place/said" 'Slurm starts the lab when it can.' && has "$place/srun" '--ntasks=1 --cpus-per-task=1 --time=5' && has "$place/srun" '--partition=debug' &&
        has "$place/srun" "--model tiny" && [ -z "$(ls "$class/queue")" ]
}
slurm_gpu() { # where learners type is none
    "$ZEROTUTOR" class set "$class" gpus=2 slurm=debug >/dev/null && rm -f "$place/saw" "$place/srun" && touch "$place/go"
    GPUS=0 ZEROLAB_CUDA=$place/cuda PATH="$place/bin:$PATH" "$ZEROTUTOR" lab run -- --ranks 2 >"$place/said" 2>&1
    has "$place/srun" '--cpus-per-task=2' && has "$place/srun" '--gres=gpu:1' && has "$place/saw" '--device cuda --comm local' || return 1
    GPUS=0 ZEROLAB_CUDA=$place/cuda PATH="$place/bin:$PATH" "$ZEROTUTOR" lab run -- $short --device cpu >"$place/said" 2>&1 &&
        has "$place/said" 'rank 0' && ! tail -n1 "$place/srun" | grep -q gres && "$ZEROTUTOR" class set "$class" gpus=0 >/dev/null
}
jobs() { # as squeue lists them: of this class one runs and two wait, one of them oneself's; and of another class
    id=$(sed -n 's/.*"id": "\(.*\)".*/\1/p' "$class/class.json")
    cat >"$place/jobs" <<END
11|0|R|4|N/A|2026-11-25T12:00:00|2026-11-25T12:01:00|5:00|node1|$id/stage-ladder
12|$(id -u)|PD|2|gres:gpu:a100:2|2026-11-25T12:00:10|N/A|1-00:05:00||$id/own
13|65534|PD|2|gres/gpu:1|2026-11-25T12:00:20|2099-11-25T12:01:00|10:00||$id/own
14|65534|R|2|N/A|2026-11-25T12:00:20|N/A|10:00||$(echo "$id" | tr 0-9a-f f0-9a-e)/own
rubbish
END
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class queue --json >"$place/said" && has "$place/squeue" '--partition=debug' &&
        "${PYTHON:-python3}" - "$place/said" <<'END' || return 1
import json, sys
one, two, three = json.load(open(sys.argv[1]))["queue"][-1:] + json.load(open(sys.argv[1]))["queue"][:2]
assert (one["state"], one["lab"], one["kind"], one["slots"], one["host"]) == ("running", "stage-ladder", "cpu", 4, "node1"), one
assert (two["state"], two["kind"], two["slots"], two["position"], two["wait_seconds"]) == ("waiting", "gpu", 2, 1, 86700), two
assert (three["slots"], three["position"]) == (1, 2) and three["wait_seconds"] > 10**9, three
END
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class queue --ascii >"$place/said" && has "$place/said" 'stage-ladder' || return 1
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class watch "$class" --once --json >"$place/said" && has "$place/said" 'stage-ladder' || return 1
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class queue --cancel >"$place/said" && grep -qx 12 "$place/scancel" && ! grep -q '1[34]' "$place/scancel"
}
slurm_checked() { # the doctor says that Slurm does it; that it does not answer; that it is not there
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class doctor "$class" >"$place/said" && flat && has "$place/line" 'Slurm gives out the machines' &&
        lacks "$place/line" 'take turns' || return 1
    printf '#!/bin/sh\necho "no such partition" >&2\nexit 1\n' >"$place/bin/squeue"
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class doctor "$class" >"$place/said"
    [ $? = 1 ] && flat && has "$place/line" 'Slurm does not list the jobs of debug' || return 1
    PATH="$place/bin:$PATH" "$ZEROTUTOR" class queue >"$place/said" 2>&1
    [ $? = 2 ] && has "$place/said" 'sinfo' || return 1
    PATH="$place/none" "$ZEROTUTOR" class doctor "$class" >"$place/said" && flat && has "$place/line" 'this machine has no srun'
}

echo 1..18
check "outside a class nothing waits" outside
check "a queue needs a class" nowhere
check "a class has an empty queue" joined
check "a lab that is alone starts immediately and leaves its ticket" alone
check "a lab with more ranks than the class allows is refused" too_many
check "a second lab waits for the first" in_turn
check "a killed owner's turn goes to the next" killed
check "the same without locks of open files" without_open_file_locks
check "one may leave the queue" left
check "the doctor names a lab that goes round the queue" round_the_queue
check "a turn that is not given back is named" over_time
check "one's labs can be cancelled from elsewhere" cancelled
check "in a lesson, too, and the lesson goes on" linear
check "each lab sees the GPU that is its turn's" gpus
check "Slurm takes the place of tickets" slurm
check "GPUs are those of Slurm's machines" slurm_gpu
check "its jobs are the queue" jobs
check "the doctor says whether Slurm answers" slurm_checked
