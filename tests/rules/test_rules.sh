#!/bin/sh
# Holds src to the rules of the code base (rules.sh), and the rules to small bad trees that they
# must catch. Speaks TAP. BUILD is the build folder whose archives are looked at.
set -u
rules=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$rules/../.." && pwd)
build=${BUILD:-build}
# shellcheck source=tests/rules/rules.sh
. "$rules/rules.sh"

scratch=$(mktemp) || exit 1
trap 'rm -f "$scratch"' EXIT
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

# ── the code base itself ──
tree=$checkout/src
modules() { sed -n '/^shared /d; s/^\([a-z]*\)\( .*\)*$/\1/p' "$rules/arrows.txt"; }
report "files include public headers only, along the arrows, inside the fences" "$(rule_includes)"
report "no cycles" "$(rule_no_cycles)"
report "short files, short functions" "$(rule_lengths)"
report "short files of tests" "$(rule_test_lengths "$checkout/tests")"
report "one meaning per key" "$(rule_keys)"
report "formulas of account read resolved trainings only" "$(rule_resolved)"
report "account rounds in one place" "$(rule_rounding)"
report "account is pure" "$(rule_pure "$build/libaccount.a")"
report "no data that changes" "$(rule_no_globals "$build"/lib*.a)"
report "files of a module call downwards only" "$(for module in $(modules); do rule_no_circles "$module"; done)"
report "wings call downwards only" "$(rule_wings)"
report "external symbols begin with their module's name" "$(rule_prefixes "$build"/lib*.a)"
undescribed() {
    modules | while read -r module; do
        grep -q "\`$module/\`" "$checkout/src/README.md" || echo "$module"
    done
}
report "every module is described in src/README.md" "$(undescribed)"
report "what the READMEs name is there" "$(rule_maps "$checkout")"
# The reading list of the lab: "partition.c   stage   what is there", a second mark on a line of its own.
unmarked() {
    sed -n '/Read the files in this order/,/No function asks/p' "$checkout/src/lab/engine.h" | awk '
        $2 ~ /\.c$/ { file = $2; mark = NF > 3 && /\.c +[a-z]+  / ? $3 : "" }
        $2 !~ /\.c$/ { mark = file && / \*      +[a-z]+   +/ ? $2 : "" }
        mark { print file, mark }' | while read -r file mark; do
        [ "$(grep -c "^ *\/\* read: $mark \*\/" "$checkout/src/lab/$file")" = 1 ] || echo "$file lacks \"read: $mark\""
    done
}
report "each mark of the reading list in lab/engine.h is there" "$(unmarked)"

