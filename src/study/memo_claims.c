/* What a sentence says beside its figures: a width that the gradients have not, a share of peak arithmetic that nothing measured. */
#include "memo.h"

#include <math.h>

/* "3.25 GB of fp32", where fp32 gradients would not come to that. */
bool memo_width_fails(struct memo *m, const struct memo_figure *f) {
    static const char *const wide[] = {"of fp32", "in fp32", "of float32", "in float32", NULL};
    struct account_training t = f->training;
    double value[MEMO_VALUES];
    if (f->kind > STUDY_MEMO_ROUNDED || f->about != MEMO_GRADS ||
        !memo_is_any(&m->text, f->end, wide))
        return false;
    t.grad_dtype = ACCOUNT_32_BIT;
    size_t n = memo_values(m, MEMO_GRADS, &t, value);
    for (size_t i = 0; i < n; i++)
        if (memo_match(f, value[i]) >= MEMO_ROUGHLY) return false;
    return n > 0;
}

/* "MFU is 80 %" */
static bool is_outright(const struct memo *m, const struct memo_mention *x) {
    static const char *const verbs[] = {"is", "reaches", "hits", NULL};
    static const char *const hedges[] = {"about", "around", "roughly", "over", "above", NULL};
    static const char *const subjects[] = {"mfu", NULL};
    size_t i = x->first;
    if (i > 0 && (memo_is_any(&m->text, i - 1, hedges) || memo_is_mark(&m->text, i - 1, '~'))) i--;
    if (memo_is_phrase(&m->text, x->end, "of")) return false; /* "80 % of stage 3's" */
    return i > 1 && memo_is_any(&m->text, i - 1, verbs) && memo_is_any(&m->text, i - 2, subjects);
}

bool memo_is_quoted(const struct memo *m, size_t token) {
    int line = m->text.token[token].line;
    for (size_t i = 0; i < m->quoted; i++)
        if (m->quote[i].finding < m->report->count &&
            m->report->finding[m->quote[i].finding].line == line)
            return true;
    return false;
}

/* No card trains at such a share: it is measured, or it is not said. */
void memo_judge_efficiency(struct memo *m, size_t block, struct memo_range r) {
    static const double most = 0.65;
    static const char *const aside[] = {"assume", "assuming", "assumption", "not", "never",
                                        "cannot", "t",        "no",         NULL};
    double usual = m->report->scenario.training.efficiency;
    if (!memo_says(m, r, MEMO_MFU) || memo_says(m, r, MEMO_CONDITION) || memo_has_any(m, r, aside))
        return;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        bool high = x->says == MEMO_MFU && x->value > most && x->value > usual + 0.005;
        if (!high || !is_outright(m, x) || memo_is_quoted(m, x->first)) continue;
        struct study_memo_finding *f =
            memo_find(m, STUDY_MEMO_UNSUPPORTED, block, (struct memo_range){x->first, x->end});
        snprintf(f->figure, sizeof f->figure, "%.3g %%", 100 * x->value);
        memo_say(f,
                 "the share of peak arithmetic that the planner assumes is %.3g %%: quote the run "
                 "that measured %.3g %%",
                 100 * usual, 100 * x->value);
    }
}
