/* The terminal itself: what it is given, and that it is given back. */
#include "launch.h"
#include "page/page.h"
#include "place.h"
#include "screen/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ── colours and characters ────────────────────────────────────────────────────────────────────*/
static struct tty *open_ledger(struct launch_options s) {
    s.lesson = "1.1";
    struct tty *t = launch(s);
    tty_wait_row(t, 0, "/ 13");
    if (tty_has(t, "step 1 ")) tty_type(t, "<Enter>");
    tty_wait(t, "params");
    return t;
}

static size_t coloured_cells(struct tty *t) {
    size_t n = 0;
    for (int row = 0; row < tty_rows(t); row++)
        for (int column = 0; column < tty_columns(t); column++) {
            struct tty_cell c = tty_at(t, row, column);
            n += c.colour != TTY_DEFAULT || c.background != TTY_DEFAULT;
        }
    return n;
}

static void roles_have_their_colours(void **state) {
    struct tty *t = open_ledger((struct launch_options){0});
    int row, column;
    (void)state;
    assert_true(tty_find(t, "█ params", &row, &column));
    assert_int_equal(tty_at(t, row, column).colour,
                     page_style(PAGE_DARK, PAGE_CATEGORY + ACCOUNT_PARAMS).colour);
    assert_true(tty_find(t, "▒ master", &row, &column));
    assert_int_equal(tty_at(t, row, column).colour, 214);
    assert_true(tty_find(t, "⏎", &row, &column));
    assert_int_equal(tty_at(t, row, column).colour, page_style(PAGE_DARK, PAGE_KEY).colour);
    assert_int_equal(tty_at(t, 0, 1).colour, TTY_DEFAULT);
    assert_true(tty_at(t, 0, 1).bold);
    tty_kill(t);
}

static void eight_colours_are_enough(void **state) {
    struct tty *t = open_ledger((struct launch_options){.environment = {"TERM=xterm-color"}});
    (void)state;
    assert_true(coloured_cells(t) > 0);
    for (int row = 0; row < tty_rows(t); row++)
        for (int column = 0; column < tty_columns(t); column++)
            assert_true(tty_at(t, row, column).colour < 8);
    tty_kill(t);
}

/* Eight colours cannot shade a field: it is underlined. */
static void a_field_is_seen_in_eight_colours(void **state) {
    static const char *const terminals[] = {"TERM=xterm-256color", "TERM=xterm-color"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(terminals); i++) {
        struct tty *t =
            launch((struct launch_options){.environment = {terminals[i]}, .lesson = "1.1"});
        int row, column;
        tty_wait_row(t, -1, "next");
        tty_type(t, "/bytes");
        tty_wait(t, "/ bytes");
        assert_true(tty_find(t, "/ bytes", &row, &column));
        struct tty_cell field = tty_at(t, row, column + 3);
        assert_true(i == 0 ? field.background != TTY_DEFAULT : field.underline);
        tty_kill(t);
    }
}

static void no_colour_means_none(void **state) {
    static const char *const ways[] = {"NO_COLOR=1", "TERM=vt100"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tty *t = open_ledger((struct launch_options){.environment = {ways[i]}});
        assert_int_equal(coloured_cells(t), 0);
        assert_true(tty_at(t, 0, 1).bold);
        tty_kill(t);
    }
}

static void an_empty_no_color_means_nothing(void **state) {
    struct tty *t = open_ledger((struct launch_options){.environment = {"NO_COLOR="}});
    (void)state;
    assert_true(coloured_cells(t) > 0);
    tty_kill(t);
}

static void ascii_is_ascii(void **state) {
    const struct launch_options ways[] = {{.ascii = true}, {.environment = {"LC_ALL=C"}}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tty *t = open_ledger(ways[i]);
        tty_wait(t, "P params");
        for (const char *s = tty_text(t); *s; s++) assert_true((unsigned char)*s < 0x80);
        tty_kill(t);
    }
}

