# Reads the #include lines of a tree and prints what the public headers, arrows and fences forbid, "file:line: what is wrong".
#   cd src && awk -f includes.awk arrows.txt fences.txt main.c */*.[ch]
# With edges=1 it prints the arrows that exist instead, "module module" or "wing wing", as tsort reads them.
#
# A header is public if it is its module's own (module/module.h), or if that one includes it. All others are private to the module.

function complain(what) { if (!edges) print FILENAME ":" FNR ": " what }
function listed(word, words) { return index(" " words " ", " " word " ") > 0 }
function module_of(path) { sub(/\/.*/, "", path); return path }
# The folder of module/folder/file, if it is a wing; else "".
function wing_of(path) { return sub(/\/[^\/]*$/, "", path) && path ~ /\// && path in may ? path : "" }

FILENAME ~ /arrows.txt$/ {
    if (/^#/ || !NF) next
    if ($1 == "shared") { wing = $2; for (i = 3; i <= NF; i++) shared[wing "/" $i] = 1; next }
    name = $1; $1 = ""; may[name] = $0 " "
    next
}
FILENAME ~ /fences.txt$/ { if ($0 !~ /^#/ && NF) { pattern[++fences] = $1; $1 = ""; places[fences] = $0 " " } next }

FNR == 1 {
    module = module_of(FILENAME)
    wing = wing_of(FILENAME)
    known = (module in may)
    if (!known) complain("a module without a row in tests/rules/arrows.txt: " module)
    own_header = (FILENAME == module "/" module ".h")
    public = is_public(FILENAME)
}
!/^[ \t]*#[ \t]*include/ { next }
/"/ { split($0, part, "\""); own(part[2]); next }
/</ { split($0, part, /[<>]/); library(part[2]) }

# Reads the header of the module's own name once, for the headers of the module that it includes.
function is_public(header,    m, own_one, line, part) {
    m = module_of(header)
    own_one = m "/" m ".h"
    if (!(m in was_read)) {
        was_read[m] = 1
        while ((getline line < own_one) > 0)
            if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) { split(line, part, "\""); if (module_of(part[2]) == m) shown[part[2]] = 1 }
        close(own_one)
    }
    return header == own_one || header in shown
}

function own(name,    other, slash) {
    slash = index(name, "/")
    other = slash ? module_of(name) : module
    if (!slash || (other == module && !is_public(name))) {
        if (public) complain("a public header includes a private one: \"" name "\"")
    } else if (other != module && !is_public(name)) {
        complain("\"" name "\" is private to " other "; its public header is \"" other "/" other ".h\"")
    } else if (other != module && known && !listed(other, may[module])) {
        complain(module " may not know " other " (tests/rules/arrows.txt)")
    }
    if (edges && slash && other != module) print module, other
    if (slash && other == module && wing) of_wing(name)
}

# A file of a wing includes a header of its module.
function of_wing(name,    other, part, n) {
    other = wing_of(name)
    if (other == wing) return
    n = split(other, part, "/")
    if (!other) {
        complain("a file of a wing may not include \"" name "\", which knows all wings")
    } else if (!listed(other, may[wing])) {
        complain(wing " may not know " other " (tests/rules/arrows.txt)")
    } else if (name != other "/" part[n] ".h" && !(name in shared)) {
        complain("\"" name "\" is private to " other "; a row `shared` of tests/rules/arrows.txt may name it")
    }
    if (edges && other) print wing, other
}

function library(name,    i, folder) {
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    for (i = 1; i <= fences; i++)
        if (name ~ pattern[i] && !listed(module, places[i]) && !listed(folder, places[i]) && !listed(FILENAME, places[i]))
            complain("<" name "> belongs to" places[i] "(tests/rules/fences.txt)")
    if (public && module != "base" && fenced(name)) complain("a public header shows a library to others: <" name ">")
}

function fenced(name,    i) {
    for (i = 1; i <= fences; i++) if (name ~ pattern[i]) return 1
    return 0
}
