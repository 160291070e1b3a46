/* Launchers' variables. torchrun: docs of torch.distributed.run, "Environment Variables"; Open MPI:
 * "Environment variables set by mpirun"; Slurm: srun(1), "OUTPUT ENVIRONMENT VARIABLES"; MPICH,
 * Intel MPI: their process managers' PMI. */
#include "lab/world.h"

#include "lab/launch.h"
#include "lab/secret.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define LAB_HASH_START 0xcbf29ce484222325u

struct launcher {
    const char *name, *size, *rank, *local, *local_size, *nodes;
    /* A variable of another launcher that sets these as well, and says more if `local` is missing
     * (srun: PMI). */
    const char *rather;
    /* what together names a job, the same on all ranks: no secret */
    const char *job[3];
    /* A shell inside an allocation has these variables too: there --ranks is a start of one's
     * own. */
    bool shell;
};
/* clang-format off */
static const struct launcher launchers[] = {
    {.name = "torchrun", .size = "WORLD_SIZE", .rank = "RANK",
     .local = "LOCAL_RANK", .local_size = "LOCAL_WORLD_SIZE",
     .job = {"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", NULL}},
    {.name = "Open MPI", .size = "OMPI_COMM_WORLD_SIZE", .rank = "OMPI_COMM_WORLD_RANK",
     .local = "OMPI_COMM_WORLD_LOCAL_RANK", .local_size = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .job = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_ess_jobid"}},
    {.name = "MPI", .size = "PMI_SIZE", .rank = "PMI_RANK",
     .local = "MPI_LOCALRANKID", .local_size = "MPI_LOCALNRANKS", .rather = "SLURM_PROCID",
     .job = {"PMI_KVS", "PMI_JOBID", NULL}},
    {.name = "Slurm", .size = "SLURM_NTASKS", .rank = "SLURM_PROCID",
     .local = "SLURM_LOCALID", .nodes = "SLURM_NNODES",
     .job = {"SLURM_JOB_ID", "SLURM_STEP_ID", NULL}, .shell = true},
};
/* clang-format on */

static bool read_number(const char *name, uint32_t *out) {
    const char *text = name ? getenv(name) : NULL;
    char *end = NULL;
    unsigned long n = text ? strtoul(text, &end, 10) : 0;
    if (!text || end == text || *end || n > UINT_MAX) return false;
    *out = (uint32_t)n;
    return true;
}
/* --ranks N or --ranks=N; 0: not given. */
static uint32_t asked(char **argv) {
    static const char option[] = "--ranks";
    size_t n = sizeof option - 1;
    for (; *argv; argv++) {
        if (strncmp(*argv, option, n) != 0) continue;
        if ((*argv)[n] == '=') return (uint32_t)strtoul(*argv + n + 1, NULL, 10);
        if (!(*argv)[n]) return argv[1] ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    }
    return 0;
}
static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

const char *lab_world_foreign(char **argv, struct lab_world *w) {
    uint32_t given = asked(argv);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *l = &launchers[i];
        struct lab_meet_place *p = &w->place;
        uint32_t near = 0, nodes = 1;
        *w = (struct lab_world){.launcher = l->name, .place.listener = -1};
        if (!read_number(l->size, &p->ranks) || p->ranks < 2 || !read_number(l->rank, &p->rank) ||
            (l->rather && getenv(l->rather) && !getenv(l->local)) ||
            (given && (l->shell || given != p->ranks)))
            continue;
        w->local = p->rank;
        (void)read_number(l->local, &w->local);
        (void)read_number(l->nodes, &nodes);
        p->several = nodes > 1 || (read_number(l->local_size, &near) && near < p->ranks);
        w->job = LAB_HASH_START;
        for (size_t j = 0; j < 3; j++) {
            const char *part = l->job[j] ? getenv(l->job[j]) : NULL;
            if (part) w->job = hash_text(w->job, part);
        }
        return l->name;
    }
    *w = (struct lab_world){.place.listener = -1};
    return NULL;
}

/* ── where they meet ── */

