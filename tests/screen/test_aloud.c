/* Pages read aloud in a real terminal. A script stands in for the synthesiser: it writes down what
 * it is given, and then speaks until the test lets it end. */
#include "launch.h"
#include "place.h"
#include "page/page.h"
#include "session/session.h"
#include "voice/voice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIALOGUE "tests/screen/lessons/dialogue.lua"
static const char script[] = "#!/bin/sh\n"
                             "{ echo \"$$ $*\"; cat; echo; } >>\"$SAID\"\n"
                             "[ -e \"$SAID.alone\" ] && exec cat \"$SAID.end\"\n"
                             "cat \"$SAID.end\"\n"
                             "echo ended >>\"$SAID\"\n"
                             "exit $(cat \"$SAID.status\")\n";
static char said_at[200], voice_at[200], path[8000];

static char *within(const char *name) {
    return base_format("%s/%s", place_home(), name);
}

static void put(const char *name, const char *text, mode_t mode) {
    struct base_message m = {0};
    char *file = within(name);
    assert_true(base_file_write(file, text, strlen(text), &m));
    assert_int_equal(chmod(file, mode), 0);
    free(file);
}

static int open_all(void **state) {
    struct base_message m = {0};
    char *bin, *pipe;
    if (place_open(state) != 0 || !base_make_dirs(bin = within("bin"), &m)) return -1;
    put("bin/espeak-ng", script, 0700);
    put("bin/said.status", "0\n", 0600);
    snprintf(said_at, sizeof said_at, "SAID=%s/said", bin);
    snprintf(voice_at, sizeof voice_at, "ZEROTUTOR_VOICE=");
    snprintf(path, sizeof path, "PATH=%s:%s", bin, getenv("PATH"));
    pipe = within("bin/said.end");
    if (mkfifo(pipe, 0600) != 0) return -1;
    free(pipe);
    free(bin);
    return 0;
}

static struct tty *start(struct launch_options o) {
    o.lesson = o.lesson ? o.lesson : DIALOGUE;
    o.environment[0] = path;
    o.environment[1] = said_at;
    o.environment[2] = voice_at;
    struct tty *t = launch(o);
    tty_wait_row(t, 0, "1 / ");
    return t;
}

static char *said(void) {
    struct base_message m = {0};
    size_t n;
    char *text = base_file_read(said_at + strlen("SAID="), 1 << 20, &n, &m);
    return text ? text : base_dup("");
}

static size_t count(const char *what) {
    char *text = said();
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) n++;
    free(text);
    return n;
}

/* Waits until this many lines were spoken, the last of them still. */
static void await_lines(struct tty *t, size_t lines) {
    int tries = 0;
    while (count("--stdin\n") < lines && ++tries < 400) tty_settle(t);
    if (tries == 400) tty_fail(t, "line %zu is not spoken", lines);
}

/* Lets the line that is spoken end. */
static void end_line(struct tty *t) {
    size_t before = count("ended");
    char *file = within("bin/said.end");
    int fd = open(file, O_WRONLY);
    assert_true(fd >= 0);
    close(fd);
    free(file);
    while (count("ended") == before) tty_settle(t);
}

/* The synthesiser that spoke last. */
static pid_t speaker(void) {
    pid_t pid = 0;
    char *text = said();
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strstr(at, " -v ") && strtol(at, NULL, 10) > 0) pid = (pid_t)strtol(at, NULL, 10);
    free(text);
    return pid;
}

/* Waits until no process of the last speech is left, none of which came to its end. */
static void expect_killed(size_t ended) {
    int tries = 0;
    pid_t group = speaker();
    assert_true(group > 0);
    while (kill(-group, 0) == 0 && ++tries < 400) poll(NULL, 0, 5);
    assert_true(tries < 400);
    assert_int_equal(errno, ESRCH);
    assert_int_equal(count("ended"), ended);
}

/* The rows that are marked and bold, and no others. */
static void expect_marked(struct tty *t, const char *first, const char *last, bool ascii) {
    int from, to, column;
    tty_wait(t, first);
    tty_settle(t);
    assert_true(tty_find(t, first, &from, &column));
    assert_true(tty_find(t, last, &to, &column));
    for (int row = 1; row < tty_rows(t) - 2; row++) {
        const char *mark = tty_at(t, row, 0).text;
        bool within_it = row >= from && row <= to;
        const char *expected = row == from ? ascii ? ">" : "▸" : ascii ? "|" : "│";
        if (within_it != (strcmp(mark, expected) == 0))
            tty_fail(t, "row %d has the mark '%s'", row, mark);
        if (!within_it) continue;
        for (int i = 1; i < 80; i++)
            if (*tty_at(t, row, i).text && *tty_at(t, row, i).text != ' ')
                assert_true(tty_at(t, row, i).bold);
    }
}

