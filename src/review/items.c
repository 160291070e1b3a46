/* items.c: how hard items are, and whether they tell the learners who know from those who do not.
 */
#include "review/items.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A first answer. */
struct given {
    char *item, *mistake;
    size_t learner;
    bool right;
};
struct total {
    size_t asked, right;
};
struct review_items {
    struct given *given;
    size_t count;
    /* of each learner */
    struct total *total;
    size_t learners;
    struct review_item_statistics *out;
};

struct review_items *review_items_new(void) {
    return base_alloc(sizeof(struct review_items));
}

void review_items_free(struct review_items *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++) {
        free(s->given[i].item);
        free(s->given[i].mistake);
    }
    free(s->given);
    free(s->total);
    free(s->out);
    free(s);
}

void review_items_learner(struct review_items *s) {
    s->total = base_grow(s->total, s->learners + 1, sizeof *s->total);
    s->total[s->learners++] = (struct total){0};
}

void review_items_add(struct review_items *s, const char *item, bool right, const char *mistake) {
    if (s->learners == 0) review_items_learner(s);
    size_t n = strcspn(mistake, "|");
    s->given = base_grow(s->given, s->count + 1, sizeof *s->given);
    s->given[s->count++] = (struct given){.item = base_dup(item),
                                          .mistake = base_format("%.*s", (int)n, mistake),
                                          .learner = s->learners - 1,
                                          .right = right};
    s->total[s->learners - 1].asked++;
    s->total[s->learners - 1].right += right;
}

/* ── one item: the given answers [from, to) ────────────────────────────────────────────────────*/
/* The sums of a Pearson correlation. */
struct sums {
    double n, x, y, xx, yy, xy;
};

static void add_pair(struct sums *s, double x, double y) {
    s->n += 1;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->yy += y * y;
    s->xy += x * y;
}

static double correlation_of(const struct sums *s) {
    double x = s->n * s->xx - s->x * s->x, y = s->n * s->yy - s->y * s->y;
    bool varies = x > 1e-9 && y > 1e-9; /* sums of shares are off by 1e-15 or so */
    if (s->n < REVIEW_ITEM_LEARNERS || !varies) return (double)NAN;
    return (s->n * s->xy - s->x * s->y) / sqrt(x * y);
}

static double correlate(const struct review_items *s, size_t from, size_t to) {
    struct sums sums = {0};
    for (size_t i = from; i < to; i++) {
        const struct given *g = &s->given[i];
        const struct total *t = &s->total[g->learner];
        if (t->asked < 2) continue;
        add_pair(&sums, g->right, (double)(t->right - g->right) / (double)(t->asked - 1));
    }
    return correlation_of(&sums);
}

/* Sorted by mistake, so that equal ones stand together. */
static void count_mistakes(const struct review_items *s, size_t from, size_t to,
                           struct review_item_statistics *out) {
    out->mistake = "";
    for (size_t i = from, same = from; i < to; i++) {
        if (strcmp(s->given[i].mistake, s->given[same].mistake) != 0) same = i;
        if (*s->given[i].mistake == '\0' || i - same + 1 <= out->times) continue;
        out->times = i - same + 1;
        out->mistake = s->given[i].mistake;
    }
}

static struct review_item_statistics statistics_of(const struct review_items *s, size_t from,
                                                   size_t to) {
    struct review_item_statistics out = {.item = s->given[from].item, .learners = to - from};
    for (size_t i = from; i < to; i++) out.right += s->given[i].right;
    out.correlation = correlate(s, from, to);
    count_mistakes(s, from, to, &out);
    return out;
}

/* ── all of them ───────────────────────────────────────────────────────────────────────────────*/
static int by_item_and_mistake(const void *a, const void *b) {
    const struct given *x = a, *y = b;
    int order = strcmp(x->item, y->item);
    return order ? order : strcmp(x->mistake, y->mistake);
}

const struct review_item_statistics *review_items_statistics(struct review_items *s,
                                                             size_t *count) {
    if (s->count > 0) qsort(s->given, s->count, sizeof *s->given, by_item_and_mistake);
    free(s->out);
    s->out = base_alloc((s->count + 1) * sizeof *s->out);
    *count = 0;
    for (size_t from = 0, to; from < s->count; from = to) {
        to = from + 1;
        while (to < s->count && strcmp(s->given[to].item, s->given[from].item) == 0) to++;
        s->out[(*count)++] = statistics_of(s, from, to);
    }
    return s->out;
}
