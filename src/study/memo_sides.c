/* What a sentence holds against what: "stage 3 … than stage 2", "the traffic of DDP". */
#include "memo_compare.h"

#include <math.h>
#include <string.h>

/* ── the sentence ────────────────────────────────────────────────────────────────────────────────*/
static bool parts(const struct memo_text *t, size_t i) {
    static const uint32_t marks[] = {',', ':', '(', ')', 0x2014};
    for (size_t k = 0; k < BASE_COUNT(marks); k++)
        if (memo_is_mark(t, i, marks[k])) return true;
    return memo_is_phrase(t, i, "but") || memo_is_phrase(t, i, "while") ||
           memo_is_phrase(t, i, "whereas") || memo_is_phrase(t, i, "and");
}

void memo_sides_around(struct memo_comparison *c) {
    const struct memo_text *t = &c->m->text;
    c->sentence = memo_sentence(c->m, &c->m->block[c->f->block], c->f->first);
    c->clause = (struct memo_range){c->f->first, c->f->end};
    while (c->clause.first > c->sentence.first && !parts(t, c->clause.first - 1)) c->clause.first--;
    enum { LABEL = 6 }; /* "full checkpointing: −14.9 GB" */
    bool labelled =
        c->clause.first > c->sentence.first && memo_is_mark(t, c->clause.first - 1, ':');
    if (labelled && c->clause.first - c->sentence.first <= LABEL)
        c->clause.first = c->sentence.first;
    while (c->clause.end < c->sentence.end && !parts(t, c->clause.end)) c->clause.end++;
}

/* ── the two sides ───────────────────────────────────────────────────────────────────────────────*/
static void set_stage(struct account_training *t, double v) {
    if (t->stage != (uint8_t)v) t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    t->stage = (uint8_t)v;
}
static void set_keeps(struct account_training *t, double v) {
    t->checkpoint = (uint8_t)v;
}
static void set_recipe(struct account_training *t, double v) {
    t->recipe = (uint8_t)v;
}
static void set_gpus(struct account_training *t, double v) {
    t->gpus = (uint32_t)v;
    if (t->gpus_per_node > t->gpus) t->gpus_per_node = 0;
}
static void set_sequence(struct account_training *t, double v) {
    t->seq = (uint32_t)v;
}
static void set_batch(struct account_training *t, double v) {
    t->batch = (uint32_t)v;
}
static void set_width(struct account_training *t, double v) {
    t->grad_dtype = (uint8_t)v;
}
static void set_offload(struct account_training *t, double v) {
    t->offload_optimizer = (uint8_t)v;
}
static const struct memo_axis axes[] = {
    {MEMO_STAGE,    set_stage,    "stage %.0f"      },
    {MEMO_KEEPS,    set_keeps,    NULL              },
    {MEMO_RECIPE,   set_recipe,   NULL              },
    {MEMO_GPUS,     set_gpus,     "%.0f GPUs"       },
    {MEMO_SEQUENCE, set_sequence, "sequence %.0f"   },
    {MEMO_BATCH,    set_batch,    "micro-batch %.0f"},
    {MEMO_WIDE,     set_width,    NULL              },
    {MEMO_OFFLOAD,  set_offload,  NULL              },
};

const struct memo_axis *memo_sides_axis(const struct memo_comparison *c) {
    size_t i = 0;
    while (axes[i].says != c->axis) i++;
    return &axes[i];
}

/* How many values an axis has in a range, 3 standing for more; the first two of them. */
static size_t values_of(const struct memo *m, struct memo_range r, enum memo_says axis,
                        double out[2]) {
    size_t n = 0;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        bool known = x->says != axis;
        for (size_t i = 0; i < n && i < 2; i++) known |= fabs(out[i] - x->value) < 0.5;
        if (known) continue;
        if (n < 2) out[n] = x->value;
        n += n < 3;
    }
    return n;
}

/* "than stage 2", "the traffic of DDP", "compared with stage 2", "1.5× DDP" */
static bool is_held_against(const struct memo_comparison *c, const struct memo_mention *x) {
    enum { REACH = 4 };
    static const char *const words[] = {"than",    "over",     "versus",   "vs",   "against",
                                        "compare", "compared", "relative", "from", "instead",
                                        "rather",  "what",     "as",       NULL};
    const struct memo_text *t = &c->m->text;
    if (x->first == c->f->end) return true;
    for (size_t n = 1; n <= REACH && x->first >= c->sentence.first + n; n++) {
        size_t i = x->first - n;
        if (t->token[i].kind == MEMO_NUMBER || memo_is_mark(t, i, ',')) return false;
        if (i >= c->f->end && memo_is_phrase(t, i, "of")) return true;
        if (memo_is_any(t, i, words)) return true;
    }
    return false;
}

static bool is_marked(const struct memo_comparison *c, double value) {
    const struct memo *m = c->m;
    for (size_t k = memo_mention_from(m, c->sentence.first);
         k < m->mentions && m->mention[k].first < c->sentence.end; k++)
        if (m->mention[k].says == c->axis && fabs(m->mention[k].value - value) < 0.5 &&
            is_held_against(c, &m->mention[k]))
            return true;
    return false;
}

static bool take_sides(struct memo_comparison *c, enum memo_says axis, const double value[2]) {
    c->axis = axis;
    bool first = is_marked(c, value[0]), second = is_marked(c, value[1]);
    c->ordered = first != second;
    c->side[0].value = value[first && !second ? 1 : 0];
    c->side[1].value = value[first && !second ? 0 : 1];
    return true;
}

