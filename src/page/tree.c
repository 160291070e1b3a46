/* The decision tree: all the forks on the way to a plan, and the way that account_plan() took
 * through them. What a fork found is next to it; where the way leaves the trunk, the arrow is drawn
 * bold. On a page of thick bars forks stand farther apart, and what a GPU would need is a bar under
 * each that was walked, with a line for what it has.
 *
 *   {"kind":"tree","training":{"model":"llama-2-13b","gpu":"a100-80g","gpus":8},"global_batch":64,
 *    "host_memory":"2TB","nvme_space":"30TB","upto":3}
 *
 * Fields that the training has are given, the others are the plan's to choose. upto: only so many
 * forks are decided, the next one is asked. brief: only the way itself, and right under it what was
 * asked last. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 32, PLANS = 4, ARROW = 10, GAP = 2, TRUNK = 2, SIGN = 2, MOST_CARDS = 3 };
/* When a row is drawn: after the trunk, and there as for WALKED, only if the walk came to it. */
enum when { ALWAYS, ALONE, TOGETHER, WALKED, AFTER };

static const struct row {
    /* how account's fork begins */
    const char *question;
    const char *label, *yes;
    enum when when;
} rows[] = {
    {"Does it fit on one GPU?", "on one GPU?", "nothing to share", ALONE},
    {"Does it fit under plain data parallel", "under plain data parallel (DDP)?", "keep it simple",
     TOGETHER},
    {"Would a higher stage help?", "would a higher stage help?", "shard", WALKED},
    {"Does it fit with stage 1?", "with stage 1?", "shard the optimizer's states", TOGETHER},
    {"Does it fit with stage 2?", "with stage 2?", "shard gradients as well", TOGETHER},
    {"Does it fit with stage 3?", "with stage 3?", "shard parameters as well", TOGETHER},
    {"With activations computed again", "with full checkpointing?", "compute activations again",
     ALWAYS},
    {"With a micro-batch of one", "with a micro-batch of one?", "smaller micro-batches", WALKED},
    {"With the optimizer on the host", "with the optimizer on the host?", "offload it", ALWAYS},
    {"With the parameters there too?", "with the parameters there too?", "offload both", ALWAYS},
    {"With both on NVMe?", "with both on NVMe?", "offload to disk", ALWAYS},
    {"With layers divided among GPUs", "with layers divided among GPUs?", "model parallel",
     TOGETHER},
    {"With the frozen base in 4 bits", "with the frozen base in 4 bits?", "QLoRA", WALKED},
    {"How many such GPUs are enough?", "with more such GPUs?", "use more", ALWAYS},
    {"Would twice the GPUs be better than offload?", "", "", AFTER},
    {"How large a micro-batch?", "", "", AFTER},
    {"Which plan that fits", "", "", AFTER},
};

/* a row of the figure: a fork that was walked, or one that was not */
struct step {
    /* NULL: a fork that no row knows */
    const struct row *row;
    /* NULL: not walked */
    const struct account_fork *fork;
    size_t index;
};
struct tree {
    struct account_question question;
    struct account_plans plans;
    struct account_plan plan[PLANS];
    size_t upto;
    bool brief;
    size_t steps;
    struct step step[MOST_ROWS];
    /* widths */
    int labels, ends;
    /* before the last move of a slider; NULL: none was made */
    const struct tree *was;
};

/* ── the question ──────────────────────────────────────────────────────────────────────────────*/
static const char *const own_keys[] = {"global_batch", "host_memory", "nvme_space"};

/* A number or text that may stand next to the training or in it; NULL if it is in neither. The
 * caller owns it. */
static char *amount_of(const json_t *spec, const char *key) {
    const json_t *value = json_object_get(spec, key);
    if (!value) value = json_object_get(json_object_get(spec, "training"), key);
    if (json_is_number(value)) return base_format("%.17g", json_number_value(value));
    return json_is_string(value) ? base_dup(json_string_value(value)) : NULL;
}

