/* present_draw: a slide on a page: what is said, a figure, options or bars, the answer. */
#include "screen/present.h"
#include "screen/screen.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 1, NUMBER = 2, INDENT = 5, NAME = 14, COUNT = 9, LEAST_BAR = 8 };

static struct page_flow flow_of(const struct page *p, int indent) {
    int width = page_width(p) - indent - 2;
    return (struct page_flow){.indent = indent, .width = width < 80 ? width : 80};
}

/* A figure that cannot be drawn says why: that is a lesson's fault, found while it is prepared. */
static void put_figure(struct page *p, const struct present_drawing *d, const json_t *figure,
                       int rows) {
    static const char *const small[] = {"note", "longest_note", "caption"};
    struct base_message m = {0};
    char text[700];
    struct page_flow f = {.indent = LEFT, .width = page_width(p) - 2 * LEFT};
    if (!figure) return;
    if (page_height(p)) page_blank(p, !d->tight);
    int left = rows - page_height(p);
    if (rows) f.rows = left > 1 ? left : 1;
    json_t *shown = json_copy((json_t *)figure);
    for (size_t i = 0; d->wall && i < BASE_COUNT(small); i++) json_object_del(shown, small[i]);
    if (!page_figure(p, f, shown, &m)) page_text(p, f, base_message_text(&m, text, sizeof text));
    json_decref(shown);
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static int most_of(const struct session_bars *b) {
    int most = 1;
    for (size_t i = 0; i < b->bars; i++)
        for (int r = 0; r < CLASSROOM_ROUNDS; r++)
            if (b->of[r][i] > most) most = b->of[r][i];
    return most;
}

/* The longest bar is of all who could have chosen it. */
static int cells_of(const struct session_bars *b, size_t i, int r, int width) {
    int of = b->shares ? b->of[r][i] : most_of(b);
    return of ? (b->count[r][i] * width + of / 2) / of : 0;
}

/* Where the bars of a round stand: all below each other, or each round in its own half. */
static int left_of(const struct page *p, const struct present_drawing *d, int r) {
    int half = (page_width(p) - INDENT) / CLASSROOM_ROUNDS;
    return d->beside ? INDENT + r * half : INDENT + NAME;
}

static int right_of(const struct page *p, const struct present_drawing *d, int r) {
    return d->beside && r + 1 < CLASSROOM_ROUNDS ? left_of(p, d, r + 1) - 2 : page_width(p) - 1;
}

static void put_bar(struct page *p, const struct present_drawing *d, size_t i, int r, int row) {
    const struct session_bars *b = d->bars;
    int from = left_of(p, d, r), end = right_of(p, d, r), width = end - from - COUNT;
    int full = cells_of(b, i, r, width > LEAST_BAR ? width : LEAST_BAR);
    if (!d->beside) page_put(p, row, INDENT, PAGE_DIM, 0, b->name[r]);
    for (int t = 0; t < d->thick; t++)
        for (int c = 0; c < full; c++)
            page_put(p, row + t, from + c, r ? PAGE_ACCENT : PAGE_DIM, 0, r ? "█" : "░");
    char *count = b->shares && !b->of[r][i] ? base_dup("–")
                  : b->shares               ? base_format("%d of %d", b->count[r][i], b->of[r][i])
                                            : base_format("%d", b->count[r][i]);
    page_put(p, row, end - page_measure(p, count), r ? PAGE_STRONG : PAGE_PLAIN, 0, count);
    free(count);
    if (page_height(p) < row + d->thick) page_blank(p, row + d->thick - page_height(p));
}

static void add_part(const struct page *p, struct present_parts *parts) {
    parts->row[parts->count++] = page_height(p);
}

static void put_option(struct page *p, const struct present_drawing *d, size_t i) {
    const struct session_bars *b = d->bars;
    int row = page_height(p);
    page_markdown(p, flow_of(p, INDENT), b->label[i]);
    if (b->right == i + 1)
        page_put(p, row, NUMBER, PAGE_GOOD, PAGE_BOLD, "✓");
    else if (d->numbered)
        page_printf(p, row, NUMBER, PAGE_KEY, "%zu", i + 1);
    row = page_height(p);
    for (int r = 0; r < d->rounds; r++) put_bar(p, d, i, r, d->beside ? row : page_height(p));
}

static void put_options(struct page *p, const struct present_drawing *d,
                        struct present_parts *parts) {
    const struct session_bars *b = d->bars;
    if (!b) return;
    if (page_height(p)) page_blank(p, !d->tight || d->rounds == 0);
    add_part(p, parts);
    int row = page_height(p);
    if (d->beside && d->rounds) parts->names = row;
    for (int r = 0; d->beside && r < d->rounds; r++)
        page_put(p, row, left_of(p, d, r), PAGE_DIM, 0, b->name[r]);
    for (size_t i = 0; i < b->bars; i++) {
        if (i) add_part(p, parts);
        put_option(p, d, i);
    }
}

/* ── a slide ───────────────────────────────────────────────────────────────────────────────────*/
void screen_present_draw(struct page *p, const struct present_drawing *d,
                         struct present_parts *parts) {
    *parts = (struct present_parts){.names = -1};
    page_set_thick(p, d->thick);
    page_set_tight(p, d->tight);
    if (d->text && *d->text) page_markdown(p, flow_of(p, LEFT), d->text);
    if (d->given) page_blank(p, 1);
    if (d->given) page_markdown(p, flow_of(p, LEFT), d->given);
    if (d->figure) add_part(p, parts);
    put_figure(p, d, d->figure, d->rows);
    put_options(p, d, parts);
    parts->answer = page_height(p);
    if (d->answer || d->after) add_part(p, parts);
    if (d->answer && *d->answer) {
        if (parts->answer) page_blank(p, 1);
        page_markdown(p, flow_of(p, LEFT), d->answer);
    }
    if (d->answer && d->after) add_part(p, parts);
    put_figure(p, d, d->after, 0);
}

void screen_present_page(struct page *p, const struct session_slide *s,
                         const struct session_bars *votes) {
    struct session_bars options = {.bars = s->options, .right = s->right};
    for (size_t i = 0; i < s->options; i++) options.label[i] = s->option[i];
    struct session_bars with = votes ? *votes : options;
    with.right = s->right;
    const struct present_drawing d = {.text = s->text,
                                      .figure = s->figure,
                                      .bars = s->options ? &with : NULL,
                                      .rounds = votes ? CLASSROOM_ROUNDS : 0,
                                      .numbered = true,
                                      .answer = s->answer,
                                      .after = s->after,
                                      .thick = 1};
    struct present_parts parts;
    screen_present_draw(p, &d, &parts);
}
