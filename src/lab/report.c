/* What a rank says: where it is, what it holds and sends; and how a report crosses the pipe to the
 * launcher. */
#include "lab/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

double lab_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool lab_fail_memory(struct lab_rank *k) {
    (void)snprintf(k->message.text, sizeof k->message.text,
                   "out of memory: the machine has none left for bookkeeping");
    return false;
}

void lab_at(struct lab_rank *k, enum lab_phase phase, int unit) {
    lab_ledger_at(&k->ledger, (struct lab_where){k->step, phase, unit});
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++)
        lab_ledger_at(&k->tiers.tier[t].ledger, k->ledger.where);
    k->comm->row->progress(k->comm, k->step, (int)phase, unit);
    k->meter.came = lab_seconds();
    k->meter.waited = k->meter.exposed;
}

void lab_drag(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    if (o->slow_times <= 1 || o->slow_rank != k->comm->rank || o->dry) return;
    double took = lab_seconds() - k->meter.came - (k->meter.exposed - k->meter.waited);
    double more = took * (o->slow_times - 1);
    struct timespec t = {(time_t)more, (long)(1e9 * (more - (double)(time_t)more))};
    if (more > 0) (void)nanosleep(&t, NULL);
}

/* ── reports ── */

/* What the machine really holds for this process: Linux's RssAnon, which leaves out the pages of
 * files and of memory shared with peers. Elsewhere the highest that it ever was. */
static uint64_t resident(void) {
    char line[128];
    uint64_t kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "RssAnon:", 8) == 0) kib = strtoull(line + 8, NULL, 10);
    if (f) (void)fclose(f);
    if (kib) return kib * 1024;
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) == 0 ? (uint64_t)u.ru_maxrss * 1024 : 0;
}

/* The first step is told whole, because nothing later holds more. */
static bool is_told(const struct lab_rank *k) {
    return k->step <= k->options->done + 1 || k->step % k->options->detail_every == 0;
}

/* In the last micro-step of a step: the others look the same. The machine knows what a process
 * holds. Ranks of --comm local are threads of one, and on a GPU the ledger's memory is not in it,
 * so there the event has no resident memory. */
void lab_say_memory(struct lab_rank *k) {
    struct lab_report r = {
        .says = LAB_SAYS_MEMORY, .rank = k->comm->rank, .where = k->ledger.where};
    if (!is_told(k) || (k->micro + 1 < k->options->accumulate && k->step)) return;
    memcpy(r.as.memory.now, k->ledger.now, sizeof r.as.memory.now);
    memcpy(r.as.memory.highest, k->ledger.at_moment, sizeof r.as.memory.highest);
    r.as.memory.total = k->ledger.total;
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++)
        r.as.memory.tier_total[t] = k->tiers.tier[t].ledger.total;
    r.as.memory.highest_total = k->ledger.moment_total;
    if (k->options->comm == LAB_SHM && !k->options->dry)
        r.as.memory.resident = resident() + k->comm->row->resident(k->comm);
    if (k->device->row->gauge) k->device->row->gauge(k->device, &r.as.memory.gauge);
    k->sink->say(k->sink->self, &r);
}

void lab_watch(void *self, const struct lab_transfer *x, uint64_t sent,
               const struct lab_comm_times *times) {
    struct lab_rank *k = self;
    struct lab_report r = {.says = LAB_SAYS_COMM,
                           .rank = k->comm->rank,
                           .where = {k->step, k->ledger.where.phase, x->unit}};
    r.as.comm = (struct lab_says_comm){x->op,
                                       x->among,
                                       sent,
                                       times->started,
                                       times->ended,
                                       times->exposed,
                                       times->arrived - times->started};
    k->meter.comm += times->ended - times->arrived;
    k->meter.exposed += times->exposed;
    k->meter.skew += times->arrived - times->started;
    if (is_told(k)) k->sink->say(k->sink->self, &r);
}

/* ── reports as lines: both ends are the same program, so the struct's own bytes are the format
 * ── */

void lab_report_write(const struct lab_report *r, char line[LAB_REPORT_LINE]) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *b = (const unsigned char *)r;
    for (size_t i = 0; i < sizeof *r; i++) {
        line[2 * i] = digits[b[i] >> 4];
        line[2 * i + 1] = digits[b[i] & 15];
    }
    line[2 * sizeof *r] = '\0';
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool lab_report_read(const char *line, struct lab_report *out) {
    unsigned char b[sizeof *out];
    if (strlen(line) != 2 * sizeof *out) return false;
    for (size_t i = 0; i < sizeof *out; i++) {
        int high = digit(line[2 * i]), low = digit(line[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        b[i] = (unsigned char)(high << 4 | low);
    }
    memcpy(out, b, sizeof *out);
    return true;
}
