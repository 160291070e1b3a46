/* actor: what is said to a question that is picked, put in order, sorted or told. Worked out from
 * the variant itself. */
#include "journey/actor.h"

#include <string.h>

void actor_begins(struct actor *l) {
    l->made = l->next = 0;
    l->try = 0;
    l->wrong_line = ACCOUNT_LINES;
    l->slider = l->moves = l->was = 0;
}

const json_t *actor_step(const struct actor *l) {
    return lesson_step(l->lesson, l->step);
}

json_t *actor_variant(const struct actor *l, const struct lesson_ask *ask) {
    uint64_t seed;
    struct lesson_source source = script_source(l->script);
    const char *id = lesson_id(l->lesson);
    if (strncmp(l->item, id, strlen(id)) != 0) /* of a check, each of whose tries is drawn once */
        return lesson_variant(l->lesson, l->step, source, lesson_seed(l->seed, l->item, ask->try),
                              NULL);
    return lesson_try(l->lesson, l->step, source, l->seed, ask->try, &seed, NULL);
}

/* Answered wrongly as often as is wanted, and as there are ways to. */
static bool errs(struct actor *l, const struct lesson_ask *ask, size_t ways) {
    if (!ask->graded || l->made >= l->way.wrong || l->made >= ways) return false;
    l->made++;
    return true;
}

static size_t right_choice(const json_t *choices) {
    size_t i = 0;
    while (i < json_array_size(choices) &&
           !json_is_true(json_object_get(json_array_get(choices, i), "right")))
        i++;
    return i + 1;
}

/* Each takes another of the wrong ones; `nth` counts from 1. */
static size_t wrong_choice(size_t right, size_t options, size_t nth) {
    return (right - 1 + nth) % options + 1;
}

static bool say_choice(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    enum lesson_step_kind kind = lesson_step_kind(l->lesson, l->step);
    size_t right = 1; /* of a guess, which is not graded */
    out->right = true;
    if (kind == LESSON_MYTH) right = json_is_true(json_object_get(actor_step(l), "truth")) ? 1 : 2;
    if (kind == LESSON_PROBLEM) {
        json_t *variant = actor_variant(l, ask);
        right = right_choice(json_object_get(variant, "choices"));
        json_decref(variant);
    }
    out->right = !errs(l, ask, ask->options - 1);
    size_t pick = out->right ? right : wrong_choice(right, ask->options, l->made);
    snprintf(out->text, sizeof out->text, "%zu", pick);
    return right <= ask->options;
}

static bool say_bins(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    json_t *variant = actor_variant(l, ask), *item;
    size_t i, used = 0;
    out->right = !errs(l, ask, ask->options);
    json_array_foreach(json_object_get(variant, "items"), i, item) {
        int bin = (int)base_json_int(item, "bin", 1) - 1;
        if (!out->right && i + 1 == l->made) bin = (bin + 1) % (int)ask->bins;
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, "%s%zu=%c",
                                 i ? " " : "", i + 1, 'a' + bin);
    }
    json_decref(variant);
    return used > 0 && used < sizeof out->text;
}

static size_t place_of(const struct lesson_ask *ask, const char *item) {
    size_t i = 0;
    while (i < ask->options && strcmp(ask->option[i], item) != 0) i++;
    return i + 1;
}

static bool say_order(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    json_t *variant = actor_variant(l, ask);
    const json_t *items = json_object_get(variant, "items");
    size_t used = 0, count = json_array_size(items);
    out->right = !errs(l, ask, 1);
    for (size_t place = 0; place < count; place++) {
        const json_t *item = json_array_get(items, out->right ? place : count - 1 - place);
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, "%s%zu",
                                 place ? " " : "", place_of(ask, json_string_value(item)));
    }
    json_decref(variant);
    return used > 0 && used < sizeof out->text;
}

static bool say(struct rehearsed *out, const char *text) {
    out->right = true;
    snprintf(out->text, sizeof out->text, "%s", text);
    return true;
}

/* What a lab asks for before it runs, which is noted and never graded. */
static bool is_amount(const struct actor *l, const struct lesson_ask *ask) {
    return lesson_step_kind(l->lesson, l->step) == LESSON_LAB &&
           strncmp(ask->prompt, "your answer", strlen("your answer")) != 0;
}

bool actor_says(struct actor *l, const struct lesson_ask *ask, struct rehearsed *out) {
    bool told = ask->form == LESSON_NUMBER && lesson_step_kind(l->lesson, l->step) == LESSON_MEMO;
    if (told) return true; /* what is asked about a memo that passed is not graded */
    switch (ask->form) {
    case LESSON_RUN: return say(out, "run");
    case LESSON_NUMBER: return is_amount(l, ask) ? say(out, "2") : actor_says_number(l, ask, out);
    case LESSON_LINE: return actor_says_line(l, ask, out);
    case LESSON_CHOICE: return say_choice(l, ask, out);
    case LESSON_SORT: return say_bins(l, ask, out);
    case LESSON_ORDER: return say_order(l, ask, out);
    case LESSON_SLIDERS: return actor_moves(l, ask, out);
    case LESSON_TICKS: return say(out, "1 2");
    case LESSON_TEXT: return say(out, "sixteen bytes a parameter");
    case LESSON_WRITE: /* to write one is a journey of its own */
        if (l->way.memo && l->made++ == 0) return say(out, "check");
        snprintf(out->keys, sizeof out->keys, "<F5>");
        return true;
    default: return true;
    }
}