static void a_missing_utf8_locale_is_stood_in_for(void **state) {
    struct tty *t = open_ledger((struct launch_options){.environment = {"LC_ALL=xx_XX.UTF-8"}});
    (void)state;
    tty_wait(t, "█ params");
    tty_kill(t);
}

/* Curses repeats a character by a command, where it may; emulators inside other programs often have
 * none. */
static void a_row_of_dots_is_written_whole(void **state) {
    struct tty *t = launch((struct launch_options){
        .environment = {"LC_ALL=C"},
        .shell =
            "script -qec \"$0 --app '' unicode\" \"$ZEROTUTOR_SHARE/sent\"; "
            "grep -q '[.]\\{8\\}' \"$ZEROTUTOR_SHARE/sent\" && echo written whole; read -r line"});
    (void)state;
    tty_wait_row(t, -1, "quit");
    tty_type(t, "q");
    tty_wait(t, "written whole");
    tty_kill(t);
}

/* ── given back ────────────────────────────────────────────────────────────────────────────────*/
/* Runs under a shell that says how it ended, so that the terminal can be looked at afterwards. */
static struct tty *open_under_shell(const char *more) {
    char shell[400];
    snprintf(
        shell, sizeof shell,
        "stty -a | sed 1d >\"$ZEROTUTOR_SHARE/before\"; \"$0\" --app '' unicode; echo ended $?; %s",
        more);
    struct tty *t = launch((struct launch_options){.shell = shell});
    tty_wait_row(t, -1, "quit");
    return t;
}

#define COMPARE_MODES                                                                              \
    "stty -a | sed 1d | cmp - \"$ZEROTUTOR_SHARE/before\" && echo modes as before; read -r line"

static void assert_given_back(struct tty *t) {
    tty_wait(t, "modes as before");
    assert_false(tty_full_screen(t));
    assert_false(tty_has_mouse(t));
    assert_true(tty_cursor(t).visible);
    assert_false(tty_has(t, "help"));
}

static void the_terminal_is_given_back_at_the_end(void **state) {
    struct tty *t = open_under_shell(COMPARE_MODES);
    (void)state;
    tty_type(t, "q");
    tty_wait(t, "ended 0");
    assert_given_back(t);
    tty_kill(t);
}

static void ctrl_c_leaves_cleanly(void **state) {
    struct tty *t = open_under_shell(COMPARE_MODES);
    (void)state;
    tty_type(t, "<C-c>");
    tty_wait(t, "ended 0");
    assert_given_back(t);
    tty_kill(t);
}

/* The app is the shell's only child. */
static pid_t app_of(struct tty *t) {
    char path[80];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)tty_pid(t), (int)tty_pid(t));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &pid), 1);
    fclose(f);
    return pid;
}

