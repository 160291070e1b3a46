#!/bin/sh
# Has the program save the README's pictures of itself: `make pictures`, which calls sh
# src/pictures.sh PROGRAM FOLDER. A learner of its own walks lesson 1.1; every picture is what that
# learner has on the screen. Those in motion are filmed in the lessons that they come from.
# tests/screen/test_film.c films the same again.
set -eu
program=$1
folder=$2
record=$(mktemp -d)
trap 'rm -rf "$record"' EXIT
export ZEROTUTOR_HOME="$record" LC_ALL=C.UTF-8

look() { "$program" picture 1.1 --text --keys "$1"; }
# Goes on in the lesson until the step of that title. A long page takes Enter more than once.
go() {
    keys='' tries=0
    until look '' | grep -q "^ $1\$"; do
        tries=$((tries + 1))
        [ $tries -le 200 ] || { echo "pictures: lesson 1.1 has no step '$1'" >&2 && exit 1; }
        page=$(look '')
        case $page in
        *'On the scales'*) keys='<F5><F5><F5><Enter>' ;; # the guess, the amount, then the lab
        *'F5 skip'* | *'F5 no idea'*) keys="$keys<F5>" ;;
        *) keys="$keys<Enter>" ;;
        esac
        look "$keys" >/dev/null
        [ "$(look '')" = "$page" ] || keys=''
    done
}
save() { # name, keys
    "$program" picture 1.1 --keys "$2" --output "$folder/$1.svg"
    echo "$folder/$1.svg"
}

film() { # name, lesson, keys that lead there, keys that are pressed while it is filmed
    "$program" picture "$2" --keys "$3" --film "$4" --output "$folder/$1.svg"
    echo "$folder/$1.svg"
}

mkdir -p "$folder"
look '4<Enter><Enter>' >/dev/null
go "Four piles"
save figure ''
go "The whole ledger, one number"
# twelve bytes a parameter: the master copy is forgotten, or in fp32 the gradients
billions=$(look '' | sed -n 's/.* an* \([0-9.]*\)B model.*/\1/p')
save wrong "12*$billions<Enter>"
film ring 1.4 ']<Home>-' '<Space>3'
film apart 1.3 ']]]]<Left>' '<Right><Right><Right>'
# Without motion a lab's recording is at its end, the picture of all runs.
down=$("$program" lab list | sed -n '/stage-ladder/q;s/^     .*/j/p' | tr -d '\n')
NO_MOTION=1 "$program" picture --keys "l$down<Space>" --output "$folder/lab.svg" && echo "$folder/lab.svg"
"$program" picture --output "$folder/home.svg" && echo "$folder/home.svg"
"$program" picture 2.3 --keys ']]]]]]]]' --output "$folder/curve.svg" && echo "$folder/curve.svg"
