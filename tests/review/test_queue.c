/* What comes on a day; and a learner of 180 days. */
#include "review/suite.h"

#include <math.h>

enum { DECK = 100, LESSONS = 10, DAYS = 180 };

/* Seconds in which each day's twenty fit, and those of a short review. */
enum { ALL_DAY = 86400, SHORT = 300 };

struct deck {
    struct review_thing thing[DECK];
    char name[DECK][3][16];
    size_t count;
};

static void add(struct deck *d, const char *lesson, const char *id, const char *about, bool card,
                int64_t read) {
    char(*n)[16] = d->name[d->count];
    snprintf(n[0], sizeof n[0], "%s/%s", lesson, id);
    snprintf(n[1], sizeof n[1], "%s", lesson);
    snprintf(n[2], sizeof n[2], "%s", about);
    d->thing[d->count++] = (struct review_thing){n[0], n[1], n[2], card, card ? 15 : 45, read};
}

static bool has(const struct deck *d, const struct review_pick *p, size_t n, const char *item) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(d->thing[p[i].thing].item, item) == 0) return true;
    return false;
}

/* ── single days ───────────────────────────────────────────────────────────────────────────────*/
static void new_things_come_from_the_day_after(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    add(&d, "1.1", "a", "a", true, 100);
    add(&d, "1.2", "b", "b", true, INT64_MAX);
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), 0);
    assert_int_equal(review_queue_next(r, d.thing, d.count, 100), 101);
    assert_int_equal(review_queue(r, d.thing, d.count, 101, ALL_DAY, p), 1);
    assert_true(p[0].fresh && has(&d, p, 1, "1.1/a"));
    review_record_free(r);
}

static void what_was_reviewed_under_a_wrong_clock_comes(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    add(&d, "1.1", "a", "a", true, 464);
    suite_answer(r, 465, "1.1/a", "right");
    assert_int_equal(review_queue(r, d.thing, d.count, 464, ALL_DAY, p), 0); /* another time zone */
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p),
                     1); /* a clock set back a year */
    assert_int_equal(review_queue_next(r, d.thing, d.count, 100), 101);
    const struct review_memory *m = review_record_find(r, "1.1/a");
    assert_true(review_memory_is_due(m, 100));
    assert_true(fabs(review_memory_recall(m, 100) - review_memory_recall(m, m->due)) < 1e-9);
    review_record_free(r);
}

static void a_thing_and_its_sibling_never_come_on_one_day(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    add(&d, "1.1", "problem", "seven", false, 99);
    add(&d, "1.1", "card", "seven", true, 99);
    add(&d, "1.2", "other", "seven", true, 99); /* of another lesson, so about something else */
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), 2);
    assert_int_equal(review_queue_seconds(d.thing, p, 2), 30);
    suite_answer(r, 100, "1.1/problem", "right");
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), 1);
    assert_false(has(&d, p, 1, "1.1/card"));
    assert_int_equal(review_queue(r, d.thing, d.count, 101, ALL_DAY, p), 2);
    review_record_free(r);
}

/* Whoever suspends one of two things is asked one more that day, and not the sibling instead. */
static void nothing_comes_in_place_of_what_was_suspended(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    add(&d, "1.1", "problem", "seven", false, 99);
    add(&d, "1.1", "card", "seven", true, 99);
    add(&d, "1.2", "other", "eight", true, 99);
    suite_line(r, 100, "1.1/card", REVIEW_SUSPEND, 1);
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), 1);
    assert_true(has(&d, p, 1, "1.2/other"));
    assert_int_equal(review_queue(r, d.thing, d.count, 101, ALL_DAY, p), 2);
    suite_line(r, 100, "1.1/card", REVIEW_SUSPEND, 2); /* taken back */
    assert_true(has(&d, p, review_queue(r, d.thing, d.count, 100, ALL_DAY, p), "1.1/card"));
    review_record_free(r);
}

static void ten_new_things_a_day_at_most(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    char id[16];
    for (int i = 0; i < 25; i++) {
        snprintf(id, sizeof id, "c%02d", i);
        add(&d, i % 2 ? "1.1" : "1.2", id, id, true, 99);
    }
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), REVIEW_NEW_MOST);
    for (size_t i = 0; i < 4; i++) suite_answer(r, 100, d.thing[p[i].thing].item, "right");
    assert_int_equal(review_queue(r, d.thing, d.count, 100, ALL_DAY, p), REVIEW_NEW_MOST - 4);
    review_record_free(r);
}