static void signals_give_the_terminal_back(void **state) {
    static const struct {
        int signal;
        const char *ended;
    } rows[] = {
        {SIGTERM, "ended 143"}, {SIGHUP, "ended 0"},    {SIGINT, "ended 0"},
        {SIGSEGV, "ended 139"}, {SIGABRT, "ended 134"}, {SIGQUIT, "ended 131"},
        {SIGSYS, "ended 159"},  {SIGXCPU, "ended 152"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tty *t = open_under_shell(COMPARE_MODES);
        kill(app_of(t), rows[i].signal);
        tty_wait(t, rows[i].ended);
        assert_given_back(t);
        tty_kill(t);
    }
}

/* A program that recurses without end has no stack left for a handler. */
static int recurse(const volatile char *above) {
    volatile char here[4096];
    here[0] = *above;
    if (!here[0]) return 0;
    return recurse(here) + here[0];
}

static void overflow_main(int argc, char **argv) {
    struct base_message m;
    const volatile char first = 1;
    if (argc != 2 || strcmp(argv[1], "--overflow") != 0) return;
    if (!screen_terminal_open(&m)) exit(2);
    exit(recurse(&first));
}

static void a_stack_that_overflows_gives_the_terminal_back(void **state) {
    struct tty *t = launch(
        (struct launch_options){.shell = "stty -a | sed 1d >\"$ZEROTUTOR_SHARE/before\"; \"$0\" "
                                         "--overflow; echo ended $?; " COMPARE_MODES});
    (void)state;
    tty_wait(t, "ended 139");
    assert_given_back(t);
    tty_kill(t);
}

static void stops_and_comes_back(void **state) {
    struct tty *t =
        open_under_shell("echo in the shell; read -r line; fg >/dev/null; " COMPARE_MODES);
    (void)state;
    assert_true(tty_has_drags(t));
    tty_type(t, "j<C-z>");
    tty_wait(t, "in the shell");
    assert_false(tty_full_screen(t));
    assert_false(tty_has_mouse(t));
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "quit");
    assert_true(tty_full_screen(t));
    tty_wait(t, "▸ 1.2");
    tty_settle(t);
    assert_true(tty_has_drags(t));
    tty_type(t, "q");
    assert_given_back(t);
    tty_kill(t);
}

static void a_closed_terminal_ends_the_program(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    tty_hang_up(t);
    assert_int_equal(tty_end(t), 0);
}

/* Redirected input is refused before the terminal is touched. */
static void no_terminal_is_said_so(void **state) {
    struct tty *t = launch((struct launch_options){
        .shell = "\"$0\" --app '' unicode </dev/null; echo ended $?; read -r line"});
    (void)state;
    tty_wait(t, "this is not a terminal");
    tty_wait(t, "ended 2");
    tty_kill(t);
}

/* The Linux console's description has no size, so curses must be told the window's. LINES and
 * COLUMNS of the environment are not the window's. */
static void a_terminal_without_a_size_is_opened(void **state) {
    static const char *const kinds[] = {"TERM=linux", "TERM=xterm-256color"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tty *t = launch((struct launch_options){
            .lesson = "1.1", .environment = {kinds[i], "LINES=9", "COLUMNS=33"}});
        tty_wait_row(t, 0, "step 1");
        tty_wait_row(t, -1, "Esc leave");
        tty_type(t, "<Esc>q");
        tty_end(t);
    }
}

/* Curses leaks a little of its own when it refuses a terminal; a sanitizer would make that the exit
 * status. */
static void an_unknown_terminal_is_said_so(void **state) {
    struct tty *t = launch((struct launch_options){
        .environment = {"TERM=no-such-terminal", "ASAN_OPTIONS=detect_leaks=0"}});
    (void)state;
    tty_wait(t, "TERM=no-such-terminal");
    assert_int_equal(tty_end(t), 2);
}

/* ── quiet ─────────────────────────────────────────────────────────────────────────────────────*/
static void nothing_happens_while_idle(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    tty_settle(t);
    unsigned long before = tty_sleeps(t);
    tty_damage(t);
    poll(NULL, 0, 1000);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), before);
    assert_int_equal(tty_damage(t), 0);
    tty_kill(t);
}

static void a_typed_key_changes_few_cells(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "search");
    tty_type(t, "/zebr");
    tty_wait(t, "nothing found");
    tty_damage(t);
    tty_type(t, "a");
    tty_wait(t, "zebra");
    assert_in_range(tty_damage(t), 1, 10);
    tty_kill(t);
}

/* Of a row only the cells between its first and last change are written: none of them may be half
 * of a character. */
static void wide_characters_give_way_whole(void **state) {
    static const char *const steps[][2] = {{"/漢字漢", "漢字漢"}, {"<Home>a", "a漢字漢"},
                                           {"<Del>", "a字漢"},    {"b", "ab字漢"},
                                           {"<End><BS>", "ab字"}, {"<Home><Del>", "b字"}};
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "search");
    for (size_t i = 0; i < BASE_COUNT(steps); i++) {
        int row, column;
        tty_type(t, steps[i][0]);
        tty_wait(t, steps[i][1]);
        assert_true(tty_find(t, steps[i][1], &row, &column));
        assert_string_equal(tty_at(t, row, column - 1).text, " ");
        assert_string_equal(strstr(tty_row(t, row), steps[i][1]), steps[i][1]);
    }
    tty_kill(t);
}

