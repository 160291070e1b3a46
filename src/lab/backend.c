#include "lab/backend.h"

#include <stdio.h>

static const char *const devices[] = {"cpu", "cuda"}, *const comms[] = {"shm", "local", "nccl"};

const struct lab_backend *lab_backend_for(const struct lab_options *o, struct lab_message *m) {
    size_t count = 0;
    const struct lab_backend *all = lab_backends(&count);
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == o->device) return &all[i];
    (void)snprintf(m->text, sizeof m->text,
                   "--device %s: this zerolab was built without it: use --device %s",
                   devices[o->device], devices[all[0].kind]);
    return NULL;
}

const struct lab_way *lab_way_for(const struct lab_backend *b, const struct lab_options *o,
                                  struct lab_message *m) {
    for (size_t i = 0; i < b->ways; i++)
        if (b->way[i].comm == o->comm) return &b->way[i];
    (void)snprintf(m->text, sizeof m->text, "--comm %s: not for --device %s: use --comm %s",
                   comms[o->comm], devices[o->device], comms[b->way[0].comm]);
    return NULL;
}
