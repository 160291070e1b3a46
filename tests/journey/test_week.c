/* A week as a learner lives it: a lesson or half of one a day, one day off, and before it the
 * review that is due; every fourth question of a review is answered wrongly. Each day's home is
 * kept as a picture, and each day's review must be one that makes sense.
 *
 *     SHOW=1 build/tests/journey/test_week    prints what was asked each day
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/golden.h"
#include "journey/rehearsal.h"
#include "screen/screen.h"

#include <stdlib.h>
#include <string.h>

enum { DAY = 86400, NEW_A_DAY = 10, DAYS = 9 };
static const long MONDAY = 1780904700; /* 8 June 2026, 07:45 UTC */

/* What is taken each day after the review; NULL: the learner stays away. */
static const struct day {
    const char *lesson;
    bool away;
} WEEK[DAYS] = {{"1.1", false}, {"1.2", false}, {NULL, false}, {"1.3", false}, {NULL, true},
                {"1.4", false}, {NULL, false},  {NULL, false}, {NULL, false}};

static void wake_up(int day) {
    char *now = base_format("%ld", MONDAY + (long)day * DAY);
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

static struct learner_due due(const struct home *h) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(h->store, &m);
    if (!who) fail_msg("%s", m.what);
    struct learner_due d = session_learner_due(who);
    session_learner_close(who);
    return d;
}

static void take(const struct home *h, const char *lesson, struct rehearsal_way way,
                 struct rehearsal *out) {
    struct base_message m = {0};
    if (!rehearse(h->store, lesson, way, out, &m)) fail_msg("%s: %s", lesson, m.what);
    if (out->complaints && *out->complaints) fail_msg("%s: %s", lesson, out->complaints);
}

/* What became of a question: its first graded answer. Cards are not graded. */
static const char *came(const struct rehearsal *said, size_t first) {
    for (size_t i = first;
         i < said->count && strcmp(said->said[i].item, said->said[first].item) == 0; i++)
        if (said->said[i].graded) return said->said[i].right ? "right" : "wrong";
    return "card";
}

static bool is_asked_before(const struct rehearsal *said, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (strcmp(said->said[k].item, said->said[i].item) == 0) return true;
    return false;
}

/* The review asks as many things as home said, each in one place. */
static void review(const struct home *h, int day, const struct learner_due *before) {
    struct rehearsal said;
    size_t asked = 0;
    take(h, LEARNER_REVIEW, (struct rehearsal_way){.wrong = 1, .every = 4}, &said);
    for (size_t i = 0; i < said.count; i++) {
        const char *item = said.said[i].item;
        if (i > 0 && strcmp(item, said.said[i - 1].item) == 0) continue;
        if (is_asked_before(&said, i)) fail_msg("%s is asked twice", item);
        if (strncmp(item, LEARNER_REVIEW "/", strlen(LEARNER_REVIEW "/")) == 0) continue;
        asked++;
        if (getenv("SHOW")) print_message("    %-34s %s\n", item, came(&said, i));
    }
    if (getenv("SHOW"))
        print_message("  day %d: %zu asked, %zu of them new; announced %zu in %d min\n", day + 1,
                      asked, before->fresh, before->count, before->minutes);
    assert_int_equal(asked, before->count);
    rehearsal_free(&said);
}

/* The review is over for today, and comes again. */
static void nothing_is_left(const struct home *h) {
    struct learner_due after = due(h);
    assert_int_equal(after.count, 0);
    assert_true(after.next >= 1 && after.next <= 60);
}

static void keep_picture(const struct home *h, int day) {
    struct screen_shot shot = {.store = h->store, .columns = 80, .rows = 24};
    struct base_message m = {0};
    char *name = base_format("week-%d", day + 1), *drawn = screen_picture(&shot, &m);
    if (!drawn) fail_msg("%s", m.what);
    golden_is("journey", name, drawn);
    free(drawn);
    free(name);
}

static void a_week_makes_sense(void **state) {
    (void)state;
    struct home h = home_new("week");
    struct rehearsal said;
    size_t away = 0;
    for (int day = 0; day < DAYS; day++) {
        wake_up(day);
        struct learner_due today = due(&h);
        if (day == 0) home_seed(&h, 7);
        keep_picture(&h, day);
        if (WEEK[day].away) {
            away++;
            continue;
        }
        assert_true(today.fresh <= NEW_A_DAY && today.fresh <= today.count);
        /* cards and problems wait a day, and the first day has none */
        assert_true(day == 0 ? today.count == 0 : today.count > 0 || !WEEK[day].lesson);
        assert_int_equal(today.streak, day - (int64_t)away);
        if (today.count > 0) review(&h, day, &today);
        if (WEEK[day].lesson) {
            take(&h, WEEK[day].lesson, (struct rehearsal_way){.wrong = day % 2 == 0}, &said);
            rehearsal_free(&said);
        }
        nothing_is_left(&h);
    }
    home_remove(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_week_makes_sense)};
    setenv("TZ", "UTC", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
