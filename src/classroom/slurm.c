/* slurm: the words that submit a lab. srun stays until the job ends and passes on its output, so
 * the tutor reads events as from a program here. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static bool is_in_path(const char *program) {
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        int n = (int)strcspn(path, ":");
        char *file = base_format("%.*s/%s", n, path, program);
        found = n > 0 && access(file, X_OK) == 0;
        free(file);
        path += n + (path[n] == ':');
    }
    return found;
}

bool classroom_uses_slurm(const struct classroom_settings *s) {
    return s->slurm && is_in_path("srun");
}

/* One task: the lab starts its ranks itself, on one machine. Without --mem the partition's
 * own limit holds. */
char *classroom_srun(const struct classroom_settings *s, const struct classroom_wish *w) {
    struct base_text t = {0};
    int minutes = w->minutes && w->minutes < s->minutes_most ? w->minutes : s->minutes_most;
    base_text_printf(&t,
                     "srun --quiet --job-name=zerotutor --nodes=1 --ntasks=1 "
                     "--cpus-per-task=%d --time=%d --kill-on-bad-exit=1",
                     w->ranks, minutes);
    if (w->kind == CLASSROOM_GPU) base_text_printf(&t, " --gres=gpu:%d", w->slots);
    if (w->kind == CLASSROOM_CPU && s->bytes_most)
        base_text_printf(&t, " --mem=%lluM", (unsigned long long)(s->bytes_most / MIB + 1));
    if (*s->partition) base_text_printf(&t, " --partition=%s", s->partition);
    return base_text_take(&t);
}
