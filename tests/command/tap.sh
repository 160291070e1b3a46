# shellcheck shell=sh
# What the scripts of this folder share: a folder of their own in $place, and counted checks in TAP.
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT

number=0
check() { # name, a command that must succeed; what it prints is shown if it does not
    number=$((number + 1))
    name=$1
    shift
    if "$@" >"$place/out" 2>&1; then echo "ok $number - $name"; else
        echo "not ok $number - $name"
        sed 's/^/# /' "$place/out"
    fi
}
