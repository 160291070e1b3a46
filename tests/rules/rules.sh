#!/bin/sh
# shellcheck disable=SC2154,SC2012 # tree and rules are set by test_rules.sh; file names have no
# blanks
#
# The rules of the code base. Each is a function that prints what breaks it, and nothing if all is
# well. Sourced by test_rules.sh. `tree` is a checkout's src, `build` the objects of it; `rules` is
# this folder.

sources() { (cd "$tree" && ls main.c ./*/*.[ch] ./*/*/*.[ch] ./*/*/*.cu ./*/*/*.cuh 2>/dev/null | sed 's|^\./||'); }

# Public headers, arrows and fences.
rule_includes() {
    # shellcheck disable=SC2046 # file names, none with blanks
    (cd "$tree" && awk -f "$rules/includes.awk" "$rules/arrows.txt" "$rules/fences.txt" $(sources))
}

rule_no_cycles() {
    # shellcheck disable=SC2046
    (cd "$tree" && awk -v edges=1 -f "$rules/includes.awk" "$rules/arrows.txt" "$rules/fences.txt" $(sources)) |
        sort -u | { tsort >/dev/null; } 2>&1
}

rule_lengths() {
    # shellcheck disable=SC2046
    (cd "$tree" && LC_ALL=C awk -f "$rules/lengths.awk" $(sources))
}

# Programs of tests and their helpers are as long at most as files of src.
rule_test_lengths() { # folder of the tests
    (cd "$1" && wc -l ./*/*.[ch] ./*/*/*.[ch] 2>/dev/null | sed 's|\./||') |
        awk '$1 > 600 && $2 != "total" { print $2 ": " $1 " lines; a file has at most 600: split it by subject" }'
}

# What the maps (README.md of src, lessons, tests) name is there: files of the code, that of tests its
# own, and functions, which are written with "()".
rule_maps() { # checkout
    for map in "src src lua lessons" "lessons src lua lessons" "tests tests"; do
        # shellcheck disable=SC2016,SC2086 # backticks of Markdown; a list of folders
        (cd "$1" && find ${map#* } -type f | sed 's|^|/|' >"$scratch" &&
            grep -o '`[a-z0-9_/]\+\(\.[ch]\|\.cu\|\.lua\|\.awk\|\.py\|\.sh\|()\)`' "${map%% *}/README.md" |
            tr -d '`' | sort -u | while read -r name; do
                case $name in
                *"()") grep -rqw --include='*.[ch]' --include='*.cu' "${name%??}" src && continue ;;
                *) grep -q "/$name\$" "$scratch" && continue ;;
                esac
                echo "${map%% *}/README.md names $name, which is not there"
            done)
    done
}

