/* The table of backends, read for a run: which device and comm it takes, and what its machine
 * says. */
#include "lab/backend.h"

#include "lab/json.h"
#include "lab/machine.h"

#include <stdio.h>
#include <unistd.h>

static const char *const devices[] = {"cpu", "cuda"}, *const comms[] = {"shm", "local", "nccl"};

const struct lab_backend *lab_backend_for(const struct lab_options *o, struct lab_message *m) {
    size_t count = 0;
    const struct lab_backend *all = lab_backends(&count);
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == o->device) return &all[i];
    (void)snprintf(m->text, sizeof m->text,
                   "--device %s: this zerolab was built without that device: use --device %s",
                   devices[o->device], devices[all[0].kind]);
    return NULL;
}

const struct lab_way *lab_way_for(const struct lab_backend *b, const struct lab_options *o,
                                  struct lab_message *m) {
    for (size_t i = 0; i < b->ways; i++)
        if (b->way[i].comm == o->comm) return &b->way[i];
    (void)snprintf(m->text, sizeof m->text,
                   "--comm %s: --device %s does not have it: use --comm %s", comms[o->comm],
                   devices[o->device], comms[b->way[0].comm]);
    return NULL;
}

/* ── the machine that a run is on ── */

static const struct lab_backend *backend_of(const struct lab_options *o) {
    struct lab_message m;
    return lab_backend_for(o, &m);
}

/* A run that computes nothing has no device. */
void lab_machine(const struct lab_options *o, char *out, size_t size) {
    const struct lab_backend *b = lab_computes(o) ? backend_of(o) : NULL;
    if (b && b->hardware)
        b->hardware(out, size);
    else
        lab_processor(out, size);
}

void lab_versions(const struct lab_options *o, struct lab_json *j) {
    const struct lab_backend *b = lab_computes(o) ? backend_of(o) : NULL;
    lab_json_text(j, "compiler", __VERSION__);
    if (b && b->versions) b->versions(o, j);
}

void lab_machine_note(const struct lab_options *o, char *out, size_t size) {
    const struct lab_backend *b = lab_computes(o) ? backend_of(o) : NULL;
    out[0] = '\0';
    if (b && b->note) b->note(out, size);
}

double lab_machine_gflops(const struct lab_options *o) {
    const struct lab_backend *b = lab_computes(o) && !o->links ? backend_of(o) : NULL;
    return b && b->gflops ? b->gflops(o) : 0;
}

bool lab_crowded(const struct lab_options *o) {
    bool cuda = o->device == LAB_CUDA, threads = o->comm == LAB_LOCAL && o->ranks > o->gpus;
    bool crowded = cuda ? threads : (long)o->ranks > sysconf(_SC_NPROCESSORS_ONLN);
    return crowded || o->share_gpu;
}

const char *lab_times(const struct lab_options *o) {
    if (lab_is_emulated(o)) return "emulated link";
    return lab_crowded(o) ? "shared processor" : "real";
}

void lab_probe(FILE *f) {
    struct lab_json j = {.file = f};
    size_t count = 0;
    const struct lab_backend *b = lab_backends(&count);
    lab_json_open(&j, NULL, '{');
    lab_json_open(&j, "devices", '[');
    for (size_t i = 0; i < count; i++)
        if (b[i].probe) b[i].probe(&j);
    lab_json_close(&j, ']');
    lab_json_close(&j, '}');
    lab_json_end(&j);
}