static void escape_answers_at_once(void **state) {
    struct tty *t = launch((struct launch_options){0});
    struct timespec from, to;
    (void)state;
    tty_wait_row(t, -1, "quit");
    tty_type(t, "S");
    tty_wait(t, "Settings");
    clock_gettime(CLOCK_MONOTONIC, &from);
    tty_send(t, "\033", 1);
    tty_wait_gone(t, "Settings");
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_in_range((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000, 0,
                    500);
    tty_kill(t);
}

static void unknown_keys_are_no_escape(void **state) {
    static const char *const sequences[] = {
        "\033[99;5~",          "\033x",        "\033]11;rgb:q/q\033\\",
        "\033]0;q\007",        "\033Pq\033\\", "\033O\177",
        "\033[200~q\033[201~", "\033[Mqqq",    "\033[<99;1;1M"};
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        tty_send(t, sequences[i], strlen(sequences[i]));
        tty_settle(t);
    }
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 2");
    tty_kill(t);
}

/* ── much at once ──────────────────────────────────────────────────────────────────────────────*/
static struct tty *open_search(void) {
    struct tty *t = launch((struct launch_options){0});
    tty_wait_row(t, -1, "search");
    tty_type(t, "/");
    tty_wait_row(t, 0, "Search");
    return t;
}

static void send_many(struct tty *t, int count) {
    for (int i = 0; i < count; i++) tty_send(t, "x", 1);
}

static void much_at_once_is_drawn_at_once(void **state) {
    struct tty *t = open_search();
    (void)state;
    send_many(t, 2000);
    tty_send(t, "\003", 1);
    assert_int_equal(tty_end(t), 0);
}

static void a_signal_goes_before_waiting_keys(void **state) {
    struct tty *t = open_search();
    (void)state;
    send_many(t, 3000);
    tty_signal(t, SIGTERM);
    tty_end(t);
}

/* Curses counts cells in 16 bits. */
static void a_terminal_may_have_any_size(void **state) {
    static const int sizes[][2] = {{40000, 24}, {80, 40000}, {65535, 5}, {80, 24}};
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        tty_resize(t, sizes[i][0], sizes[i][1]);
    tty_wait_row(t, -1, "leave");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 2");
    tty_kill(t);
    t = launch((struct launch_options){.columns = 40000});
    tty_wait(t, "zerotutor");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* ── pasting ───────────────────────────────────────────────────────────────────────────────────*/
static void paste(struct tty *t, const char *text) {
    char bytes[400];
    int n = snprintf(bytes, sizeof bytes, "\033[200~%s\033[201~", text);
    tty_send(t, bytes, (size_t)n);
    tty_settle(t);
}

static void pasted_lines_are_one_line(void **state) {
    struct tty *t = open_search();
    (void)state;
    paste(t, "zero\r\none\rtwo\003");
    tty_wait(t, "zero one two");
    tty_type(t, "!");
    tty_wait(t, "zero one two!");
    tty_kill(t);
}

static struct tty *open_number(void) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "]]]]]");
    tty_wait(t, "your answer, in GB");
    return t;
}

/* Terminals that mark no pastes send its ends of lines as Enter; none of them was pressed. */
static void lines_pasted_without_marks_are_no_answers(void **state) {
    static const char lines[] = "48\r16*6\r\r2 * 7e9 bytes\r\n12 GB\r";
    struct tty *t = open_number();
    (void)state;
    tty_send(t, lines, sizeof lines - 1);
    tty_wait(t, "48 16*6  2 * 7e9 bytes 12 GB");
    assert_false(tty_has(t, "✗"));
    tty_type(t, "<C-u>112<Enter>");
    tty_wait(t, "✓");
    tty_kill(t);
}

