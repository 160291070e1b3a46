#!/bin/sh
# Finds what zerotutor stands on, and installs what is missing. `make`, `make run` and `make test`
# call it.
#
#   sh src/setup.sh check build                    names what is missing (exit 2), installs nothing
#   sh src/setup.sh install build test             says what it will install, then installs it
#   sh src/setup.sh install --dry-run build test   only says it
#
# The lab computes with a BLAS. OpenBLAS or BLIS are asked for, since the reference one is many
# times slower; where they are not to be had and that one is, it serves, and this says so. CBLAS="…"
# (what to link with) is the user's own choice, and nothing is said.
#
# Groups: build (the program), test (its tests), dev (second compiler, formatter, linters), slow
# (the reference BLAS, to test with). Whether a thing is there is found by compiling against it or
# looking for the command; the package manager is asked nothing unless something is missing. Tried
# on Debian 12 and 13; the other columns follow those systems' package lists.
set -u

# what it is      | group | how it is probed            | apt                    | dnf                   | pacman        | zypper              | brew
needs() {
    sed 's/ *| */|/g' <<'TABLE'
C compiler        | build | cc                          | gcc libc6-dev binutils | gcc binutils          | gcc binutils  | gcc binutils        | gcc
pkg-config        | build | command pkg-config          | pkg-config             | pkgconf-pkg-config    | pkgconf       | pkg-config          | pkgconf
ncurses           | build | library ncursesw curses.h   | libncurses-dev         | ncurses-devel         | ncurses       | ncurses-devel       | ncurses
Lua 5.4           | build | library LUA lua.h           | liblua5.4-dev          | lua-devel             | lua           | lua54-devel         | lua@5.4
SQLite 3          | build | library sqlite3 sqlite3.h   | libsqlite3-dev         | sqlite-devel          | sqlite        | sqlite3-devel       | sqlite
jansson           | build | library jansson jansson.h   | libjansson-dev         | jansson-devel         | jansson       | libjansson-devel    | jansson
md4c              | build | library md4c md4c.h         | libmd4c-dev            | md4c-devel            | md4c          | md4c-devel          | md4c
libunistring      | build | library unistring unistr.h  | libunistring-dev       | libunistring-devel    | libunistring  | libunistring-devel  | libunistring
OpenBLAS          | build | library CBLAS cblas.h       | libopenblas-dev        | openblas-devel        | openblas      | openblas-devel      | openblas
reference BLAS    | slow  | module blas-netlib          | libblas-dev            | blas-devel            | cblas         | cblas-devel         | lapack
cmocka            | test  | library cmocka cmocka.h     | libcmocka-dev          | libcmocka-devel       | cmocka        | libcmocka-devel     | cmocka
libvterm          | test  | library vterm vterm.h       | libvterm-dev           | libvterm-devel        | libvterm      | libvterm-devel      | libvterm
Python 3          | test  | command python3             | python3                | python3               | python        | python3             | python3
pgrep             | test  | command pgrep               | procps                 | procps-ng             | procps-ng     | procps              | proctools
clang             | dev   | command clang               | clang                  | clang                 | clang         | clang               | llvm
clang-format      | dev   | command clang-format        | clang-format           | clang-tools-extra     | clang         | clang-tools         | clang-format
clang-tidy        | dev   | command clang-tidy          | clang-tidy             | clang-tools-extra     | clang         | clang-tools         | llvm
cppcheck          | dev   | command cppcheck            | cppcheck               | cppcheck              | cppcheck      | cppcheck            | cppcheck
TABLE
}

CC=${CC:-cc}
managers="apt-get dnf pacman zypper brew"
have() { command -v "$1" >/dev/null 2>&1; }

# Lua's pkg-config file has a name of its own on every system.
lua_package() {
    for name in lua5.4 lua-5.4 lua54 lua; do
        pkg-config --exists "$name >= 5.4 $name < 5.5" 2>/dev/null && echo "$name" && return
    done
    echo lua5.4
}

# What to compile and to link with for a BLAS: the user's own, the fast ones, or (reference=yes) the
# slow one.
reference=no
blas_package() {
    names="openblas blis"
    [ $reference = yes ] && names="cblas blas"
    for name in $names; do
        pkg-config --exists "$name" 2>/dev/null && echo "$name" && return
    done
    if [ $reference = yes ]; then echo blas; else echo openblas; fi
}
blas_libs() {
    if [ -n "${CBLAS:-}" ]; then echo "$CBLAS"; else pkg-config --libs "$(blas_package)" 2>/dev/null || echo "-l$(blas_package)"; fi
}

# Compiles and links against each `package header` pair of the arguments.
links() {
    source='#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
'
    flags='' libs='' use=''
    while [ $# -ge 2 ]; do
        package=$1
        [ "$package" = LUA ] && package=$(lua_package)
        [ "$package" = CBLAS ] && package=$(blas_package) use=cblas_sgemm # some have the header and half of the library
        source="$source#include <$2>
"
        flags="$flags $(pkg-config --cflags "$package" 2>/dev/null)"
        if [ "$1" = CBLAS ]; then
            libs="$libs $(blas_libs)"
        else
            libs="$libs $(pkg-config --libs "$package" 2>/dev/null || echo "-l$package")"
        fi
        shift 2
    done
    # shellcheck disable=SC2086 # CC, flags and libs are lists of words
    printf '%s\nint main(void) { return %s 0; }\n' "$source" "${use:+(void *)$use ==}" | $CC -x c $flags -o "$scratch" - $libs 2>/dev/null
}

probe() {
    case $1 in
    cc) links ;;
    command) have "$2" ;;
    library) links "$2" "$3" ;;
    module) pkg-config --exists "$2" ;;
    esac
}

