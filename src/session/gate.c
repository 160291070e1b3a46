/* gate: checks and what they open. A check is passed by the answers kept of it and by nothing else: each round is a try of its items. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 1000 };

int session_desk_round(struct desk *d, const char *id) {
    struct lesson_journal journal = store_journal(session_desk_store(d));
    struct lesson_place place = {0};
    bool over = false;
    if (!journal.place_get(journal.self, id, &place, NULL)) return 1;
    int round = lesson_mix_round(place.step, &over);
    return round == 0 ? 1 : over ? round + 1 : round;
}

/* ── a check ─────────────────────────────────────────────────────────────────────────────────────*/
struct items {
    char **item;
    size_t count;
};

static void add_item(void *to, const struct store_item *i) {
    struct items *items = to;
    items->item = base_grow(items->item, items->count + 1, sizeof *items->item);
    items->item[items->count++] = base_dup(i->item);
}

struct tally {
    size_t right[ROUNDS], wrong[ROUNDS];
};

/* Of each round, over all items of the check; the caller's. */
static struct tally *tally(struct desk *d, const char *id) {
    enum lesson_came came[ROUNDS];
    struct items items = {0};
    struct tally *t = base_alloc(sizeof *t);
    char *prefix = base_format("%s/", id);
    store_items(session_desk_store(d), prefix, add_item, &items, NULL);
    free(prefix);
    for (size_t i = 0; i < items.count; i++) {
        lesson_check_item(store_journal(session_desk_store(d)), items.item[i], came, ROUNDS);
        for (size_t r = 0; r < ROUNDS; r++) {
            t->right[r] += came[r] == LESSON_CAME_RIGHT;
            t->wrong[r] += came[r] == LESSON_CAME_WRONG;
        }
        free(items.item[i]);
    }
    free(items.item);
    return t;
}

struct desk_check session_desk_check(struct desk *d, const char *id) {
    struct desk_check c = {.asked = session_desk_graded(d, id)};
    if (c.asked == 0) c.asked = LESSON_CHECK_ASKS;
    struct tally *t = tally(d, id);
    for (size_t r = 0; r < ROUNDS; r++) {
        if (t->right[r] + t->wrong[r] == 0) continue;
        c.right = t->right[r];
        c.passed |= lesson_check_passes(c.right, c.asked);
    }
    free(t);
    return c;
}

/* ── phases ──────────────────────────────────────────────────────────────────────────────────────*/
/* The check of a phase; the course's count if it has none. */
static size_t check_of(struct desk *d, size_t phase) {
    const struct lesson_course *c = session_desk_course(d);
    size_t i = 0;
    while (i < c->lessons && !((size_t)c->lesson[i].phase == phase &&
                               c->lesson[i].kind == LESSON_CHECK && session_desk_exists(d, i)))
        i++;
    return i;
}

bool session_desk_passed(struct desk *d, size_t phase) {
    size_t check = check_of(d, phase);
    const struct lesson_course *c = session_desk_course(d);
    return check < c->lessons && session_desk_check(d, c->lesson[check].id).passed;
}

size_t session_desk_gate(struct desk *d, size_t phase) {
    size_t none = session_desk_course(d)->lessons, check = none;
    for (size_t before = phase; before-- > 0 && check == none;) check = check_of(d, before);
    return check == none || session_desk_check(d, session_desk_course(d)->lesson[check].id).passed
               ? none
               : check;
}

/* ── placement ───────────────────────────────────────────────────────────────────────────────────*/
struct learnt {
    struct desk *desk;
    bool anything, lessons;
};

static void see_item(void *to, const struct store_item *i) {
    struct learnt *l = to;
    size_t n = strcspn(i->item, "/");
    char *id = base_format("%.*s", (int)n, i->item);
    size_t of = session_desk_find(l->desk, id);
    const struct lesson_course *c = session_desk_course(l->desk);
    free(id);
    l->anything = true;
    l->lessons |= of < c->lessons && c->lesson[of].kind != LESSON_CHECK;
}

size_t session_desk_place_at(struct desk *d) {
    const struct lesson_course *c = session_desk_course(d);
    for (size_t phase = 0; phase < c->phases; phase++) {
        size_t check = check_of(d, phase);
        if (check < c->lessons && !session_desk_check(d, c->lesson[check].id).passed) return check;
    }
    return c->lessons;
}

enum desk_placement session_desk_placement(struct desk *d, size_t *next) {
    struct learnt l = {.desk = d};
    size_t check = *next = session_desk_place_at(d);
    if (check == session_desk_course(d)->lessons) return DESK_PLACED;
    store_items(session_desk_store(d), "", see_item, &l, NULL);
    struct desk_progress p = session_desk_progress(d, check);
    if (l.lessons || (p.opened && !p.under_way)) return DESK_PLACED; /* learning, or failed here */
    return l.anything ? DESK_PLACING : DESK_UNPLACED;
}
