/* score.c: what the answers kept say of a lesson. */
#include "study/lesson.h"
#include "study/verdict.h"

struct tally {
    bool answered, right;
};

/* Answers come oldest first, so the last whole verdict is what counts. */
static void weigh(void *to, const struct study_answer *a) {
    struct tally *t = to;
    if (!verdict_graded(a->verdict)) return;
    t->answered = true;
    if (*a->line == '\0') t->right = verdict_right(a->verdict);
}

void study_score_lesson(const struct study_lesson *l, struct study_journal journal,
                        struct study_score *out) {
    *out = (struct study_score){0};
    for (size_t i = 0; i < l->count; i++) {
        if (!lesson_graded(l, i) || lesson_aside(l, i)) continue;
        struct tally t = {0};
        out->graded++;
        if (!journal.answers(journal.self, l->step[i].item, weigh, &t, NULL)) continue;
        out->answered += t.answered;
        out->right += t.right;
    }
}
