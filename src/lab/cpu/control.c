#include "lab/cpu/control.h"

#include "lab/cpu/arena.h"

#include <string.h>
#include <unistd.h>

enum { LEFT = 1, MET = 2 };

void lab_control_init(struct lab_control *c, uint32_t ranks) {
    memset(c, 0, sizeof *c);
    c->ranks = ranks;
    c->zero = lab_now();
    for (int p = 0; p < LAB_PLACES; p++) lab_word_init(&c->meeting[p].word);
    for (uint32_t r = 0; r < ranks; r++)
        lab_control_progress(c, r, (struct lab_where){.phase = LAB_AT_INIT, .unit = -1});
}

struct lab_control *lab_control_open(uint32_t ranks, struct lab_message *m) {
    size_t bytes;
    int file = lab_inherited(LAB_ENV_MEMORY, 0);
    bool launched = file >= 0;
    if (!launched && (file = lab_arena_file(sizeof(struct lab_control), m)) < 0) return NULL;
    struct lab_control *c = lab_arena_map(file, &bytes, m);
    if (c && !launched) lab_control_init(c, ranks);
    (void)close(file);
    return c;
}

static bool missed(struct lab_control *c) {
    uint32_t nobody = 0;
    atomic_compare_exchange_strong(&c->missed, &nobody, atomic_load(&c->left));
    return false;
}
bool lab_control_meet(struct lab_control *c, enum lab_place place, uint32_t ranks) {
    struct lab_meeting *m = &c->meeting[place];
    uint32_t before = atomic_load(&m->word.value) | LEFT, now;
    if (atomic_fetch_add(&m->here, 1) + 1 == ranks) {
        atomic_store(&m->last, lab_now());
        atomic_store(&m->here, 0);
        atomic_fetch_add(&m->word.value, MET);
        lab_word_wake(&m->word);
        return true;
    }
    while (((now = atomic_load(&m->word.value)) | LEFT) == before) {
        if (now & LEFT) return missed(c);
        lab_word_wait(&m->word, now, 0);
    }
    return true;
}
bool lab_control_sleep(struct lab_control *c, enum lab_place place, int64_t until) {
    struct lab_word *w = &c->meeting[place].word;
    for (uint32_t now; lab_now() < until;) {
        if ((now = atomic_load(&w->value)) & LEFT) return missed(c);
        lab_word_wait(w, now, until);
    }
    return true;
}
void lab_control_leave(struct lab_control *c, uint32_t rank) {
    uint32_t nobody = 0;
    atomic_compare_exchange_strong(&c->left, &nobody, rank + 1);
    for (int p = 0; p < LAB_PLACES; p++) {
        atomic_fetch_or(&c->meeting[p].word.value, LEFT);
        lab_word_wake(&c->meeting[p].word);
    }
}

/* step in the upper half, then phase, then unit + 1: one store, so that the launcher never sees
 * half of it */
void lab_control_progress(struct lab_control *c, uint32_t rank, struct lab_where w) {
    uint64_t packed =
        (uint64_t)w.step << 32 | (uint64_t)w.phase << 24 | ((uint64_t)(w.unit + 1) & 0xffffff);
    atomic_store(&c->slot[rank].where, packed);
    atomic_fetch_add(&c->slot[rank].beats, 1);
}
struct lab_where lab_control_where(struct lab_control *c, uint32_t rank) {
    uint64_t packed = atomic_load(&c->slot[rank].where);
    return (struct lab_where){.step = (uint32_t)(packed >> 32),
                              .phase = (enum lab_phase)(packed >> 24 & 0xff),
                              .unit = (int)(packed & 0xffffff) - 1};
}
