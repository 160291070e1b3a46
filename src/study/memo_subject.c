/* What a figure is about beyond the words nearest to it: its own unit says it ("GB/step"), its sum, the heading that names several things, the
 * state that its bytes a parameter are of. */
#include "memo.h"

#include <string.h>

static void only(struct memo_options *o, enum memo_what what) {
    o->what[0] = what;
    o->whats = 1;
    o->any = false;
}

/* What is said in a range, of a figure's dimension; returns how many different things. */
static size_t add_said(const struct memo *m, struct memo_range r, enum memo_dimension d,
                       struct memo_options *o) {
    size_t before = o->whats;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        if (x->says != MEMO_ABOUT) continue;
        enum memo_what what = (enum memo_what)x->value;
        bool sent = what >= MEMO_SENT && what <= MEMO_BETWEEN;
        if (d == MEMO_SECONDS && sent) what = MEMO_COMM;
        if (what != MEMO_NOTHING && memo_dimension_of(what) == d) memo_add_what(o, what);
    }
    return o->whats - before;
}

/* ── bytes a parameter ───────────────────────────────────────────────────────────────────────────*/
static const struct {
    enum memo_what state, rate;
} rates[] = {
    {MEMO_PARAMS,    MEMO_PER_WEIGHT   },
    {MEMO_GRADS,     MEMO_PER_GRAD     },
    {MEMO_MASTER,    MEMO_PER_MASTER   },
    {MEMO_MOMENTS,   MEMO_PER_MOMENT   },
    {MEMO_OPTIMIZER, MEMO_PER_OPTIMIZER},
    {MEMO_STATES,    MEMO_PER_PARAM    },
};

static enum memo_what rate_of(enum memo_what state) {
    for (size_t i = 0; i < BASE_COUNT(rates); i++)
        if (rates[i].state == state) return rates[i].rate;
    return MEMO_NOTHING;
}

static enum memo_what state_of(enum memo_what rate) {
    for (size_t i = 0; i < BASE_COUNT(rates); i++)
        if (rates[i].rate == rate) return rates[i].state;
    return MEMO_NOTHING;
}

/* ── arithmetic ──────────────────────────────────────────────────────────────────────────────────*/
/* "26 GB of weights, 12 B/param × 13e9 / 8 = 19.5 GB": where what is reckoned with begins, after the figure before it and that one's name. */
static size_t sum_begins(const struct memo *m, const struct memo_figure *f, size_t first) {
    const struct memo_figure *g = f;
    while (g > m->figure && g[-1].first >= first && memo_is_operand(m, g - 1)) g--;
    if (g == m->figure || g[-1].first < first) return first;
    size_t at = g[-1].end + (memo_is_phrase(&m->text, g[-1].end, "of") ? 1 : 0);
    size_t k = memo_mention_from(m, at);
    return k < m->mentions && m->mention[k].first == at ? m->mention[k].end : g[-1].end;
}

/* "Weights stay whole: 14 GB + 1.75 GB + 10.5 GB =": of more than the weights. */
static bool adds_up(const struct memo *m, struct memo_range r) {
    for (size_t i = r.first; i < r.end; i++)
        if (memo_is_mark(&m->text, i, '+')) return true;
    return false;
}

