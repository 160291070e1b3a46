/* The speed challenge on the screen, on a terminal whose time is the test's: `{1500}` among the
 * keys lets so many milliseconds pass, with the wake-ups that the view asks for. */
#include "base/golden.h"
#include "launch.h"
#include "place.h"
#include "screen/view.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

enum { START = 1000, SEED = 5 };

/* ── the terminal ──────────────────────────────────────────────────────────────────────────────*/
struct stage {
    struct terminal base;
    const char *keys;
    /* what is left of the time that passes */
    int64_t passing, ticks;
    size_t wakes;
    char *last;
};

static void set_ticks(struct stage *s, int64_t by) {
    char text[24];
    s->ticks += by;
    snprintf(text, sizeof text, "%lld", (long long)s->ticks);
    setenv("ZEROTUTOR_TICKS", text, 1);
}

static void show(struct terminal *t, const struct frame *f, enum page_theme theme, int colours) {
    struct stage *s = (struct stage *)t;
    (void)theme, (void)colours;
    free(s->last);
    s->last = page_to_text(f->page);
}

/* True if the view wakes up meanwhile. */
static bool pass_time(struct stage *s, int timeout) {
    bool wakes = timeout >= 0 && timeout <= s->passing;
    int64_t by = wakes ? timeout : s->passing;
    set_ticks(s, by);
    s->passing -= by;
    s->wakes += wakes;
    return wakes;
}

static struct key read_key(struct terminal *t, int watch, int timeout) {
    struct stage *s = (struct stage *)t;
    struct base_message m = {0};
    struct key k = {.code = PRESS_GONE, .target = -1};
    char *end;
    (void)watch;
    if (*s->keys == '{') {
        s->passing = strtoll(s->keys + 1, &end, 10);
        s->keys = end + 1;
    }
    if (s->passing > 0 && pass_time(s, timeout))
        k.code = PRESS_PACE;
    else if (*s->keys)
        assert_true(screen_key_read(&s->keys, &k, &m));
    return k;
}

static bool pending(struct terminal *t) {
    (void)t;
    return false;
}

static void ignore(struct terminal *t) {
    (void)t;
}

static void mouse(struct terminal *t, bool on) {
    (void)t, (void)on;
}

static const struct terminal_operations STAGE = {
    .show = show, .read = read_key, .pending = pending, .mouse = mouse, .repaint = ignore};

/* ── a run ─────────────────────────────────────────────────────────────────────────────────────*/
struct run {
    const char *keys;
    struct lesson_speed_options options;
    /* 0: 80 and 24 */
    int columns, rows;
    bool ascii;
};

/* The last screen, the caller's. */
static char *play(const struct run *r, size_t *wakes) {
    struct base_message m = {0};
    struct stage s = {.base = {.does = &STAGE,
                               .columns = r->columns ? r->columns : 80,
                               .rows = r->rows ? r->rows : 24,
                               .unicode = true},
                      .keys = r->keys};
    struct app app = {.make = screen_view_make, .terminal = &s.base, .ascii_forced = r->ascii};
    set_ticks(&s, START);
    app.learner = session_learner_open(NULL, &m);
    assert_non_null(app.learner);
    screen_look_read(&app);
    screen_app_push(
        &app, screen_view_make(
                  &app, &(struct view_request){.kind = VIEW_SPEED, .round = &r->options}, &m));
    screen_app_run(&app);
    session_learner_close(app.learner);
    unsetenv("ZEROTUTOR_TICKS");
    if (wakes) *wakes = s.wakes;
    return s.last;
}

static void assert_shows(const struct run *r, const char *words, bool there) {
    char *screen = play(r, NULL);
    if ((strstr(screen, words) != NULL) != there)
        fail_msg("'%s' is %s\n%s", words, there ? "missing" : "there", screen);
    free(screen);
}

#define TIMED                                                                                      \
    { .ms = 60000, .seed = SEED }
#define UNTIMED                                                                                    \
    { .seed = SEED }
#define PICKED                                                                                     \
    { .ms = 90000, .seed = SEED, .choose = true }

