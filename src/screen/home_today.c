/* screen_home_today: what there is to do today, in minutes, and the days that were kept. */
#include "screen/home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MINUTES = 6,    /* where minutes end … */
    WHAT = 12,      /* … and what takes them begins */
    ROOMY = 60,     /* columns with room for sentences */
    FRAGMENT = 12,  /* cells that tell something of a name that is cut, with what is around it */
    KEPT_LEAST = 2, /* days that are worth telling */
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static char *words_of(const struct learner_due *due) {
    struct base_text t = {0};
    const struct {
        size_t count;
        const char *is;
    } parts[] = {{due->weak, "weak"},
                 {due->count - due->fresh - due->job - due->weak - due->solid, "fading"},
                 {due->solid, "solid"},
                 {due->fresh, "new"}};
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        if (parts[i].count > 0)
            base_text_printf(&t, "%s%zu %s", t.length ? ", " : "", parts[i].count, parts[i].is);
    if (due->job) base_text_puts(&t, ", 1 on your job");
    for (size_t i = 0; i < due->names; i++)
        base_text_printf(&t, "%s%s", i == 0 ? ": " : " · ", due->name[i]);
    return base_text_take(&t);
}

void screen_home_today_free(struct home *h) {
    free(h->fading);
    free(h->job_words);
    free(h->feedback);
    free(h->class_hours);
    h->fading = h->job_words = h->feedback = h->class_hours = NULL;
    session_learner_left_free(&h->left);
}

void screen_home_today_read(struct home *h) {
    struct learner *who = h->view.app->learner;
    screen_home_today_free(h);
    struct learner_due due = session_learner_due(who);
    h->fading = words_of(&due);
    h->due = due.count;
    h->due_minutes = due.minutes;
    h->due_next = due.next;
    h->streak = due.streak;
    h->weeks = due.weeks;
    h->stretch = session_learner_stretch(who, h->next);
    h->left = session_learner_left(who, h->next);
    if (session_learner_job(who, &h->job)) h->job_words = session_job_words(&h->job);
    h->has_case = session_learner_case(who, &h->week);
    h->feedback = session_feedback_line();
    h->class_hours = session_class_hours(who);
    h->suspended = session_learner_suspended(who, NULL, NULL);
    for (size_t i = 0; i < session_learner_course(who)->lessons; i++)
        h->recall[i] =
            h->progress[i].standing == LEARNER_DONE ? session_learner_recall(who, i) : (double)NAN;
}

/* ── today ─────────────────────────────────────────────────────────────────────────────────────*/
/* Where a line begins, and the cursor on it. */
static void put_minutes(const struct home *h, struct frame *f, int row, enum home_line line,
                        int minutes) {
    char *text = base_format("%d min", minutes);
    if (h->on == line && !h->milestones)
        screen_frame_put(f, row, HOME_TODAY_CURSOR, PAGE_ACCENT, PAGE_BOLD, "▸");
    screen_frame_put(f, row, MINUTES + 4 - base_width(text), PAGE_ACCENT, 0, text);
    free(text);
}

/* Names as far as there is room; of the last one nothing if next to nothing would be left. The
 * caller's. */
static char *cut_names(const char *names, int room, bool ascii) {
    char *cut = page_cut(names, room, ascii), *last = NULL;
    for (char *at = cut; (at = strstr(at, " ·")); at++) last = at;
    if (!last || strcmp(cut, names) == 0 || base_width(last) >= FRAGMENT) return cut;
    char *fewer = base_format("%.*s %s", (int)(last - cut), cut, ascii ? "..." : "…");
    free(cut);
    return fewer;
}

/* Which: in a high terminal on as many rows as they need, else on one, cut. Returns their count. */
static int put_names(const struct home *h, struct frame *f, int row, const char *names) {
    int room = f->width - WHAT - 1, left = f->left + WHAT;
    struct page *p = page_new(room, h->view.app->look.ascii);
    page_text(p, (struct page_flow){.role = PAGE_DIM}, names);
    int rows = f->all_rows < FRAME_HIGH ? 1 : page_height(p);
    if (rows == page_height(p)) {
        screen_frame_window(f, p, 0, rows, row, left);
    } else {
        char *cut = cut_names(names, room, h->view.app->look.ascii);
        screen_frame_put(f, row, WHAT, PAGE_DIM, 0, cut);
        free(cut);
    }
    page_free(p);
    return rows;
}

/* How many, and on further rows which, if the terminal is too narrow for both in one. Returns the
 * rows it took. */
static int draw_review(const struct home *h, struct frame *f, int row) {
    put_minutes(h, f, row, HOME_ON_DUE, h->due_minutes);
    int room = f->width - WHAT - 4, all = base_width(h->fading), rows = 1;
    const char *names = strstr(h->fading, ": ");
    bool apart = names && all > room;
    char *first =
             apart ? base_format("%.*s", (int)(names - h->fading), h->fading) : base_dup(h->fading),
         *cut = page_cut(first, room, h->view.app->look.ascii);
    screen_frame_put(f, row, WHAT, PAGE_STRONG, 0, cut);
    screen_frame_put_right(f, row, PAGE_KEY, "r");
    if (apart) rows += put_names(h, f, row + rows, names + 2);
    for (int i = 0; i < rows; i++)
        screen_frame_zone(f, row + i, 0, f->width, PRESS_NONE, HOME_DUE_TARGET);
    free(cut);
    free(first);
    return rows;
}

