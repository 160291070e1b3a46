#!/bin/sh
# `zerotutor code`: every passage that it lists can be shown, and the program to go on with compiles,
# is wrong where its tasks are, and right once they are done. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
program=$place/accounting.c

names() { "$ZEROTUTOR" code --json | tr ',' '\n' | sed -n 's/.*"name": *"\([^"]*\)".*/\1/p'; }
shows_all() {
    names >"$place/names"
    [ "$(wc -l <"$place/names")" -ge 4 ] && [ "$(sort -u "$place/names" | wc -l)" = "$(wc -l <"$place/names")" ] || return 1
    while read -r name; do "$ZEROTUTOR" code "$name" | grep -q '▌' || return 1; done <"$place/names"
}
refuses() { # words of the error, arguments
    words=$1
    shift
    "$ZEROTUTOR" "$@" 2>"$place/error"
    [ $? = 2 ] && grep -qF -- "$words" "$place/error"
}
compiles() { ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror "$program" -o "$place/accounting"; }
# What is wrong, by the tasks that the lines name.
wrong() { "$place/accounting" | sed -n 's/^WRONG.*(task \([0-9]\))$/\1/p' | uniq | tr -d '\n'; }
is_wrong_in() { [ "$(wrong)" = "$1" ] && ! "$place/accounting"; }
is_right() { "$place/accounting" && ! "$place/accounting" | grep WRONG && "$place/accounting" | grep -q '^ok'; }
solve() { sed "$1" "$program" >"$place/solved" && ! cmp -s "$place/solved" "$program" && mv "$place/solved" "$program" && compiles; }

in_order() { # by their lessons; the first two rows are the head
    "$ZEROTUTOR" code | sed -n 's/.* \([1-4]\.[1-9]\) .*/\1/p' >"$place/lessons"
    [ "$(wc -l <"$place/lessons")" -ge 5 ] && sort -c "$place/lessons"
}

check "they are listed by lesson" in_order
check "every passage is shown with its notes" shows_all
check "an unknown one is refused" refuses "unknown passage 'partitio': did you mean 'partition'?" code partitio
check "only the program is written" refuses "-o writes only the program" code partition -o "$place/x.c"
check "the program is written" "$ZEROTUTOR" code accounting -o "$program"
check "what is there stays" refuses "exists already" code accounting -o "$program"
check "it compiles" compiles
check "it is wrong where the tasks are" is_wrong_in 123
check "task 1" solve 's|weights = 2 \* whole|weights = 2 * (t.stage >= 3 ? shard : whole)|'
check "then two are left" is_wrong_in 23
check "task 2" solve 's|return elements / ranks|return (elements + ranks - 1) / ranks|'
check "then one is left" is_wrong_in 3
check "task 3" solve 's|grads = 2 \*|grads = (t.fp32_grads ? 4 : 2) *|'
check "then all agree with the engine" is_right
echo "1..$number"
