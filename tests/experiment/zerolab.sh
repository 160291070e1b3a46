#!/bin/sh
# A stand-in for zerolab that trains nothing: it prints the events of a small run, with numbers that
# agree with each other, for tests of those who read them. It knows --ranks, --stage, --steps,
# --precision; other flags are passed over. FAKE in the environment makes it misbehave:
#
#   slow      a tenth of a second a step         killed    ends by SIGKILL after two steps
#   hang      says nothing more after two steps  stubborn  the same, and SIGTERM does not end it
#   garbage   broken lines between events        cap       an error event after one step, status 1
#   long      a line of 3 MB                     flood     100 MB of memory and comm events
#   version   events of version 2                words     words on standard error, status 2
#   newer     events and members nobody knows    drift     one rank peaks higher than predicted
#   mute      ends well without a word           child     leaves a child that holds the pipe
#   clock     times of collectives count from the start of the run, not of the step
#   skip      the first step overflows, and updates nothing: stages 1 and 2 gather nothing then
#   rung      as cap, under stage 1 only
#   late      stage 3 takes ten times as long for a step
#   lost      ends well without the last words of rank 1
#
# --save DIR leaves a file "saved" there. With a --cap stages 0 and 1 do as cap, so that the capstone ends as it is to.
set -u
fake=${FAKE:-}
case $fake in
words) echo "zerolab: --stage cannot be '9': it is 0, 1, 2 or 3" >&2 && exit 2 ;;
mute) exit 0 ;;
stubborn) trap '' TERM ;;
esac
[ -n "${FAKE_PID:-}" ] && echo $$ >"$FAKE_PID"

ranks=1 stage=0 steps=10 precision=fp32 cap=none
while [ $# -gt 0 ]; do
    case $1 in
    --ranks) ranks=$2 && shift ;;
    --stage) stage=$2 && shift ;;
    --steps) steps=$2 && shift ;;
    --precision) precision=$2 && shift ;;
    --cap) cap=$2 && shift ;;
    --save) echo saved >"$2/saved" && shift ;;
    esac
    shift
done
[ -z "$fake" ] && [ "$cap" != none ] && [ "$stage" -lt 2 ] && fake=cap

