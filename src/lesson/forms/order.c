/* order.c: a problem answered by putting things in order. The variant lists them rightly; they are
 * shuffled here. */
#include "lesson/handler.h"

static const json_t *items(const struct lesson_dialogue *d) {
    return json_object_get(d->state.attempt.variant, "items");
}

static size_t count(const struct lesson_dialogue *d) {
    return json_array_size(items(d));
}

static const char *item(const struct lesson_dialogue *d, size_t i) {
    return json_string_value(json_array_get(items(d), i));
}

/* Never the right order itself: that would be no question. */
static void ready(struct lesson_dialogue *d, const struct past *past) {
    (void)past;
    size_t *place = d->state.place, n = count(d);
    uint64_t state = d->state.attempt.seed;
    bool sorted = true;
    for (size_t i = 0; i < n; i++) place[i] = i;
    for (size_t left = n; left > 1; left--) {
        size_t k = (size_t)(base_random(&state) % left), was = place[left - 1];
        place[left - 1] = place[k];
        place[k] = was;
    }
    for (size_t i = 0; i < n; i++) sorted = sorted && place[i] == i;
    for (size_t i = 0; sorted && i < n; i++) place[i] = (i + 1) % n;
}

static void pose(struct lesson_dialogue *d) {
    lesson_problem_ask(d, LESSON_ORDER, base_dup("Put them in the right order."));
    const char **option = lesson_ask_options(d, count(d));
    for (size_t i = 0; i < count(d); i++)
        option[i] = lesson_ask_text(d, item(d, d->state.place[i]));
    lesson_ask_pose(d);
}

/* What is wrong with the list as a list, or NULL. */
static char *misread(struct lesson_dialogue *d, const char *text, size_t *out) {
    size_t n = count(d);
    size_t got;
    char bad[32];
    bool seen[OPTIONS_MOST] = {false};
    if (!lesson_pick_many(text, n, out, n, &got, bad))
        return base_format("'%s' does not belong there. Type each number from 1 to %zu once, first "
                           "to last, such as 3 1 2.",
                           lesson_show_typed(d, bad), n);
    for (size_t i = 0; i < got; i++) {
        if (seen[out[i]])
            return base_format("%zu appears twice. Type each number from 1 to %zu once.",
                               out[i] + 1, n);
        seen[out[i]] = true;
    }
    if (got == n) return NULL;
    return base_format("That is %zu of %zu. Type each number from 1 to %zu once, first to last.",
                       got, n, n);
}

/* The learner's order next to the right one. */
static void add_both(struct base_text *t, const struct lesson_dialogue *d, const size_t *out) {
    base_text_puts(t, "| | yours | right |\n|--:|:--|:--|\n");
    for (size_t i = 0; i < count(d); i++)
        base_text_printf(t, "| %zu | %s | %s |\n", i + 1, item(d, d->state.place[out[i]]),
                         item(d, i));
}

static void add_list(struct base_text *t, const struct lesson_dialogue *d) {
    for (size_t i = 0; i < count(d); i++) base_text_printf(t, "%zu. %s\n", i + 1, item(d, i));
}

static void add_because(struct base_text *t, const struct lesson_dialogue *d) {
    base_text_printf(t, "\n%s", base_json_text(d->state.attempt.variant, "because", ""));
}

static char *words(const struct lesson_dialogue *d, const size_t *out, bool *right) {
    struct base_text t = {0};
    size_t i = 0;
    while (i < count(d) && d->state.place[out[i]] == i) i++;
    *right = i == count(d);
    if (*right) {
        base_text_puts(&t, "Right.\n\n");
        add_list(&t, d);
    } else {
        base_text_printf(&t, "Place %zu is the first wrong one.\n\n", i + 1);
        add_both(&t, d, out);
    }
    add_because(&t, d);
    return base_text_take(&t);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    size_t out[OPTIONS_MOST] = {0};
    char *bad = misread(d, text, out);
    if (bad != NULL) {
        lesson_problem_unreadable(d, "", text, bad);
        return;
    }
    bool right;
    char *said = words(d, out, &right);
    lesson_problem_verdict(
        d, (struct record){"", text, right ? VERDICT_RIGHT : VERDICT_WRONG, "", 0}, said);
}

static char *last_hint(struct lesson_dialogue *d) {
    return base_format("It begins with: %s", item(d, 0));
}

static char *working(struct lesson_dialogue *d) {
    struct base_text t = {0};
    add_list(&t, d);
    add_because(&t, d);
    return base_text_take(&t);
}

const struct form_ops lesson_form_order = {.name = "order",
                                           .again = "The same idea again:",
                                           .ready = ready,
                                           .pose = pose,
                                           .answer = answer,
                                           .last_hint = last_hint,
                                           .working = working};
