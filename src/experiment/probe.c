/* What the lab's programs say of the devices that are here. */
#include "experiment/inside.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 10000, PIECE = 4096, LOOK = 50, MOST = 1 << 18 };

/* All that it writes until it closes both pipes; what it has not said in time it does not say. */
static void hear(struct experiment_child *c, struct base_text *events, struct base_text *words) {
    char piece[PIECE];
    int64_t until = base_ticks() + PATIENCE;
    while ((c->events >= 0 || c->words >= 0) && base_ticks() < until && events->length < MOST) {
        size_t n = experiment_child_read(&c->events, piece, sizeof piece);
        base_text_add(events, piece, n);
        size_t told = experiment_child_read(&c->words, piece, sizeof piece);
        if (words->length < PIECE) base_text_add(words, piece, told);
        struct pollfd more[] = {{.fd = c->events, .events = POLLIN},
                                {.fd = c->words, .events = POLLIN}};
        if (n + told == 0) poll(more, BASE_COUNT(more), LOOK);
    }
}

json_t *experiment_probe(const char *path, struct base_message *m) {
    char program[] = "--probe", *own = base_dup(path);
    char *argv[] = {own, program, NULL};
    struct base_text events = {0}, words = {0};
    struct experiment_child c;
    json_t *probe = NULL;
    if (experiment_child_start(&c, argv, NULL, m)) {
        hear(&c, &events, &words);
        experiment_child_end(&c);
        if (events.length) probe = json_loadb(events.s, events.length, 0, NULL);
        if (!json_is_array(json_object_get(probe, "devices"))) {
            base_fail(m, "%s --probe says nothing of devices%s%.*s", path, words.length ? ": " : "",
                      words.length ? (int)strcspn(words.s, "\n") : 0, words.length ? words.s : "");
            json_decref(probe);
            probe = NULL;
        }
    }
    base_text_free(&events);
    base_text_free(&words);
    free(own);
    return probe;
}

static json_t *look(const char *name, char *path, struct base_message *m) {
    json_t *probe = path ? experiment_probe(path, m) : NULL,
           *found = json_pack("{ss}", "name", name);
    if (path) json_object_set_new(found, "path", json_string(path));
    if (probe)
        json_object_set(found, "devices", json_object_get(probe, "devices"));
    else
        json_object_set_new(found, "why", json_string(m->what));
    json_decref(probe);
    free(path);
    return found;
}

json_t *experiment_backends(void) {
    struct base_message m = {0};
    json_t *all = json_array();
    json_array_append_new(all, look("zerolab", experiment_find_lab(&m), &m));
    json_array_append_new(all, look("zerolab-cuda", experiment_find_cuda(&m), &m));
    return all;
}
