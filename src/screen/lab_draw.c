/* lab_draw: the lab's screen. Its runs on one line, then the panels, the chosen one on top; in a
 * wide terminal those that are no bars stand in the second pane. */
#include "screen/lab.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOW = 12,    /* rows of a body that has room for the panels alone */
    NARROW = 60, /* columns of a title that says things in short */
    MORE = 12    /* columns at the right of the foot, for what lies above and below */
};

const struct experiment *screen_lab_shown(const struct lab *l) {
    return l->again ? l->again : session_lab_run(l->runs, l->shown);
}

/* ── the head ──────────────────────────────────────────────────────────────────────────────────*/
static char *say_step(const struct lab *l, const struct frame *f) {
    const struct experiment_state *s = experiment_state(screen_lab_shown(l));
    if (s->ended && !s->failed) return base_format("%zu steps", s->steps);
    if (s->refused) return base_dup("out of memory");
    if (experiment_is_over(screen_lab_shown(l))) return base_dup("stopped");
    if (!s->steps) return base_dup("begins");
    uint32_t step = s->step[s->steps - 1].step;
    if (!s->planned) return base_format("step %u", step);
    return base_format(f->width < NARROW ? "step %u/%u" : "step %u of %u", step, s->planned);
}

static void draw_title(const struct lab *l, struct frame *f) {
    const struct experiment_lab *what = session_lab_what(l->runs);
    char *left = base_format("%s  %s", l->recorded ? "recording" : "lab", what->name),
         *step = say_step(l, f);
    char *right = base_format("%s · %s", what->variant[l->shown].label, step);
    screen_frame_title(f, left, right);
    free(right);
    free(step);
    free(left);
}

static const char *sign_of(const struct lab *l, size_t i) {
    const struct experiment *t = session_lab_run(l->runs, i);
    if (!t) return "○";
    if (!experiment_is_over(t)) return "◐";
    return experiment_state(t)->ended && !experiment_state(t)->failed ? "●" : "✗";
}

static bool is_here(const struct lab *l, size_t i) {
    return i == l->shown || i == l->beside;
}

static bool ended_well(const struct experiment *t) {
    return t && experiment_state(t)->ended && !experiment_state(t)->failed;
}

/* How much is said of the runs: their signs and the labels of what is shown, all labels, the peaks
 * of those that have ended too. */
enum detail { SIGNS, LABELS, PEAKS };

/* The highest of its ranks; "" where it is not known. */
static const char *peak_of(const struct experiment *t, char out[static 32]) {
    uint64_t most = 0;
    if (!ended_well(t)) return "";
    const struct experiment_state *s = experiment_state(t);
    for (uint32_t i = 0; i < s->seen; i++)
        most = s->rank[i].peak_total > most ? s->rank[i].peak_total : most;
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
    return screen_frame_put(f, f->top, column + 1, PAGE_DIM, 0,
                            peak_of(session_lab_run(l->runs, i), peak)) +
           2;
}

static enum detail detail_of(const struct lab *l, const struct frame *f) {
    const struct experiment_lab *what = session_lab_what(l->runs);
    size_t runs = experiment_variants(what);
    char peak[32];
    int labels = 1, peaks = 1;
    for (size_t i = 0; i < runs; i++) {
        labels += 5 + base_width(what->variant[i].label);
        peaks += 5 + base_width(what->variant[i].label) +
                 base_width(peak_of(session_lab_run(l->runs, i), peak));
    }
    if (labels > f->width) return SIGNS;
    return runs < 2 || peaks > f->width + 1 ? LABELS : PEAKS;
}

static void draw_runs(const struct lab *l, struct frame *f) {
    size_t runs = experiment_variants(session_lab_what(l->runs));
    enum detail detail = detail_of(l, f);
    int column = 1;
    for (size_t i = 0; i < runs; i++) column = put_run(l, f, i, column, detail);
}

