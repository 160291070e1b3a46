/* zerolab: reads its options and is, in turn, the launcher, or one of the ranks that the launcher started. */
#include "lab/backend.h"
#include "lab/events.h"
#include "lab/model.h"
#include "lab/tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WELL = 0, FAILED = 1, BAD_USAGE = 2 };

static int refuse(const char *why) {
    (void)fprintf(stderr, "zerolab: %s\n", why);
    return BAD_USAGE;
}

/* ── a rank ──────────────────────────────────────────────────────────────────────────────────────*/

static void send_report(void *self, const struct lab_report *r) {
    char line[LAB_REPORT_LINE];
    (void)self;
    lab_report_write(r, line);
    (void)lab_launch_write(r->rank, line);
}
static const struct lab_sink to_launcher = {send_report, NULL};

static void say_trouble(uint32_t rank, const struct lab_message *m) {
    struct lab_report r = {
        .says = LAB_SAYS_ERROR, .rank = rank, .where = {0, LAB_AT_INIT, -1}
    };
    (void)snprintf(r.as.error.text, sizeof r.as.error.text, "%.199s", m->text);
    send_report(NULL, &r);
}

struct running { /* what the ranks of this process have in common */
    const struct lab_options *options;
    const struct lab_backend *backend;
    const struct lab_way *way;
    void *shared; /* threads */
};

static bool run_rank(const struct running *p, uint32_t rank) {
    struct lab_message m = {""};
    const struct lab_options *o = p->options;
    struct lab_device *device = p->backend->open(o, rank, &m);
    struct lab_comm *comm = device ? p->way->open(o, device, p->shared, rank, &m) : NULL;
    bool well = comm && lab_rank_run(o, comm, device, &to_launcher);
    if (!comm) say_trouble(rank, &m);
    if (comm) comm->row->close(comm);
    if (device) device->row->close(device);
    if (!comm && p->shared) _exit(FAILED); /* the other threads wait for one that will not come */
    return well;
}

struct thread {
    const struct running *running;
    uint32_t rank;
    bool well;
    pthread_t id;
};

static void *run_thread(void *self) {
    struct thread *t = self;
    t->well = run_rank(t->running, t->rank);
    return NULL;
}

static bool start_threads(const struct running *p, struct thread *t, struct lab_message *m) {
    for (uint32_t r = 0; r < p->options->ranks; r++) {
        t[r] = (struct thread){.running = p, .rank = r};
        if (pthread_create(&t[r].id, NULL, run_thread, &t[r]) == 0) continue;
        (void)snprintf(m->text, sizeof m->text, "rank %u: a thread could not be started", r);
        return false;
    }
    return true;
}

static bool run_threads(struct running *p) {
    struct lab_message m = {""};
    struct thread t[LAB_RANKS_MAX];
    p->shared = p->way->share(p->options, &m);
    if (!p->shared || !start_threads(p, t, &m)) {
        say_trouble(0, &m);
        _exit(FAILED); /* those that were started wait for one that will not come */
    }
    bool well = true;
    for (uint32_t r = 0; r < p->options->ranks; r++) {
        (void)pthread_join(t[r].id, NULL);
        well = well && t[r].well;
    }
    p->way->unshare(p->shared);
    return well;
}

static int be_rank(struct running *p) {
    bool well = p->way->share ? run_threads(p) : run_rank(p, lab_launch_rank());
    return well ? WELL : FAILED;
}

/* ── the launcher ────────────────────────────────────────────────────────────────────────────────*/

static void hear_line(void *self, uint32_t rank, const char *line) {
    struct lab_report r;
    if (lab_report_read(line, &r) && r.rank == rank) lab_events_hear(self, &r);
}

/* Whoever ends after trouble does not wait for a reader that does not read. */
enum { PATIENCE_MS = 2000 };

static enum lab_heard settle(void *self, int ms) {
    struct lab_events *e = self;
    enum lab_heard heard = LAB_HEARD_ALL;
    for (int i = 0; i < 2; i++) {
        if (!lab_out_send(&e->out[i], ms)) heard = LAB_HEARD_MORE;
        if (e->out[i].error) return LAB_HEARD_LOST;
    }
    return heard;
}

static int say_lost(const char *what, int error) {
    (void)fprintf(stderr, "zerolab: %s: cannot be written: %s\n", what, strerror(error));
    return FAILED;
}

