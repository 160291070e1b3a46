/* The mesh: nodes as boxes, ranks in them, and whom one rank shares a group with; below, which
 * group leaves its node, and over which link.
 *
 *   {"kind":"mesh","training":{"gpus":64,"gpus_per_node":8,"tp":8,"pp":2,"stage":3,…},"rank":0}
 *
 * Ranks are numbered tensor fastest, then context, then data, then pipeline, as account has them
 * (Megatron-LM, parallel_state.py). */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 16384, MOST_NODES = 16, FEW_NODES = 8, GAP = 2, NAME = 10 };
enum { MANY, WHERE, OVER, MUCH, WORDS };

enum { TENSOR, CONTEXT, SHARD, REPLICAS, EXPERT, PIPELINE, AXES };
/* How axes are called, here and in traffic's collectives, and the colour of what moves along them:
 * activations, parameters, gradients. */
static const struct kind {
    const char *letter, *name, *group;
    unsigned role;
} kinds[AXES] =
    {
        {"T", "tensor", "tensor", PAGE_NAME + ACCOUNT_ACTIVATIONS},
        {"C", "context", "context", PAGE_NAME + ACCOUNT_ACTIVATIONS},
        {"S", "shard", "shard", PAGE_NAME + ACCOUNT_GATHER},
        {"R", "replicas", "replicas", PAGE_NAME + ACCOUNT_GRADS},
        {"E", "expert", "expert", PAGE_NAME + ACCOUNT_ACTIVATIONS},
        {"P", "pipeline", "pipeline", PAGE_NAME + ACCOUNT_ACTIVATIONS},
},
  whole = {"D", "data", "shard",
           PAGE_NAME + ACCOUNT_GRADS}; /* of stage 0, where nothing is sharded */

/* An axis: its group holds `ranks` ranks, `stride` apart. */
struct axis {
    const struct kind *is;
    uint32_t ranks, stride, per_node;
    /* how many, where, over what, how much */
    char *words[WORDS];
};
struct mesh {
    struct account_training training;
    struct axis axis[AXES];
    /* node: GPUs of one */
    uint32_t rank, node, nodes;
    /* of a rank: its number, columns for letters, both after a blank; and what of that is a tile */
    int digits, marks, cell, tile;
    /* ranks in a box's row, rows of a tile, rows from one row of ranks to the next, rows of a box
     */
    int across, high, apart, box_rows;
    /* width */
    int box;
};

static bool is_there(const struct axis *a) {
    return a->ranks > 1;
}

static bool share(const struct axis *a, uint32_t one, uint32_t other) {
    uint32_t block = a->stride * a->ranks;
    return one / block == other / block && one % a->stride == other % a->stride;
}

static bool is_member(const struct mesh *m, const struct axis *a, uint32_t rank) {
    return is_there(a) && rank != m->rank && share(a, m->rank, rank);
}

/* ── axes ──────────────────────────────────────────────────────────────────────────────────────*/
static void set_axes(struct mesh *m) {
    const struct account_training *t = &m->training;
    uint32_t all = account_data_parallel(t) * t->cp, n = account_shard_ranks(t);
    const uint32_t sizes[AXES][2] = {
        [TENSOR] = {t->tp, 1},     [CONTEXT] = {t->cp, t->tp},
        [SHARD] = {n, t->tp},      [REPLICAS] = {n ? all / n : 1, t->tp * n},
        [EXPERT] = {t->ep, t->tp}, [PIPELINE] = {t->pp, t->tp * all},
    };
    for (int i = 0; i < AXES; i++) {
        m->axis[i].is = i == SHARD && t->stage == 0 ? &whole : &kinds[i];
        m->axis[i].ranks = sizes[i][0];
        m->axis[i].stride = sizes[i][1];
    }
}

static uint32_t members_near(const struct mesh *m, const struct axis *a) {
    uint32_t first = m->rank / m->node * m->node, n = 1;
    for (uint32_t r = first; r < first + m->node && r < m->training.gpus; r++)
        n += is_member(m, a, r);
    return n;
}

static char *where_of(const struct axis *a) {
    if (a->per_node == a->ranks) return base_dup("inside a node");
    return base_format("crosses %u nodes", (a->ranks + a->per_node - 1) / a->per_node);
}

static char *link_of(const struct mesh *m, const struct axis *a) {
    struct account_pace pace;
    const struct account_collective c = {
        .op = ACCOUNT_ALL_GATHER, .ranks = a->ranks, .per_node = a->per_node};
    if (!account_pace(&m->training, &c, &pace)) return base_dup("");
    const struct account_link *link = a->per_node < a->ranks ? &pace.net : &pace.link;
    char *rate = page_rate(link->rate),
         *words = link->name ? base_format("%s, %s", link->name, rate) : base_dup(rate);
    free(rate);
    return words;
}

