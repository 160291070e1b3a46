/* present: what is drawn of a slide at the front. Private to the module, but for
 * screen_present_page(), which screen.h declares. */
#ifndef SCREEN_PRESENT_H
#define SCREEN_PRESENT_H

#include "page/page.h"
#include "session/session.h"

struct present_drawing {
    /* Markdown; NULL: none */
    const char *text;
    const json_t *figure;
    /* options without bars; or bars, of which the first `rounds` of each pair are drawn; or NULL */
    const struct session_bars *bars;
    int rounds;
    /* bars are choices: they have numbers */
    bool numbered;
    /* shown below: Markdown and a figure; each may be NULL */
    const char *answer;
    const json_t *after;
    /* rows of a bar, 1 to PAGE_THICKEST */
    int thick;
    /* rows of the wall, for figures that can do with fewer; 0: as many as read best */
    int rows;
    /* on the wall figures have no lines of the lesson's below them; if they are tight, no axes
     * either, nor rows between bars */
    bool wall, tight;
    /* of two rounds the first has bars of one row */
    bool slim;
};
/* Draws it on an empty page. Returns the row at which the answer begins, the page's height if there
 * is none. */
int screen_present_draw(struct page *p, const struct present_drawing *d);

#endif
