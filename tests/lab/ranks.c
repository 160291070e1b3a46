#include "lab/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lab_options ranks_options(enum lab_transport comm, uint32_t ranks) {
    return (struct lab_options){.comm = comm, .ranks = ranks, .stall = 60};
}

/* ── processes ── */

int ranks_main(int argc, char **argv, const struct named_job *jobs) {
    if (!lab_launched()) return -1;
    struct lab_options o = ranks_options(LAB_SHM, 0);
    struct lab_message m;
    char said[300] = "";
    bool well = argc > 4;
    if (well) o.link_rate = atof(argv[3]), o.link_latency = atof(argv[4]);
    struct lab_comm *c = lab_shm_open(&o, &m);
    if (!c) fprintf(stderr, "%s\n", m.text);
    while (well && jobs->name && strcmp(jobs->name, argv[1])) jobs++;
    well = c && well && jobs->name && jobs->run(c, argv[2], said, sizeof said);
    lab_launch_write(lab_launch_rank(), said);
    if (c) c->row->close(c);
    return well ? 0 : 1;
}
static void note(void *self, uint32_t rank, const char *line) {
    struct outcome *out = self;
    snprintf(out->said[rank], sizeof out->said[rank], "%s", line);
}
static void run_processes(const struct named_job *j, const struct lab_options *o,
                          const char *argument, struct outcome *out) {
    char words[5][64] = {"test"};
    char *argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
    struct lab_launch_end end;
    snprintf(words[1], sizeof words[1], "%s", j->name);
    snprintf(words[2], sizeof words[2], "%s", argument);
    snprintf(words[3], sizeof words[3], "%g", o->link_rate);
    snprintf(words[4], sizeof words[4], "%g", o->link_latency);
    out->well = lab_launch(o, argv, &(struct lab_hearer){.line = note, .self = out}, &end);
    if (!out->well) fprintf(stderr, "# rank %d: %s\n", end.rank, end.text);
}

/* ── threads ── */

struct thread {
    struct lab_local *shared;
    uint32_t rank;
    const struct named_job *job;
    const char *argument;
    char *said;
    bool well;
};
static void *run_thread(void *self) {
    struct thread *t = self;
    struct lab_message m;
    struct lab_comm *c = lab_local_open(t->shared, t->rank, &m);
    if (!c) return NULL;
    t->well = t->job->run(c, t->argument, t->said, 300);
    c->row->close(c);
    return NULL;
}
static void run_threads(const struct named_job *j, const struct lab_options *o,
                        const char *argument, struct outcome *out) {
    struct lab_message m;
    struct lab_local *shared = lab_local_new(o, &m);
    if (!shared) {
        fprintf(stderr, "# %s\n", m.text);
        return;
    }
    struct thread t[LAB_RANKS_MAX];
    pthread_t id[LAB_RANKS_MAX];
    for (uint32_t r = 0; r < o->ranks; r++) {
        t[r] = (struct thread){shared, r, j, argument, out->said[r], false};
        if (pthread_create(&id[r], NULL, run_thread, &t[r])) abort();
    }
    out->well = true;
    for (uint32_t r = 0; r < o->ranks; r++) {
        pthread_join(id[r], NULL);
        out->well = out->well && t[r].well;
    }
    lab_local_free(shared);
}

struct outcome ranks_run(const struct named_job *j, const struct lab_options *o,
                         const char *argument) {
    struct outcome out = {0};
    if (o->comm == LAB_LOCAL)
        run_threads(j, o, argument, &out);
    else
        run_processes(j, o, argument, &out);
    for (uint32_t r = 0; !out.well && r < o->ranks; r++)
        fprintf(stderr, "# rank %u said: %s\n", r, out.said[r]);
    return out;
}
