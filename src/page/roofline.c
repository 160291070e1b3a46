/* The computation of a step against its communication, over one link after another: what hides,
 * what sticks out, and how many tokens a micro-batch needs before the states' traffic is no longer
 * than the computation.
 *
 *   {"kind":"roofline","training":{"model":"llama-2-13b","gpu":"a100-80g","gpus":8,"stage":3,
 *    "batch":1,"seq":4096},
 *    "links":["nvlink3","pcie4","25GB/s"]}             links: the card's own, if none are named
 *
 * Where the GPUs fill more than one node, the links are networks between nodes; in one node they
 * join its GPUs. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 8, GAP = 2, LEAST_BARS = 16, MOST_BARS = 64, WIDE = 72, NUMBERS = 3, UNIT = 6 };
static const char *const computes = "▇", *const sticks_out = "×", *const goes_on = "→";
static const double most_times = 3; /* a bar stops at so many times the computation */

struct link {
    const char *name;
    struct account_clock clock;
    /* what it takes, what sticks out, tokens at break-even */
    char *rate, *number[NUMBERS];
};
struct roofline {
    struct account_training training;
    /* the links are networks between nodes */
    bool between;
    size_t links;
    struct link link[MOST_LINKS];
    struct page_scale scale;
    struct page_axis axis;
    /* widths */
    int labels, rates, column[NUMBERS];
    int left;
};

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
/* Traffic of the states: as long whatever the tokens. */
static bool is_states(const struct account_collective *c) {
    return !strcmp(c->group, "shard") || !strcmp(c->group, "replicas");
}

static double states_seconds(const struct account_training *t, const struct account_clock *c) {
    struct account_traffic traffic;
    double sum = 0;
    if (!account_traffic(t, &traffic, NULL)) return 0;
    for (size_t i = 0; i < traffic.collectives; i++)
        if (is_states(&traffic.collective[i])) sum += c->collective[i];
    return sum;
}

static double work_of(const struct account_clock *c) {
    return c->forward + c->backward;
}

/* Computation grows with the tokens of a micro-batch, the states' traffic does not. */
static double break_even(const struct account_training *t, const struct account_clock *c) {
    return (double)t->batch * t->seq * states_seconds(t, c) / work_of(c);
}

static bool read_link(struct roofline *r, const char *name, struct base_message *m) {
    struct link *l = &r->link[r->links++];
    struct account_training t = r->training;
    struct account_error e;
    l->name = name;
    if (!account_set(&t, r->between ? "net" : "link", name, &e) ||
        !account_clock(&t, &l->clock, &e))
        return base_fail(m, "%s", e.what);
    if (!l->clock.has_compute)
        return base_fail(m, "a roofline's training needs a model, a gpu whose arithmetic is known, "
                            "batch and seq: without them nothing computes");
    if (!l->clock.has_comm)
        return base_fail(m,
                         "%s: how fast is the link inside a node? Set a link in the training, "
                         "such as \"link\":\"nvlink3\"",
                         name);
    if (!(l->clock.comm > 0))
        return base_fail(m, "one GPU sends nothing: set the training's gpus to 2 or more");
    l->rate = page_rate((r->between ? t.net : t.link).rate);
    l->number[0] = page_seconds(l->clock.comm);
    l->number[1] = page_seconds(l->clock.comm_exposed);
    l->number[2] = page_tokens(ceil(break_even(&t, &l->clock)));
    return true;
}

/* The card's own, fast ones first. */
static bool read_own_links(struct roofline *r, struct base_message *m) {
    const struct account_card *card = r->training.card;
    const char *const own[] = {r->between ? NULL
                               : card     ? card->link
                                          : NULL,
                               card ? card->net : NULL,
                               r->between ? NULL
                               : card     ? card->host_link
                                          : NULL};
    for (size_t i = 0; i < BASE_COUNT(own); i++) {
        if (!own[i] || (i == 2 && own[0] && !strcmp(own[0], own[2]))) continue;
        if (!read_link(r, own[i], m)) return false;
    }
    return r->links > 0 ||
           base_fail(m, "a roofline needs links, such as \"links\":[\"nvlink3\",\"25GB/s\"]");
}

