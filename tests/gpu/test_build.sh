#!/bin/sh
# zerolab-cuda, where it was built: it links, it starts, and where there is no GPU it ends with one
# clear line. Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
program=${BUILD:-build}/zerolab-cuda
if [ ! -x "$program" ]; then
    skip "zerolab-cuda" "nvcc, which builds it, is not here"
    echo "1..$number"
    exit 0
fi
missing=$(ldd "$program" 2>&1 | grep 'not found')
is "every library it was linked with is found" "" "$missing"
needed=$(ldd "$program" | awk '{ print $1 }' | grep -E '^lib(cuda|nccl|nvidia-ml|cblas|openblas|blis|jansson|ncurses)[^a-zL]*[.]so' | tr '\n' ' ')
is "neither driver, NCCL, NVML nor a BLAS is needed to start it" "" "$needed"
is "it starts" "zerolab: trains a small GPT under ZeRO stages 0 to 3 and measures its memory" "$("$program" --help | head -n 1)"
"$program" --predict --device cuda --model 124m --precision bf16 --ranks 4 --stage 2 >/dev/null 2>&1
is "a prediction needs no GPU" 0 $?
command -v python3 >/dev/null && held=$(python3 tests/gpu/machine_code.py "$program")
for code in "cubin 80" "cubin 90" "ptx 90"; do
    [ -n "${held:-}" ] || { skip "$code" "python3, which looks, is not here" && continue; }
    echo "$held" | grep -qx "$code"
    check $? "it holds $code"
done

# Where cuBLAS lies apart from nvcc, as Python's wheels lay it, kernels see its headers, and the
# program is linked with CUDA's own runtime.
apart=$(mktemp -d) && trap 'rm -rf "$apart"' EXIT
mkdir -p "$apart/lib" "$apart/include"
echo '#define LAB_APART 1' >"$apart/include/lab_apart.h"
printf '#include <lab_apart.h>\n__global__ void kernel() {}\n' >"$apart/apart.cu"
: >"$apart/lib/libcublasLt.so.13"
command=$(cd "$(dirname "$0")/../.." && make -s SETUP=: CUDA_LIB="$apart/lib" kernel-command)
(cd "$(dirname "$0")/../.." && eval "$command -c -o '$apart/apart.o' '$apart/apart.cu'") >"$apart/said" 2>&1
check $? "kernels see the headers beside a cuBLAS that lies apart $(head -n 1 "$apart/said")"
linked=$(cd "$(dirname "$0")/../.." && make -s SETUP=: CUDA_LIB="$apart/lib" link-words)
case $linked in *libcudart*"$apart/lib/libcublasLt.so.13"*) check 0 "… and the runtime is found beside nvcc" ;; *) check 1 "… and the runtime is found beside nvcc: $linked" ;; esac

# ── registers ── by what the assembler says: a block more on a multiprocessor, or a kernel that
# puts its numbers into memory.
table=$(sh "$(dirname "$0")/registers" src/lab/cuda/attention.cu src/lab/cuda/norm.cu src/lab/cuda/loss.cu)
is "each row of the table names its kernel" "" "$(echo "$table" | awk 'NF < 6 { print; exit }')"
most() { # column, pattern of the kernel
    echo "$table" | awk -v column="$1" -v name="$2" '$0 ~ name && $column > most { most = $column } END { print most + 0 }'
}
counted() { # name, at most, found
    [ "$3" -gt 0 ] && [ "$3" -le "$2" ]
    check $? "$1: $3 of $2"
}
counted "norm_backward, up to a width of 1024 in 16 bits: registers for four blocks of 128 threads" 128 "$(most 1 'norm_backward<lab_b?f16, [134],? ?1?>')"
counted "cross_entropy: registers for three blocks of 512 threads" 42 "$(most 1 cross_entropy)"
[ "$(most 3 norm_)" -le 16 ]
check $? "no norm has its rows in local memory, of which the driver would reserve some for each thread that the GPU can hold: $(most 3 norm_) bytes"

for limit in "--width 6152 --heads 8" "--batch 65536 --seq 1"; do
    # shellcheck disable=SC2086 # words
    said=$("$program" --predict --device cuda --layers 1 --vocab 16 $limit 2>&1 >/dev/null)
    is "what kernels cannot take is refused at once: $limit" 2 $?
    case $said in "zerolab: --"*" use at most "*" on GPUs") check 0 "… in one line" ;; *) check 1 "… in one line: '$said'" ;; esac
done

# A driver that is not there, whatever the machine.
# shellcheck disable=SC2069 # its words alone are looked at
none() { CUDA_VISIBLE_DEVICES='' "$program" "$@" 2>&1 >/dev/null; }
said=$(none --device cuda --steps 1 --tokens random)
is "without a GPU: exit status 2" 2 $?
is "and one line" 1 "$(echo "$said" | wc -l | tr -d ' ')"
case $said in
"zerolab: no GPU can be used: "*"; zerolab trains without one") check 0 "that is clear" ;;
*) check 1 "that is clear: '$said'" ;;
esac
CUDA_VISIBLE_DEVICES='' "$program" --probe | grep -q '"device":"cuda","why":"'
check $? "--probe says why there is none"
echo "1..$number"
exit $((bad > 0))
