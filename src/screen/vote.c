/* vote: what the teacher of the class asks all, whatever the learner does; a number chooses. */
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>

enum { INDENT = 5 };
enum { OPEN = VIEW_OWN }; /* a choice can be made */

struct vote {
    struct view view;
    struct list list;
    /* the numbers of its lines */
    struct action numbers;
    char keys[2 * CLASSROOM_OPTIONS];
};

static struct vote *vote_of(const struct view *v) {
    return (struct vote *)v;
}

/* The vote as it is now, which may be another one than a moment ago, or none. */
static const struct classroom_vote *asked(const struct view *v) {
    const struct classroom_vote *it = session_class_vote(v->app->learner);
    return it && it->round != CLASSROOM_SHOWN ? it : NULL;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void put_option(struct page *p, const struct vote *o, const struct classroom_vote *it,
                       size_t i) {
    bool here = o->list.at == i, chosen = session_class_voted(o->view.app->learner) == (int)i + 1;
    int row = page_height(p);
    page_text(p,
              (struct page_flow){.indent = INDENT,
                                 .width = page_width(p) - INDENT - 1,
                                 .role = here ? PAGE_STRONG : PAGE_PLAIN},
              it->option[i]);
    if (here) page_put(p, row, 1, PAGE_ACCENT, PAGE_BOLD, "▸");
    page_printf(p, row, 3, chosen ? PAGE_GOOD : PAGE_KEY, chosen ? "✓" : "%zu", i + 1);
}

static void put_vote(struct page *p, const struct vote *o, int *first) {
    const struct classroom_vote *it = asked(&o->view);
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2, .role = PAGE_PLAIN};
    if (!it) {
        page_text(p, f, "The vote is over.");
        return;
    }
    page_text(p, f, it->question);
    page_blank(p, 1);
    for (size_t i = 0; i < it->options; i++) {
        first[i] = page_height(p);
        put_option(p, o, it, i);
    }
}

/* It hides what is below, which may be the step that is asked, and show its answer. */
static void vote_draw(struct view *v, struct frame *f) {
    struct vote *o = vote_of(v);
    const struct classroom_vote *it = asked(v);
    int first[CLASSROOM_OPTIONS] = {0};
    struct page *p = page_new(f->width, v->app->look.ascii);
    o->list.count = it ? it->options : 0;
    screen_keys_in_a_row(o->keys, sizeof o->keys, '1', o->list.count);
    if (o->list.at >= o->list.count) o->list.at = 0;
    put_vote(p, o, first);
    screen_frame_title(f,
                       it && it->round == CLASSROOM_TALKED
                           ? "Your teacher asks again, after talking"
                           : "Your teacher asks",
                       "");
    screen_list_show(&o->list, f, p, first, f->top, f->rows);
    page_free(p);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static unsigned choose(struct view *v, size_t option) {
    struct base_message m = {0};
    char text[700];
    bool chosen = session_vote(v->app->learner, (int)option, &m);
    screen_app_notice(v->app, chosen ? base_format("You chose %zu.", option)
                                     : base_dup(base_message_text(&m, text, sizeof text)));
    return chosen ? VIEW_LEAVE : VIEW_REDRAW;
}

static unsigned choose_here(struct view *v, const struct key *k) {
    (void)k;
    return choose(v, vote_of(v)->list.at + 1);
}

static const struct action *vote_extra(const struct view *v, size_t *count) {
    const struct vote *o = vote_of(v);
    *count = o->list.count > 0;
    return &o->numbers;
}

static unsigned vote_key(struct view *v, const struct key *k) {
    struct vote *o = vote_of(v);
    if (k->code >= '1' && k->code < '1' + o->list.count) return choose(v, k->code - '0');
    if (screen_list_chosen(&o->list, k)) return choose_here(v, k);
    return screen_list_key(&o->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static void vote_state(const struct view *v, struct view_states *s) {
    s->is[VIEW_READING] = true;
    s->is[OPEN] = s->is[VIEW_LISTS] = asked(v);
}

static const struct action ACTIONS[] = {
    {"choose", "Enter", OPEN, choose_here, "Choose the line under the cursor"},
    {NULL, NULL, OPEN, NULL, NULL},
    {"back", "Esc v M-v", VIEW_ALWAYS, screen_action_leave, "Go back without an answer"},
};

static void vote_close(struct view *v) {
    free(v);
}

static const struct view_operations VOTE = {
    .name = "A vote",
    .about = "Your teacher asks everybody the same question. Answer alone first. If your teacher "
             "asks again, talk to your neighbour before. The screen at the front shows how many "
             "chose what, without names. While you type an answer, press Alt-v. What you have "
             "typed stays.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .votes = true,
    .state = vote_state,
    .extra = vote_extra,
    .draw = vote_draw,
    .key = vote_key,
    .close = vote_close,
};

struct view *screen_view_vote(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    struct vote *o = base_alloc(sizeof *o);
    (void)r, (void)m;
    o->view = (struct view){&VOTE, app};
    o->list.tall = 1;
    o->numbers = (struct action){"choose", o->keys, OPEN, NULL, "Choose the line with this number"};
    return &o->view;
}