static bool read_roofline(const json_t *spec, struct roofline *r, struct base_message *m) {
    const json_t *links = json_object_get(spec, "links"), *name;
    struct account_training *t = &r->training;
    size_t i;
    if (!page_training_read(json_object_get(spec, "training"), t, m)) return false;
    r->between = t->gpus_per_node && t->gpus_per_node < t->gpus;
    if (!links) return read_own_links(r, m);
    if (!json_is_array(links) || !json_array_size(links) || json_array_size(links) > MOST_LINKS)
        return base_fail(m, "a roofline has 1 to %d links: names of the catalogue or rates",
                         MOST_LINKS);
    json_array_foreach(links, i, name) {
        if (!json_is_string(name))
            return base_fail(m, "link %zu of the roofline is not text such as \"pcie4\"", i + 1);
        if (!read_link(r, json_string_value(name), m)) return false;
    }
    return true;
}

/* ── where things stand ────────────────────────────────────────────────────────────────────────*/
static const char *const heads[NUMBERS] = {"takes", "exposed", "even tokens"};

static bool is_wide(struct page_flow f) {
    return f.width >= WIDE;
}

static void lay_out(const struct page *p, struct roofline *r, struct page_flow f) {
    double work = work_of(&r->link[0].clock), most = work;
    int numbers = 0;
    r->labels = page_measure(p, "computation");
    for (int n = 0; n < NUMBERS; n++) r->column[n] = page_measure(p, heads[n]);
    for (size_t i = 0; i < r->links; i++) {
        const struct link *l = &r->link[i];
        r->labels = (int)fmax(r->labels, page_measure(p, l->name));
        r->rates = (int)fmax(r->rates, page_measure(p, l->rate));
        for (int n = 0; n < NUMBERS; n++)
            r->column[n] = (int)fmax(r->column[n], page_measure(p, l->number[n]));
        most = fmax(most, fmin(l->clock.comm, most_times * work));
    }
    for (int n = 0; n < NUMBERS; n++) numbers += r->column[n] + GAP;
    r->scale.unit = most < 1 ? ACCOUNT_UNIT_MS : ACCOUNT_UNIT_SECONDS;
    r->left = f.indent + (is_wide(f) ? r->labels + 1 + r->rates + GAP : 0);
    int capacity = f.indent + f.width - r->left - (is_wide(f) ? numbers + 2 : UNIT);
    capacity = capacity < LEAST_BARS ? LEAST_BARS : capacity > MOST_BARS ? MOST_BARS : capacity;
    r->axis = page_axis_fit(most / account_unit_scale(r->scale.unit), capacity);
}

