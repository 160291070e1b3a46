/* lab_draw: the lab's screen. Its runs on one line, then the panels, the chosen one in view; in a
 * wide terminal those that are no bars stand in the second pane. */
#include "screen/lab.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* rows of a body that has room for the panels alone */
    LOW = 12,
    /* columns of a title that says things in short */
    NARROW = 60,
    /* columns at the right of the foot, for what lies above and below */
    MORE = 12,
    /* rows of the curve, */
    USUAL = 10,
    /* or one of so many that the panels have */
    PART = 3
};

/* The run that is shown, or what is watched in its place. */
static const struct experiment *shown_run(const struct lab *l) {
    return l->watch ? l->watch : session_lab_run(l->runs, l->shown);
}

bool screen_lab_speaks(const struct experiment *t) {
    const struct experiment_state *s = experiment_state(t);
    uint32_t ranks = s->ranks < EXPERIMENT_RANKS ? s->ranks : EXPERIMENT_RANKS;
    return s->over || s->told || (s->started && (s->setup.to || s->seen >= ranks));
}

bool screen_lab_well(const struct lab *l) {
    size_t runs = experiment_variants(session_lab_what(l->runs));
    for (size_t i = 0; i < runs; i++)
        if (!session_lab_well(l->runs, i)) return false;
    return session_lab_over(l->runs);
}

/* ── the head ──────────────────────────────────────────────────────────────────────────────────*/
static char *say_step(const struct lab *l, const struct frame *f) {
    const struct experiment_state *s = experiment_state(shown_run(l));
    if (s->ended && !s->failed && s->setup.to) return base_format("%zu times", s->timings);
    if (s->ended && !s->failed) return base_format("%zu steps", s->steps);
    if (s->refused) return base_dup("out of memory");
    if (experiment_is_over(shown_run(l))) return base_dup("stopped");
    if (s->timings) return base_format("%zu time%s", s->timings, s->timings == 1 ? "" : "s");
    if (!s->steps) return base_dup("begins");
    uint32_t step = s->step[s->steps - 1].step;
    if (!s->planned) return base_format("step %u", step);
    return base_format(f->width < NARROW ? "step %u/%u" : "step %u of %u", step, s->planned);
}

static void draw_title(const struct lab *l, struct frame *f) {
    const struct experiment_lab *what = session_lab_what(l->runs);
    char *left = base_format("%s  %s", l->recorded ? "recording" : "lab", what->name),
         *step = say_step(l, f);
    size_t runs = experiment_variants(what);
    char *right = l->whole ? base_format("%zu run%s%s", runs, runs == 1 ? "" : "s",
                                         f->width < NARROW ? "" : ", measured")
                           : base_format("%s · %s", what->variant[l->shown].label, step);
    screen_frame_title(f, left, right);
    free(right);
    free(step);
    free(left);
}

/* What is not watched yet is not told, though it may be measured. */
static bool is_ahead(const struct lab *l, size_t i) {
    return l->paced && l->watch && i >= l->shown;
}

static const char *sign_of(const struct lab *l, size_t i) {
    const struct experiment *t = session_lab_run(l->runs, i);
    bool ascii = l->view.app->look.ascii;
    if (!t || (is_ahead(l, i) && i > l->shown)) return page_strength_sign(PAGE_NOT_MET, ascii);
    if (!experiment_is_over(t) || is_ahead(l, i)) return page_strength_sign(PAGE_BEGUN, ascii);
    bool well = experiment_state(t)->ended && !experiment_state(t)->failed;
    return well ? page_strength_sign(PAGE_SOLID, ascii) : "✗";
}

static bool is_here(const struct lab *l, size_t i) {
    return i == l->shown || i == l->other;
}

static bool ended_well(const struct experiment *t) {
    return t && experiment_state(t)->ended && !experiment_state(t)->failed;
}

/* How much is said of the runs: their signs and the labels of what is shown, all labels, the peaks
 * of those that have ended too. */
enum { HEADING = 12 }; /* cells of a panel's heading that a click may hit */

enum detail { SIGNS, LABELS, PEAKS };

/* The highest of its ranks; "" where it is not known. */
static const char *peak_of(const struct lab *l, size_t i, char out[static 32]) {
    const struct experiment *t = session_lab_run(l->runs, i);
    uint64_t most = 0;
    if (!ended_well(t) || is_ahead(l, i)) return "";
    const struct experiment_state *s = experiment_state(t);
    for (uint32_t r = 0; r < s->seen; r++)
        most = s->rank[r].peak_total > most ? s->rank[r].peak_total : most;
    return account_print_bytes(out, 32, (double)most);
}

