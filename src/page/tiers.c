/* The tiers of memory, the fast and small one on top: what each holds, how fast the way down is,
 * and what a training keeps there.
 *
 *   {"kind":"tiers","card":"a100-80g"}
 *       a card, and the node that such cards are usually part of
 *   {"kind":"tiers","training":{"model":"llama-2-13b","gpu":"a100-80g","gpus":8,"stage":3,
 *    "offload_optimizer":"host"}} */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 18, PAD = 2 };

struct tier {
    const char *name;
    /* 0: not known */
    uint64_t holds;
    /* bytes per second for one GPU; 0: not known */
    double rate;
    char *holds_words;
    /* what leads here from the tier above; NULL on top */
    char *way;
    struct account_ledger kept;
};
struct tiers {
    /* whether a category is too small for its bar */
    bool marked;
    struct account_training training;
    const struct account_node *node;
    /* a training says what is kept */
    bool kept;
    char *where;
    struct tier tier[ACCOUNT_TIERS];
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool read_card(const json_t *spec, struct tiers *t, struct base_message *m) {
    const char *name = base_json_text(spec, "card", NULL);
    struct account_error e;
    if (name && !account_set(&t->training, "gpu", name, &e)) return base_fail(m, "%s", e.what);
    return t->training.card ||
           base_fail(m,
                     "tiers need a card, such as \"card\":\"a100-80g\", or a training with a gpu");
}

/* On the GPU what is there at the step's highest moment; per node on the others. */
static bool read_kept(struct tiers *t, struct base_message *m) {
    struct account_memory memory;
    struct account_error e;
    if (!account_memory(&t->training, &memory, &e)) return base_fail(m, "%s", e.what);
    t->tier[ACCOUNT_GPU].kept = memory.phase[memory.peak].ledger;
    t->tier[ACCOUNT_HOST].kept = memory.host;
    t->tier[ACCOUNT_NVME].kept = memory.nvme;
    t->where = base_dup(memory.phase[memory.peak].where);
    return true;
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void name_gpu(struct tiers *t) {
    struct tier *tier = &t->tier[ACCOUNT_GPU];
    char *card = page_card_name(t->training.card), *rate = page_rate(t->training.card->memory_rate);
    tier->holds = account_card_bytes(t->training.card);
    tier->rate = t->training.card->memory_rate;
    char *bytes = page_bytes((double)tier->holds);
    tier->holds_words = base_format("%s: %s at %s", card, bytes, rate);
    tier->name = "GPU memory";
    free(bytes);
    free(rate);
    free(card);
}

/* "2.00 TB a node of 8 GPUs", or that nobody knows. */
static char *shared_words(const struct tiers *t, uint64_t bytes) {
    if (!bytes) return base_dup("not catalogued: differs by machine");
    char *amount = page_bytes((double)bytes),
         *words = base_format("%s per node of %u GPUs", amount, t->node->gpus);
    free(amount);
    return words;
}

static void name_host(struct tiers *t) {
    struct tier *tier = &t->tier[ACCOUNT_HOST];
    struct account_link link = account_host_link(&t->training);
    char *rate = page_rate(link.rate);
    tier->name = "host memory";
    tier->holds = t->node ? t->node->host_bytes : 0;
    tier->rate = link.rate;
    tier->holds_words = shared_words(t, tier->holds);
    tier->way = link.rate > 0 ? base_format("%s, %s each way per GPU", link.name, rate)
                              : base_dup("a link that is not catalogued");
    free(rate);
}

static void name_nvme(struct tiers *t) {
    struct tier *tier = &t->tier[ACCOUNT_NVME];
    double all = t->node ? t->node->nvme_rate : 0;
    tier->name = "NVMe";
    tier->holds = t->node ? t->node->nvme_bytes : 0;
    tier->rate = all > 0 ? all / t->node->gpus : 0;
    tier->holds_words = shared_words(t, tier->holds);
    if (!(all > 0)) {
        tier->way = base_dup("a rate that is not catalogued");
        return;
    }
    char *rate = page_rate(all), *each = page_rate(tier->rate);
    tier->way = base_format("%s a node: %s a GPU", rate, each);
    free(each);
    free(rate);
}

static bool read_tiers(const json_t *spec, struct tiers *t, struct base_message *m) {
    const json_t *training = json_object_get(spec, "training");
    t->kept = training != NULL;
    t->training = account_training_default();
    if (t->kept && !page_training_read(training, &t->training, m)) return false;
    if (!read_card(spec, t, m)) return false;
    t->node = account_node_of(t->training.card);
    if (t->kept && !read_kept(t, m)) return false;
    name_gpu(t);
    name_host(t);
    name_nvme(t);
    return true;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
struct box {
    int left, width;
};

/* Wider from tier to tier, about one middle. */
static struct box box_of(struct page_flow f, int tier) {
    int step = STEP * f.width / 80;
    int width = f.width - (ACCOUNT_TIERS - 1 - tier) * step;
    return (struct box){f.indent + (f.width - width) / 2, width};
}

static void draw_frame(struct page *p, struct box b, int top, int bottom, const char *name) {
    int right = b.left + b.width - 1;
    page_rule(p, top, b.left, b.width);
    page_rule(p, bottom, b.left, b.width);
    page_put(p, top, b.left, PAGE_DIM, 0, "┌");
    page_put(p, top, right, PAGE_DIM, 0, "┐");
    page_put(p, bottom, b.left, PAGE_DIM, 0, "└");
    page_put(p, bottom, right, PAGE_DIM, 0, "┘");
    for (int row = top + 1; row < bottom; row++) {
        page_put(p, row, b.left, PAGE_DIM, 0, "│");
        page_put(p, row, right, PAGE_DIM, 0, "│");
    }
    page_printf(p, top, b.left + 1, PAGE_STRONG, " %s ", name);
}

/* The box's width is what the tier holds; of what is too much for it, the line is where it ends. */
static bool draw_bar(struct page *p, const struct tier *t, struct page_flow f) {
    double kept = (double)t->kept.total, holds = t->holds ? (double)t->holds : kept;
    bool over = kept > holds;
    int columns = f.width - 1, past;
    while ((past = page_bar_width(p, t->kept.bytes, fmax(kept, holds) / columns) - f.width) > 0 &&
           columns > past)
        columns -= past;
    int limit = over ? f.indent + (int)(holds / kept * columns) : -1;
    struct page_part part[ACCOUNT_CATEGORIES];
    return page_bar_thick(p, p->height, p->thick, f.indent, part,
                          page_parts_of(p, t->kept.bytes, part), fmax(kept, holds) / columns, limit,
                          PAGE_LIMIT);
}

static bool is_over(const struct tier *t) {
    return t->holds && t->kept.total > t->holds;
}

/* "keeps 31.4 GB", and by how much that is too much; the caller's. */
static char *kept_words(const struct tier *t) {
    double kept = (double)t->kept.total;
    char *bytes = page_bytes(kept), *missing = page_bytes(kept - (double)t->holds),
         *words = is_over(t) ? base_format("keeps %s: %s too much", bytes, missing)
                             : base_format("keeps %s", bytes);
    free(missing);
    free(bytes);
    return words;
}

/* Returns whether a category is only marked. */
static bool draw_kept(struct page *p, const struct tier *t, struct page_flow f) {
    bool marked = draw_bar(p, t, f);
    char *words = kept_words(t);
    f.role = is_over(t) ? PAGE_BAD : PAGE_PLAIN;
    page_text(p, f, words);
    free(words);
    return marked;
}

/* The words stand right of the line. */
static void draw_way(struct page *p, const struct tier *t, struct page_flow f) {
    int top = p->height, middle = f.indent + f.width / 2;
    struct page_flow right = {.indent = middle + PAD, .width = f.width - f.width / 2 - PAD};
    page_put(p, top - 1, middle, PAGE_DIM, 0, "┬");
    if (right.width < 1) right.width = 1;
    page_text(p, right, t->way);
    for (int row = top; row < p->height; row++) page_put(p, row, middle, PAGE_DIM, 0, "│");
}

static void draw_tier(struct page *p, struct tiers *all, int i, struct page_flow f) {
    const struct tier *t = &all->tier[i];
    struct box b = box_of(f, i);
    struct page_flow in = {.indent = b.left + PAD,
                           .width = b.width - 2 * PAD,
                           .role = t->holds ? PAGE_PLAIN : PAGE_DIM};
    if (in.width < 1) in.width = 1;
    if (t->way) draw_way(p, t, f);
    int top = p->height;
    page_blank(p, 1);
    bool empty = all->kept && !t->kept.total;
    char *words = base_format("%s%s", t->holds_words, empty ? ", keeps nothing" : "");
    page_text(p, in, words);
    free(words);
    if (all->kept && !empty) all->marked |= draw_kept(p, t, in);
    draw_frame(p, b, top, p->height, t->name);
    if (t->way) page_put(p, top, f.indent + f.width / 2, PAGE_DIM, 0, "┴");
}

static void say_where(struct page *p, const struct tiers *t, struct page_flow f) {
    page_note(p, f, "One GPU at the peak of its step (%s), and one node with all its GPUs.",
              t->where);
}

static void draw_foot(struct page *p, const struct tiers *t, struct page_flow f) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (int i = 0; i < ACCOUNT_TIERS; i++)
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            present[c] = present[c] || t->tier[i].kept.bytes[c];
    page_legend(p, f, f.indent, present, t->marked);
    say_where(p, t, f);
}

static void forget(struct tiers *t) {
    for (int i = 0; i < ACCOUNT_TIERS; i++) {
        free(t->tier[i].holds_words);
        free(t->tier[i].way);
    }
    free(t->where);
}

bool page_figure_tiers(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct tiers t = {0};
    if (!read_tiers(spec, &t, m)) return false;
    for (int i = 0; i < ACCOUNT_TIERS; i++) draw_tier(p, &t, i, f);
    if (t.kept) draw_foot(p, &t, f);
    forget(&t);
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* What the widths of the boxes show, as far as it is known of these machines. */
static const char *order_words(const struct tiers *t) {
    bool larger = true, slower = true;
    for (int i = 1; i < ACCOUNT_TIERS; i++) {
        const struct tier *above = &t->tier[i - 1], *here = &t->tier[i];
        larger = larger && here->holds > above->holds;
        slower = slower && here->rate > 0 && here->rate < above->rate;
    }
    return larger && slower ? ", each larger and slower than the one before"
           : larger         ? ", each larger than the one before"
           : slower         ? ", each slower than the one before"
                            : "";
}

static void say_all(struct page *p, const struct tiers *t, struct page_flow f) {
    struct base_text names = {0}, kept = {0};
    for (int i = 0; i < ACCOUNT_TIERS; i++) {
        const struct tier *tier = &t->tier[i];
        char *bytes = page_bytes((double)tier->kept.total),
             *item = base_format("%s in %s", tier->kept.total ? bytes : "nothing", tier->name);
        page_list_add(&names, (size_t)i, ACCOUNT_TIERS, tier->name);
        page_list_add(&kept, (size_t)i, ACCOUNT_TIERS, item);
        free(item);
        free(bytes);
    }
    page_say(p, f, "There are %d tiers of memory%s: %s.", ACCOUNT_TIERS, order_words(t), names.s);
    if (t->kept) page_say(p, f, "This training keeps %s.", kept.s);
    base_text_free(&kept);
    base_text_free(&names);
}

static void say_tier(struct page *p, const struct tiers *all, const struct tier *t,
                     struct page_flow f) {
    if (t->way) page_say(p, f, "The way to %s: %s.", t->name, t->way);
    if (!all->kept) {
        page_say(p, f, "%s: %s.", t->name, t->holds_words);
        return;
    }
    char amount[32], *words = kept_words(t);
    account_print_bytes(amount, sizeof amount, (double)t->kept.total);
    const char *unit = strchr(amount, ' ');
    enum account_unit u = ACCOUNT_UNIT_GB;
    if (unit) account_unit_find(unit + 1, &u);
    char *parts = page_parts(t->kept.bytes, u);
    page_say(p, f, "%s: %s. It %s%s%s.", t->name, t->holds_words, words,
             *parts ? ". Of that, " : "", parts);
    free(parts);
    free(words);
}

bool page_words_tiers(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct tiers t = {0};
    if (!read_tiers(spec, &t, m)) return false;
    say_all(p, &t, f);
    for (int i = 0; i < ACCOUNT_TIERS; i++) say_tier(p, &t, &t.tier[i], f);
    if (t.kept) say_where(p, &t, f);
    forget(&t);
    return true;
}
