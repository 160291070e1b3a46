#!/bin/sh
# Holds src to the rules of the house (rules.sh), and the rules to small bad trees that they must catch.
# Speaks TAP. BUILD is the build folder whose archives are looked at.
set -u
house=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$house/../.." && pwd)
build=${BUILD:-build}
# shellcheck source=tests/rules/rules.sh
. "$house/rules.sh"

number=0
report() { # name, what broke it
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "$2" | sed 's/^/# /'
    fi
}

# ── the house itself ──
tree=$checkout/src
report "files include doors only, along the arrows, inside the fences" "$(rule_includes)"
report "no cycles" "$(rule_no_cycles)"
report "short files, short functions" "$(rule_lengths)"
report "account is pure" "$(rule_pure "$build/libaccount.a")"
report "no data that changes" "$(rule_no_globals "$build"/lib*.a)"
undescribed() {
    sed -n 's/^\([a-z]*\)\( .*\)*$/\1/p' "$house/arrows.txt" | while read -r room; do
        grep -q "\`$room/\`" "$checkout/src/README.md" || echo "$room"
    done
}
report "every room is described in src/README.md" "$(undescribed)"

# ── bad trees: one change to a small good one; the rule must say so ──
bad=$(mktemp -d) || exit 1
trap 'rm -rf "$bad"' EXIT
tree=$bad
plant() { # file, then its lines
    mkdir -p "$bad/$(dirname "$1")"
    file=$1
    shift
    printf '%s\n' "$@" >"$bad/$file"
}
small_house() {
    rm -rf "${bad:?}"/*
    plant main.c '#include "command/command.h"' 'int main(void) {' '    return 0;' '}'
    plant command/command.h '#include <stdbool.h>'
    plant lesson/lesson.h '#include "account/account.h"'
    plant lesson/inside.h '#include "lesson/lesson.h"'
    plant lesson/lesson.c '#include "inside.h"' '#include "lesson/lesson.h"'
    plant account/account.h '#include <stdint.h>'
}
sees() { # name, rule, what it must say
    said=$($2)
    case $said in
    *"$3"*) report "sees $1" "" ;;
    *) report "sees $1" "it said: ${said:-nothing}" ;;
    esac
}

small_house
report "a good tree is left in peace" "$(rule_includes)$(rule_no_cycles)$(rule_lengths)"
plant account/a.c '#include "lesson/lesson.h"'
sees "an arrow that is not allowed" rule_includes "account/a.c:1: account may not know lesson"
sees "a cycle" rule_no_cycles "account"
small_house
plant command/c.c '#include "lesson/inside.h"'
sees "a way around a door" rule_includes 'command/c.c:1: "lesson/inside.h" is private to lesson'
small_house
plant lesson/lesson.h '#include "inside.h"'
sees "a door that shows a private header" rule_includes "lesson/lesson.h:1: a door includes a private header"
small_house
plant lesson/s.c '#include <lua.h>'
sees "a library outside its fence" rule_includes "lesson/s.c:1: <lua.h> belongs to script"
small_house
plant screen/other.c '#include <curses.h>'
sees "curses in a second file" rule_includes "screen/other.c:1: <curses.h> belongs to screen/terminal.c"
small_house
plant lab/lab.h '#include <stdint.h>'
plant lab/cuda/inside.c '#include <cuda_runtime.h>'
report "leaves CUDA in its folder in peace" "$(rule_includes)"
plant lab/cpu/other.c '#include <nccl.h>'
sees "NCCL outside its folder" rule_includes "lab/cpu/other.c:1: <nccl.h> belongs to lab/cuda"
plant lab/cuda/kernel.cu '__global__ void long_one(int *a) {' "$(awk 'BEGIN { for (i = 0; i < 60; i++) print "    a[0] += 1;" }')" '}'
sees "a long kernel" rule_lengths "lab/cuda/kernel.cu:1: 62 lines"
small_house
plant script/script.h '#include <lua.h>'
sees "a door that shows a library" rule_includes "script/script.h:1: a door shows a library"
small_house
plant attic/attic.c 'int x;'
sees "a room nobody described" rule_includes "attic/attic.c:1: a room without a row"
small_house
plant lesson/long.c 'static int long_one(int a,' '                    int b) {' "$(awk 'BEGIN { for (i = 0; i < 60; i++) print "    a += b;" }')" '}'
sees "a function of 63 lines" rule_lengths "lesson/long.c:1: 63 lines"
plant lesson/long.c "$(awk 'BEGIN { for (i = 0; i < 601; i++) print "int x" i ";" }')"
sees "a file of 601 lines" rule_lengths "lesson/long.c: 601 lines"

compile() { ${CC:-cc} -x c -c -o "$bad/$1.o" - && ar rcs "$bad/lib$1.a" "$bad/$1.o"; }
compile impure <<'C'
#include <stdlib.h>
#include <math.h>
double use(const char *name);
double use(const char *name) { return getenv(name) ? sqrt(atof(name)) : 0; }
C
impure() { rule_pure "$bad/libimpure.a"; }
sees "an engine that reads the environment" impure "getenv: account may not call this"
echo 'int count; int next(void); int next(void) { return ++count; }' | compile global
global() { rule_no_globals "$bad/libglobal.a"; }
sees "a variable of the whole program" global "global/global.o: data that changes"

echo "1..$number"
