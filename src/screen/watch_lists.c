/* watch_lists: the parts of the teacher's screen that are lists: the learners, the steps of a
 * lesson, the labs. */
#include "screen/watch.h"
#include "screen/frame.h"

#include <stdlib.h>
#include <string.h>

enum {
    LESSON = 28,
    STEP = 33,
    TITLE = 41,
    STATE = 14,
    EXTRA = 10,
    BAR = 20,
    NICKNAME = 21,
    RACES = 28
};

static const struct classroom_overview *overview_of(const struct watch_drawing *d) {
    return session_watch_overview(d->watch);
}

const char *screen_watch_lesson(const struct watch_drawing *d) {
    const struct classroom_settings *s = session_watch_sight(d->watch)->settings;
    const char *most = overview_of(d)->lesson;
    return *most ? most : s->lessons ? s->lesson[0].id : "";
}

/* ── the learners ──────────────────────────────────────────────────────────────────────────────*/
static char *state_of(const struct watch_drawing *d, const struct classroom_seat *s,
                      unsigned *role) {
    int64_t now = session_watch_sight(d->watch)->now;
    *role = s->here ? PAGE_PLAIN : PAGE_DIM;
    if (!s->here) return base_dup(s->joined ? "left" : "not here");
    if (!s->now.hand) return screen_watch_minutes(s->now.since);
    char *waits = screen_watch_minutes(now > s->hand ? now - s->hand : 0),
         *text = base_format("hand, %s", waits);
    *role = PAGE_WARN;
    free(waits);
    return text;
}

static void put_learner(struct page *p, const struct watch_drawing *d, size_t i) {
    const struct classroom_seat *s = &session_watch_sight(d->watch)->seat[i];
    int64_t extra = session_watch_extra(d->watch, i);
    unsigned role;
    char *name = session_watch_name(d->watch, i, d->names), *state = state_of(d, s, &role);
    int row = page_height(p), states = page_measure(p, state) + 2,
        right = page_width(p) - 1 - (states > STATE ? states : STATE);
    screen_watch_put_cursor(p, d, i, row);
    screen_watch_put_cut(p, row, WATCH_WORDS, LESSON - WATCH_WORDS - 1,
                         s->here ? PAGE_STRONG : PAGE_DIM, name);
    if (s->here && *s->now.lesson) {
        screen_watch_put_cut(p, row, LESSON, STEP - LESSON - 1, PAGE_PLAIN, s->now.lesson);
        page_printf(p, row, STEP, PAGE_PLAIN, "%2d/%d", s->now.number, s->now.of);
        int end = extra ? right - EXTRA : right;
        char *title = screen_watch_title(&s->now);
        screen_watch_put_cut(p, row, TITLE, end - TITLE - 1, PAGE_DIM, title);
        free(title);
    }
    if (extra) page_printf(p, row, right - EXTRA, PAGE_ACCENT, "+%lld min", (long long)extra / 60);
    screen_watch_put_right(p, row, role, state);
    if (s->here) screen_watch_put_tried(p, &s->now, LESSON);
    free(state);
    free(name);
}

static size_t count_learners(const struct watch_drawing *d) {
    return session_watch_sight(d->watch)->seats;
}

static void draw_learners(struct page *p, const struct watch_drawing *d) {
    int row = page_height(p);
    page_put(p, row, WATCH_LEFT, PAGE_TITLE, 0, "learners");
    page_put(p, row, LESSON, PAGE_DIM, 0, "step");
    screen_watch_put_right(p, row, PAGE_DIM, "at this step for");
    for (size_t i = 0; i < count_learners(d); i++) put_learner(p, d, i);
}

static int longest_first(const void *a, const void *b) {
    const struct classroom_seat *const *x = a, *const *y = b;
    int64_t first = (*x)->now.since, second = (*y)->now.since;
    return first != second ? (first < second ? 1 : -1) : strcmp((*x)->account, (*y)->account);
}

