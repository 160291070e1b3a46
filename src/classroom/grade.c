/* grade: each item's answers are gathered in a row, and the settings choose the one that counts. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>

enum { DAY = 86400 };

/* ── one answer ────────────────────────────────────────────────────────────────────────────────*/
int64_t classroom_judged_time(const struct classroom_judged *a) {
    return a->seen && a->time > a->seen ? a->seen : a->time;
}

static size_t lesson_length(const char *item) {
    const char *slash = strchr(item, '/');
    return slash ? (size_t)(slash - item) : strlen(item);
}

bool classroom_grades_item(const struct classroom_settings *s, const char *item) {
    size_t n = lesson_length(item);
    for (size_t i = 0; i < s->lessons; i++)
        if (strlen(s->lesson[i].id) == n && memcmp(s->lesson[i].id, item, n) == 0) return true;
    return s->lessons == 0;
}

static int64_t due_of(const struct classroom_settings *s, const char *account, const char *item) {
    char lesson[CLASSROOM_WORD];
    snprintf(lesson, sizeof lesson, "%.*s", (int)lesson_length(item), item);
    return classroom_due(s, account, lesson);
}

enum classroom_clock classroom_judged_clock(const struct classroom_settings *s, const char *account,
                                            const struct classroom_judged *a) {
    int64_t due = due_of(s, account, a->item);
    if (a->seen && a->time > a->seen + CLASSROOM_LONG) return CLASSROOM_CLOCK_AHEAD;
    bool behind = a->seen && due && a->time <= due && a->seen >= due + CLASSROOM_LONG;
    return behind ? CLASSROOM_CLOCK_BEHIND : CLASSROOM_CLOCK_FITS;
}

static int late_days(int64_t due, const struct classroom_judged *a) {
    int64_t late = due ? classroom_judged_time(a) - due : 0, days = (late + DAY - 1) / DAY;
    return late <= 0 ? 0 : days > 10000 ? 10000 : (int)days;
}

static double points_of(const struct classroom_settings *s, int days, bool right) {
    int lost = s->late_percent * (days > 100 ? 100 : days);
    return !right || lost >= 100 ? 0 : 1 - lost / 100.0;
}

/* ── an item's answers ─────────────────────────────────────────────────────────────────────────*/
struct place {
    const char *item;
    int try;
    size_t at;
};

static int by_item(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = strcmp(x->item, y->item);
    if (order) return order;
    if (x->try != y->try) return x->try < y->try ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static int by_answer(const void *a, const void *b) {
    const struct classroom_points *x = a, *y = b;
    return x->counts < y->counts ? -1 : x->counts > y->counts;
}

static struct classroom_points points_at(const struct classroom_settings *s, int64_t due,
                                         const struct classroom_judged *judged, size_t at) {
    const struct classroom_judged *a = &judged[at];
    int days = late_days(due, a);
    return (struct classroom_points){.item = a->item,
                                     .mistake = a->mistake,
                                     .points = points_of(s, days, a->right),
                                     .right = a->right,
                                     .late_days = days,
                                     .counts = at};
}

/* Of the best ones the first counts; one that is right and late is better than a wrong one. */
static bool is_better(const struct classroom_points *a, const struct classroom_points *b) {
    return a->points > b->points || (a->points == b->points && a->right && !b->right);
}

/* `p`: the item's answers in the order of their tries. Several answers to one try are one try. */
static struct classroom_points choose(const struct classroom_settings *s, int64_t due,
                                      const struct classroom_judged *judged, const struct place *p,
                                      size_t n) {
    struct classroom_points best = points_at(s, due, judged, p[0].at);
    int tries = 1;
    for (size_t i = 1; i < n; i++) {
        struct classroom_points next = points_at(s, due, judged, p[i].at);
        tries += p[i].try != p[i - 1].try;
        if (s->counts == CLASSROOM_LAST || (s->counts == CLASSROOM_BEST && is_better(&next, &best)))
            best = next;
    }
    best.tries = tries;
    best.missing = p[n - 1].try > tries ? p[n - 1].try - tries : 0;
    return best;
}

size_t classroom_grade(const struct classroom_settings *s, const char *account,
                       const struct classroom_judged *judged, size_t n,
                       struct classroom_points **out) {
    struct place *p = base_alloc((n + 1) * sizeof *p);
    size_t places = 0, items = 0;
    for (size_t i = 0; i < n; i++)
        if (classroom_grades_item(s, judged[i].item))
            p[places++] = (struct place){judged[i].item, judged[i].try, i};
    if (places) qsort(p, places, sizeof *p, by_item);
    *out = base_alloc((places + 1) * sizeof **out);
    for (size_t i = 0, end; i < places; i = end) {
        for (end = i; end < places && strcmp(p[end].item, p[i].item) == 0;) end++;
        int64_t due = due_of(s, account, p[i].item);
        (*out)[items++] = choose(s, due, judged, &p[i], end - i);
    }
    if (items) qsort(*out, items, sizeof **out, by_answer);
    free(p);
    return items;
}