static int put_run(const struct lab *l, struct frame *f, size_t i, int column, enum detail detail) {
    char peak[32];
    bool here = is_here(l, i);
    column =
        screen_frame_put(f, f->top, column, here ? PAGE_ACCENT : PAGE_DIM, 0, sign_of(l, i)) + 1;
    if (detail == SIGNS && !here) return column;
    column =
        screen_frame_put(f, f->top, column, here ? PAGE_STRONG : PAGE_DIM,
                         here ? PAGE_UNDERLINE : 0, session_lab_what(l->runs)->variant[i].label);
    if (detail < PEAKS) return column + 3;
    return screen_frame_put(f, f->top, column + 1, PAGE_DIM, 0, peak_of(l, i, peak)) + 2;
}

static enum detail detail_of(const struct lab *l, const struct frame *f) {
    const struct experiment_lab *what = session_lab_what(l->runs);
    size_t runs = experiment_variants(what);
    char peak[32];
    int labels = 1, peaks = 1;
    for (size_t i = 0; i < runs; i++) {
        labels += 5 + base_width(what->variant[i].label);
        peaks += 5 + base_width(what->variant[i].label) + base_width(peak_of(l, i, peak));
    }
    if (labels > f->width) return SIGNS;
    return runs < 2 || peaks > f->width + 1 ? LABELS : PEAKS;
}

static void draw_runs(const struct lab *l, struct frame *f) {
    size_t runs = experiment_variants(session_lab_what(l->runs));
    enum detail detail = detail_of(l, f);
    int column = 1;
    for (size_t i = 0; i < runs; i++) {
        int end = put_run(l, f, i, column, detail);
        screen_frame_zone(f, f->top, column, end - column, PRESS_NONE, (int)i);
        column = end;
    }
}

/* Where the ranks are, and how they reach each other, as zerolab names it and in words. */
static const char *said(const char *name) {
    static const struct {
        const char *name, *words;
    } known[] = {{"cpu", "on the CPU"},
                 {"cuda", "on GPUs"},
                 {"shm", ", through shared memory"},
                 {"local", ", as threads of one process"},
                 {"nccl", ", through NCCL"}};
    for (size_t i = 0; i < BASE_COUNT(known); i++)
        if (strcmp(known[i].name, name) == 0) return known[i].words;
    return name;
}

/* "834304 params, fp32, 4 ranks on the CPU, through shared memory"; in brief without how they reach
 * each other. */
static char *say_setup(const struct experiment *t, bool brief) {
    const struct experiment_state *s = experiment_state(t);
    const struct experiment_setup *setup = &s->setup;
    char work[EXPERIMENT_WORK];
    if (!s->started) return base_dup(experiment_command(t));
    return base_format("%s, %s, %u rank%s %s%s", experiment_say_work(s, "params", work),
                       *setup->precision ? setup->precision : "fp32", s->ranks,
                       s->ranks == 1 ? "" : "s", said(setup->device),
                       s->ranks > 1 && !brief ? said(setup->comm) : "");
}

/* The longer of both texts that is shown whole, if one is. */
static void put_whole(struct frame *f, int row, int at, const char *text, const char *brief) {
    const char *fits = at + base_width(text) < f->width    ? text
                       : at + base_width(brief) < f->width ? brief
                                                           : NULL;
    if (fits) screen_frame_put(f, row, at, PAGE_DIM, 0, fits);
}

static void draw_setup(const struct lab *l, struct frame *f) {
    char *setup = say_setup(shown_run(l), f->width <= NARROW);
    int end = screen_frame_put(f, f->top + 1, 1, PAGE_DIM, 0, setup);
    if (detail_of(l, f) == PEAKS && !is_ahead(l, 0) && ended_well(session_lab_run(l->runs, 0)))
        put_whole(f, f->top + 1, end, " · above, each run's peak", " · above: peaks");
    free(setup);
}

/* ", 12 times slower"; "" at its own pace. Returns `out`. */
static const char *say_pace(char out[static 32], const struct experiment *t) {
    double slower = experiment_slowness(t);
    *out = '\0';
    if (slower >= 1.5) snprintf(out, 32, ", %.0f times slower", slower);
    if (slower > 0 && slower <= 0.67) snprintf(out, 32, ", %.0f times faster", 1 / slower);
    return out;
}