/* ── how it looks ──────────────────────────────────────────────────────────────────────────────*/
#define SOME "<Enter>{3000}100<Enter>{4400}<F5>{2000}2*13<Enter>{6000}5"

/* Sizes picked, some of them right. */
#define MANY                                                                                       \
    "<Enter>{3000}2{4000}2{3000}3{2000}2{7000}3{9000}2{4000}3{6000}1{8000}2{3000}3{4000}2{5000}2"

static const struct picture {
    const char *name;
    struct run run;
    /* played first, with other questions; or NULL */
    const char *before;
} PICTURES[] = {
    {"speed-choosing", {"<Down>", TIMED, 0, 0, false}, NULL},
    {"speed-choosing-narrow", {"", TIMED, 40, 12, true}, NULL},
    {"speed-asking", {SOME, TIMED, 0, 0, false}, NULL},
    {"speed-asking-wide", {SOME, TIMED, 120, 40, false}, NULL},
    {"speed-asking-tall", {SOME, TIMED, 200, 60, false}, NULL},
    {"speed-asking-ascii", {SOME, TIMED, 0, 0, true}, NULL},
    {"speed-asking-narrow", {SOME, TIMED, 40, 12, false}, NULL},
    {"speed-untimed", {"<Enter>{3000}100<Enter>", UNTIMED, 0, 0, false}, NULL},
    {"speed-picking", {"<Enter>{3000}1{4000}2{1000}", PICKED, 0, 0, false}, NULL},
    {"speed-picking-narrow", {"<Enter>{3000}1", PICKED, 40, 12, false}, NULL},
    {"speed-paused", {SOME "<Esc>", TIMED, 0, 0, false}, NULL},
    {"speed-over", {SOME "<Esc><Esc>", TIMED, 0, 0, false}, NULL},
    {"speed-over-low", {SOME "<Esc><Esc>", TIMED, 60, 18, false}, NULL},
    {"speed-over-narrow", {SOME "<Esc><Esc>", TIMED, 40, 12, false}, NULL},
    {"speed-over-wide", {MANY "<Esc><Esc>", PICKED, 120, 40, false}, MANY "<Esc><Esc>"},
    {"speed-over-tall", {SOME "<Esc><Esc>", TIMED, 200, 60, false}, NULL},
    {"speed-again", {SOME "<Esc><Esc><Enter>", TIMED, 0, 0, false}, NULL},
    {"speed-told", {SOME "<Esc><Esc><Enter>7<Enter>", TIMED, 0, 0, false}, NULL},
    {"speed-told-narrow", {SOME "<Esc><Esc><Enter>7<Enter>", TIMED, 40, 12, true}, NULL},
};

/* As after the whole course. */
static void finish_course(void) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    assert_non_null(who);
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_journal j = store_journal(session_learner_store(who));
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY)
            assert_true(j.place_set(j.self, c->lesson[i].id,
                                    &(struct lesson_place){.step = "end", .finished = true}, &m));
    session_learner_close(who);
}

static void it_is_drawn_as_before(void **state) {
    for (size_t i = 0; i < BASE_COUNT(PICTURES); i++) {
        place_open_course(state);
        finish_course();
        struct run before = PICTURES[i].run;
        before.keys = PICTURES[i].before;
        before.options.seed++;
        if (before.keys) free(play(&before, NULL));
        char *screen = play(&PICTURES[i].run, NULL);
        place_close(state);
        golden_is("screen", PICTURES[i].name, screen);
        free(screen);
    }
}

/* ── the clock ─────────────────────────────────────────────────────────────────────────────────*/
static size_t wakes_of(struct run r) {
    size_t wakes;
    free(play(&r, &wakes));
    return wakes;
}

static void the_clock_wakes_it_once_a_second_and_nothing_else_does(void **state) {
    (void)state;
    assert_int_equal(wakes_of((struct run){"{600000}", TIMED, 0, 0, false}), 0);
    assert_int_equal(wakes_of((struct run){"<Enter>{10000}", TIMED, 0, 0, false}), 10);
    assert_int_equal(wakes_of((struct run){"<Enter>{600000}", UNTIMED, 0, 0, false}), 0);
    assert_int_equal(wakes_of((struct run){"<Enter><Esc>{600000}", TIMED, 0, 0, false}), 0);
    assert_int_equal(wakes_of((struct run){"<Enter><F5>{600000}", TIMED, 0, 0, false}), 60);
}

