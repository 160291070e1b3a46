/* show.c: the event queue. */
#include "study/dialogue.h"

#include <string.h>

const char *stop_after(const char *words) {
    size_t n = strlen(words);
    return n == 0 || strchr(".?!", words[n - 1]) != NULL ? "" : ".";
}

char *literally(const char *words) {
    struct base_text t = {0};
    for (; *words != '\0'; words++)
        base_text_printf(&t, "%s%c", strchr("\\`*_[]<>&~|#+-", *words) != NULL ? "\\" : "", *words);
    return t.s != NULL ? base_text_take(&t) : base_dup("");
}

const char *show_literally(struct study_dialogue *d, const char *words) {
    return keep_owned(&d->events, literally(words));
}

struct study_event *show_event(struct study_dialogue *d, enum study_event_kind kind) {
    if (d->queued == d->room) {
        d->room = d->room > 0 ? 2 * d->room : 16;
        d->queue = base_grow(d->queue, d->room, sizeof *d->queue);
    }
    struct study_event *e = &d->queue[d->queued++];
    const struct lesson_step *s = &d->lesson->step[d->at];
    *e = (struct study_event){.kind = kind, .step_kind = s->kind};
    e->item = keep_text(&d->events, s->item);
    e->step = keep_text(&d->events, s->id);
    e->title = keep_text(&d->events, base_json_text(s->json, "title", ""));
    return e;
}

void show_owned(struct study_dialogue *d, enum study_tone tone, char *text) {
    struct study_event *e = show_event(d, STUDY_SHOW);
    e->tone = tone;
    e->text = keep_owned(&d->events, text);
}

void show(struct study_dialogue *d, enum study_tone tone, const char *text) {
    if (text != NULL) show_owned(d, tone, base_dup(text));
}

/* The figure is kept alive by a reference of its own, so that a reload does not pull it away. */
void show_figure(struct study_dialogue *d, enum study_tone tone, const char *text,
                 const json_t *figure) {
    if (text == NULL && figure == NULL) return;
    struct study_event *e = show_event(d, STUDY_SHOW);
    e->tone = tone;
    e->text = keep_text(&d->events, text);
    e->figure = keep_json(&d->events, json_incref((json_t *)figure));
}

void show_trouble(struct study_dialogue *d, const char *before, const struct base_message *m) {
    char where[700];
    struct study_event *e = show_event(d, STUDY_TROUBLE);
    e->tone = STUDY_BAD;
    e->text = keep_owned(&d->events,
                         base_format("%s%s", before, base_message_text(m, where, sizeof where)));
}

void show_hint(struct study_dialogue *d, int level, char *text) {
    struct study_event *e = show_event(d, STUDY_HINT);
    e->tone = STUDY_HINT_TONE;
    e->level = level;
    e->text = keep_owned(&d->events, text);
}

struct study_event *show_verdict(struct study_dialogue *d, const char *verdict, char *text) {
    struct study_event *e = show_event(d, STUDY_VERDICT);
    e->verdict = keep_text(&d->events, verdict);
    e->right = verdict_right(verdict);
    e->tone = e->right ? STUDY_GOOD : verdict_graded(verdict) ? STUDY_BAD : STUDY_QUIET;
    e->text = keep_owned(&d->events, text);
    return e;
}

struct study_event *show_end(struct study_dialogue *d, char *text) {
    struct study_event *e = show_event(d, STUDY_END);
    e->text = keep_owned(&d->events, text);
    keep_move(&d->events, &d->asking);
    d->ask = NULL;
    d->over = true;
    return e;
}
