/* What the memo decides, and sentences that say more than the engine does. */
#include "memo.h"

#include <math.h>
#include <string.h>

/* "1, 2 and 3": one list of stages from token `i` to the stage at `next`. */
static bool is_list(const struct memo *m, size_t i, size_t next) {
    const struct memo_text *t = &m->text;
    bool comma = memo_is_mark(t, i, ',') || memo_is_mark(t, i, '/');
    i += comma;
    bool word =
        memo_is_phrase(t, i, "and") || memo_is_phrase(t, i, "or") || memo_is_phrase(t, i, "nor");
    i += word;
    return i == next && (word || (comma && t->token[next].kind == MEMO_NUMBER));
}

static bool has_break(const struct memo *m, size_t i, size_t end) {
    while (i < end && !memo_is_mark(&m->text, i, ':') && !memo_is_mark(&m->text, i, ',')) i++;
    return i < end;
}

bool memo_is_rejected(const struct memo *m, struct memo_range sentence, size_t mention) {
    enum { NEAR = 4 };
    size_t first = m->mention[mention].first;
    bool chosen = false; /* "instead of offloading we choose stage 2" */
    for (size_t k = mention; k-- > 0 && m->mention[k].first >= sentence.first;) {
        const struct memo_mention *x = &m->mention[k];
        chosen |= x->says == MEMO_CHOOSES;
        if (x->says == MEMO_STAGE && !is_list(m, x->end, first)) return false;
        if (x->says == MEMO_STAGE) first = x->first;
        if (x->says != MEMO_REJECTS) continue;
        bool denies = memo_is_phrase(&m->text, x->first, "not") ||
                      memo_is_phrase(&m->text, x->end - 1, "t"); /* what stands beside it only */
        return denies ? first - x->end <= NEAR && !has_break(m, x->end, first) : !chosen;
    }
    return false;
}

/* Calls `each` with every sentence of the memo that is no heading and no cell, until it returns true. */
static bool for_sentences(struct memo *m,
                          bool (*each)(struct memo *m, size_t block, struct memo_range r)) {
    for (size_t b = 0; b < m->blocks; b++) {
        const struct memo_block *block = &m->block[b];
        for (size_t i = block->tokens.first;
             i < block->tokens.end && !block->is_heading && !block->cell;) {
            struct memo_range r = memo_sentence(m, block, i);
            if (r.first < i) r.first = i;
            if (r.end > r.first && each(m, b, r)) return true;
            i = r.end + 1;
        }
    }
    return false;
}

static const struct memo_mention *says(const struct memo *m, struct memo_range r,
                                       enum memo_says what) {
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++)
        if (m->mention[k].says == what) return &m->mention[k];
    return NULL;
}

/* "Plain DDP is out", "stage 3 was tempting", "stage 1 does not fit": told of the stage before. */
static bool is_dismissed(const struct memo *m, struct memo_range r, size_t mention) {
    static const char *const words[] = {
        "is out", "was out", "tempting", "considered", "rejected",      "ruled out", "oom",
        "fails",  "no way",  "too",      "not needed", "not necessary", "like",      NULL};
    const struct memo_mention *x = &m->mention[mention], *end = m->mention + m->mentions;
    size_t stop = r.end;
    for (const struct memo_mention *next = x + 1; next < end && next->first < r.end; next++)
        if (next->says == MEMO_STAGE) {
            stop = next->first;
            break;
        }
    for (size_t i = x->end; i < stop && !memo_is_mark(&m->text, i, ','); i++) {
        if (memo_is_phrase(&m->text, i, "but")) return false;
        if (memo_is_any(&m->text, i, words)) return true;
        const struct memo_mention *fits = says(m, (struct memo_range){i, i + 1}, MEMO_FITS);
        if (fits && fits->value < 1) return true;
    }
    return false;
}

/* The stage of a sentence that is taken, or SIZE_MAX: what is chosen outright, "ZeRO-2 it is", else the first that is not turned down. */
static size_t stage_taken(const struct memo *m, struct memo_range r) {
    bool chosen = false;
    size_t first = SIZE_MAX;
    if (r.end < m->text.tokens && m->text.token[r.end].mark == '?') return SIZE_MAX;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        chosen |= x->says == MEMO_CHOOSES;
        if (x->says != MEMO_STAGE || memo_is_rejected(m, r, k) || is_dismissed(m, r, k)) continue;
        if (chosen || memo_is_phrase(&m->text, x->end, "it is")) return k;
        if (first == SIZE_MAX) first = k;
    }
    return first;
}

/* The one stage of a sentence; of several, none. */
static const struct memo_mention *only_stage(const struct memo *m, struct memo_range r) {
    const struct memo_mention *one = NULL;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        if (m->mention[k].says != MEMO_STAGE) continue;
        if (one && fabs(one->value - m->mention[k].value) > 0.5) return NULL;
        one = &m->mention[k];
    }
    return one;
}

