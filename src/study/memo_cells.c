/* The unit of a cell that is nothing but a number: its column's, its row's, its table's. */
#include "memo.h"

static bool unit_within(const struct memo *m, struct memo_range r, struct memo_unit *out) {
    for (size_t i = r.first; i < r.end; i++) {
        bool after = i > r.first &&
                     (memo_is_mark(&m->text, i - 1, '(') || memo_is_mark(&m->text, i - 1, ',') ||
                      memo_is_mark(&m->text, i - 1, '[') || memo_is_phrase(&m->text, i - 1, "in"));
        if ((after || i == r.first) && memo_unit_at(m, i, out)) return true;
    }
    return false;
}

/* The one unit that a table's corner or its row labels name, "GB per GPU", "Total states (GB)", is that of the rows that name none. */
static bool unit_of_labels(const struct memo *m, struct memo_range table, struct memo_unit *out) {
    struct memo_unit one;
    bool found = false;
    for (size_t b = table.first; b < table.end; b++) {
        const struct memo_block *x = &m->block[b];
        bool label = x->row.first == x->tokens.first && x->row.end > x->row.first;
        if (!x->cell || !(label || b == table.first) || !unit_within(m, x->tokens, &one)) continue;
        if (found && (one.dimension != out->dimension || one.scale != out->scale)) return false;
        *out = one;
        found = true;
    }
    return found;
}

/* "(all in GB)": a line beside the table. */
static bool unit_of_lines(const struct memo *m, struct memo_range table, struct memo_unit *out) {
    const size_t beside[] = {table.first - 1, table.end};
    for (size_t k = 0; k < BASE_COUNT(beside); k++) {
        if (beside[k] >= m->blocks) continue;
        const struct memo_range r = m->block[beside[k]].tokens;
        for (size_t i = r.first; i + 1 < r.end; i++)
            if (memo_is_phrase(&m->text, i, "in") && memo_unit_at(m, i + 1, out)) return true;
    }
    return false;
}

/* Of the whole table; it is looked at once. */
static const struct memo_unit *unit_beside(const struct memo *m, size_t block,
                                           struct memo_table *t) {
    if (block < t->blocks.end) return t->unit.name ? &t->unit : NULL;
    struct memo_range table = {block, block};
    while (table.first > 0 && m->block[table.first - 1].cell) table.first--;
    while (table.end < m->blocks && m->block[table.end].cell) table.end++;
    t->blocks = table;
    bool found = unit_of_lines(m, table, &t->unit) || unit_of_labels(m, table, &t->unit);
    if (!found) t->unit.name = NULL;
    return found ? &t->unit : NULL;
}

/* Something that is counted in bytes stands over the cell, and no unit anywhere. */
bool memo_cell_wants_unit(const struct memo *m, size_t block) {
    const struct memo_block *b = &m->block[block];
    return memo_says(m, b->row, MEMO_ABOUT) || memo_says(m, b->column, MEMO_ABOUT);
}

/* Whether what stands over a cell is measured so: a table in GB may have a row of seconds. */
static bool measures(const struct memo *m, const struct memo_block *b, enum memo_dimension d) {
    const struct memo_range over[] = {b->row, b->column};
    for (size_t i = 0; i < BASE_COUNT(over); i++)
        for (size_t k = memo_mention_from(m, over[i].first);
             k < m->mentions && m->mention[k].first < over[i].end; k++)
            if (m->mention[k].says == MEMO_ABOUT &&
                memo_dimension_of((enum memo_what)m->mention[k].value) == d)
                return true;
    return false;
}

bool memo_cell_unit(const struct memo *m, size_t block, struct memo_table *t,
                    struct memo_unit *out) {
    const struct memo_block *b = &m->block[block];
    if (unit_within(m, b->column, out) || unit_within(m, b->row, out)) return true;
    const struct memo_unit *unit = memo_cell_wants_unit(m, block) ? unit_beside(m, block, t) : NULL;
    if (!unit || !measures(m, b, unit->dimension)) return false;
    *out = *unit;
    return true;
}
