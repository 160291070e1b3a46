/* fade.c: a worked example fades. Its first worksheet leaves the lines blank that its author named; each sheet that was got right leaves one
 * line more to the next, the last of those still given first. What was got right is read from the answers kept, so that a sheet that is
 * come back to has the blanks it had. Renkl and Atkinson, doi 10.1207/S15326985EP3801_3: fading from the last step backwards. */
#include "lesson/dialogue.h"

#include <string.h>

enum { WORKED_HINT = 3 }; /* a line of the solution: got right with it is not got right */

struct successes {
    int before; /* only tries before this one; 0: all */
    size_t count;
};

static void count(void *to, const struct lesson_answer *a) {
    struct successes *s = to;
    bool whole = *a->line == '\0' && lesson_verdict_right(a->verdict);
    bool counts = s->before == 0 || a->try < s->before;
    s->count += whole && counts && a->hints < WORKED_HINT;
}

static size_t successes(struct lesson_dialogue *d, size_t step, int before) {
    struct successes s = {.before = before};
    d->journal.answers(d->journal.self, d->lesson->step[step].item, count, &s, NULL);
    return s.count;
}

/* This sheet's own earlier tries count each, the lesson's earlier sheets once. */
static size_t got_right(struct lesson_dialogue *d) {
    size_t n = d->state.attempt.number > 1 ? successes(d, d->at, d->state.attempt.number) : 0;
    for (size_t i = 0; i < d->at; i++)
        if (strcmp(lesson_form(d->lesson, i), "sheet") == 0) n += successes(d, i, 0) > 0;
    return n;
}

void lesson_fade_blanks(struct lesson_dialogue *d, bool blank[ACCOUNT_LINES]) {
    const struct account_solution *s = &d->state.attempt.solution;
    size_t more = got_right(d);
    for (size_t i = s->lines; i-- > 0;) {
        blank[i] = lesson_sheet_is_blank(lesson_step_json(d), s, i);
        if (blank[i] || more == 0) continue;
        blank[i] = true;
        more--;
    }
}