static void it_ends_when_the_time_is_over(void **state) {
    (void)state;
    assert_shows(&(struct run){"<Enter>{1000}<F5>{59001}", TIMED, 0, 0, false}, "0 right of 1",
                 true);
    assert_shows(&(struct run){"<Enter>{1000}<F5>{58000}", TIMED, 0, 0, false}, "1 s", true);
    /* no time passes in a pause, nor under the help */
    assert_shows(&(struct run){"<Enter>{10000}<Esc>{600000}<Enter>", TIMED, 0, 0, false}, "50 s",
                 true);
    assert_shows(&(struct run){"<Enter>{10000}<F1>{600000}<Esc>", TIMED, 0, 0, false}, "50 s",
                 true);
    assert_shows(&(struct run){"<Enter>{10000}<Esc>", TIMED, 0, 0, false}, "How many", false);
}

static void without_a_clock_a_dozen_are_asked(void **state) {
    (void)state;
#define SIX "<F5><F5><F5><F5><F5><F5>"
    assert_shows(&(struct run){"<Enter>{100000}" SIX "<F5><F5><F5><F5><F5>", UNTIMED, 0, 0, false},
                 "question 12 of 12", true);
    assert_shows(&(struct run){"<Enter>" SIX SIX, UNTIMED, 0, 0, false}, "0 right of 12", true);
}

static void an_empty_answer_and_one_that_is_none_cost_nothing(void **state) {
    (void)state;
    assert_shows(&(struct run){"<Enter><Enter>", TIMED, 0, 0, false}, "Type an estimate first",
                 true);
    assert_shows(&(struct run){"<Enter>x<Enter>", TIMED, 0, 0, false}, "does not count", true);
    assert_shows(&(struct run){"<Enter>x<Enter><C-u>", TIMED, 0, 0, false}, "0 to come back", true);
}

static void a_round_is_kept_and_the_best_is_told(void **state) {
    (void)state;
    assert_shows(&(struct run){"<Enter><F5><Esc><Esc>", TIMED, 0, 0, false}, "first round", true);
    assert_shows(&(struct run){"", TIMED, 0, 0, false}, "Your best of 1 round: 0 right", true);
    assert_shows(&(struct run){"", UNTIMED, 0, 0, false}, "No round of this kind", true);
    /* nothing was answered: nothing is kept */
    assert_shows(&(struct run){"<Enter><Esc><Esc>", TIMED, 0, 0, false}, "not kept", true);
    assert_shows(&(struct run){"<Enter>", TIMED, 0, 0, false}, "best 0", false); /* no boast */
    assert_shows(&(struct run){"<Enter><F5><Esc><Esc>", TIMED, 0, 0, false}, "best before", false);
    assert_shows(&(struct run){MANY "<Esc><Esc>", PICKED, 0, 0, false}, "first round", true);
    assert_shows(&(struct run){"<Enter>", PICKED, 0, 0, false}, " best ", true);
    assert_shows(&(struct run){"", TIMED, 0, 0, false}, "Your best of 2 rounds", true);
}

/* ── in a terminal ─────────────────────────────────────────────────────────────────────────────*/
static void at_keys(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ choose");
    tty_type(t, "<Tab>");
    tty_wait_row(t, -1, "s speed");
    tty_type(t, "s");
    tty_wait(t, "Napkin arithmetic");
    tty_type(t, "<Down><Left>");
    tty_wait(t, "no clock");
    tty_type(t, "<Enter>");
    tty_wait(t, "question 1 of 12");
    tty_type(t, "7<Enter>");
    tty_wait(t, "question 2 of 12");
    tty_type(t, "<F5>");
    tty_wait(t, "skipped");
    tty_type(t, "<Esc>");
    tty_wait(t, "Paused");
    tty_type(t, "<Esc>");
    tty_wait(t, "This was your first round of this kind.");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "missed, 1 of");
    tty_type(t, "<F3>");
    tty_wait(t, "It is");
    tty_type(t, "<Esc>");
    tty_wait_row(t, -1, "a again");
    tty_type(t, "q");
    tty_wait_row(t, -1, "s speed");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void click(struct tty *t, const char *words) {
    char key[32];
    int row, column;
    if (!tty_find(t, words, &row, &column)) tty_fail(t, "'%s' is not there", words);
    snprintf(key, sizeof key, "<click:%d,%d>", column + 1, row + 1);
    tty_type(t, key);
}

