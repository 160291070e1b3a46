/* together: an account with several hand-ins, from two machines or after it lost its record, is one
 * learner of the class. Of an item that is in more than one the settings choose, as among tries. */
#include "session/grade.h"

#include <string.h>

const char *session_grades_handin(const json_t *learner, size_t i) {
    if (i == 0) return base_json_text(learner, "handin", NULL);
    return json_string_value(json_array_get(json_object_get(learner, "others"), i - 1));
}

static bool counts_before(const struct classroom_settings *s, const json_t *a, const json_t *b) {
    int64_t at = base_json_int(a, "time", 0), other = base_json_int(b, "time", 0);
    double points = base_json_number(a, "points", 0), others = base_json_number(b, "points", 0);
    if (s->counts == CLASSROOM_LAST) return at >= other;
    if (s->counts == CLASSROOM_BEST && points != others) return points > others;
    return at <= other;
}

/* Its place; their number if it is not among them. */
static size_t find_item(const json_t *items, const char *id) {
    size_t i = 0;
    while (i < json_array_size(items) &&
           strcmp(base_json_text(json_array_get(items, i), "item", ""), id) != 0)
        i++;
    return i;
}

static void add_numbers(json_t *to, const json_t *a, const json_t *b, const char *member) {
    json_int_t sum = base_json_int(a, member, 0) + base_json_int(b, member, 0);
    json_object_set_new(to, member, json_integer(sum));
}

static void add_item(const struct classroom_settings *s, json_t *items, const json_t *item) {
    size_t at = find_item(items, base_json_text(item, "item", ""));
    const json_t *was = json_array_get(items, at);
    json_t *one = json_copy((json_t *)(was && counts_before(s, was, item) ? was : item));
    if (!was) {
        json_array_append_new(items, one);
        return;
    }
    add_numbers(one, was, item, "tries");
    add_numbers(one, was, item, "missing");
    json_array_set_new(items, at, one);
}

static void add_items(const struct classroom_settings *s, json_t *to, const json_t *from) {
    json_t *items = json_object_get(to, "items"), *more = json_object_get(from, "items"), *one;
    size_t i;
    if (!items && more) json_object_set(to, "items", more);
    if (items) json_array_foreach(more, i, one) add_item(s, items, one);
}

/* Only those that were judged: a copy of another learner's file is named in the list. */
static void add_handin(json_t *to, const json_t *from) {
    json_t *hex = json_object_get(from, "handin"), *others = json_object_get(to, "others");
    if (!json_object_get(from, "items")) return;
    if (!json_object_get(to, "items")) {
        json_object_set(to, "handin", hex);
        return;
    }
    if (!others) json_object_set_new(to, "others", others = json_array());
    json_array_append(others, hex);
}

/* Takes all that `from` says into `to`. */
static void join(const struct classroom_settings *s, json_t *to, const json_t *from) {
    int64_t last = base_json_int(from, "last", 0);
    add_handin(to, from);
    json_array_extend(json_object_get(to, "listed"), json_object_get(from, "listed"));
    add_items(s, to, from);
    add_numbers(to, to, from, "answers");
    if (last > base_json_int(to, "last", 0)) json_object_set_new(to, "last", json_integer(last));
    if (!json_object_get(to, "with") && json_object_get(from, "with"))
        json_object_set(to, "with", json_object_get(from, "with"));
}

json_t *session_together(const struct classroom_settings *s, const json_t *learners) {
    json_t *out = json_array(), *one;
    size_t i;
    json_array_foreach(learners, i, one) {
        json_t *before = json_array_get(out, json_array_size(out) - 1);
        const char *account = base_json_text(one, "account", "");
        if (*account && strcmp(account, base_json_text(before, "account", "")) == 0)
            join(s, before, one);
        else
            json_array_append(out, one);
    }
    return out;
}
