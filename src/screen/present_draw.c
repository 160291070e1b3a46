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
    struct base_message m = {0};
    char text[700];
    struct page_flow f = {.indent = LEFT, .width = page_width(p) - 2 * LEFT};
    if (!figure) return;
    if (page_height(p)) page_blank(p, !d->tight);
    int left = rows - page_height(p);
    if (rows) f.rows = left > 1 ? left : 1;
    json_t *shown = json_copy((json_t *)figure);
    if (d->wall) json_object_del(shown, "note");
    if (d->wall) json_object_del(shown, "caption");
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

static void put_bar(struct page *p, const struct present_drawing *d, size_t i, int r) {
    const struct session_bars *b = d->bars;
    int row = page_height(p), from = INDENT + NAME,
        width = page_width(p) - from - COUNT - 1 > LEAST_BAR ? page_width(p) - from - COUNT - 1
                                                             : LEAST_BAR;
    int full = cells_of(b, i, r, width), thick = d->slim && r + 1 < d->rounds ? 1 : d->thick;
    page_put(p, row, INDENT, PAGE_DIM, 0, b->name[r]);
    for (int t = 0; t < thick; t++)
        for (int c = 0; c < full; c++)
            page_put(p, row + t, from + c, r ? PAGE_ACCENT : PAGE_DIM, 0, r ? "█" : "░");
    char *count = b->shares && !b->of[r][i] ? base_dup("–")
                  : b->shares               ? base_format("%d of %d", b->count[r][i], b->of[r][i])
                                            : base_format("%d", b->count[r][i]);
    page_put(p, row, page_width(p) - 1 - page_measure(p, count), r ? PAGE_STRONG : PAGE_PLAIN, 0,
             count);
    free(count);
    if (page_height(p) < row + thick) page_blank(p, row + thick - page_height(p));
}

static void put_options(struct page *p, const struct present_drawing *d) {
    const struct session_bars *b = d->bars;
    if (!b) return;
    if (page_height(p)) page_blank(p, !d->tight || d->rounds == 0);
    for (size_t i = 0; i < b->bars; i++) {
        int row = page_height(p);
        bool right = b->right == i + 1;
        page_markdown(p, flow_of(p, INDENT), b->label[i]);
        if (right)
            page_put(p, row, NUMBER, PAGE_GOOD, PAGE_BOLD, "✓");
        else if (d->numbered)
            page_printf(p, row, NUMBER, PAGE_KEY, "%zu", i + 1);
        for (int r = 0; r < d->rounds; r++) put_bar(p, d, i, r);
    }
}

/* ── a slide ───────────────────────────────────────────────────────────────────────────────────*/
int screen_present_draw(struct page *p, const struct present_drawing *d) {
    page_set_thick(p, d->thick);
    page_set_tight(p, d->tight);
    if (d->text && *d->text) page_markdown(p, flow_of(p, LEFT), d->text);
    put_figure(p, d, d->figure, d->rows);
    put_options(p, d);
    int answer = page_height(p);
    if (d->answer && *d->answer) {
        if (answer) page_blank(p, 1);
        page_markdown(p, flow_of(p, LEFT), d->answer);
    }
    put_figure(p, d, d->after, 0);
    return answer;
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
    screen_present_draw(p, &d);
}
