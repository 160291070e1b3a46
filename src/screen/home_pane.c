/* screen_home_pane_draw: next to the course, the lesson under the cursor: what it teaches, its
 * figure, and where the learner stands in it. */
#include "screen/home.h"

#include <math.h>
#include <stdlib.h>

bool screen_home_is_closed(const struct home *h, size_t phase) {
    return h->gate[phase] < session_learner_course(h->view.app->learner)->lessons;
}

/* The caller's. */
static char *how_it_stands(const struct home *h, size_t i) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[i];
    const struct learner_progress *g = &h->progress[i];
    bool check = l->kind == LESSON_CHECK;
    switch (g->standing) {
    case LEARNER_BEGUN: return base_dup("Begun. It opens where you left it.");
    case LEARNER_FAILED:
        return base_dup("Not passed yet. You can take it again with other numbers.");
    case LEARNER_DONE: return base_format("%s. You can take it again.", check ? "Passed" : "Done");
    case LEARNER_SKIPPED:
        return base_format("You finished it and skipped %zu answer%s. %s", g->skipped,
                           g->skipped == 1 ? "" : "s",
                           *g->skip ? "It opens at the first." : "You can take it again.");
    case LEARNER_UNTOUCHED: break;
    }
    return base_dup(screen_home_is_closed(h, (size_t)l->phase)
                        ? "Its phase opens with the check before it."
                        : "Not begun yet.");
}

/* A paragraph, and a gap under it. */
static void say(struct page *p, unsigned role, char *text) {
    struct page_flow flow = {.width = page_width(p), .role = role};
    page_markdown(p, flow, text);
    page_blank(p, 1);
    free(text);
}

static void put_head(const struct lesson_entry *l, struct page *p) {
    static const char *const kinds[] = {"Lesson", "Review", "Check"};
    say(p, PAGE_STRONG, base_dup(l->title));
    say(p, PAGE_DIM, base_format("%s %s, about %d minutes", kinds[l->kind], l->id, l->minutes));
}

static char *what_it_is(const struct home *h, size_t i) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[i];
    if (l->kind == LESSON_REVIEW)
        return base_dup("Problems from the whole phase. First those you missed, then new ones.");
    if (l->kind == LESSON_CHECK)
        return base_dup("Six problems from the phase, each asked once and without hints. You pass "
                        "with five right.");
    const char *goal = session_learner_goal(h->view.app->learner, i);
    bool done = h->progress[i].standing == LEARNER_DONE;
    return *goal ? base_format("%s %s.", done ? "You can" : "After it you can", goal) : NULL;
}

static void put_score(const struct learner_progress *g, double recall, struct page *p) {
    enum { BAR = 24 };
    if (!g->graded) return;
    int width = page_width(p);
    bool known = !isnan(recall);
    say(p, PAGE_PLAIN,
        known
            ? base_format("You are likely to recall %d%% of it today.", screen_home_percent(recall))
            : base_format("%zu of %zu right at the first try", g->right_first, g->graded));
    page_progress(p, page_height(p) - 1, 0, width < BAR ? width : BAR,
                  known ? recall : (double)g->right_first / (double)g->graded);
    page_blank(p, 1);
}

/* The lesson's figure if it fits under what is there. */
static void put_face(const struct home *h, size_t i, struct page *p, int rows) {
    const json_t *face = session_learner_face(h->view.app->learner, i);
    struct base_message m = {0};
    struct page *figure = page_new(page_width(p), page_ascii(p));
    page_set_colours(figure, h->view.app->look.colours);
    bool drawn = face && page_figure(figure, (struct page_flow){.width = page_width(p)}, face, &m);
    if (drawn && page_height(p) + page_height(figure) <= rows)
        page_append(p, figure, 0, page_height(figure));
    page_free(figure);
}

void screen_home_pane_draw(const struct home *h, struct frame *f) {
    if (!f->pane_width || h->list.count == 0) return;
    size_t i = h->existing[h->list.at];
    struct page *p = page_new(f->pane_width, h->view.app->look.ascii);
    page_set_colours(p, h->view.app->look.colours);
    put_head(&session_learner_course(h->view.app->learner)->lesson[i], p);
    char *what = what_it_is(h, i);
    if (what) say(p, PAGE_PLAIN, what);
    say(p, PAGE_DIM, how_it_stands(h, i));
    put_score(&h->progress[i], h->recall[i], p);
    put_face(h, i, p, f->rows);
    screen_frame_window(f, p, 0, f->rows, f->top, f->pane_left);
    page_free(p);
}
