/* missed: each learner's tally, counted by item. */
#include "classroom/missed.h"

#include <stdlib.h>
#include <string.h>

static int by_item(const void *a, const void *b) {
    const struct classroom_missed *x = a, *y = b;
    return strcmp(x->item, y->item);
}

static int most_first(const void *a, const void *b) {
    const struct classroom_missed *x = a, *y = b;
    if (x->missed != y->missed) return x->missed > y->missed ? -1 : 1;
    return x->of != y->of ? (x->of < y->of ? -1 : 1) : by_item(a, b);
}

/* Whether the learner made a mistake at the item of this try. */
static bool was_missed(const struct classroom_tally *t, size_t try) {
    for (size_t i = 0; i < t->count; i++)
        if (*t->tried[i].mistake && strcmp(t->tried[i].item, t->tried[try].item) == 0) return true;
    return false;
}

/* An entry for each learner and item. */
static size_t gather(const struct classroom_seat *seat, size_t seats,
                     struct classroom_missed **out) {
    size_t n = 0, room = 1;
    for (size_t i = 0; i < seats; i++) room += seat[i].tally.count;
    *out = base_alloc(room * sizeof **out);
    for (size_t i = 0; i < seats; i++)
        for (size_t k = 0; k < seat[i].tally.count; k++) {
            const struct classroom_tried *t = &seat[i].tally.tried[k];
            if (*t->mistake) continue; /* each item has an entry without one */
            struct classroom_missed *one = &(*out)[n++];
            *one = (struct classroom_missed){.missed = was_missed(&seat[i].tally, k), .of = 1};
            memcpy(one->item, t->item, sizeof one->item);
        }
    return n;
}

size_t classroom_missed(const struct classroom_seat *seat, size_t seats,
                        struct classroom_missed **out) {
    size_t n = gather(seat, seats, out), items = 0, missed = 0;
    qsort(*out, n, sizeof **out, by_item);
    for (size_t i = 0; i < n; i++) {
        struct classroom_missed *last = items ? &(*out)[items - 1] : NULL;
        if (last && strcmp(last->item, (*out)[i].item) == 0) {
            last->missed += (*out)[i].missed;
            last->of++;
        } else {
            (*out)[items++] = (*out)[i];
        }
    }
    qsort(*out, items, sizeof **out, most_first);
    while (missed < items && (*out)[missed].missed) missed++;
    return missed;
}
