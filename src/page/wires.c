/* Collectives as figures have them: their names, the fills of what they fill, and bars of bytes
 * sent. Bars have one order, reductions before gathers, so that those of several runs begin alike.
 */
#include "page/figure.h"

static const struct {
    const char *name;
    /* An all-reduce has the gradients' fill to itself. */
    enum account_category category;
} wires[ACCOUNT_COLLECTIVES] = {
    [ACCOUNT_ALL_REDUCE] = {"all-reduce", ACCOUNT_GRADS},
    [ACCOUNT_REDUCE_SCATTER] = {"reduce-scatter", ACCOUNT_REDUCE},
    [ACCOUNT_ALL_GATHER] = {"all-gather", ACCOUNT_GATHER},
    [ACCOUNT_ALL_TO_ALL] = {"all-to-all", ACCOUNT_ACTIVATIONS},
    [ACCOUNT_P2P] = {"point to point", ACCOUNT_FRAMEWORK},
};

const char *page_wire_name(enum account_collective_kind c) {
    return wires[c].name;
}

enum account_category page_wire_category(enum account_collective_kind c) {
    return wires[c].category;
}

int page_wire_sign(struct page *p, struct page_flow f, int *row, int column,
                   enum account_collective_kind c) {
    enum account_category k = wires[c].category;
    return page_sign(p, f, row, column, PAGE_CATEGORY + (unsigned)k, page_fill(p, k),
                     wires[c].name);
}

int page_wire_parts(const struct page *p, const uint64_t sent[ACCOUNT_COLLECTIVES],
                    struct page_part part[static PAGE_PARTS]) {
    int parts = 0;
    for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++) {
        int halves = c == ACCOUNT_ALL_REDUCE ? 2 : 1;
        for (int i = 0; i < halves && sent[c]; i++)
            part[parts++] = (struct page_part){.bytes = (double)sent[c] / halves,
                                               .category = wires[c].category,
                                               .fill = page_fill(p, wires[c].category)};
    }
    return parts;
}