/* "12.3 GB a step", or nothing where the training does not say what moves. */
static char *sent_of(const struct account_traffic *traffic, const struct axis *a) {
    double sum = 0;
    for (size_t i = 0; i < traffic->collectives; i++)
        if (!strcmp(traffic->collective[i].group, a->is->group))
            sum += (double)traffic->collective[i].sent;
    if (!(sum > 0)) return base_dup("");
    char *bytes = page_bytes(sum), *words = base_format("%s a step", bytes);
    free(bytes);
    return words;
}

static void describe(struct mesh *m) {
    struct account_traffic traffic = {0};
    if (!account_traffic(&m->training, &traffic, NULL)) traffic.collectives = 0;
    for (int i = 0; i < AXES; i++) {
        struct axis *a = &m->axis[i];
        if (!is_there(a)) continue;
        a->per_node = members_near(m, a);
        a->words[MANY] = base_format("%u ranks", a->ranks);
        a->words[WHERE] = where_of(a);
        a->words[OVER] = link_of(m, a);
        a->words[MUCH] = sent_of(&traffic, a);
    }
}

static bool read_mesh(const json_t *spec, struct mesh *m, struct base_message *message) {
    struct account_training *t = &m->training;
    int64_t rank = base_json_int(spec, "rank", 0);
    if (!page_training_read(json_object_get(spec, "training"), t, message)) return false;
    if (t->gpus > MOST_GPUS)
        return base_fail(message, "a mesh is drawn of at most %d GPUs, not %u", MOST_GPUS, t->gpus);
    if (rank < 0 || rank >= t->gpus)
        return base_fail(message,
                         "the mesh has ranks 0 to %u, and no rank %lld: choose one of them",
                         t->gpus - 1, (long long)rank);
    m->rank = (uint32_t)rank;
    m->node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    m->nodes = (t->gpus + m->node - 1) / m->node;
    set_axes(m);
    return true;
}

/* ── where things stand ────────────────────────────────────────────────────────────────────────*/
static int marks_of(const struct mesh *m, uint32_t rank) {
    int n = 0;
    for (int i = 0; i < AXES; i++) n += is_member(m, &m->axis[i], rank);
    return n;
}

/* Four ranks in one row; of more, at least as many in a row as rows, so that the axes inside a node
 * show. */
static uint32_t ranks_across(uint32_t node) {
    uint32_t n = 1;
    if (node <= 4) return node;
    while (n * n < node || node % n) n++;
    return n <= 16 ? n : 8;
}

static void size_boxes(struct mesh *m) {
    char number[16];
    int label = 4 + snprintf(number, sizeof number, "node %u", m->nodes - 1); /* "┌ node 7 ┐" */
    m->box = m->across * m->cell + 2;
    if (m->box < label) m->box = label;
}

/* Rows of boxes of the same length where that can be. */
static int boxes_across(const struct mesh *m, int nodes, struct page_flow f) {
    int most = (f.width + 1) / (m->box + 1);
    if (most < 1) most = 1;
    int rows = (nodes + most - 1) / most;
    return (nodes + rows - 1) / rows;
}

static int shown_nodes(const struct mesh *m) {
    return (int)(m->nodes <= MOST_NODES ? m->nodes : FEW_NODES);
}

/* On a page of thick bars ranks are tiles, as wide as no box is pushed to another row. */
static void spread(struct mesh *m, struct page_flow f, int times) {
    int cell = m->cell, boxes = boxes_across(m, shown_nodes(m), f);
    for (m->cell = cell * times; m->cell > cell; m->cell--) {
        size_boxes(m);
        if (m->box <= f.width && boxes_across(m, shown_nodes(m), f) == boxes) break;
    }
    m->tile = m->cell - 1 - (m->cell > cell);
    size_boxes(m);
}

static void lay_out(const struct page *p, struct mesh *m, struct page_flow f) {
    char number[16];
    m->digits = snprintf(number, sizeof number, "%u", m->training.gpus - 1);
    m->marks = 1;
    for (uint32_t r = 0; r < m->training.gpus; r++)
        m->marks = marks_of(m, r) > m->marks ? marks_of(m, r) : m->marks;
    m->cell = m->digits + m->marks + 1;
    m->across = (int)ranks_across(m->node);
    int most = (f.width - 2) / m->cell;
    if (m->across > most) m->across = most > 0 ? most : 1;
    m->high = p->thick > 1 ? p->thick - 1 : 1;
    m->apart = p->thick;
    m->box_rows = (((int)m->node + m->across - 1) / m->across - 1) * m->apart + m->high;
    size_boxes(m);
    spread(m, f, p->thick);
}

