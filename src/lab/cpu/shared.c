/* The two ways to open an exchange: shm, whose ranks are processes that inherited everything from
 * the launcher, and local, whose ranks are threads of one process. */
#include "lab/cpu/exchange.h"
#include "lab/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ── shm ── */

static void release_shm(struct lab_exchange *e) {
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++)
        if (e->base[r] && r != e->comm.rank) munmap(e->base[r], e->arena.size);
    lab_arena_close(&e->arena);
    if (e->control) munmap(e->control, sizeof *e->control);
}
/* The mapping stays when the file is closed; the rank's own stays open, to ask for pages and to see
 * how many it holds. */
static bool map_arena(struct lab_exchange *e, uint32_t r, struct lab_message *m) {
    int file = lab_inherited(LAB_ENV_MEMORY, 1 + r);
    if (!(e->base[r] = lab_arena_map(file, &e->arena.size, m))) return false;
    if (r == e->comm.rank)
        e->arena.file = file, e->arena.base = e->base[r];
    else
        close(file);
    return true;
}
static bool inherit(struct lab_exchange *e, struct lab_message *m) {
    size_t bytes;
    e->comm.rank = lab_launch_rank();
    e->control = lab_arena_map(lab_inherited(LAB_ENV_MEMORY, 0), &bytes, m);
    bool mapped = e->control && bytes >= sizeof *e->control && e->comm.rank < e->control->ranks;
    for (uint32_t r = 0; mapped && r < e->control->ranks; r++) mapped = map_arena(e, r, m);
    return mapped;
}

struct lab_comm *lab_shm_open(const struct lab_options *o, struct lab_message *m) {
    struct lab_exchange *e = calloc(1, sizeof *e);
    snprintf(m->text, sizeof m->text,
             "comm shm: this process was not started by a launcher, or memory is short");
    if (!e) return NULL;
    e->arena.file = -1;
    e->release = release_shm;
    if (inherit(e, m) && lab_exchange_open(e, &lab_shm_row, o, e->comm.rank, m)) {
        m->text[0] = '\0';
        return &e->comm;
    }
    release_shm(e);
    free(e);
    return NULL;
}

/* ── local ── */

struct lab_local {
    struct lab_options options;
    /* the launcher's, where there is one: it watches the ranks' signs of life */
    struct lab_control *control;
    size_t size;
    int file[LAB_RANKS_MAX];
    char *base[LAB_RANKS_MAX];
};

static bool make_arenas(struct lab_local *s, struct lab_message *m) {
    size_t size = lab_arena_size(s->options.ranks);
    for (uint32_t r = 0; r < s->options.ranks; r++) {
        if ((s->file[r] = lab_arena_file(size, m)) < 0) return false;
        if (!(s->base[r] = lab_arena_map(s->file[r], &s->size, m))) return false;
    }
    return true;
}
struct lab_local *lab_local_new(const struct lab_options *o, struct lab_message *m) {
    struct lab_local *s = calloc(1, sizeof *s);
    snprintf(m->text, sizeof m->text, "comm local: memory is short, or too many ranks (%u)",
             o->ranks);
    if (!s || o->ranks > LAB_RANKS_MAX) {
        free(s);
        return NULL;
    }
    s->options = *o;
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++) s->file[r] = -1;
    if ((s->control = lab_control_open(o->ranks, m)) && make_arenas(s, m)) {
        m->text[0] = '\0';
        return s;
    }
    lab_local_free(s);
    return NULL;
}
void lab_local_free(struct lab_local *s) {
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++) {
        if (s->base[r]) munmap(s->base[r], s->size);
        if (s->file[r] >= 0) close(s->file[r]);
    }
    if (s->control) munmap(s->control, sizeof *s->control);
    free(s);
}

/* Others may still read from the mapping: it is lab_local's, which outlives all comms. */
static void release_local(struct lab_exchange *e) {
    free(e->arena.taken);
}
struct lab_comm *lab_local_open(struct lab_local *s, uint32_t rank, struct lab_message *m) {
    struct lab_exchange *e = calloc(1, sizeof *e);
    snprintf(m->text, sizeof m->text, "comm local: memory is short");
    if (!e) return NULL;
    for (uint32_t r = 0; r < s->options.ranks; r++) e->base[r] = s->base[r];
    e->control = s->control;
    e->arena = (struct lab_arena){.file = s->file[rank], .base = s->base[rank], .size = s->size};
    e->release = release_local;
    if (lab_exchange_open(e, &lab_local_row, &s->options, rank, m)) {
        m->text[0] = '\0';
        return &e->comm;
    }
    free(e);
    return NULL;
}
