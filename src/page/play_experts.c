/* Tokens that travel to their experts: a row for each rank, on the left its own tokens with the
 * ranks that have their experts, on the right what its experts have to compute, with the rank that
 * it came from. */
#include "page/play.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NARROW = 60,
    LABEL = 5,
    SHORT = 2,
    COPIES = 7,
    SENT = 10,
    FEW = 3,
    GAP = 2,
    WIDEST = 3,
    THICKEST = 5,
    /* rows around the ranks */
    FIXED = 5
};

struct board {
    struct account_experts w;
    /* columns and rows of a copy; columns between tokens, rows between ranks */
    int wide, thick, apart, gap;
    int label, amounts;
    /* columns of what a rank computes, and how many copies they show */
    int left, fits;
    bool roomy;
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
static int home_columns(const struct board *b) {
    return ACCOUNT_EXPERT_TOKENS * ((int)b->w.choices * b->wide + b->apart) - b->apart;
}

static void lay_out(struct board *b, struct page_flow f) {
    bool narrow = f.width < NARROW;
    b->label = narrow ? SHORT : LABEL;
    b->amounts = narrow ? FEW : COPIES + SENT;
    b->apart = !narrow;
    for (b->wide = WIDEST; b->wide > 1; b->wide--)
        if (b->label + home_columns(b) + GAP + (int)b->w.most * b->wide + b->amounts <= f.width)
            break;
    int each = page_play_thick(f, FIXED, (int)b->w.ranks, THICKEST + 1);
    b->gap = each > 1;
    b->thick = each > 1 ? each - 1 : 1;
    if (b->thick > 2 * b->wide + 1) b->thick = 2 * b->wide + 1;
    b->left = f.indent + b->label + home_columns(b) + GAP;
    b->fits = (f.indent + f.width - b->amounts - b->left) / b->wide;
    b->roomy = f.rows == 0 || f.rows > FIXED + (int)b->w.ranks * (b->thick + b->gap);
}

/* ── copies ────────────────────────────────────────────────────────────────────────────────────*/
/* A fill with a rank's number in it; of a copy of one cell the number alone. */
static void draw_copy(struct page *p, const struct board *b, int row, int column, unsigned role,
                      unsigned attributes, int rank) {
    const char *fill = page_fill(p, ACCOUNT_ACTIVATIONS);
    for (int i = 0; i < b->wide * b->thick; i++)
        page_put(p, row + i / b->wide, column + i % b->wide, role, attributes, fill);
    if (rank < 0) return;
    char digit[12];
    snprintf(digit, sizeof digit, "%d", rank);
    page_put(p, row + (b->thick - 1) / 2, column,
             attributes & PAGE_REVERSE ? PAGE_ACCENT : PAGE_NAME + (unsigned)ACCOUNT_ACTIVATIONS,
             attributes, digit);
}

static void draw_gone(struct page *p, const struct board *b, int row, int column) {
    for (int i = 0; i < b->wide * b->thick; i++)
        page_put(p, row + i / b->wide, column + i % b->wide, PAGE_DIM, 0, "·");
}

/* Whether a copy is with its expert, and whether it came there in this frame. */
static bool is_there(const struct account_experts *w, enum account_copy_state s) {
    return s == ACCOUNT_COPY_AWAY ||
           (s == ACCOUNT_COPY_ARRIVES && w->phase == ACCOUNT_EXPERTS_SEND);
}

static void draw_home(struct page *p, const struct board *b, struct page_flow f, int row,
                      uint32_t rank) {
    const struct account_experts *w = &b->w;
    unsigned role = PAGE_CATEGORY + (unsigned)ACCOUNT_ACTIVATIONS;
    int column = f.indent + b->label;
    for (uint32_t t = 0; t < ACCOUNT_EXPERT_TOKENS; t++, column += b->apart)
        for (uint32_t k = 0; k < w->choices; k++, column += b->wide) {
            enum account_copy_state s = account_experts_copy(w, rank, t, k);
            bool back = s == ACCOUNT_COPY_BACK || w->phase == ACCOUNT_EXPERTS_START;
            bool arrives = s == ACCOUNT_COPY_ARRIVES && w->phase == ACCOUNT_EXPERTS_RETURN;
            bool routes = w->phase == ACCOUNT_EXPERTS_ROUTE;
            if (back)
                draw_copy(p, b, row, column, role, 0, -1);
            else if (arrives)
                draw_copy(p, b, row, column, role, PAGE_REVERSE, w->to[rank][t][k]);
            else if (s == ACCOUNT_COPY_HOME || routes)
                draw_copy(p, b, row, column, role, 0, w->to[rank][t][k]);
            else
                draw_gone(p, b, row, column);
        }
}

/* In the order in which they come: its own, then those of each hop. */
static void draw_queue(struct page *p, const struct board *b, int row, uint32_t rank) {
    const struct account_experts *w = &b->w;
    int n = 0;
    if (w->phase == ACCOUNT_EXPERTS_ROUTE) return;
    for (uint32_t hop = 0; hop < w->ranks; hop++) {
        uint32_t from = (rank + w->ranks - hop) % w->ranks;
        for (uint32_t i = 0; i < ACCOUNT_EXPERT_TOKENS * w->choices; i++) {
            uint32_t t = i / w->choices, k = i % w->choices;
            enum account_copy_state s = account_experts_copy(w, from, t, k);
            if (w->to[from][t][k] != rank || !is_there(w, s) || n == b->fits) continue;
            unsigned now = s == ACCOUNT_COPY_ARRIVES ? PAGE_REVERSE : 0;
            draw_copy(p, b, row, b->left + n++ * b->wide,
                      PAGE_CATEGORY + (unsigned)ACCOUNT_ACTIVATIONS, now, (int)from);
        }
    }
}

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
static void draw_head(struct page *p, const struct board *b, struct page_flow f) {
    bool narrow = f.width < NARROW;
    int row = p->height, end = f.indent + f.width;
    page_put(p, row, f.indent, PAGE_DIM, 0, narrow ? "" : "rank");
    page_put(p, row, f.indent + b->label, PAGE_DIM, 0, narrow ? "tokens" : "its tokens");
    page_put(p, row, b->left, PAGE_DIM, 0, narrow ? "at experts" : "at its experts");
    page_right(p, row, narrow ? end : end - SENT, PAGE_DIM, narrow ? "n" : "copies");
    if (!narrow) page_right(p, row, end, PAGE_DIM, "sent");
}

static void draw_amounts(struct page *p, const struct board *b, struct page_flow f, int row,
                         uint32_t rank) {
    const struct account_experts *w = &b->w;
    int end = f.indent + f.width;
    bool narrow = f.width < NARROW, known = w->phase >= ACCOUNT_EXPERTS_COMPUTE;
    char *copies = base_format("%u", w->computes[rank]),
         *sent = page_bytes(w->sent[rank] * w->copy);
    page_right(p, row, narrow ? end : end - SENT,
               known && w->computes[rank] == w->most && w->most > w->even ? PAGE_LIMIT : PAGE_PLAIN,
               known ? copies : "");
    if (!narrow) page_right(p, row, end, PAGE_PLAIN, w->sent[rank] ? sent : "");
    free(sent);
    free(copies);
}

static void draw_rank(struct page *p, const struct board *b, struct page_flow f, uint32_t rank) {
    int row = p->height, middle = row + (b->thick - 1) / 2;
    page_printf(p, middle, f.indent, PAGE_PLAIN, "%u", rank);
    draw_home(p, b, f, row, rank);
    if (b->w.phase != ACCOUNT_EXPERTS_START) draw_queue(p, b, row, rank);
    draw_amounts(p, b, f, middle, rank);
    page_blank(p, row + b->thick - p->height);
}

void page_play_experts(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct board b = {0};
    if (!account_experts(at, &b.w, NULL)) return;
    lay_out(&b, f);
    draw_head(p, &b, f);
    for (uint32_t r = 0; r < b.w.ranks; r++) {
        draw_rank(p, &b, f, r);
        page_blank(p, b.gap && r + 1 < b.w.ranks);
    }
    page_blank(p, b.roomy);
    char *copy = page_bytes(b.w.copy);
    f.role = PAGE_DIM;
    if (f.width < NARROW)
        page_printf(p, p->height, f.indent, PAGE_DIM, "digits: ranks; a copy: %s", copy);
    else
        page_printf(p, p->height, f.indent, PAGE_DIM,
                    "left: the rank with the expert   right: the rank of the token   copy: %s",
                    copy);
    free(copy);
}

/* ── in sentences ──────────────────────────────────────────────────────────────────────────────*/
static uint32_t there(const struct account_experts *w, uint32_t rank) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < w->ranks; r++)
        for (uint32_t t = 0; t < ACCOUNT_EXPERT_TOKENS; t++)
            for (uint32_t k = 0; k < w->choices; k++)
                n += w->to[r][t][k] == rank && is_there(w, account_experts_copy(w, r, t, k));
    return n;
}

void page_play_say_experts(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_experts w;
    if (!account_experts(at, &w, NULL) || w.phase < ACCOUNT_EXPERTS_SEND) return;
    for (uint32_t r = 0; r < w.ranks; r++) {
        char *sent = page_bytes(w.sent[r] * w.copy);
        if (w.phase == ACCOUNT_EXPERTS_END)
            page_say(p, f, "Rank %u computed %u copies and sent %s.", r, w.computes[r], sent);
        else
            page_say(p, f, "Rank %u has %u of the %u copies for its experts, and has sent %s.", r,
                     there(&w, r), w.computes[r], sent);
        free(sent);
    }
}