/* Five minutes are twenty cards, or five problems and five cards; a day has at least one thing. */
static void a_day_ends_when_its_time_does(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    char id[16];
    for (int i = 0; i < 12; i++) {
        snprintf(id, sizeof id, "c%02d", i);
        add(&d, "1.1", id, id, i >= 9, 9);
        suite_answer(r, 10, d.thing[i].item, "right");
    }
    size_t n = review_queue(r, d.thing, d.count, 60, SHORT, p);
    assert_in_range(review_queue_seconds(d.thing, p, n), SHORT - 44, SHORT);
    /* what was answered counts, so that nothing takes the place of what is done */
    int64_t left = review_queue_seconds(d.thing, p, n) - d.thing[p[0].thing].seconds;
    suite_answer(r, 60, d.thing[p[0].thing].item, "right");
    assert_int_equal(review_queue(r, d.thing, d.count, 60, SHORT, p), n - 1);
    assert_int_equal(review_queue_seconds(d.thing, p, n - 1), left);
    for (size_t i = 0; i < n - 1; i++) suite_answer(r, 60, d.thing[p[i].thing].item, "right");
    assert_int_equal(review_queue(r, d.thing, d.count, 60, SHORT, p), 0);
    assert_int_equal(review_queue(r, d.thing, d.count, 61, SHORT, p), 12 - n);
    assert_int_equal(review_queue(r, d.thing, d.count, 61, 1, p), 1);
    review_record_free(r);
}

/* After a break: as much as a day has room for, and of that first what is still known best. */
static void a_backlog_is_capped_and_ordered(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    char id[16];
    for (int i = 0; i < 60; i++) {
        snprintf(id, sizeof id, "c%02d", i);
        add(&d, i == 0 ? "1.3" : i % 2 ? "1.1" : "1.2", id, id, true, 9);
        suite_answer(r, 10 + i, d.thing[i].item, i % 3 ? "right" : "wrong");
    }
    size_t n = review_queue(r, d.thing, d.count, 200, ALL_DAY, p);
    assert_int_equal(n, REVIEW_DAY_MOST);
    assert_true(has(&d, p, n, "1.3/c00")); /* it has waited longest */
    double least = 1;
    for (size_t i = 0; i < n; i++)
        if (p[i].thing > 0 && p[i].recall < least) least = p[i].recall;
    for (size_t i = 0; i < d.count; i++) {
        double recall = review_memory_recall(review_record_find(r, d.thing[i].item), 200);
        assert_true(has(&d, p, n, d.thing[i].item) || recall <= least);
    }
    for (size_t i = 1; i < n; i++)
        assert_string_not_equal(d.thing[p[i].thing].lesson, d.thing[p[i - 1].thing].lesson);
    char missed[5][16];
    for (size_t i = 0; i < n; i++) {
        const char *item = d.thing[p[i].thing].item;
        if (i < BASE_COUNT(missed)) snprintf(missed[i], sizeof missed[i], "%s", item);
        suite_answer(r, 200, item, i < BASE_COUNT(missed) ? "wrong" : "right");
    }
    assert_int_equal(review_queue(r, d.thing, d.count, 200, ALL_DAY, p), 0);
    /* what was missed comes on the next day, as its learner was told, whatever waits */
    n = review_queue(r, d.thing, d.count, 201, ALL_DAY, p);
    assert_int_equal(n, REVIEW_DAY_MOST);
    for (size_t i = 0; i < BASE_COUNT(missed); i++) assert_true(has(&d, p, n, missed[i]));
    review_record_free(r);
}