/* ── boxes ─────────────────────────────────────────────────────────────────────────────────────*/
static void draw_rank(struct page *p, int row, int column, const struct mesh *m, uint32_t rank) {
    unsigned role = PAGE_DIM, bold = 0, solid = p->thick > 1 ? PAGE_REVERSE : 0;
    int middle = row + (m->high - 1) / 2, left = column + (m->tile - m->digits - m->marks) / 2,
        at = left + m->digits;
    for (int i = AXES; i-- > 0;)
        if (is_member(m, &m->axis[i], rank)) role = m->axis[i].is->role, bold = PAGE_BOLD;
    if (rank == m->rank) role = PAGE_ACCENT;
    if (role == PAGE_DIM) solid = 0;
    for (int i = 0; solid && i < m->tile * m->high; i++)
        page_put(p, row + i / m->tile, column + i % m->tile, role, solid, " ");
    char *number = base_format("%*u", m->digits, rank);
    page_put(p, middle, left, role, bold | solid, number);
    free(number);
    if (rank == m->rank) page_put(p, middle, at, PAGE_ACCENT, solid, "●");
    for (int i = 0; i < AXES; i++)
        if (is_member(m, &m->axis[i], rank))
            at = page_put(p, middle, at, m->axis[i].is->role, PAGE_BOLD | solid,
                          m->axis[i].is->letter);
}

static void draw_frame(struct page *p, int row, int column, const struct mesh *m, uint32_t node) {
    int right = column + m->box - 1, bottom = row + m->box_rows + 1;
    page_rule(p, row, column, m->box);
    page_rule(p, bottom, column, m->box);
    page_put(p, row, column, PAGE_DIM, 0, "┌");
    page_put(p, row, right, PAGE_DIM, 0, "┐");
    page_put(p, bottom, column, PAGE_DIM, 0, "└");
    page_put(p, bottom, right, PAGE_DIM, 0, "┘");
    for (int r = row + 1; r < bottom; r++) {
        page_put(p, r, column, PAGE_DIM, 0, "│");
        page_put(p, r, right, PAGE_DIM, 0, "│");
    }
    page_printf(p, row, column + 1, PAGE_PLAIN, " node %u ", node);
}

static void draw_node(struct page *p, int row, int column, const struct mesh *m, uint32_t node) {
    draw_frame(p, row, column, m, node);
    for (uint32_t i = 0; i < m->node && node * m->node + i < m->training.gpus; i++)
        draw_rank(p, row + 1 + (int)i / m->across * m->apart,
                  column + 2 + (int)i % m->across * m->cell, m, node * m->node + i);
}

static bool has_member(const struct mesh *m, uint32_t node) {
    uint32_t first = node * m->node;
    if (m->rank / m->node == node) return true;
    for (uint32_t r = first; r < first + m->node && r < m->training.gpus; r++)
        if (marks_of(m, r)) return true;
    return false;
}

/* The nodes to draw, in order: all there are, or the rank's own, others with members, and what
 * there is room for besides. */
static size_t choose_nodes(const struct mesh *m, uint32_t out[MOST_NODES]) {
    uint32_t own = m->rank / m->node, members = 0, count = 0;
    uint32_t most = (uint32_t)shown_nodes(m);
    for (uint32_t n = 0; n < m->nodes; n++) members += has_member(m, n);
    uint32_t others = members < most ? most - members : 0;
    for (uint32_t n = 0; n < m->nodes && count < most; n++) {
        bool member = has_member(m, n), kept = n < own && count + 1 == most;
        if (kept || (!member && others == 0)) continue;
        others -= !member;
        out[count++] = n;
    }
    return count;
}

