/* The teacher's screen: what is drawn, as in golden/watch-*.txt (GENERATE=1 writes them), and what
 * its keys and the mouse do in a terminal. */
#include "classroom/crowd.h"
#include "launch.h"
#include "place.h"
#include "screen/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

enum { PEOPLE = 28, HERE = 26, MINUTE = 34 };

/* ── the class ─────────────────────────────────────────────────────────────────────────────────*/
static char *path_of_class(void) {
    return base_format("%s/../class", place_home());
}

static void write_roster(const struct classroom_folder *f) {
    static const char *const names[] = {"Ada Lovelace", "Emmy Noether", "Grace Hopper",
                                        "Mary Somerville", "Sofja Kowalewskaja"};
    struct base_text t = {0};
    for (int i = 0; i < PEOPLE; i++)
        base_text_printf(&t, "seat-%d%s%s\n", i, i < 5 ? ", " : "", i < 5 ? names[i] : "");
    assert_true(classroom_write(f, CLASSROOM_TOP, CLASSROOM_ROSTER, 0600, t.s, t.length, NULL));
    base_text_free(&t);
}

/* Who is where: most at steps 4 to 9 of 1.3. Two want help, and three are quiet. */
static void seat_them(const struct classroom_folder *f) {
    static const int steps[HERE] = {8, 8, 8, 8, 8, 8, 8, 8, 9, 9,  9,  9,  9,
                                    7, 7, 7, 7, 6, 6, 5, 4, 3, 10, 10, 13, 9};
    time_t now = time(NULL); /* of all, so that who is at a step as long as another is in order */
    for (int i = 0; i < HERE; i++) {
        bool other = i == 20;
        struct classroom_presence p = {
            .number = other ? 5 : steps[i], .of = 14, .tries = 1, .hand = i == 2 || i == 12};
        snprintf(p.lesson, sizeof p.lesson, "%s", other ? "1.1" : "1.3");
        snprintf(p.title, sizeof p.title, "Step %d, by its title", p.number);
        if (i == 12) snprintf(p.with, sizeof p.with, "bob");
        if (i == 12) snprintf(p.mistake, sizeof p.mistake, "no-grads");
        if (i == 2) snprintf(p.said, sizeof p.said, "why 12 bytes?");
        assert_true(crowd_be_at(f, i, &p,
                                now - (i == 12      ? 250
                                       : i == 2     ? 30
                                       : i % 9 == 7 ? 500
                                                    : 20)));
    }
}

static void hand_in_all(const struct classroom_folder *f, const struct classroom_settings *s) {
    static const char first[] = "{\"v\":1,\"ms\":60000,\"asked\":12,\"right\":4}",
                      best[] = "{\"v\":1,\"ms\":60000,\"asked\":12,\"right\":9}",
                      fox[] = "{\"nickname\":\"fox\"}", owl[] = "{\"nickname\":\"owl\"}";
    for (int i = 0; i < HERE; i++) {
        const struct crowd_answer a[] = {
            {"1.3/one-stage", CROWD_PROBLEM, "24.5", i < 11 ? "mistake" : "right",
             i < 11 ? "no-grads" : ""},
            {"1.3/stage-by-lines", CROWD_PROBLEM, "7", i % 6 ? "right" : "mistake",
             i % 6 ? "" : "no-master"},
            {"1.3/three-cuts", "", "2", i % 8 ? "right" : "wrong", ""},
            {"speed/all", first, "", "noted", ""},
            {"speed/all", i == 1 ? best : first, "", "noted", ""},
            {CLASSROOM_NICKNAME, i == 1 ? fox : owl, "", "noted", ""},
        };
        assert_true(crowd_hand_in(f, s, i, a, i == 1 || i == 4 ? 6 : 3));
    }
}

static int make_class(void **state) {
    struct base_message m = {0};
    struct classroom_settings s;
    if (place_open(state) != 0) return -1;
    place_course();
    unsetenv("ZEROTUTOR_NOW");
    char *path = path_of_class();
    struct classroom_folder *f = base_make_dirs(place_home(), &m) ? classroom_make(path, &m) : NULL;
    classroom_settings_new(&s, "sys-26");
    s.synchronised = true;
    s.begins = base_now() - 60 * MINUTE - 5;
    s.ends = s.begins + 60 * 90;
    s.gpus = 1;
    s.cores = 16;
    bool made = f && classroom_set(&s, "lessons", "1.1:15,1.2:12,1.3:21,1.4:12", 0, &m) &&
                classroom_set(&s, "extend", "seat-3+10m", 0, &m) &&
                classroom_settings_write(f, &s, &m);
    if (!made) fail_msg("%s", m.what);
    struct classroom_board b = {0};
    assert_true(classroom_board_nudge(&b, "", "Finish line by line, then look at the front.",
                                      1795430520, &m));
    assert_true(classroom_board_write(f, &b, &m));
    write_roster(f);
    hand_in_all(f, &s);
    seat_them(f);
    classroom_close(f);
    free(path);
    return 0;
}

