/* events: each event of the dialogue as lines. A table says which function prints which. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

static const unsigned tone_role[LESSON_TONES] = {
    [LESSON_PLAIN] = PAGE_PLAIN, [LESSON_QUIET] = PAGE_DIM,       [LESSON_GOOD] = PAGE_GOOD,
    [LESSON_BAD] = PAGE_BAD,     [LESSON_HINT_TONE] = PAGE_PLAIN, [LESSON_ASKING] = PAGE_STRONG,
};

/* "── step 3 of 12 · title ──", with a blank line around it. */
static void show_step(struct talk *t, const struct lesson_event *e) {
    t->step = e->index;
    t->steps = e->count;
    free(t->sources);
    t->sources = e->sources ? base_dup(e->sources) : NULL;
    snprintf(t->id, sizeof t->id, "%s", e->step);
    struct page *p = linear_print_begin(t);
    page_blank(p, 1);
    int end = page_put(p, 1, 0, PAGE_DIM, 0, "── ");
    end = page_printf(p, 1, end, PAGE_DIM, "step %zu of %zu", e->index + 1, e->count);
    if (e->title && *e->title) {
        end = page_put(p, 1, end, PAGE_DIM, 0, " · ");
        end = page_put(p, 1, end, PAGE_TITLE, 0, e->title);
    }
    page_put(p, 1, end, PAGE_DIM, 0, " ──");
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* Text first, then the figure under it; a figure that cannot be drawn says why in its place. */
static void show_block(struct talk *t, const struct lesson_event *e) {
    if (e->text && *e->text) linear_print_markdown(t, tone_role[e->tone], e->text);
    if (!e->figure) return;
    struct page *p = linear_print_begin(t);
    struct base_message m = {0};
    if (!page_figure(p, (struct page_flow){0}, e->figure, &m))
        page_text(p, (struct page_flow){.role = PAGE_BAD}, m.what);
    page_blank(p, 1);
    linear_print_page(t, p);
}

static void show_asked(struct talk *t, const struct lesson_event *e) {
    if (e->ask) linear_print_ask(t, e->ask);
}

static void show_ledger(struct talk *t, const struct lesson_event *e) {
    show_block(t, e);
    show_asked(t, e);
}

static void show_verdict(struct talk *t, const struct lesson_event *e) {
    unsigned role = strcmp(e->verdict ? e->verdict : "", "noted") == 0 ? PAGE_PLAIN
                    : e->right ? PAGE_GOOD
                               : PAGE_BAD;
    if (e->text && *e->text) linear_print_markdown(t, role, e->text);
    if (e->figure) show_block(t, &(struct lesson_event){.figure = e->figure});
}

static void show_hint(struct talk *t, const struct lesson_event *e) {
    char *text = base_format("hint %d: %s", e->level, e->text ? e->text : "");
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
}

static void show_trouble(struct talk *t, const struct lesson_event *e) {
    linear_print_markdown(t, PAGE_BAD, e->text ? e->text : "Something failed; the lesson goes on.");
}

static void show_end(struct talk *t, const struct lesson_event *e) {
    if (e->text && *e->text) linear_print_markdown(t, PAGE_PLAIN, e->text);
}

static void (*const show[])(struct talk *, const struct lesson_event *) = {
    [LESSON_STEP] = show_step,       [LESSON_SHOW] = show_block, [LESSON_ASK] = show_asked,
    [LESSON_VERDICT] = show_verdict, [LESSON_HINT] = show_hint,  [LESSON_LEDGER] = show_ledger,
    [LESSON_TROUBLE] = show_trouble, [LESSON_END] = show_end,
};

bool linear_print_events(struct talk *t) {
    const struct lesson_event *e;
    bool ended = false;
    while ((e = session_event(t->session))) {
        if ((size_t)e->kind < BASE_COUNT(show)) show[e->kind](t, e);
        ended |= e->kind == LESSON_END;
        t->events++;
    }
    fflush(t->out);
    return ended;
}
