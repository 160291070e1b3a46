/* print: everything that goes out: pages as text, or with colours if the learner has them. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, NARROWEST = 20 };

/* ── the learner's settings narrow what the output can show; they never widen it ───────────────*/
/* Whether the setting is kept and has this value. */
static bool is_set(struct talk *t, const char *name, const char *value) {
    char *kept = store_setting(session_learner_store(t->learner), name);
    bool same = kept && strcmp(kept, value) == 0;
    free(kept);
    return same;
}

void linear_talk_look(struct talk *t) {
    t->ascii = t->options->ascii || is_set(t, "characters", "ascii");
    t->colours = t->options->colours;
    if (t->colours > 8 && is_set(t, "colour", "8")) t->colours = 8;
    if (is_set(t, "colour", "none")) t->colours = 0;
    t->words = t->options->words || is_set(t, "drawings", "off");
    char *theme = store_setting(session_learner_store(t->learner), "theme");
    t->theme = page_theme_named(theme);
    free(theme);
}

/* ── pages ─────────────────────────────────────────────────────────────────────────────────────*/
struct page *linear_print_begin(const struct talk *t) {
    int width = t->options->width ? t->options->width : COLUMNS;
    struct page *p = page_new(width < NARROWEST ? NARROWEST : width, t->ascii);
    page_set_colours(p, t->colours);
    page_set_spoken(p, t->words);
    return p;
}

void linear_print_page(struct talk *t, struct page *p) {
    char *text = t->colours ? page_to_ansi(p, t->theme, t->colours) : page_to_text(p);
    size_t n = strlen(text), skip = t->blank && *text == '\n';
    fputs(text + skip, t->out);
    if (t->prints_events) base_text_puts(&t->printing, text + skip);
    if (n) t->blank = n < 2 ? *text == '\n' : strcmp(text + n - 2, "\n\n") == 0;
    free(text);
    page_free(p);
}

void linear_print_markdown(struct talk *t, unsigned role, const char *markdown) {
    struct page *p = linear_print_begin(t);
    page_markdown(p, (struct page_flow){.role = role}, markdown);
    page_blank(p, 1);
    linear_print_page(t, p);
}

int linear_not_opened(const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    base_say_error(base_message_text(m, text, sizeof text));
    return NOT_OPENED;
}

void linear_print_figure(struct talk *t, const char *title, const json_t *figure) {
    struct page *p = linear_print_begin(t);
    struct base_message m = {0};
    if (title) page_put(p, 0, 0, PAGE_TITLE, 0, title);
    if (!(t->words ? page_figure_words : page_figure_told)(p, (struct page_flow){0}, figure, &m))
        page_text(p, (struct page_flow){.role = PAGE_BAD}, m.what);
    page_blank(p, 1);
    linear_print_page(t, p);
}

void linear_print_moved(struct talk *t, const json_t *figure, const json_t *was) {
    struct page *p = linear_print_begin(t);
    struct base_message m = {0};
    if (!page_figure_moved(p, (struct page_flow){0}, figure, was, &m))
        page_text(p, (struct page_flow){.role = PAGE_BAD}, m.what);
    page_blank(p, 1);
    linear_print_page(t, p);
}

void linear_set_words(struct talk *t, bool words) {
    struct base_message m = {0};
    t->words = words;
    if (!store_set(session_learner_store(t->learner), "drawings", words ? "off" : NULL, &m))
        linear_complain(t, &m);
    linear_print_markdown(t, PAGE_DIM,
                          words ? "Figures are in words from now on. Type `:drawings on` to draw "
                                  "them."
                                : "Figures are drawn from now on, with sentences below. Type "
                                  "`:drawings off` for the sentences alone.");
}

void linear_print_progress(struct talk *t) {
    json_t *study = session_learner_study(t->learner);
    struct page *p = linear_print_begin(t);
    (t->words ? page_study_words : page_study)(p, (struct page_flow){0}, study);
    page_blank(p, 1);
    linear_print_page(t, p);
    json_decref(study);
}

void linear_print_certificate(struct talk *t) {
    json_t *says = session_certificate(t->learner);
    struct page *p = linear_print_begin(t);
    page_certificate(p, (struct page_flow){0}, says);
    page_blank(p, 1);
    linear_print_page(t, p);
    json_decref(says);
}

void linear_complain(struct talk *t, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    linear_print_markdown(t, PAGE_BAD, base_message_text(m, text, sizeof text));
}