static bool read_amount(const json_t *spec, const char *key, uint64_t *out,
                        struct base_message *m) {
    char *text = amount_of(spec, key);
    struct account_error e;
    double bytes = 0;
    bool counts = !strcmp(key, "global_batch");
    bool ok = !text ||
              (counts ? account_read_count(text, out, &e) : account_read_bytes(text, &bytes, &e));
    if (text && ok && !counts) *out = bytes < 1e18 ? (uint64_t)bytes : 0;
    ok = !text || (ok && *out > 0);
    if (!ok)
        base_fail(m, "the tree's %s cannot be \"%s\": it is %s", key, text,
                  counts ? "sequences per step, such as 64" : "bytes per node, such as \"2TB\"");
    free(text);
    return ok;
}

/* What the training names is given; what it leaves out is the plan's to choose. */
static uint64_t pinned_of(const json_t *training) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    uint64_t pinned = 0;
    for (size_t i = 0; i < count && i < 64; i++)
        if (json_object_get(training, field[i].name)) pinned |= 1ull << i;
    return pinned;
}

static bool read_question(const json_t *spec, struct account_question *q, struct base_message *m) {
    uint64_t *const amounts[] = {&q->global_batch, &q->host_bytes, &q->nvme_bytes};
    for (size_t i = 0; i < BASE_COUNT(own_keys); i++)
        if (!read_amount(spec, own_keys[i], amounts[i], m)) return false;
    json_t *training = json_copy(json_object_get(spec, "training"));
    for (size_t i = 0; i < BASE_COUNT(own_keys); i++) json_object_del(training, own_keys[i]);
    q->pinned = pinned_of(training);
    bool ok = page_training_read(training, &q->training, m);
    json_decref(training);
    return ok;
}

static bool read_tree(const json_t *spec, struct tree *t, struct base_message *m) {
    struct account_error e;
    const json_t *upto = json_object_get(spec, "upto");
    if (!read_question(spec, &t->question, m)) return false;
    if (upto && (!json_is_integer(upto) || json_integer_value(upto) < 0))
        return base_fail(m, "a tree's upto is how many forks are decided: 0, 1, 2 …");
    if (!account_plan(&t->question, t->plan, PLANS, &t->plans, &e))
        return base_fail(m, "%s", e.what);
    t->brief = base_json_bool(spec, "brief", false);
    t->upto = upto ? (size_t)json_integer_value(upto) : t->plans.forks;
    return true;
}

/* The tree of before the last move of a slider, or NULL; the caller's. */
static struct tree *read_before(const json_t *spec) {
    json_t *training = json_object_get(spec, "before"), *moved = json_copy((json_t *)spec);
    struct tree *was = base_alloc(sizeof *was);
    *was = (struct tree){0};
    if (training) json_object_set(moved, "training", training);
    bool ok = training && read_tree(moved, was, NULL);
    json_decref(moved);
    if (!ok) free(was);
    return ok ? was : NULL;
}

/* ── trunk and way ─────────────────────────────────────────────────────────────────────────────*/
static const struct row *row_of(const struct account_fork *fork) {
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        if (!strncmp(fork->question, rows[i].question, strlen(rows[i].question))) return &rows[i];
    return NULL;
}

static bool is_drawn(const struct tree *t, const struct row *row) {
    bool alone = t->question.training.gpus == 1;
    return row->when == ALWAYS || (row->when == ALONE && alone) ||
           (row->when == TOGETHER && !alone);
}

static void add(struct tree *t, const struct row *row, size_t index) {
    bool shown = index <= t->upto && index < t->plans.forks;
    if (!shown && (t->brief || !(row && is_drawn(t, row)))) return;
    if (t->steps < MOST_ROWS)
        t->step[t->steps++] = (struct step){row, shown ? &t->plans.fork[index] : NULL, index};
}

/* Every row in its place, walked or not; forks that stand nowhere, where the walk came to them. */
static void grow(struct tree *t) {
    size_t next = 0, none = t->plans.forks;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const struct row *row = NULL;
        for (; next < none; next++) {
            row = row_of(&t->plans.fork[next]);
            if (row && row >= &rows[i]) break;
            add(t, row, next);
        }
        bool walked = next < none && row == &rows[i];
        add(t, &rows[i], walked ? next++ : none);
    }
    for (; next < none; next++) add(t, NULL, next);
}

