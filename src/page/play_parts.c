/* What the drawings of plays share: chunks by what has been added to them, and meters. */
#include "page/play.h"

const char *page_play_letter(uint32_t chunk) {
    static const char *const letters[ACCOUNT_SCENE_RANKS] = {"a", "b", "c", "d",
                                                             "e", "f", "g", "h"};
    return letters[chunk];
}

/* What an all-gather copies are parameters; what the others add are gradients. */
static enum account_category category_of(const struct account_scene *s) {
    return s->kind == ACCOUNT_SCENE_RING_ALL_GATHER ? ACCOUNT_PARAMS : ACCOUNT_GRADS;
}

int page_play_cells(struct page *p, int row, int column, const struct account_scene *s,
                    const struct account_cell *cell, unsigned attributes) {
    enum account_category c = category_of(s);
    bool whole = cell->shares == (1u << s->ranks) - 1;
    unsigned role = cell->stale ? PAGE_DIM : PAGE_CATEGORY + (unsigned)c;
    if (whole || cell->fresh) attributes |= PAGE_BOLD;
    for (uint32_t r = 0; r < s->ranks; r++) {
        bool full = cell->shares >> r & 1;
        column = page_put(p, row, column, full ? role : PAGE_DIM, attributes,
                          full ? page_fill(p, c) : "·");
    }
    return column;
}

int page_play_meter(struct page *p, int row, int column, uint32_t full, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        column = page_put(p, row, column, i < full ? PAGE_ACCENT : PAGE_DIM, 0,
                          i < full ? (p->ascii ? "#" : "■") : (p->ascii ? "." : "□"));
    return column;
}
