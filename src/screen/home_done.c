/* screen_home_done_draw: home once every lesson is done: what is due, and what is left of the
 * course today and in thirty days. The lessons are behind a key. */
#include "screen/home.h"

static struct page *lay(const struct home *h, int width, int rows) {
    struct page *p = page_new(width, h->view.app->look.ascii);
    page_set_colours(p, h->view.app->look.colours);
    page_milestones(p, (struct page_flow){.indent = 1, .width = width - 2}, h->milestones, rows);
    return p;
}

/* The milestones stand between what is due and what is the learner's own, and scroll if they have
 * too little room; with more, what fades and the minutes of the days follow. */
void screen_home_done_draw(struct home *h, struct frame *f) {
    enum { LEAST = 3 };
    struct page *p = lay(h, f->width, 0);
    int end = f->top + f->rows, top = f->top + screen_home_today_draw(h, f, f->top) + 1;
    int own = screen_home_own_rows(h, f, end - top - LEAST),
        told = screen_home_case_rows(h, f, end - top - own - page_height(p)),
        room = end - top - own - told;
    page_free(p);
    p = lay(h, f->width, room);
    int height = page_height(p);
    screen_list_keep_in_view(&h->scrolled, height, room, h->scrolled, h->scrolled + room);
    screen_frame_window(f, p, h->scrolled, room, top, f->left);
    screen_home_own_draw(h, f, top + (height < room ? height : room), own + told, told);
    screen_frame_more(f, h->scrolled > 0, h->scrolled + room < height);
    page_free(p);
    screen_home_pane_draw(h, f);
}