static bool is_marked(struct tty *t) {
    for (int row = 1; row < tty_rows(t) - 2; row++)
        if (*tty_at(t, row, 0).text && strcmp(tty_at(t, row, 0).text, " ") != 0) return true;
    return false;
}

static void expect_silence(struct tty *t) {
    for (int i = 0; i < 200 && is_marked(t); i++) tty_settle(t);
    if (is_marked(t)) tty_fail(t, "it is still being read");
}

/* ── what is spoken ────────────────────────────────────────────────────────────────────────────*/
static const struct {
    int columns, rows;
    bool ascii;
} sizes[] = {{80, 24, false}, {120, 40, false}, {80, 24, true}};

static void a_dialogue_is_read_up_to_a_question(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        bool ascii = sizes[i].ascii;
        struct tty *t = start((struct launch_options){
            .columns = sizes[i].columns, .rows = sizes[i].rows, .ascii = ascii});
        char *file = within("bin/said");
        tty_wait_row(t, -1, "V aloud");
        tty_type(t, "V");
        await_lines(t, 1);
        expect_marked(t, "Greeting", "Greeting", ascii);
        end_line(t);
        await_lines(t, 2);
        expect_marked(t, "Ada. Who", "Ada. Who", ascii);
        end_line(t);
        await_lines(t, 3);
        expect_marked(t, "Bo. It is me", "weights.", ascii);
        end_line(t);
        await_lines(t, 4); /* the next page */
        expect_marked(t, "News", "News", ascii);
        end_line(t);
        await_lines(t, 5);
        expect_marked(t, "A door", "A door", ascii);
        end_line(t);
        await_lines(t, 6);
        end_line(t);
        tty_wait(t, "How many?");
        tty_settle(t);
        assert_int_equal(count("--stdin\n"), 6);
        assert_int_equal(count("-v en-us -s"), 3);
        assert_int_equal(count("-v en-us+f3"), 1);
        assert_int_equal(count("-v en-us+m3"), 2);
        assert_int_equal(count("It is me, with 14 gigabytes of weights."), 1);
        tty_kill(t);
        unlink(file);
        free(file);
        assert_int_equal(place_close(state), 0);
        assert_int_equal(open_all(state), 0);
    }
}

static void a_line_further_down_comes_into_view(void **state) {
    (void)state;
    struct tty *t = start((struct launch_options){.rows = 16});
    tty_type(t, "]]]");
    tty_wait(t, "a long way");
    tty_type(t, "V");
    for (size_t line = 1; line <= 11; line++) {
        await_lines(t, line);
        end_line(t);
    }
    await_lines(t, 12);
    expect_marked(t, "the last line", "the last line", false);
    assert_false(tty_has(t, "a long way"));
    end_line(t); /* at the end it stays where it is */
    expect_silence(t);
    tty_wait_row(t, 0, "4 / 4");
    tty_kill(t);
}

static void nothing_wakes_while_it_speaks_or_after(void **state) {
    (void)state;
    struct tty *t = start((struct launch_options){0});
    tty_type(t, "V");
    await_lines(t, 1);
    for (int spoken = 1; spoken >= 0; spoken--) {
        unsigned long sleeps = 0;
        int tries = 0;
        while (tty_sleeps(t) != sleeps && ++tries < 10) { /* until terms were read */
            sleeps = tty_sleeps(t);
            poll(NULL, 0, 300);
        }
        assert_true(tries < 10);
        if (spoken) tty_type(t, "V");
    }
    tty_kill(t);
}

/* ── where a line is ───────────────────────────────────────────────────────────────────────────*/
/* How many paragraphs empty rows part on a page. */
static size_t parted(const char *markdown) {
    struct page *p = page_new(80, false);
    size_t n = 0;
    page_markdown(p, (struct page_flow){.indent = 1, .width = 78}, markdown);
    char *text = page_to_text(p);
    bool apart = true;
    for (const char *row = text; *row; row = strchr(row, '\n') + 1) {
        n += apart && *row != '\n';
        apart = *row == '\n';
    }
    free(text);
    page_free(p);
    return n;
}

/* How many empty lines part in the source. */
static size_t written(const char *markdown) {
    size_t n = 0;
    for (markdown += strspn(markdown, "\n"); *markdown; n++) {
        const char *end = strstr(markdown, "\n\n");
        markdown = end ? end + strspn(end, "\n") : markdown + strlen(markdown);
    }
    return n;
}

static size_t briefs;

