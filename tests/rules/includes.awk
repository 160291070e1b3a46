# Reads the #include lines of a tree and prints what the doors, arrows and fences forbid, "file:line: what is wrong".
#   cd src && awk -f includes.awk arrows.txt fences.txt main.c */*.[ch]
# With edges=1 it prints the arrows that exist instead, "room room", as tsort reads them.

function complain(what) { if (!edges) print FILENAME ":" FNR ": " what }
function listed(word, words) { return index(" " words " ", " " word " ") > 0 }

FILENAME ~ /arrows.txt$/ { if ($0 !~ /^#/ && NF) { room = $1; $1 = ""; may[room] = $0 " "; next } next }
FILENAME ~ /fences.txt$/ { if ($0 !~ /^#/ && NF) { pattern[++fences] = $1; $1 = ""; places[fences] = $0 " " } next }

FNR == 1 {
    room = FILENAME
    sub(/\/.*/, "", room)
    known = (room in may)
    if (!known) complain("a room without a row in tests/rules/arrows.txt: " room)
    public = (FILENAME == room "/" room ".h")
}
!/^[ \t]*#[ \t]*include/ { next }
/"/ { split($0, part, "\""); own(part[2]) ; next }
/</ { split($0, part, /[<>]/); library(part[2]) }

function own(name,    other, slash) {
    slash = index(name, "/")
    other = slash ? substr(name, 1, slash - 1) : room
    if (!slash) {
        if (public) complain("a door includes a private header: \"" name "\"")
    } else if (other == room) {
        if (public) complain("a door includes a header of its own room: \"" name "\"")
    } else if (name != other "/" other ".h") {
        complain("\"" name "\" is private to " other "; its door is \"" other "/" other ".h\"")
    } else if (known && !listed(other, may[room])) {
        complain(room " may not know " other " (tests/rules/arrows.txt)")
    }
    if (edges && slash && other != room) print room, other
}

function library(name,    i, folder) {
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    for (i = 1; i <= fences; i++)
        if (name ~ pattern[i] && !listed(room, places[i]) && !listed(folder, places[i]) && !listed(FILENAME, places[i]))
            complain("<" name "> belongs to" places[i] "(tests/rules/fences.txt)")
    if (public && room != "base" && fenced(name)) complain("a door shows a library to others: <" name ">")
}

function fenced(name,    i) {
    for (i = 1; i <= fences; i++) if (name ~ pattern[i]) return 1
    return 0
}
