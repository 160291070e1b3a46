/* A collective at one step of its play: a row for each rank, a column for each chunk, real numbers
 * in the cells; what moved, and what each rank has sent so far next to what the formula says.
 *
 *   {"kind":"collective","play":"ring-all-reduce","ranks":4,"step":2,"note":"…"} */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL = 8, CELL = 6, SENT = 6, NARROW_LABEL = 2, NARROW_CELL = 4, NARROW_SENT = 3, GAP = 3 };

struct stage {
    enum account_play play;
    struct account_scene now, before; /* before this step's moves */
    bool wide;
    int label, cell, sent; /* cells of a row's parts */
};

static bool read_stage(const json_t *spec, struct stage *s, struct base_message *m) {
    const char *name = base_json_text(spec, "play", "");
    int64_t ranks = base_json_int(spec, "ranks", 4), step = base_json_int(spec, "step", 0);
    if (!account_play_find(name, &s->play))
        return base_fail(m,
                         "a collective's play is ring-reduce-scatter, ring-all-gather, "
                         "ring-all-reduce or tree-all-reduce, not \"%s\"",
                         name);
    if (ranks < 2 || ranks > ACCOUNT_SCENE_RANKS || step < 0 || step > 1000)
        return base_fail(m, "a collective has 2 to %d ranks, and its steps count from 0",
                         ACCOUNT_SCENE_RANKS);
    account_scene(s->play, (uint32_t)ranks, (uint32_t)step, &s->now);
    return account_scene(s->play, (uint32_t)ranks, s->now.step ? s->now.step - 1 : 0, &s->before);
}

static void lay_out(struct stage *s, struct page_flow f) {
    int ranks = (int)s->now.ranks;
    s->wide = f.width >= LABEL + ranks * CELL + SENT && f.width >= 48;
    s->label = s->wide ? LABEL : NARROW_LABEL;
    s->cell = s->wide ? CELL : NARROW_CELL;
    s->sent = s->wide ? SENT : NARROW_SENT;
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static bool adds(const struct account_scene *s) {
    return s->moves > 0 && s->move[0].adds;
}

/* "ring all-reduce": the play's name without the first dash. */
static char *title_of(enum account_play play) {
    char *title = base_dup(account_play_name(play)), *dash = strchr(title, '-');
    if (dash) *dash = ' ';
    return title;
}

static const char *phase_of(const struct stage *s) {
    if (s->now.step == 0) return "before the first move";
    if (s->play == ACCOUNT_PLAY_TREE_ALL_REDUCE)
        return adds(&s->now) ? "up the tree" : "down the tree";
    return adds(&s->now) ? "reduce-scatter" : "all-gather";
}

static void draw_head(struct page *p, struct page_flow f, const struct stage *s) {
    char *title = title_of(s->play);
    char *line = !s->wide ? base_format("%s, step %u of %u", title, s->now.step, s->now.steps)
                          : base_format("%s, %u ranks · step %u of %u, %s", title, s->now.ranks,
                                        s->now.step, s->now.steps, phase_of(s));
    f.role = PAGE_STRONG;
    page_text(p, f, line);
    free(line);
    free(title);
}

/* ── the cells ─────────────────────────────────────────────────────────────────────────────────*/
static const char *sign_of(const struct stage *s, const struct account_cell *c) {
    if (!c->fresh) return " ";
    return adds(&s->now) ? "+" : ">";
}

static void draw_cell(struct page *p, int row, int column, const struct stage *s,
                      const struct account_cell *c) {
    bool done = c->parts == s->now.ranks;
    unsigned role = c->fresh ? PAGE_ACCENT : done ? PAGE_GOOD : PAGE_PLAIN;
    if (c->parts == 0) {
        page_put(p, row, column + s->cell - 3, PAGE_DIM, 0, "·");
        return;
    }
    char text[24];
    snprintf(text, sizeof text, "%s%*d", sign_of(s, c), s->cell - 3 - (s->wide ? 1 : 0), c->value);
    int end = page_put(p, row, column, role, c->fresh ? PAGE_BOLD : 0, text);
    if (done) page_put(p, row, end, PAGE_GOOD, 0, p->ascii ? "*" : "✓");
}

static void draw_numerals(struct page *p, struct page_flow f, const struct stage *s) {
    int row = p->height;
    page_put(p, row, f.indent, PAGE_DIM, 0, s->wide ? "chunk" : "");
    for (uint32_t c = 0; c < s->now.ranks; c++)
        page_printf(p, row, f.indent + s->label + (int)c * s->cell + s->cell - (s->wide ? 4 : 2),
                    PAGE_DIM, "%u", c);
    int right = f.indent + s->label + (int)s->now.ranks * s->cell + s->sent;
    page_put(p, row, right - (s->wide ? 4 : 1), PAGE_DIM, 0, s->wide ? "sent" : "s");
}

static void draw_rows(struct page *p, struct page_flow f, const struct stage *s) {
    draw_numerals(p, f, s);
    for (uint32_t r = 0; r < s->now.ranks; r++) {
        int row = p->height, column = f.indent + s->label;
        page_printf(p, row, f.indent, PAGE_DIM, s->wide ? "rank %u" : "%u", r);
        for (uint32_t c = 0; c < s->now.ranks; c++)
            draw_cell(p, row, column + (int)c * s->cell, s, &s->now.cell[r][c]);
        page_printf(p, row, column + (int)s->now.ranks * s->cell, PAGE_PLAIN, "%*u", s->sent,
                    s->now.sent[r]);
    }
}

/* ── what moved ────────────────────────────────────────────────────────────────────────────────*/
static char *move_text(const struct stage *s, const struct account_move *m) {
    int came = s->before.cell[m->from][m->chunk].value, had = s->before.cell[m->to][m->chunk].value;
    const char *arrow = s->wide ? " → " : "→", *chunk = s->wide ? "chunk " : "c";
    if (m->chunks > 1)
        return base_format("%u%s%u  all %u%s", m->from, arrow, m->to, m->chunks,
                           m->adds ? ", added" : "");
    if (m->adds)
        return base_format("%u%s%u  %s%u: %d + %d = %d", m->from, arrow, m->to, chunk, m->chunk,
                           came, had, came + had);
    return base_format("%u%s%u  %s%u: %d", m->from, arrow, m->to, chunk, m->chunk, came);
}

/* Beside the row of the rank that receives it, where all have room there; else below, as many
 * beside each other as fit. */
static void put_moves(struct page *p, struct page_flow f, const struct stage *s, char *const *text,
                      int width) {
    int beside = s->label + (int)s->now.ranks * s->cell + s->sent + GAP;
    size_t across = (size_t)((f.width + GAP) / (width + GAP));
    if (across == 0) across = 1;
    bool fits = beside + width <= f.width;
    int first = p->height - (int)s->now.ranks, below = p->height + 1;
    for (size_t i = 0; i < s->now.moves; i++) {
        int row = fits ? first + (int)s->now.move[i].to : below + (int)(i / across);
        int column = fits ? beside : (int)(i % across) * (width + GAP);
        page_put(p, row, f.indent + column, PAGE_PLAIN, 0, text[i]);
    }
}

static void draw_moves(struct page *p, struct page_flow f, const struct stage *s) {
    char *text[ACCOUNT_SCENE_RANKS];
    int width = 1;
    for (size_t i = 0; i < s->now.moves; i++) {
        text[i] = move_text(s, &s->now.move[i]);
        int own = page_measure(p, text[i]);
        width = own > width ? own : width;
    }
    put_moves(p, f, s, text, width);
    for (size_t i = 0; i < s->now.moves; i++) free(text[i]);
}

/* ── what was sent ─────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *formula;
    uint32_t times; /* (N − 1) of them */
} RING[ACCOUNT_PLAYS] = {
    [ACCOUNT_PLAY_RING_REDUCE_SCATTER] = {"N − 1",    1},
    [ACCOUNT_PLAY_RING_ALL_GATHER] = {"N − 1",    1},
    [ACCOUNT_PLAY_RING_ALL_REDUCE] = {"2(N − 1)", 2},
};

