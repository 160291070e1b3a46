/* gate: before a phase that is not open yet. It says what opens it; nothing is locked. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>

enum { CHECK, ALL_THE_SAME, WAYS };

struct gate {
    struct view view;
    struct list list;
    /* of the course */
    size_t lesson, check;
    /* of that lesson; NULL: where it opens */
    char *step;
};

static const struct lesson_entry *of_course(const struct gate *g, size_t i) {
    return &session_learner_course(g->view.app->learner)->lesson[i];
}

static struct page *lay(const struct gate *g, int width, int *rows) {
    const struct lesson_entry *l = of_course(g, g->lesson), *c = of_course(g, g->check);
    struct page *p = page_new(width, g->view.app->look.ascii);
    char *why = base_format("Phase %d, %s, builds on phase %d and opens with its check: six "
                            "problems, about %d minutes.",
                            l->phase + 1,
                            session_learner_course(g->view.app->learner)->phase_title[l->phase],
                            c->phase + 1, c->minutes);
    bool taken =
        session_learner_progress(g->view.app->learner, g->check).standing == LEARNER_FAILED;
    char *way[WAYS] = {base_format(taken ? "Take the check again, from its result (%s)"
                                         : "Take the check now (%s)",
                                   c->id),
                       base_format("Open %s anyway", l->id)};
    page_text(p, (struct page_flow){.indent = 1, .width = width - 2}, why);
    for (size_t i = 0; i < WAYS; i++) {
        bool here = i == g->list.at;
        if (i == 0) page_blank(p, 1);
        rows[i] = page_height(p);
        if (here) page_put(p, rows[i], 4, PAGE_ACCENT, PAGE_BOLD, "▸");
        page_put(p, rows[i], 6, here ? PAGE_STRONG : PAGE_PLAIN, 0, way[i]);
        free(way[i]);
    }
    free(why);
    return p;
}

static void gate_draw(struct view *v, struct frame *f) {
    struct gate *g = (struct gate *)v;
    int rows[WAYS];
    char *title =
        base_format("%s  %s", of_course(g, g->lesson)->id, of_course(g, g->lesson)->title);
    screen_frame_title(f, title, "not open yet");
    struct page *p = lay(g, f->width, rows);
    screen_frame_begin(f, screen_frame_lower(f, page_height(p)));
    screen_list_show(&g->list, f, p, rows, f->top, f->rows);
    page_free(p);
    free(title);
}

static unsigned choose(struct view *v, const struct key *k) {
    struct gate *g = (struct gate *)v;
    (void)k;
    size_t to = g->list.at == CHECK ? g->check : g->lesson;
    unsigned opened = screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_LESSON,
                                       .name = of_course(g, to)->id,
                                       .step = g->list.at == CHECK ? NULL : g->step});
    return opened & VIEW_OPEN ? opened | VIEW_LEAVE : opened;
}

static void gate_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = s->is[VIEW_LISTS] = true;
}

static unsigned gate_key(struct view *v, const struct key *k) {
    struct gate *g = (struct gate *)v;
    if (screen_list_chosen(&g->list, k)) return choose(v, k);
    return screen_list_key(&g->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

/* clang-format off */
static const struct action ACTIONS[] = {
    {"choose", "Enter",       0, choose,       "Choose the line under the cursor"},
    {"back",   "Esc q",       0, screen_action_leave, "Go back"},
};
/* clang-format on */

static void gate_close(struct view *v) {
    free(((struct gate *)v)->step);
    free(v);
}

static const struct view_operations GATE = {
    .name = "A phase that is not open yet",
    .about =
        "Each phase opens with the check of the one before. Nothing is locked. You can open any "
        "of its lessons anyway.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = gate_state,
    .draw = gate_draw,
    .key = gate_key,
    .close = gate_close,
};

struct view *screen_view_gate(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    (void)m;
    struct gate *g = base_alloc(sizeof *g);
    *g = (struct gate){.view = {&GATE, app}, .lesson = r->lesson, .check = r->check};
    if (r->step) g->step = base_dup(r->step);
    g->list.tall = 1;
    g->list.count = WAYS;
    return &g->view;
}
