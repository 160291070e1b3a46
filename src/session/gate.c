/* gate: checks and what they open. A check is passed by the answers kept of it and by nothing else:
 * each round is a try of its items. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

int session_learner_round(struct learner *who, const struct lesson_entry *l) {
    struct lesson_journal journal = store_journal(session_learner_store(who));
    struct lesson_place place = {0};
    bool over = false;
    if (!journal.place_get(journal.self, l->id, &place, NULL)) return 1;
    int round = lesson_mix_round(place.step, &over);
    return round == 0 ? 1 : over && l->kind == LESSON_REVIEW ? round + 1 : round;
}

/* ── a check ───────────────────────────────────────────────────────────────────────────────────*/
static void add_round(void *to, size_t right) {
    struct learner_rounds *r = to;
    r->latest = right;
    if (right > r->best) r->best = right;
}

/* Answers are only added, so what the rounds came to holds until there is another one. A record
 * that holds too much to be read says nothing, and that holds as long. */
static const struct learner_rounds *rounds_of(struct learner *who, size_t i) {
    struct learner_rounds *r = session_learner_rounds(who, i);
    int64_t answer = store_last_answer(session_learner_store(who));
    if (r->read && r->answer == answer) return r;
    char *prefix = base_format("%s/", session_learner_course(who)->lesson[i].id);
    *r = (struct learner_rounds){.read = true, .answer = answer};
    if (!store_tries(session_learner_store(who), prefix, add_round, r, NULL))
        r->best = r->latest = 0;
    free(prefix);
    return r;
}

struct learner_check session_learner_check(struct learner *who, size_t i) {
    struct learner_check c = {
        .asked = session_learner_graded(who, session_learner_course(who)->lesson[i].id)};
    if (c.asked == 0) c.asked = LESSON_CHECK_ASKS;
    const struct learner_rounds *r = rounds_of(who, i);
    c.right = r->latest;
    c.passed = lesson_check_passes(r->best, c.asked);
    return c;
}

/* ── phases ────────────────────────────────────────────────────────────────────────────────────*/
/* The check of a phase; the course's count if it has none. */
static size_t check_of(struct learner *who, size_t phase) {
    const struct lesson_course *c = session_learner_course(who);
    size_t i = 0;
    while (i < c->lessons && !((size_t)c->lesson[i].phase == phase &&
                               c->lesson[i].kind == LESSON_CHECK && session_learner_exists(who, i)))
        i++;
    return i;
}

bool session_learner_passed(struct learner *who, size_t phase) {
    size_t check = check_of(who, phase);
    const struct lesson_course *c = session_learner_course(who);
    return check < c->lessons && session_learner_check(who, check).passed;
}

bool session_learner_earned(struct learner *who, size_t phase) {
    return session_learner_passed(who, phase);
}

size_t session_learner_gate(struct learner *who, size_t phase) {
    size_t none = session_learner_course(who)->lessons, check = none;
    for (size_t before = phase; before-- > 0 && check == none;) check = check_of(who, before);
    return check == none || session_learner_check(who, check).passed ? none : check;
}

size_t session_learner_place_at(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    for (size_t phase = 0; phase < c->phases; phase++) {
        size_t check = check_of(who, phase);
        if (check < c->lessons && !session_learner_check(who, check).passed) return check;
    }
    return c->lessons;
}
