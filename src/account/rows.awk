# What the generators of tables share: reading an object of a line of JSON. data/*.json hold one object a line, with plain strings (no
# escaped quotes), so that awk is enough. Used together with another file: awk -f rows.awk -f training/catalogue.awk data/models.json

function broken(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    failed = 1
    exit 1
}
# The value of a key as C has it; `otherwise` where the key is missing, if that is given.
function value(key, otherwise,    rest) {
    if (!match($0, "\"" key "\": *")) {
        if (otherwise == "") broken("\"" key "\" is missing")
        return otherwise
    }
    rest = substr($0, RSTART + RLENGTH)
    if (rest ~ /^"/) { match(rest, /^"[^"]*"/); return substr(rest, 1, RLENGTH) }
    if (rest ~ /^\[/) { match(rest, /^\[[^\]]*\]/); return substr(rest, 2, RLENGTH - 2) }
    if (!match(rest, /^[-+.a-z0-9]+/)) broken("\"" key "\" has no value")
    rest = substr(rest, 1, RLENGTH)
    return rest == "null" ? "NULL" : rest
}
