/* keep.c: things that live until a moment, freed together. */
#include "lesson/dialogue.h"

#include <stdlib.h>

struct kept {
    struct kept *next;
    void *memory;
    json_t *json;
};

static void add(struct keep *k, void *memory, json_t *json) {
    struct kept *one = base_alloc(sizeof *one);
    *one = (struct kept){k->first, memory, json};
    k->first = one;
}

void *lesson_keep_alloc(struct keep *k, size_t size) {
    void *memory = base_alloc(size);
    add(k, memory, NULL);
    return memory;
}

char *lesson_keep_owned(struct keep *k, char *owned) {
    if (owned != NULL) add(k, owned, NULL);
    return owned;
}

char *lesson_keep_text(struct keep *k, const char *s) {
    return s != NULL ? lesson_keep_owned(k, base_dup(s)) : NULL;
}

json_t *lesson_keep_json(struct keep *k, json_t *owned) {
    if (owned != NULL) add(k, NULL, owned);
    return owned;
}

void lesson_keep_move(struct keep *to, struct keep *from) {
    struct kept **end = &from->first;
    while (*end != NULL) end = &(*end)->next;
    *end = to->first;
    to->first = from->first;
    from->first = NULL;
}

void lesson_keep_free(struct keep *k) {
    while (k->first != NULL) {
        struct kept *one = k->first;
        k->first = one->next;
        free(one->memory);
        json_decref(one->json);
        free(one);
    }
}
