/* The rendezvous: 2 to 8 processes meet, exchange, share and part; and whatever can be wrong about
 * one of them ends in one line that says so. */
#include "lab/meet.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 10, ROUNDS = 20 };

/* What one process does and with what; all fields but `rank` have a usual value. */
struct client {
    uint32_t rank, ranks;
    /* every byte of it */
    unsigned char key;
    uint32_t nccl;
    uint64_t options;
    int late_ms;
    /* killed when all have met */
    bool dies;
    /* breaks off when all have met */
    bool aborts;
    /* says goodbye while the others exchange */
    bool leaves;
    /* connects and says nothing that is ours */
    bool silent;
    /* stands still while the others exchange */
    bool sleeps;
    /* the same, until it is told to go on */
    bool awaits;
    /* is stopped while it waits for the others, and goes on (^Z, fg); then tells */
    bool stops;
    /* as if it was stopped just before it looks at the clock for that time; then tells */
    int leaps;
};
struct party {
    uint32_t ranks;
    double patience, stall;
    struct client client[MOST];
    size_t clients;
    char port[8];
    int listener;
    /* a pipe: one who awaits reads of it that it may go on */
    int go_on[2];
    /* what became of it */
    pid_t pid[MOST];
    int pipe[MOST];
    char said[MOST][2048];
};

static int any_port(char port[8]) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(fd, 64), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
    (void)snprintf(port, 8, "%u", ntohs(a.sin_port));
    return fd;
}
static struct party party_of(uint32_t ranks) {
    struct party p = {.ranks = ranks, .patience = 20, .clients = ranks};
    for (uint32_t r = 0; r < ranks; r++)
        p.client[r] =
            (struct client){.rank = r, .ranks = ranks, .key = 77, .nccl = 22809, .options = 5};
    p.listener = any_port(p.port);
    assert_int_equal(pipe(p.go_on), 0);
    return p;
}

/* ── the clock ── */

enum { LEAP_S = 30, LOOKS_AFTER = 3 };
static struct {
    /* 0: never */
    atomic_int looks, leap;
    int tell;
} ticking; /* in this process */

/* The C library's, for this program. */
int clock_gettime(clockid_t id, struct timespec *t) {
    static int (*_Atomic real)(clockid_t, struct timespec *);
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "clock_gettime");
        int (*function)(clockid_t, struct timespec *);
        memcpy(&function, &found, sizeof function); /* ISO C knows no such conversion */
        real = function;
    }
    int status = real(id, t), leap = ticking.leap;
    if (!leap || id != CLOCK_MONOTONIC) return status;
    int look = ++ticking.looks;
    if (look >= leap) t->tv_sec += LEAP_S;
    if (look == leap + LOOKS_AFTER) (void)!write(ticking.tell, "", 1);
    return status;
}

/* ── a client ── */

