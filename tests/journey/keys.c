#include "journey/keys.h"

#include <string.h>

/* "1=a 2=c" is pressed as "ac": a letter puts the line under the cursor and goes on to the next. */
static void press_bins(struct tty *t, const char *pairs) {
    for (const char *s = strchr(pairs, '='); s; s = strchr(s + 1, '='))
        tty_type(t, (char[]){s[1], '\0'});
}

static void press_digits(struct tty *t, const char *numbers) {
    for (const char *s = numbers; *s; s++)
        if (*s != ' ') tty_type(t, (char[]){*s, '\0'});
}

void press(struct tty *t, const struct rehearsed *said) {
    for (int pages = 0; tty_has(t, "more ▼") && pages < 20; pages++) tty_type(t, "<PgDn>");
    switch (said->form) {
    case STUDY_SORT: press_bins(t, said->text); break;
    case STUDY_CHOICE:
    case STUDY_ORDER:
    case STUDY_TICKS: press_digits(t, said->text); break;
    case STUDY_RUN:
        tty_type(t, "<Enter>");
        tty_wait(t, "All runs have ended.");
        break;
    default: tty_type(t, said->text); break;
    }
    tty_type(t, "<Enter>");
}