/* Without the machine, and without the pace, where the foot has no room for them. */
static char *say_recorded(const struct lab *l, int room) {
    char *machine = experiment_machine(shown_run(l)), pace[32];
    char *on = base_format(" made on %s", machine), *text = NULL;
    (void)say_pace(pace, shown_run(l));
    const char *said[][2] = {{on, pace}, {"", pace}, {"", ""}};
    for (size_t i = 0; i < BASE_COUNT(said) && (!text || base_width(text) > room); i++) {
        free(text);
        text =
            base_format("%sa recording%s%s", l->paused ? "paused · " : "", said[i][0], said[i][1]);
    }
    free(on);
    free(machine);
    return text;
}

/* "running, step 3 of 30"; "replaying the measured run, step 3 of 30, 12 times slower"; the title
 * counts collectives that are timed. The caller's. */
static char *say_watched(const struct lab *l) {
    const struct experiment_state *s = experiment_state(l->watch);
    char pace[32], of[24] = "", step[48] = "";
    if (s->planned) snprintf(of, sizeof of, " of %u", s->planned);
    if (!s->setup.to)
        snprintf(step, sizeof step, ", step %u%s", s->steps ? s->step[s->steps - 1].step : 0, of);
    if (experiment_is_live(l->watch)) return base_format("running%s", step);
    return base_format("%sreplaying the measured run%s%s", l->paused ? "paused · " : "", step,
                       say_pace(pace, l->watch));
}

/* That all is done, and whether the runs agree, as far as there is room. The caller's. */
static char *say_end(const struct lab *l, int room, enum page_role *role) {
    const struct experiment_state *state[EXPERIMENT_VARIANTS];
    size_t runs = experiment_variants(session_lab_what(l->runs)), refused = 0;
    for (size_t i = 0; i < runs; i++) {
        if (!session_lab_well(l->runs, i)) return base_dup("Stopped.");
        state[i] = experiment_state(session_lab_run(l->runs, i));
        refused += state[i]->refused > 0;
    }
    *role = PAGE_GOOD;
    if (session_lab_scale(l->runs, 0)) return base_dup("All runs ended as the engine predicted.");
    if (refused)
        return base_format("All runs have ended, %zu of %zu out of memory.", refused, runs);
    if (runs < 2) return base_dup("The run has ended. Press a to watch it again.");
    char *agree = experiment_agreement(state, runs, room),
         *both = base_format("All runs have ended. %s", agree);
    bool fits = base_width(both) <= room, alone = base_width(agree) <= room;
    char *text = base_dup(fits ? both : alone ? agree : "All runs have ended.");
    free(both);
    free(agree);
    return text;
}

/* What there is to say under the panels: that all is done, or whether the run is seen as it
 * happens. That ranks share cores is said by the timeline. The caller's, or NULL. */
static char *say_foot(const struct lab *l, int room, enum page_role *role) {
    *role = PAGE_PLAIN;
    if (!l->watch && session_lab_over(l->runs)) return say_end(l, room, role);
    *role = PAGE_DIM;
    if (l->watch) return say_watched(l);
    return l->recorded ? say_recorded(l, room) : base_dup("running");
}

/* Keeps only the first sentence if the next does not fit. */
static void shorten(char *text, int room) {
    char *next = strstr(text, ". ");
    if (next && base_width(text) > room) next[1] = '\0';
}

/* What failed goes over all else; the rest leaves room for "more". */
static void draw_foot(const struct lab *l, struct frame *f, int row) {
    enum page_role role;
    const char *trouble = session_lab_trouble(l->runs);
    int room = f->width - MORE;
    char *text = trouble ? NULL : say_foot(l, room, &role);
    if (trouble) screen_frame_note(f, trouble);
    if (!text) return;
    f->foot = 1; /* a hint does not hide whether the run is seen as it happens */
    shorten(text, room);
    char *cut = page_cut(text, room, l->view.app->look.ascii);
    screen_frame_put(f, row, 1, role, 0, cut);
    free(cut);
    free(text);
}

/* ── the panels ────────────────────────────────────────────────────────────────────────────────*/
/* What is shown of a run: while one after the other is watched, the one that is watched as far as
 * it was told, and none after it. */
static const struct experiment *told_of(const struct lab *l, size_t run) {
    if (!l->paced || run < l->shown) return session_lab_run(l->runs, run);
    return run == l->shown ? shown_run(l) : NULL;
}