static void hear(void *self, uint32_t rank, const char *line) {
    (void)fprintf(self, "heard %u: %s\n", rank, line);
}
/* Numbers that all can check; twice, so that a leftover of the first would show. */
static bool use(struct lab_meet *t, const struct client *g, struct lab_message *m) {
    char id[128] = "";
    double mine[3], all[3 * MOST];
    if (g->rank == 0) (void)snprintf(id, sizeof id, "the id of %d", 4711);
    if (!lab_meet_share(t, id, sizeof id, m)) return false;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t n = round % 4; /* 0: a barrier */
        for (size_t i = 0; i < n; i++) mine[i] = g->rank * 100 + round + (double)i / 8;
        if (!lab_meet_exchange(t, mine, all, n, m)) return false;
        for (uint32_t r = 0; r < g->ranks; r++)
            for (size_t i = 0; i < n; i++)
                if (all[r * n + i] != r * 100 + round + (double)i / 8) {
                    (void)snprintf(m->text, sizeof m->text, "wrong number in round %u", round);
                    return false;
                }
    }
    if (strcmp(id, "the id of 4711") != 0) (void)snprintf(m->text, sizeof m->text, "wrong id");
    return m->text[0] == '\0';
}
static void stop_for_a_while(int tell) {
    pid_t self = getpid();
    if (fork()) return;
    (void)poll(NULL, 0, 100);
    (void)kill(self, SIGSTOP);
    (void)poll(NULL, 0, 1200);
    (void)kill(self, SIGCONT);
    (void)!write(tell, "", 1);
    _exit(0);
}
static void leap(int look, int tell) {
    ticking.tell = tell;
    ticking.leap = look;
}
static bool go(const struct party *p, const struct client *g, FILE *out, struct lab_message *m) {
    struct lab_meet_place place = {.rank = g->rank,
                                   .ranks = g->ranks,
                                   .host = "127.0.0.1",
                                   .listener = g->rank == 0 ? p->listener : -1,
                                   .patience = p->patience,
                                   .stall = p->stall};
    struct lab_meet_card card = {.nccl = g->nccl, .options = g->options};
    struct lab_meet_hearer hearer = {hear, out};
    memset(place.key.byte, g->key, sizeof place.key.byte);
    (void)snprintf(place.port, sizeof place.port, "%s", p->port);
    (void)snprintf(card.host, sizeof card.host, "node%u", g->rank / 4);
    struct lab_meet *t = lab_meet_open(&place, &card, &hearer, m);
    if (!t) return false;
    if (g->dies) raise(SIGKILL);
    if (g->sleeps) (void)poll(NULL, 0, 1500);
    if (g->awaits) (void)!read(p->go_on[0], &(char){0}, 1);
    if (g->stops) stop_for_a_while(p->go_on[1]);
    if (g->leaps) leap(g->leaps, p->go_on[1]);
    if (g->aborts) lab_meet_abort(t, 1, "rank 1: the GPU fell off the bus");
    bool well = g->leaves || (!g->aborts && use(t, g, m));
    char line[64];
    (void)snprintf(line, sizeof line, "rank %u is done", g->rank);
    if (well) lab_meet_say(t, line);
    lab_meet_close(t);
    return well;
}
static void babble(const struct party *p) {
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                            .sin_port = htons((uint16_t)atoi(p->port))};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    static const char words[] = "GET / HTTP/1.1\r\nHost: example\r\n\r\n";
    if (!connect(fd, (struct sockaddr *)&a, sizeof a)) (void)!write(fd, words, sizeof words - 1);
    char answer;
    while (read(fd, &answer, 1) > 0) continue;
}
static _Noreturn void be(const struct party *p, const struct client *g, int fd) {
    FILE *out = fdopen(fd, "w");
    struct lab_message m = {""};
    alarm(60);
    (void)setvbuf(out, NULL, _IOLBF, 0);
    (void)dup2(fd, STDERR_FILENO);
    if (g->rank != 0) (void)close(p->listener);
    (void)poll(NULL, 0, g->late_ms);
    if (g->silent)
        babble(p);
    else if (go(p, g, out, &m))
        (void)fprintf(out, "well\n");
    else
        (void)fprintf(out, "not: %s\n", m.text);
    (void)fclose(out);
    _exit(0);
}
static void meet_all(struct party *p) {
    for (size_t i = 0; i < p->clients; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        p->pid[i] = fork();
        if (p->pid[i] == 0) be(p, &p->client[i], ends[1]);
        (void)close(ends[1]);
        p->pipe[i] = ends[0];
    }
    if (p->listener >= 0) (void)close(p->listener);
    for (size_t i = 0; i < 2; i++) (void)close(p->go_on[i]);
    for (size_t i = 0; i < p->clients; i++) {
        size_t used = 0;
        for (ssize_t n;
             used < sizeof p->said[i] - 1 &&
             (n = read(p->pipe[i], p->said[i] + used, sizeof p->said[i] - 1 - used)) > 0;)
            used += (size_t)n;
        (void)close(p->pipe[i]);
        assert_int_equal(waitpid(p->pid[i], NULL, 0), p->pid[i]);
    }
}
static void said(const struct party *p, size_t i, const char *what) {
    if (strstr(p->said[i], what)) return;
    fail_msg("client %zu said:\n%swithout: %s", i, p->said[i], what);
}
static void all_said(const struct party *p, const char *what) {
    for (size_t i = 0; i < p->clients; i++) said(p, i, what);
}

/* ── meeting ── */

static void meets_exchanges_and_parts(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 5, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct party p = party_of(sizes[i]);
        meet_all(&p);
        all_said(&p, "well");
        for (uint32_t r = 0; r < p.ranks; r++) {
            char line[64];
            (void)snprintf(line, sizeof line, "heard %u: rank %u is done", r, r);
            said(&p, 0, line);
        }
    }
}
static void waits_for_a_slow_rank(void **state) {
    (void)state;
    struct party p = party_of(3);
    p.client[2].late_ms = 700;
    meet_all(&p);
    all_said(&p, "well");
}
/* The others come before rank 0 listens. */
static void waits_for_rank_0(void **state) {
    (void)state;
    struct party p = party_of(3);
    (void)close(p.listener);
    p.listener = -1;
    p.client[0].late_ms = 700;
    meet_all(&p);
    all_said(&p, "well");
}
static void a_program_without_the_secret_changes_nothing(void **state) {
    (void)state;
    struct party p = party_of(2);
    p.client[1].late_ms = 400;
    p.client[p.clients++] = (struct client){.rank = 9, .silent = true};
    meet_all(&p);
    said(&p, 0, "well");
    said(&p, 1, "well");
}

