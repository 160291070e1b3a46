#!/bin/sh
# src/setup.sh on machines that are not this one: a folder of stand-ins is the whole PATH, and
# whoever is called writes that down. Speaks TAP.
set -u
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

stand_in() { # name, its lines
    printf '%s\n' '#!/bin/sh' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
# A machine with the usual tools, without a compiler and without a way to install.
machine() { # user id, managers…
    rm -rf "${work:?}/bin"
    mkdir "$work/bin"
    : >"$work/calls"
    for tool in sh awk cat cut env grep mktemp rm sed tr; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
    stand_in id "echo $1"
    shift
    for name in "$@"; do stand_in "$name" "echo \"$name \$*\" >>'$work/calls'"; done
}
setup() { (cd "$checkout" && PATH="$work/bin" CC=cc sh src/setup.sh "$@" >"$work/out" 2>&1 </dev/null); }
check() { # name, condition…
    name=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/# /' "$work/out" "$work/calls"
    fi
}
said() { grep -q -- "$1" "$work/out"; }
called() { grep -q -- "$1" "$work/calls"; }
not_called() { ! called "$1"; }
nobody_called() { [ ! -s "$work/calls" ]; }

machine 0 apt-get
setup check build
check "check: exit 2" test $? -eq 2
check "check: names what is missing" said "lacks C compiler, pkg-config, ncurses, Lua 5.4"
check "check: calls nobody" nobody_called

for row in "apt-get liblua5.4-dev" "dnf lua-devel" "pacman lua" "zypper lua54-devel" "brew lua@5.4"; do
    machine 0 "${row% *}"
    setup install --dry-run build test
    check "${row% *} knows Lua as ${row#* }" said "with: ${row% *} .* ${row#* } "
    check "--dry-run of ${row% *} calls nobody" nobody_called
done

machine 0 dnf
setup install build
check "root installs" called "dnf install -y gcc .*lua-devel"
check "after saying what" said "installing with dnf: gcc"
check "and says so if that was not enough" said "installed, but still not found: C compiler"

machine 1000 apt-get
setup install build
check "no root, no sudo: exit 2" test $? -eq 2
check "with the command to type" said "^  apt-get install .*liblua5.4-dev"
check "and nothing called" nobody_called

machine 1000 apt-get apt-cache
stand_in sudo "grep -q 'installing needs root, so this uses sudo: apt-get install .*gcc' '$work/out' || echo 'sudo: nothing was said' >>'$work/calls'
echo \"sudo \$*\" >>'$work/calls'"
setup install build
check "no root, sudo that asks nothing: used" called "sudo env DEBIAN_FRONTEND=noninteractive apt-get install"
check "and that is said before" not_called "nothing was said"

machine 1000 apt-get
stand_in sudo 'exit 1'
setup install build
check "sudo that would ask, no terminal: exit 2" test $? -eq 2
check "with the command to type" said "^  apt-get install"

machine 1000 apt-get
setup check build
check "a check of what is missing: exit 2" test $? -eq 2
check "with the command to type" said "apt-get install .*liblua5.4-dev"
check "and nothing called" nobody_called

# a build that was made, and then pkg-config knows nothing any more: said before a file is compiled
mkdir -p "$work/made" "$work/knows" && touch "$work/made/found"
printf '#!/bin/sh\nexit 1\n' >"$work/knows/pkg-config" && chmod +x "$work/knows/pkg-config"
(cd "$checkout" && PATH="$work/knows:$PATH" make BUILD="$work/made" "$work/made/found" >"$work/out" 2>&1)
check "what was found is looked for again when pkg-config answers otherwise" test $? -ne 0
check "and what is missing is said" said "this machine lacks"

machine 0
setup install build
check "no package manager: exit 2" test $? -eq 2
check "and told so" said "no package manager is known here"

# a package manager that has no OpenBLAS
machine 0 apt-cache
stand_in apt-get "echo \"apt-get \$*\" >>'$work/calls'; case \$* in *openblas*) exit 100 ;; esac"
setup install build
check "where OpenBLAS cannot be installed the reference BLAS is, with the rest" called "apt-get install .*gcc.* libblas-dev"
check "and that is said" said "could not install OpenBLAS"

# this machine with its compiler, as if it had a BLAS but no fast one
slow_machine() { # user id
    machine "$1" apt-cache
    stand_in apt-get "echo \"apt-get \$*\" >>'$work/calls'; exit 100"
    stand_in sudo 'exit 1'
    stand_in pkg-config "case \$* in *openblas* | *blis*) exit 1 ;; esac; PATH='$PATH' exec pkg-config \"\$@\""
    stand_in compile "case \$* in *-lopenblas* | *-lblis*) exit 1 ;; esac; PATH='$PATH' exec ${CC:-cc} \"\$@\""
}
slow_setup() { (cd "$checkout" && PATH="$work/bin:$PATH" CC=compile sh src/setup.sh "$@" >"$work/out" 2>&1 </dev/null); }
unset CBLAS

slow_machine 0
slow_setup check build
check "only the reference BLAS: enough to build" test $? -eq 0
check "and that it is slow is said" said "only the reference BLAS is here: .* many times slower than with OpenBLAS"
check "and nobody is called" nobody_called
slow_setup install build test
check "OpenBLAS that cannot be installed: enough as well" test $? -eq 0
check "after it was tried" called "apt-get install .*libopenblas-dev"
check "and that it is slow is said" said "only the reference BLAS is here"

slow_machine 1000
slow_setup install build test
check "only the reference BLAS, no root: enough" test $? -eq 0
check "with the command to type" said "as root, type: apt-get install .*libopenblas-dev"
check "and nothing called" nobody_called

(export CBLAS=-lblas && slow_setup install build test)
check "CBLAS that was asked for: enough" test $? -eq 0
check "and nothing is said" test ! -s "$work/out"
(export CBLAS=-lno-such-library && slow_setup check build)
check "CBLAS that is none: exit 2" test $? -eq 2
check "and that is said" said 'CBLAS="-lno-such-library" is nothing to link with'

# this machine, where everything is there: the tests were built with it
machine 0 apt-get apt-cache
pkg-config --exists openblas || pkg-config --exists blis || export CBLAS=-lblas
(cd "$checkout" && PATH="$work/bin:$PATH" sh src/setup.sh install build test >"$work/out" 2>&1)
check "nothing missing: exit 0" test $? -eq 0
check "nobody called" nobody_called
check "nothing said" test ! -s "$work/out"

echo "1..$number"