/* Of all runs, and of those that are still to come as far as they are predicted. What is not shown
 * yet does not count, or a picture that is paused would move. */
static struct experiment_reach reach_of(const struct lab *l) {
    struct experiment_reach reach = {0};
    for (size_t i = 0; i < EXPERIMENT_VARIANTS; i++) {
        const struct experiment_scale *scale = session_lab_scale(l->runs, i);
        experiment_extend(&reach, told_of(l, i));
        if (scale && scale->scaled.peak > reach.bytes) reach.bytes = scale->scaled.peak;
    }
    return reach;
}

static size_t predicted(const struct page_lab *figure) {
    size_t n = 0;
    for (size_t i = 0; i < PAGE_LAB_RUNS && figure->run[i]; i++)
        for (uint32_t r = 0; r < figure->run[i]->seen; r++)
            n += figure->run[i]->rank[r].predicted.known;
    return n;
}

static bool is_alike(const struct lab_room *a, const struct lab_room *b) {
    return a->width == b->width && a->rows == b->rows && a->colours == b->colours &&
           a->ascii == b->ascii && a->other == b->other;
}

/* Computed once for a run, as what it depends on stays while the run goes by. The panels of the
 * next run take no fewer rows, so that they stay in place too. */
static int room_of(struct lab *l, const struct page *p, struct page_flow f,
                   enum experiment_panel panel, const struct page_lab *figure, bool aside) {
    struct lab_room *was = &l->room[aside][panel], now = {.width = page_width(p),
                                                          .rows = figure->rows,
                                                          .colours = l->view.app->look.colours,
                                                          .ascii = page_ascii(p),
                                                          .shown = l->shown,
                                                          .other = l->other,
                                                          .predicted = predicted(figure),
                                                          .reach = figure->reach.bytes};
    bool alike = is_alike(was, &now);
    if (alike && was->shown == now.shown && was->predicted == now.predicted &&
        was->reach == now.reach)
        return was->room;
    now.room = page_lab_room(p, f, panel, figure);
    if (alike && was->room > now.room) now.room = was->room;
    *was = now;
    return now.room;
}

static void lay_panel(struct lab *l, struct page *p, enum experiment_panel panel, bool aside) {
    const struct experiment_state *shown = experiment_state(shown_run(l));
    struct page_lab figure = {.run = {shown}, .no_table = true};
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    if (l->other != LAB_ALONE) {
        const struct experiment_state *other = experiment_state(session_lab_run(l->runs, l->other));
        figure.run[0] = l->other < l->shown ? other : shown;
        figure.run[1] = l->other < l->shown ? shown : other;
    }
    figure.reach = reach_of(l);
    if (panel == EXPERIMENT_CURVE || panel == EXPERIMENT_COLLECTIVES)
        figure.rows = l->capacity / PART > USUAL ? l->capacity / PART : USUAL;
    int row = page_height(p);
    int end = page_printf(p, row, 1, PAGE_KEY, "%d", (int)panel + 1);
    page_put(p, row, end + 1, panel == l->panel ? PAGE_ACCENT : PAGE_DIM,
             panel == l->panel ? PAGE_BOLD : 0, experiment_panel_name(panel));
    int top = page_height(p);
    page_lab(p, flow, panel, &figure);
    int missing = top + room_of(l, p, flow, panel, &figure, aside) - page_height(p);
    page_blank(p, missing > 0 ? missing : 0);
    page_blank(p, 1);
}

/* Of the capstone: the scenario, what stands for it, and what that weighed. */
static void lay_scale(const struct lab *l, struct page *p) {
    const struct experiment_scale *scale = session_lab_scale(l->runs, l->shown);
    if (!scale) return;
    page_lab_scale(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, scale,
                   experiment_state(shown_run(l)));
    page_blank(p, 1);
}

bool screen_lab_tells(const struct lab *l, enum experiment_panel panel) {
    return experiment_panel_tells(experiment_state(shown_run(l)), panel);
}

/* The panels from `first` on, those of the second pane, or the others: `start` is where each
 * begins, and the last one ends. */
