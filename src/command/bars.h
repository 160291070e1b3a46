/* Stacked bars of ledgers to one scale, with the card as a line through them. The stack figure of paper draws trainings; these are
 * moments of one: what a card must hold at its worst. */
#ifndef COMMAND_BARS_H
#define COMMAND_BARS_H

#include "command/inside.h"

enum { BARS_MOST = 8 };
struct bars {
    size_t count;
    struct {
        char label[16];
        const struct account_ledger *ledger;
        const char *note; /* after the total: "yes"; NULL for nothing */
        unsigned role;    /* of the note, and of a total that is over the limit */
    } bar[BARS_MOST];
    enum account_unit unit;
    double limit;            /* bytes; 0: none */
    const char *limit_words; /* "usable on an A100" */
};
void command_bars_draw(const struct bars *b, struct page *p);

#endif
