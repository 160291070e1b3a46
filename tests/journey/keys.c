#include "journey/keys.h"

#include <string.h>

enum { PAGES_MOST = 20, WAITS_MOST = 300 };

/* All at once. What it changes may be nothing: the cursor may stand there already. */
static void put(struct tty *t, const char *text) {
    if (*text == '\0') return;
    tty_send(t, text, strlen(text));
    tty_settle(t);
}

/* Waits until the program has drawn what came of it, however long the answer took to be kept. */
static void enter(struct tty *t) {
    tty_damage(t);
    put(t, "\r");
    for (int i = 0; i < WAITS_MOST && tty_damage(t) == 0; i++) tty_settle(t);
}

/* "1=a 2=c" is pressed as "ac": a letter puts the line under the cursor and goes on to the next. */
static void press_bins(struct tty *t, const char *pairs) {
    char letters[80];
    size_t n = 0;
    for (const char *s = strchr(pairs, '='); s && n + 1 < sizeof letters; s = strchr(s + 1, '='))
        letters[n++] = s[1];
    letters[n] = '\0';
    put(t, letters);
}

static void press_digits(struct tty *t, const char *numbers) {
    char digits[80];
    size_t n = 0;
    for (const char *s = numbers; *s && n + 1 < sizeof digits; s++)
        if (*s != ' ') digits[n++] = *s;
    digits[n] = '\0';
    put(t, digits);
}

static void press_answer(struct tty *t, const struct rehearsed *said) {
    switch (said->form) {
    case LESSON_SORT: press_bins(t, said->text); break;
    case LESSON_CHOICE:
    case LESSON_ORDER:
    case LESSON_TICKS: press_digits(t, said->text); break;
    case LESSON_RUN:
        enter(t);
        tty_wait_row(t, -1, "⏎ next");
        break;
    default: put(t, said->text); break;
    }
    enter(t);
}

static void turn_to_the_end(struct tty *t) {
    int pages = 0;
    while (tty_has(t, "more ▼") && pages++ < PAGES_MOST) tty_type(t, "<PgDn>");
    if (pages > PAGES_MOST) tty_fail(t, "the page has no end");
}

/* What was said to the last try, or to the line of a sheet before, is in view. */
static bool looks_back(struct tty *t, const struct rehearsed *said) {
    const char *keys = tty_row(t, tty_rows(t) - 1);
    return strstr(keys, "try again") || (said->form == LESSON_LINE && strstr(keys, "next line"));
}

void press_to_the_end(struct tty *t, const struct rehearsed *said) {
    turn_to_the_end(t);
    if (!looks_back(t, said)) return;
    enter(t);
    turn_to_the_end(t);
}

void press(struct tty *t, const struct rehearsed *said) {
    press_to_the_end(t, said);
    if (*said->keys)
        tty_type(t, said->keys);
    else
        press_answer(t, said);
}
