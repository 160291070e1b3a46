/* beside.c: what a front end may show beside the page: whether a question is open that it must not
 * answer, and what the step is about. */
#include "lesson/handler.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 0.005;

bool lesson_question_open(const struct lesson_dialogue *d) {
    static const bool asks[LESSON_FORMS] = {
        [LESSON_NUMBER] = true, [LESSON_LINE] = true, [LESSON_CHOICE] = true,
        [LESSON_ORDER] = true,  [LESSON_SORT] = true, [LESSON_TICKS] = true,
        [LESSON_TEXT] = true};
    if (d->over || d->ask == NULL) return false;
    bool works = d->ask->form == LESSON_NEXT && d->ask->worked;
    bool stopped = d->ask->play != NULL && d->ask->play->question != NULL;
    return lesson_in_check(d) || asks[d->ask->form] || works || stopped;
}

const json_t *lesson_problem_now(const struct lesson_dialogue *d) {
    const json_t *drawn = json_object_get(d->state.attempt.variant, "problem");
    const json_t *p = drawn != NULL ? drawn : json_object_get(lesson_step_json(d), "problem");
    const char *kind = base_json_text(p, "kind", "");
    bool open = strcmp(kind, "largest_params") == 0 || strcmp(kind, "fewest_gpus") == 0;
    return open ? NULL : p;
}

/* Digits within a word, such as fp32, are no number. */
bool lesson_gives_away(const struct lesson_dialogue *d, const char *text) {
    const struct account_solution *asked = &d->state.attempt.solution;
    double answer = asked->value / account_unit_scale(asked->unit);
    if (asked->lines == 0 || !lesson_question_open(d)) return false;
    for (const char *s = text; *s != '\0';) {
        size_t n = isdigit((unsigned char)*s) ? strspn(s, "0123456789.") : 0;
        bool within = s > text && isalnum((unsigned char)s[-1]);
        if (n > 0 && !within && fabs(strtod(s, NULL) - answer) <= NEAR * fabs(answer)) return true;
        s += n > 0 ? n : 1;
    }
    return false;
}