/* "48.75 GB + 16.1 GB = 64.9 GB": of anything that is named before it, or of the states or the peak. Sure where one thing is named. */
static void refine_sum(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                       struct memo_options *o) {
    static const char *const shares[] = {"divide", "shard", "partition", "split", NULL};
    struct memo_range before = {sum_begins(m, f, sentence.first), f->first};
    o->any = add_said(m, before, f->dimension, o) != 1 || f->dimension == MEMO_SECONDS ||
             memo_is_operand(m, f) ||
             memo_has_any(m, before, shares) || /* "stage 1 divides these" */
             (!memo_is_mark(&m->text, f->first - 1, '=') && !memo_is_quotient(m, before)) ||
             (adds_up(m, before) && o->what[0] > MEMO_STATES && o->what[0] < MEMO_OPTIMIZER);
    add_said(m, (struct memo_range){sentence.first, before.first}, f->dimension, o);
    struct memo_options after = {0};
    size_t at = f->end + (memo_is_phrase(&m->text, f->end, "of") ? 1 : 0);
    if (add_said(m, (struct memo_range){at, at + 1}, f->dimension, &after)) only(o, after.what[0]);
    o->conditional |= memo_is_operand(m, f); /* "= 26 GB + 182 GB / 8 = 48.75 GB" */
    if (o->whats > 1 && o->what[0] == MEMO_MASTER && o->what[1] == MEMO_MOMENTS)
        memo_add_what(o, MEMO_OPTIMIZER);
    for (const struct memo_figure *g = f;
         g > m->figure && g[-1].first >= sentence.first && g[-1].dimension != MEMO_BYTES; g--)
        if (o->any && !memo_is_mark(&m->text, g[-1].first - 1, '/') && state_of(g[-1].about))
            only(o, state_of(g[-1].about));
    if (f->dimension != MEMO_BYTES || !o->any) return;
    memo_add_what(o, MEMO_STATES);
    memo_add_what(o, MEMO_TOTAL);
    memo_add_what(o, MEMO_SPARE);
}

/* "26 GB weights", "26 GB of weights", "weights: 26 GB" */
static bool is_named(const struct memo *m, const struct memo_figure *f) {
    bool first = memo_begins_sum(m, f);
    size_t at = f->end + (memo_is_phrase(&m->text, f->end, "of") ? 1 : 0);
    for (size_t k = memo_mention_from(m, f->first > 2 ? f->first - 2 : 0);
         k < m->mentions && m->mention[k].first <= at; k++) {
        const struct memo_mention *x = &m->mention[k];
        bool before =
            x->end == f->first || (x->end + 1 == f->first && !memo_is_sign(&m->text, x->end) &&
                                   !memo_is_mark(&m->text, x->end, '='));
        if (x->says == MEMO_ABOUT && ((before && !first) || x->first == at)) return true;
    }
    return false;
}

static size_t count_stages(const struct memo *m, struct memo_range r) {
    size_t n = 0;
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++)
        n += m->mention[k].says == MEMO_STAGE;
    return n;
}

/* ── no word near it ─────────────────────────────────────────────────────────────────────────────*/
/* "thirteen billion parameters": counted, and no subject. */
static bool is_count(const struct memo *m, struct memo_range sentence) {
    enum { PARAMETERS = 1000000 };
    static const char *const words[] = {"parameter", "param", "weight", NULL};
    for (size_t i = sentence.first; i + 1 < sentence.end; i++)
        if (m->text.token[i].kind == MEMO_NUMBER && m->text.token[i].value >= PARAMETERS &&
            memo_has_any(m, (struct memo_range){i + 1, i + 2}, words))
            return true;
    return memo_says(m, sentence, MEMO_COUNT_SAID);
}

/* "45.5 GB per step", "eight micro-batches cost 204.75 GB" */
static bool is_of_step(const struct memo *m, struct memo_range sentence) {
    static const char *const words[] = {"step", NULL};
    return memo_has_any(m, sentence, words) || memo_says(m, sentence, MEMO_ROUNDS);
}

/* "12 bytes per parameter or 156 GB": of what those bytes are. */
static bool refine_product(const struct memo *m, const struct memo_figure *f,
                           struct memo_options *o) {
    enum { REACH = 2 };
    const struct memo_figure *g = f - 1;
    if (f == m->figure || g->dimension != MEMO_BYTES_PER_PARAM || g->block != f->block)
        return false;
    bool here = g->first >= memo_sentence(m, &m->block[f->block], f->first).first;
    if (!here || g->kind > STUDY_MEMO_ROUNDED) return false;
    enum memo_what state = state_of(g->about);
    if (f->first - g->end > REACH || state == MEMO_NOTHING || memo_is_operand(m, g)) return false;
    only(o, state);
    return true;
}

