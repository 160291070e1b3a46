/* class reports: what learners find wrong with questions, as it was collected. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

static int by_time(const void *a, const void *b) {
    const json_t *const *x = a, *const *y = b;
    int64_t i = base_json_int(*x, "time", 0), k = base_json_int(*y, "time", 0);
    return (i > k) - (i < k);
}

static void sort(json_t *list) {
    size_t n = json_array_size(list);
    json_t **one = base_alloc((n + 1) * sizeof *one);
    for (size_t i = 0; i < n; i++) one[i] = json_incref(json_array_get(list, i));
    qsort(one, n, sizeof *one, by_time);
    for (size_t i = 0; i < n; i++) json_array_set_new(list, i, one[i]);
    free(one);
}

/* Of all learners, oldest first; the caller's. */
static json_t *read_all(const struct classroom_folder *f, const struct classroom_settings *s,
                        const json_t *collected) {
    json_t *out = json_array(), *known;
    const char *hex;
    json_object_foreach((json_t *)collected, hex, known) {
        struct classroom_reports r;
        classroom_reports_read(f, CLASSROOM_KEPT, hex, s, &r, NULL);
        for (size_t i = 0; i < r.count; i++) {
            json_t *one = classroom_report_json(&r.report[i]);
            json_object_set_new(one, "account", json_string(r.account));
            json_array_append_new(out, one);
        }
        classroom_reports_free(&r);
    }
    sort(out);
    return out;
}

/* The beginning of the question, which says enough to find it; the caller's. */
static char *beginning(const char *statement) {
    enum { SHOWN = 150 };
    size_t n = strlen(statement), fits = n <= SHOWN ? n : SHOWN;
    while (fits < n && fits > 0 && statement[fits] != ' ') fits--;
    return base_format("%.*s%s", (int)fits, statement, fits < n ? " …" : "");
}

static void put(struct page *p, const json_t *r) {
    struct page_flow head = {.indent = 1, .width = page_width(p) - 2, .role = PAGE_TITLE},
                     body = {.indent = 3, .width = page_width(p) - 4},
                     small = {.indent = 3, .width = page_width(p) - 4, .role = PAGE_DIM};
    char *when = classroom_when_text(base_json_int(r, "time", 0)),
         *title = base_format("%s  %s, %s", base_json_text(r, "item", ""),
                              base_json_text(r, "account", ""), when),
         *from = base_format("revision %lld, seed %s, zerotutor %s",
                             (long long)base_json_int(r, "revision", 0),
                             base_json_text(r, "seed", "0"), base_json_text(r, "program", "?"));
    const char *typed = base_json_text(r, "typed", ""), *verdict = base_json_text(r, "verdict", "");
    char *answer =
        *typed ? base_format("answered: %s%s%s", typed, *verdict ? ", which is " : "", verdict)
               : NULL;
    char *asked = beginning(base_json_text(r, "statement", ""));
    page_text(p, head, title);
    page_text(p, body, base_json_text(r, "wrong", ""));
    page_text(p, small, asked);
    if (answer) page_text(p, small, answer);
    page_text(p, small, from);
    page_blank(p, 1);
    free(asked);
    free(answer);
    free(from);
    free(title);
    free(when);
}

static void print(const struct arguments *a, const json_t *all) {
    const json_t *one;
    size_t i;
    if (!json_array_size(all)) {
        char *folder = classroom_quoted(a->operand[1]);
        printf("No report was collected. `zerotutor class collect %s` takes new ones.\n", folder);
        free(folder);
        return;
    }
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    json_array_foreach(all, i, one) put(p, one);
    command_terminal_print(p);
}

int command_class_reports(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    json_t *collected = classroom_collected(f, &m),
           *all = collected ? read_all(f, &s, collected) : NULL;
    json_decref(collected);
    classroom_close(f);
    if (!all) return command_say_message(&m);
    if (command_arguments_has(a, "json")) return command_say_json(all);
    print(a, all);
    json_decref(all);
    return COMMAND_WELL;
}
