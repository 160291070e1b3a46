/* lint_book: the glossary and the questions, which lie next to the lessons. */
#include "command/lint.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 76 };

const json_t *command_lint_book_of(const json_t *said) {
    const json_t *terms = json_object_get(said, "terms");
    return terms ? terms : json_object_get(said, "questions");
}

static void add(struct lint_lesson *l, const char *entry, const char *what) {
    struct base_message m = {0};
    base_fail_at(&m, l->path, 0, "'%.80s': %s", entry, what);
    command_lint_add(l, &m);
}

static bool is_lesson(const struct lesson_course *c, const char *id) {
    size_t i = 0;
    while (i < c->lessons && strcmp(c->lesson[i].id, id) != 0) i++;
    return i < c->lessons;
}

static void check_entry(struct lint_lesson *l, const json_t *entry, const struct lesson_course *c) {
    struct base_message m = {0};
    const char *name = base_json_text(entry, "term", base_json_text(entry, "id", "?"));
    const json_t *figure = json_object_get(entry, "figure");
    struct page *p = page_new(COLUMNS, false);
    if (figure && !page_figure(p, (struct page_flow){0}, figure, &m)) add(l, name, m.what);
    page_free(p);
    if (c && !is_lesson(c, base_json_text(entry, "lesson", "")))
        add(l, name, "its lesson is not in the course");
}

void command_lint_book(struct lint_lesson *l, const json_t *book, const struct lesson_course *c) {
    size_t i;
    const json_t *entry;
    l->book = true;
    l->steps = json_array_size(book);
    json_array_foreach(book, i, entry) check_entry(l, entry, c);
}
