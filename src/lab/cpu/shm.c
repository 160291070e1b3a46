/* Ranks that are processes: the control block and everybody's arena were inherited from the launcher. */
#include "lab/cpu/exchange.h"
#include "lab/inherit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void release(struct lab_exchange *e) {
    for (uint32_t r = 0; r < LAB_RANKS_MAX; r++)
        if (e->base[r] && r != e->comm.rank) munmap(e->base[r], e->arena.size);
    lab_arena_close(&e->arena);
    if (e->control) munmap(e->control, sizeof *e->control);
}
/* The mapping stays when the file is closed; the rank's own stays open, to ask for pages and to see how many it holds. */
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
    e->release = release;
    if (inherit(e, m) && lab_exchange_open(e, &lab_shm_row, o, e->comm.rank, m)) {
        m->text[0] = '\0';
        return &e->comm;
    }
    release(e);
    free(e);
    return NULL;
}
