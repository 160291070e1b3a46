/* queue.c: chosen steps of several lessons as a lesson: problems, myths and explanations as they
 * were written, and each card as a separate step. */
#include "lesson/parsed.h"

#include <stdlib.h>
#include <string.h>

const json_t *lesson_card(const struct lesson *l, const char *id, size_t *step) {
    for (*step = 0; *step < l->count; ++*step) {
        size_t i;
        const json_t *card;
        json_array_foreach(json_object_get(l->step[*step].json, "cards"), i, card) {
            if (strcmp(base_json_text(card, "id", ""), id) == 0) return card;
        }
    }
    return NULL;
}

static json_t *card_step(const struct lesson *l, size_t step, const json_t *card, const char *id) {
    json_t *of = json_pack("{ss ss ss si}", "id", l->id, "title", lesson_title(l), "file",
                           base_share_below(l->name), "revision", lesson_revision(l, step));
    return json_pack("{ss ss ss ss so}", "kind", "card", "id", id, "front",
                     base_json_text(card, "front", ""), "back", base_json_text(card, "back", ""),
                     "of", of);
}

static void add(struct lesson *to, const struct lesson *l, size_t nth, const char *id) {
    size_t i = lesson_find(l, id), in;
    const json_t *card = i == l->count ? lesson_card(l, id, &in) : NULL;
    char *own = base_format("%s/%s", l->id, id);
    if (card)
        lesson_mix_add(to, LESSON_CARD, card_step(l, in, card, own), base_dup(own));
    else if (i < l->count && (lesson_graded(l, i) || l->step[i].kind == LESSON_SAY_ALOUD))
        lesson_mix_add(to, l->step[i].kind, lesson_mix_step(l, i, nth, own), base_dup(own));
    free(own);
}

/* A problem of no lesson. */
static void add_own(struct lesson *to, const struct lesson_queued *q) {
    json_t *step = json_copy((json_t *)q->own);
    json_object_set_new(step, "vary", json_pack("{si}", "fn", lesson_mix_own(q->lesson)));
    lesson_mix_add(to, LESSON_PROBLEM, step, base_dup(q->id));
}

struct lesson *lesson_queue(const struct lesson_queue_head *head,
                            const struct lesson *const *lesson, const struct lesson_queued *queued,
                            size_t count, struct base_message *m) {
    struct lesson *l = lesson_mix_new(head->kind, head->id, head->title, count + 1);
    l->fresh = head->fresh;
    for (size_t i = 0; i < count; i++)
        if (queued[i].own)
            add_own(l, &queued[i]);
        else
            add(l, lesson[queued[i].lesson], queued[i].lesson, queued[i].id);
    if (l->count == 0) {
        base_fail(m, "%s", head->none);
        lesson_free(l);
        return NULL;
    }
    lesson_mix_add(l, LESSON_RECAP,
                   json_pack("{ss ss ss s:s*}", "kind", "recap", "id", "result", "title",
                             "How it went", "counts", head->counts),
                   base_format("%s/result", head->id));
    return l;
}

struct lesson *lesson_case(const struct lesson *cases, size_t step, char *item) {
    struct lesson *l = lesson_mix_new(LESSON_CASE, "case", "Case of the week", 1);
    lesson_mix_add(l, cases->step[step].kind, json_copy((json_t *)cases->step[step].json), item);
    return l;
}

struct lesson *lesson_page(const char *id, const char *title, const char *markdown) {
    struct lesson *l = lesson_mix_new(LESSON_SINGLE, id, title, 1);
    json_t *step =
        json_pack("{ss ss ss ss}", "kind", "say", "id", "page", "title", title, "text", markdown);
    lesson_mix_add(l, LESSON_SAY, step, base_format("%s/page", id));
    return l;
}

struct lesson *lesson_single(const char *id, json_t *json, struct base_message *m) {
    struct lesson *l = lesson_mix_new(LESSON_SINGLE, id, base_json_text(json, "title", ""), 1);
    enum lesson_step_kind kind = LESSON_SAY;
    while (kind < LESSON_STEP_KINDS &&
           strcmp(lesson_step_kind_name(kind), base_json_text(json, "kind", "")) != 0)
        kind++;
    lesson_mix_add(l, kind, json, base_format("%s/%s", id, base_json_text(json, "id", "")));
    if (kind < LESSON_STEP_KINDS && lesson_check_step(l, 0, m)) return l;
    lesson_free(l);
    return NULL;
}