/* "834304 params, fp32, 4 ranks (shm, cpu)". */
static char *say_setup(const struct experiment *t) {
    const json_t *start = experiment_state(t)->start;
    char params[32];
    if (!start) return base_dup(experiment_command(t));
    account_print(params, sizeof params,
                  (double)base_json_int(json_object_get(start, "model"), "params", 0),
                  ACCOUNT_UNIT_PARAMS, 3);
    return base_format("%s params, %s, %u rank%s, %s %s", params,
                       base_json_text(start, "precision", "fp32"), experiment_state(t)->ranks,
                       experiment_state(t)->ranks == 1 ? "" : "s",
                       base_json_text(start, "device", ""), base_json_text(start, "comm", ""));
}

static void draw_setup(const struct lab *l, struct frame *f) {
    char *setup = say_setup(screen_lab_shown(l));
    int end = screen_frame_put(f, f->top + 1, 1, PAGE_DIM, 0, setup);
    if (detail_of(l, f) == PEAKS && ended_well(session_lab_run(l->runs, 0)))
        screen_frame_put(f, f->top + 1, end, PAGE_DIM, 0, " · above, each run's peak");
    free(setup);
}

static char *say_recorded(const struct lab *l) {
    char *machine = experiment_machine(screen_lab_shown(l)), slower[40] = "";
    double times = experiment_slowness(screen_lab_shown(l));
    if (times >= 1.5) snprintf(slower, sizeof slower, "played %.0f times slower, ", times);
    char *text =
        base_format("%sa recording, %smade on %s", l->paused ? "paused · " : "", slower, machine);
    free(machine);
    return text;
}

static const char *say_times(const struct experiment *t) {
    const char *times = base_json_text(experiment_state(t)->start, "times", "real");
    bool gpu = !strcmp(base_json_text(experiment_state(t)->start, "device", ""), "cuda");
    if (strcmp(times, "shared processor") == 0)
        return gpu ? "ranks share a GPU: bytes are true, times are not a cluster's"
                   : "ranks share cores: bytes are true, times are not a cluster's";
    if (strcmp(times, "emulated link") == 0)
        return base_json_bool(experiment_state(t)->start, "shared_processor", false)
                   ? "the link is emulated, ranks share cores: bytes are true"
                   : "the link is emulated: bytes are true";
    return NULL;
}

/* That all is done, and whether the runs agree, or the ranks of the only one. The caller's. */
static char *say_end(const struct lab *l, enum page_role *role) {
    size_t runs = experiment_variants(session_lab_what(l->runs));
    const struct experiment *first = session_lab_run(l->runs, 0);
    bool same = true;
    for (size_t i = 0; i < runs; i++) {
        const struct experiment *t = session_lab_run(l->runs, i);
        if (!session_lab_well(l->runs, i)) return base_dup("Stopped.");
        same = same && !strcmp(experiment_state(t)->loss, experiment_state(first)->loss) &&
               !strcmp(experiment_state(t)->weights_hash, experiment_state(first)->weights_hash);
    }
    *role = PAGE_GOOD;
    if (session_lab_scale(l->runs, 0))
        return base_dup("All runs came to the end that the engine foretold.");
    char *states = runs < 2 ? experiment_say_states(first) : NULL;
    if (states) return states;
    if (runs < 2) return base_dup("The run has ended.");
    return base_dup(same ? "All runs have ended. Loss and weights: equal, bit for bit."
                         : "All runs have ended. Their losses or weights differ.");
}

/* "once more, 40 times slower than it ran"; the caller's. */
static char *say_again(const struct lab *l) {
    char slower[40] = "";
    double times = experiment_slowness(l->again);
    if (times >= 1.5) snprintf(slower, sizeof slower, ", %.0f times slower than it ran", times);
    return base_format("%sonce more%s", l->paused ? "paused · " : "", slower);
}

/* What there is to say under the panels: that all is done, or how far times are true, where the
 * timeline does not say it. The caller's, or NULL. */
static char *say_foot(const struct lab *l, enum page_role *role) {
    *role = PAGE_PLAIN;
    if (!l->again && session_lab_over(l->runs)) return say_end(l, role);
    *role = PAGE_DIM;
    if (l->again) return say_again(l);
    if (l->recorded) return say_recorded(l);
    const char *times = l->panel == EXPERIMENT_TIMELINE ? NULL : say_times(screen_lab_shown(l));
    return times ? base_dup(times) : NULL;
}

