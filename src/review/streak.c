/* streak.c: days and weeks in a row. */
#include "review/streak.h"

enum { WEEK = 7, MONDAY = 3 /* 1 January 1970 was a Thursday */ };

/* By three days no time zone differs. */
const struct review_periods review_days = {.forgives = WEEK, .wrong = 3},
                            review_weeks = {.forgives = 0, .wrong = 2};

int64_t review_week(int64_t day) {
    int64_t from = day + MONDAY;
    return from >= 0 ? from / WEEK : (from - WEEK + 1) / WEEK;
}

int64_t review_monday(int64_t day) {
    return review_week(day) * WEEK - MONDAY;
}

/* The streak after periods up to `until` in which no answer was given. Those before the first due
 * one had nothing to ask, and are kept. */
static struct review_streak after_quiet(struct review_streak s, const struct review_periods *p,
                                        int64_t until, int64_t due) {
    int64_t quiet = due > until ? until : due - 1;
    if (quiet > s.last) {
        s.kept += quiet - s.last;
        s.last = quiet;
    }
    for (; s.last < until && s.kept > 0; s.last++) {
        bool forgives = p->forgives > 0 && s.last + 1 - s.forgiven >= p->forgives;
        if (forgives)
            s.forgiven = s.last + 1;
        else
            s.kept = 0;
    }
    s.last = until > s.last ? until : s.last;
    return s;
}

void review_streak_answer(struct review_streak *s, const struct review_periods *p, int64_t period,
                          int64_t due) {
    if (!s->begun) {
        *s = (struct review_streak){
            .begun = true, .kept = 1, .last = period, .forgiven = period - p->forgives};
        return;
    }
    if (s->last - period >= p->wrong) s->last = period;
    if (period <= s->last) return;
    *s = after_quiet(*s, p, period - 1, due);
    s->kept++;
    s->last = period;
}

int64_t review_streak_kept(const struct review_streak *s, const struct review_periods *p,
                           int64_t period, int64_t due) {
    if (!s->begun) return 0;
    struct review_streak before = after_quiet(*s, p, period - 1, due);
    return period > s->last && due > period ? before.kept + 1 : before.kept;
}
