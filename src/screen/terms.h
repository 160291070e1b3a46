/* terms: where a page has words of the glossary. Private to the module. */
#ifndef SCREEN_TERMS_H
#define SCREEN_TERMS_H

#include "page/page.h"
#include "session/session.h"

enum { TERMS_MOST = 48, TERMS_TARGET = 200000 }; /* a click on span i has target TERMS_TARGET + i */
struct terms {
    size_t count;
    /* On the page. A term that goes on in the next row has a span in each. */
    struct terms_span {
        int row, column, width;
        /* as session_glossary_word() takes it */
        size_t which;
    } span[TERMS_MOST];
};
/* Finds the terms in rows [from, to) of a page, in what is no code, each once: not those that are
 * in `t` already. `mark`: underlines them. */
void screen_terms_find(struct terms *t, const struct session_glossary *g, struct page *p, int from,
                       int to, bool mark);

#endif
