/* gate: checks and what they open. A check is passed by the answers kept of it and by nothing else:
 * each round is a try of its items. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

int session_desk_round(struct desk *d, const char *id) {
    struct lesson_journal journal = store_journal(session_desk_store(d));
    struct lesson_place place = {0};
    bool over = false;
    if (!journal.place_get(journal.self, id, &place, NULL)) return 1;
    int round = lesson_mix_round(place.step, &over);
    return round == 0 ? 1 : over ? round + 1 : round;
}

/* ── a check ───────────────────────────────────────────────────────────────────────────────────*/
static void add_round(void *to, size_t right) {
    struct desk_rounds *r = to;
    r->latest = right;
    if (right > r->best) r->best = right;
}

/* Answers are only added, so what the rounds came to holds until there is another one. A record
 * that holds too much to be read says nothing, and that holds as long. */
static const struct desk_rounds *rounds_of(struct desk *d, size_t i) {
    struct desk_rounds *r = session_desk_rounds(d, i);
    int64_t answer = store_last_answer(session_desk_store(d));
    if (r->read && r->answer == answer) return r;
    char *prefix = base_format("%s/", session_desk_course(d)->lesson[i].id);
    *r = (struct desk_rounds){.read = true, .answer = answer};
    if (!store_tries(session_desk_store(d), prefix, add_round, r, NULL)) r->best = r->latest = 0;
    free(prefix);
    return r;
}

struct desk_check session_desk_check(struct desk *d, size_t i) {
    struct desk_check c = {.asked = session_desk_graded(d, session_desk_course(d)->lesson[i].id)};
    if (c.asked == 0) c.asked = LESSON_CHECK_ASKS;
    const struct desk_rounds *r = rounds_of(d, i);
    c.right = r->latest;
    c.passed = lesson_check_passes(r->best, c.asked);
    return c;
}

/* ── phases ────────────────────────────────────────────────────────────────────────────────────*/
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
    return check < c->lessons && session_desk_check(d, check).passed;
}

size_t session_desk_gate(struct desk *d, size_t phase) {
    size_t none = session_desk_course(d)->lessons, check = none;
    for (size_t before = phase; before-- > 0 && check == none;) check = check_of(d, before);
    return check == none || session_desk_check(d, check).passed ? none : check;
}

size_t session_desk_place_at(struct desk *d) {
    const struct lesson_course *c = session_desk_course(d);
    for (size_t phase = 0; phase < c->phases; phase++) {
        size_t check = check_of(d, phase);
        if (check < c->lessons && !session_desk_check(d, check).passed) return check;
    }
    return c->lessons;
}