# One meaning per key, on every screen.
rule_keys() {
    (cd "$tree" && awk -f "$rules/keys.awk" "$rules/keys.txt" screen/*.c)
}

# What the engine calls: no I/O, no allocation, no clock, no environment. Sanitizers' and compilers'
# own helpers aside.
pure='abs|acos|asin|atan|atan2|cbrt|ceil|copysign|cos|exp|exp2|fabs|floor|fmax|fmin|fmod|frexp|ldexp|ll?round|ll?rint|log|log10|log1p|log2|modf|nearbyint|pow|rint|round|sqrt|trunc
mem(chr|cmp|cpy|move|set)|str(n?casecmp|chr|n?cmp|cpy|cspn|len|nlen|ncpy|pbrk|rchr|spn|str)|v?snprintf|strto(d|ull?|ll?)|__isoc23_strto(ull?|ll?)|qsort|bsearch
__ctype_b_loc|__ctype_to(lower|upper)_loc|tolower|toupper|__errno_location|__assert_fail|__stack_chk_fail|__v?snprintf_chk|__(mem|str)[a-z]*_chk
__(u?div|u?mod|mul|ashl|lshr)ti3|__float(un)?ti[dsx]f|__fix(uns)?[dsx]fti|_GLOBAL_OFFSET_TABLE_|__(a|ub|l)san_.*|__sanitizer_.*'
pure="^($(echo "$pure" | tr '\n' '|' | sed 's/|$//'))\$"

# Names that the objects of an archive need and do not have.
undefined() {
    nm "$1" | awk 'NF == 2 && $1 == "U" { needs[$2] = 1 } NF == 3 { has[$3] = 1 } END { for (name in needs) if (!(name in has)) print name }'
}
rule_pure() { # archive
    [ -f "$1" ] || echo "$1: was not built"
    undefined "$1" | grep -Ev "$pure" | sed 's|$|: account may not call this (tests/rules/rules.sh)|'
}

# Files of the engine that read or set a member of struct account_training. All others read a
# resolved training. Each of these has its reason:
#   training       fields.c sets what is asked, check.c judges it, resolved.c resolves it
#   plan           question.c fills in what was left open; search.c and the walk of the tree (tree.c,
#                  tree_mesh.c, tree_end.c, forks.c) put trainings together; plan.c tells rows apart
#                  by what varies, and names the degree at which a batch could be shared
#   play           plays set their options on a training
#   problems       mistake_….c change the training as people misread it, whose.c, guess.c and skill.c
#                  try recipes and stages, ground_memory.c asks for activations at 2s and without t;
#                  answer.c, solve.c and judge.c speak of what the problem states: card, Ψ, GPUs
asked='training/(fields|check|resolved)|plan/(question|search|tree|tree_mesh|tree_end|forks|plan)|play/(experts|gather|layer|tiers)
problems/(mistake_(bytes|copies|memory|products|sharing|traffic|training|units)|whose|guess|skill|ground_memory|answer|solve|judge)'
asked="^account/($(echo "$asked" | tr '\n' '|' | sed 's/|$//'))[.]c\$"

# With the members taken out of the definition, the compiler names each that a file reads, whatever
# headers brought it there.
members_read() { # file of the tree
    ${CC:-cc} -E -P -I"$tree" "$tree/$1" | awk '
        /^struct account_training [{]/ { print "struct account_training { char hidden; };"; body = 1 }
        !body
        body && /^[}];/ { body = 0 }' |
        LC_ALL=C ${CC:-cc} -std=c17 -fsyntax-only -x cpp-output - 2>&1 |
        sed -n "/account_training/s/.*no member named '\\([a-z_]*\\)'.*/\\1/p" | sort -u | tr '\n' ' '
}
rule_resolved() {
    (cd "$tree" && ls account/*/*.c) | while read -r file; do
        read=$(members_read "$file")
        if echo "$file" | grep -Eq "$asked"; then
            [ -n "$read" ] || echo "$file: reads nothing of struct account_training: strike it from \`asked\` (tests/rules/rules.sh)"
        elif [ -n "$read" ]; then
            echo "$file: reads ${read}of struct account_training: read them from struct account_resolved"
        fi
    done
}

# Numbers that the engine prints otherwise than through account_add_number() and its kin, which round
# as people do on paper and in no locale. text.c is they; fields.c writes a rate so that it reads
# back to the last bit.
rule_rounding() {
    (cd "$tree" && grep -HnE '"[^"]*%[-+#0-9.*]*[efgEFG]' ./account/*/*.c) | sed 's|^\./||' |
        grep -Ev '^account/(numbers/text|training/fields)[.]c:' |
        sed 's|^\([^:]*:[0-9]*\):.*|\1: prints a real itself: account_add_number() or account_number() rounds it|'
}

# Objects with data that can change, save those of globals.txt. A sanitizer's own tables would
# count, so under one nothing is said.
rule_no_globals() { # archive…
    for archive in "$@"; do
        nm "$archive" | grep -q '__[at]san_' && continue
        module=$(basename "$archive" .a)
        size -A "$archive" | awk -v module="${module#lib}" '
            FNR == NR { if ($1 !~ /^#/) allowed[$1] = 1; next }
            / \(ex / { object = module "/" $1 }
            /^[.](data|bss) / && $2 > 0 && !(object in allowed) && !seen[object]++ { print object ": data that changes (tests/rules/globals.txt)" }' \
            "$rules/globals.txt" -
    done
}

# Objects of a module's sources, build/src/MODULE/…: only of sources that are there, since a build
# folder keeps objects of files that went. What is generated (catalogue.o, schema.o) needs nothing
# of the others and is left out.
module_objects() { # module
    (cd "$tree" && find "$1" -name '*.c' -o -name '*.cu') | sed 's|\.cu*$|.o|' | sort | while read -r object; do
        for folder in "$build/src" "$build/cuda/src"; do [ ! -f "$folder/$object" ] || echo "$folder/$object"; done
    done
}

# Circles of files that call each other, "module: file file …", except those of circles.txt. A
# circle is allowed if all its files are in one line of its module. A line that no longer is a
# circle is named too, so that the list stays true.
rule_no_circles() { # module…
    for module in "$@"; do
        module_objects "$module" | while read -r object; do
            name=${object#"$build"*/src/"$module/"}
            nm -P "$object" 2>/dev/null | sed "s|^|${name%.o} |"
        done | awk -v module="$module" -v allowed="$rules/circles.txt" -f "$rules/circles.awk"
    done
}

# External symbols that do not begin with the name of their module, "module: symbol (object)".
# Compilers' and sanitizers' own begin with _ or a dot; C++ and CUDA objects are not looked at.
rule_prefixes() { # archive…
    for archive in "$@"; do
        module=$(basename "$archive" .a)
        module=${module#lib}
        [ -d "$tree/$module" ] || continue
        nm -P -g "$archive" 2>/dev/null | awk -v module="$module" '
            /:$/ { object = $1; sub(/:$/, "", object); sub(/^.*\[/, "", object); sub(/\]$/, "", object); next }
            NF >= 3 && $2 ~ /^[TDRBVWC]$/ && $1 !~ /^[._]/ && index($1, module "_") != 1 { print module ": " $1 " (" object ") does not begin with " module "_" }'
    done
}

# Symbols that a wing needs of one that it may not know, whatever headers declare them. Rows of
# arrows.txt, as includes.awk reads them.
rule_wings() {
    sed -n 's|^\([a-z]*\)/\([a-z]*\)\( .*\)*$|\1 \2|p' "$rules/arrows.txt" | while read -r module wing; do
        module_objects "$module/$wing" | while read -r object; do nm -P "$object" 2>/dev/null | sed "s|^|$module/$wing |"; done
    done | awk -v arrows="$rules/arrows.txt" '
        BEGIN { while ((getline line < arrows) > 0) { split(line, word, " "); may[word[1]] = line " " } }
        $3 ~ /^[TDRBVWC]$/ { home[$2] = $1 }
        $3 == "U" { needs[$1 " " $2] = 1 }
        END { for (need in needs) { split(need, part, " "); other = home[part[2]]
            if (other && other != part[1] && index(may[part[1]], " " other " ") == 0) print part[1] ": calls " part[2] " of " other } }' | sort
}
