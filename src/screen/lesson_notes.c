/* lesson_notes: the pane next to the page, with cards and scratch paper; the words of a step that
 * can be looked up; and what the learner adds to it: bookmarks and notes. */
#include "screen/lesson.h"

#include <string.h>

/* ── next to the page ──────────────────────────────────────────────────────────────────────────*/
bool screen_lesson_is_wide(const struct lesson *l) {
    return l->columns >= FRAME_WIDE && !session_is_case(l->session);
}

bool screen_lesson_calculates(const struct lesson *l) {
    return l->pane.scratch->open && screen_lesson_is_wide(l);
}

unsigned screen_lesson_turn_pane(struct view *v, const struct key *k) {
    (void)k;
    return screen_pane_turn(&((struct lesson *)v)->pane);
}

unsigned screen_lesson_calculate(struct view *v, const struct key *k) {
    struct pane *p = &((struct lesson *)v)->pane;
    (void)k;
    p->scratch->open = !p->scratch->open;
    p->shows = PANE_CARDS;
    screen_pane_change(p);
    return VIEW_REDRAW;
}

unsigned screen_lesson_sum_key(struct lesson *l, const struct key *k) {
    if (!screen_scratch_key(l->pane.scratch, k)) return VIEW_IGNORED;
    screen_pane_change(&l->pane);
    return VIEW_REDRAW;
}

/* ── words, bookmarks and notes ────────────────────────────────────────────────────────────────*/
unsigned screen_lesson_bookmark(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    struct base_message m = {0};
    (void)k;
    if (!session_bookmark(l->session, !l->bookmark, &m))
        screen_app_notice(l->view.app, base_format("The bookmark is not saved: %s", m.what));
    screen_lesson_read_notes(l);
    return VIEW_REDRAW;
}

unsigned screen_lesson_write_note(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_NOTE, .session = ((struct lesson *)v)->session});
}

unsigned screen_lesson_report(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, &(struct view_request){.kind = VIEW_NOTE,
                                                          .session = ((struct lesson *)v)->session,
                                                          .reports = true});
}

unsigned screen_lesson_hand(struct view *v, const struct key *k) {
    struct learner *who = v->app->learner;
    struct base_message m = {0};
    (void)k;
    if (!session_raise_hand(who, !session_hand(who), &m))
        screen_app_notice(v->app, base_format("Cannot tell the class: %s", m.what));
    return VIEW_REDRAW;
}

unsigned screen_lesson_follow(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    struct session_open_step open;
    (void)k;
    if (!session_class_open_step(v->app->learner, &open)) return VIEW_IGNORED;
    bool here = strcmp(lesson_id(session_lesson(l->session)), open.lesson) == 0;
    if (here && !l->over)
        return screen_lesson_do(l,
                                (struct lesson_action){.kind = LESSON_DO_GOTO, .text = open.step});
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_LESSON, .name = open.lesson, .step = open.step});
}

/* Whether a term's explanation may be shown now: it may be what the page asks for. */
static bool may_explain(const struct lesson *l, size_t which) {
    return !lesson_gives_away(session_dialogue(l->session),
                              session_glossary_word(l->pane.glossary, which).means);
}

unsigned screen_lesson_keep_glossary(struct view *v, const struct key *k) {
    (void)k;
    screen_app_notice(v->app, base_dup("Turn the card first: the glossary may tell what is on its "
                                       "back"));
    return VIEW_REDRAW;
}

const char *screen_lesson_term(const struct view *v, size_t nth) {
    const struct lesson *l = (const struct lesson *)v;
    const struct terms *terms = &screen_lesson_page(l)->terms;
    int fresh = screen_page_fresh_row(screen_lesson_page(l));
    for (int above = 0; above < 2; above++)
        for (size_t i = 0; i < terms->count; i++) {
            const struct terms_span *t = &terms->span[i];
            bool goes_on = i > 0 && t[-1].which == t->which;
            if (goes_on || (t->row < fresh) != above || !screen_lesson_shows(l, t->row)) continue;
            if (!may_explain(l, t->which)) continue;
            if (nth-- == 0) return session_glossary_word(l->pane.glossary, t->which).term;
        }
    return NULL;
}

unsigned screen_lesson_open_term(struct lesson *l, size_t i) {
    const struct terms *terms = &screen_lesson_page(l)->terms;
    if (i >= terms->count || !may_explain(l, terms->span[i].which)) return VIEW_IGNORED;
    const char *term = session_glossary_word(l->pane.glossary, terms->span[i].which).term;
    return screen_app_open(
        l->view.app,
        &(struct view_request){.kind = VIEW_ENTRY, .entry = SESSION_TERM, .name = term});
}
