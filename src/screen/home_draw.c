/* screen_home_draw: home's screen. The course lies on a page of its own, of which the body is a
 * window. */
#include "screen/home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRESS = 8, STATE = 9, ROOMY = 60 /* columns with room for sentences */ };

/* A check is passed or it is not: how many were right is told of one that was not. */
static void state_of(enum lesson_kind kind, const struct learner_progress *p, double recall,
                     char *out, size_t size) {
    *out = '\0';
    switch (p->standing) {
    case LEARNER_UNTOUCHED:
    case LEARNER_ASKED: break;
    case LEARNER_BEGUN:
        if (kind == LESSON_ORDINARY && p->under_way && p->step_number)
            snprintf(out, size, "step %d", p->step_number);
        else
            snprintf(out, size, "begun");
        break;
    case LEARNER_SKIPPED: snprintf(out, size, "skipped"); break; /* how many, the details say */
    case LEARNER_FAILED: snprintf(out, size, "%zu of %zu", p->right, p->graded); break;
    case LEARNER_DONE:
        if (kind == LESSON_CHECK)
            snprintf(out, size, "passed");
        else if (p->skipped > 0) /* its phase was earned */
            snprintf(out, size, "%zu of %zu", p->graded - p->skipped, p->graded);
        else if (!isnan(recall)) /* a bad first day is outgrown */
            snprintf(out, size, "%d%%", base_percent(recall));
        else if (p->graded)
            snprintf(out, size, "%d of %d", (int)p->right_first, (int)p->graded);
        else
            snprintf(out, size, "done");
        break;
    }
}

/* Of a lesson that is done, how much of it is likely recalled tells more. */
static enum page_strength strength_of(const struct home *h, size_t i) {
    static const enum page_strength strengths[] = {
        [LEARNER_UNTOUCHED] = PAGE_NOT_MET, [LEARNER_ASKED] = PAGE_NOT_MET,
        [LEARNER_BEGUN] = PAGE_BEGUN,       [LEARNER_SKIPPED] = PAGE_SKIPPED,
        [LEARNER_FAILED] = PAGE_BEGUN,      [LEARNER_DONE] = PAGE_SOLID,
    };
    return isnan(h->recall[i]) ? strengths[h->progress[i].standing]
                               : page_strength_of(h->recall[i]);
}

struct tally {
    size_t lessons, exist, done;
    /* what exists of it, with its review and its check */
    size_t listed;
    /* its check */
    bool passed;
};

static struct tally count_phase(const struct home *h, size_t phase) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    struct tally t = {0};
    for (size_t i = 0; i < c->lessons; i++) {
        if ((size_t)c->lesson[i].phase != phase) continue;
        bool done = h->progress[i].standing == LEARNER_DONE;
        t.passed |= c->lesson[i].kind == LESSON_CHECK && done;
        t.listed += h->progress[i].exists;
        if (c->lesson[i].kind != LESSON_ORDINARY) continue;
        t.lessons++;
        t.exist += h->progress[i].exists;
        t.done += done;
    }
    return t;
}

/* Under their phase's title, reviews and checks need no title of their own; the caller's. */
static char *name_of(const struct home *h, size_t i) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    const struct lesson_entry *l = &c->lesson[i];
    if (l->kind == LESSON_ORDINARY) return base_dup(l->title);
    if (l->kind == LESSON_REVIEW) return base_dup("Review, mixed");
    size_t after = (size_t)l->phase + 1;
    return after >= c->phases || count_phase(h, after).exist == 0
               ? base_dup("Check")
               : base_format("Check, opens phase %d", l->phase + 2);
}

static void draw_lesson(const struct home *h, struct page *p, size_t i, bool here) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[i];
    const struct learner_progress *g = &h->progress[i];
    int row = page_height(p), right = page_width(p) - STATE;
    char state[24];
    state_of(l->kind, g, h->recall[i], state, sizeof state);
    bool quiet = l->kind != LESSON_ORDINARY || screen_home_is_closed(h, (size_t)l->phase);
    char *name = name_of(h, i), *title = page_cut(name, right - 2 - 11, h->view.app->look.ascii);
    if (here) page_put(p, row, 4, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_put(p, row, 6, here ? PAGE_ACCENT : PAGE_DIM, 0, l->id);
    page_put(p, row, 11, here ? PAGE_STRONG : quiet ? PAGE_DIM : PAGE_PLAIN, 0, title);
    page_strength_put(p, row, right - 1, strength_of(h, i));
    page_put(p, row, right + STATE - 1 - base_width(state), PAGE_DIM, 0, state);
    free(title);
    free(name);
}

static char *share_of(const struct home *h, size_t phase, struct tally t, bool roomy) {
    if (t.exist == 0) return base_dup("not here yet");
    if (t.passed) return base_dup("passed");
    if (screen_home_is_closed(h, phase)) {
        const struct lesson_entry *check =
            &session_learner_course(h->view.app->learner)->lesson[h->gate[phase]];
        return roomy ? base_format("opens with the check of phase %d", check->phase + 1)
                     : base_format("opens with %s", check->id);
    }
    return base_format("%zu/%zu", t.done, t.exist);
}

static void draw_phase(const struct home *h, struct page *p, size_t phase) {
    struct tally t = count_phase(h, phase);
    int row = page_height(p), right = page_width(p) - 1, bar = page_width(p) - STATE - PROGRESS - 1;
    bool open = t.exist > 0 && !screen_home_is_closed(h, phase);
    unsigned role = open ? PAGE_STRONG : PAGE_DIM;
    char *share = share_of(h, phase, t, page_width(p) >= ROOMY);
    int capacity = (open ? bar : right - base_width(share)) - 4 - 1;
    char *title = page_cut(session_learner_course(h->view.app->learner)->phase_title[phase],
                           capacity, page_ascii(p));
    page_printf(p, row, 1, role, "%zu", phase + 1);
    page_put(p, row, 4, role, 0, title);
    /* A check that was passed earns the phase, with or without its lessons. */
    double earned = t.passed ? 1 : (double)t.done / (double)t.exist;
    if (open) page_progress(p, row, bar, PROGRESS, earned);
    page_put(p, row, right - base_width(share), PAGE_DIM, 0, share);
    free(title);
    free(share);
}