/* The port after MASTER_PORT: at that one torchrun's own store listens. */
static bool by_master(struct lab_meet_place *p) {
    uint32_t port = 0;
    const char *host = getenv("MASTER_ADDR");
    if (!host || strlen(host) >= sizeof p->host || !read_number("MASTER_PORT", &port) || !port ||
        port >= 65535)
        return false;
    (void)snprintf(p->host, sizeof p->host, "%s", host);
    (void)snprintf(p->port, sizeof p->port, "%u", (port + 1) & 0xffffu);
    return true;
}
/* The first of "gpu[03-05,9]-ib,login1" is "gpu03-ib". */
static void first_host(const char *list, char *out, size_t capacity) {
    size_t n = 0;
    for (bool inside = false, taken = false; *list && n + 1 < capacity; list++) {
        if (*list == '[')
            inside = true, taken = false;
        else if (*list == ']')
            inside = false;
        else if (inside && (*list == ',' || *list == '-'))
            taken = true;
        else if (*list == ',')
            break;
        else if (!inside || !taken)
            out[n++] = *list;
    }
    out[n] = '\0';
}
/* A port that follows from the job, below those that systems give out by themselves. */
static void port_of_job(struct lab_world *w) {
    (void)snprintf(w->place.port, sizeof w->place.port, "%u", 20000 + (unsigned)(w->job % 12000));
}
static bool by_nodes(struct lab_world *w) {
    struct lab_meet_place *p = &w->place;
    const char *list = getenv("SLURM_STEP_NODELIST");
    if (!list) list = getenv("SLURM_JOB_NODELIST");
    if (!p->several)
        (void)snprintf(p->host, sizeof p->host, "127.0.0.1");
    else if (list)
        first_host(list, p->host, sizeof p->host);
    port_of_job(w);
    return p->host[0] != '\0';
}
/* "host:port", "[::1]:port"; without a port it follows from the job. */
static bool read_place(const char *text, struct lab_world *w, struct lab_message *m) {
    struct lab_meet_place *p = &w->place;
    const char *colon = strrchr(text, ':'), *from = text;
    size_t n = colon ? (size_t)(colon - text) : strlen(text);
    if (n > 2 && text[0] == '[' && text[n - 1] == ']') from++, n -= 2;
    char *end = NULL;
    unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 1;
    if (n && n < sizeof p->host && port > 0 && port < 65536 &&
        (!colon || (end != colon + 1 && !*end))) {
        (void)snprintf(p->host, sizeof p->host, "%.*s", (int)n, from);
        port_of_job(w);
        if (colon) (void)snprintf(p->port, sizeof p->port, "%u", (unsigned)port);
        return true;
    }
    (void)snprintf(m->text, sizeof m->text,
                   "--rendezvous %.100s: use rank 0's machine and a free port of it, as "
                   "node1:29600",
                   text);
    return false;
}
bool lab_world_place(const struct lab_options *o, struct lab_world *w, struct lab_message *m) {
    struct lab_meet_place *p = &w->place;
    p->patience = o->patience;
    if (p->rank >= p->ranks || p->ranks > LAB_RANKS_MAX) {
        (void)snprintf(m->text, sizeof m->text, "%s says rank %u of %u: zerolab runs 1 to %d ranks",
                       w->launcher, p->rank, p->ranks, LAB_RANKS_MAX);
        return false;
    }
    if (o->rendezvous[0] ? !read_place(o->rendezvous, w, m) : !by_master(p) && !by_nodes(w)) {
        if (!m->text[0])
            (void)snprintf(
                m->text, sizeof m->text,
                "%s does not say where rank 0 is: start all ranks with --rendezvous HOST:PORT",
                w->launcher);
        return false;
    }
    return !lab_computes(o) || lab_secret_key(w->job, &p->key, m);
}

/* ── our own ── */

int lab_inherited(const char *list, uint32_t i) {
    const char *at = getenv(list);
    for (; at && i; i--) at = (at = strchr(at, ',')) ? at + 1 : NULL;
    char *end;
    long n = at ? strtol(at, &end, 10) : -1;
    return n < 0 || end == at ? -1 : (int)n;
}
bool lab_launched(void) {
    return getenv(LAB_ENV_LINES) != NULL;
}
uint32_t lab_launch_rank(void) {
    int rank = lab_inherited(LAB_ENV_RANK, 0);
    return rank < 0 ? 0 : (uint32_t)rank;
}

/* Forward in both parts by what was written. */
static void advance(struct iovec part[2], size_t n) {
    for (int i = 0; i < 2; i++) {
        size_t some = n < part[i].iov_len ? n : part[i].iov_len;
        part[i].iov_base = (char *)part[i].iov_base + some;
        part[i].iov_len -= some;
        n -= some;
    }
}
bool lab_launch_write(uint32_t rank, const char *line) {
    int fd = lab_inherited(LAB_ENV_LINES, rank);
    char newline = '\n', *text = (char *)(uintptr_t)line;
    struct iovec part[2] = {{.iov_base = text, .iov_len = strlen(line)},
                            {.iov_base = &newline, .iov_len = 1}};
    while (part[1].iov_len) {
        ssize_t n = writev(fd, part, 2);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) advance(part, (size_t)n);
    }
    return true;
}

bool lab_world_own(struct lab_world *w, struct lab_message *m) {
    *w = (struct lab_world){.place = {.listener = lab_inherited(LAB_ENV_LISTENER, 0)}};
    struct lab_meet_place *p = &w->place;
    const char *port = getenv(LAB_ENV_PORT);
    p->rank = lab_launch_rank();
    (void)read_number(LAB_ENV_RANKS, &p->ranks);
    (void)read_number(LAB_ENV_LOCAL_RANK, &w->local);
    (void)snprintf(p->host, sizeof p->host, "127.0.0.1");
    (void)snprintf(p->port, sizeof p->port, "%s", port ? port : "");
    if (p->rank != 0) p->listener = -1;
    p->patience = 60; /* they were all started at once */
    return !port || lab_secret_key(w->job, &p->key, m);
}