/* What else the sentence names, or the heading; a stage with nothing but bytes has so many states, or such a peak. It may be any of these. */
static void refine_alone(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                         struct memo_options *o) {
    const struct memo_block *b = &m->block[f->block];
    struct memo_options here = {0};
    bool named = add_said(m, sentence, f->dimension, &here) > 0;
    bool bytes = f->dimension == MEMO_BYTES;
    if (bytes && o->whats && o->what[0] == MEMO_PARAMS && is_count(m, sentence)) {
        memo_add_what(o, MEMO_STATES);
        o->any = true;
    }
    if (bytes && o->whats && o->what[0] == MEMO_GRADS && memo_says(m, sentence, MEMO_WIDE)) {
        memo_add_what(o, MEMO_TOTAL);
        o->any =
            true; /* "with fp32 gradients stage 2 keeps": they may be no more than how it is run */
    }
    if (memo_is_operand(m, f) && !is_named(m, f)) o->any = o->conditional = true;
    if (bytes && refine_product(m, f, o)) return;
    if (named && !o->any) return;
    if (named) add_said(m, sentence, f->dimension, o);
    bool over = false; /* what the items over it say, else the heading */
    for (const struct memo_block *p = b; !named && !over && p->parent; p = &m->block[p->parent - 1])
        over = add_said(m, m->block[p->parent - 1].tokens, f->dimension, o) > 0;
    if (!named && !over && b->heading.end > b->heading.first)
        add_said(m, b->heading, f->dimension, o);
    o->any |= o->whats > 1;
    if (o->any && bytes && is_of_step(m, sentence)) memo_add_what(o, MEMO_SENT);
    bool from = (f->change && count_stages(m, sentence) != 2) ||
                (f->first > 0 && memo_is_phrase(&m->text, f->first - 1, "from"));
    bool sent = b->section == STUDY_MEMO_TIME;
    if (o->any && bytes && !from && !sent) memo_add_what(o, MEMO_TOTAL);
}

/* ── over the limit ──────────────────────────────────────────────────────────────────────────────*/
/* "exceeds 85.9 GB by 3.9 GB", "3.9 GB too much", "under 85.9 GB by 18.9 GB" */
static bool refine_excess(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                          struct memo_options *o) {
    static const char *const after[] = {
        "too much",      "too many",  "too large",  "over the", "over budget",
        "over capacity", "above the", "beyond the", "short",    "more than the card",
        "more than fit", "missing",   NULL};
    static const char *const over[] = {"exceed", "over",      "miss",   "misses",  "above",
                                       "short",  "overshoot", "beyond", "not fit", NULL};
    static const char *const under[] = {"under", "below", NULL};
    struct memo_range before = {sentence.first, f->first}, next = {f->end, f->end + 1};
    bool by = false;
    for (size_t n = 1; n <= 3 && f->first >= sentence.first + n; n++)
        by |= memo_is_phrase(&m->text, f->first - n, "by") > 0;
    bool ends = memo_is_phrase(&m->text, f->end, "over") &&
                (f->end + 1 >= sentence.end || m->text.token[f->end + 1].kind == MEMO_MARK);
    if (ends || memo_has_any(m, next, after) || (by && memo_has_any(m, before, over)))
        return only(o, MEMO_EXCESS), true;
    if (by && memo_has_any(m, before, under)) return only(o, MEMO_SPARE), true;
    return false;
}

/* "sends 3.5 bytes per parameter": nothing that is kept. */
static bool names_sent(const struct memo *m, struct memo_range r) {
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        if (x->says == MEMO_ABOUT && x->value >= MEMO_SENT && x->value <= MEMO_BETWEEN) return true;
    }
    return false;
}

/* "Gradients cost 2 bytes per parameter": of what stands before it, and of all together where nothing does; the parameter of the unit is no
 * subject. Several that are named leave it open which is meant. */