/* ── the decision ────────────────────────────────────────────────────────────────────────────────*/
struct taken {
    bool keeps, batch, rounds, offload, tensor, pipeline;
};

/* FSDP is its stage 3 unless it says otherwise. */
static bool is_full_shard(const struct memo *m, struct memo_range r) {
    for (size_t i = r.first; i < r.end; i++)
        if (memo_is_phrase(&m->text, i, "fsdp") || memo_is_phrase(&m->text, i, "fsdp2") ||
            memo_is_phrase(&m->text, i, "fully_shard"))
            return true;
    return false;
}

static bool decides(struct memo *m, struct memo_range r) {
    size_t k = stage_taken(m, r);
    if (k == SIZE_MAX && !is_full_shard(m, r)) return false;
    m->report->decided = true;
    m->report->chosen.stage = k == SIZE_MAX ? 3 : (uint8_t)m->mention[k].value;
    m->deciding = r;
    return true;
}

static bool decides_outright(struct memo *m, size_t b, struct memo_range r) {
    return m->block[b].section == STUDY_MEMO_DECISION && memo_says(m, r, MEMO_CHOOSES) &&
           decides(m, r);
}

static bool decides_there(struct memo *m, size_t b, struct memo_range r) {
    const struct memo_mention *fits = says(m, r, MEMO_FITS);
    bool refused = (fits && fits->value < 1 && only_stage(m, r)) || memo_says(m, r, MEMO_CONDITION);
    return m->block[b].section == STUDY_MEMO_DECISION && !refused && decides(m, r);
}

static bool decides_anywhere(struct memo *m, size_t b, struct memo_range r) {
    (void)b;
    return memo_says(m, r, MEMO_CHOOSES) && !memo_says(m, r, MEMO_CONDITION) && decides(m, r);
}

static void take(struct memo *m, struct memo_range r, struct taken *t) {
    struct account_training *c = &m->report->chosen;
    const struct memo_mention *x;
    if (!t->keeps && (x = says(m, r, MEMO_KEEPS)))
        c->checkpoint = (uint8_t)x->value, t->keeps = true;
    if (!t->batch && (x = says(m, r, MEMO_BATCH))) c->batch = (uint32_t)x->value, t->batch = true;
    if (!t->rounds && (x = says(m, r, MEMO_ROUNDS)))
        c->accumulate = (uint32_t)x->value, t->rounds = true;
    if (!t->offload && (x = says(m, r, MEMO_OFFLOAD)))
        c->offload_optimizer = (uint8_t)x->value, t->offload = true;
    if (!t->tensor && (x = says(m, r, MEMO_TENSOR))) c->tp = (uint32_t)x->value, t->tensor = true;
    if (!t->pipeline && (x = says(m, r, MEMO_PIPELINE)))
        c->pp = (uint32_t)x->value, t->pipeline = true;
}

/* What other sentences of the decision add, where they are not about another stage. */
static void take_rest(struct memo *m, struct taken *t) {
    for (size_t b = 0; b < m->blocks; b++) {
        const struct memo_block *block = &m->block[b];
        if (block->section != STUDY_MEMO_DECISION) continue;
        for (size_t i = block->tokens.first; i < block->tokens.end;) {
            struct memo_range r = memo_sentence(m, block, i);
            const struct memo_mention *stage = says(m, r, MEMO_STAGE);
            bool other = stage && (uint8_t)stage->value != m->report->chosen.stage;
            if (!other && !memo_says(m, r, MEMO_CONDITION) && !memo_says(m, r, MEMO_FALLBACK))
                take(m, r, t);
            i = r.end + 1;
        }
    }
}

static void weigh(struct memo *m) {
    struct study_memo_report *r = m->report;
    const struct memo_known *k = memo_know(m, &r->chosen);
    if (!k->has_memory) return;
    r->peak = k->memory.phase[k->memory.peak].ledger.total + k->gathered;
    r->fits = account_fit(r->peak, r->scenario.card_bytes);
}

/* What is assumed for the whole memo: the first share of peak arithmetic that is under no condition. */
static bool assumes(struct memo *m, size_t b, struct memo_range r) {
    (void)b;
    const struct memo_mention *x = says(m, r, MEMO_MFU);
    if (!x || memo_says(m, r, MEMO_CONDITION)) return false;
    m->efficiency = x->value;
    return true;
}

void memo_decide(struct memo *m) {
    struct study_memo_report *r = m->report;
    struct taken t = {0};
    r->chosen = r->scenario.training;
    for_sentences(m, assumes);
    bool found = for_sentences(m, decides_outright) || for_sentences(m, decides_there) ||
                 for_sentences(m, decides_anywhere);
    if (!found) return;
    take(m, m->deciding, &t);
    take_rest(m, &t);
    uint64_t round = (uint64_t)r->chosen.batch * account_data_parallel(&r->chosen);
    if (!t.rounds && r->scenario.global_batch && round)
        r->chosen.accumulate =
            (uint32_t)(r->scenario.global_batch > round ? r->scenario.global_batch / round : 1);
    weigh(m);
}

