/* sort.c: a problem answered by sorting things into bins: "1=a 2=b 3=a". */
#include "lesson/handler.h"

#include <string.h>
#include <strings.h>

static const json_t *member(const struct lesson_dialogue *d, const char *list, size_t i) {
    return json_array_get(json_object_get(d->state.attempt.variant, list), i);
}

static size_t count(const struct lesson_dialogue *d, const char *list) {
    return json_array_size(json_object_get(d->state.attempt.variant, list));
}

static const char *bin_name(const struct lesson_dialogue *d, size_t i) {
    return json_string_value(member(d, "bins", i));
}

static size_t bin_of(const struct lesson_dialogue *d, size_t item) {
    return (size_t)base_json_int(member(d, "items", item), "bin", 1) - 1;
}

static void pose(struct lesson_dialogue *d) {
    lesson_problem_ask(d, LESSON_SORT, base_dup("Put each into its bin."));
    const char **option = lesson_ask_options(d, count(d, "items"));
    const char **bin = lesson_ask_bins(d, count(d, "bins"));
    for (size_t i = 0; i < count(d, "items"); i++)
        option[i] = lesson_ask_text(d, base_json_text(member(d, "items", i), "text", ""));
    for (size_t i = 0; i < count(d, "bins"); i++) bin[i] = lesson_ask_text(d, bin_name(d, i));
    lesson_ask_pose(d);
}

/* A bin by letter, number or name. */
static bool read_bin(const struct lesson_dialogue *d, const char *word, size_t *out) {
    for (size_t i = 0; i < count(d, "bins"); i++) {
        if (strcasecmp(bin_name(d, i), word) != 0) continue;
        *out = i;
        return true;
    }
    return lesson_pick_one(word, count(d, "bins"), out);
}

/* "1=a" puts 1 into a; a bare "a" puts the next one into a. */
static bool read_pair(const struct lesson_dialogue *d, char *word, size_t next, size_t *item,
                      size_t *bin) {
    char *equals = strpbrk(word, "=:");
    *item = next;
    if (equals == NULL) return next < count(d, "items") && read_bin(d, word, bin);
    *equals = '\0';
    bool ok = lesson_pick_one(word, count(d, "items"), item) && read_bin(d, equals + 1, bin);
    *equals = '=';
    return ok;
}

/* "1 = a" is "1=a". */
static void close_up(char *text) {
    char *out = text;
    for (char *s = text; *s != '\0'; s++) {
        bool before = out > text && (out[-1] == '=' || out[-1] == ':');
        size_t blanks = strspn(s, " \t");
        bool after = blanks > 0 && s[blanks] != '\0' && strchr("=:", s[blanks]) != NULL;
        if (blanks == 0 || (!before && !after)) *out++ = *s;
    }
    *out = '\0';
}

enum { NOWHERE = OPTIONS_MOST };

/* Fills the bin of each item; what is wrong with the text, or NULL. */
static char *misread(struct lesson_dialogue *d, char *text, size_t *put) {
    char word[64];
    size_t n = count(d, "items"), next = 0, item, bin;
    for (size_t i = 0; i < OPTIONS_MOST; i++) put[i] = NOWHERE;
    close_up(text);
    for (const char *s = text; lesson_pick_word(&s, word, sizeof word); next++) {
        if (!read_pair(d, word, next, &item, &bin))
            return base_format("'%s' could not be read. For each line from 1 to %zu, write its "
                               "number and the letter of its bin, such as `1=a 2=b`.",
                               lesson_show_typed(d, word), n);
        if (put[item] != NOWHERE)
            return base_format("%zu appears twice, but each goes into one bin.", item + 1);
        put[item] = bin;
    }
    for (size_t i = 0; i < n; i++)
        if (put[i] == NOWHERE)
            return base_format("%zu has no bin yet. Each of 1 to %zu needs one.", i + 1, n);
    return NULL;
}

static void add_item(struct base_text *t, const struct lesson_dialogue *d, size_t i) {
    base_text_printf(t, "- %s: **%s**. %s\n", base_json_text(member(d, "items", i), "text", ""),
                     bin_name(d, bin_of(d, i)),
                     base_json_text(member(d, "items", i), "because", ""));
}

static void answer(struct lesson_dialogue *d, const char *text) {
    size_t put[OPTIONS_MOST], n = count(d, "items"), right = 0;
    char *copy = lesson_keep_text(&d->events, text);
    char *bad = misread(d, copy, put);
    if (bad != NULL) {
        lesson_problem_unreadable(d, "", text, bad);
        return;
    }
    for (size_t i = 0; i < n; i++) right += put[i] == bin_of(d, i);
    struct base_text t = {0};
    if (right == n)
        base_text_printf(&t, "Right: all %zu in their bins.", n);
    else
        base_text_printf(&t, "%zu of %zu in their bins. Misplaced:\n\n", right, n);
    for (size_t i = 0; i < n; i++)
        if (put[i] != bin_of(d, i)) add_item(&t, d, i);
    lesson_problem_verdict(
        d, (struct record){"", text, right == n ? VERDICT_RIGHT : VERDICT_WRONG, "", (double)right},
        base_text_take(&t));
}

static char *last_hint(struct lesson_dialogue *d) {
    struct base_text t = {0};
    add_item(&t, d, 0);
    return base_text_take(&t);
}

static char *working(struct lesson_dialogue *d) {
    struct base_text t = {0};
    for (size_t i = 0; i < count(d, "items"); i++) add_item(&t, d, i);
    return base_text_take(&t);
}

const struct form_ops lesson_form_sort = {.name = "sort",
                                          .again = "The same idea again:",
                                          .pose = pose,
                                          .answer = answer,
                                          .last_hint = last_hint,
                                          .working = working};
