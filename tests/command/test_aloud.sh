#!/bin/sh
# `zerotutor aloud`, with a synthesiser of the test's own that writes down what it is given: who
# speaks with which voice, what is said, and what is written. Speaks TAP.
set -u
# shellcheck source=tests/command/tap.sh
. "$(dirname "$0")/tap.sh"

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
unset ZEROTUTOR_VOICE

# This one is done in no time, as one without a sound device is, and that is told.
speaks() {
    : >"$SAID"
    PATH=$place/bin:$PATH "$ZEROTUTOR" aloud voices-1 >"$place/printed" 2>"$place/error"
    [ $? = 2 ] && has "$place/error" "espeak-ng ended too soon to be heard: is there a sound device?"
}
voices() { grep -e '--stdin' "$SAID" | sed 's/.*-v \([^ ]*\).*/\1/' | sort -u | wc -l; }
three_voices() { [ "$(voices)" = 3 ]; }
one_voice_each() { # the words of each are said in one voice
    [ "$(grep -B1 '^As in zero redundancy' "$SAID" | head -1)" = "$(grep -B1 '^Nor do I' "$SAID" | head -1)" ] &&
        [ "$(grep -B1 '^Zero as in nothing' "$SAID" | head -1)" != "$(grep -B1 '^Nor do I' "$SAID" | head -1)" ]
}
in_words() { # no symbol is left that nobody can say
    for n in 1 2 3 4; do
        "$ZEROTUTOR" aloud "voices-$n" --text >"$place/written" || return 1
        [ "$(wc -l <"$place/written")" -gt 10 ] && ! grep -n 'G P U\|P C I E' "$place/written" || return 1
        "$ZEROTUTOR" aloud "voices-$n" --spoken >"$place/text" || return 1
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

# The page is printed once, and its lines are spoken in their voices.
linear_speaks() {
    : >"$SAID"
    printf ':aloud\n\n:aloud\n:quit\n' | PATH=$place/bin:$PATH "$ZEROTUTOR" learn voices-1 --linear >"$place/linear" || return 1
    [ "$(grep -c 'Then give them stronger arms' "$place/linear")" = 1 ] &&
        [ "$(grep -c '^Then give them stronger arms' "$SAID")" = 1 ] && [ "$(voices)" = 3 ] &&
        has "$SAID" "so the weights take 14 gigabytes." && ! grep -q 'More cards do not help' "$SAID"
}
linear_speaks_all() { # from its beginning, wherever one is; nothing is printed for it but how to stop
    : >"$SAID"
    printf '\n\n:aloud lesson\n:quit\n' | PATH=$place/bin:$PATH "$ZEROTUTOR" learn voices-1 --linear >"$place/linear" || return 1
    has "$place/linear" 'Reading the whole lesson aloud, ' && has "$SAID" 'Then give them stronger arms' &&
        has "$SAID" 'More cards do not help' && [ "$(grep -c 'stdin' "$SAID")" = "$("$ZEROTUTOR" aloud voices-1 --text | wc -l)" ]
}
linear_has() { # words, line typed, lesson, PATH
    printf '%s\n:quit\n' "$2" | PATH=$4 "$ZEROTUTOR" learn "$3" --linear >"$place/linear" && has "$place/linear" "$1"
}
fails() {
    mkdir -p "$place/bad" && printf '#!/bin/sh\nexit 7\n' >"$place/bad/espeak-ng" && chmod +x "$place/bad/espeak-ng"
    linear_has "stopped with status 7" :aloud voices-1 "$place/bad:$PATH" &&
        ! PATH=$place/bad:$PATH "$ZEROTUTOR" aloud voices-1 2>"$place/error" >/dev/null && has "$place/error" "status 7"
}
none_is_named() { ZEROTUTOR_VOICE=none linear_has "install espeak-ng" :aloud voices-1 "$PATH"; }

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
check "line mode speaks a step, and prints nothing again" linear_speaks
check "and the whole lesson on request" linear_speaks_all
check "one that fails is named, in both" fails
check "line mode says what to install" none_is_named
check "a step without prose says so" linear_has "no prose" "$(printf '\n\n\n:aloud')" tests/screen/lessons/dialogue.lua "$place/bin:$PATH"
echo "1..$number"