static uint32_t most_sent(const struct account_scene *s) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < s->ranks; r++) most = s->sent[r] > most ? s->sent[r] : most;
    return most;
}

static char *sent_ring(const struct stage *s) {
    uint32_t n = s->now.ranks, whole = RING[s->play].times * (n - 1);
    return base_format("Each rank sent %u of %s = %u chunk%s of 1/%u of the buffer: in all %u/%u.",
                       s->now.sent[0], RING[s->play].formula, whole, whole == 1 ? "" : "s", n,
                       whole, n);
}

/* A tree sends whole buffers, and not the same from each rank. */
static char *sent_tree(const struct stage *s) {
    struct account_scene last;
    account_scene(s->play, s->now.ranks, s->now.steps, &last);
    uint32_t n = s->now.ranks, most = most_sent(&last);
    return base_format(
        "Whole buffers of %u chunks move: in all the busiest rank sends %u chunks, where "
        "a ring's ranks send 2(N − 1) = %u each. The steps are %u, the ring's %u.",
        n, most, 2 * (n - 1), s->now.steps, 2 * (n - 1));
}

static void draw_foot(struct page *p, struct page_flow f, const struct stage *s) {
    char *sent = s->play == ACCOUNT_PLAY_TREE_ALL_REDUCE ? sent_tree(s) : sent_ring(s);
    page_blank(p, 1);
    f.role = PAGE_PLAIN;
    page_text(p, f, sent);
    f.role = PAGE_DIM;
    page_text(p, f,
              p->ascii ? "+ added now  > copied now  * finished: every rank's number is in it"
                       : "+ added now  > copied now  ✓ finished: every rank's number is in it");
    free(sent);
}

bool page_figure_collective(struct page *p, struct page_flow f, const json_t *spec,
                            struct base_message *m) {
    struct stage s = {0};
    const char *note = base_json_text(spec, "note", NULL);
    if (!read_stage(spec, &s, m)) return false;
    lay_out(&s, f);
    draw_head(p, f, &s);
    draw_rows(p, f, &s);
    draw_moves(p, f, &s);
    if (note) {
        page_blank(p, 1);
        page_markdown(p, f, note);
    }
    draw_foot(p, f, &s);
    return true;
}