static void refine_rate(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                        struct memo_options *o) {
    static const char *const adam[] = {"adam", "adamw", NULL};
    static const char *const all[] = {"all told", "altogether", "in all", "in total", NULL};
    size_t named = 0;
    if (memo_is_phrase(&m->text, f->end, "of")) { /* "4 bytes of weights" */
        struct memo_options after = {0};
        size_t k = memo_mention_from(m, f->end + 1);
        const struct memo_mention *x = k < m->mentions ? &m->mention[k] : NULL;
        bool own = x && x->first == f->end + 1 && x->says == MEMO_ABOUT;
        if (own) memo_add_what(&after, rate_of((enum memo_what)x->value));
        if (after.whats) {
            only(o, after.what[0]);
            return;
        }
    }
    size_t first = memo_is_operand(m, f) ? sum_begins(m, f, sentence.first) : sentence.first;
    for (size_t k = memo_mention_from(m, first); k < m->mentions && m->mention[k].end <= f->first;
         k++) {
        const struct memo_mention *x = &m->mention[k];
        enum memo_what rate =
            x->says == MEMO_ABOUT ? rate_of((enum memo_what)x->value) : MEMO_NOTHING;
        if (rate == MEMO_NOTHING) continue;
        if (!named++) only(o, rate);
        memo_add_what(o, rate);
    }
    bool bare = f->end == f->first + 2;                      /* "which at 2 bytes makes 26 GB" */
    bool factor = !named && (bare || memo_is_operand(m, f)); /* of what it makes */
    for (size_t i = 0; factor && i < BASE_COUNT(rates); i++) memo_add_what(o, rates[i].rate);
    if (!named && !memo_has_any(m, sentence, all)) memo_add_what(o, MEMO_PER_OPTIMIZER);
    if (named > 1 || memo_has_any(m, sentence, adam)) {
        memo_add_what(o, MEMO_PER_PARAM);
        memo_add_what(o, MEMO_PER_OPTIMIZER);
    }
    o->any = named > 1 || factor || names_sent(m, sentence);
}

/* ── links ───────────────────────────────────────────────────────────────────────────────────────*/
static void refine_link(struct memo *m, struct memo_range sentence, struct memo_options *o) {
    static const char *const inside[] = {"nvlink", "nvswitch", "pcie", "infinity fabric", NULL};
    static const char *const net[] = {"nic", "infiniband", "ib",      "ethernet",   "roce",
                                      "efa", "network",    "between", "inter node", NULL};
    bool is_inside = memo_has_any(m, sentence, inside), is_net = memo_has_any(m, sentence, net);
    if (!is_inside || is_net) memo_add_what(o, MEMO_NET);
    if (is_net && !is_inside) only(o, MEMO_NET);
    bool pcie = memo_has_any(m, sentence, (const char *const[]){"pcie", NULL});
    o->any |= (!is_inside && !is_net) || pcie;
}

/* ── what changes ────────────────────────────────────────────────────────────────────────────────*/
/* What it falls from may be any stage's, checkpointed or not; what it falls to is doubtful where nothing is said that could change it. */
static void refine_change(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                          struct memo_options *o) {
    static const enum memo_says changes[] = {MEMO_STAGE,    MEMO_KEEPS,   MEMO_RECIPE, MEMO_GPUS,
                                             MEMO_BATCH,    MEMO_ROUNDS,  MEMO_CARD,   MEMO_OVER,
                                             MEMO_SEQUENCE, MEMO_OFFLOAD, MEMO_WIDE};
    bool said = false;
    for (size_t i = 0; i < BASE_COUNT(changes); i++) said |= memo_says(m, sentence, changes[i]);
    if (f->change == MEMO_TO) o->any |= !said;
    if (f->change != MEMO_FROM || count_stages(m, sentence) >= 2) return;
    o->any = true;
    o->base = m->report->decided ? m->report->chosen : m->report->scenario.training;
    o->stages = o->kept = 0;
    for (uint8_t k = 0; k < 4; k++) o->stage[o->stages++] = k;
    for (uint8_t k = 0; k < 3; k++) o->keeps[o->kept++] = k;
}

