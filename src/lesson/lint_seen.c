/* lesson_lint_seen.c: which problems were met already. A family draws from lists, so that many seeds give the same one: it is weighed once. */
#include "lesson/lint.h"

#include <stdlib.h>

bool lesson_lint_seen(struct lint_seen *s, const json_t *problem) {
    char *text = json_dumps(problem, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    uint64_t key = base_hash(0, text != NULL ? text : "") | 1; /* 0 is an empty slot */
    free(text);
    size_t at = (size_t)(key % s->capacity);
    while (s->slot[at] != 0 && s->slot[at] != key) at = (at + 1) % s->capacity;
    bool seen = s->slot[at] == key;
    s->slot[at] = key;
    return seen;
}

struct lint_seen lesson_lint_seen_begin(int seeds) {
    size_t capacity = (size_t)seeds * 2 + 1;
    return (struct lint_seen){base_alloc(capacity * sizeof(uint64_t)), capacity};
}

void lesson_lint_seen_end(struct lint_seen *s) {
    free(s->slot);
}