/* Sends the last of it; the status that zerolab ends with. */
static int close_outputs(struct lab_events *e, int status) {
    const char *path = e->options->events;
    if (settle(e, status == WELL ? LAB_OUT_FOREVER : PATIENCE_MS) == LAB_HEARD_MORE)
        (void)fprintf(stderr, "zerolab: nobody reads the output: the last of it is dropped\n");
    for (int i = 0; i < 2; i++) {
        lab_out_close(&e->out[i]);
        if (e->out[i].error)
            status = say_lost(i == 0 && *path ? path : "standard output", e->out[i].error);
    }
    return status;
}

/* There is no launcher between, so nothing else is to be looked after. */
static void hear_report(void *self, const struct lab_report *r) {
    lab_events_hear(self, r);
    if (settle(self, LAB_OUT_FOREVER) == LAB_HEARD_LOST) exit(close_outputs(self, FAILED));
}

static bool run_dry(struct lab_events *e) {
    struct lab_sink sink = {hear_report, e};
    bool well = true;
    for (uint32_t r = 0; well && r < e->options->ranks; r++)
        well = lab_dry_run(e->options, r, &sink);
    return well;
}

static bool run(struct lab_events *e, char **argv) {
    struct lab_launch_end end = {
        .rank = -1, .where = {0, LAB_AT_INIT, -1}
    };
    struct lab_hearer hearer = {hear_line, settle, e};
    bool well = e->options->dry ? run_dry(e) : lab_launch(e->options, argv, &hearer, &end);
    if (!well) lab_events_error(e, end.rank, end.text, &end.where);
    return well;
}

static bool open_outputs(struct lab_events *e) {
    const char *path = e->options->events;
    bool table = *path || isatty(STDOUT_FILENO), well = true;
    if (*path) well = lab_out_open(&e->out[0], path);
    if (well) well = lab_out_use(&e->out[table], STDOUT_FILENO);
    e->json = e->out[0].file;
    e->table = e->out[1].file;
    return well;
}

static int launch(const struct lab_options *o, char **argv) {
    struct lab_events e = {.options = o};
    struct lab_message m = {""};
    if (!open_outputs(&e)) {
        (void)snprintf(m.text, sizeof m.text, "%s%.200s: cannot be written: %s",
                       *o->events ? "--events " : "standard output", o->events, strerror(errno));
        return refuse(m.text);
    }
    e.predicted = lab_predict(o, &e.prediction, &m);
    if (o->predict && !e.predicted) return refuse(m.text);
    lab_events_start(&e);
    lab_events_predict(&e);
    if (o->predict) {
        if (e.table) lab_table_predict(&e);
        return close_outputs(&e, WELL);
    }
    bool well = settle(&e, LAB_OUT_FOREVER) == LAB_HEARD_ALL && run(&e, argv);
    lab_events_end(&e, well);
    return close_outputs(&e, well ? WELL : FAILED);
}

/* Said here once, not by every rank. */
static bool tokens_fit(const struct lab_options *o, struct lab_message *m) {
    struct lab_tokens *t = o->predict || o->dry ? NULL : lab_tokens_open(o, m);
    lab_tokens_close(t);
    return t || o->predict || o->dry;
}

static bool write_weights(const struct lab_options *o, struct lab_message *m) {
    if (!o->weights[0]) return true;
    struct lab_model *model = lab_model_new(&o->shape);
    bool well = model && lab_weights_write(model, o->seed, o->weights, m);
    lab_model_free(model);
    return well;
}

/* What was opened in the place of a closed one would be taken for it. */
static void open_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
}

static int flushed(void) {
    return fflush(stdout) == 0 ? WELL : say_lost("standard output", errno);
}

/* A run that computes nothing needs no device. The launcher looks whether there is one; the ranks will see for themselves. */
static bool find_backend(const struct lab_options *o, struct running *p, struct lab_message *m) {
    if (o->predict || o->dry) return true;
    p->options = o;
    p->backend = lab_backend_for(o, m);
    p->way = p->backend ? lab_way_for(p->backend, o, m) : NULL;
    if (!p->way) return false;
    return lab_launched() || !p->backend->find || p->backend->find(o, m);
}

int main(int argc, char **argv) {
    struct lab_options o;
    struct running p = {0};
    struct lab_message m = {""};
    open_standard();
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return (void)fputs(lab_options_help(), stdout), flushed();
    lab_options_default(&o);
    if (!lab_options_read(argc, argv, &o, &m) || !lab_options_check(&o, &m)) return refuse(m.text);
    if (o.probe) return lab_probe(stdout), flushed();
    if (!find_backend(&o, &p, &m)) return refuse(m.text);
    if (lab_launched()) return be_rank(&p);
    if (!tokens_fit(&o, &m) || !write_weights(&o, &m)) return refuse(m.text);
    return launch(&o, argv);
}
