# One meaning per key: every key of every screen is in keys.txt, in one row, with the words that the
# key line may have for it. A key without a word is named there by the first word of its help. Reads
# keys.txt and then the sources of the views and plays, and prints what differs.
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
FNR == NR {
    if (/^#/ || !NF) next
    if (split($0, part, "|") != 3) { print "keys.txt: not KEYS | MEANING | WORDS: " $0; next }
    keys = split(part[1], key, " ")
    words = split(part[3], word, ",")
    for (k = 1; k <= keys; k++) {
        if (key[k] in meaning) print "keys.txt: " key[k] " has two meanings"
        meaning[key[k]] = trim(part[2])
        row_of[key[k]] = NR
        for (w = 1; w <= words; w++) may[key[k], trim(word[w])] = 1
    }
    next
}
FNR == 1 { text = ""; inside = 0 }
/^static const struct action [A-Z_]+\[\] = \{/ { inside = 1; next }
/^static const struct account_play_option / { play = 1 }
play && /\.name = / { name = $0; sub(/.*\.name = "/, "", name); sub(/".*/, "", name) }
play && /\.keys = / { keys_of = $0; sub(/.*\.keys = "/, "", keys_of); sub(/".*/, "", keys_of); bind(keys_of, name, FILENAME) }
/^};/ { if (inside) read_rows(text, FILENAME); inside = play = 0; text = "" }
inside { text = text " " $0 }

# The strings of a table's rows, in order: label, keys, help; NULL stands for a missing label.
function read_rows(text, file,    row, rows, r, quoted, label, keys, help) {
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
        if (label == "") { label = tolower(help); sub(/[ ,;].*/, "", label) }
        bind(keys, label, file)
    }
}
function bind(keys, word, file,    key, n, k) {
    n = split(keys, key, " ")
    for (k = 1; k <= n; k++) {
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
