/* The machine that it runs on. */
#include "lab/events.h"
#include "lab/json.h"

#include <string.h>
#include <unistd.h>

static long cores(void) {
    return sysconf(_SC_NPROCESSORS_ONLN);
}

/* Linux says the processor's name; elsewhere there is only the number of cores. */
void lab_machine(char *out, size_t size) {
    char line[256], name[128] = "processor";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
                           strchr(line, ':') + 2);
            break;
        }
    if (f) (void)fclose(f);
    (void)snprintf(out, size, "%s, %ld core%s", name, cores(), cores() == 1 ? "" : "s");
}

const char *lab_times(const struct lab_options *o) {
    if (o->link_rate > 0) return "emulated link";
    return (long)o->ranks > cores() || o->share_gpu ? "shared processor" : "real";
}

void lab_probe(FILE *f) {
    struct lab_json j = {.file = f};
    char name[200];
    lab_machine(name, sizeof name);
    lab_json_open(&j, NULL, '{');
    lab_json_open(&j, "devices", '[');
    lab_json_open(&j, NULL, '{');
    lab_json_text(&j, "device", "cpu");
    lab_json_text(&j, "name", name);
    lab_json_count(&j, "cores", (uint64_t)cores());
    lab_json_count(&j, "memory",
                   (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    lab_json_open(&j, "comm", '[');
    lab_json_text(&j, NULL, "shm");
    lab_json_text(&j, NULL, "local");
    lab_json_close(&j, ']');
    lab_json_close(&j, '}');
    lab_json_close(&j, ']');
    lab_json_close(&j, '}');
    lab_json_end(&j);
}
