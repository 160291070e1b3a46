/* doctor: what the lab can run on. */
#include "command/doctor.h"
#include "command/inside.h"
#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

/* "NVIDIA H200, 150.1 GB, capability 9.0, driver 580.159.03, NCCL 2.28.9 (/usr/lib/libnccl.so.2)". */
static void add_device(struct finding *f, const json_t *gpu) {
    static const struct {
        const char *member, *format;
    } parts[] = {
        {"capability", ", capability %s"},
        {"driver",     ", driver %s"    },
        {"cuda",       ", CUDA %s"      },
        {"blas",       ", %s"           },
        {"nccl",       ", NCCL %s"      },
        {"nccl_path",  " (%s)"          },
    };
    char bytes[32];
    double memory = base_json_number(gpu, "memory", 0);
    base_text_printf(&f->text, "%s", base_json_text(gpu, "name", "a GPU"));
    if (memory > 0)
        base_text_printf(&f->text, ", %s", account_print_bytes(bytes, sizeof bytes, memory));
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        const char *value = base_json_text(gpu, parts[i].member, NULL);
        char *piece = value ? base_dup(parts[i].format) : NULL,
             *at = piece ? strstr(piece, "%s") : NULL;
        if (at) base_text_printf(&f->text, "%.*s%s%s", (int)(at - piece), piece, value, at + 2);
        free(piece);
    }
    const char *slow = base_json_text(gpu, "blas_slow", NULL);
    if (slow) base_text_printf(&f->text, ": %s; `make run` installs OpenBLAS where it can", slow);
    if (slow) f->state = NOTED;
    bool cuda = !strcmp(base_json_text(gpu, "device", ""), "cuda");
    if (cuda && !json_object_get(gpu, "nccl")) base_text_puts(&f->text, ", no NCCL found");
}

/* What a program of the lab finds; that there is no GPU is nothing to worry about. */
static void add_backend(struct finding *f, const json_t *backend) {
    const char *why = base_json_text(backend, "why", NULL);
    const json_t *device;
    size_t i;
    if (why) command_doctor_find(f, NOTED, why);
    json_array_foreach(json_object_get(backend, "devices"), i, device) {
        const char *missing = base_json_text(device, "why", NULL);
        base_text_puts(&f->text, i ? "; " : "");
        if (missing)
            base_text_printf(&f->text, "none: %s", missing);
        else
            add_device(f, device);
    }
}

void command_doctor_lab(const struct arguments *a, struct finding *f) {
    (void)a;
    json_t *all = experiment_backends();
    add_backend(f, json_array_get(all, 0));
    json_decref(all);
}

/* The lab runs without GPUs; but a program for them that is here and does not start is noted. */
void command_doctor_gpus(const struct arguments *a, struct finding *f) {
    (void)a;
    json_t *all = experiment_backends(), *cuda = json_array_get(all, 1);
    add_backend(f, cuda);
    if (f->state == NOTED && !json_object_get(cuda, "path")) f->state = FINE;
    json_decref(all);
}
