# shellcheck shell=sh
# What tests/gpu's scripts share: counted checks in TAP, and values out of a run's events. No more
# than a shell and awk is needed.

number=0 bad=0 skips=0
check() { # well (0: yes), name
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else bad=$((bad + 1)) && echo "not ok $number - $2"; fi
}
is() { # name, expected, found
    if [ "$2" = "$3" ]; then check 0 "$1"; else check 1 "$1: expected '$2', found '$3'"; fi
}
skip() { # name, why
    number=$((number + 1)) skips=$((skips + 1))
    echo "ok $number # SKIP $1: $2"
}

# Values of a member in the lines of an event, one a line: `values step loss FILE`.
values() { sed -n "s/.*\"event\":\"$1\".*\"$2\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$3"; }
losses() { values step loss "$1" | tr '\n' ' '; }
hash_of() { values end weights_hash "$1"; }

# What was measured of each rank beside what was predicted of it: prints what differs. FILE
compare_ledgers() {
    awk '
        function object(line, key,    at, n) { # the text of a member that is an object or a number
            at = index(line, "\"" key "\":")
            if (!at) return "nothing"
            line = substr(line, at + length(key) + 3)
            if (substr(line, 1, 1) == "{") return substr(line, 1, index(line, "}"))
            match(line, /^[-0-9]*/)
            return substr(line, 1, RLENGTH)
        }
        BEGIN { split("persistent peak peak_total sent control", keys, " ") }
        /"event":"predict"/ { said[object($0, "rank")] = $0 }
        /"event":"end"/ {
            n = split($0, part, /[{]"rank":/)
            for (i = 2; i <= n; i++) {
                rank = part[i] + 0
                ranks++
                for (k in keys)
                    if (object(part[i], keys[k]) != object(said[rank], keys[k]))
                        print "rank " rank ", " keys[k] ": " object(part[i], keys[k]) ", predicted " object(said[rank], keys[k])
            }
        }
        END { if (!ranks) print "no rank said its last words" }' "$1"
}

# How far two lists of numbers are apart, relatively: prints the largest distance; "unlike" if they
# are not equally long.
apart() {
    echo "$1|$2" | awk -F'|' '{
        n = split($1, a, " "); m = split($2, b, " ")
        for (i = 1; i <= n; i++) { d = (a[i] - b[i]) / b[i]; if (d < 0) d = -d; if (!(d <= worst)) worst = d }
        if (n != m || n == 0) print "unlike"; else printf "%.3g\n", worst }'
}
under() { echo "$1 $2" | awk '{ exit !($1 ~ /^[0-9.]/ && $1 <= $2) }'; }