/* The newest file that was reported, the caller's. */
static json_t *reported(struct tty *t) {
    char *folder = base_format("%s/reports", place_home()), *path = NULL;
    struct dirent *e;
    DIR *d = opendir(folder);
    if (!d) tty_fail(t, "%s: nothing is reported", folder);
    while (!path && (e = readdir(d)))
        if (strstr(e->d_name, ".json")) path = base_format("%s/%s", folder, e->d_name);
    closedir(d);
    json_t *report = json_load_file(path, 0, NULL);
    assert_int_equal(unlink(path), 0);
    free(path);
    free(folder);
    return report;
}

/* In a pause the question is open, so its solution is not told. */
static void what_is_wrong_is_reported(void **state) {
    static const struct {
        const char *keys, *shows;
        bool solved, answered;
    } rows[] = {{"31415926<Enter><Esc>", "Paused", false, false},
                {"<Esc>", "first round", true, true},
                {"<Enter>31415926<Enter>", "It is", true, true}};
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ choose");
    tty_type(t, "<Tab>s<Down><Left><Enter>");
    tty_wait(t, "question 1 of 12");
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        tty_type(t, rows[i].keys);
        tty_wait(t, rows[i].shows);
        tty_type(t, "e");
        tty_wait(t, "What is wrong with the last question?");
        tty_type(t, "A wrong unit.<Enter>");
        tty_wait(t, "Reported in ");
        tty_wait(t, rows[i].shows);
        json_t *report = reported(t), *asked = json_object_get(report, "asked");
        assert_string_equal(base_json_text(report, "wrong", ""), "A wrong unit.");
        assert_true(*base_json_text(asked, "statement", "") && *base_json_text(asked, "seed", ""));
        assert_non_null(json_object_get(asked, "numbers"));
        assert_int_equal(json_object_get(asked, "solution") != NULL, rows[i].solved);
        assert_int_equal(json_is_object(json_object_get(report, "answered")), rows[i].answered);
        json_decref(report);
    }
    tty_kill(t);
}

static void by_mouse(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ choose");
    tty_type(t, "<Tab>");
    tty_wait_row(t, -1, "s speed");
    click(t, "s speed");
    tty_wait(t, "Napkin arithmetic");
    click(t, "type a number");
    tty_wait(t, "◂ type a number");
    click(t, "type a number");
    tty_wait(t, "◂ pick a size");
    click(t, "start");
    tty_wait(t, "0 right   0 to come back");
    click(t, " 1  ");
    tty_wait(t, "you: ");
    click(t, "pause");
    tty_wait(t, "Paused");
    click(t, "leave");
    tty_wait(t, "This was your first round of this kind.");
    click(t, "back");
    tty_wait_row(t, -1, "s speed");
    tty_kill(t);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_drawn_as_before),
        cmocka_unit_test_setup_teardown(the_clock_wakes_it_once_a_second_and_nothing_else_does,
                                        place_open_course, place_close),
        cmocka_unit_test_setup_teardown(it_ends_when_the_time_is_over, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(without_a_clock_a_dozen_are_asked, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(an_empty_answer_and_one_that_is_none_cost_nothing,
                                        place_open_course, place_close),
        cmocka_unit_test_setup_teardown(a_round_is_kept_and_the_best_is_told, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(at_keys, place_open_course, place_close),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_reported, place_open_course, place_close),
        cmocka_unit_test_setup_teardown(by_mouse, place_open_course, place_close),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
