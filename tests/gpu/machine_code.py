#!/usr/bin/env python3
"""Which GPUs' machine code and PTX a program holds, a line each ("cubin 80", "ptx 90"): for machines that have no cuobjdump.

Each fat binary begins with a magic number, its version and its header's length; its entries have kind, header and body lengths, and, at
28, the architecture (found by comparing with cuobjdump's listings; nothing promises that it stays so)."""
import struct, sys

BEGIN = struct.pack("<IHH", 0xBA55ED50, 1, 16)
PTX = 1


def entries(data):
    at = data.find(BEGIN)
    while at >= 0:
        here, end = at + 16, at + 16 + struct.unpack_from("<Q", data, at + 8)[0]
        while here < end:
            kind, _, header, length = struct.unpack_from("<HHIQ", data, here)
            yield "%s %d" % ("ptx" if kind == PTX else "cubin", struct.unpack_from("<I", data, here + 28)[0])
            here += header + length
        at = data.find(BEGIN, here)


with open(sys.argv[1], "rb") as f:
    print("\n".join(sorted(set(entries(f.read())))))
