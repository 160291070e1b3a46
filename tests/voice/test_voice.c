/* Lines and their voices, and synthesisers, for which a script stands in: it writes down what it is
 * given, and what it does is in its environment. */
#include "voice/voice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] = "#!/bin/sh\n"
                             "echo \"$*\" >>\"$SAID\"; cat >>\"$SAID\"; echo >>\"$SAID\"\n"
                             "[ \"$HOLD\" ] && sleep 1000\n"
                             "echo noise; exit $STATUS\n";
static char folder[] = "/tmp/voice-XXXXXX";
static char *old_path;

static char *within(const char *name) {
    return base_format("%s/%s", folder, name);
}

static void install(const char *name) {
    struct base_message m = {0};
    char *path = within(name);
    assert_true(base_file_write(path, script, strlen(script), &m));
    assert_int_equal(chmod(path, 0700), 0);
    free(path);
}

static void uninstall(const char *name) {
    char *path = within(name);
    unlink(path);
    free(path);
}

static int open_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    char *said = within("said"), *path = base_format("%s:%s", folder, getenv("PATH"));
    old_path = base_dup(getenv("PATH"));
    setenv("SAID", said, 1);
    setenv("STATUS", "0", 1);
    setenv("PATH", path, 1);
    free(said);
    free(path);
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    uninstall("said");
    uninstall("espeak-ng");
    uninstall("espeak");
    uninstall("spd-say");
    setenv("PATH", old_path, 1);
    free(old_path);
    return rmdir(folder);
}

static char *said(void) {
    struct base_message m = {0};
    size_t n;
    char *text = base_file_read(getenv("SAID"), 1 << 20, &n, &m);
    return text ? text : base_dup("");
}

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
static void lines_have_their_speakers(void **state) {
    static const struct {
        const char *who, *text, *spoken;
        size_t voice, part, paragraph;
    } expected[] = {
        {"", "The price.", "The price.", 0, 3, VOICE_TITLE},
        {"Ruth", "What does it take?", "What does it take?", 1, 3, 0},
        {"Omar", "14 GB × 2", "14 gigabytes times 2", 2, 3, 1},
        {"", "On two lines.", "On two lines.", 0, 3, 2},
        {"Ruth", "Why?", "Why?", 1, 4, 0},
        {"Ines", "A third.", "A third.", 1, 4, 1},
        {"Omar", "I stay.", "I stay.", 2, 4, 2},
    };
    struct voice_lines l = {0};
    (void)state;
    voice_lines_title(&l, 3, "The price");
    voice_lines_title(&l, 3, "");
    voice_lines_text(&l, 3,
                     "**Ruth.** What does it *take*?\n\n**Omar.** `14 GB` × 2\n\nOn two\nlines.");
    assert_true(voice_lines_talk(&l));
    voice_lines_text(&l, 4, "**Ruth.** Why?\n\n\n**Ines.** A third.\n\n**Omar.** I stay.\n");
    assert_int_equal(l.count, BASE_COUNT(expected));
    for (size_t i = 0; i < l.count; i++) {
        assert_string_equal(l.at[i].who, expected[i].who);
        assert_string_equal(l.at[i].text, expected[i].text);
        assert_string_equal(l.at[i].spoken, expected[i].spoken);
        assert_int_equal(l.at[i].voice, expected[i].voice);
        assert_int_equal(l.at[i].part, expected[i].part);
        assert_int_equal(l.at[i].paragraph, expected[i].paragraph);
    }
    voice_lines_free(&l);
    assert_int_equal(l.count, 0);
}

/* Items are lines of their list's paragraph; a table is a paragraph that is not said. */
static void lists_are_lines_and_tables_are_left_out(void **state) {
    static const struct {
        const char *text;
        size_t paragraph;
    } expected[] = {
        {"Who asks?", VOICE_TITLE}, {"Two ways:", 0},  {"One, on two lines.", 0},   {"Another.", 0},
        {"1. First.", 1},           {"2. Second.", 1}, {"A quote on two lines", 3}, {"a - 2", 4},
    };
    struct voice_lines l = {0};
    (void)state;
    voice_lines_title(&l, 0, "Who asks?");
    voice_lines_text(&l, 0,
                     "Two ways:\n- One, on\n  two lines.\n- Another.\n\n1. First.\n2. Second.\n\n"
                     "| a | b |\n|--:|--:|\n| 1 | 2 |\n\n> A quote\n> on two lines\n\na - 2");
    assert_int_equal(l.count, BASE_COUNT(expected));
    for (size_t i = 0; i < l.count; i++) {
        assert_string_equal(l.at[i].text, expected[i].text);
        assert_int_equal(l.at[i].paragraph, expected[i].paragraph);
    }
    voice_lines_free(&l);
}

