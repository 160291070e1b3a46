/* score.c: what the answers kept say of a lesson. */
#include "study/lesson.h"
#include "study/verdict.h"

struct tally {
    int try; /* 0: all of them */
    bool answered, right;
};

/* Answers come oldest first, so the last whole verdict is what counts. */
static void weigh(void *to, const struct study_answer *a) {
    struct tally *t = to;
    if (!verdict_graded(a->verdict) || (t->try != 0 && t->try != a->try)) return;
    t->answered = true;
    if (*a->line == '\0') t->right = verdict_right(a->verdict);
}

/* Of a check only the answers of its round count. */
static struct tally tally(const struct study_lesson *l, size_t i, struct study_journal journal) {
    struct tally t = {.try = l->kind == STUDY_CHECK ? l->round : 0};
    if (!journal.answers(journal.self, l->step[i].item, weigh, &t, NULL)) return (struct tally){0};
    return t;
}

enum study_came study_came(const struct study_lesson *l, size_t i, struct study_journal journal) {
    if (!lesson_graded(l, i)) return STUDY_CAME_NOT;
    struct tally t = tally(l, i, journal);
    return t.right ? STUDY_CAME_RIGHT : t.answered ? STUDY_CAME_WRONG : STUDY_CAME_NOT;
}

void study_score_lesson(const struct study_lesson *l, struct study_journal journal,
                        struct study_score *out) {
    *out = (struct study_score){0};
    for (size_t i = 0; i < l->count; i++) {
        if (!lesson_graded(l, i) || lesson_aside(l, i)) continue;
        enum study_came came = study_came(l, i, journal);
        out->graded++;
        out->answered += came != STUDY_CAME_NOT;
        out->right += came == STUDY_CAME_RIGHT;
    }
}
