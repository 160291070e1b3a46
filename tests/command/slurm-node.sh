#!/bin/sh
# Tried by hand, as root, on a machine that may have Slurm's daemons: one node of Slurm, and labs of
# a class that are submitted to it. Needs Debian's slurmd, slurmctld, slurm-client and munge, which
# it configures (/etc/slurm/slurm.conf must not exist yet), starts, and ends. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
: "${ZEROTUTOR:=build/zerotutor}"
export ZEROTUTOR_HOME="$place/home"
here=$(hostname -s) config=/etc/slurm/slurm.conf
[ "$(id -u)" = 0 ] && [ ! -e "$config" ] || { echo "this needs root and a machine without $config" >&2 && exit 2; }

end() {
    for pid in "$place/ctld.pid" "$place/slurmd.pid" "$place/munged.pid"; do
        [ -s "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
    done
    rm -f "$config"
    rm -rf "$place"
}
trap end EXIT

begin() {
    mkdir -p "$place/state" "$place/spool" /run/munge /etc/slurm && chown munge /run/munge "$place" && chmod 755 "$place" || return 1
    munged=$(command -v munged) && runuser -u munge -- "$munged" --force --pid-file="$place/munged.pid" || return 1
    cat >"$config" <<END
ClusterName=one
SlurmctldHost=$here
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/ctld.pid
SlurmdPidFile=$place/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MailProg=/bin/true
NodeName=$here CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=60 State=UP
END
    slurmctld -L "$place/ctld.log" && slurmd -L "$place/slurmd.log" || return 1
    for _ in $(seq 100); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 0.1
    done
    cat "$place/ctld.log" "$place/slurmd.log"
    false
}
until_jobs() { # number of jobs, at most ten seconds
    for _ in $(seq 100); do
        [ "$(squeue -h | wc -l)" = "$1" ] && return 0
        sleep 0.1
    done
    squeue
    false
}
joined() {
    "$ZEROTUTOR" class new "$place/class" && "$ZEROTUTOR" class join "$place/class" &&
        sed -i 's/"slurm": false/"slurm": "debug"/' "$place/class/class.json"
}
runs() {
    "$ZEROTUTOR" lab run -- --ranks 2 --stage 3 --model tiny --steps 5 >"$place/said" 2>&1 &&
        grep -q 'step 5' "$place/said" && [ -z "$(ls "$place/class/queue")" ] || { cat "$place/said"; false; }
}
long() {
    "$ZEROTUTOR" lab run -- --ranks 2 --stage 3 --model tiny --steps 900000 >"$place/said" 2>&1 &
    tutor=$!
    until_jobs 1
}
cancelled() {
    long && kill -TERM $tutor || return 1
    wait $tutor
    [ $? = 1 ] && until_jobs 0
}
killed() {
    long && kill -KILL $tutor && until_jobs 0
}

echo 1..5
check "one node of Slurm starts" begin
check "a class that names its partition" joined
check "a lab runs as a job, and leaves no ticket" runs
check "a lab that is cancelled ends its job" cancelled
check "so does a tutor that is killed" killed
