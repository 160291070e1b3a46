# One meaning per key: every key of every screen is in keys.txt, in one row, with the words that the
# key line may have for it. A key without a word is named there by the first word of its help. Reads
# keys.txt and then the sources of the views, and prints what differs. A letter or a sign has one
# word. Next to Esc or an arrow it is that key by another name, and needs none.
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
FNR == NR {
    if (/^#/ || !NF) next
    if (split($0, part, "|") != 3) { print "keys.txt: not KEYS | MEANING | WORDS: " $0; next }
    keys = split(part[1], key, " ")
    words = split(part[3], word, ",")
    for (k = 1; k <= keys; k++) {
        if (key[k] in meaning) print "keys.txt: " key[k] " has two meanings"
        if (words > 1 && is_typed(key[k])) print "keys.txt: " key[k] " has two words"
        meaning[key[k]] = trim(part[2])
        row_of[key[k]] = NR
        for (w = 1; w <= words; w++) may[key[k], trim(word[w])] = 1
    }
    next
}
function is_typed(key) { return key ~ /^[^0-9]$/ }
FNR == 1 { text = ""; inside = 0 }
/^static const struct action [A-Z_]+\[\] = \{/ { inside = 1; next }
/^};/ { if (inside) read_rows(text, FILENAME); inside = 0; text = "" }
inside { text = text " " $0 }

# The strings of a table's rows, in order: label, keys, help; NULL stands for a missing label.
function read_rows(text, file,    row, rows, r, quoted, label, named, keys, help) {
    rows = split(text, row, /\},?/)
    for (r = 1; r <= rows; r++) {
        if (!match(row[r], /\{ *(NULL|"[^"]*"), *"[^"]*"/)) continue
        label = row[r]
        sub(/.*\{ */, "", label)
        split(label, quoted, "\"")
        if (label ~ /^NULL/) {
            label = ""; keys = quoted[2]; help = quoted[4]
        } else {
            label = quoted[2]; keys = quoted[4]; help = quoted[6]
        }
        named = label != ""
        if (!named) { label = tolower(help); sub(/[ ,;].*/, "", label) }
        bind(keys, label, file, named)
    }
}
function bind(keys, word, file, named,    key, n, k) {
    n = split(keys, key, " ")
    for (k = 1; k <= n; k++) {
        if (is_typed(key[k]) && (keys ~ /(^| )(Esc|Up|Down)( |$)/ || (!named && key[k] in meaning))) continue
        used[key[k]] = used[key[k], word] = 1
        if (!(key[k] in meaning)) print file ": " key[k] " (" word ") is not in tests/rules/keys.txt"
        else if (!((key[k], word) in may)) print file ": " key[k] " is \"" meaning[key[k]] "\" in tests/rules/keys.txt, and here \"" word "\""
    }
}
END {
    for (k in meaning) if (!(k in used)) print "keys.txt: no screen has " k
    for (pair in may) { split(pair, p, SUBSEP); if (pair in used) said[row_of[p[1]], p[2]] = 1 }
    for (pair in may) { split(pair, p, SUBSEP); if (!((row_of[p[1]], p[2]) in said)) print "keys.txt: no screen calls " p[1] " \"" p[2] "\"" }
}