/* Without those whose hand is up, who are listed above. */
void screen_watch_longest(struct page *p, const struct watch_drawing *d, int rows) {
    const struct classroom_sight *s = session_watch_sight(d->watch);
    const struct classroom_seat **seat = base_alloc((s->seats + 1) * sizeof *seat);
    struct watch_drawing plain = *d;
    size_t n = 0;
    int end = page_height(p) + rows, row = page_height(p);
    plain.at = SIZE_MAX;
    plain.row = NULL;
    for (size_t i = 0; i < s->seats; i++)
        if (s->seat[i].here && *s->seat[i].now.lesson && !s->seat[i].now.hand)
            seat[n++] = &s->seat[i];
    if (n) qsort(seat, n, sizeof *seat, longest_first);
    if (n && rows > 2) {
        page_put(p, row, WATCH_LEFT, PAGE_TITLE, 0, "longest at one step");
        page_put(p, row, LESSON, PAGE_DIM, 0, "step");
        screen_watch_put_right(p, row, PAGE_DIM, "at this step for");
        for (size_t i = 0; i < n && page_height(p) + 2 < end; i++)
            put_learner(p, &plain, (size_t)(seat[i] - s->seat));
        page_blank(p, 1);
    }
    free(seat);
}

/* ── the steps ─────────────────────────────────────────────────────────────────────────────────*/
static size_t count_steps(const struct watch_drawing *d) {
    size_t steps = session_watch_steps(d->watch, screen_watch_lesson(d));
    return steps < CLASSROOM_STEPS ? steps : CLASSROOM_STEPS;
}

static void put_step(struct page *p, const struct watch_drawing *d, size_t i) {
    const struct classroom_overview *o = overview_of(d);
    const struct classroom_board *b = session_watch_board(d->watch);
    struct session_watch_step s = session_watch_step(d->watch, screen_watch_lesson(d), i);
    bool open = strcmp(b->lesson, screen_watch_lesson(d)) == 0 && strcmp(b->step, s.id) == 0;
    int row = page_height(p), here = *o->lesson ? o->at[i] : 0, bar = page_width(p) - 5 - BAR;
    screen_watch_put_cursor(p, d, i, row);
    page_printf(p, row, WATCH_WORDS, PAGE_DIM, "%2zu", i + 1);
    char *title = *s.title ? base_dup(s.title) : base_words(s.id);
    screen_watch_put_cut(p, row, WATCH_WORDS + 4, bar - WATCH_WORDS - 5 - 15, PAGE_PLAIN, title);
    free(title);
    if (open) page_put(p, row, bar - 14, PAGE_GOOD, 0, "open for all");
    if (here) screen_watch_put_bar(p, row, bar, BAR, here, o->here, PAGE_ACCENT);
    char *count = here ? base_format("%d", here) : base_dup("·");
    screen_watch_put_right(p, row, here ? PAGE_STRONG : PAGE_DIM, count);
    free(count);
}

static void draw_steps(struct page *p, const struct watch_drawing *d) {
    int row = page_height(p);
    if (count_steps(d) == 0) {
        page_put(p, row, WATCH_LEFT, PAGE_TITLE, 0, "no learner is in a lesson of the course");
        return;
    }
    page_printf(p, row, WATCH_LEFT, PAGE_TITLE, "steps of %s", screen_watch_lesson(d));
    screen_watch_put_right(p, row, PAGE_DIM, "learners there");
    for (size_t i = 0; i < count_steps(d); i++) put_step(p, d, i);
}

/* ── the labs ──────────────────────────────────────────────────────────────────────────────────*/
static size_t count_labs(const struct watch_drawing *d) {
    const struct classroom_placed *place;
    return session_watch_line(d->watch, &place);
}

static char *turn_of(const struct watch_drawing *d, const struct classroom_placed *l) {
    int64_t now = session_watch_sight(d->watch)->now, ran = now - l->ticket->since;
    if (l->turn->stand == CLASSROOM_RUNNING)
        return base_format("runs %lld:%02lld", (long long)(ran > 0 ? ran : 0) / 60,
                           (long long)(ran > 0 ? ran : 0) % 60);
    char *wait = l->turn->position ? classroom_say_wait(l->turn) : base_dup("");
    char *text = l->turn->position
                     ? base_format("%s, %s", classroom_stand_name(l->turn->stand), wait)
                     : base_dup(classroom_stand_name(l->turn->stand));
    free(wait);
    return text;
}