/* What failed goes over all else; the rest leaves room for "more". */
static void draw_foot(const struct lab *l, struct frame *f, int row) {
    enum page_role role;
    const char *trouble = session_lab_trouble(l->runs);
    char *text = trouble ? NULL : say_foot(l, &role);
    if (trouble) screen_frame_note(f, trouble);
    if (!text) return;
    char *cut = screen_frame_cut(text, f->width - MORE, l->view.app->look.ascii);
    screen_frame_put(f, row, 1, role, 0, cut);
    free(cut);
    free(text);
}

/* ── the panels ────────────────────────────────────────────────────────────────────────────────*/
static void lay_panel(const struct lab *l, struct page *p, enum experiment_panel panel) {
    struct base_message m = {0};
    const struct experiment *other =
        l->beside == LAB_ALONE ? NULL : session_lab_run(l->runs, l->beside);
    bool first = l->beside < l->shown;
    json_t *figure = experiment_figure(panel, first && other ? other : screen_lab_shown(l),
                                       first && other ? screen_lab_shown(l) : other);
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    for (size_t i = 0; panel == EXPERIMENT_MEMORY && i < EXPERIMENT_VARIANTS; i++)
        experiment_figure_reach(figure, session_lab_run(l->runs, i));
    int row = page_height(p);
    int end = page_printf(p, row, 1, PAGE_KEY, "%d", (int)panel + 1);
    page_put(p, row, end + 1, panel == l->panel ? PAGE_ACCENT : PAGE_DIM,
             panel == l->panel ? PAGE_BOLD : 0, experiment_panel_name(panel));
    if (!page_figure(p, flow, figure, &m)) page_text(p, flow, m.what);
    page_blank(p, 1);
    json_decref(figure);
}

/* Of the capstone: the scenario, what stands for it, and what that weighed. */
static void lay_scale(const struct lab *l, struct page *p) {
    struct base_message m = {0};
    const struct experiment_scale *scale = session_lab_scale(l->runs, l->shown);
    if (!scale) return;
    json_t *figure = experiment_scale_figure(scale, screen_lab_shown(l));
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    if (!page_figure(p, flow, figure, &m)) page_text(p, flow, m.what);
    page_blank(p, 1);
    json_decref(figure);
}

/* Which panels stand in the second pane, where there is one: the narrow ones. */
static bool is_narrow(enum experiment_panel panel) {
    return panel == EXPERIMENT_LOSS || panel == EXPERIMENT_LOG;
}

static struct page *lay_panels(const struct lab *l, int width, bool pane, bool narrow) {
    struct page *p = page_new(width, l->view.app->look.ascii);
    page_set_colours(p, l->view.app->look.colours);
    if (!pane || !narrow) lay_scale(l, p);
    for (int i = 0; i < EXPERIMENT_PANELS; i++) {
        enum experiment_panel panel =
            (enum experiment_panel)(((int)l->panel + i) % EXPERIMENT_PANELS);
        if (!pane || is_narrow(panel) == narrow) lay_panel(l, p, panel);
    }
    return p;
}

void screen_lab_draw(struct view *v, struct frame *f) {
    struct lab *l = (struct lab *)v;
    bool pane = f->pane_width > 0;
    int head = f->rows < LOW ? 1 : 3;
    draw_title(l, f);
    draw_runs(l, f);
    if (head > 1) draw_setup(l, f);
    struct page *p = lay_panels(l, f->width, pane, false);
    l->height = page_height(p);
    l->capacity = f->rows - head;
    int last = l->height > l->capacity ? l->height - l->capacity : 0;
    if (l->top > last) l->top = last;
    screen_frame_window(f, p, l->top, l->capacity, f->top + head, f->left);
    page_free(p);
    if (pane) {
        p = lay_panels(l, f->pane_width, true, true);
        screen_frame_window(f, p, 0, l->capacity, f->top + head, f->pane_left);
        page_free(p);
    }
    screen_frame_more(f, l->top > 0, l->top < last);
    draw_foot(l, f, f->top + f->rows);
    l->drawn = base_ticks();
    l->stale = false;
}
