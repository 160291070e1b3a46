/* Every lesson of the course from its first step to its end at a full screen of 80 columns and 24
 * rows: each page is turned to its end, each figure moved once, and before each right answer comes
 * a wrong one, another of the recognised mistakes in each lesson and step; TEST_ALL=1 takes every
 * one. The page must name each, and the record must be the rehearsal's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/course.h"
#include "journey/keys.h"

#include <stdlib.h>
#include <string.h>

static void wait_for_step(struct tty *t, const struct rehearsed *said) {
    char *title = base_format(" %zu / ", said->step + 1);
    tty_wait_row(t, 0, title);
    free(title);
}

/* Whoever is to type sees where. */
static void has_its_field(struct tty *t, const struct rehearsed *said) {
    bool typed =
        said->form == LESSON_NUMBER || said->form == LESSON_LINE || said->form == LESSON_TEXT;
    if (typed && !tty_cursor(t).visible) tty_fail(t, "%s: nowhere to type", said->item);
}

static bool says(struct tty *t, const char *text) {
    char *words = course_words(tty_text(t));
    bool said = strstr(words, text) != NULL;
    free(words);
    return said;
}

/* Where a number comes out in several ways, perhaps further down. */
static void names_mistake(struct tty *t, const struct rehearsed *said) {
    if (!said->mistake) return;
    while (!says(t, said->mistake->name)) {
        if (!tty_has(t, "more ▼"))
            tty_fail(t, "%s: %s is not called \"%s\"", said->item, said->text, said->mistake->name);
        tty_type(t, "<PgDn>");
    }
}

static void give_all(struct tty *t, const struct rehearsal *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct rehearsed *said = &lines->said[i];
        wait_for_step(t, said);
        press_to_the_end(t, said);
        has_its_field(t, said);
        press(t, said);
        names_mistake(t, said);
    }
}

static void at_the_full_screen(void **state) {
    const char *lesson = *state;
    struct rehearsal lines;
    struct course_homes homes = course_homes(lesson);
    struct rehearsal_way way = {
        .wrong = course_all() ? REHEARSE_ALL : 1, .from = base_hash(0, lesson) % 64, .moves = true};
    course_rehearse(&homes, lesson, way, &lines);
    struct tty *t =
        tty_open(80, 24, (const char *const[]){getenv("ZEROTUTOR"), "learn", lesson, NULL},
                 (const char *const[]){homes.skin.variable, NULL});
    give_all(t, &lines);
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    course_same_record(&homes, lesson);
    rehearsal_free(&lines);
    course_homes_remove(&homes);
}

int main(void) {
    static const struct course_test ways[] = {{"full screen", at_the_full_screen}};
    return course_run(ways, BASE_COUNT(ways));
}
