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

has() { # file, text: whether the file holds it; the file is shown if not
    grep -qF -- "$2" "$1" || { cat "$1"; false; }
}
lacks() { ! grep -qF -- "$2" "$1" || { cat "$1"; false; }; }
until_has() { # the same, after at most twenty seconds
    for _ in $(seq 200); do
        grep -qsF -- "$2" "$1" && return 0
        sleep 0.1
    done
    has "$1" "$2"
}
flat() { tr -s '\n ' '  ' <"$place/said" >"$place/line"; } # lines are broken where they are full