/* ── sentences ───────────────────────────────────────────────────────────────────────────────────*/
static struct study_memo_finding *find(struct memo *m, enum study_memo_kind kind, size_t block,
                                       const struct memo_mention *x) {
    return memo_find(m, kind, block, (struct memo_range){x->first, x->end});
}

static bool is_aside(struct memo *m, struct memo_range r) {
    static const enum memo_says aside[] = {MEMO_CONDITION, MEMO_GPUS,    MEMO_CARD, MEMO_BATCH,
                                           MEMO_SEQUENCE,  MEMO_OFFLOAD, MEMO_WIDE};
    static const char *const parts[] = {"on paper",           "alone",         "states only",
                                        "but not with",       "not with its",  "before activation",
                                        "without activation", "by themselves", "on their own"};
    for (size_t i = 0; i < BASE_COUNT(aside); i++)
        if (memo_says(m, r, aside[i])) return true;
    for (size_t k = 0; k < BASE_COUNT(parts); k++)
        for (size_t i = r.first; i < r.end; i++)
            if (memo_is_phrase(&m->text, i, parts[k])) return true;
    return false;
}

static uint64_t peak_of(struct memo *m, const struct account_training *t) {
    const struct memo_known *k = memo_know(m, t);
    return k->has_memory ? k->memory.phase[k->memory.peak].ledger.total + k->gathered : 0;
}

/* "This fits, and stage 1 sends as much": a stage of another clause is not what fits. */
static bool is_of_stage(const struct memo *m, const struct memo_mention *fits,
                        const struct memo_mention *stage) {
    for (size_t i = fits->end; i < stage->first; i++)
        if (memo_is_mark(&m->text, i, ',') || memo_is_mark(&m->text, i, ';') ||
            memo_is_phrase(&m->text, i, "and") || memo_is_phrase(&m->text, i, "but"))
            return false;
    return true;
}

/* "DDP peaks at 26.1 GB. It fits, but barely.": the sentence before, if that has a stage. */
static struct memo_range told_of(const struct memo *m, size_t block, struct memo_range r) {
    static const char *const pronouns[] = {"it", "that", "this", NULL};
    size_t first = m->block[block].tokens.first;
    bool says_it = memo_is_any(&m->text, r.first, pronouns) &&
                   says(m, (struct memo_range){r.first, r.first + 2}, MEMO_FITS);
    if (!says_it || r.first < first + 2 || memo_says(m, r, MEMO_ABOUT) || only_stage(m, r))
        return r;
    struct memo_range told = memo_sentence(m, &m->block[block], r.first - 2);
    for (size_t k = memo_mention_from(m, told.first);
         k < m->mentions && m->mention[k].first < told.end; k++)
        if (m->mention[k].says == MEMO_ABOUT && m->mention[k].value == MEMO_STATES) return r;
    return told;
}

/* "Stage 1 fits", without checkpointing unless that is said, or decided. */
static void judge_fit(struct memo *m, size_t block, struct memo_range r) {
    const struct memo_mention *fits = says(m, r, MEMO_FITS);
    struct memo_range told = told_of(m, block, r);
    const struct memo_mention *stage = only_stage(m, told), *keeps = says(m, told, MEMO_KEEPS);
    bool decision = m->report->decided && told.first == m->deciding.first; /* judged as such */
    if (told.first != r.first && (decision || is_aside(m, told))) return;
    uint64_t card = m->report->scenario.card_bytes;
    if (!fits || !stage || !card || is_aside(m, r) || !is_of_stage(m, fits, stage)) return;
    struct account_training t =
        m->report->decided ? m->report->chosen : m->report->scenario.training;
    if (t.stage != (uint8_t)stage->value) t.offload_optimizer = t.offload_params = ACCOUNT_GPU;
    t.stage = (uint8_t)stage->value;
    const struct memo_mention *recipe = says(m, r, MEMO_RECIPE);
    if (recipe) t.recipe = (uint8_t)recipe->value;
    if (!account_has_stage(&t, t.stage)) t.recipe = 0; /* as the paper has it */
    t.checkpoint = keeps ? (uint8_t)keeps->value : t.checkpoint;
    uint64_t least = peak_of(m, &t), most = least;
    t.checkpoint = keeps ? t.checkpoint : ACCOUNT_KEEP_ALL;
    if (!keeps) most = peak_of(m, &t);
    if (!least) return;
    bool said = fits->value > 0.5, does = least <= card, may = said ? does : most > card;
    char need[32], has[32];
    memo_print(need, sizeof need, (double)(said ? least : most), MEMO_BYTES);
    memo_print(has, sizeof has, (double)card, MEMO_BYTES);
    struct study_memo_finding *f = find(m, may ? STUDY_MEMO_RIGHT : STUDY_MEMO_WRONG, block, fits);
    memo_say(f, "stage %u %s: it needs %s of %s", t.stage,
             (said ? least : most) <= card ? "fits" : "does not fit", need, has);
    snprintf(f->figure, sizeof f->figure, "%s", said ? "fits" : "does not fit");
}

