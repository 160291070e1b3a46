/* A process in which ranks live: one, or all of them as threads. */
#include "lab/launch.h"
#include "lab/options.h"
#include "lab/report.h"
#include "lab/zerolab.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── what ranks say ── */

static void say_by_pipe(void *self, const struct lab_report *r) {
    char line[LAB_REPORT_LINE];
    (void)self;
    lab_report_write(r, line);
    (void)lab_launch_write(r->rank, line);
}
static void say_by_meeting(void *self, const struct lab_report *r) {
    char line[LAB_REPORT_LINE];
    lab_report_write(r, line);
    lab_meet_say(self, line);
}
/* What a rank says of trouble outside lab_rank_run(). */
static void say_trouble(const struct lab_process *p, uint32_t rank, const char *what) {
    struct lab_report r = {.says = LAB_SAYS_ERROR, .rank = rank, .where = {0, LAB_AT_INIT, -1}};
    (void)snprintf(r.as.error.text, sizeof r.as.error.text, "%.199s", what);
    p->sink.say(p->sink.self, &r);
}

/* ── meeting ── */

/* What all ranks must have been asked alike: not where files lie, nor how long one waits. */
static uint64_t hash_options(const struct lab_options *o) {
    /* clang-format off */
    static const size_t sizes[] = {
        [LAB_FLAG_COUNT] = sizeof(uint32_t), [LAB_FLAG_SEED] = sizeof(uint64_t),
        [LAB_FLAG_BYTES] = sizeof(uint64_t), [LAB_FLAG_CHOICE] = sizeof(int),
        [LAB_FLAG_REAL] = sizeof(double),    [LAB_FLAG_ON] = sizeof(bool)};
    /* clang-format on */
    static const char *const own[] = {"stall", "patience"};
    uint64_t hash = 0xcbf29ce484222325u;
    size_t count;
    const struct lab_flag *f = lab_flags(&count);
    for (size_t i = 0; i < count; i++) {
        size_t size = f[i].kind < sizeof sizes / sizeof *sizes ? sizes[f[i].kind] : 0;
        const unsigned char *at = (const unsigned char *)o + f[i].at;
        if (strcmp(f[i].name, own[0]) == 0 || strcmp(f[i].name, own[1]) == 0) continue;
        for (size_t k = 0; k < size; k++) hash = (hash ^ at[k]) * 0x100000001b3u;
    }
    return hash;
}
bool lab_process_meet(struct lab_process *p, const struct lab_meet_hearer *hearer,
                      struct lab_message *m) {
    struct lab_meet_card card = {.options = hash_options(p->options)};
    if (!p->way->prepare) return true;
    (void)gethostname(card.host, sizeof card.host - 1);
    if (!p->way->prepare(p->options, p->world.place.rank, &card.nccl, m)) return false;
    p->meet = lab_meet_open(&p->world.place, &card, hearer, m);
    p->shared = p->meet;
    if (p->meet && !lab_launched()) p->sink = (struct lab_sink){say_by_meeting, p->meet};
    return p->meet != NULL;
}

/* ── running ── */

static bool run_rank(const struct lab_process *p, uint32_t rank, uint32_t local) {
    struct lab_message m = {""};
    const struct lab_options *o = p->options;
    struct lab_device *device = p->backend->open(o, local, &m);
    struct lab_comm *comm = device ? p->way->open(o, device, p->shared, rank, &m) : NULL;
    bool well = comm && lab_rank_run(o, comm, device, &p->sink);
    if (!comm) say_trouble(p, rank, m.text);
    if (comm) comm->row->close(comm);
    if (device) device->row->close(device);
    /* The other threads wait for one that will not come. */
    if (!comm && p->way->threads) _exit(LAB_EXIT_FAILED);
    return well;
}

struct thread {
    const struct lab_process *process;
    uint32_t rank;
    bool well;
    pthread_t id;
};

static void *run_thread(void *self) {
    struct thread *t = self;
    t->well = run_rank(t->process, t->rank, t->rank % t->process->options->gpus);
    return NULL;
}

static bool start_threads(const struct lab_process *p, struct thread *t, struct lab_message *m) {
    for (uint32_t r = 0; r < p->options->ranks; r++) {
        t[r] = (struct thread){.process = p, .rank = r};
        if (pthread_create(&t[r].id, NULL, run_thread, &t[r]) == 0) continue;
        (void)snprintf(m->text, sizeof m->text,
                       "rank %u: a thread could not be started (see ulimit -u, -v)", r);
        return false;
    }
    return true;
}

static bool run_threads(struct lab_process *p) {
    struct lab_message m = {""};
    struct thread t[LAB_RANKS_MAX];
    p->shared = p->way->share(p->options, &m);
    if (!p->shared || !start_threads(p, t, &m)) {
        say_trouble(p, 0, m.text);
        _exit(LAB_EXIT_FAILED); /* those that were started wait for one that will not come */
    }
    bool well = true;
    for (uint32_t r = 0; r < p->options->ranks; r++) {
        (void)pthread_join(t[r].id, NULL);
        well = well && t[r].well;
    }
    p->way->unshare(p->shared);
    return well;
}

bool lab_process_run(struct lab_process *p) {
    if (p->way->threads) return run_threads(p);
    return run_rank(p, p->world.place.rank, p->world.local);
}

enum lab_exit lab_process_launched(struct lab_process *p) {
    struct lab_message m = {""};
    p->sink = (struct lab_sink){say_by_pipe, NULL};
    bool well = lab_world_own(&p->world, &m);
    /* NCCL's threads and the guard use processor time: the launcher's watchdog takes it for life.
     * So the meeting watches too, and speaks second. */
    p->world.place.stall = 2 * p->options->stall;
    well = well && lab_process_meet(p, NULL, &m);
    if (!well) say_trouble(p, p->world.place.rank, m.text);
    well = well && lab_process_run(p);
    if (p->meet) lab_meet_close(p->meet);
    return well ? LAB_EXIT_WELL : LAB_EXIT_FAILED;
}