/* Whoever skips the day on which it was to come finds it on the next, whatever waits. */
static void what_was_missed_comes_after_a_skipped_day(void **state) {
    (void)state;
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    char id[16];
    for (int i = 0; i < 40; i++) {
        snprintf(id, sizeof id, "c%02d", i);
        add(&d, i % 2 ? "1.1" : "1.2", id, id, true, 9);
        suite_answer(r, 10, d.thing[i].item, "right");
        suite_answer(r, 12, d.thing[i].item, "right");
    }
    suite_answer(r, 28, "1.1/c39", "wrong");
    for (int64_t day = 29; day < 36; day++) {
        size_t n = review_queue(r, d.thing, d.count, day, SHORT, p);
        assert_true(has(&d, p, n, "1.1/c39"));
    }
    review_record_free(r);
}

/* A learner who comes every second day and misses every fourth question: more waits than there is
 * time for, on every day, and still nothing waits for ever. */
static void nothing_waits_for_ever(void **state) {
    (void)state;
    enum { LONGEST = 200 };
    struct deck d = {0};
    struct review_pick p[REVIEW_DAY_MOST];
    struct review_record *r = suite_record();
    int asked = 0;
    char id[16];
    for (int i = 0; i < DECK; i++) {
        snprintf(id, sizeof id, "t%02d", i);
        add(&d, i % 2 ? "1.1" : "1.2", id, id, i % 10 < 3, i / 10 * 4);
    }
    for (int64_t day = 1; day < 4 * DAYS; day += 2) {
        size_t n = review_queue(r, d.thing, d.count, day, SHORT, p);
        for (size_t i = 0; i < n; i++) {
            const struct review_thing *t = &d.thing[p[i].thing];
            const struct review_memory *m = review_record_find(r, t->item);
            assert_in_range(day - (m ? m->due : t->read), 0, LONGEST);
            suite_answer(r, day, t->item, asked++ % 4 == 3 ? "wrong" : "right");
        }
        /* what was answered keeps its place, also that which had waited longest */
        assert_int_equal(review_queue(r, d.thing, d.count, day, SHORT, p), 0);
    }
    for (size_t i = 0; i < DECK; i++) {
        const struct review_memory *m = review_record_find(r, d.thing[i].item);
        assert_non_null(m);
        assert_true(m->due > 4 * DAYS - LONGEST);
    }
    review_record_free(r);
}

/* ── 180 days ────────────────────────────────────────────────────────────────────────────────────
 * A learner who forgets as FSRS says, reads a lesson every second day and misses every tenth. */
struct life {
    struct deck deck;
    /* of a day's review */
    int64_t seconds;
    struct review_record *record;
    uint64_t random;
    int asked[DAYS], most_fresh;
    /* of repetitions: what was forecast, and what was */
    double hoped, recalled;
};

static double chance(struct life *l) {
    return (double)(base_random(&l->random) >> 11) / 9007199254740992.0;
}

static void live_a_day(struct life *l, int64_t day) {
    struct review_pick p[REVIEW_DAY_MOST];
    size_t n = review_queue(l->record, l->deck.thing, l->deck.count, day, l->seconds, p);
    int fresh = 0;
    assert_true(review_queue_seconds(l->deck.thing, p, n) <= l->seconds);
    for (size_t i = 0; i < n; i++) {
        bool knows = chance(l) < (p[i].fresh ? 0.7 : p[i].recall);
        fresh += p[i].fresh;
        if (!p[i].fresh) {
            l->hoped += p[i].recall;
            l->recalled += knows;
        }
        suite_answer(l->record, day, l->deck.thing[p[i].thing].item, knows ? "right" : "wrong");
    }
    l->asked[day] = (int)n;
    if (fresh > l->most_fresh) l->most_fresh = fresh;
    assert_int_equal(review_queue(l->record, l->deck.thing, l->deck.count, day, l->seconds, p), 0);
}

