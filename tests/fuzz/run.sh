#!/bin/sh
# Fuzzes one reader: sh tests/fuzz/run.sh BUILD NAME SECONDS. What it finds stays in
# BUILD/fuzz/NAME; a crash ends it with status 1.
set -eu
build=$1 name=$2 seconds=$3
found=$build/fuzz/$name
mkdir -p "$found/corpus"

# Seeds: the beginning, a step in the middle and the end of each recording; memos whole.
case $name in
recording)
    for r in data/runs/*.jsonl; do
        seed=$found/corpus/seed-$(basename "$r")
        { head -n 6 "$r"; grep -m 6 '"event":"comm"' "$r"; grep -m 2 '"event":"step"' "$r"; tail -n 1 "$r"; } >"$seed" || true
    done ;;
memo) cp tests/memo/*.md "$found/corpus/" ;;
esac
dictionary=tests/fuzz/$name.dict
export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1:${ASAN_OPTIONS:-}"
"$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 \
    -dict="$dictionary" -artifact_prefix="$found/" "$found/corpus"
