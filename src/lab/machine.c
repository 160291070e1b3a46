/* The machine that it runs on. */
#include "lab/backend.h"
#include "lab/events.h"
#include "lab/json.h"

#include <string.h>
#include <unistd.h>

/* Linux says the processor's name; elsewhere there is only the number of cores. */
void lab_processor(char *out, size_t size) {
    char line[256], name[128] = "processor";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
                           strchr(line, ':') + 2);
            break;
        }
    if (f) (void)fclose(f);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    (void)snprintf(out, size, "%s, %ld core%s", name, cores, cores == 1 ? "" : "s");
}

static const struct lab_backend *backend_of(const struct lab_options *o) {
    struct lab_message m;
    return lab_backend_for(o, &m);
}

/* A run that computes nothing has no device. */
void lab_machine(const struct lab_options *o, char *out, size_t size) {
    const struct lab_backend *b = o->predict || o->dry ? NULL : backend_of(o);
    if (b && b->hardware)
        b->hardware(out, size);
    else
        lab_processor(out, size);
}

void lab_versions(const struct lab_options *o, struct lab_json *j) {
    const struct lab_backend *b = o->predict || o->dry ? NULL : backend_of(o);
    lab_json_text(j, "compiler", __VERSION__);
    if (b && b->versions) b->versions(o, j);
}

void lab_machine_note(const struct lab_options *o, char *out, size_t size) {
    const struct lab_backend *b = o->predict || o->dry ? NULL : backend_of(o);
    out[0] = '\0';
    if (b && b->note) b->note(out, size);
}

bool lab_crowded(const struct lab_options *o) {
    bool cuda = o->device == LAB_CUDA, threads = o->comm == LAB_LOCAL && o->ranks > 1;
    bool crowded = cuda ? threads : (long)o->ranks > sysconf(_SC_NPROCESSORS_ONLN);
    return crowded || o->share_gpu;
}

const char *lab_times(const struct lab_options *o) {
    if (o->link_rate > 0) return "emulated link";
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