/* ── what is drawn ─────────────────────────────────────────────────────────────────────────────*/
#define AT_SLIP "<Down><Down>"
static const struct picture {
    const char *name, *keys;
    int columns, rows;
    bool ascii;
} PICTURES[] = {
    {"watch", "", 80, 24, false},
    {"watch-ascii", "", 80, 24, true},
    {"watch-narrow", "", 40, 12, false},
    {"watch-projector", "", 60, 18, false},
    {"watch-wide", "", 120, 40, false},
    {"watch-widest", "", 200, 60, false},
    {"watch-names", "h", 80, 24, false},
    {"watch-slip", AT_SLIP "<Enter>", 80, 24, false},
    {"watch-slip-wide", AT_SLIP "<Enter>", 120, 40, false},
    {"watch-slip-ascii", AT_SLIP "<Enter>", 80, 24, true},
    {"watch-choice", AT_SLIP "<Down><Down><Enter>", 80, 24, false},
    {"watch-learners", "<Tab><Down><Down><Down>", 80, 24, false},
    {"watch-learners-names", "<Tab>h<End>", 80, 24, false},
    {"watch-learners-wide", "<Tab>", 120, 40, false},
    {"watch-steps", "G", 80, 24, false},
    {"watch-steps-wide", "G", 120, 40, false},
    {"watch-labs", "l", 80, 24, false},
    {"watch-speed", "s", 80, 24, false},
    {"watch-exit", "X", 80, 40, false},
    {"watch-line", "<Enter>look at the ledger", 80, 24, false},
    {"watch-minutes", "<Tab>E15", 80, 24, false},
    {"watch-minutes-wrong", "<Tab>Emany<Enter>", 80, 24, false},
    {"watch-help", "?", 80, 24, false},
};

static void is_drawn_as_before(void **state) {
    const struct picture *p = *state;
    struct base_message m = {0};
    size_t length;
    assert_int_equal(make_class(NULL), 0);
    char *path = base_format("tests/screen/golden/%s.txt", p->name), *class = path_of_class();
    struct screen_shot shot = {
        .watch = class, .keys = p->keys, .columns = p->columns, .rows = p->rows, .ascii = p->ascii};
    char *drawn = screen_picture(&shot, &m);
    if (!drawn) fail_msg("%s: %s", p->name, m.what);
    if (getenv("GENERATE")) assert_true(base_file_write(path, drawn, strlen(drawn), &m));
    char *golden = base_file_read(path, 1 << 20, &length, &m);
    if (!golden) fail_msg("%s: %s", p->name, m.what);
    if (strcmp(golden, drawn) != 0)
        fail_msg("%s is drawn otherwise.\nwanted:\n%s\ndrawn:\n%s", path, golden, drawn);
    free(golden), free(drawn), free(class), free(path);
    place_close(NULL);
}

/* ── in a terminal ─────────────────────────────────────────────────────────────────────────────*/
static struct classroom_board board_of(const char *class) {
    struct classroom_board b = {0};
    struct classroom_folder *f = classroom_open(class, NULL);
    assert_true(f && classroom_board_read(f, &b, NULL));
    classroom_close(f);
    return b;
}

