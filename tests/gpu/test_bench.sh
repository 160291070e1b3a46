#!/bin/sh
# How tests/gpu/bench makes a row of what a lab says: from the steps that it made, also where its
# time was up before it ended. The lab here is a script that says what a lab would, and hangs.
# Speaks TAP.
# shellcheck source=tests/gpu/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat >"$work/lab" <<'LAB'
#!/bin/sh
[ "$1" = --probe ] && echo '{"devices":[{"device":"cuda","gpu":0,"name":"Some GPU","memory":150000000000,"driver":"580.1"}]}' && exit 0
case $* in *--links* | *"selective"*) exit 1 ;; esac
echo '{"event":"memory","rank":0,"total":5000000000,"device_used":7000000000}'
step=0
while [ $step -lt "$STEPS" ]; do
    step=$((step + 1))
    rate=1000
    [ $step -gt 5 ] && rate=$((step * 1000))
    echo '{"event":"step","step":'$step',"loss":4,"tokens_per_s":'$rate',"mfu":0.'$((100 + step))'}'
done
[ "$STEPS" = 20 ] && exit 0
trap '' TERM
while :; do sleep 0.1; done
LAB
chmod +x "$work/lab"
bench() { # steps that the lab makes, model
    STEPS=$1 ZEROLAB_CUDA="$work/lab" DEADLINE=$(($(date +%s) + 2)) PATH="$work:$PATH" sh tests/gpu/bench "$2" >"$work/said" 2>&1
    grep 'zerolab[, ]*none' "$work/said" | tr -s ' '
}
printf '#!/bin/sh\nexit 1\n' >"$work/python3" && chmod +x "$work/python3" # no PyTorch
is "a run that ends: the median of the steps after the first five" "124m zerolab,none 13000 11.3% 5.00 GB 7.00 GB" "$(bench 20 124m)"
is "a run whose time is up: the median of those that it made" "124m zerolab,none 7000 10.7% 5.00 GB 7.00 GB" "$(bench 8 124m)"
is "too few steps: it says so" "355m zerolab, none: 4 steps, too few to count, and the time was up" "$(bench 4 355m)"
echo "1..$number"
exit $((bad > 0))