static int column_of(const struct roofline *r, double seconds) {
    return page_axis_column(r->axis, seconds / account_unit_scale(r->scale.unit));
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Hidden first, then what sticks out; cut at the axis's end with an arrow. The line is where the
 * computation ends. */
static void draw_bar(struct page *p, int row, const struct roofline *r, const struct link *l) {
    int hidden = column_of(r, l->clock.comm - l->clock.comm_exposed),
        end = column_of(r, l->clock.comm), edge = column_of(r, work_of(&l->clock));
    bool cut = end > r->axis.cells;
    if (end == 0) end = 1;
    for (int c = 0; c < end && c <= r->axis.cells; c++)
        if (c < hidden)
            page_put(p, row, r->left + c, PAGE_CATEGORY + ACCOUNT_GATHER, 0,
                     page_fill(p, ACCOUNT_GATHER));
        else
            page_put(p, row, r->left + c, PAGE_BAD, 0, sticks_out);
    if (cut) page_put(p, row, r->left + r->axis.cells, PAGE_BAD, 0, p->ascii ? ">" : goes_on);
    if (end <= edge) page_put(p, row, r->left + edge, PAGE_DIM, 0, page_limit_sign);
}

/* Numbers in columns to the right; in narrow pages in a line of their own. */
static void draw_numbers(struct page *p, int row, const struct roofline *r, unsigned role,
                         const char *const text[NUMBERS]) {
    int right = r->left + r->axis.cells + 1;
    for (int n = 0; n < NUMBERS; n++) right += GAP + r->column[n];
    for (int n = NUMBERS; n-- > 0; right -= r->column[n] + GAP)
        if (text[n]) page_right(p, row, right, role, text[n]);
}

/* Bars are as thick as the page has them, with a gap between thick ones. */
static void draw_link(struct page *p, const struct roofline *r, const struct link *l,
                      struct page_flow f) {
    page_blank(p, p->thick > 1);
    int top = p->height, row = top + (is_wide(f) ? (p->thick - 1) / 2 : 0);
    page_put(p, row, f.indent, PAGE_PLAIN, 0, l->name);
    for (int i = 0; i < p->thick; i++) draw_bar(p, top + !is_wide(f) + i, r, l);
    if (is_wide(f)) {
        page_right(p, row, r->left - GAP, PAGE_DIM, l->rate);
        draw_numbers(p, row, r, PAGE_PLAIN, (const char *const *)l->number);
        return;
    }
    if (strcmp(l->name, l->rate)) page_right(p, row, f.indent + f.width, PAGE_DIM, l->rate);
    char *text =
        base_format("%s, %s exposed, even at %s", l->number[0], l->number[1], l->number[2]);
    page_text(p, (struct page_flow){.indent = f.indent, .width = f.width, .role = PAGE_DIM}, text);
    free(text);
}

static void draw_work(struct page *p, const struct roofline *r, struct page_flow f) {
    double work = work_of(&r->link[0].clock);
    char *text = page_seconds(work);
    int top = p->height, row = top + (is_wide(f) ? (p->thick - 1) / 2 : 0),
        end = column_of(r, work);
    page_put(p, row, f.indent, PAGE_STRONG, 0, "computation");
    if (!is_wide(f)) page_right(p, top++, f.indent + f.width, PAGE_STRONG, text);
    for (int i = 0; i < (end ? end : 1) * p->thick; i++)
        page_put(p, top + i % p->thick, r->left + i / p->thick, PAGE_PLAIN, 0, computes);
    if (is_wide(f))
        draw_numbers(p, row, r, PAGE_STRONG, (const char *const[NUMBERS]){text, NULL, NULL});
    free(text);
}

static void say_head(struct page *p, const struct roofline *r, struct page_flow f,
                     const char *stop) {
    const struct account_training *t = &r->training;
    char *model = page_model_name(t);
    page_say(p, f, "A step of %s on %u GPUs, stage %u, micro-batches of %u × %u tokens%s%s", model,
             t->gpus, t->stage, t->batch, t->seq, r->between ? ", over each network" : "", stop);
    free(model);
}

static void draw_head(struct page *p, const struct roofline *r, struct page_flow f) {
    say_head(p, r, (struct page_flow){.indent = f.indent, .width = f.width, .role = PAGE_STRONG},
             "");
    page_blank(p, 1);
    if (is_wide(f)) draw_numbers(p, p->height, r, PAGE_DIM, heads);
}

static void say_even(struct page *p, const struct roofline *r, struct page_flow f) {
    char *tokens = page_tokens((double)r->training.batch * r->training.seq);
    page_note(p, f,
              "Even: the tokens of a micro-batch at which the states' traffic takes as long as "
              "the computation. Here it has %s.",
              tokens);
    free(tokens);
}

static void draw_foot(struct page *p, const struct roofline *r, struct page_flow f) {
    page_axis_draw(p, r->left, r->axis, r->scale, -1);
    int row = p->height, column = f.indent;
    column = page_sign(p, f, &row, column, PAGE_PLAIN, computes, "computes");
    column = page_sign(p, f, &row, column, PAGE_CATEGORY + ACCOUNT_GATHER,
                       page_fill(p, ACCOUNT_GATHER), "sent while it computes");
    page_sign(p, f, &row, column, PAGE_BAD, sticks_out, "sticks out (exposed)");
    say_even(p, r, f);
}

static void forget(struct roofline *r) {
    for (size_t i = 0; i < r->links; i++) {
        free(r->link[i].rate);
        for (int n = 0; n < NUMBERS; n++) free(r->link[i].number[n]);
    }
}

bool page_figure_roofline(struct page *p, struct page_flow f, const json_t *spec,
                          struct base_message *m) {
    struct roofline r = {0};
    bool ok = read_roofline(spec, &r, m);
    if (ok) {
        lay_out(p, &r, f);
        draw_head(p, &r, f);
        draw_work(p, &r, f);
        for (size_t i = 0; i < r.links; i++) draw_link(p, &r, &r.link[i], f);
        draw_foot(p, &r, f);
    }
    forget(&r);
    return ok;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
static void say_link(struct page *p, const struct link *l, struct page_flow f) {
    bool named = strcmp(l->name, l->rate) != 0;
    page_say(p, f,
             "Over %s%s%s%s: the communication takes %s, and %s of that is exposed. It is even at "
             "%s tokens.",
             l->name, named ? " (" : "", named ? l->rate : "", named ? ")" : "", l->number[0],
             l->number[1], l->number[2]);
}

bool page_words_roofline(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    struct roofline r = {0};
    bool ok = read_roofline(spec, &r, m);
    if (ok) {
        char *work = page_seconds(work_of(&r.link[0].clock));
        say_head(p, &r, f, ".");
        page_say(p, f, "The computation takes %s.", work);
        for (size_t i = 0; i < r.links; i++) say_link(p, &r.link[i], f);
        say_even(p, &r, f);
        free(work);
    }
    forget(&r);
    return ok;
}
