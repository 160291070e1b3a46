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
    const char *given, *answer;
    const json_t *after;
    /* rows of a bar, 1 to PAGE_THICKEST */
    int thick;
    /* rows of the wall, for figures that can do with fewer; 0: as many as read best */
    int rows;
    /* on the wall figures have no lines of the lesson's below them; if they are tight, no axes
     * either, nor rows between bars */
    bool wall, tight;
    /* the bars of two rounds are next to each other, not one below the other */
    bool beside;
};
/* The rows at which the figure, each option, the answer and its figure begin. */
enum { PRESENT_PARTS = CLASSROOM_OPTIONS + 3 };
struct present_parts {
    int count, row[PRESENT_PARTS];
    /* the row of the answer; the page's height if there is none */
    int answer;
    /* the row that names two rounds next to each other; -1: none does */
    int names;
};
/* Draws it on an empty page. */
void screen_present_draw(struct page *p, const struct present_drawing *d,
                         struct present_parts *parts);

/* A slide on as many walls as its height asks for: all of it on one page, cut into pieces. */
enum { PRESENT_WALLS = 24 };
struct present_walls {
    struct page *page;
    /* the piece with the answer's beginning, from 0 */
    int count, answer;
    int first[PRESENT_WALLS], rows[PRESENT_WALLS];
    /* the row with the names of the columns, repeated above each piece; -1: none */
    int above[PRESENT_WALLS];
};
/* Lays it out for d->rows rows and `width` columns. What is too high is made lower first: `terse`
 * and `gist` may take the place of the text and the answer, and may be NULL. Bars keep their
 * thickness. page_free() frees walls.page. */
struct present_walls screen_present_walls(struct present_drawing d, const char *terse,
                                          const char *gist, int width, bool ascii, int colours);

#endif
