#!/bin/sh
# Ranks that torchrun, srun or mpirun started, on one machine and on two: they find each other,
# train as those of our own launcher do, and say what keeps them from it. Speaks TAP.
# shellcheck source=tests/gpu/nccl.sh
. "$(dirname "$0")/nccl.sh"

port=$((21000 + $$ % 9000))
joined() { # rank, words: as torchrun starts it
    rank=$1
    shift
    # shellcheck disable=SC2086 # words
    RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=3 LOCAL_WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port TORCHELASTIC_RUN_ID=test \
        timeout 60 "$program" $small --stage 2 "$@" >"$dir/out.$rank" 2>"$dir/said.$rank"
}
run --ranks 3 --stage 2
own=$(hash_of "$out")
joined 1 & second=$!
joined 2 & third=$!
joined 0
is "ranks of torchrun: rank 0 ends well" 0 $?
wait $second && wait $third
is "… and so do the others" 0 $?
is "… with the weights of our own launcher" "$own" "$(hash_of "$dir/out.0")"
is "… predicted is measured, of all ranks" "" "$(compare_ledgers "$dir/out.0")"
is "… rank 0 alone writes events" "" "$(cat "$dir/out.1" "$dir/out.2")"
# Two machines of two ranks each: what tells them apart is what their launcher and NCCL say.
run --ranks 4 --stage 3
own=$(hash_of "$out")
everywhere() { # name, variables that hold on all ranks, those of rank R on node N at place L…
    name=$1 all=$2 each=$3
    for rank in 3 2 1 0; do
        node=$((rank / 2)) place=$((rank % 2))
        # shellcheck disable=SC2046,SC2086 # words
        env NCCL_HOSTID=node$node $all $(echo "$each" | sed "s/%R/$rank/g; s/%L/$place/") \
            timeout 60 "$program" $small --stage 3 --patience 20 >"$dir/out.$rank" 2>"$dir/said.$rank" &
    done
    wait
    is "$name: two machines, four ranks" "$own" "$(hash_of "$dir/out.0")"
    # The two are one, and rank 0 says that others could not reach it so.
    is "… nobody complains" "" "$(cat "$dir"/said.[0-3] | grep -v "localhost is a loopback address on this machine")"
}
port=$((port + 2))
everywhere torchrun "WORLD_SIZE=4 LOCAL_WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=$port TORCHELASTIC_RUN_ID=$$" "RANK=%R LOCAL_RANK=%L"
everywhere srun "SLURM_NTASKS=4 SLURM_NNODES=2 SLURM_JOB_ID=$$ SLURM_STEP_ID=0 SLURM_STEP_NODELIST=localhost,other" \
    "SLURM_PROCID=%R SLURM_LOCALID=%L"
everywhere "srun --mpi=pmi2" "PMI_SIZE=4 PMI_JOBID=$$ SLURM_NTASKS=4 SLURM_NNODES=2 SLURM_JOB_ID=1$$ SLURM_STEP_NODELIST=localhost,other" \
    "PMI_RANK=%R SLURM_PROCID=%R SLURM_LOCALID=%L"
everywhere "mpirun" "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=$$ MASTER_ADDR=localhost MASTER_PORT=$((port + 2))" \
    "OMPI_COMM_WORLD_RANK=%R OMPI_COMM_WORLD_LOCAL_RANK=%L"
port=$((port + 4))
joined 1 --patience 5 &
second=$!
joined 0 --patience 5
is "a rank that is missing: exit status 1" 1 $?
wait $second
likes "… is named in rank 0's events" "rank 2 of 3 did not come to 127.0.0.1:$((port + 1)) within 5 s" "$(values error what "$dir/out.0")"
likes "… and at the others" "*rank 1: *rank 2 of 3 did not come*" "$(cat "$dir/said.1")"
port=$((port + 2))
joined 1 --seed 2 --patience 8 & second=$!
joined 2 --patience 8 & third=$! # it may come when rank 0 has gone
joined 0 --patience 8
is "other options on one rank: exit status 1" 1 $?
wait $second
wait $third
likes "… are named" "rank 1 on * was started with other options than rank 0" "$(values error what "$dir/out.0")"
# Processes of another user know all that is public of a job, and have another home.
mkdir "$dir/other"
port=$((port + 2))
joined 2 --patience 30 & third=$!
(HOME=$dir/other joined 1 --patience 2) & other=$!
joined 0 --patience 30 & first=$!
wait $other
is "another program in a rank's place: exit status 1" 1 $?
likes "… hears what to set" "*another secret: set ZEROLAB_SECRET to the same words*" "$(cat "$dir/said.1")"
joined 1 --patience 30 && wait $third && wait $first
is "… and the run goes on without it" 0 $?
likes "… which rank 0 names" "*dropped a connection from 127.0.0.1: it does not have this run's secret" "$(cat "$dir/said.0")"
port=$((port + 2))
export ZEROLAB_SECRET="the same words on all machines"
joined 2 & third=$!
(HOME=$dir/other joined 1) & second=$!
export NCCL_SOCKET_IFNAME=lo
joined 0 && wait $second && wait $third
is "homes of their own and one ZEROLAB_SECRET" 0 $?
unset NCCL_SOCKET_IFNAME
unset ZEROLAB_SECRET
is "the interface that NCCL takes is said" "lo 127.0.0.1" "$(values start nccl_interface "$dir/out.0")"
port=$((port + 2))
export ZEROLAB_EMULATE_ASYNC=1
rm "$dir/out.0" # its steps are of the run before: a rank that is not there yet would be killed
joined 1 --steps 100000 & second=$!
joined 2 --steps 100000 & third=$!
joined 0 --steps 100000 & first=$!
until grep -q '"event":"step"' "$dir/out.0" 2>/dev/null; do sleep 0.1; done
kill -KILL "$(ps -o pid= --ppid "$(ps -o pid= --ppid $third | tr -d ' ')" | tr -d ' ')"
wait $first
is "torchrun's rank is killed: exit status 1" 1 $?
likes "… and is named" "rank 2 on * left the run without a message*" "$(values error what "$dir/out.0")"
wait $second
wait $third
is "no shared memory is left behind" "" "$(find /dev/shm -name "*$FAKE_NCCL_NAME*" 2>/dev/null)"
echo "1..$number"
exit $((bad > 0))