# ── bad trees: one change to a small good one; the rule must say so ──
bad=$(mktemp -d) || exit 1
trap 'rm -rf "$bad" "$scratch"' EXIT
tree=$bad
plant() { # file, then its lines
    mkdir -p "$bad/$(dirname "$1")"
    file=$1
    shift
    printf '%s\n' "$@" >"$bad/$file"
}
small_tree() {
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

small_tree
mkdir -p "$bad/lua"
# shellcheck disable=SC2016 # backticks of Markdown
plant src/README.md 'Draw in `page/one.c` with `page_draw()`, not `page_two()`.'
plant src/page/one.c 'void page_draw(void) {'
# shellcheck disable=SC2016
plant tests/README.md '`one.c`' && plant lessons/README.md '`one.c`'
sees_maps() { rule_maps "$bad"; }
sees "a function that a README names" sees_maps "src/README.md names page_two(), which is not there"
sees "a file that tests do not have" sees_maps "tests/README.md names one.c, which is not there"
report "what is there is left in peace" "$(rule_maps "$bad" | sed '/page_two()/d; /^tests/d')"
small_tree
report "a good tree is left in peace" "$(rule_includes)$(rule_no_cycles)$(rule_lengths)"
plant account/a.c '#include "lesson/lesson.h"'
sees "an arrow that is not allowed" rule_includes "account/a.c:1: account may not know lesson"
sees "a cycle" rule_no_cycles "account"
small_tree
plant command/c.c '#include "lesson/inside.h"'
sees "a way around a public header" rule_includes 'command/c.c:1: "lesson/inside.h" is private to lesson'
small_tree
plant lesson/lesson.h '#include "inside.h"'
sees "a public header that shows a private one" rule_includes "lesson/lesson.h:1: a public header includes a private one"
small_tree
plant lesson/lesson.h '#include "lesson/answer.h"'
plant lesson/answer.h '#include "lesson/inside.h"'
plant command/c.c '#include "lesson/answer.h"'
sees "a private header shown by a part of a public one" rule_includes "lesson/answer.h:1: a public header includes a private one"
plant lesson/answer.h '#include <stdint.h>'
report "a public header may have parts" "$(rule_includes)"

# Wings: numbers, which all of account may know; memory, which knows numbers; plan and problems,
# which do not know each other.
small_tree
wings() {
    small_tree
    plant account/account.h '#include "account/numbers/numbers.h"' '#include "account/memory/memory.h"'
    plant account/numbers/numbers.h '#include <stdint.h>'
    plant account/numbers/text.h '#include "account/numbers/numbers.h"'
    plant account/numbers/phrases.h '#include "account/numbers/numbers.h"'
    plant account/memory/memory.h '#include "account/numbers/numbers.h"'
    plant account/memory/memory.c '#include "account/memory/memory.h"' '#include "account/numbers/text.h"'
}
wings
report "leaves wings that know what is below them in peace" "$(rule_includes)$(rule_no_cycles)"
plant account/numbers/n.c '#include "account/memory/memory.h"'
sees "a wing that knows one above it" rule_includes "account/numbers/n.c:1: account/numbers may not know account/memory"
sees "wings in a circle" rule_no_cycles "account/numbers"
wings
plant account/problems/p.c '#include "account/plan/plan.h"'
sees "wings that may not know each other" rule_includes "account/problems/p.c:1: account/problems may not know account/plan"
wings
plant account/memory/m.c '#include "account/numbers/phrases.h"'
sees "a header private to another wing" rule_includes 'account/memory/m.c:1: "account/numbers/phrases.h" is private to account/numbers'
wings
plant account/memory/m.c '#include "account/account.h"'
sees "a wing that knows all wings" rule_includes 'account/memory/m.c:1: a file of a wing may not include "account/account.h"'
wings
plant command/c.c '#include "account/numbers/text.h"'
sees "a wing's private header from outside" rule_includes 'command/c.c:1: "account/numbers/text.h" is private to account'
small_tree
plant account/play/a.c 'void a(void) {' '    printf("%.1f GB", 1.25);' '}'
sees "a number that is rounded elsewhere" rule_rounding "account/play/a.c:2: prints a real itself"
small_tree
plant account/training/training.h 'struct account_training {' '    int stage;' '};'
plant account/training/shapes.h '#include "account/training/training.h"' 'int account_memory(const struct account_training *t);'
reads='int stage_of(const struct account_training *t) { return t->stage; }'
plant account/training/check.c '#include "account/training/training.h"' "$reads"
plant account/memory/memory.c '#include "account/training/shapes.h"' 'int same(const struct account_training *t) { return account_memory(t); }'
report "leaves a formula that hands a training on in peace" "$(rule_resolved)"
plant account/memory/memory.c '#include "account/training/shapes.h"' "$reads"
sees "a formula that reads a training by way of another header" rule_resolved "account/memory/memory.c: reads stage of struct account_training"
plant account/training/check.c '#include "account/training/training.h"'
sees "a file that need not be named" rule_resolved "account/training/check.c: reads nothing of struct account_training"
small_tree
plant lesson/s.c '#include <lua.h>'
sees "a library outside its fence" rule_includes "lesson/s.c:1: <lua.h> belongs to script"
small_tree
plant screen/other.c '#include <curses.h>'
sees "curses in a second file" rule_includes "screen/other.c:1: <curses.h> belongs to screen/terminal.c"
small_tree
plant lab/lab.h '#include <stdint.h>'
plant lab/cuda/inside.c '#include <cuda_runtime.h>'
report "leaves CUDA in its folder in peace" "$(rule_includes)"
plant lab/cpu/other.c '#include <nccl.h>'
sees "NCCL outside its folder" rule_includes "lab/cpu/other.c:1: <nccl.h> belongs to lab/cuda"
plant lab/cuda/kernel.cu '__global__ void long_one(int *a) {' "$(awk 'BEGIN { for (i = 0; i < 60; i++) print "    a[0] += 1;" }')" '}'
sees "a long kernel" rule_lengths "lab/cuda/kernel.cu:1: 62 lines"
small_tree
bindings() { # rows of a table of actions
    plant screen/one.c 'static const struct action ACTIONS[] = {' "$@" '};'
    rule_keys | grep '^screen'
}
report "leaves a key with its word in peace" "$(bindings '    {"sources", "F8 C-y", 0, sources, "Show the sources"},')"
other_word() { bindings '    {"origins", "F8", 0, sources, "Show the sources"},'; }
sees "another word for a key" other_word 'screen/one.c: F8 is "sources" in tests/rules/keys.txt, and here "origins"'
other_help() { bindings '    {NULL, "C-l", ALWAYS,' '     wipe, "Wipe the screen"},'; }
sees "another thing that a key without a word does" other_help 'screen/one.c: C-l is "redraw" in tests/rules/keys.txt, and here "wipe"'
new_key() { bindings '    {"jump", "K", 0, jump, "Jump"},'; }
sees "a key that is not listed" new_key "screen/one.c: K (jump) is not in tests/rules/keys.txt"
small_tree
plant script/script.h '#include <lua.h>'
sees "a public header that shows a library" rule_includes "script/script.h:1: a public header shows a library"
small_tree
plant attic/attic.c 'int x;'
sees "a module without a row" rule_includes "attic/attic.c:1: a module without a row"
small_tree
plant lesson/long.c 'static int long_one(int a,' '                    int b) {' "$(awk 'BEGIN { for (i = 0; i < 60; i++) print "    a += b;" }')" '}'
sees "a function of 63 lines" rule_lengths "lesson/long.c:1: 63 lines"
plant lesson/long.c 'struct pair {' '    int one,' '        /* the other */' '        two;' '};'
sees "a comment within a declaration" rule_lengths "lesson/long.c:3: a comment within a declaration"
plant lesson/long.c "$(awk 'BEGIN { for (i = 0; i < 601; i++) print "int x" i ";" }')"
sees "a file of 601 lines" rule_lengths "lesson/long.c: 601 lines"
test_lengths() { rule_test_lengths "$bad"; }
sees "a test of 601 lines" test_lengths "lesson/long.c: 601 lines"
plant lesson/long.c "/* $(awk 'BEGIN { for (i = 0; i < 94; i++) printf "é" }') */ int x;"
sees "a line of 107 columns" rule_lengths "lesson/long.c:1: 107 columns"
plant lesson/long.c "/* $(awk 'BEGIN { for (i = 0; i < 94; i++) printf "é" }') */"
report "100 characters of UTF-8 are 100 columns" "$(rule_lengths)"
plant account/account.h '#include "account/memory/long.h"'
plant account/memory/long.h "$(awk 'BEGIN { for (i = 0; i < 251; i++) print "int x" i ";" }')"
sees "a wing's header of 251 lines" rule_lengths "account/memory/long.h: 251 lines"

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

# ── small bad modules, of which the symbols must tell ──
rm -rf "${bad:?}"/*
kept=$rules
rules=$bad build=$bad/build
cp "$kept/circles.awk" "$bad/"
compile_in() { # file of the tree without .c; source on stdin
    mkdir -p "$bad/${1%/*}" "$build/src/${1%/*}"
    cat >"$bad/$1.c"
    ${CC:-cc} -c -o "$build/src/$1.o" "$bad/$1.c"
}
sees_of() { # name, what was said, what it must say
    case $2 in
    *"$3"*) report "sees $1" "" ;;
    *) report "sees $1" "it said: ${2:-nothing}" ;;
    esac
}
: >"$bad/circles.txt"
echo 'int lamp_b(int n); int lamp_a(int n); int lamp_a(int n) { return n ? lamp_b(n - 1) : 0; }' | compile_in lamp/a
echo 'int lamp_c(int n); int lamp_b(int n); int lamp_b(int n) { return lamp_c(n); }' | compile_in lamp/in/b
echo 'int lamp_c(int n); int lamp_c(int n) { return n; }' | compile_in lamp/c
report "leaves calls downwards in peace" "$(rule_no_circles lamp)"
echo 'int lamp_a(int n); int lamp_c(int n); int lamp_c(int n) { return lamp_a(n); }' | compile_in lamp/c
sees_of "a circle through a wing" "$(rule_no_circles lamp)" "lamp: a circle of 3 files: a c in/b"
echo 'lamp a c in/b : they count down together' >"$bad/circles.txt"
report "leaves a circle that is meant in peace" "$(rule_no_circles lamp)"
echo 'lamp x y : nothing' >>"$bad/circles.txt"
sees_of "a line that is no circle" "$(rule_no_circles lamp)" "allows a circle that is none: x y"
echo 'int other; int lamp_d; ' | compile_in lamp/d
ar rcs "$bad/liblamp.a" "$build/src/lamp/d.o"
sees_of "a symbol without its prefix" "$(rule_prefixes "$bad/liblamp.a")" "lamp: other (d.o)"
rm "$bad/lamp/c.c"
: >"$bad/circles.txt"
report "does not look at objects whose source is gone" "$(rule_no_circles lamp)"
echo 'int lamp_up(void); int lamp_low(void); int lamp_low(void) { return lamp_up(); }' | compile_in lamp/below/low
echo 'int lamp_up(void); int lamp_up(void) { return 1; }' | compile_in lamp/above/up
printf '%s\n' 'lamp/below' 'lamp/above lamp/below' >"$bad/arrows.txt"
sees_of "a wing that calls one above it" "$(rule_wings)" "lamp/below: calls lamp_up of lamp/above"

echo "1..$number"
