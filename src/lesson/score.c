/* score.c: what the words of a verdict count as, and what the answers kept say of a lesson. */
#include "lesson/parsed.h"

#include <string.h>

bool lesson_verdict_right(const char *verdict) {
    return strcmp(verdict, VERDICT_RIGHT) == 0 || strcmp(verdict, "rounded") == 0;
}

bool lesson_verdict_graded(const char *verdict) {
    return strcmp(verdict, VERDICT_UNREADABLE) != 0 && strcmp(verdict, VERDICT_NOTED) != 0;
}

struct tally {
    /* 0: all of them */
    int try;
    bool answered, right;
};

/* Answers come oldest first, so the last whole verdict is what counts. */
static void weigh(void *to, const struct lesson_answer *a) {
    struct tally *t = to;
    if (!lesson_verdict_graded(a->verdict) || (t->try != 0 && t->try != a->try)) return;
    t->answered = true;
    bool whole = *a->line == '\0' || strcmp(a->line, LESSON_CARD_LINE) == 0;
    if (whole) t->right = lesson_verdict_right(a->verdict);
}

/* Of a check only the answers of its round count. */
static struct tally tally(const struct lesson *l, size_t i, struct lesson_journal journal) {
    struct tally t = {.try = l->kind == LESSON_CHECK ? l->round : 0};
    if (!journal.answers(journal.self, l->step[i].item, weigh, &t, NULL)) return (struct tally){0};
    return t;
}

/* The short way, if it tells: not of a check, whose rounds count apart. */
static struct lesson_ends ends_of(const struct lesson *l, size_t i, struct lesson_journal journal) {
    if (!journal.ends || l->kind == LESSON_CHECK) return (struct lesson_ends){0};
    return journal.ends(journal.self, l->step[i].item);
}

static void see_noted(void *to, const struct lesson_answer *a) {
    *(bool *)to |= strcmp(a->verdict, VERDICT_NOTED) == 0;
}

static bool noted(const struct lesson *l, size_t i, struct lesson_journal journal) {
    bool is = false;
    return lesson_step_asks(l, i) &&
           journal.answers(journal.self, l->step[i].item, see_noted, &is, NULL) && is;
}

enum lesson_came lesson_came(const struct lesson *l, size_t i, struct lesson_journal journal) {
    if (!lesson_graded(l, i)) return noted(l, i, journal) ? LESSON_CAME_RIGHT : LESSON_CAME_NOT;
    struct lesson_ends ends = ends_of(l, i, journal);
    if (ends.answered) return ends.right_last ? LESSON_CAME_RIGHT : LESSON_CAME_WRONG;
    struct tally t = tally(l, i, journal);
    return t.right ? LESSON_CAME_RIGHT : t.answered ? LESSON_CAME_WRONG : LESSON_CAME_NOT;
}

struct first {
    int try;
    bool right;
};

/* The word on the whole of the first try. */
static void see_first(void *to, const struct lesson_answer *a) {
    struct first *f = to;
    if (!lesson_verdict_graded(a->verdict) || *a->line != '\0' || f->try != 0) return;
    f->try = a->try;
    f->right = lesson_verdict_right(a->verdict);
}

bool lesson_missed_first(const struct lesson *l, size_t i, struct lesson_journal journal) {
    struct first f = {0};
    if (!lesson_graded(l, i)) return false;
    struct lesson_ends ends = ends_of(l, i, journal);
    if (ends.answered) return !ends.right_first;
    return journal.answers(journal.self, l->step[i].item, see_first, &f, NULL) && f.try != 0 &&
           !f.right;
}

void lesson_score_lesson(const struct lesson *l, struct lesson_journal journal,
                         struct lesson_score *out) {
    *out = (struct lesson_score){0};
    for (size_t i = 0; i < l->count; i++) {
        if (!lesson_graded(l, i) || lesson_aside(l, i)) continue;
        enum lesson_came came = lesson_came(l, i, journal);
        out->graded++;
        out->answered += came != LESSON_CAME_NOT;
        out->right += came == LESSON_CAME_RIGHT;
        out->right_first += came != LESSON_CAME_NOT && !lesson_missed_first(l, i, journal);
    }
}