/* Two values on one axis, and on no other. */
static bool seek_pair(struct memo_comparison *c, struct memo_range r) {
    const struct memo_axis *found = NULL;
    double value[2], pair[2];
    for (size_t i = 0; i < BASE_COUNT(axes); i++) {
        size_t n = values_of(c->m, r, axes[i].says, value);
        if (n > 2 || (n == 2 && found)) return false;
        if (n != 2) continue;
        found = &axes[i];
        memcpy(pair, value, sizeof pair);
    }
    return found && take_sides(c, found->says, pair);
}

/* "Stage 3 saves 22.75 GB over stage 2, and sends 1.5× the traffic of DDP": what all of the sentence is said of. */
static bool seek_subject(struct memo_comparison *c) {
    const struct memo *m = c->m;
    double against[2], subject = -1;
    c->axis = MEMO_STAGE;
    if (values_of(m, c->clause, MEMO_STAGE, against) != 1 || !is_marked(c, against[0]))
        return false;
    for (size_t k = memo_mention_from(m, c->sentence.first);
         k < m->mentions && m->mention[k].first < c->clause.first; k++) {
        const struct memo_mention *x = &m->mention[k];
        if (x->says != MEMO_STAGE || is_marked(c, x->value)) continue;
        if (subject >= 0 && fabs(subject - x->value) > 0.5) return false;
        subject = x->value;
    }
    c->ordered = true;
    c->side[0].value = subject;
    c->side[1].value = against[0];
    return subject >= 0;
}

/* "fp32 gradients add 3.25 GB", "offloading the optimizer saves 19.5 GB": against what is usual. */
static bool seek_switch(struct memo_comparison *c, enum memo_says axis, double usual) {
    double value[2];
    if (values_of(c->m, c->clause, axis, value) != 1 || fabs(value[0] - usual) < 0.5) return false;
    c->axis = axis;
    c->side[0].value = value[0];
    c->side[1].value = usual;
    return true;
}

/* "Stage 3 needs 26 GB. Its peak is 20.8 GB below that of stage 2": what the paragraph is about. */
static bool seek_earlier(struct memo_comparison *c, double against) {
    const struct memo *m = c->m;
    double subject = against;
    for (size_t k = memo_mention_from(m, m->block[c->f->block].tokens.first);
         k < m->mentions && m->mention[k].end <= c->sentence.first; k++)
        if (m->mention[k].says == MEMO_STAGE) subject = m->mention[k].value;
    c->side[0].value = subject;
    c->side[1].value = against;
    return fabs(subject - against) > 0.5;
}

/* "less than stage 2": what the memo decided is; "checkpointing saves": what has none would not. */
static bool seek_implied(struct memo_comparison *c) {
    const struct study_memo_report *r = c->m->report;
    double stage[2], keeps[2];
    size_t stages = values_of(c->m, c->sentence, MEMO_STAGE, stage);
    c->implied = c->ordered = true;
    c->axis = MEMO_STAGE;
    if (stages == 1 && is_marked(c, stage[0]) && r->decided &&
        fabs(stage[0] - r->chosen.stage) > 0.5) {
        c->side[0].value = r->chosen.stage;
        c->side[1].value = stage[0];
        return true;
    }
    if (stages == 1 && is_marked(c, stage[0]) && seek_earlier(c, stage[0])) return true;
    if (r->decided && (seek_switch(c, MEMO_BATCH, r->chosen.batch) ||
                       seek_switch(c, MEMO_SEQUENCE, r->chosen.seq)))
        return true;
    if (seek_switch(c, MEMO_WIDE, ACCOUNT_AS_RECIPE) || seek_switch(c, MEMO_OFFLOAD, ACCOUNT_GPU))
        return true;
    bool own = !stages || (r->decided && fabs(stage[0] - r->chosen.stage) < 0.5);
    bool other_keeps = r->decided && values_of(c->m, c->sentence, MEMO_KEEPS, keeps) == 1 &&
                       fabs(keeps[0] - r->chosen.checkpoint) > 0.5;
    if (stages == 1 && own &&
        other_keeps) { /* "stage 3 without checkpointing is out, though it is 2 s faster" */
        c->axis = MEMO_KEEPS;
        c->side[0].value = keeps[0];
        c->side[1].value = r->chosen.checkpoint;
        return true;
    }
    c->axis = MEMO_STAGE;
    if (stages == 1 && r->decided && values_of(c->m, c->clause, MEMO_KEEPS, keeps) == 0) {
        bool other = fabs(stage[0] - r->chosen.stage) > 0.5;
        c->side[0].value = stage[0];
        c->side[1].value = other ? r->chosen.stage : stage[0] > 0.5 ? stage[0] - 1 : stage[0] + 1;
        return true;
    }
    c->axis = MEMO_KEEPS;
    c->side[1].value = ACCOUNT_KEEP_ALL;
    bool one = stages < 2 && values_of(c->m, c->clause, MEMO_KEEPS, keeps) == 1;
    c->side[0].value = one ? keeps[0] : ACCOUNT_KEEP_ALL;
    return one && keeps[0] > 0.5;
}

bool memo_sides_find(struct memo_comparison *c) {
    return seek_pair(c, c->clause) || seek_pair(c, c->sentence) || seek_subject(c) ||
           seek_implied(c);
}
