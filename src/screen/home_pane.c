/* screen_home_pane_draw: next to the course, what is under the cursor: of a lesson what it teaches,
 * its figure, and where the learner stands in it; or what is due; or a recording to watch. */
#include "screen/home.h"
#include "screen/pane.h"

#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>

bool screen_home_is_closed(const struct home *h, size_t phase) {
    return h->gate[phase] < session_learner_course(h->view.app->learner)->lessons;
}

/* What a lesson asks of whoever begins it; the caller's, NULL of a review or a check. */
static char *how_long(const struct home *h, size_t i) {
    struct learner_stretch s = session_learner_stretch(h->view.app->learner, i);
    if (s.from == 0) return NULL;
    if (s.to == s.steps) return base_format("%d steps.", s.steps);
    return base_format("%d steps. After step %d, about %d minute%s, you can stop for the day.",
                       s.steps, s.to, s.minutes, s.minutes == 1 ? "" : "s");
}

/* The caller's, or NULL. */
static char *how_it_stands(const struct home *h, size_t i) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[i];
    const struct learner_progress *g = &h->progress[i];
    bool check = l->kind == LESSON_CHECK;
    switch (g->standing) {
    case LEARNER_ASKED:
        return base_dup("Your placement is in this check. It continues where you left it.");
    case LEARNER_BEGUN: return base_dup("Begun. It opens where you left it.");
    case LEARNER_FAILED:
        return base_dup("Not passed yet. You can take it again with other numbers.");
    case LEARNER_DONE:
        if (g->skipped > 0)
            return base_format("Done: you passed its phase's check, and skipped %zu answer%s here.",
                               g->skipped, g->skipped == 1 ? "" : "s");
        return base_format("%s. You can take it again.", check ? "Passed" : "Done");
    case LEARNER_SKIPPED:
        return base_format("You finished it and skipped %zu answer%s. %s", g->skipped,
                           g->skipped == 1 ? "" : "s",
                           *g->skip ? "It opens at the first." : "You can take it again.");
    case LEARNER_UNTOUCHED: break;
    }
    if (screen_home_is_closed(h, (size_t)l->phase))
        return base_dup("It is meant for after the previous check, but you can open it now.");
    return how_long(h, i);
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
    if (l->kind != LESSON_ORDINARY) return base_dup(lesson_kind_says(l->kind));
    const char *goal = session_learner_goal(h->view.app->learner, i);
    bool done = h->progress[i].standing == LEARNER_DONE;
    return *goal ? base_format("%s %s.", done ? "You can" : "After it you can", goal) : NULL;
}

static void put_score(const struct learner_progress *g, double recall, struct page *p) {
    enum { BAR = 24 };
    bool tried = g->standing != LEARNER_BEGUN && g->standing != LEARNER_ASKED;
    if (!g->graded || !tried) return; /* not all of them were tried */
    int width = page_width(p);
    char today[64] = "";
    if (!isnan(recall))
        snprintf(today, sizeof today, "; today you would recall %d%%", base_percent(recall));
    say(p, PAGE_PLAIN,
        base_format("%zu of %zu right at the first try%s", g->right_first, g->graded, today));
    page_progress(p, page_height(p) - 1, 0, width < BAR ? width : BAR,
                  (double)g->right_first / (double)g->graded);
    page_blank(p, 1);
}

/* The lesson's steps in so many rows, and what became of each; a click opens one. */
static void put_steps(struct home *h, size_t i, const struct outline *o, int rows, struct page *p,
                      struct frame *f) {
    const struct learner_progress *g = &h->progress[i];
    const char *here = g->under_way ? g->step : g->through ? NULL : o->step[0].id;
    int row = page_height(p);
    size_t first = screen_outline_draw(o, p, rows, here, &h->by);
    screen_outline_zones(o, f, first, f->top + row, page_height(p) - row, f->pane_left - f->left,
                         f->pane_width);
}

/* On an empty record the figure alone: names of steps may say what the first one asks. */
static struct home_shown *look_up(struct home *h, size_t i) {
    struct home_shown *s = &h->shown[i];
    const struct learner_progress *g = &h->progress[i];
    if (s->read) return s;
    s->read = true;
    s->face = session_learner_face(h->view.app->learner, i);
    if (!h->first) screen_outline_of(&s->steps, h->view.app->learner, i);
    screen_outline_reach(&s->steps, g->under_way || !g->through ? g->step : NULL);
    return s;
}

void screen_home_pane_forget(struct home *h) {
    for (size_t i = 0; i < BASE_COUNT(h->shown); i++) {
        json_decref(h->shown[i].face);
        screen_outline_free(&h->shown[i].steps);
        h->shown[i] = (struct home_shown){0};
    }
}

/* The figure and the steps, at least half of them, or the one of both that there is room for. */
static void put_lesson(struct home *h, size_t i, struct page *p, struct frame *f) {
    const struct home_shown *s = look_up(h, i);
    const json_t *face = s->face;
    int rows = f->rows, all = (int)s->steps.count, steps = all, gap = steps > 0;
    const struct look *look = &h->view.app->look;
    bool both = screen_pane_figure(p, face, rows - steps - gap, look);
    while (!both && 2 * (steps - 1) >= all)
        both = screen_pane_figure(p, face, rows - --steps - gap, look);
    bool figure = both || screen_pane_figure(p, face, rows, look);
    if (!figure) steps = all;
    if (both) page_blank(p, gap);
    if (steps > 0 && (both || (!figure && page_height(p) + steps <= rows)))
        put_steps(h, i, &s->steps, steps, p, f);
}

