#!/bin/sh
# The engine as a library: installed under a prefix, found by pkg-config, linked into five lines of
# C, removed again. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"
prefix=$place/usr
sanitizers=$(tr ' ' '\n' <"${BUILD:-build}/flags" | grep -e '^-fsanitize' | sort -u)

cat >"$place/five.c" <<'C'
#include <stdio.h>
#include <zeroaccount/account.h>
int main(void) {
    struct account_training t = account_training_default();
    struct account_ledger l;
    struct account_error e;
    bool well = account_set(&t, "params", "7.5e9", &e) && account_set(&t, "gpus", "64", &e) &&
                account_set(&t, "stage", "3", &e) && account_ledger(&t, &l, &e);
    return well ? printf("%llu\n", (unsigned long long)l.total) < 0 : 1;
}
C
# shellcheck disable=SC2046,SC2086 # flags are words
builds() { ${CC:-cc} -std=c17 -Wall -Wextra -Werror $sanitizers "$place/five.c" $(pkg-config --cflags --libs zeroaccount) -o "$place/five"; }
counts() { [ "$("$place/five")" = 1875000000 ]; }
is_versioned() { [ "zerotutor $(pkg-config --modversion zeroaccount)" = "$("$prefix/bin/zerotutor" --version)" ]; }
# Whoever installs may keep new files to himself; what is installed is for all.
installs_for_itself() { (umask 077 && make --no-print-directory install PREFIX="$prefix"); }
is_for_all() { [ -d "$prefix" ] && ! find "$prefix" ! -perm -o=r -o -type d ! -perm -o=x -o -path "*/bin/*" ! -perm -o=x | grep .; }
is_empty() { ! find "$prefix" -type f | grep .; }

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
check "it installs" make --no-print-directory install PREFIX="$prefix"
check "pkg-config finds it" pkg-config --exists zeroaccount
check "with the program's version" is_versioned
check "five lines compile and link against what was installed" builds
check "and count stage 3 of the ZeRO paper's figure 1" counts
check "it is removed whole" make --no-print-directory uninstall PREFIX="$prefix"
check "leaving no file" is_empty
rm -rf "$prefix"
check "it installs under umask 077" installs_for_itself
check "and all may read and run it" is_for_all
echo "1..$number"
