# Reads "file symbol type …" (nm -P, the file before it) and prints the circles of files that need each other's symbols.
#   -v module=account -v allowed=circles.txt
# Tarjan, "Depth-first search and linear graph algorithms", 1972: strongly connected parts.

BEGIN {
    while ((getline line < allowed) > 0) {
        if (line ~ /^#/ || line !~ / : /) continue
        split(line, half, " : ")
        if (split(half[1], word, " ") < 2 || word[1] != module) continue
        known[++lists] = half[1] " "
    }
    close(allowed)
}
{ file[$1] = 1 }
$3 ~ /^[TDRBVWC]$/ { home[$2] = $1 }
$3 == "U" { needs[$1] = needs[$1] " " $2 }
END {
    for (f in file) link(f)
    for (f in file) if (!(f in low)) visit(f)
    for (i = 1; i <= lists; i++) if (!(i in met)) print module ": circles.txt allows a circle that is none:" substr(known[i], length(module) + 1)
}

function link(f,    n, i, symbol, seen) {
    n = split(needs[f], symbol, " ")
    for (i = 1; i <= n; i++)
        if (symbol[i] in home && home[symbol[i]] != f && !(home[symbol[i]] in seen)) {
            seen[home[symbol[i]]] = 1
            next_of[f, ++degree[f]] = home[symbol[i]]
        }
}

function visit(f,    i, other) {
    order[f] = low[f] = ++visited
    stack[++depth] = f
    on[f] = 1
    for (i = 1; i <= degree[f]; i++) {
        other = next_of[f, i]
        if (!(other in order)) {
            visit(other)
            if (low[other] < low[f]) low[f] = low[other]
        } else if (on[other] && order[other] < low[f]) low[f] = order[other]
    }
    if (low[f] == order[f]) close_circle(f)
}

function close_circle(f,    names, count, name) {
    do {
        name = stack[depth--]
        on[name] = 0
        names = name (count++ ? " " names : "")
    } while (name != f)
    if (count > 1 && !is_allowed(names)) print module ": a circle of " count " files: " sorted(names)
}

function sorted(names,    n, part, i, k, kept, line) {
    n = split(names, part, " ")
    for (i = 2; i <= n; i++) {
        kept = part[i]
        for (k = i - 1; k > 0 && part[k] > kept; k--) part[k + 1] = part[k]
        part[k + 1] = kept
    }
    for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") part[i]
    return line
}

function is_allowed(names,    i, k, n, part, all) {
    n = split(names, part, " ")
    for (i = 1; i <= lists; i++) {
        all = 1
        for (k = 1; k <= n; k++) if (index(known[i], " " part[k] " ") == 0) all = 0
        if (all) { met[i] = 1; return 1 }
    }
    return 0
}