/* ── what is sent ────────────────────────────────────────────────────────────────────────────────*/
/* "8 micro-batches send": all of them, not one. Of another stage than the chosen one the sentence may leave accumulation aside. */
static void refine_rounds(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                          struct memo_options *o) {
    double rounds = 0;
    for (size_t k = memo_mention_from(m, sentence.first);
         k < m->mentions && m->mention[k].end <= f->first; k++) {
        if (m->mention[k].says == MEMO_ROUNDS) rounds = m->mention[k].value;
        if (m->mention[k].says == MEMO_MICRO) rounds = 0;
    }
    bool other = m->report->decided && o->stages && o->stage[0] != m->report->chosen.stage;
    if (rounds >= 1) {
        o->rounds[0] = (uint32_t)rounds;
        o->round_count = 1;
    } else if (other && o->round_count == 1 && o->rounds[0] != 1)
        o->rounds[o->round_count++] = 1;
}

/* "All 8 GPUs together" are all of them; "all 8 GPUs hold" and "the ranks together" may be. */
static void refine_sum_of_gpus(const struct memo *m, struct memo_range sentence,
                               struct memo_options *o) {
    static const char *const words[] = {"together", "combined",   "summed",   "in total",
                                        "in sum",   "altogether", "added up", NULL};
    static const char *const gpus[] = {"gpus", "ranks", "cards", "devices", NULL};
    const struct memo_text *t = &m->text;
    bool added = false, several = false, all = false;
    for (size_t i = sentence.first; i < sentence.end; i++) {
        added |= memo_is_any(t, i, words) && !memo_is_phrase(t, i, "together with");
        if (!memo_is_any(t, i, gpus)) continue;
        several = true;
        for (size_t n = 1; n <= 3 && i >= sentence.first + n; n++)
            all |= memo_is_phrase(t, i - n, "all") > 0;
    }
    o->cluster |= all && added;
    o->summed = all || (added && several);
}

/* "| fp32 master + Adam |": of both together, or of more. */
static void refine_cell(const struct memo *m, const struct memo_block *b, struct memo_options *o) {
    bool several = false;
    for (size_t i = b->row.first; i < b->row.end; i++)
        several |= memo_is_mark(&m->text, i, '+') || memo_is_phrase(&m->text, i, "and");
    bool state = o->whats && o->what[0] >= MEMO_STATES && o->what[0] <= MEMO_OPTIMIZER;
    if (!several || !state) return;
    memo_add_what(o, MEMO_OPTIMIZER);
    memo_add_what(o, MEMO_STATES);
    o->any = true;
}

/* "leaves 14.4 GB for activations": beside the states, or beside all of the peak. */
static bool refine_left(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                        struct memo_options *o) {
    static const char *const leaves[] = {"leave", "leaves", "leaving", NULL};
    struct memo_range before = {f->first, f->first};
    while (before.first > sentence.first && f->first - before.first < 3) before.first--;
    if (!memo_has_any(m, before, leaves) || !memo_is_phrase(&m->text, f->end, "for")) return false;
    only(o, MEMO_LEFT);
    memo_add_what(o, MEMO_SPARE);
    return true;
}

/* "halves the memory to 46 GB": no nearer word says which memory. */
static void refine_memory(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                          struct memo_options *o) {
    enum { REACH = 4 };
    static const char *const words[] = {"memory", NULL}, *const of[] = {"usable", "host", "cpu",
                                                                        NULL};
    struct memo_range near = {f->first, f->first};
    while (near.first > sentence.first && f->first - near.first < REACH) near.first--;
    for (size_t k = memo_mention_from(m, near.first);
         k < m->mentions && m->mention[k].first < f->end; k++)
        if (m->mention[k].says == MEMO_ABOUT) return;
    if (memo_has_any(m, near, words) && !memo_has_any(m, near, of)) only(o, MEMO_TOTAL);
}

