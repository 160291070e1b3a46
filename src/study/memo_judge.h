/* A figure's readings while it is judged (memo_judge.c), and what they say of a mistake (memo_explain.c). */
#ifndef STUDY_MEMO_JUDGE_H
#define STUDY_MEMO_JUDGE_H

#include "memo.h"

/* One reading of a figure. */
struct memo_reading {
    enum memo_what what;
    struct account_training training;
    double truth;
    enum memo_match match;
};
struct memo_search {
    struct memo *m;
    const struct memo_figure *f;
    struct memo_options o;
    enum memo_share share; /* of what is shared out */
    double tokens;         /* that the sentence says take so long; 0: it says none */
    struct memo_reading best,
        first; /* `first` is the likeliest, matched or not; its truth is 0 if there is none */
};

/* memo_judge.c: tries all that the options allow. */
void memo_seek(struct memo_search *s);
/* Whether it is of a step: then accumulation counts. */
bool memo_is_timed(enum memo_what what);
/* memo_tokens.c: how many tokens the figure's sentence says, and whether they stand right before it; 0: none. */
double memo_tokens_near(const struct memo *m, const struct memo_figure *f, bool *direct);
/* memo_explain.c: "model states under stage 2 (paper)" */
const char *memo_describe(const struct memo *m, const struct memo_reading *r, char *out,
                          size_t size);
/* Whether the number is the likeliest reading's in another unit, and in which. */
bool memo_is_other_unit(const struct memo_search *s, char *name, size_t size);
/* Says what went wrong with a figure that no reading holds. */
enum study_memo_kind memo_explain(const struct memo_search *s, struct study_memo_finding *f);

#endif
