#!/bin/sh
# `zerotutor aloud`, with a synthesiser of the test's own that writes down what it is given: who
# speaks with which voice, what is said, and what is written. Speaks TAP.
set -u
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT

number=0
check() { # name, a command that must succeed
    number=$((number + 1))
    name=$1
    shift
    if "$@" >"$place/out" 2>&1; then echo "ok $number - $name"; else
        echo "not ok $number - $name"
        sed 's/^/# /' "$place/out"
    fi
}

mkdir "$place/bin" "$place/none"
cat >"$place/bin/espeak-ng" <<'S'
#!/bin/sh
echo "$*" >>"$SAID"
cat >>"$SAID"
echo >>"$SAID"
case "$*" in *-w*) echo RIFF >"$(echo "$*" | sed 's/.*-w \([^ ]*\).*/\1/')" ;; esac
S
chmod +x "$place/bin/espeak-ng"
export SAID="$place/said"

speaks() { : >"$SAID" && PATH=$place/bin:$PATH "$ZEROTUTOR" aloud voices-1 >"$place/printed"; }
has() { grep -qF -- "$2" "$1" || { cat "$1"; false; }; }
voices() { grep -e '--stdin' "$SAID" | sed 's/.*-v \([^ ]*\).*/\1/' | sort -u | wc -l; }
three_voices() { [ "$(voices)" = 3 ]; }
one_voice_each() { # the words of each are said in one voice
    [ "$(grep -B1 '^As in zero redundancy' "$SAID" | head -1)" = "$(grep -B1 '^Nor do I' "$SAID" | head -1)" ] &&
        [ "$(grep -B1 '^Zero as in nothing' "$SAID" | head -1)" != "$(grep -B1 '^Nor do I' "$SAID" | head -1)" ]
}
in_words() { # no symbol is left that nobody can say
    for n in 1 2 3 4; do
        "$ZEROTUTOR" aloud "voices-$n" --text >"$place/text" || return 1
        [ "$(wc -w <"$place/text")" -gt 700 ] || return 1
        ! LC_ALL=C grep -n '[^A-Za-z0-9 .,;:?!%()'"'"'-]' "$place/text" || return 1
        ! grep -nwE '[A-Z]{2,}' "$place/text" || return 1
    done
}
writes() { : >"$SAID" && PATH=$place/bin:$PATH "$ZEROTUTOR" aloud voices-2 -o "$place/x.wav" && [ "$(cat "$place/x.wav")" = RIFF ]; }
refuses() { # words, command
    words=$1
    shift
    "$@" 2>"$place/error"
    [ $? = 2 ] && has "$place/error" "$words"
}
nothing_speaks() { refuses "install espeak-ng" env PATH="$place/none" "$ZEROTUTOR" aloud voices-1; }

check "it reads to its end" speaks
check "a title is said" has "$SAID" "The price."
check "units are said in words" has "$SAID" "so the weights take 14 gigabytes."
check "what is said is printed" has "$place/printed" "Ruth: So they carry less, and talk more."
check "a teller and two voices" three_voices
check "each name has its own" one_voice_each
check "every symbol has a spoken form" in_words
check "a WAV file is written" writes
check "of both voices" has "$SAID" '<voice name="en-us+f3">Back to your mechanics.'
check "an unknown lesson is refused" refuses "unknown lesson 'voices-9'" "$ZEROTUTOR" aloud voices-9
check "without a synthesiser it says what to do" nothing_speaks
echo "1..$number"