static void a_long_paste_without_marks_is_cut(void **state) {
    char lines[3000];
    struct tty *t = open_number();
    (void)state;
    for (size_t i = 0; i < sizeof lines; i++) lines[i] = i % 3 == 2 ? '\r' : '7';
    for (int i = 0; i < 20; i++) {
        tty_send(t, lines, sizeof lines);
        tty_settle(t);
    }
    tty_wait(t, "as long as an answer can be");
    assert_false(tty_has(t, "✗"));
    tty_type(t, "<C-u>112<Enter>");
    tty_wait(t, "✓");
    tty_kill(t);
}

/* One line and the Enter after it are what a script or a keyboard macro types. */
static void a_line_sent_with_its_enter_is_an_answer(void **state) {
    struct tty *t = open_number();
    (void)state;
    tty_send(t, "2*7 + 2*7 + 4*7 + 8*7 + 0\r", 26);
    tty_wait(t, "✓");
    tty_kill(t);
}

static void keys_end_a_paste_without_marks(void **state) {
    struct tty *t = open_number();
    (void)state;
    tty_send(t, "1\r2345678901234567\r\003", 21);
    assert_int_equal(tty_end(t), 0);
}

static void pasted_text_does_nothing_outside_a_field(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    paste(t, "q\r\r/\003");
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 2");
    tty_kill(t);
}

static void a_paste_without_end_ends(void **state) {
    struct tty *t = open_search();
    (void)state;
    tty_send(t, "\033[200~lost", 10);
    tty_wait(t, "lost");
    poll(NULL, 0, 1200);
    tty_type(t, "<Esc>");
    tty_wait_gone(t, "lost");
    tty_kill(t);
}

static void escape_eats_no_other_key(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "quit");
    tty_type(t, "S");
    tty_wait(t, "Settings");
    tty_send(t, "\033\003", 2);
    assert_int_equal(tty_end(t), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        TEST(roles_have_their_colours),
        TEST(eight_colours_are_enough),
        TEST(a_field_is_seen_in_eight_colours),
        TEST(no_colour_means_none),
        TEST(an_empty_no_color_means_nothing),
        TEST(ascii_is_ascii),
        TEST(a_row_of_dots_is_written_whole),
        TEST(a_missing_utf8_locale_is_stood_in_for),
        TEST(the_terminal_is_given_back_at_the_end),
        TEST(ctrl_c_leaves_cleanly),
        TEST(signals_give_the_terminal_back),
        TEST(a_stack_that_overflows_gives_the_terminal_back),
        TEST(stops_and_comes_back),
        TEST(a_closed_terminal_ends_the_program),
        TEST(no_terminal_is_said_so),
        TEST(a_terminal_without_a_size_is_opened),
        TEST(an_unknown_terminal_is_said_so),
        TEST(nothing_happens_while_idle),
        TEST(a_typed_key_changes_few_cells),
        TEST(wide_characters_give_way_whole),
        TEST(escape_answers_at_once),
        TEST(unknown_keys_are_no_escape),
        TEST(much_at_once_is_drawn_at_once),
        TEST(a_signal_goes_before_waiting_keys),
        TEST(a_terminal_may_have_any_size),
        TEST(pasted_lines_are_one_line),
        TEST(lines_pasted_without_marks_are_no_answers),
        TEST(a_long_paste_without_marks_is_cut),
        TEST(a_line_sent_with_its_enter_is_an_answer),
        TEST(keys_end_a_paste_without_marks),
        TEST(pasted_text_does_nothing_outside_a_field),
        TEST(a_paste_without_end_ends),
        TEST(escape_eats_no_other_key),
    };
    launch_main(argc, argv);
    overflow_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
