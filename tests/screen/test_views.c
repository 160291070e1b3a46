/* Every view that home opens: by its key and by the mouse, at three sizes, and where a terminal has
 * no colour or only ASCII. */
#include "launch.h"
#include "place.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct view {
    /* the key at home, its label in the key line, and the view's first row; what comes last where
     * it has 120 columns, NULL if all comes at the same time */
    const char *key, *label, *head, *last;
} VIEWS[] = {
    {"r", "⏎ review", "Review", "Scratch paper"},
    {"C", "C case", "never graded", NULL},
    {"p", "p place me", "Placement", "Scratch paper"},
    {"s", "s speed", "Speed", NULL},
    {"/", "/ search", "Search", NULL},
    {"l", "l labs", "Labs", NULL},
    {"J", "J job", "My job", NULL},
    {"P", "P progress", "Progress", NULL},
    {"m", "m map", "ideas", NULL},
    {"f", "f questions", "Questions", NULL},
    {"B", "B notes", "Bookmarks", NULL},
    {"S", "S settings", "Settings", NULL},
    {"t", "t myths", "Myths", NULL},
    {"i", "i interview", "Interview", NULL},
    {"g", "g glossary", "Glossary", NULL},
    {"?", "? more", "Help", NULL},
};

static const struct display {
    const char *name;
    int columns, rows;
    bool ascii;
    const char *term;
} DISPLAYS[] = {
    {"80×24", 80, 24, false, "xterm-256color"},   {"120×40", 120, 40, false, "xterm-256color"},
    {"200×60", 200, 60, false, "xterm-256color"}, {"80×24, ASCII", 80, 24, true, "xterm-256color"},
    {"80×24, no colour", 80, 24, false, "vt100"},
};

static struct tty *launch_on(const struct display *d) {
    char *term = base_format("TERM=%s", d->term);
    struct tty *t = launch((struct launch_options){
        .columns = d->columns, .rows = d->rows, .ascii = d->ascii, .environment = {term}});
    free(term);
    tty_wait(t, "Today, about");
    return t;
}

/* Every cell is of the characters and colours that the display has. */
static void is_displayed(struct tty *t, const struct display *d, const char *key) {
    for (int row = 0; row < d->rows; row++)
        for (int column = 0; column < d->columns; column++) {
            struct tty_cell c = tty_at(t, row, column);
            if (d->ascii && (unsigned char)c.text[0] > 0x7f)
                fail_msg("%s, %s: row %d has '%s'", d->name, key, row, c.text);
            if (strcmp(d->term, "vt100") == 0 &&
                (c.colour != TTY_DEFAULT || c.background != TTY_DEFAULT))
                fail_msg("%s, %s: row %d has a colour", d->name, key, row);
        }
}

/* Views say how to leave, and leaving comes home. */
static void leave(struct tty *t, const struct display *d, const struct view *v) {
    int row, column;
    if (!tty_find(t, "Esc", &row, &column) && !tty_find(t, "? more", &row, &column))
        fail_msg("%s: %s does not say how to leave:\n%s", d->name, v->head, tty_text(t));
    tty_type(t, "<Esc>");
    tty_wait(t, "Today, about");
}

static void all_views_open_by_key(void **state) {
    const struct display *d = *state;
    struct tty *t = launch_on(d);
    for (size_t i = 0; i < BASE_COUNT(VIEWS); i++) {
        tty_type(t, VIEWS[i].key);
        tty_wait_row(t, 0, VIEWS[i].head);
        is_displayed(t, d, VIEWS[i].key);
        leave(t, d, &VIEWS[i]);
    }
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* The mouse clicks on the labels that the key line has room for: all of them on a wide terminal,
 * where "? more" is "? help". */
static void all_views_open_by_mouse(void **state) {
    const struct display *d = *state;
    struct tty *t = launch_on(d);
    size_t opened = 0;
    for (size_t i = 0; i < BASE_COUNT(VIEWS); i++) {
        if (!strstr(tty_row(t, d->rows - 1), VIEWS[i].label)) continue;
        tty_click(t, VIEWS[i].label);
        tty_wait_row(t, 0, VIEWS[i].head);
        leave(t, d, &VIEWS[i]);
        opened++;
    }
    assert_true(opened >= (d->columns == 200 ? BASE_COUNT(VIEWS) - 1 : 5));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* A view follows the terminal's size, down to the smallest and back, and is the same one. */
static void all_views_follow_the_size(void **state) {
    struct tty *t = launch_on(&DISPLAYS[1]);
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(VIEWS); i++) {
        tty_type(t, VIEWS[i].key);
        tty_wait_row(t, 0, VIEWS[i].head);
        if (VIEWS[i].last) tty_wait(t, VIEWS[i].last);
        tty_settle(t);
        char *before = base_dup(tty_text(t));
        tty_resize(t, 80, 24);
        tty_wait_row(t, 0, VIEWS[i].head);
        tty_resize(t, 30, 8);
        tty_settle(t);
        tty_resize(t, 120, 40);
        tty_wait_row(t, 0, VIEWS[i].head);
        tty_settle(t);
        assert_string_equal(tty_text(t), before);
        free(before);
        leave(t, &DISPLAYS[1], &VIEWS[i]);
    }
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

#define ON(name, test, display)                                                                    \
    { name, test, place_second_day, place_close, (void *)(uintptr_t)&DISPLAYS[display] }

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        ON("by key, 80x24", all_views_open_by_key, 0),
        ON("by key, 120x40", all_views_open_by_key, 1),
        ON("by key, 200x60", all_views_open_by_key, 2),
        ON("by key, ASCII", all_views_open_by_key, 3),
        ON("by key, no colour", all_views_open_by_key, 4),
        ON("by mouse, 80x24", all_views_open_by_mouse, 0),
        ON("by mouse, 120x40", all_views_open_by_mouse, 1),
        ON("by mouse, 200x60", all_views_open_by_mouse, 2),
        ON("resized", all_views_follow_the_size, 1),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
