# Prints files over 600 lines, public headers of a wing (those in account/account.h) over 250,
# columns (a character of UTF-8 is one), in files as clang-format lays them out: a function's head
# begins in the first column and its "}" stands there. And comments between the names of one
# declaration.
function finish() {
    if (lines > 600) print file ": " lines " lines; a file has at most 600, better 300"
    else if (lines > 250 && file in shown) print file ": " lines " lines; a public header of a wing has at most 250"
}
FNR == 1 { finish(); file = FILENAME; start = opened = 0 }
FILENAME == "account/account.h" && /^#include "/ { split($0, quoted, "\""); shown[quoted[2]] = 1 }
{
    lines = FNR
    columns = $0
    gsub(/[\200-\277]/, "", columns)
    if (length(columns) > 100) print file ":" FNR ": " length(columns) " columns; a line has at most 100"
}
declares && /^ +\/\*/ { print file ":" FNR ": a comment within a declaration; comments stand above members" }
{ declares = /^ +[a-z_][a-z_0-9 *]* [^(){}=\/"]*,$/ }
/^[A-Za-z_][^=]*\(/ { start = FNR; opened = 0; name = $0 }
start && /\{$/ { opened = 1 }
start && !opened && /;$/ { start = 0 }
/^}/ {
    if (opened && FNR - start >= 60) print FILENAME ":" start ": " FNR - start + 1 " lines; a function has at most 60: " name
    start = opened = 0
}
END { finish() }
