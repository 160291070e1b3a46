/* How many tokens a sentence says take so long: "20B tokens take 17 days". */
#include "memo_judge.h"

enum { LEAST = 1000000, REACH = 4 };

static double scale_of(const struct memo_text *t, size_t i) {
    static const struct {
        const char *word;
        double scale;
    } rows[] = {
        {"m", 1e6 },
        {"b", 1e9 },
        {"t", 1e12}
    };
    for (size_t k = 0; k < BASE_COUNT(rows); k++)
        if (memo_is_phrase(t, i, rows[k].word) && t->token[i].glued) return rows[k].scale;
    return 0;
}

double memo_tokens_near(const struct memo *m, const struct memo_figure *f, bool *direct) {
    const struct memo_text *t = &m->text;
    struct memo_range r = memo_sentence(m, &m->block[f->block], f->first);
    *direct = false;
    for (size_t i = r.first; i + 1 < r.end; i++) {
        if (t->token[i].kind != MEMO_NUMBER) continue;
        double scale = scale_of(t, i + 1), count = t->token[i].value * (scale > 0 ? scale : 1);
        size_t word = i + 1 + (scale > 0);
        if (count < LEAST || !memo_is_phrase(t, word, "token")) continue;
        *direct = word < f->first && f->first - word <= REACH;
        return count;
    }
    return 0;
}