static void keys_write_and_open(void **state) {
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    (void)state;
    tty_wait(t, "wants help");
    tty_type(t, "<Enter>");
    tty_wait(t, "to seat-12 and bob:");
    tty_type(t, "q");
    tty_wait(t, "to seat-12 and bob: q"); /* typed, and no key */
    tty_type(t, " is next<Enter>");
    tty_wait_gone(t, "to seat-12 and bob: q is next");
    tty_wait(t, "said to seat-12");
    struct classroom_board b = board_of(class);
    assert_string_equal(b.nudge[b.nudges - 1].text, "q is next");
    assert_true(*b.nudge[b.nudges - 1].to && !strstr(b.nudge[b.nudges - 1].to, "seat"));
    tty_type(t, "N <Enter>"); /* nothing to say */
    tty_wait(t, "type the line that the learners are to see");
    tty_type(t, "<Esc>G");
    tty_wait(t, "steps of 1.3");
    tty_type(t, "<Enter>");
    tty_wait(t, "open for all");
    b = board_of(class);
    assert_string_equal(b.lesson, "1.3");
    tty_type(t, "<Esc>");
    tty_wait(t, "open for all   1.3");
    tty_type(t, "G<Enter>");
    tty_wait(t, "no longer open");
    assert_string_equal(board_of(class).lesson, "");
    tty_type(t, "v"); /* to the projector, and back */
    tty_wait_row(t, 0, "1 / ");
    assert_false(tty_has(t, "seat-12"));
    tty_type(t, "<Esc>");
    tty_wait(t, "steps of 1.3");
    tty_type(t, "<Tab><Tab><Tab>"); /* labs, speed, the room */
    tty_wait(t, "wants help");
    tty_type(t, "<S-Tab>");
    tty_wait(t, "speed challenge");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

static void minutes_are_given(void **state) {
    struct classroom_settings s;
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    (void)state;
    tty_wait(t, "wants help");
    tty_type(t, "<Tab>");
    tty_wait(t, "at this step for");
    tty_type(t, "E0<Enter>");
    tty_wait(t, "Type minutes");
    tty_type(t, "<BS>15<Enter>");
    tty_wait(t, "Ada Lovelace has 15 minutes more");
    tty_wait(t, "+15 min");
    struct classroom_folder *f = classroom_open(class, NULL);
    assert_true(classroom_settings_read(f, &s, NULL));
    assert_int_equal(classroom_due(&s, "seat-0", "1.3"), s.ends + 15 * 60);
    classroom_close(f);
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

/* A click chooses, and a click on what is chosen opens it. */
static void the_mouse_chooses_and_opens(void **state) {
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    (void)state;
    int row, column;
    tty_wait(t, "11 of 26");
    tty_click(t, "11 of 26");
    tty_wait(t, "open");
    assert_true(tty_find(t, "11 of 26", &row, &column));
    tty_wait_row(t, row, "▸");
    tty_click(t, "11 of 26");
    tty_wait(t, "why it is wrong");
    tty_type(t, "<Esc>");
    tty_wait(t, "wants help");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

/* What changes in the class is seen without a key. */
static void a_hand_that_goes_up_is_seen(void **state) {
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    const struct classroom_presence p = {
        .lesson = "1.3", .title = "The ladder", .number = 8, .of = 14, .hand = true};
    (void)state;
    tty_wait(t, "wants help");
    assert_false(tty_has(t, "Emmy Noether"));
    struct classroom_folder *f = classroom_open(class, NULL);
    assert_true(crowd_be_at(f, 1, &p, time(NULL)));
    classroom_close(f);
    tty_wait(t, "Emmy Noether");
    tty_resize(t, 120, 40);
    tty_wait_row(t, 39, "quit");
    tty_resize(t, 40, 12);
    tty_wait_row(t, 11, "quit");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

/* Neither name of a pair is lost where both have no room. */
static void both_names_of_a_pair_are_seen(void **state) {
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    const struct classroom_presence p = {.lesson = "1.3",
                                         .title = "The ladder",
                                         .with = "Zacharias Bartholomew Long",
                                         .number = 8,
                                         .of = 14,
                                         .hand = true};
    (void)state;
    tty_wait(t, "wants help");
    struct classroom_folder *f = classroom_open(class, NULL);
    assert_true(crowd_be_at(f, 4, &p, time(NULL))); /* Sofja Kowalewskaja */
    classroom_close(f);
    tty_wait(t, "Sofja K");
    assert_true(tty_has(t, " and Zach"));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

/* Without colours everything is still told: the cursor, bars, and who has gone. */
static void it_does_without_colours(void **state) {
    char *class = path_of_class();
    struct tty *t = launch(
        (struct launch_options){.watch = class, .ascii = true, .environment = {"NO_COLOR=1"}});
    (void)state;
    tty_wait(t, "wants help");
    for (int row = 0; row < tty_rows(t); row++)
        for (int column = 0; column < tty_columns(t); column++) {
            struct tty_cell c = tty_at(t, row, column);
            assert_true(strlen(c.text) <= 1 && c.colour == TTY_DEFAULT &&
                        c.background == TTY_DEFAULT);
        }
    tty_wait(t, "> ");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

/* A screen reader reads a row from its first letter. */
static void the_cursor_is_on_the_first_letter(void **state) {
    char *class = path_of_class();
    struct tty *t = launch((struct launch_options){.watch = class});
    (void)state;
    tty_wait(t, "wants help");
    tty_type(t, "<Down>");
    tty_settle(t);
    struct tty_cursor at = tty_cursor(t);
    assert_true(at.column >= 2);
    assert_string_equal(tty_at(t, at.row, at.column - 2).text, "▸");
    assert_string_not_equal(tty_at(t, at.row, at.column).text, " ");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    free(class);
}

#define IN_CLASS(test) cmocka_unit_test_setup_teardown(test, make_class, place_close)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    enum { OTHERS = 7 };
    struct CMUnitTest tests[BASE_COUNT(PICTURES) + OTHERS] = {
        IN_CLASS(keys_write_and_open),
        IN_CLASS(minutes_are_given),
        IN_CLASS(the_mouse_chooses_and_opens),
        IN_CLASS(a_hand_that_goes_up_is_seen),
        IN_CLASS(it_does_without_colours),
        IN_CLASS(both_names_of_a_pair_are_seen),
        IN_CLASS(the_cursor_is_on_the_first_letter),
    };
    for (size_t i = 0; i < BASE_COUNT(PICTURES); i++)
        tests[OTHERS + i] = (struct CMUnitTest){PICTURES[i].name, is_drawn_as_before, NULL, NULL,
                                                (void *)&PICTURES[i]};
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
