#!/bin/sh
# A stand-in for zerolab-cuda on a machine that has GPUS graphics cards, with NCCL unless NO_NCCL is
# set; runs are the other stand-in's.
[ "${1:-}" = --probe ] || exec sh "$(dirname "$0")/zerolab.sh" "$@"
awk -v gpus="${GPUS:-0}" -v nccl="${NO_NCCL:+no}" 'BEGIN {
    printf "{\"devices\":["
    for (i = 0; i < gpus; i++)
        printf "%s{\"device\":\"cuda\",\"gpu\":%d,\"name\":\"NVIDIA Stand-in\",\"memory\":16000000000,\"capability\":\"9.0\",\"driver\":\"580.1\",\"cuda\":\"13.0\"%s}",
            (i ? "," : ""), i, (nccl == "no" ? "" : ",\"nccl\":\"2.28.9\",\"nccl_path\":\"/usr/lib/libnccl.so.2\"")
    if (gpus == 0) printf "{\"device\":\"cuda\",\"why\":\"this machine has no NVIDIA driver\"}"
    print "]}"
}'
