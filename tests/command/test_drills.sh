#!/bin/sh
# `zerotutor myths` and `zerotutor interview`, line by line. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
export ZEROTUTOR_HOME="$place/home"


none_yet() {
    "$ZEROTUTOR" "$1" --linear </dev/null 2>"$place/error"
    [ $? = 2 ] && has "$place/error" 'finish lesson 1.1 first'
}
bad_time() {
    "$ZEROTUTOR" interview --seconds 5 --linear </dev/null 2>"$place/error"
    [ $? = 2 ] && has "$place/error" 'seconds'
}
learned() { # two lessons, without an answer
    for lesson in 1.1 1.2; do
        yes '' | head -200 | "$ZEROTUTOR" learn $lesson --linear >"$place/said" || return 1
    done
}
myths() {
    printf 't\n:back\n\nt\n\n\n' | "$ZEROTUTOR" myths --linear >"$place/said" || return 1
    has "$place/said" '○○' && grep -q '[◔●]○' "$place/said" || return 1
    has "$place/said" 'No, it is false.' && has "$place/said" 'Right, it is true.' && has "$place/said" 'Taught in 1.' &&
        has "$place/said" 'A drill only goes forward.' && has "$place/said" '1 of 2 right.' &&
        has "$place/said" 'Worth another look:' && has "$place/said" '(false)'
}
skipped() {
    printf '\n\n\n' | "$ZEROTUTOR" myths --linear >"$place/said" || return 1
    has "$place/said" 'You answered nothing.' && ! grep -q ':back' "$place/said"
}
leads() { # what was typed opens the lesson at the step
    printf 't\n1.1\n1.2\n:quit\n' | "$ZEROTUTOR" myths --linear >"$place/said" || return 1
    grep -qE '^── step [0-9]* of [0-9]* · (Half the memory in 16 bits|Eight cards under DDP) ──' "$place/said" || { cat "$place/said"; false; }
}
interview() {
    printf 'It is this.\n1\n\n\n1 2\n\n\n' | "$ZEROTUTOR" interview --seconds 90 --linear >"$place/said" || return 1
    has "$place/said" 'You have 90 s.' && has "$place/said" 'You took 0 s.' &&
        has "$place/said" '1 of 4 points covered. Still missing:' &&
        has "$place/said" '3 of 8 points covered.' && has "$place/said" 'Worth another look:'
}
no_clock() {
    printf ':help\n:quit\n' | "$ZEROTUTOR" interview --linear >"$place/said" || return 1
    has "$place/said" 'You have 90 s.' || return 1 # the choice was saved
    has "$place/said" 'Anything else is your answer.' && ! grep -q ':hint' "$place/said" || return 1
    printf ':quit\n' | "$ZEROTUTOR" interview --seconds none --words >"$place/said" || return 1
    ! grep -q 'clock' "$place/said"
}
turned_card() {
    printf '\n:repeat\n:quit\n' |
        ZEROTUTOR_NOW=$(($(date +%s) + 864000)) "$ZEROTUTOR" review --linear >"$place/said" || return 1
    [ "$(grep -c 'I knew it' "$place/said")" = 2 ] && [ "$(grep -c 'turn the card' "$place/said")" = 1 ]
}
other_words() {
    { printf ':hint\n'; for i in 1 2 3 4 5; do printf '\nbriefly\nslowly\n'; done; printf ':quit\n'; } |
        "$ZEROTUTOR" learn 1.1 --linear --store "$place/other.db" >"$place/said"
    has "$place/said" 'Type briefly or slowly to read this in other words.' &&
        has "$place/said" 'Let us go through them one by one.' &&
        has "$place/said" 'small update to a weight of 1 rounds away'
}
reported() {
    printf 't\n:report It is true.\n:report\n:quit\n' | "$ZEROTUTOR" myths --linear >"$place/said" || return 1
    has "$place/said" 'Reported in ' && has "$place/said" 'say in a few words what is wrong' &&
        grep -q '"wrong": "It is true."' "$place"/home/reports/*.json
}
at_home() {
    printf 'myths\n:quit\n' | "$ZEROTUTOR" --linear >"$place/said" || return 1
    has "$place/said" 'Drills: type myths for true or false, or interview to explain aloud.' &&
        has "$place/said" 'Your answers are saved.'
}

echo 1..13
check 'a learner who begins has no myths yet' none_yet myths
check 'nor anything to explain' none_yet interview
check 'five seconds are no time for an explanation' bad_time
check 'two lessons' learned
check 'myths: the verdict, why, where it is taught, and what was missed' myths
check 'myths that were passed over' skipped
check 'a lesson opens at the step' leads
check 'an interview with a clock lists what was left out' interview
check 'the clock stays as it was chosen' no_clock
check 'home offers both' at_home
check 'a page in fewer words, and in short sentences' other_words
check 'a report goes into a file' reported
check 'a card that was turned is told again as it is' turned_card
