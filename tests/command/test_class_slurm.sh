#!/bin/sh
# Labs of a class as jobs of a real Slurm with one node, which this script starts in a folder of its
# own and ends. Runs in test-all, as root, if slurmd, slurmctld, srun and munged are installed
# (Debian: slurmd slurmctld slurm-client munge). Speaks TAP.
set -u
PATH=$PATH:/usr/sbin:/sbin
skip() { echo "1..0 # SKIP $1" && exit 0; }
[ -n "${TEST_ALL:-}" ] || skip 'only in test-all'
[ "$(id -u)" = 0 ] || skip 'only root can start a node of Slurm'
for program in slurmd slurmctld srun squeue scancel munged; do
    command -v $program >/dev/null || skip "$program is not installed"
done
setpriv --reuid 1 --regid 1 --clear-groups test -x "$ZEROTUTOR" || skip 'another user cannot run zerotutor'
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
unset ZEROLAB_CUDA ZEROTUTOR_LOCKS 2>/dev/null
tests=$(cd "$(dirname "$0")/.." && pwd)
lab=${ZEROLAB:-$(dirname "$ZEROTUTOR")/zerolab}
class="$place/srv/class"
export SLURM_CONF="$place/slurm.conf"
munged=''
ctld=''
slurmd=''
end() {
    for pid in $slurmd $ctld $munged; do kill "$pid" 2>/dev/null; done
    wait
    rm -rf "$place"
}
trap end EXIT

# ── one node, with four cores that it may not have and a GPU that is none ──
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
configure() {
    here=$(hostname -s)
    cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$here(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/ctld.pid
SlurmdPidFile=$place/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
MailProg=/bin/true
GresTypes=gpu
NodeName=$here NodeAddr=127.0.0.1 CPUs=4 RealMemory=500 Gres=gpu:1 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=60 State=UP
END
    echo 'Name=gpu File=/dev/null' >"$place/gres.conf"
}
begin() {
    chmod 755 "$place" && mkdir -p "$place/state" "$place/spool" "$place/munge" "$place/srv" "$place/1" && chown 1 "$place/1" || return 1
    head -c 128 /dev/urandom >"$place/munge/key" && chmod 600 "$place/munge/key" && configure || return 1
    munged --foreground --force --key-file="$place/munge/key" --socket="$place/munge/socket" --pid-file="$place/munge/pid" \
        --log-file="$place/munge/log" --seed-file="$place/munge/seed" >"$place/munged.out" 2>&1 &
    munged=$!
    for _ in $(seq 100); do
        [ ! -S "$place/munge/socket" ] || break
        sleep 0.1
    done
    slurmctld -D -f "$SLURM_CONF" >"$place/ctld.log" 2>&1 &
    ctld=$!
    slurmd -D -f "$SLURM_CONF" >"$place/slurmd.log" 2>&1 &
    slurmd=$!
    for _ in $(seq 200); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 0.1
    done
    cat "$place/munged.out" "$place/munge/log" "$place/ctld.log" "$place/slurmd.log"
    false
}
learner() { # as the account daemon, whose home is $place/1
    (cd / && exec setpriv --reuid 1 --regid 1 --clear-groups env HOME="$place/1" ZEROTUTOR_HOME="$place/1" ZEROLAB="$lab" "$ZEROTUTOR" "$@")
}
jobs_are() { # how many jobs there are, after at most twenty seconds
    for _ in $(seq 200); do
        [ "$(squeue -h | wc -l)" = "$1" ] && return 0
        sleep 0.1
    done
    squeue
    false
}
ends() { # the status of a process that was started here
    wait "$1"
    [ $? = "$2" ] || { cat "$place/said" "$place/second"; false; }
}

joined() {
    ZEROTUTOR_HOME="$place/0" "$ZEROTUTOR" class new "$class" slurm=debug cores=4 gpus=0 >"$place/said" && learner class join "$class" &&
        ZEROTUTOR_HOME="$place/0" "$ZEROTUTOR" class doctor "$class" >"$place/said" && flat &&
        has "$place/line" 'Slurm gives out the machines' && lacks "$place/said" 'take turns because'
}
runs() {
    learner lab run -- --ranks 2 --stage 3 --model tiny --steps 5 >"$place/said" 2>&1 &&
        has "$place/said" 'step 5' && [ -z "$(ls "$class/queue")" ] || { cat "$place/said"; false; }
}
one() { # a long job that takes every core: $first
    learner lab run -- --ranks 4 --stage 3 --model tiny --steps 900000 >"$place/said" 2>&1 &
    first=$!
    jobs_are 1 && until_has "$place/said" 'step 1 '
}
listed() { # two jobs: one runs, one waits, and both are in the class's queue
    one || return 1
    learner lab run -- --ranks 4 --stage 3 --model tiny --steps 900000 >"$place/second" 2>&1 &
    second=$!
    jobs_are 2 && learner class queue >"$place/queue" && has "$place/queue" 'running' && has "$place/queue" 'waiting' &&
        has "$place/queue" 'daemon' && learner class queue --json >"$place/queue" && has "$place/queue" '"state": "running"' &&
        has "$place/second" 'shows the line' &&
        has "$place/queue" '"account": "daemon"'
}
cancelled() { # both of them, from elsewhere
    learner class queue --cancel >"$place/queue" && has "$place/queue" '2 of your labs' && ends "$first" 1 && ends "$second" 1 &&
        jobs_are 0 && learner class queue --cancel >"$place/queue" && has "$place/queue" 'None of your labs' &&
        learner class queue >"$place/queue" && has "$place/queue" 'No lab runs'
}
left() { # as ^C does
    one && kill -TERM "$(pgrep -u 1 -f 'zerotutor lab run')" && ends "$first" 1 && jobs_are 0
}
killed() {
    one && kill -KILL "$(pgrep -u 1 -f 'zerotutor lab run')" && jobs_are 0 && ends "$first" 137
}
gpu() { # the node has one, where learners type is none: the second lab waits for the first, and each sees it
    ZEROTUTOR_HOME="$place/0" "$ZEROTUTOR" class set "$class" gpus=1 >/dev/null || return 1
    cat >"$place/cuda" <<END
#!/bin/sh
[ "\${1:-}" = --probe ] && GPUS=0 exec sh "$tests/experiment/zerolab-cuda.sh" "\$@"
echo "\$CUDA_VISIBLE_DEVICES \$*" >>"$place/1/saw"
while [ ! -e "$place/go" ]; do sleep 0.05; done
END
    chmod 755 "$place/cuda"
    export ZEROLAB_CUDA="$place/cuda"
    learner lab run -- --ranks 1 >"$place/said" 2>&1 &
    first=$!
    until_has "$place/1/saw" '0 --ranks 1 --device cuda' || return 1
    learner lab run -- --ranks 1 >"$place/second" 2>&1 &
    second=$!
    jobs_are 2 && [ "$(wc -l <"$place/1/saw")" = 1 ] && touch "$place/go" && wait $first
    wait $second
    unset ZEROLAB_CUDA
    [ "$(grep -c '^0 --ranks 1 --device cuda' "$place/1/saw")" = 2 ] && jobs_are 0
}

echo 1..8
check "one node of Slurm starts" begin
check "a class whose labs are jobs, which the doctor says" joined
check "a lab runs as a job of its learner's, and leaves no ticket" runs
check "the class's queue lists Slurm's jobs" listed
check "and takes one's own out of it" cancelled
check "a lab that is left ends its job" left
check "so does a tutor that is killed" killed
check "GPUs are Slurm's to give out" gpu
