/* kill -9 in the middle of a lesson, at 20 random moments: what was answered is kept, the file is
 * whole, and the next start stands where the learner stood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/keys.h"

#include <stdlib.h>
#include <string.h>

enum { KILLS = 20 };

static struct home fresh;
static const struct rehearsal_way ONCE_WRONG = {.wrong = 1};
static struct rehearsal lines;

static int rehearse_once(void **state) {
    (void)state;
    struct base_message m = {0};
    fresh = home_new("kill");
    struct store *s = store_open(fresh.store, &m);
    if (!s) return -1;
    store_close(s);
    struct home h = home_copy(&fresh, "kill-rehearsed");
    bool good = rehearse(h.store, "1.1", ONCE_WRONG, &lines, &m);
    if (!good) fprintf(stderr, "%s\n", m.what);
    home_remove(&h);
    return good ? 0 : -1;
}

static int clean_up(void **state) {
    (void)state;
    rehearsal_free(&lines);
    home_remove(&fresh);
    return 0;
}

static struct tty *start(const struct home *h) {
    struct tty *t = tty_open(
        80, 24, (const char *const[]){getenv("ZEROTUTOR"), "learn", "1.1", NULL},
        (const char *const[]){h->variable, "NO_MOTION=1", NULL}); /* its lab is not slowed */
    tty_wait(t, "step ");
    tty_settle(t);
    return t;
}

/* 3 of "step 3 / 20" in the title line: where the learner stands; 0 if it does not say. */
static int place_of(struct tty *t) {
    const char *at = strstr(tty_row(t, 0), "step ");
    return at ? atoi(at + strlen("step ")) : 0;
}

static void whole(const struct home *h) {
    struct base_message m = {0};
    struct store *s = store_open(h->store, &m);
    assert_non_null(s);
    assert_null(store_broken(s));
    store_close(s);
}

/* Plays `answers` inputs, is killed, and starts again. `torn` kills while the last key is still on
 * its way. */
static void killed_after(size_t answers, bool torn) {
    struct home h = home_copy(&fresh, "killed");
    struct tty *t = start(&h);
    for (size_t i = 0; i < answers; i++) press(t, &lines.said[i]);
    int before = place_of(t);
    bool settled = strstr(tty_row(t, 23), "⏎ next") != NULL; /* it may go on from here */
    size_t shown = 0;
    for (size_t i = 0; i < answers; i++) shown += lines.said[i].graded && lines.said[i].text[0];
    if (torn) tty_send(t, "\r", 1);
    tty_kill(t);
    whole(&h);
    assert_true(home_count(&h) >= shown);
    t = start(&h);
    if (!torn) assert_in_range(place_of(t), before, before + settled);
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    home_remove(&h);
}

static void nothing_answered_is_lost(void **state) {
    (void)state;
    uint64_t chance = (uint64_t)base_ticks();
    fprintf(stderr, "kill seed %llu\n", (unsigned long long)chance);
    for (int i = 0; i < KILLS; i++)
        killed_after(base_random(&chance) % (lines.count - 1), base_random(&chance) & 1);
}

/* ── a record that may not grow ────────────────────────────────────────────────────────────────*/
/* Under a limit on files' sizes (ulimit -f, in KiB) the record's log is full after a few answers.
 * The screen says why an answer was not kept, the question stays, and the learner leaves as
 * always. */
static void a_record_that_may_not_grow_is_said_on_the_screen(void **state) {
    (void)state;
    struct home h = home_new("no-room");
    char *run = base_format("ulimit -f 50; '%s' learn 1.1; echo ended $?; read -r line",
                            getenv("ZEROTUTOR"));
    struct tty *t = tty_open(80, 24, (const char *const[]){"bash", "-c", run, NULL},
                             (const char *const[]){h.variable, NULL});
    tty_wait_row(t, 0, "step 1 ");
    for (int i = 0; i < 40 && !tty_has(t, "could not be saved"); i++) {
        if (tty_has(t, "ended ")) fail_msg("it ended: %s", tty_text(t));
        tty_type(t, "<F5>");
        if (!tty_has(t, "could not be saved")) tty_type(t, "<Enter>");
    }
    tty_wait(t, "the disk refused");
    tty_type(t, "<Esc>q");
    tty_wait(t, "ended 0");
    tty_kill(t);
    whole(&h);
    free(run);
    home_remove(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_answered_is_lost),
        cmocka_unit_test(a_record_that_may_not_grow_is_said_on_the_screen),
    };
    return cmocka_run_group_tests(tests, rehearse_once, clean_up);
}
