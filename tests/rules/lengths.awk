# Prints files over 600 lines, headers of a wing over 250 and functions over 60, in files as clang-format lays them out: a function's head begins in
# the first column and its "}" stands there.
function finish() {
    if (lines > 600) print file ": " lines " lines; a file has at most 600, better 300"
    else if (lines > 250 && file ~ /^account\/.*[.]h$/) print file ": " lines " lines; a header of a wing has at most 250"
}
FNR == 1 { finish(); file = FILENAME; start = opened = 0 }
{ lines = FNR }
/^[A-Za-z_][^=]*\(/ { start = FNR; opened = 0; name = $0 }
start && /\{$/ { opened = 1 }
start && !opened && /;$/ { start = 0 }
/^}/ {
    if (opened && FNR - start >= 60) print FILENAME ":" start ": " FNR - start + 1 " lines; a function has at most 60: " name
    start = opened = 0
}
END { finish() }