/* For a screen reader signs and units are words, and names are spelt as they are. */
static void words_keep_names(void **state) {
    static const char *const said[][2] = {
        {"4Ψ + 12Ψ/N", "4 psi, plus 12 psi over N"},
        {"2(N−1)/N × S, 2 (N − 1)/N",
         "2 times the quantity N minus 1, over N, times S, 2 times the quantity N minus 1, over N"},
        {"S/N × 3, n / N × 2, 2 × 3, 25 GB/s × 8, (a/b) × 2",
         "S over N, times 3, n over N, times 2, 2 times 3, 25 gigabytes per second times 8, the "
         "quantity a over b, times 2"},
        {"(p − 1)/(m + p − 1) of the time (2 + 4 in all).",
         "the quantity p minus 1, over the quantity m plus p minus 1, of the time (2 plus 4 in "
         "all)."},
        {"2(N − 1) hops", "2 times the quantity N minus 1 hops"},
        {"The \"80 GB\" on a box, \"it takes 80 GB\"",
         "The \"80 GB\" on a box, \"it takes 80 gigabytes\""},
        {"a 7B model in bf16: 28 B × 7e9", "a 7B model in bf16: 28 bytes times 7 billion"},
        {"DDP, ZeRO-2/3 and `reduce_dtype`", "DDP, ZeRO-2/3 and `reduce_dtype`"},
        {"8 × A100-80GB, 24 GB", "8 times A100-80GB, 24 gigabytes"},
        {"they print \"GB\", not GiB", "they print \"GB\", not gibibytes"},
        {"zero/stage3.py, https://a.org/1/2=3", "zero/stage3.py, https://a.org/1/2=3"},
        {"1.2e6 tokens/s, (A + 1)Ψ ÷ (t · p)", "1.2 million tokens per second, the quantity A plus "
                                               "1, times psi divided by the quantity t times p"},
        {"In GiB · On one of them; 0–3; 50 %", "In gibibytes, On one of them; 0 to 3; 50 %"},
        {"✗ You said: seven", "wrong: You said: seven"},
        {"✗ You said: seven. That is wrong.\n✓ It is: six.",
         "You said: seven. That is wrong.\nright: It is: six."},
        {"Your estimate: ✓ close: 900 KB", "Your estimate: close: 900 kilobytes"},
        {"the weights ✗, the moments. That is right. ✓",
         "the weights, wrong, the moments. That is right."},
        {"type (80 - 2*7)/4, 16*7/8 or 2*13.", "type (80 - 2*7)/4, 16*7/8 or 2*13."},
        {"How many ms, in how many GB?", "How many milliseconds, in how many gigabytes?"},
        {"m′ ÷ √v′", "m prime divided by the square root of v prime"},
        {"7B – a model, 2*13 + …", "7B – a model, 2*13 plus …"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        char *words = voice_words(said[i][0]);
        assert_string_equal(words, said[i][1]);
        free(words);
    }
}

/* One hears what a formula's signs hold together: which terms a sum has, what a number divides, and
 * where a bracket ends. */
static void formulas_keep_their_grouping(void **state) {
    static const char *const said[][2] = {
        {"2 B × 13e9 + 14 B × 13e9 ÷ 16",
         "2 bytes times 13 billion, plus 14 bytes times 13 billion divided by 16"},
        {"48 GB ÷ ((2 + 2 + 4 + 8) B ÷ 16) = 48 billion parameters",
         "48 gigabytes divided by open bracket, the quantity 2 plus 2 plus 4 plus 8 bytes, divided "
         "by 16, close bracket, equals 48 billion parameters"},
        {"14.9 GB ÷ (2 + 2 + 4 + 8) B = 0.93",
         "14.9 gigabytes divided by the quantity 2 plus 2 plus 4 plus 8 bytes, equals 0.93"},
        {"7/8 × 2 B × 8e9 × 4 + 4 × 7/8 × 2 B × 8e9 = 112 GB",
         "7 over 8, times 2 bytes times 8 billion times 4, plus 4 times 7 over 8, times 2 bytes "
         "times 8 billion, equals 112 gigabytes"},
        {"64 × (2 B × 20e9 + (4 + 8) B × 20e9 ÷ 64)",
         "64 times open bracket, 2 bytes times 20 billion, plus the quantity 4 plus 8 bytes, times "
         "20 billion divided by 64, close bracket"},
        {"7/8 × 26 GB ÷ 24 GB/s × 8 + 0.05 ms × 8",
         "7 over 8, times 26 gigabytes divided by 24 gigabytes per second, times 8, plus 0.05 "
         "milliseconds times 8"},
        {"2 × (37 ÷ 5, rounded up) = 16",
         "2 times open bracket, 37 divided by 5, rounded up, close bracket, equals 16"},
        {"s·b·h × (34 + 5as/h)",
         "s times b times h times open bracket, 34, plus 5 a s over h, close bracket"},
        {"It sends (N − 1)/N of it, and 14 GB ÷ 3/4.",
         "It sends the quantity N minus 1, over N, of it, and 14 gigabytes divided by 3 over 4."},
        {"per parameter: (2 + 4) B = 6 B/param, 8 × 7 = 56",
         "per parameter: 2 plus 4 bytes equals 6 bytes per parameter, 8 times 7 equals 56"},
        {"0.5 + 0.25 + 1 = 1.75 and m = (1 − β1) × g and v = 2",
         "0.5 plus 0.25 plus 1 equals 1.75 and m equals the quantity 1 minus beta 1, times g and v "
         "equals 2"},
        {"reduce-scatter + all-gather, = −3 × 4 (2 + 4 in all)",
         "reduce-scatter plus all-gather, equals minus 3 times 4 (2 plus 4 in all)"},
        {"(2 × 3) × (4", "the quantity 2 times 3, times (4"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        char *words = voice_words(said[i][0]);
        assert_string_equal(words, said[i][1]);
        free(words);
    }
}

/* What espeak-ng reads as "slash", "right arrow" or not at all is said in words. */
static void signs_are_said_in_words(void **state) {
    static const char *const said[][2] = {
        {"1 GB and 21 GB, 1.1 GB, 0.1 GB",
         "1 gigabyte and 21 gigabytes, 1.1 gigabytes, 0.1 gigabytes"},
        {"240 GB/s, 56 µs, 1 ms, 1 s.",
         "240 gigabytes per second, 56 microseconds, 1 millisecond, 1 second."},
        {"28GB, 7B, 2 B", "28 gigabytes, 7B, 2 bytes"},
        {"a row of s tokens, in GB", "a row of s tokens, in gigabytes"},
        {"80e9, 5e8, 10^9, 2³⁰", "80 billion, 5 times 10 to the 8, 10 to the 9, 2 to the 30"},
        {"an 80 GB card, 1 GB", "an 80 gigabyte card, 1 gigabyte"},
        {"3Ψ", "3 psi"},
        {"16Ψ/N", "16 psi over N"},
        {"N × ⌈n / N⌉ − n", "N times the ceiling of n over N, minus n"},
        {"(2 + 4) B × Ψ = 6 B/param, in B/param",
         "the quantity 2 plus 4 bytes, times psi, equals 6 bytes per parameter, in bytes per "
         "parameter"},
        {"s·b", "s times b"},
        {"g²", "g squared"},
        {"√(V)", "the square root of (V)"},
        {"a ≥ b", "a at least b"},
        {"1 + 1 = 2", "1 plus 1 equals 2"},
        {"log₂ M", "log two of M"},
        {"free → gather", "free, then gather"},
        {"β1", "beta 1"},
        {"overlap_comm", "overlap comm"},
        {"ZeRO-3 and ZeRO++", "zero 3 and zero plus plus"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        char *spoken = voice_spoken(said[i][0]), *once = base_dup(spoken);
        size_t n = 0;
        for (size_t k = 0; spoken[k]; k++) /* it hears no second space */
            if (spoken[k] != ' ' || n == 0 || once[n - 1] != ' ') once[n++] = spoken[k];
        once[n] = '\0';
        assert_string_equal(once, said[i][1]);
        free(spoken);
        free(once);
    }
}

static void one_voice_does_not_talk(void **state) {
    struct voice_lines l = {0};
    (void)state;
    voice_lines_text(
        &l, 0, "**Ruth.** I am alone.\n\nShe is.\n\n**What it costs.** Much.\n\n**14 GB.** So.");
    assert_false(voice_lines_talk(&l));
    assert_string_equal(l.at[2].spoken, "What it costs. Much.");
    assert_string_equal(l.at[3].text, "14 GB. So.");
    voice_lines_free(&l);
}

/* ── synthesisers ──────────────────────────────────────────────────────────────────────────────*/
static void the_first_that_is_installed_is_found(void **state) {
    (void)state;
    setenv("PATH", folder, 1);
    unsetenv("ZEROTUTOR_VOICE");
    assert_null(voice_find(false));
    install("spd-say");
    assert_string_equal(voice_name(voice_find(false)), "spd-say");
    assert_null(voice_find(true));
    install("espeak");
    assert_string_equal(voice_name(voice_find(false)), "espeak");
    assert_string_equal(voice_name(voice_find(true)), "espeak");
    setenv("ZEROTUTOR_VOICE", "spd-say", 1);
    assert_string_equal(voice_name(voice_find(false)), "spd-say");
    setenv("ZEROTUTOR_VOICE", "none", 1);
    assert_null(voice_find(false));
    unsetenv("ZEROTUTOR_VOICE");
    char *nothing = said();
    assert_string_equal(nothing, ""); /* none of them was run */
    free(nothing);
    uninstall("spd-say");
    uninstall("espeak");
    char *path = base_format("%s:%s", folder, old_path);
    setenv("PATH", path, 1);
    free(path);
}

static struct voice_lines one_line(void) {
    struct voice_lines l = {0};
    voice_lines_text(&l, 0, "**Ruth.** Yes & no.");
    return l;
}

static void expect_said(const char *expected) {
    char *text = said();
    assert_string_equal(text, expected);
    free(text);
    uninstall("said");
}

static void it_speaks_writes_and_fails(void **state) {
    struct voice_lines l = one_line();
    struct voice_speech s = {0};
    struct base_message m = {0};
    (void)state;
    install("espeak-ng");
    assert_false(voice_goes_on(&s));
    assert_true(voice_speak(&s, voice_find(false), &l, 0, &m));
    assert_int_equal(voice_wait(&s), 0);
    expect_said("-v en-us+f3 -s 140 --stdin\nYes & no.\n");
    assert_true(voice_write(&s, voice_find(true), &l, "x.wav", &m));
    assert_int_equal(voice_wait(&s), 0);
    expect_said("-m -s 140 -w x.wav --stdin\n<speak><voice name=\"en-us+f3\">Yes &amp; "
                "no.</voice><break time=\"500ms\"/>\n</speak>\n\n");
    setenv("STATUS", "3", 1);
    assert_true(voice_speak(&s, voice_find(false), &l, 0, &m));
    assert_int_equal(voice_wait(&s), 3);
    setenv("STATUS", "0", 1);
    uninstall("said");
    voice_lines_free(&l);
}

/* Until no process of the group is left. */
static bool group_is_gone(pid_t group) {
    int tries = 0;
    while (kill(-group, 0) == 0 && ++tries < 400) poll(NULL, 0, 5);
    return tries < 400;
}

static void await_said(void) {
    while (access(getenv("SAID"), F_OK) != 0) poll(NULL, 0, 5);
}

static void it_is_stopped_with_all_it_started(void **state) {
    struct voice_lines l = one_line();
    struct voice_speech s = {0};
    struct base_message m = {0};
    (void)state;
    install("espeak-ng");
    setenv("HOLD", "yes", 1);
    assert_true(voice_speak(&s, voice_find(false), &l, 0, &m));
    await_said();
    pid_t group = s.pid;
    struct pollfd wait = {.fd = s.fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 0), 0); /* it holds */
    voice_stop(&s);
    unsetenv("HOLD");
    assert_int_equal(s.pid, 0);
    assert_int_equal(s.status, 128 + SIGKILL);
    assert_int_equal(waitpid(group, NULL, 0), -1);
    assert_int_equal(errno, ECHILD);
    assert_true(group_is_gone(group));
    voice_stop(&s); /* nothing */
    uninstall("said");
    voice_lines_free(&l);
}

/* spd-say hands its words to another program, which speaks on when spd-say is killed. */
static void who_speaks_for_another_is_told_to_stop(void **state) {
    struct voice_lines l = one_line();
    struct voice_speech s = {0};
    struct base_message m = {0};
    (void)state;
    install("spd-say");
    setenv("ZEROTUTOR_VOICE", "spd-say", 1);
    setenv("HOLD", "", 1);
    assert_true(voice_speak(&s, voice_find(false), &l, 0, &m));
    voice_stop(&s);
    char *text = said();
    assert_non_null(strstr(text, "-C\n"));
    free(text);
    unsetenv("ZEROTUTOR_VOICE");
    uninstall("said");
    voice_lines_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_their_speakers),
        cmocka_unit_test(lists_are_lines_and_tables_are_left_out),
        cmocka_unit_test(formulas_keep_their_grouping),
        cmocka_unit_test(signs_are_said_in_words),
        cmocka_unit_test(words_keep_names),
        cmocka_unit_test(one_voice_does_not_talk),
        cmocka_unit_test(the_first_that_is_installed_is_found),
        cmocka_unit_test(it_speaks_writes_and_fails),
        cmocka_unit_test(it_is_stopped_with_all_it_started),
        cmocka_unit_test(who_speaks_for_another_is_told_to_stop),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