static struct page *lay_panels(struct lab *l, int width, enum experiment_panel first, bool aside,
                               int *start) {
    struct page *p = page_new(width, l->view.app->look.ascii);
    page_set_colours(p, l->view.app->look.colours);
    if (!aside) lay_scale(l, p);
    bool speaks = screen_lab_speaks(shown_run(l));
    if (!speaks && !aside) page_put(p, page_height(p), 1, PAGE_DIM, 0, "The run is starting.");
    for (int i = 0; i < EXPERIMENT_PANELS; i++) {
        enum experiment_panel panel = (enum experiment_panel)i;
        start[i] = page_height(p);
        bool here = (panel >= first && panel <= EXPERIMENT_LEDGER) == aside;
        if (speaks && here && screen_lab_tells(l, panel)) lay_panel(l, p, panel, aside);
    }
    start[EXPERIMENT_PANELS] = page_height(p);
    return p;
}

bool screen_lab_sees(const struct lab *l, enum experiment_panel panel) {
    int first = l->start[panel] - l->top, last = l->start[panel + 1] - l->top;
    return first == last || (first >= 0 && last <= l->capacity + 1); /* it ends in a blank row */
}

/* Whether the chosen panel is in the second pane. */
static bool is_aside(const struct lab *l, const int *start) {
    return start[l->panel] == start[l->panel + 1];
}

/* The first row of the window, so that the panel that is sought is wholly in view: the first panel
 * from which that is so. The first panel, and one in the second pane, need no scrolling: then the
 * table above all panels is seen, too. */
static int seek(const struct lab *l, const int *start) {
    int panel = 0, end = start[l->panel + 1];
    if (l->panel == EXPERIMENT_MEMORY || is_aside(l, start) || end <= l->capacity + 1) return 0;
    while (panel < (int)l->panel && end > start[panel] + l->capacity + 1) panel++;
    return start[panel];
}

/* After that the panel at the window's top stays there when those above it grow or shrink, as they
 * do in a window of another width and when a run begins. */
static void keep_place(struct lab *l, const int *start, int width) {
    int at = 0;
    bool came = l->width && is_aside(l, l->start) && !is_aside(l, start); /* out of the pane */
    if (l->seeks || came) {
        l->top = seek(l, start);
    } else if (l->width && l->top) {
        while (at + 1 < EXPERIMENT_PANELS && l->start[at + 1] <= l->top) at++;
        int into = l->top - l->start[at], rows = start[at + 1] - start[at];
        l->top = start[at] + (into < rows ? into : 0);
    }
    memcpy(l->start, start, sizeof l->start);
    l->width = width;
}

/* ── all runs in one picture ───────────────────────────────────────────────────────────────────*/
/* A lab in the lesson that explains its surprise leads nowhere. */
static const char *explaining(const struct lab *l, const struct experiment_compared *c) {
    const char *here = session_lab_here(l->runs);
    return *c->surprise && !(here && strcmp(here, c->lesson) == 0) ? c->lesson : NULL;
}

/* Whether a row of the picture is named so. */
static bool names(const struct page *p, int row, const char *label) {
    int end = page_says(p, row, 1, label);
    return end >= 0 && page_says(p, row, end, "  ") >= 0;
}

/* A click on a run's bar or its name shows that run. They stand equally far apart. */
static void zone_runs(const struct lab *l, struct frame *f, const struct page *p,
                      const struct page_lab_end *e) {
    int at[EXPERIMENT_VARIANTS], half = 0;
    for (size_t i = 0; i < e->runs; i++) {
        at[i] = 0;
        while (at[i] < page_height(p) && !names(p, at[i], e->run[i]->label)) at[i]++;
        if (at[i] == page_height(p)) return;
        if (i == 1) half = (at[1] - at[0] - 1) / 2;
    }
    for (size_t i = 0; i < e->runs; i++)
        for (int row = at[i] - half - l->top; row <= at[i] + half - l->top; row++)
            if (row >= 0 && row < l->capacity)
                screen_frame_zone(f, f->top + row, 0, f->width, PRESS_NONE, (int)i);
}

static void draw_whole(struct lab *l, struct frame *f) {
    const struct experiment_lab *what = session_lab_what(l->runs);
    struct page_lab_end e = {
        .runs = experiment_variants(what), .rows = f->rows, .here = session_lab_here(l->runs)};
    for (size_t i = 0; i < e.runs; i++) e.run[i] = experiment_state(session_lab_run(l->runs, i));
    struct experiment_compared compared = experiment_compare(e.run, e.runs, what);
    e.compared = &compared;
    session_lab_guess(l->runs, &e.guess, &e.right);
    e.estimate = session_lab_estimate(l->runs);
    struct page *p = page_new(f->width, l->view.app->look.ascii);
    page_set_colours(p, l->view.app->look.colours);
    page_lab_end(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, &e);
    l->height = page_height(p);
    l->capacity = f->rows;
    int last = l->height > l->capacity ? l->height - l->capacity : 0;
    if (l->top > last) l->top = last;
    screen_frame_window(f, p, l->top, l->capacity, f->top, f->left);
    zone_runs(l, f, p, &e);
    l->explains = explaining(l, &compared);
    screen_frame_more(f, l->top > 0, l->top < last);
    page_free(p);
}

