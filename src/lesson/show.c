/* show.c: the event queue. */
#include "lesson/dialogue.h"

#include <string.h>

const char *lesson_stop_after(const char *words) {
    size_t n = strlen(words);
    return n == 0 || strchr(".?!", words[n - 1]) != NULL ? "" : ".";
}

char *lesson_literally(const char *words) {
    struct base_text t = {0};
    for (; *words != '\0'; words++)
        base_text_printf(&t, "%s%c", strchr("\\`*_[]<>&~|#+-", *words) != NULL ? "\\" : "", *words);
    return t.s != NULL ? base_text_take(&t) : base_dup("");
}

const char *lesson_show_literally(struct lesson_dialogue *d, const char *words) {
    return lesson_keep_owned(&d->events, lesson_literally(words));
}

struct lesson_event *lesson_show_event(struct lesson_dialogue *d, enum lesson_event_kind kind) {
    if (d->queued == d->capacity) {
        d->capacity = d->capacity > 0 ? 2 * d->capacity : 16;
        d->queue = base_grow(d->queue, d->capacity, sizeof *d->queue);
    }
    struct lesson_event *e = &d->queue[d->queued++];
    const struct lesson_step *s = &d->lesson->step[d->at];
    *e = (struct lesson_event){.kind = kind, .step_kind = s->kind};
    e->item = lesson_keep_text(&d->events, s->item);
    e->step = lesson_keep_text(&d->events, s->id);
    e->title = lesson_keep_text(&d->events, base_json_text(s->json, "title", ""));
    return e;
}

void lesson_show_owned(struct lesson_dialogue *d, enum lesson_tone tone, char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
    e->tone = tone;
    e->text = lesson_keep_owned(&d->events, text);
}

void lesson_show(struct lesson_dialogue *d, enum lesson_tone tone, const char *text) {
    if (text != NULL) lesson_show_owned(d, tone, base_dup(text));
}

/* The figure is kept alive by a reference of its own, so that a reload does not pull it away. */
void lesson_show_figure(struct lesson_dialogue *d, enum lesson_tone tone, const char *text,
                        const json_t *figure) {
    if (text == NULL && figure == NULL) return;
    struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
    e->tone = tone;
    e->text = lesson_keep_text(&d->events, text);
    e->figure = lesson_keep_json(&d->events, json_incref((json_t *)figure));
}

void lesson_show_trouble(struct lesson_dialogue *d, const char *before,
                         const struct base_message *m) {
    char where[700];
    struct lesson_event *e = lesson_show_event(d, LESSON_TROUBLE);
    e->tone = LESSON_BAD;
    e->text = lesson_keep_owned(
        &d->events, base_format("%s%s", before, base_message_text(m, where, sizeof where)));
}

void lesson_show_hint(struct lesson_dialogue *d, int level, char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_HINT);
    e->tone = LESSON_HINT_TONE;
    e->level = level;
    e->text = lesson_keep_owned(&d->events, text);
}

struct lesson_event *lesson_show_verdict(struct lesson_dialogue *d, const char *verdict,
                                         char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_VERDICT);
    e->verdict = lesson_keep_text(&d->events, verdict);
    e->right = lesson_verdict_right(verdict);
    e->tone = e->right ? LESSON_GOOD : lesson_verdict_graded(verdict) ? LESSON_BAD : LESSON_QUIET;
    e->text = lesson_keep_owned(&d->events, text);
    return e;
}

struct lesson_event *lesson_show_end(struct lesson_dialogue *d, char *text) {
    struct lesson_event *e = lesson_show_event(d, LESSON_END);
    e->text = lesson_keep_owned(&d->events, text);
    lesson_keep_move(&d->events, &d->asking);
    d->ask = NULL;
    d->over = true;
    return e;
}
