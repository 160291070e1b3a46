/* What the drawings of plays share: how large they are in the rows that are given, chunks by what
 * has been added to them, and meters. */
#include "page/play.h"

const struct page_play_size page_play_sizes[PAGE_PLAY_SIZES] = {
    {5, 4, 1, 1}, {3, 3, 1, 1}, {2, 2, 0, 1}, {1, 2, 0, 1}, {1, 1, 0, 1}, {1, 1, 0, 0}};

int page_play_largest(struct page_flow f) {
    return f.rows ? 0 : PAGE_PLAY_SIZES - 1;
}

int page_play_columns(const struct page_play_size *size, uint32_t ranks) {
    return (int)ranks * (size->wide + size->apart) - size->apart;
}

int page_play_rows(const struct page_play_size *size, uint32_t chunks) {
    return (int)chunks * (size->high + size->gap) - size->gap;
}

int page_play_thick(struct page_flow f, int others, int count, int most) {
    int each = f.rows ? (f.rows - others) / count : 1;
    return each < 1 ? 1 : each > most ? most : each;
}

const char *page_play_letter(uint32_t chunk) {
    static const char *const letters[ACCOUNT_SCENE_RANKS] = {"a", "b", "c", "d",
                                                             "e", "f", "g", "h"};
    return letters[chunk];
}

const char *page_play_idle(const struct page *p) {
    return p->ascii ? ":" : "░";
}

/* What an all-gather copies are parameters; what the others add are gradients. */
static enum account_category category_of(const struct account_scene *s) {
    return s->kind == ACCOUNT_SCENE_RING_ALL_GATHER ? ACCOUNT_PARAMS : ACCOUNT_GRADS;
}

/* Partial sums are dim: they have no ground of their colour. */
int page_play_cells(struct page *p, int row, int column, const struct page_play_size *size,
                    const struct account_scene *s, const struct account_cell *cell) {
    enum account_category c = category_of(s);
    bool whole = cell->shares == (1u << s->ranks) - 1;
    bool bright = whole || cell->fresh;
    unsigned role = cell->stale ? PAGE_DIM : bright ? PAGE_CATEGORY + (unsigned)c : PAGE_END(c);
    unsigned attributes = bright ? PAGE_BOLD : 0;
    for (uint32_t r = 0; r < s->ranks; r++, column += size->wide + size->apart) {
        bool full = cell->shares >> r & 1;
        for (int i = 0; i < size->wide * size->high; i++)
            page_put(p, row + i / size->wide, column + i % size->wide, full ? role : PAGE_DIM,
                     attributes,
                     !full         ? "·"
                     : cell->stale ? page_play_idle(p)
                                   : page_fill(p, c));
    }
    return column - size->apart;
}

int page_play_meter(struct page *p, int row, int column, uint32_t full, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        column = page_put(p, row, column, i < full ? PAGE_ACCENT : PAGE_DIM, 0,
                          i < full ? (p->ascii ? "#" : "■") : (p->ascii ? "." : "□"));
    return column;
}