events() {
    awk -v ranks="$ranks" -v stage="$stage" -v steps="$steps" -v precision="$precision" -v fake="$fake" -v self="$$" '
    function ceil_part(n) { return int((n + ranks - 1) / ranks) }
    function held(params, grads, master, moments, activations, gather, reduce) {
        return sprintf("{\"params\":%d,\"grads\":%d,\"master\":%d,\"moments\":%d,\"activations\":%d,\"gather\":%d,\"reduce\":%d,\"workspace\":0,\"staging\":0,\"framework\":0}",
            params, grads, master, moments, activations, gather, reduce)
    }
    function sum(activations, gather, reduce) { return p + g + ma + mo + activations + gather + reduce }
    function memory(r, step, where, activations, gather, reduce,    now, total) { # each moment holds the same from its begin to its end
        now = held(p, g, ma, mo, activations, gather, reduce); total = sum(activations, gather, reduce)
        printf "{\"event\":\"memory\",\"rank\":%d,\"step\":%d,\"where\":\"%s\",\"now\":%s,\"total\":%d,\"highest\":%s,\"highest_total\":%d,\"resident\":%d}\n",
            r, step, where, now, total, now, total, total + 9000000
    }
    function comm(r, step, op, unit, bytes, from, to, exposed) {
        if (fake == "clock") { from += 1234 + 41 * (step - 1); to += 1234 + 41 * (step - 1) }
        printf "{\"event\":\"comm\",\"rank\":%d,\"step\":%d,\"op\":\"%s\",\"unit\":\"%s\",\"sent\":%d,\"start_ms\":%.3f,\"end_ms\":%.3f,\"exposed_ms\":%.3f}\n",
            r, step, op, unit, bytes, from, to, exposed
    }
    function sent(updates,    psi, gathered) { # of the whole run
        psi = units * (ranks - 1) * part * e
        gathered = stage == 0 ? 0 : psi * (stage == 3 ? 2 * steps : updates)
        return sprintf("{\"all_reduce\":%d,\"reduce_scatter\":%d,\"all_gather\":%d,\"total\":%d}",
            stage == 0 ? 2 * psi * steps : 0, stage > 0 ? psi * steps : 0, gathered, gathered + (stage == 0 ? 2 : 1) * psi * steps)
    }
    function flush(delay) {
        fflush()
        if (delay) system("sleep " delay)
    }
    BEGIN {
        units = 4; P = 834304; part = ceil_part(P / units); e = precision == "fp32" ? 4 : 2
        whole = P; shard = units * part
        p = (stage < 3 ? whole : shard) * e; g = (stage < 2 ? whole : shard) * e
        ma = precision == "fp32" ? 0 : (stage < 1 ? whole : shard) * 4
        mo = (stage < 1 ? whole : shard) * 8
        act = 2400000; gat = stage == 3 ? 2 * ranks * part * e : 0; red = ranks > 1 ? ranks * part * e : 0
        peak = sum(act, gat, red)
        printf "{\"event\":\"start\",\"v\":%d,\"device\":\"cpu\",\"comm\":\"shm\",\"ranks\":%d,\"stage\":%d,\"model\":{\"layers\":4,\"width\":128,\"heads\":4,\"seq\":64,\"vocab\":256,\"params\":%d},\"precision\":\"%s\",\"batch\":2,\"steps\":%d,\"accumulate\":1,\"checkpoint\":\"none\",\"bucket\":25000000,\"prefetch\":1,\"cap\":0,\"link\":\"\",\"host\":\"a stand-in\",\"hardware\":\"2 cores\",\"versions\":{},\"times\":\"%s\"}\n",
            (fake == "version" ? 2 : 1), ranks, stage, P, precision, steps, (ranks > 2 ? "shared processor" : "real")
        for (r = 0; r < ranks; r++)
            printf "{\"event\":\"predict\",\"rank\":%d,\"persistent\":%s,\"peak\":%s,\"peak_total\":%d,\"peak_where\":\"backward block 3\",\"sent\":%s,\"control\":%d}\n",
                r, held(p, g, ma, mo, 0, 0, 0), held(p, g, ma, mo, act, gat, red), peak, sent(steps), 24 * steps
        if (fake == "newer") print "{\"event\":\"weather\",\"sky\":\"grey\"}\n{\"event\":\"memory\",\"rank\":0,\"colour\":\"blue\",\"now\":{\"params\":1,\"love\":2}}"
        if (fake == "flood")
            for (i = 0; i < 330000; i++) {
                memory(i % ranks, 0, "init", 0, 0, 0)
                comm(i % ranks, 0, "all_gather", "block 0", 4, 0, 1, 0)
            }
        if (fake == "long") { printf "{\"event\":\"memory\",\"x\":\""; for (i = 0; i < 300000; i++) printf "0123456789"; print "\"}" }
        flush(0)
        for (step = 1; step <= steps; step++) {
            skips = fake == "skip" && step == 1
            if (fake == "garbage") print "Segmentation fault\n{\"event\":\n\n[1,2]\n{\"event\":7}"
            for (r = 0; r < ranks; r++) {
                memory(r, step, "forward embeddings", act * 0.2, gat, 0)
                memory(r, step, "forward block 3", act * 0.7, gat, 0)
                memory(r, step, "backward block 3", act + (fake == "drift" && r == 1 ? 70000 : 0), gat, red)
                for (b = 0; b < units && ranks > 1; b++) {
                    n = (ranks - 1) * part * e
                    if (stage == 3) comm(r, step, "all_gather", "block " b, n, 2 * b, 2 * b + 1.5, b == 0 ? 1.5 : 0)
                    if (stage == 3) comm(r, step, "all_gather", "block " (3 - b), n, 10 + 4 * b, 11.5 + 4 * b, 0.5)
                    if (stage == 0) comm(r, step, "all_reduce", "block " (3 - b), 2 * n, 14 + 4 * b, 17.5 + 4 * b, b == 3 ? 1.5 : 0)
                    if (stage > 0) comm(r, step, "reduce_scatter", "block " (3 - b), n, 12 + 4 * b, 13.5 + 4 * b, 0)
                    if ((stage == 1 || stage == 2) && !skips) comm(r, step, "all_gather", "block " b, n, 30 + 2 * b, 32 + 2 * b, 1)
                }
                memory(r, step, "update", 0, 0, 0)
            }
            loss = 3.2 + 2.345177444 * exp(-step / 6)
            printf "{\"event\":\"step\",\"step\":%d,\"loss\":%.9g,\"ms\":%d,\"compute_ms\":33.5,\"comm_ms\":%d,\"exposed_ms\":%.1f,\"skew_ms\":0.4,\"tokens_per_s\":%d%s}\n",
                step, loss, (fake == "late" && stage == 3 ? 400 : 40), (ranks > 1 ? 14 : 0), (ranks > 1 ? 4 : 0), ranks * 128 * 25, (skips ? ",\"scale\":65536,\"skipped\":true" : "")
            if (fake == "cap" || (fake == "rung" && stage == 1)) {
                printf "{\"event\":\"error\",\"rank\":0,\"what\":\"out of memory\",\"where\":\"backward block 1\",\"category\":\"activations\",\"need\":%d,\"cap\":9000000,\"advice\":\"stage 3 would fit\"}\n", peak
                printf "{\"event\":\"end\",\"status\":\"failed\",\"ranks\":[]}\n"
                exit 1
            }
            flush(fake == "slow" ? 0.1 : 0)
            if (step == 2 && fake == "killed") { system("kill -9 " self); exit }
            if (step == 2 && (fake == "hang" || fake == "stubborn")) system("exec sleep 60")
        }
        printf "{\"event\":\"outside\",\"rank\":0,\"context\":0,\"blas\":1048576,\"nccl\":0,\"unexplained\":4096}\n"
        printf "{\"event\":\"end\",\"status\":\"ok\",\"ranks\":["
        for (r = 0; r < ranks; r++)
            if (fake != "lost" || r != 1) printf "%s{\"rank\":%d,\"persistent\":%s,\"peak\":%s,\"at_peak\":%s,\"peak_total\":%d,\"peak_where\":\"backward block 3\",\"sent\":%s,\"control\":%d,\"state_hash\":\"%016x\"}",
                (r ? "," : ""), r, held(p, g, ma, mo, 0, 0, 0), held(p, g, ma, mo, act, gat, red), held(p, g, ma, mo, act, gat, red), (peak + (fake == "drift" && r == 1 ? 70000 : 0)), sent(steps - (fake == "skip")), 24 * steps, (stage == 0 ? 51966 : 51966 + r)
        printf "],\"loss\":%.9g,\"weights_hash\":\"00000000c0ffee00\"}\n", loss
    }'
}

[ "$fake" = child ] && sleep 60 &
events