/* What comes today, as far as there is room, with what of it is likely recalled. */
struct listing {
    struct page *page;
    int room;
    /* to come, and those that there was no room for */
    int coming;
    size_t left;
};
enum {
    LISTED = 10,  /* columns of a lesson and a percentage */
    EXPLAINED = 5 /* rows for what a review is, below the list */
};

/* A title that is too long takes further rows if the others still have theirs, else it is cut: how
 * many it took. */
static int put_title(struct page *p, const char *title, int width, int room) {
    struct page_flow flow = {.indent = 2, .width = width};
    struct page *whole = page_new(page_width(p), page_ascii(p));
    page_text(whole, flow, title);
    int rows = page_height(whole);
    page_free(whole);
    char *cut = rows > 1 && rows > room ? page_cut(title, width, page_ascii(p)) : NULL;
    page_text(p, flow, cut ? cut : title);
    free(cut);
    return cut ? 1 : rows;
}

static void list_thing(void *to, const struct learner_fading *f) {
    struct listing *l = to;
    struct page *p = l->page;
    int row = page_height(p), end = page_width(p);
    l->coming--;
    l->left += l->room <= 0;
    if (l->room <= 0) return;
    bool fresh = isnan(f->recall);
    l->room -= put_title(p, f->title, end - 2 - LISTED, l->room - l->coming);
    page_strength_put(p, row, 0, fresh ? PAGE_NOT_MET : page_strength_of(f->recall));
    page_put(p, row, end - LISTED + 1, PAGE_ACCENT, 0, f->lesson);
    if (fresh)
        page_put(p, row, end - 4, PAGE_DIM, 0, " new");
    else
        page_printf(p, row, end - 4, PAGE_DIM, "%3d%%", base_percent(f->recall));
}

static void put_due(const struct home *h, struct page *p, int rows) {
    say(p, PAGE_STRONG, base_dup("Today's review"));
    say(p, PAGE_DIM,
        base_format("%zu to answer, about %d minute%s", h->due, h->due_minutes,
                    h->due_minutes == 1 ? "" : "s"));
    struct listing all = {
        .page = p, .room = rows - page_height(p) - 1 - EXPLAINED, .coming = (int)h->due};
    size_t things = session_learner_fading(h->view.app->learner, list_thing, &all);
    if (all.left > 0) page_printf(p, page_height(p), 2, PAGE_DIM, "and %zu more", all.left);
    if (h->due > things)
        list_thing(&all, &(struct learner_fading){
                             .title = "Your own job", .lesson = "", .recall = (double)NAN});
    if (things > 0) page_blank(p, 1);
    say(p, PAGE_PLAIN,
        base_dup("Cards and problems of your lessons, each asked when you would soon forget it. "
                 "Problems come with fresh numbers."));
}

static void put_chosen(struct home *h, size_t i, struct page *p, struct frame *f) {
    put_head(&session_learner_course(h->view.app->learner)->lesson[i], p);
    char *what = what_it_is(h, i), *stands = how_it_stands(h, i);
    if (what) say(p, PAGE_PLAIN, what);
    if (stands) say(p, PAGE_DIM, stands);
    put_score(&h->progress[i], h->recall[i], p);
    put_lesson(h, i, p, f);
}

static void put_recording(const struct home *h, struct page *p) {
    const char *name = session_learner_course(h->view.app->learner)->welcome.watch;
    const struct experiment_lab *lab = experiment_lab_find(name);
    say(p, PAGE_STRONG, base_dup(lab->title));
    say(p, PAGE_DIM, base_format("A recording of a lab of lesson %s", lab->lesson));
    say(p, PAGE_PLAIN, base_dup(lab->about));
}

/* It asks one check after the other, and is none itself. */
static void put_placement(const struct home *h, struct page *p) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    say(p, PAGE_STRONG, base_dup("Placement: find where to start"));
    say(p, PAGE_DIM,
        base_format("Six problems from each phase, about %d minutes a phase",
                    c->lesson[h->place].minutes));
    say(p, PAGE_PLAIN,
        base_dup("With five right you pass the phase and get the problems of the next one. "
                 "Wrong answers only decide where you start: with the first phase that you do not "
                 "pass. You can take its check again at any time."));
    say(p, PAGE_DIM,
        base_dup("There are no hints. You can leave at any time and go on from there."));
}

/* What a way to begin leads to. */
static void put_way(struct home *h, struct page *p, struct frame *f) {
    if (h->ways.at == HOME_WATCH)
        put_recording(h, p);
    else if (h->ways.at == HOME_PLACE)
        put_placement(h, p);
    else
        put_chosen(h, h->next, p, f);
}

/* The first page is on the screen before a lesson was read. */
static bool is_ready(const struct home *h) {
    return h->first ? !session_first_waits(h->view.app->learner, h->next)
                    : !h->milestones || h->due > 0;
}

void screen_home_pane_draw(struct home *h, struct frame *f) {
    if (!f->pane_width || h->list.count == 0 || !is_ready(h)) return;
    struct page *p = page_new(f->pane_width, h->view.app->look.ascii);
    page_set_colours(p, h->view.app->look.colours);
    if (h->first)
        put_way(h, p, f);
    else if (h->on == HOME_ON_DUE || h->milestones)
        put_due(h, p, f->rows);
    else
        put_chosen(h, h->existing[h->list.at], p, f);
    screen_frame_window(f, p, 0, f->rows, f->top, f->pane_left);
    page_free(p);
}