static bool is_after(const struct step *s) {
    return !s->row || s->row->when == AFTER;
}

/* Of what was asked after the trunk only the last. */
static void cut_short(struct tree *t) {
    size_t kept = 0;
    for (size_t i = 0; i < t->steps; i++)
        if (!is_after(&t->step[i]) || i + 1 == t->steps) t->step[kept++] = t->step[i];
    t->steps = kept;
}

static const char *label_of(const struct step *s) {
    return s->row && *s->row->label ? s->row->label : s->fork->question;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Whether the way leaves the trunk here. A number of GPUs is a yes. */
static bool is_taken(const struct step *s) {
    return !is_after(s) && strcmp(s->fork->answer, "no") != 0 &&
           (!strcmp(s->fork->answer, "yes") || strspn(s->fork->answer, "0123456789"));
}

static bool is_decided(const struct tree *t, const struct step *s) {
    return s->fork && s->index < t->upto;
}

struct sign {
    const char *answer, *sign;
    unsigned role;
};

static struct sign sign_of(const struct tree *t, const struct step *s) {
    static const struct sign signs[] = {
        {"no", "✗", PAGE_BAD},
        {"tight", "~", PAGE_WARN},
        {"yes", "✓", PAGE_GOOD},
    };
    if (!s->fork) return (struct sign){NULL, "○", PAGE_DIM};
    if (s->index >= t->upto) return (struct sign){NULL, "▸", PAGE_ACCENT};
    for (size_t i = 0; i < BASE_COUNT(signs) && !is_after(s); i++)
        if (!strcmp(s->fork->answer, signs[i].answer)) return signs[i];
    return is_taken(s) ? signs[BASE_COUNT(signs) - 1] : (struct sign){NULL, "●", PAGE_ACCENT};
}

/* The measured quantity: of a sum only what it comes to, but where the way stands now. */
static const char *quantity_of(const struct tree *t, const struct step *s) {
    const char *text = s->fork->because, *sum = NULL;
    bool last = s->index + 1 == t->upto || is_taken(s);
    for (const char *at = strstr(text, " = "); at; at = strstr(at + 1, " = ")) sum = at + 3;
    return sum && !last ? sum : text;
}

/* " ── yes ─▸ shard the optimizer's states", bold where the way leaves here. */
static void draw_branch(struct page *p, int row, int column, const struct row *r, bool taken) {
    unsigned role = taken ? PAGE_GOOD : PAGE_DIM;
    column = page_put(p, row, column, role, 0, taken ? "━━ yes ━▸ " : "── yes ─▸ ");
    page_put(p, row, column, taken ? PAGE_STRONG : PAGE_DIM, 0, r->yes);
}

/* Whether the way came here, or went by. */
static bool is_passed(const struct tree *t, const struct step *s) {
    for (; s < t->step + t->steps && !is_after(s); s++)
        if (is_decided(t, s)) return true;
    return false;
}

/* The same, if it does not fit next to the question. */
static void draw_outcome(struct page *p, const struct row *r, struct page_flow f) {
    char *text = base_format("▸ %s", r->yes);
    f.role = PAGE_GOOD;
    page_text(p, f, text);
    free(text);
}

/* The way down as far as it went, where it turned, and the trunk it did not come to. */
static void draw_trunk(struct page *p, const struct tree *t, const struct step *s, int row,
                       int column) {
    static const char *const signs[][2] = {{"┊", ":"}, {"┃", "|"}, {"┗", "\\"}};
    bool turns = is_decided(t, s) && is_taken(s);
    int which = turns ? 2 : is_passed(t, s);
    unsigned role = which ? PAGE_ACCENT : PAGE_DIM;
    if (is_after(s)) return;
    page_put(p, row, column, role, 0, signs[which][p->ascii]);
    for (row++; row < p->height && !turns; row++)
        page_put(p, row, column, role, 0, signs[which][p->ascii]);
}

/* The answer and what it stands on; the caller's. */
static char *because_of(const struct tree *t, const struct step *s) {
    const char *answer = s->fork->answer, *quantity = quantity_of(t, s);
    bool said = !strncmp(quantity, answer, strlen(answer)); /* "stage 3, tp 2: 106 s per step" */
    return said ? base_dup(quantity) : base_format("%s: %s", answer, quantity);
}

/* What the same fork stood on before the last move of a slider; NULL: nothing, or none was made. */
static const char *because_before(const struct tree *t, const struct step *s) {
    for (size_t i = 0; t->was && i < t->was->plans.forks; i++)
        if (strcmp(t->was->plans.fork[i].question, s->fork->question) == 0)
            return t->was->plans.fork[i].because;
    return NULL;
}

/* Of "no: 27.9 GB of 42.9 GB; 1.10 TB of each node's 1.00 TB host" only the memory that is too
 * small, which fits next to the question. */
static void keep_lacking(const struct step *s, char *because) {
    char *card = strstr(because, ": "), *tier = strstr(because, "; ");
    if (!card || !tier || card > tier) return;
    if (s->fork->needs > s->fork->has)
        *tier = '\0';
    else
        memmove(card + 2, tier + 2, strlen(tier + 2) + 1);
}

/* What the fork found: next to it where the way went on, so that the trunk is short; else below. */
static void draw_because(struct page *p, const struct tree *t, const struct step *s,
                         struct page_flow f, bool below) {
    char *text = because_of(t, s);
    if (!below && page_measure(p, text) > f.width) keep_lacking(s, text);
    f.role = PAGE_PLAIN;
    page_text_changed(p, f, text, because_before(t, s));
    free(text);
}

static void draw_because_right(struct page *p, const struct tree *t, const struct step *s, int row,
                               struct page_flow f) {
    struct page *right_side = page_new(f.width, p->ascii);
    draw_because(right_side, t, s, (struct page_flow){.width = f.width}, false);
    page_paste(p, right_side, row, f.indent);
    page_free(right_side);
}

static struct page_flow inside(struct page_flow f, int by) {
    return (struct page_flow){
        .indent = f.indent + by, .width = f.width > by ? f.width - by : 1, .role = f.role};
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static bool has_bar(const struct page *p, const struct tree *t, const struct step *s) {
    return p->thick > 1 && is_decided(t, s) && s->fork->has > 0;
}

/* In the colour of whether it fits. The line is always at the same place, so that it stays while
 * sliders move; a bar that is more than so many times as long is cut. */
static void draw_needs(struct page *p, const struct tree *t, const struct step *s,
                       struct page_flow f) {
    int row = p->height, line = f.width / MOST_CARDS, most = MOST_CARDS * line - 1;
    bool over = s->fork->needs > s->fork->has; /* seen behind the line, however little it is */
    double cells =
        fmax(over ? line + 2 : 1, round((double)s->fork->needs / (double)s->fork->has * line));
    for (int r = row; r < row + p->thick / 2; r++) {
        for (int i = 0; i < most && i < cells; i++)
            page_put(p, r, f.indent + i, sign_of(t, s).role, 0, "█");
        if (cells > most) page_put(p, r, f.indent + most, PAGE_BAD, 0, p->ascii ? ">" : "▸");
        page_put(p, r, f.indent + line, PAGE_LIMIT, 0, page_limit_sign);
    }
}

/* What the line is, once for all bars. */
static void draw_meaning(struct page *p, const struct tree *t, struct page_flow f) {
    const struct account_training *base = &t->plans.base;
    int row = p->height;
    bool any = false;
    for (size_t i = 0; i < t->steps; i++) any = any || has_bar(p, t, &t->step[i]);
    if (!any) return;
    char *card = page_card_name(base->card),
         *has = page_bytes((double)account_card_bytes(base->card)),
         *words = base_format("what one %s has: %s", card, has);
    page_sign(p, f, &row, f.indent, PAGE_LIMIT, page_limit_sign, words);
    page_blank(p, 1);
    free(words);
    free(has);
    free(card);
}

static void draw_step(struct page *p, const struct tree *t, const struct step *s,
                      struct page_flow f) {
    struct sign sign = sign_of(t, s);
    struct page_flow words = inside(f, is_after(s) ? SIGN : TRUNK + SIGN),
                     right = inside(words, t->labels + GAP);
    bool decided = is_decided(t, s), taken = decided && is_taken(s),
         wide = !is_after(s) && right.width >= ARROW + t->ends,
         below = !wide || taken || s->index + 1 == t->upto;
    int row = p->height;
    words.role = !s->fork ? PAGE_DIM : decided ? PAGE_PLAIN : PAGE_STRONG;
    page_text(p, words, label_of(s));
    page_put(p, row, words.indent - SIGN, sign.role, 0, sign.sign);
    if (wide && (!decided || taken || below)) draw_branch(p, row, right.indent, s->row, taken);
    if (decided && below) draw_because(p, t, s, words, true);
    if (decided && !below) draw_because_right(p, t, s, row, right);
    if (!wide && taken) draw_outcome(p, s->row, words);
    if (has_bar(p, t, s)) draw_needs(p, t, s, words);
    if (!is_after(s)) page_blank(p, (p->thick - 1) / 2);
    draw_trunk(p, t, s, row, f.indent);
}

static void draw_head(struct page *p, const struct tree *t, struct page_flow f) {
    const struct account_training *base = &t->plans.base;
    char *model = page_model_name(base), *card = page_card_name(base->card);
    char *line = base_format("%s on %u × %s: does it fit…", model, base->gpus, card);
    f.role = PAGE_STRONG;
    page_text(p, f, line);
    if (base->seq)
        page_note(p, f, "%llu sequences per step, of %u tokens each",
                  (unsigned long long)t->plans.global_batch, base->seq);
    free(line);
    free(card);
    free(model);
}

static void measure(const struct page *p, struct tree *t) {
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        int label = page_measure(p, rows[i].label), end = page_measure(p, rows[i].yes);
        t->labels = label > t->labels ? label : t->labels;
        t->ends = end > t->ends ? end : t->ends;
    }
}

bool page_figure_tree(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct tree *t = base_alloc(sizeof *t);
    *t = (struct tree){0};
    bool ok = read_tree(spec, t, m), after = false;
    struct tree *was = read_before(spec);
    t->was = was;
    if (ok) {
        grow(t);
        if (t->brief) cut_short(t);
        measure(p, t);
        draw_head(p, t, f);
        draw_meaning(p, t, f);
    }
    for (size_t i = 0; ok && i < t->steps; i++) {
        if (is_after(&t->step[i]) && !after && !t->brief) page_blank(p, 1);
        after = after || is_after(&t->step[i]);
        draw_step(p, t, &t->step[i], f);
    }
    free(was);
    free(t);
    return ok;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* "With stage 1? No: 97.5 GB. The way leaves here: shard the optimizer's states." */
static void say_step(struct page *p, const struct tree *t, const struct step *s,
                     struct page_flow f) {
    bool decided = is_decided(t, s);
    char *because = decided ? because_of(t, s) : base_dup("to be decided");
    page_say(p, f, "%s %s.%s%s%s", label_of(s), because,
             decided && is_taken(s) ? " The way leaves here: " : "",
             decided && is_taken(s) ? s->row->yes : "", decided && is_taken(s) ? "." : "");
    free(because);
}

/* "Not asked: with stage 3? with full checkpointing?" */
static void say_not_asked(struct page *p, const struct tree *t, struct page_flow f) {
    struct base_text text = {0};
    for (size_t i = 0; i < t->steps; i++)
        if (!t->step[i].fork) base_text_printf(&text, " %s", label_of(&t->step[i]));
    if (text.s) page_say(p, f, "Not asked:%s", text.s);
    base_text_free(&text);
}

bool page_words_tree(struct page *p, struct page_flow f, const json_t *spec,
                     struct base_message *m) {
    struct tree *t = base_alloc(sizeof *t);
    *t = (struct tree){0};
    bool ok = read_tree(spec, t, m);
    if (ok) {
        grow(t);
        if (t->brief) cut_short(t);
        draw_head(p, t, f);
    }
    for (size_t i = 0; ok && i < t->steps; i++)
        if (t->step[i].fork) say_step(p, t, &t->step[i], f);
    if (ok) say_not_asked(p, t, f);
    free(t);
    return ok;
}