static void put_lab(struct page *p, const struct watch_drawing *d, size_t i) {
    const struct classroom_placed *l;
    int row = page_height(p), half = page_width(p) / 2;
    session_watch_line(d->watch, &l);
    l += i;
    const struct classroom_wish *w = &l->ticket->wish;
    char *whose = session_watch_whose(d->watch, l->ticket, d->names), *turn = turn_of(d, l);
    screen_watch_put_cursor(p, d, i, row);
    if (l->turn->position) page_printf(p, row, WATCH_WORDS, PAGE_STRONG, "%2d", l->turn->position);
    screen_watch_put_cut(p, row, WATCH_WORDS + 4, LESSON - WATCH_WORDS - 5, PAGE_STRONG, whose);
    screen_watch_put_cut(p, row, LESSON, half - LESSON + 4, PAGE_PLAIN, w->lab);
    page_printf(p, row, half + 5, PAGE_PLAIN, "%d %s%s", w->slots,
                w->kind == CLASSROOM_GPU ? "GPU" : "core", w->slots == 1 ? "" : "s");
    screen_watch_put_right(p, row, l->turn->stand == CLASSROOM_RUNNING ? PAGE_GOOD : PAGE_PLAIN,
                           turn);
    free(turn);
    free(whose);
}

void screen_watch_first_labs(struct page *p, const struct watch_drawing *d, int rows) {
    struct watch_drawing plain = *d;
    plain.at = SIZE_MAX;
    plain.row = NULL;
    for (size_t i = 0; i < count_labs(d) && rows-- > 0; i++) put_lab(p, &plain, i);
}

static void draw_labs(struct page *p, const struct watch_drawing *d) {
    screen_watch_put_labs(p, d);
    page_blank(p, 1);
    if (count_labs(d) == 0)
        page_put(p, page_height(p), WATCH_LEFT, PAGE_PLAIN, 0, "No lab runs and no lab waits.");
    for (size_t i = 0; i < count_labs(d); i++) put_lab(p, d, i);
}

/* ── the speed challenge ───────────────────────────────────────────────────────────────────────*/
static size_t count_races(const struct watch_drawing *d) {
    return session_watch_races(d->watch)->count;
}

static void put_race(struct page *p, const struct watch_drawing *d, size_t i) {
    const struct classroom_race *r = &session_watch_races(d->watch)->race[i];
    enum lesson_speed_subject subject = lesson_speed_subject_find(r->subject);
    int row = page_height(p), right = page_width(p) - RACES;
    char *clock = r->ms ? base_format("%lld s", (long long)(r->ms / 1000)) : base_dup("no clock"),
         *kind = base_format("%s, %s%s",
                             subject == LESSON_SPEED_SUBJECTS ? "another subject"
                                                              : lesson_speed_subject_title(subject),
                             clock, r->choose ? ", by size" : "");
    screen_watch_put_cursor(p, d, i, row);
    screen_watch_put_cut(p, row, WATCH_WORDS, NICKNAME - WATCH_WORDS - 1, PAGE_STRONG, r->nickname);
    screen_watch_put_cut(p, row, NICKNAME, right - NICKNAME - 1, PAGE_PLAIN, kind);
    page_printf(p, row, right, r->best > r->first ? PAGE_GOOD : PAGE_DIM, "%+6d",
                r->best - r->first);
    page_printf(p, row, right + 6, PAGE_PLAIN, "%7d%7d%7d", r->first, r->best, r->rounds);
    free(kind);
    free(clock);
}

static void draw_races(struct page *p, const struct watch_drawing *d) {
    int row = page_height(p);
    if (count_races(d) == 0) {
        page_markdown(p, (struct page_flow){.indent = WATCH_LEFT, .width = page_width(p) - 2},
                      "No learner is in the table of the speed challenge. To be in it, a learner "
                      "types `zerotutor class nickname NAME` and plays a round.");
        return;
    }
    page_put(p, row, WATCH_LEFT, PAGE_TITLE, 0, "speed challenge");
    page_put(p, row, page_width(p) - RACES, PAGE_DIM, 0, "gained  first   best rounds");
    for (size_t i = 0; i < count_races(d); i++) put_race(p, d, i);
}

/* ── all of them ───────────────────────────────────────────────────────────────────────────────*/
static const struct {
    size_t (*count)(const struct watch_drawing *d);
    void (*draw)(struct page *p, const struct watch_drawing *d);
} lists[WATCH_PARTS] = {
    [WATCH_LEARNERS] = {count_learners, draw_learners},
    [WATCH_STEPS] = {count_steps, draw_steps},
    [WATCH_LABS] = {count_labs, draw_labs},
    [WATCH_SPEED] = {count_races, draw_races},
};

size_t screen_watch_listed(const struct watch_drawing *d, enum watch_part part) {
    return lists[part].count(d);
}

void screen_watch_list(struct page *p, const struct watch_drawing *d, enum watch_part part) {
    lists[part].draw(p, d);
}
