/* watch: what the teacher's screen draws. Private to the module, but for screen_watch_page(), which
 * screen.h declares. */
#ifndef SCREEN_WATCH_H
#define SCREEN_WATCH_H

#include "page/page.h"
#include "session/session.h"

struct watch_drawing {
    struct session_watch *watch;
    bool names;
    /* that is selected, of those who want help and then the mistakes; none if it is their count */
    size_t at;
    /* how many mistakes are shown at most */
    size_t mistakes;
    /* the row of each thing that can be selected, as many as screen_watch_things(); may be NULL */
    int *row;
};
/* Those who want help, and the mistakes that are shown. */
size_t screen_watch_things(const struct watch_drawing *d);
/* Draws the room below what is on the page. */
void screen_watch_room(struct page *p, const struct watch_drawing *d);
/* Draws what to say about a mistake. */
void screen_watch_slip(struct page *p, const struct session_slip *s,
                       const struct classroom_slip *c);
/* "sys-26   minute 34 of 90" and "28 here, 2 not", the caller's. */
char *screen_watch_clock(const struct watch_drawing *d);
char *screen_watch_count(const struct watch_drawing *d);

#endif
