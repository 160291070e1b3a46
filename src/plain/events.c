/* events: each event of the dialogue as lines. A table says which function prints which. */
#include "plain/inside.h"

#include <stdlib.h>
#include <string.h>

static const unsigned tone_role[STUDY_TONES] = {
    [STUDY_PLAIN] = PAPER_PLAIN, [STUDY_QUIET] = PAPER_DIM,       [STUDY_GOOD] = PAPER_GOOD,
    [STUDY_BAD] = PAPER_BAD,     [STUDY_HINT_TONE] = PAPER_PLAIN, [STUDY_ASKING] = PAPER_STRONG,
};

/* "── step 3 of 12 · title ──", with a blank line around it. */
static void show_step(struct talk *t, const struct study_event *e) {
    t->step = e->index;
    t->steps = e->count;
    free(t->sources);
    t->sources = e->sources ? base_dup(e->sources) : NULL;
    snprintf(t->id, sizeof t->id, "%s", e->step);
    struct paper *p = print_begin(t);
    paper_blank(p, 1);
    int end = paper_put(p, 1, 0, PAPER_DIM, 0, "── ");
    end = paper_printf(p, 1, end, PAPER_DIM, "step %zu of %zu", e->index + 1, e->count);
    if (e->title && *e->title) {
        end = paper_put(p, 1, end, PAPER_DIM, 0, " · ");
        end = paper_put(p, 1, end, PAPER_TITLE, 0, e->title);
    }
    paper_put(p, 1, end, PAPER_DIM, 0, " ──");
    paper_blank(p, 1);
    print_page(t, p);
}

/* Text first, then the figure under it; a figure that cannot be drawn says why in its place. */
static void show_block(struct talk *t, const struct study_event *e) {
    if (e->text && *e->text) print_markdown(t, tone_role[e->tone], e->text);
    if (!e->figure) return;
    struct paper *p = print_begin(t);
    struct base_message m = {0};
    if (!paper_figure(p, (struct paper_flow){0}, e->figure, &m))
        paper_text(p, (struct paper_flow){.role = PAPER_BAD}, m.what);
    paper_blank(p, 1);
    print_page(t, p);
}

static void show_asked(struct talk *t, const struct study_event *e) {
    if (e->ask) print_ask(t, e->ask);
}

static void show_ledger(struct talk *t, const struct study_event *e) {
    show_block(t, e);
    show_asked(t, e);
}

static void show_verdict(struct talk *t, const struct study_event *e) {
    unsigned role = strcmp(e->verdict ? e->verdict : "", "noted") == 0 ? PAPER_PLAIN
                    : e->right ? PAPER_GOOD
                               : PAPER_BAD;
    if (e->text && *e->text) print_markdown(t, role, e->text);
    if (e->figure) show_block(t, &(struct study_event){.figure = e->figure});
}

static void show_hint(struct talk *t, const struct study_event *e) {
    char *text = base_format("hint %d: %s", e->level, e->text ? e->text : "");
    print_markdown(t, PAPER_PLAIN, text);
    free(text);
}

static void show_trouble(struct talk *t, const struct study_event *e) {
    print_markdown(t, PAPER_BAD, e->text ? e->text : "Something failed; the lesson goes on.");
}

static void show_end(struct talk *t, const struct study_event *e) {
    if (e->text && *e->text) print_markdown(t, PAPER_PLAIN, e->text);
}

static void (*const show[])(struct talk *, const struct study_event *) = {
    [STUDY_STEP] = show_step,       [STUDY_SHOW] = show_block, [STUDY_ASK] = show_asked,
    [STUDY_VERDICT] = show_verdict, [STUDY_HINT] = show_hint,  [STUDY_LEDGER] = show_ledger,
    [STUDY_TROUBLE] = show_trouble, [STUDY_END] = show_end,
};

bool print_events(struct talk *t) {
    const struct study_event *e;
    bool ended = false;
    while ((e = sitting_event(t->sitting))) {
        if ((size_t)e->kind < BASE_COUNT(show)) show[e->kind](t, e);
        ended |= e->kind == STUDY_END;
        t->events++;
    }
    fflush(t->out);
    return ended;
}