static void draw_nodes(struct page *p, const struct mesh *m, struct page_flow f) {
    uint32_t node[MOST_NODES];
    size_t n = choose_nodes(m, node);
    int across = boxes_across(m, (int)n, f), top = p->height;
    for (size_t i = 0; i < n; i++)
        draw_node(p, top + (int)i / across * (m->box_rows + 2),
                  f.indent + (int)i % across * (m->box + 1), m, node[i]);
    if (n < m->nodes) page_note(p, f, "%u more nodes are not drawn.", m->nodes - (uint32_t)n);
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
/* Degrees by the letters that frameworks give them, and in words for a listener. */
static void draw_head(struct page *p, const struct mesh *m, struct page_flow f, bool words) {
    const struct account_training *t = &m->training;
    struct base_text head = {0};
    base_text_printf(&head, "%u GPU%s", t->gpus, t->gpus == 1 ? "" : "s");
    if (m->nodes > 1) base_text_printf(&head, " in %u nodes", m->nodes);
    base_text_puts(&head, ": ");
    if (t->tp > 1) base_text_printf(&head, "%s %u × ", words ? "tensor" : "tp", t->tp);
    if (t->cp > 1) base_text_printf(&head, "%s %u × ", words ? "context" : "cp", t->cp);
    base_text_printf(&head, "%s %u", words ? "data" : "dp", account_data_parallel(t));
    if (t->pp > 1) base_text_printf(&head, " × %s %u", words ? "pipeline" : "pp", t->pp);
    base_text_printf(
        &head, words ? ", stage %u. Rank %u and its groups:" : ", stage %u; rank %u and its groups",
        t->stage, m->rank);
    f.role = PAGE_STRONG;
    page_text(p, f, head.s);
    base_text_free(&head);
}

struct columns {
    /* a line begins again before this word */
    int width[WORDS], breaks;
};

/* One line for each axis if all fit; else as many words as fit stay with
 * the name. */
static struct columns columns_of(const struct page *p, const struct mesh *m, struct page_flow f) {
    struct columns c = {.breaks = WORDS};
    int column = NAME;
    for (int i = 0; i < AXES; i++)
        for (int w = 0; w < WORDS && is_there(&m->axis[i]); w++) {
            int own = page_measure(p, m->axis[i].words[w]);
            c.width[w] = own > c.width[w] ? own : c.width[w];
        }
    for (int w = 0; w < WORDS; w++) {
        column += c.width[w] ? GAP + c.width[w] : 0;
        if (column > f.width && c.breaks == WORDS) c.breaks = w;
    }
    if (c.breaks == WORDS - 1) c.breaks--; /* a link and what goes over it stay together */
    return c;
}

static void draw_axis(struct page *p, const struct axis *a, struct columns c, struct page_flow f) {
    int row = p->height, column = f.indent + NAME + GAP;
    page_put(p, row, f.indent, a->is->role, PAGE_BOLD, a->is->letter);
    page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, a->is->name);
    for (int w = 0; w < WORDS; column += c.width[w] ? c.width[w] + GAP : 0, w++) {
        if (w == c.breaks) row++, column = f.indent + 2;
        bool crosses = w == WHERE && a->per_node < a->ranks, number = w == MANY || w == MUCH;
        int shift = number ? c.width[w] - page_measure(p, a->words[w]) : 0;
        page_put(p, row, column + shift, crosses ? PAGE_WARN : PAGE_PLAIN, 0, a->words[w]);
    }
}

static void draw_axes(struct page *p, const struct mesh *m, struct page_flow f) {
    struct columns c = columns_of(p, m, f);
    for (int i = 0; i < AXES; i++)
        if (is_there(&m->axis[i])) draw_axis(p, &m->axis[i], c, f);
}

static void forget(struct mesh *m) {
    for (int i = 0; i < AXES; i++)
        for (int w = 0; w < WORDS; w++) free(m->axis[i].words[w]);
}

bool page_figure_mesh(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *message) {
    struct mesh m = {0};
    if (!read_mesh(spec, &m, message)) return false;
    describe(&m);
    lay_out(p, &m, f);
    if (!p->tight) draw_head(p, &m, f, false);
    draw_nodes(p, &m, f);
    page_blank(p, 1);
    draw_axes(p, &m, f);
    forget(&m);
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
enum { TOLD = 16 }; /* members that are named; of more the first ones and the last */

/* "0, 8, 16 and 24"; the caller's. */
static char *list_members(const struct mesh *m, const struct axis *a) {
    struct base_text out = {0};
    uint32_t n = 0;
    for (uint32_t r = 0; r < m->training.gpus; r++) {
        if (r != m->rank && !is_member(m, a, r)) continue;
        if (n + 1 < TOLD || n + 1 == a->ranks)
            base_text_printf(&out, "%s%u", n == 0 ? "" : n + 1 == a->ranks ? " and " : ", ", r);
        else if (n + 1 == TOLD)
            base_text_puts(&out, " …");
        n++;
    }
    return base_text_take(&out);
}

static void say_axis(struct page *p, const struct mesh *m, const struct axis *a,
                     struct page_flow f) {
    char *members = list_members(m, a);
    struct base_text line = {0};
    base_text_printf(&line, "%s: %s, %s", a->is->name, a->words[MANY], a->words[WHERE]);
    if (*a->words[OVER]) base_text_printf(&line, ", over %s", a->words[OVER]);
    if (*a->words[MUCH]) base_text_printf(&line, ", %s", a->words[MUCH]);
    page_say(p, f, "%s: ranks %s.", line.s, members);
    base_text_free(&line);
    free(members);
}

bool page_words_mesh(struct page *p, struct page_flow f, const json_t *spec,
                     struct base_message *message) {
    struct mesh m = {0};
    if (!read_mesh(spec, &m, message)) return false;
    describe(&m);
    draw_head(p, &m, f, true);
    for (int i = 0; i < AXES; i++)
        if (is_there(&m.axis[i])) say_axis(p, &m, &m.axis[i], f);
    forget(&m);
    return true;
}