/* What is read aloud is what the page says, also where it says it more briefly. */
static size_t check_brief(struct session *s, size_t step) {
    const char *id = base_json_text(lesson_step(session_lesson(s), step), "id", ""),
               *brief = base_json_text(lesson_step(session_lesson(s), step), "briefly", NULL);
    struct voice_lines l = {0};
    size_t paragraphs = 0;
    if (!brief) return 0;
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = id});
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_BRIEFLY});
    session_prose_shown(s, &l);
    for (size_t i = 0; i < l.count; i++)
        if (l.at[i].part == step && l.at[i].paragraph != VOICE_TITLE)
            paragraphs = l.at[i].paragraph + 1;
    assert_int_equal(paragraphs, parted(brief));
    voice_lines_free(&l);
    return 1;
}

static size_t check_lesson(struct learner *who, const char *id) {
    struct base_message m = {0};
    struct voice_lines l = {0};
    struct session *s = session_open(who, id, &m);
    if (!s) fail_msg("%s: %s", id, m.what);
    size_t checked = 0;
    session_prose(session_lesson(s), &l);
    for (size_t i = 0; i < l.count; i++) {
        bool last = i + 1 == l.count || l.at[i + 1].part != l.at[i].part;
        const json_t *step = lesson_step(session_lesson(s), l.at[i].part);
        if (!last || l.at[i].paragraph == VOICE_TITLE) continue;
        const char *text = base_json_text(step, "text", "");
        size_t n = parted(text);
        if (n != written(text))
            print_error("%s/%s: %zu paragraphs, %zu on the page\n", id,
                        base_json_text(step, "id", ""), written(text), n);
        assert_int_equal(n, written(text));
        assert_true(l.at[i].paragraph < n); /* a table may follow the last that is said */
        checked++;
    }
    voice_lines_free(&l);
    for (size_t i = 0; i < lesson_steps(session_lesson(s)); i++) briefs += check_brief(s, i);
    session_close(s);
    return checked;
}

/* The mark counts paragraphs on the page: all that is read aloud must lie there as it is written.
 */
static void paragraphs_lie_on_the_page_as_they_are_written(void **state) {
    struct base_message m = {0};
    (void)state;
    place_course();
    struct learner *who = session_learner_open(NULL, &m);
    assert_non_null(who);
    const struct lesson_course *c = session_learner_course(who);
    size_t checked = 0;
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && c->lesson[i].file)
            checked += check_lesson(who, c->lesson[i].id);
    for (size_t i = 0; i < c->extras; i++) checked += check_lesson(who, c->extra[i].id);
    assert_in_range(checked, 40, 1000);
    assert_in_range(briefs, 10, 1000);
    session_learner_close(who);
}

/* ── what stops it ─────────────────────────────────────────────────────────────────────────────*/
static void any_key_stops_it(void **state) {
    static const struct {
        const char *keys, *shows;
    } keys[] = {{"V", "Greeting"},         {"<Enter>", "News"},   {"?", "Have this page"},
                {"<wheel:down>", "Greet"}, {"<F12>", "glossary"}, {"g", "glossary"},
                {"Q", "does nothing"},     {"<C-l>", "Greeting"}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(keys); i++) {
        struct tty *t = start((struct launch_options){0});
        tty_type(t, "V");
        await_lines(t, i + 1);
        tty_type(t, keys[i].keys);
        expect_killed(0);
        tty_wait(t, keys[i].shows);
        tty_kill(t);
        char *record = within("learner.db");
        unlink(record);
        free(record);
    }
}

/* Leaving, quitting, a lost terminal, signals: none leaves a synthesiser behind. One that a crash
 * or SIGKILL ends takes along the process that it started, and no further one. */
static void it_ends_with_the_lesson_and_the_program(void **state) {
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGKILL};
    size_t spoken = 0;
    (void)state;
    for (size_t i = 0; i < 3 + BASE_COUNT(signals); i++) {
        if (i == 6) put("bin/said.alone", "", 0600);
        struct tty *t = start((struct launch_options){0});
        tty_type(t, "V");
        await_lines(t, ++spoken);
        if (i == 0) tty_type(t, "<Esc>");
        if (i == 1) tty_type(t, "<C-c>");
        if (i == 2) tty_hang_up(t);
        if (i > 2) tty_signal(t, signals[i - 3]);
        if (i == 0) tty_kill(t);
        if (i > 0) tty_end(t);
        expect_killed(0);
    }
}

/* Waits until the synthesiser is stopped (T), or is not. */
static void await_rest(struct tty *t, bool rests) {
    char stat[64], state = ' ';
    int tries = 0;
    snprintf(stat, sizeof stat, "/proc/%d/stat", (int)speaker());
    while ((state == 'T') != rests || state == ' ') {
        FILE *f = fopen(stat, "r");
        if (!f || fscanf(f, "%*d %*s %c", &state) != 1) tty_fail(t, "it has ended");
        fclose(f);
        if (++tries == 400) tty_fail(t, "the synthesiser is %c", state);
        tty_settle(t);
    }
}