/* A click on a panel's heading is its key. `top`: the page's first row that is shown, at `row`. */
static void put_headings(const struct lab *l, struct frame *f, const int *start, int top, int row,
                         int column) {
    for (int i = 0; i < EXPERIMENT_PANELS; i++) {
        int at = start[i] - top;
        if (at < 0 || at >= l->capacity || start[i] == start[i + 1]) continue;
        screen_frame_zone(f, row + at, column, HEADING, (uint32_t)('1' + i), -1);
    }
}

/* The narrow panels, loss, log and ledger, stand in the second pane, and before them the timeline,
 * where the others have no room for it and those have. Returns the first of them. */
static enum experiment_panel draw_pane(struct lab *l, struct frame *f, int row, bool full) {
    int start[EXPERIMENT_PANELS + 1];
    enum experiment_panel first = full ? EXPERIMENT_TIMELINE : EXPERIMENT_LOSS;
    struct page *p = lay_panels(l, f->pane_width, first, true, start);
    if (full && page_height(p) > l->capacity + 1) {
        page_free(p);
        return draw_pane(l, f, row, false);
    }
    int over = page_height(p) - l->capacity, top = 0;
    if (over > 0 && l->panel >= first && start[l->panel + 1] > l->capacity + 1)
        top = start[l->panel] < over ? start[l->panel] : over;
    screen_frame_window(f, p, top, l->capacity, row, f->pane_left);
    put_headings(l, f, start, top, row, f->pane_left - f->left);
    page_free(p);
    return first;
}

static void draw_panels(struct lab *l, struct frame *f) {
    bool pane = f->pane_width > 0;
    int head = f->rows < LOW ? 1 : 3, start[EXPERIMENT_PANELS + 1], row = f->top + head;
    draw_runs(l, f);
    if (head > 1) draw_setup(l, f);
    l->capacity = f->rows - head;
    enum experiment_panel aside = pane ? EXPERIMENT_LOSS : EXPERIMENT_PANELS;
    struct page *p = lay_panels(l, f->width, aside, false, start);
    bool full = page_height(p) > l->capacity + 1;
    if (pane && draw_pane(l, f, row, full) == EXPERIMENT_TIMELINE) {
        page_free(p);
        p = lay_panels(l, f->width, EXPERIMENT_TIMELINE, false, start);
    }
    keep_place(l, start, f->width);
    l->height = page_height(p);
    int last = l->height > l->capacity ? l->height - l->capacity : 0;
    if (l->top > last) l->top = last;
    screen_frame_window(f, p, l->top, l->capacity, row, f->left);
    put_headings(l, f, start, l->top, row, 0);
    page_free(p);
    screen_frame_more(f, l->top > 0, l->top < last);
}

/* ── its words ─────────────────────────────────────────────────────────────────────────────────*/
/* Only if they are asked for: a run that goes by is drawn often. */
static void look_for_words(struct lab *l) {
    if (l->looked || !l->said) return;
    if (!l->glossary) l->glossary = session_glossary_whole(l->view.app->learner);
    l->words = session_glossary_find(l->glossary, l->said, l->word, LAB_WORDS);
    l->looked = true;
}

const char *screen_lab_term(const struct view *v, size_t nth) {
    struct lab *l = (struct lab *)v;
    look_for_words(l);
    return nth < l->words ? l->word[nth].term : NULL;
}

/* The picture of all runs takes the second pane's columns as well. */
void screen_lab_draw(struct view *v, struct frame *f) {
    struct lab *l = (struct lab *)v;
    int width = f->width;
    if (l->whole && f->pane_width) f->width = f->pane_left + f->pane_width - f->left;
    draw_title(l, f);
    if (!screen_lab_tells(l, l->panel)) l->panel = EXPERIMENT_COLLECTIVES;
    if (l->whole)
        draw_whole(l, f);
    else
        draw_panels(l, f);
    draw_foot(l, f, f->top + f->rows);
    f->width = width;
    free(l->said);
    l->said = page_to_text(f->page);
    l->looked = false;
    l->drawn = base_ticks();
    l->stale = false;
}