/* "Both stage 2 and stage 3" decides nothing. */
static void judge_both(struct memo *m, size_t block, struct memo_range r) {
    size_t k = stage_taken(m, r);
    const struct memo_mention *x = k < m->mentions ? &m->mention[k] : NULL, *next = x + 1;
    if (!x || k + 1 >= m->mentions || next->first >= r.end || next->says != MEMO_STAGE) return;
    bool and = next->first == x->end + 1 && memo_is_phrase(&m->text, x->end, "and");
    if (!and || fabs(next->value - x->value) < 0.5 || !memo_says(m, r, MEMO_CHOOSES)) return;
    struct study_memo_finding *f = find(m, STUDY_MEMO_CONTRADICTORY, block, next);
    memo_say(f, "stage %.0f and stage %.0f cannot both be the decision: choose one", x->value,
             next->value);
    snprintf(f->figure, sizeof f->figure, "stage %.0f", next->value);
}

/* A baseline that is run, or what is measured, is no other decision. */
static bool is_trial(const struct memo *m, size_t block, struct memo_range r) {
    return m->block[block].section == STUDY_MEMO_FIRST_HOUR || memo_says(m, r, MEMO_BASELINE) ||
           memo_says(m, r, MEMO_MEASURES);
}

static void judge_choice(struct memo *m, size_t block, struct memo_range r) {
    if (m->report->decided && r.first == m->deciding.first) judge_both(m, block, r);
    bool deciding = r.first == m->deciding.first;
    if (!m->report->decided || deciding || !memo_says(m, r, MEMO_CHOOSES)) return;
    if (memo_says(m, r, MEMO_CONDITION) || memo_says(m, r, MEMO_FALLBACK)) return;
    if (is_trial(m, block, r)) return;
    size_t k = stage_taken(m, r);
    if (k == SIZE_MAX || (uint8_t)m->mention[k].value == m->report->chosen.stage) return;
    struct study_memo_finding *f = find(m, STUDY_MEMO_CONTRADICTORY, block, &m->mention[k]);
    memo_say(f, "here stage %.0f is chosen; line %d chose stage %u", m->mention[k].value,
             m->text.token[m->deciding.first].line, m->report->chosen.stage);
    snprintf(f->figure, sizeof f->figure, "stage %.0f", m->mention[k].value);
}

/* The decision and its ledger are about the scenario's own model and machine. */
static void judge_counts(struct memo *m, size_t block, struct memo_range r) {
    const struct account_training *t = &m->report->scenario.training;
    enum study_memo_section s = m->block[block].section;
    if (s != STUDY_MEMO_DECISION && s != STUDY_MEMO_MEMORY) return;
    if (memo_says(m, r, MEMO_CONDITION)) return;
    const struct memo_mention *gpus = says(m, r, MEMO_GPUS), *params = says(m, r, MEMO_COUNT_SAID);
    if (gpus && s == STUDY_MEMO_DECISION && (uint32_t)gpus->value != t->gpus) {
        struct study_memo_finding *f = find(m, STUDY_MEMO_CONTRADICTORY, block, gpus);
        memo_say(f, "the scenario has %u GPUs, not %.0f", t->gpus, gpus->value);
        snprintf(f->figure, sizeof f->figure, "%.0f GPUs", gpus->value);
    }
    double billions = (double)t->params / 1e9;
    bool nominal = params && fabs(params->value - billions) < 0.6 &&
                   params->value == floor(params->value); /* "1B" has 1.24 */
    if (params && !nominal && fabs(params->value / billions - 1) > 0.1) {
        char count[32];
        struct study_memo_finding *f = find(m, STUDY_MEMO_CONTRADICTORY, block, params);
        memo_say(f, "the scenario has %s parameters",
                 account_print_count(count, sizeof count, (double)t->params));
        snprintf(f->figure, sizeof f->figure, "%gB", params->value);
    }
}

static bool judge_sentence(struct memo *m, size_t block, struct memo_range r) {
    judge_fit(m, block, r);
    judge_choice(m, block, r);
    judge_counts(m, block, r);
    memo_judge_efficiency(m, block, r);
    return false;
}

void memo_judge_sentences(struct memo *m) {
    for_sentences(m, judge_sentence);
}
