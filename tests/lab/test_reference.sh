#!/bin/sh
# The losses of zerolab beside PyTorch's: those kept in reference.txt, and fresh ones where torch
# can be imported.
zerolab=${ZEROLAB:-build/zerolab}
here=$(dirname "$0")
ZEROTUTOR_SHARE=$here/../..
export ZEROTUTOR_SHARE
arguments=$(sed -n '1s/.* for: zerolab //p' "$here/reference.txt")
echo 1..2

# Line by line: the loss of each step, and how far it is from the one kept.
# shellcheck disable=SC2086 # arguments is a list of words
compare() {
    "$zerolab" $arguments | sed -n 's/.*"event":"step".*"loss":\([-+.0-9e]*\).*/\1/p' | awk '
        NR == FNR { if ($1 !~ /^#/) kept[++lines] = $1; next }
        { steps++; off = ($1 - kept[steps]) / kept[steps]; if (off < 0) off = -off; if (off > worst) worst = off }
        END { print steps + 0 " steps of " lines ", farthest apart " worst; exit !(steps == lines && steps > 0 && worst < 2e-5) }' \
        "$here/reference.txt" -
}
if compared=$(compare); then verdict=ok; else verdict="not ok"; fi
echo "$verdict 1 - losses are PyTorch's, as kept in reference.txt: $compared"

python=$(command -v python3 || echo "echo skipped: python3 is not installed here:")
if said=$($python "$here/reference.py" "$zerolab" 2>&1); then verdict=ok; else verdict="not ok"; fi
case $said in
skipped*) echo "ok 2 - PyTorch # SKIP ${said#skipped: }" ;;
*) echo "$verdict 2 - PyTorch: $(echo "$said" | tail -n 1)" ;;
esac