/* ^Z stops what is spoken with the program, and fg has both go on: on the screen, line by line, and
 * without a lesson. */
static void it_rests_with_the_program(void **state) {
    static const struct {
        const char *program, *keys, *ends;
    } rows[] = {
        {"\"$0\" --app " DIALOGUE " unicode", "V", "<Esc>q"},
        {"\"$ZEROTUTOR\" learn " DIALOGUE " --linear", ":aloud<Enter>", "<Enter>:quit<Enter>"},
        {"\"$ZEROTUTOR\" aloud " DIALOGUE, "", NULL}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        size_t lines = count("--stdin\n");
        char *shell =
            base_format("stty -a >\"$SAID.before\"; %s; echo in the shell; read -r line; fg "
                        ">/dev/null; stty -a | cmp - \"$SAID.before\" && echo as before; "
                        "read -r line",
                        rows[i].program);
        struct tty *t = launch(
            (struct launch_options){.shell = shell, .environment = {path, said_at, voice_at}});
        tty_settle(t);
        tty_wait(t, "Greeting");
        tty_type(t, rows[i].keys);
        await_lines(t, lines + 1);
        await_rest(t, false);
        tty_type(t, "<C-z>");
        tty_wait(t, "in the shell");
        assert_false(tty_full_screen(t));
        await_rest(t, true);
        tty_type(t, "<Enter>");
        await_rest(t, false);
        end_line(t);
        await_lines(t, lines + 2); /* it reads on */
        if (rows[i].ends) tty_type(t, rows[i].ends);
        if (rows[i].ends) tty_wait(t, "as before");
        tty_kill(t);
        free(shell);
    }
}

static void one_that_fails_is_named(void **state) {
    (void)state;
    struct tty *t = start((struct launch_options){0});
    put("bin/said.status", "3\n", 0600);
    tty_type(t, "V");
    await_lines(t, 1);
    end_line(t);
    tty_wait(t, "espeak-ng stopped with status 3");
    expect_silence(t);
    tty_kill(t);
}

/* As espeak-ng does without a sound device. */
static void one_that_cannot_be_heard_stops(void **state) {
    (void)state;
    put("bin/espeak-ng", "#!/bin/sh\nexit 0\n", 0700);
    put("home.lua",
        "local s = string.rep('A long line. ', 400)\nreturn lesson { id = 'home', title = "
        "'Home', revision = 1, say { id = 'a', title = 'A', '**Ada.** ' .. s "
        ".. '\\n\\n**Bo.** ' .. s }, recap { id = 'b', title = 'B', 'Over.' } }\n",
        0600);
    char *lesson = within("home.lua");
    struct tty *t = start((struct launch_options){.lesson = lesson});
    tty_type(t, "V");
    tty_wait(t, "is there a sound device?");
    expect_silence(t);
    tty_wait_row(t, 0, "1 / 2");
    tty_kill(t);
    free(lesson);
}

static void without_one_there_is_no_key(void **state) {
    (void)state;
    snprintf(voice_at, sizeof voice_at, "ZEROTUTOR_VOICE=none");
    struct tty *t = start((struct launch_options){0});
    tty_wait_row(t, -1, "b bookmark");
    assert_false(tty_has(t, "aloud"));
    tty_type(t, "V");
    tty_wait(t, "V does nothing here; ? lists");
    tty_kill(t);
    snprintf(voice_at, sizeof voice_at, "ZEROTUTOR_VOICE=");
    t = start((struct launch_options){0});
    tty_type(t, "]]");
    tty_wait(t, "How many?"); /* nor at a question */
    assert_false(tty_has(t, "aloud"));
    tty_kill(t);
}

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_dialogue_is_read_up_to_a_question, open_all, place_close),
        cmocka_unit_test_setup_teardown(a_line_further_down_comes_into_view, open_all, place_close),
        cmocka_unit_test_setup_teardown(nothing_wakes_while_it_speaks_or_after, open_all,
                                        place_close),
        cmocka_unit_test_setup_teardown(paragraphs_lie_on_the_page_as_they_are_written, open_all,
                                        place_close),
        cmocka_unit_test_setup_teardown(any_key_stops_it, open_all, place_close),
        cmocka_unit_test_setup_teardown(it_ends_with_the_lesson_and_the_program, open_all,
                                        place_close),
        cmocka_unit_test_setup_teardown(it_rests_with_the_program, open_all, place_close),
        cmocka_unit_test_setup_teardown(one_that_fails_is_named, open_all, place_close),
        cmocka_unit_test_setup_teardown(one_that_cannot_be_heard_stops, open_all, place_close),
        cmocka_unit_test_setup_teardown(without_one_there_is_no_key, open_all, place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