/* Phases without any lesson yet stand close together. */
static bool is_apart(const struct home *h, size_t phase) {
    return phase > 0 && (count_phase(h, phase).exist > 0 || count_phase(h, phase - 1).exist > 0);
}

/* The course with the lessons of the open phases, a bit each, with gaps between phases or without;
 * `rows` tells on which row each existing lesson lies, or its phase. */
static struct page *lay(const struct home *h, int width, int *rows, unsigned open, bool gaps) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    struct page *p = page_new(width, h->view.app->look.ascii);
    size_t nth = 0;
    for (size_t phase = 0; phase < c->phases; phase++) {
        if (gaps && is_apart(h, phase)) page_blank(p, 1);
        int title = page_height(p);
        draw_phase(h, p, phase);
        for (size_t i = 0; i < c->lessons; i++) {
            if ((size_t)c->lesson[i].phase != phase || !h->progress[i].exists) continue;
            bool shown = open >> phase & 1U;
            rows[nth] = shown ? page_height(p) : title;
            if (shown) draw_lesson(h, p, i, nth == h->list.at && h->on == HOME_ON_LESSON);
            nth++;
        }
    }
    return p;
}

/* The rows that it takes. */
static int height_of(const struct home *h, unsigned open, bool gaps) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    size_t height = c->phases;
    for (size_t phase = 0; phase < c->phases; phase++) {
        if (gaps && is_apart(h, phase)) height++;
        if (open >> phase & 1U) height += count_phase(h, phase).listed;
    }
    return (int)height;
}

/* As much of it as there is room for: all of it, or the cursor's phase, and those before and after
 * it in the rows that the case does not need. */
static struct page *lay_course(const struct home *h, const struct frame *f, int *rows, int room) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    int here = h->list.count ? c->lesson[h->existing[h->list.at]].phase : 0;
    int phases = (int)c->phases;
    unsigned open = (1U << phases) - 1;
    if (height_of(h, open, true) > room) {
        open = 1U << here;
        int height = height_of(h, open, true);
        room -= height <= room ? screen_home_case_rows(h, f, room - height) : 0;
        for (int side = -1; height <= room && side <= 1; side += 2)
            for (int phase = here + side; phase >= 0 && phase < phases; phase += side) {
                unsigned more = open | 1U << phase;
                if (height_of(h, more, true) > room) break;
                open = more;
            }
    }
    return lay(h, f->width, rows, open, height_of(h, open, true) <= room);
}

/* Whoever has answered nothing yet may know a part of it. */
static void draw_placement(const struct home *h, struct frame *f, int row) {
    bool roomy = f->width >= ROOMY;
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    char *text = h->placement == LEARNER_UNPLACED
                     ? base_format("%sA few problems place you", roomy ? "Know some of this? " : "")
                     : base_format("Placement continues with %sphase %d",
                                   roomy ? "the check of " : "", c->lesson[h->place].phase + 1);
    screen_frame_put(f, row, 6, PAGE_DIM, 0, text);
    screen_frame_put_right(f, row, PAGE_KEY, "p");
    screen_frame_zone(f, row, 0, f->width, 'p', 0);
    free(text);
}

/* Rows of the course that stay whatever else there is to show. */
enum { COURSE_LEAST = 7 };

/* What the percentages next to lessons mean, below all else if there is room. */
static void draw_meaning(const struct home *h, struct frame *f, int free_from) {
    size_t i = 0;
    while (i < HOME_LESSONS && (h->recall[i] <= 0 || isnan(h->recall[i]))) i++;
    int last = f->top + f->rows - 1, row = free_from < last ? free_from + 1 : free_from;
    if (i < HOME_LESSONS && f->width >= ROOMY && row <= last)
        screen_frame_put(f, row, 1, PAGE_DIM, 0,
                         "A percentage says how much you would recall today of what was asked.");
}

void screen_home_draw(struct view *v, struct frame *f) {
    struct home *h = (struct home *)v;
    int rows[HOME_LESSONS], end = f->top + f->rows;
    screen_home_title_draw(h, f);
    if (h->first || h->milestones) {
        (h->first ? screen_home_first_draw : screen_home_done_draw)(h, f);
        return;
    }
    int top = f->top + screen_home_today_draw(h, f, f->top), today = top;
    if (h->placement != LEARNER_PLACED) draw_placement(h, f, top++);
    top += screen_home_left_draw(h, f, top, end - top - 1 - COURSE_LEAST);
    top++;
    int own = screen_home_own_rows(h, f, end - top - COURSE_LEAST), room = end - top - own;
    struct page *course = lay_course(h, f, rows, room);
    int shown = page_height(course) < room ? page_height(course) : room;
    screen_list_show(&h->list, f, course, rows, top, room);
    if (h->on == HOME_ON_DUE) screen_frame_cursor(f, f->top + 1, HOME_TODAY_CURSOR);
    if (h->on == HOME_ON_NEXT) screen_frame_cursor(f, today - 1, HOME_TODAY_CURSOR);
    int told = screen_home_case_rows(h, f, room - shown);
    screen_home_own_draw(h, f, top + shown, own + told, told);
    draw_meaning(h, f, top + shown + own + told);
    page_free(course);
    screen_home_pane_draw(h, f);
}