/* ── not meeting ── */

static void names_the_missing(void **state) {
    (void)state;
    struct party p = party_of(8);
    p.patience = 0.7;
    p.client[2] = p.client[7]; /* 2, 5 and 6 stay away */
    p.clients = 5;
    meet_all(&p);
    all_said(&p, "not: ranks 2, 5, 6 of 8 did not come to 127.0.0.1:");
}
static void one_missing(void **state) {
    (void)state;
    struct party p = party_of(2);
    p.patience = 0.5;
    p.clients = 1;
    meet_all(&p);
    said(&p, 0, "not: rank 1 of 2 did not come");
}
static void nobody_listens(void **state) {
    (void)state;
    struct party p = party_of(2);
    (void)close(p.listener);
    p.listener = -1;
    p.patience = 0.5;
    p.client[0] = p.client[1];
    p.clients = 1;
    meet_all(&p);
    said(&p, 0, "not: rank 1 found no rank 0 at 127.0.0.1:");
    said(&p, 0, "within 0.5 s");
}
/* It comes first and claims another's rank. The others go on, and it hears nothing of the run. */
static void one_with_another_secret_is_not_accepted(void **state) {
    (void)state;
    struct party p = party_of(3);
    p.client[p.clients] = p.client[1];
    p.client[p.clients++].key = 78;
    p.client[1].late_ms = p.client[2].late_ms = 500;
    p.patience = 8;
    meet_all(&p);
    said(&p, 3, "not: rank 1 found no rank 0 at 127.0.0.1:");
    said(&p, 3,
         "the program at 127.0.0.1 belongs to another run, or has another secret: set "
         "ZEROLAB_SECRET");
    said(&p, 0,
         "zerolab: rank 0 dropped a connection from 127.0.0.1: it does not have this run's secret");
    for (size_t i = 0; i < 3; i++) said(&p, i, "well");
}
static void another_secret_is_why_a_rank_is_missing(void **state) {
    (void)state;
    struct party p = party_of(2);
    p.client[1].key = 78;
    p.patience = 1;
    meet_all(&p);
    said(&p, 0, "not: rank 1 of 2 did not come to 127.0.0.1:");
    said(&p, 0, "another secret: set ZEROLAB_SECRET to the same words on all ranks");
}
static void a_rank_twice_is_sent_away(void **state) {
    (void)state;
    struct party p = party_of(3);
    p.client[p.clients] = p.client[1];
    p.client[p.clients++].late_ms = 300;
    p.client[2].late_ms = 800;
    meet_all(&p);
    said(&p, 3, "rank 1 is there already, from node0: two processes have the same number");
    for (size_t i = 0; i < 3; i++) said(&p, i, "well");
}
/* It comes after the deadline, while rank 0 still says goodbye, or later. */
static void a_late_rank_hears_that_it_is_late(void **state) {
    (void)state;
    struct party p = party_of(2);
    p.patience = 0.5;
    p.client[1].late_ms = 900;
    meet_all(&p);
    said(&p, 0, "not: rank 1 of 2 did not come");
    said(&p, 1, "not: rank 1 ");
}
static void each_difference_is_named(void **state) {
    (void)state;
    static const struct {
        struct client other;
        const char *what;
    } table[] = {
        {{.rank = 1, .ranks = 4, .key = 77, .nccl = 22809, .options = 5},
         "rank 1 on node0 was started as one of 4, rank 0 as one of 2"},
        {{.rank = 1, .ranks = 2, .key = 77, .nccl = 22809, .options = 6},
         "rank 1 on node0 was started with other options than rank 0"},
        {{.rank = 1, .ranks = 2, .key = 77, .nccl = 22705, .options = 5},
         "rank 1 on node0 has NCCL 2.27.5, rank 0 has 2.28.9"},
        {{.rank = 6, .ranks = 2, .key = 77, .nccl = 22809, .options = 5},
         "rank 6 on node1 was started as one of 2"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct party p = party_of(2);
        p.client[1] = table[i].other;
        meet_all(&p);
        all_said(&p, table[i].what);
    }
}
static void a_port_in_use(void **state) {
    (void)state;
    struct party p = party_of(1);
    struct party other = p;
    other.listener = -1; /* and the party's own stays open in this process */
    other.patience = 0.5;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) be(&other, &other.client[0], pipes[1]);
    (void)close(pipes[1]);
    char text[1024] = "";
    size_t used = 0;
    for (ssize_t n; (n = read(pipes[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    (void)waitpid(pid, NULL, 0);
    (void)close(pipes[0]);
    (void)close(p.listener);
    const char *end = strstr(text, "not: rank 0 cannot listen at 127.0.0.1:");
    const char *first = strstr(text, "zerolab: rank 0 cannot listen at 127.0.0.1:");
    assert_non_null(first); /* it tries again, and says so once */
    assert_null(strstr(first + 1, "zerolab:"));
    assert_non_null(end);
    assert_non_null(strstr(end, "the port is in use"));
    assert_non_null(strstr(end, "--rendezvous"));
}
static void places_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *host, *what;
    } table[] = {
        {"203.0.113.7", "does not have that address"},
        {"no-such-host.invalid.", "is not found"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct lab_message m = {""};
        struct lab_meet_place place = {.ranks = 1, .listener = -1, .patience = 1};
        struct lab_meet_card card = {.nccl = 1};
        (void)snprintf(place.host, sizeof place.host, "%s", table[i].host);
        (void)snprintf(place.port, sizeof place.port, "29555");
        assert_null(lab_meet_open(&place, &card, NULL, &m));
        if (!strstr(m.text, table[i].what)) fail_msg("%s: %s", table[i].host, m.text);
    }
}

/* ── losing each other ── */

static void a_peer_that_dies_is_named(void **state) {
    (void)state;
    for (uint32_t r = 1; r < 4; r += 2) {
        struct party p = party_of(4);
        char what[64];
        p.client[r].dies = true;
        meet_all(&p);
        (void)snprintf(what, sizeof what, "not: rank %u on node0 left the run without a message",
                       r);
        for (uint32_t i = 0; i < p.ranks; i++)
            if (i != r) said(&p, i, what);
    }
}
static void rank_0_that_dies_is_named(void **state) {
    (void)state;
    struct party p = party_of(4);
    p.client[0].dies = true;
    meet_all(&p);
    for (uint32_t i = 1; i < p.ranks; i++) said(&p, i, "not: rank 0 left the run");
}
static void breaking_off_reaches_all(void **state) {
    (void)state;
    struct party p = party_of(5);
    p.client[1].aborts = true;
    meet_all(&p);
    for (uint32_t i = 0; i < p.ranks; i++)
        if (i != 1) said(&p, i, "not: rank 1: the GPU fell off the bus");
}
static void a_rank_that_leaves_early_is_missed(void **state) {
    (void)state;
    struct party p = party_of(3);
    p.client[2].leaves = true;
    meet_all(&p);
    said(&p, 0, "not: rank 2 on node0 left the run");
    said(&p, 1, "not: rank 2 on node0 left the run");
}

static void a_rank_that_stands_still_is_named(void **state) {
    (void)state;
    struct party p = party_of(3);
    p.stall = 0.4;
    p.client[1].sleeps = true;
    meet_all(&p);
    said(&p, 0, "not: rank 1 on node0 gave no sign of life for 0.4 s while others wait for it");
    said(&p, 2, "not: rank 1 on node0 gave no sign of life");
}
/* Time in which rank 0 itself did not run is nobody's. */
static void who_was_stopped_blames_nobody(void **state) {
    (void)state;
    struct party p = party_of(2);
    p.stall = 1;
    p.client[0].stops = true;
    p.client[1].awaits = true;
    meet_all(&p);
    all_said(&p, "well");
}
/* Wherever it is when it is stopped. */
static void a_stop_at_any_moment_blames_nobody(void **state) {
    (void)state;
    for (int look = 1; look <= 6; look++) {
        struct party p = party_of(2);
        p.stall = LEAP_S / 2.0;
        p.client[0].leaps = look;
        p.client[1].awaits = true;
        meet_all(&p);
        all_said(&p, "well");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meets_exchanges_and_parts),
        cmocka_unit_test(waits_for_a_slow_rank),
        cmocka_unit_test(waits_for_rank_0),
        cmocka_unit_test(a_program_without_the_secret_changes_nothing),
        cmocka_unit_test(names_the_missing),
        cmocka_unit_test(one_missing),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(one_with_another_secret_is_not_accepted),
        cmocka_unit_test(another_secret_is_why_a_rank_is_missing),
        cmocka_unit_test(a_rank_twice_is_sent_away),
        cmocka_unit_test(a_late_rank_hears_that_it_is_late),
        cmocka_unit_test(each_difference_is_named),
        cmocka_unit_test(a_port_in_use),
        cmocka_unit_test(places_that_are_none),
        cmocka_unit_test(a_peer_that_dies_is_named),
        cmocka_unit_test(rank_0_that_dies_is_named),
        cmocka_unit_test(breaking_off_reaches_all),
        cmocka_unit_test(a_rank_that_leaves_early_is_missed),
        cmocka_unit_test(a_rank_that_stands_still_is_named),
        cmocka_unit_test(who_was_stopped_blames_nobody),
        cmocka_unit_test(a_stop_at_any_moment_blames_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
