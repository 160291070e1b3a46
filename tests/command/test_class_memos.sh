#!/bin/sh
# Memos of a class: each check of a memo in lesson 4.1 hands it in; the teacher gets a folder of the
# latest with their checks. Two learners are one account with a home each. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
memos=$(cd "$(dirname "$0")/../memo" && pwd)
class="$place/class"
as() { # learner, words
    learner=$1
    shift
    ZEROTUTOR_HOME="$place/$learner" "$ZEROTUTOR" "$@"
}

checks() { # learner, memo: takes the lesson to its memo, and checks it there
    mkdir -p "$place/$1/memo" && cp "$memos/$2" "$place/$1/memo/capstone.md"
    enters=$(yes '' | head -60 | as dry learn 4.1 --linear 2>&1 | sed '/^edit, check/q' | grep -c '> $')
    { yes '' | head -$((enters - 1)); echo check; echo :quit; } | as "$1" learn 4.1 --linear >"$place/said" 2>&1
    has "$place/said" 'edit, check, or Enter> check'
}
hand_in() {
    as teacher class new "$class" lessons=4.1 >"$place/said" && as ada class join "$class" >"$place/said" &&
        as bob class join "$class" --with eve >"$place/said" && checks ada good-13b.md && checks bob gib-as-gb.md
}
none_yet() { # without grades there is nothing to export
    as teacher class export "$class" --memos "$place/saved" 2>"$place/said"
    [ $? = 2 ] && has "$place/said" 'zerotutor class grade' && [ ! -e "$place/saved" ]
}
are_saved() {
    as teacher class collect "$class" >"$place/said" && as teacher class grade "$class" --json >"$place/said" &&
        grep -q '"with": *"eve"' "$place/said" && as teacher class grade "$class" >"$place/said" && has "$place/said" " + eve " &&
        as teacher class export "$class" --memos "$place/saved" >"$place/said" && [ "$(ls "$place/saved" | wc -l)" = 4 ] &&
        has "$place/said" 'Saved 2 memos' && grep -q ' with eve, checked 2.*: does not pass yet' "$place/said" &&
        grep -q ', checked 2.*: passes$' "$place/said"
}
as_written() { # and the check next to each
    for memo in good-13b gib-as-gb; do
        file=$(for one in "$place/saved"/*.md; do cmp -s "$memos/$memo.md" "$one" && echo "$one"; done)
        case $memo in good-13b) word='Passes' ;; *) word='Does not pass' ;; esac
        has "${file%.md}.html" "$word" && has "${file%.md}.html" '<svg' || return 1
    done
}
latest() { # another check hands another memo in
    cp "$memos/good-13b.md" "$place/bob/memo/capstone.md"
    { echo check; echo :quit; } | as bob learn 4.1 --linear >"$place/said" 2>&1
    as teacher class collect "$class" >"$place/said" && ! as teacher class export "$class" --memos "$place/saved" 2>"$place/said" &&
        has "$place/said" 'newer than the grades: run `zerotutor class grade` again' && as teacher class grade "$class" >"$place/said" &&
        rm -r "$place/saved" && as teacher class export "$class" --memos "$place/saved" >"$place/said" &&
        [ "$(grep -c ': passes$' "$place/said")" = 2 ]
}
one_at_a_time() {
    as teacher class export "$class" --memos "$place/saved" --format canvas 2>"$place/said"
    [ $? = 2 ] && has "$place/said" '--memos DIR'
}
echo 1..6
check "memos that are checked are handed in" hand_in
check "they are exported once the class was graded" none_yet
check "each is saved with its check" are_saved
check "a memo is as it was written" as_written
check "the latest check counts" latest
check "one export at a time" one_at_a_time
