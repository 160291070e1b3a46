/* watch_put: what the parts of the teacher's screen are put together from: columns, bars, the
 * cursor, the row of labs. */
#include "screen/watch.h"
#include "screen/frame.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = WATCH_LEFT };

char *screen_watch_minutes(int64_t seconds) {
    return seconds < 60 ? base_dup("under 1 min")
                        : base_format("%lld min", (long long)seconds / 60);
}

char *screen_watch_title(const struct classroom_presence *now) {
    return *now->title ? base_dup(now->title) : base_words(now->step);
}

void screen_watch_put_cut(struct page *p, int row, int column, int cells, unsigned role,
                          const char *text) {
    if (cells <= 0) return;
    char *cut = page_cut(text, cells, page_ascii(p));
    page_put(p, row, column, role, 0, cut);
    free(cut);
}

void screen_watch_put_words(struct page *p, int row, int column, int cells, unsigned role,
                            const char *text) {
    struct page *words = page_new(cells, page_ascii(p));
    page_text(words, (struct page_flow){.width = cells, .role = role}, text);
    page_paste(p, words, row, column);
    page_free(words);
}

/* Whether the row has nothing from one column on. */
static bool is_free(const struct page *p, int row, int column) {
    for (; row < page_height(p) && column < page_width(p); column++)
        if (strcmp(page_cell(p, row, column)->text, " ") != 0) return false;
    return true;
}

void screen_watch_put_right(struct page *p, int row, unsigned role, const char *text) {
    int column = page_width(p) - 1 - page_measure(p, text);
    page_put(p, is_free(p, row, column - 1) ? row : row + 1, column, role, 0, text);
}

void screen_watch_put_cursor(struct page *p, const struct watch_drawing *d, size_t thing, int row) {
    if (d->row) d->row[thing] = row;
    if (thing == d->at) page_put(p, row, LEFT, PAGE_ACCENT, PAGE_BOLD, "▸");
}

void screen_watch_put_tried(struct page *p, const struct classroom_presence *now, int column) {
    if (!now->tries || !*now->mistake) return;
    char *mistake = session_watch_mistake(now->mistake),
         *text = base_format("try %d: %s", now->tries, mistake);
    screen_watch_put_cut(p, page_height(p), column, page_width(p) - column - 1, PAGE_WARN, text);
    free(text);
    free(mistake);
}

void screen_watch_put_bar(struct page *p, int row, int column, int cells, int made, int of,
                          unsigned role) {
    int full = of > 0 ? (made * cells + of / 2) / of : 0;
    for (int c = 0; c < cells; c++)
        page_put(p, row, column + c, c < full ? role : PAGE_DIM, 0, c < full ? "▇" : "▁");
}

void screen_watch_put_labs(struct page *p, const struct watch_drawing *d) {
    static const char *const nouns[] = {[CLASSROOM_GPU] = "GPUs ", [CLASSROOM_CPU] = "cores"};
    for (enum classroom_kind k = 0; k < CLASSROOM_KINDS; k++) {
        const struct classroom_labs *l = &session_watch_overview(d->watch)->labs[k];
        int row = page_height(p);
        if (!l->slots) continue;
        page_put(p, row, LEFT, PAGE_TITLE, 0, "labs");
        page_printf(p, row, LEFT + 7, PAGE_PLAIN, "%s  %d of %d in use by %d %s", nouns[k], l->used,
                    l->slots, l->running, l->running == 1 ? "lab" : "labs");
        char *waits = l->waiting ? base_format("waiting %d, last in %lld:%02lld", l->waiting,
                                               (long long)l->last / 60, (long long)l->last % 60)
                                 : base_dup("waiting 0");
        screen_watch_put_right(p, row, l->waiting ? PAGE_STRONG : PAGE_DIM, waits);
        free(waits);
    }
}
