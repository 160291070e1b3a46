/* The launcher's part: what the ranks say becomes events, and the events go out. */
#include "lab/collectives.h"
#include "lab/events.h"
#include "lab/machine.h"
#include "lab/zerolab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum lab_exit refuse(const char *why) {
    lab_out_say("%s", why);
    return LAB_EXIT_USAGE;
}

static void hear_line(void *self, uint32_t rank, const char *line) {
    struct lab_report r;
    if (lab_report_read(line, &r) && r.rank == rank) lab_events_hear(self, &r);
}

/* After a failure the output waits only so long for a reader that does not read. */
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

static enum lab_exit say_lost(const char *what, int error) {
    lab_out_say("%s: cannot be written: %s", what, strerror(error));
    return LAB_EXIT_FAILED;
}

/* Sends the last of it; the status that zerolab ends with. */
static enum lab_exit close_outputs(struct lab_events *e, enum lab_exit status) {
    const char *path = e->options->events;
    if (settle(e, status == LAB_EXIT_WELL ? LAB_OUT_FOREVER : PATIENCE_MS) == LAB_HEARD_MORE)
        lab_out_say("no program reads the output: zerolab drops the last of it");
    for (int i = 0; i < 2; i++) {
        lab_out_close(&e->out[i]);
        if (e->out[i].error)
            status = say_lost(i == 0 && *path ? path : "standard output", e->out[i].error);
    }
    return status;
}

/* No launcher and no ranks are running, so nothing else needs attention while this waits. */
static void hear_report(void *self, const struct lab_report *r) {
    lab_events_hear(self, r);
    if (settle(self, LAB_OUT_FOREVER) == LAB_HEARD_LOST)
        exit((int)close_outputs(self, LAB_EXIT_FAILED));
}

static bool run_dry(struct lab_events *e) {
    struct lab_sink sink = {hear_report, e};
    bool well = true;
    for (uint32_t r = 0; well && r < e->options->ranks; r++)
        well = lab_dry_run(e->options, r, &sink);
    return well;
}

/* The system does not refuse a request for too much memory. It may kill any process, even an
 * unrelated one. So no rank is started if the ranks could run out. One eighth is left for other
 * programs, and for memory that is in no ledger. */
static bool fits_machine(const struct lab_events *e, char *why, size_t size) {
    const struct lab_options *o = e->options;
    uint64_t left = lab_memory_left(), capacity = left / 8 * 7 / o->ranks;
    uint64_t each = e->prediction.peak_total;
    char all[32], one[32], there[32], advice[160];
    if (o->cap && o->cap < each) each = o->cap;
    each += e->prediction.tier[LAB_TIER_HOST].total;
    if (o->device != LAB_CPU || !e->predicted || each <= capacity) return true;
    lab_advice_for_machine(o, capacity, advice, sizeof advice);
    (void)snprintf(
        why, size, "out of memory: %u rank%s of %s need %s, and this machine has %s left; %s",
        o->ranks, o->ranks == 1 ? "" : "s", account_print_bytes(one, sizeof one, (double)each),
        account_print_bytes(all, sizeof all, (double)each * o->ranks),
        account_print_bytes(there, sizeof there, (double)left), advice);
    return false;
}

static bool launch(struct lab_events *e, char **argv, struct lab_launch_end *end) {
    struct lab_hearer hearer = {hear_line, settle, e};
    return fits_machine(e, end->text, sizeof end->text) &&
           lab_launch(e->options, argv, &hearer, end);
}

static bool run(struct lab_events *e, char **argv) {
    struct lab_launch_end end = {.rank = -1, .where = {0, LAB_AT_INIT, -1}};
    bool well = e->options->dry ? run_dry(e) : launch(e, argv, &end);
    if (!well) lab_events_error(e, end.rank, end.text, &end.where);
    return well;
}