/* Reviews and checks count problems. */
static const char *step_word(const struct home *h) {
    const struct lesson_course *c = session_learner_course(h->view.app->learner);
    return c->lesson[h->next].kind == LESSON_ORDINARY ? "step" : "problem";
}

/* Which part of the lesson that is; the caller's. */
static char *part_of(const struct home *h, bool roomy) {
    const struct learner_progress *g = &h->progress[h->next];
    const struct learner_stretch *s = &h->stretch;
    if (g->standing == LEARNER_SKIPPED) return base_format("%zu skipped", g->skipped);
    if (s->from == 0)
        return g->under_way && g->step_number
                   ? base_format("continues at %s %d", step_word(h), g->step_number)
                   : base_dup("");
    if (s->from == s->to) return base_format("%s %d", step_word(h), s->from);
    if (s->from == 1 && s->to == s->steps) return base_format("%d steps", s->steps);
    return roomy ? base_format("steps %d to %d of %d", s->from, s->to, s->steps)
                 : base_format("steps %d-%d", s->from, s->to);
}

static void draw_next(const struct home *h, struct frame *f, int row) {
    const struct lesson_entry *l = &session_learner_course(h->view.app->learner)->lesson[h->next];
    char *part = part_of(h, f->width >= ROOMY), *brief = part_of(h, false);
    int room = f->width - WHAT - 5 - 2, title_width = base_width(l->title);
    bool shorter = title_width > room - base_width(part) && title_width <= room - base_width(brief);
    free(shorter ? part : brief); /* the whole title rather than how many steps there are */
    part = shorter ? brief : part;
    room -= base_width(part);
    char *title = page_cut(l->title, room > 0 ? room : 0, h->view.app->look.ascii);
    put_minutes(h, f, row, HOME_ON_NEXT, h->stretch.minutes);
    screen_frame_put(f, row, WHAT, PAGE_ACCENT, 0, l->id);
    screen_frame_put(f, row, WHAT + 5, PAGE_STRONG, 0, title);
    screen_frame_put_right(f, row, PAGE_DIM, part);
    if (h->progress[h->next].exists)
        screen_frame_zone(f, row, 0, f->width, PRESS_NONE, HOME_NEXT_TARGET);
    free(title);
    free(part);
}

/* That nothing more comes, and for how long; the caller's, or NULL. */
static char *rest_of(const struct home *h) {
    if (h->due_next == 0) return NULL;
    char *day = session_day_name(h->due_next),
         *rest = h->due > 0 ? base_format("then nothing until %s", day)
                            : base_format("Nothing until %s.", day);
    free(day);
    return rest;
}

/* After the last lesson. */
static void draw_end(const struct home *h, struct frame *f, int row) {
    char *rest = rest_of(h);
    if (h->due > 0)
        screen_frame_put(f, row, WHAT, PAGE_DIM, 0, rest ? rest : "then nothing more");
    else {
        int end = screen_frame_put(f, row, 1, PAGE_GOOD, 0,
                                   "Nothing today: you have finished the course.");
        if (rest) screen_frame_put(f, row, end + 1, PAGE_DIM, 0, rest);
    }
    free(rest);
}

int screen_home_today_draw(const struct home *h, struct frame *f, int row) {
    bool next = h->next < session_learner_course(h->view.app->learner)->lessons;
    int first = row, minutes = (h->due > 0 ? h->due_minutes : 0) + (next ? h->stretch.minutes : 0);
    char *about = base_format("about %d minute%s", minutes, minutes == 1 ? "" : "s");
    if (minutes > 0) {
        int column = screen_frame_put(f, row, 1, PAGE_ACCENT, PAGE_BOLD, "Today,") + 1;
        screen_frame_put(f, row++, column, PAGE_ACCENT, PAGE_BOLD, about);
    }
    if (h->due > 0) row += draw_review(h, f, row);
    if (next)
        draw_next(h, f, row++);
    else
        draw_end(h, f, row++);
    free(about);
    return row - first;
}

/* ── the title ─────────────────────────────────────────────────────────────────────────────────*/
/* In days, and after the course in weeks. */
void screen_home_title_draw(const struct home *h, struct frame *f) {
    char *day = session_today_name(h->rollover), *title = NULL;
    bool weeks = h->next == session_learner_course(h->view.app->learner)->lessons;
    int64_t kept = weeks ? h->weeks : h->streak;
    bool told = kept >= KEPT_LEAST && h->counts;
    title = told ? base_format("%s   %lld %s", day, (long long)kept, weeks ? "weeks" : "days")
                 : base_dup(day);
    screen_frame_title(f, "zerotutor", title);
    free(title);
    free(day);
}