static void live(int64_t seconds) {
    static const char *const lessons[LESSONS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct life l = {
        .record = review_record_new(lessons, LESSONS), .random = 7, .seconds = seconds};
    char id[16];
    for (int i = 0; i < DECK; i++) {
        snprintf(id, sizeof id, "t%d", i % 10);
        add(&l.deck, lessons[i / 10], id, id, i % 10 < 6, i / 10 * 2);
    }
    for (int64_t day = 1; day < DAYS; day++)
        if (day % 10 != 0) live_a_day(&l, day);
    int reviews = 0, late = 0;
    double minutes = 0;
    for (int day = 0; day < DAYS; day++) {
        assert_in_range(l.asked[day], 0, REVIEW_DAY_MOST);
        reviews += l.asked[day];
        if (day >= DAYS - 30) late += l.asked[day];
    }
    minutes = late * 30.0 / 60;
    assert_in_range(l.most_fresh, 1, REVIEW_NEW_MOST);
    assert_in_range(reviews, 400, 1600); /* a hundred things, four to sixteen times each */
    assert_true(minutes / 30 < 3);       /* at the end, less than three minutes a day */
    double said = l.hoped / l.recalled;
    assert_true(said > 0.95 && said < 1.05); /* the forecast came true */
    for (size_t i = 0; i < DECK; i++) {
        const struct review_memory *m = review_record_find(l.record, l.deck.thing[i].item);
        assert_non_null(m);
        assert_in_range(m->due - m->last, 1, 730);
        assert_true(m->now.difficulty >= 1 && m->now.difficulty <= 10);
    }
    assert_int_equal(review_record_count(l.record), DECK);
    review_record_free(l.record);
}

static void half_a_year_is_sane(void **state) {
    (void)state;
    live(ALL_DAY);
    live(SHORT);
}

/* ── wrong clocks ────────────────────────────────────────────────────────────────────────────────
 * The same learner, whose clock is at times a year ahead or behind, or who flies around the world.
 * Days of the record are those that such a clock shows. */
static int64_t shown(int64_t day) {
    if (day == 40 || day == 41) return day - 365;
    if (day == 80) return day + 365;
    return day % 15 == 0 ? day - 1 : day % 17 == 0 ? day + 1 : day;
}

static void wrong_clocks_do_no_harm(void **state) {
    (void)state;
    static const char *const lessons[LESSONS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct life l = {.record = review_record_new(lessons, LESSONS), .random = 11};
    struct review_pick p[REVIEW_DAY_MOST];
    int reviews = 0, month = 0;
    char id[16];
    for (int i = 0; i < DECK; i++) {
        snprintf(id, sizeof id, "t%d", i % 10);
        add(&l.deck, lessons[i / 10], id, id, i % 10 < 6, i / 10 * 2);
    }
    for (int64_t day = 1; day < DAYS; day++) {
        size_t n = review_queue(l.record, l.deck.thing, l.deck.count, shown(day), ALL_DAY, p);
        assert_in_range(n, 0, REVIEW_DAY_MOST);
        for (size_t i = 0; i < n; i++)
            suite_answer(l.record, shown(day), l.deck.thing[p[i].thing].item,
                         chance(&l) < 0.9 ? "right" : "wrong");
        reviews += (int)n;
        if (day >= DAYS - 30) month += (int)n;
    }
    assert_int_equal(review_record_count(l.record), DECK); /* everything was asked … */
    assert_in_range(reviews, 400, 1800); /* … not too often, nor too seldom … */
    assert_in_range(month, 10, 300);
    for (size_t i = 0; i < review_record_count(l.record); i++) {
        const struct review_memory *m = review_record_at(l.record, i);
        assert_in_range(m->due - m->last, 1, 730);
        assert_true(m->last < DAYS + 3); /* … and none waits for a year that was never lived */
    }
    int64_t kept = review_record_streak(l.record, DAYS - 1),
            weeks = review_record_weeks(l.record, DAYS - 1);
    assert_in_range(kept, 0, DAYS);
    assert_in_range(weeks, 0, DAYS / 7 + 1);
    review_record_free(l.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_things_come_from_the_day_after),
        cmocka_unit_test(what_was_reviewed_under_a_wrong_clock_comes),
        cmocka_unit_test(a_thing_and_its_sibling_never_come_on_one_day),
        cmocka_unit_test(nothing_comes_in_place_of_what_was_suspended),
        cmocka_unit_test(ten_new_things_a_day_at_most),
        cmocka_unit_test(a_day_ends_when_its_time_does),
        cmocka_unit_test(a_backlog_is_capped_and_ordered),
        cmocka_unit_test(what_was_missed_comes_after_a_skipped_day),
        cmocka_unit_test(nothing_waits_for_ever),
        cmocka_unit_test(half_a_year_is_sane),
        cmocka_unit_test(wrong_clocks_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