# The rows of the groups asked for that are not on this machine. One compilation finds that nothing
# is missing.
missing() {
    wanted=$(needs | awk -F'|' -v groups=" $groups " 'index(groups, " " $2 " ")')
    # shellcheck disable=SC2046 # words are wanted
    if links $(echo "$wanted" | awk -F'|' 'sub(/^library /, "", $3) { print $3 }'); then
        wanted=$(echo "$wanted" | grep -E '\|(command|module) ')
    fi
    echo "$wanted" | while IFS='|' read -r what group how rest; do
        # shellcheck disable=SC2086
        [ -z "$what" ] || probe $how || echo "$what|$group|$how|$rest"
    done
}

packages() { # of the rows on standard input, for manager $1
    awk -F'|' -v column="$(echo "$managers" | tr ' ' '\n' | grep -nx -- "$1" | cut -d: -f1)" \
        '{ n = split($(column + 3), names, " "); for (i = 1; i <= n; i++) if (!seen[names[i]]++) printf "%s ", names[i] }'
}

manager() {
    for m in $managers; do have "$m" && echo "$m" && return; done
    return 1
}

install_words() { # the command that installs, without who runs it
    case $1 in
    apt-get) echo "apt-get install -y --no-install-recommends" ;;
    dnf) echo "dnf install -y" ;;
    pacman) echo "pacman -S --needed --noconfirm" ;;
    zypper) echo "zypper --non-interactive install" ;;
    brew) echo "brew install" ;;
    esac
}

# Prints what to put before the command so that it may install; fails if a person has to type it.
# That sudo is used is said before.
privilege() {
    as="env DEBIAN_FRONTEND=noninteractive"
    [ "$m" = brew ] || [ "$(id -u)" = 0 ] && echo "$as" && return
    have sudo || return 1
    echo "zerotutor: installing needs root, so this uses sudo: $(install_words "$m") $list" >&2
    sudo -n true 2>/dev/null || [ -t 0 ] || return 1
    echo "sudo $as"
}

# apt's lists are fetched only if they know none of the packages, or turn out to be stale.
run_install() {
    command="$prefix $(install_words "$m") $list"
    # shellcheck disable=SC2086 # lists of words
    if [ "$m" = apt-get ]; then
        apt-cache show $list >/dev/null 2>&1 || $prefix apt-get update -q || return 1
        $command || { $prefix apt-get update -q && $command; }
    else
        $command
    fi
}

usage() {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}

action=${1:-}
case $action in check | install) shift ;; *) usage ;; esac
dry=no
[ "${1:-}" = --dry-run ] && dry=yes && shift
[ $# -gt 0 ] || usage
groups=$*
scratch=$(mktemp) || exit 2
trap 'rm -f "$scratch"' EXIT

# Whether nothing is missing but a fast BLAS, and a slow one is there.
only_slow() {
    [ "$(echo "$rows" | cut -d'|' -f1)" = OpenBLAS ] && (reference=yes && links CBLAS cblas.h)
}
accept_slow() {
    echo "zerotutor: only the reference BLAS is here: the lab runs with it, many times slower than with OpenBLAS$1" >&2
    exit 0
}
lacks() {
    echo "zerotutor: this machine lacks $(echo "$rows" | cut -d'|' -f1 | awk '{ printf "%s%s", comma, $0; comma = ", " }')" >&2
    [ -z "${CBLAS:-}" ] || links CBLAS cblas.h || echo "zerotutor: CBLAS=\"$CBLAS\" is nothing to link with" >&2
}

# With the reference BLAS in the place of a fast one that could not be installed.
install_slow() {
    echo "$rows" | grep -q '^OpenBLAS|' || return 1
    echo "zerotutor: $m could not install OpenBLAS; the reference BLAS serves, if the rest can be had" >&2
    list=$({
        echo "$rows" | grep -v '^OpenBLAS|'
        needs | grep '|slow|'
    } | packages "$m")
    run_install
}

rows=$(missing)
[ -z "$rows" ] && exit 0

if [ "$action" = check ]; then
    only_slow && accept_slow "; \`make run\` installs that where it can"
    lacks
    echo "zerotutor: \`make run\` (or \`make test\`) installs what is missing" >&2
    m=$(manager) && echo "zerotutor: by hand, as root: $(install_words "$m") $(echo "$rows" | packages "$m")" >&2
    exit 2
fi
lacks
if ! m=$(manager); then
    only_slow && accept_slow ""
    echo "zerotutor: no package manager is known here ($managers): install these by hand, with their headers" >&2
    exit 2
fi
list=$(echo "$rows" | packages "$m")
if [ $dry = yes ]; then
    echo "would install: $list"
    echo "with: $(install_words "$m") $list"
    exit 0
fi
if ! prefix=$(privilege); then
    only_slow && accept_slow "; as root, type: $(install_words "$m") $list"
    echo "zerotutor: installing needs root. As root, type:" >&2
    echo "  $(install_words "$m") $list" >&2
    exit 2
fi
echo "installing with $m: $list"
run_install || only_slow || install_slow || {
    echo "zerotutor: $m could not install all of: $list" >&2
    exit 2
}
rows=$(missing)
[ -z "$rows" ] && exit 0
only_slow && accept_slow ""
echo "zerotutor: installed, but still not found: $(echo "$rows" | cut -d'|' -f1 | tr '\n' ' ')" >&2
exit 2