/* "a step takes 1.2 min", and not "20 steps take 24 min" */
bool memo_is_of_step(const struct memo *m, const struct memo_figure *f) {
    struct memo_range sentence = memo_sentence(m, &m->block[f->block], f->first);
    bool step = false;
    size_t said = 0;
    for (size_t k = memo_mention_from(m, sentence.first);
         k < m->mentions && m->mention[k].end <= f->first; k++) {
        const struct memo_mention *x = &m->mention[k];
        bool counted = false; /* "20 steps", "100k steps" */
        for (size_t n = 1; n <= 2 && n <= x->first; n++)
            counted |= m->text.token[x->first - n].kind == MEMO_NUMBER;
        if (x->says == MEMO_ABOUT && memo_dimension_of((enum memo_what)x->value) == MEMO_SECONDS)
            step = !counted && x->value < MEMO_TRAINING, said = x->first;
    }
    bool first = f == m->figure || f[-1].first < said; /* no other figure's */
    return step && first && !memo_says(m, sentence, MEMO_CONDITION);
}

/* "397 GB, 212 GB of it over InfiniBand": what crosses the network, perhaps. */
static void refine_between(struct memo *m, const struct memo_figure *f, struct memo_range sentence,
                           struct memo_options *o) {
    enum { BEFORE = 4, AFTER = 6 };
    static const char *const part[] = {"of it",    "of this",  "of that", "of them",
                                       "of these", "of which", "of that", NULL};
    static const char *const net[] = {"infiniband", "ib",  "ethernet", "network", "nodes",
                                      "roce",       "efa", "nic",      "wire",    NULL};
    struct memo_range before = {f->first, f->first}, after = {f->end, f->end};
    while (before.first > sentence.first && f->first - before.first < BEFORE) before.first--;
    while (after.end < sentence.end && after.end - f->end < AFTER) after.end++;
    bool parted = memo_has_any(m, before, part) ||
                  memo_has_any(m, (struct memo_range){f->end, f->end + 1}, part);
    if (parted && memo_has_any(m, after, net)) memo_add_what(o, MEMO_BETWEEN);
}

/* "The master copy (52 GB) and Adam (104 GB)": then Adam's are the moments. */
static bool names_master(const struct memo *m, struct memo_range r) {
    for (size_t k = memo_mention_from(m, r.first); k < m->mentions && m->mention[k].first < r.end;
         k++)
        if (m->mention[k].says == MEMO_ABOUT && m->mention[k].value == MEMO_MASTER) return true;
    return false;
}

static void refine(struct memo *m, const struct memo_figure *f, struct memo_options *o) {
    const struct memo_block *b = &m->block[f->block];
    struct memo_range sentence = memo_sentence(m, b, f->first);
    if (f->per_gpu) o->per_gpu = true, o->cluster = false;
    if (f->dimension == MEMO_BYTES && f->per_step) only(o, MEMO_SENT);
    if (f->dimension == MEMO_BYTES_PER_PARAM) refine_rate(m, f, sentence, o);
    if (f->dimension == MEMO_BYTE_RATE) refine_link(m, sentence, o);
    if (b->cell) {
        refine_cell(m, b, o);
        return;
    }
    if (!f->per_gpu) refine_sum_of_gpus(m, sentence, o);
    refine_rounds(m, f, sentence, o);
    if (f->dimension == MEMO_BYTES) refine_between(m, f, sentence, o);
    if (f->dimension == MEMO_BYTES && refine_excess(m, f, sentence, o)) return;
    if (f->per_step) return;
    if (f->dimension == MEMO_BYTES && refine_left(m, f, sentence, o)) return;
    if (f->dimension == MEMO_BYTES) refine_memory(m, f, sentence, o);
    if (o->whats && o->what[0] == MEMO_OPTIMIZER && names_master(m, sentence))
        memo_add_what(o, MEMO_MOMENTS);
    if (f->change) refine_change(m, f, sentence, o);
    if (f->is_sum) refine_sum(m, f, sentence, o);
    if (!f->is_sum && f->dimension <= MEMO_SECONDS) refine_alone(m, f, sentence, o);
}

void memo_refine(struct memo *m, const struct memo_figure *f, struct memo_options *o) {
    refine(m, f, o);
    memo_doubt(m, f, o);
}
