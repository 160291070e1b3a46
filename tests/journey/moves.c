/* moves: explore, animate, read: figures that follow what the learner does. In linear mode a word,
 * at the full screen a key. */
#include "journey/actor.h"

static bool may_go_on(const struct actor *l) {
    return l->moves == 0 || l->moves < l->way.wrong;
}

/* A play or a listing goes on, one step or to its end. A play is left at its end only. */
static void play(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    const struct lesson_slider *s = &ask->slider[0];
    bool on = l->way.moves && may_go_on(l);
    if (s->position + 1 >= s->count || (!on && !ask->play)) return;
    l->moves++;
    snprintf(out->text, sizeof out->text, "%s", on ? "next" : "last");
    snprintf(out->keys, sizeof out->keys, "%s", on ? "<Right>" : "<End>");
}

/* A slider that did not move, because the engine cannot compute it there, is left. */
static bool is_done_with(const struct actor *l, const struct lesson_slider *s) {
    return l->moves > 0 && (s->position == l->was || s->position + 1 >= s->count || !may_go_on(l));
}

static const char *value_at(const json_t *slider, size_t position) {
    const json_t *value = json_array_get(json_object_get(slider, "values"), position);
    return base_json_text(value, "name", base_json_text(value, "value", ""));
}

/* Each slider in turn goes on, one value or to its end; one that begins at its end goes back. */
static void slide(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    bool next = is_done_with(l, &ask->slider[l->slider]);
    if (next) l->slider++, l->moves = 0;
    if (l->slider >= ask->sliders) return;
    const struct lesson_slider *s = &ask->slider[l->slider];
    const json_t *written = json_array_get(json_object_get(actor_step(l), "sliders"), l->slider);
    bool on = s->position + 1 < s->count;
    l->moves++;
    l->was = s->position;
    snprintf(out->text, sizeof out->text, "%s=%s", base_json_text(written, "field", ""),
             value_at(written, on ? s->position + 1 : s->position - 1));
    snprintf(out->keys, sizeof out->keys, "%s%s", next ? "<Down>" : "", on ? "<Right>" : "<Left>");
}

bool actor_moves(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    if (ask->scenes) play(l, ask, out);
    if (l->way.moves && !ask->scenes && l->slider < ask->sliders) slide(l, ask, out);
    return true;
}