/* How it went, said where it did not go well. */
static enum lab_exit open_outputs(struct lab_events *e) {
    const char *path = e->options->events;
    bool table = *path || isatty(STDOUT_FILENO);
    if (*path && !lab_out_open(&e->out[0], path)) {
        lab_out_say("--events %s: cannot be written: %s", path, lab_out_why(errno));
        return LAB_EXIT_USAGE;
    }
    if (!lab_out_use(&e->out[table], STDOUT_FILENO)) return say_lost("standard output", errno);
    e->json = e->out[0].file;
    e->table = e->out[1].file;
    return LAB_EXIT_WELL;
}

/* Outputs, prediction, and the events before a run; false where nothing more is to be done: then
 * *status says how it ended. */
static bool begin(struct lab_events *e, enum lab_exit *status) {
    const struct lab_options *o = e->options;
    struct lab_message m = {""};
    *status = open_outputs(e);
    if (*status != LAB_EXIT_WELL) return false;
    *status = LAB_EXIT_USAGE;
    e->predicted = lab_predict(o, &e->prediction, &m);
    if (o->predict && !e->predicted) return refuse(m.text), false;
    e->predicted = e->predicted && !o->links; /* which trains nothing */
    lab_events_start(e);
    lab_events_predict(e);
    if (!o->predict) return true;
    if (e->table) lab_table_predict(e);
    *status = close_outputs(e, LAB_EXIT_WELL);
    return false;
}

enum lab_exit lab_conduct(const struct lab_options *o, char **argv) {
    struct lab_events e = {.options = o, .sweep = lab_sweep_new(o)};
    enum lab_exit status;
    if (!begin(&e, &status)) return lab_sweep_free(e.sweep), status;
    bool well = settle(&e, LAB_OUT_FOREVER) == LAB_HEARD_ALL && run(&e, argv);
    lab_events_end(&e, well);
    lab_sweep_free(e.sweep);
    return close_outputs(&e, well ? LAB_EXIT_WELL : LAB_EXIT_FAILED);
}

/* ── ranks that another launcher started ───────────────────────────────────────────────────────*/

/* Called on the meeting's thread, while the rank itself computes. */
static void hear_at_meeting(void *self, uint32_t rank, const char *line) {
    hear_line(self, rank, line);
    (void)settle(self, LAB_OUT_FOREVER);
}
/* Meets, runs, parts; `m` says what kept it from running or broke it off. */
static bool join(struct lab_process *p, const struct lab_meet_hearer *hearer,
                 struct lab_message *m) {
    if (!lab_process_meet(p, hearer, m)) return false;
    bool well = lab_process_run(p);
    (void)lab_meet_broken(p->meet, m);
    lab_meet_close(p->meet);
    return well;
}
static enum lab_exit join_rank(struct lab_process *p) {
    struct lab_message m = {""};
    bool well = join(p, NULL, &m);
    if (!well)
        lab_out_say("rank %u: %s", p->world.place.rank,
                    m.text[0] ? m.text : "failed: see rank 0's message");
    return well ? LAB_EXIT_WELL : LAB_EXIT_FAILED;
}
enum lab_exit lab_conduct_joined(struct lab_process *p) {
    struct lab_events e = {.options = p->options, .sweep = lab_sweep_new(p->options)};
    struct lab_meet_hearer hearer = {hear_at_meeting, &e};
    struct lab_message m = {""};
    enum lab_exit status;
    if (p->world.place.rank != 0) return join_rank(p);
    if (!begin(&e, &status)) return lab_sweep_free(e.sweep), status;
    bool well = join(p, &hearer, &m);
    if (!well && !e.failed)
        lab_events_error(&e, -1, m.text, &(struct lab_where){0, LAB_AT_INIT, -1});
    lab_events_end(&e, well);
    lab_sweep_free(e.sweep);
    return close_outputs(&e, well ? LAB_EXIT_WELL : LAB_EXIT_FAILED);
}
