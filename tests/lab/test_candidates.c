/* A rank asks to join at every address of rank 0's place at the same time, so rank 0 meets some
 * ranks more than once. Here the test is rank 0, or such a rank, and speaks their protocol itself,
 * so that the order of what they say is the test's. */
#include "lab/meet.h"
#include "lab/meet_link.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CANDIDATES = 2 };
static const char *const addresses[CANDIDATES] = {"127.0.0.7", "127.0.0.1"};
static const struct lab_key key = {{77}};

/* ── one name with two addresses ── */

static struct sockaddr_in at(const char *address, const char *port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    assert_int_equal(inet_pton(AF_INET, address, &a.sin_addr), 1);
    return a;
}
struct found {
    struct addrinfo info;
    struct sockaddr_in address;
};
/* The C library's, for this program: every name has both addresses. */
int getaddrinfo(const char *restrict host, const char *restrict port,
                const struct addrinfo *restrict wanted, struct addrinfo **restrict out) {
    struct found *f = calloc(CANDIDATES, sizeof *f);
    (void)host, (void)wanted;
    for (size_t i = 0; i < CANDIDATES; i++) {
        f[i].address = at(addresses[i], port);
        f[i].info = (struct addrinfo){.ai_family = AF_INET,
                                      .ai_socktype = SOCK_STREAM,
                                      .ai_addrlen = sizeof f[i].address,
                                      .ai_addr = (struct sockaddr *)&f[i].address,
                                      .ai_next = i + 1 < CANDIDATES ? &f[i + 1].info : NULL};
    }
    *out = &f->info;
    return 0;
}
void freeaddrinfo(struct addrinfo *a) {
    free(a);
}

/* ── what both sides do ── */

static int listen_at(const char *address, char port[8]) {
    struct sockaddr_in a = at(address, port);
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
    (void)snprintf(port, 8, "%u", ntohs(a.sin_port));
    return fd;
}
static struct lab_meet_place place_of(uint32_t rank, const char *port) {
    struct lab_meet_place p = {.rank = rank, .ranks = 2, .listener = -1, .patience = 30};
    p.key = key;
    (void)snprintf(p.host, sizeof p.host, "two.test");
    (void)snprintf(p.port, sizeof p.port, "%s", port);
    return p;
}
static void wait_for(struct lab_link *l) {
    struct pollfd fd = {.fd = l->fd, .events = lab_link_wants(l)};
    assert_int_equal(poll(&fd, 1, 30000), 1);
    lab_link_move(l);
}
static void take(struct lab_link *l, enum lab_frame_kind kind, void *to, size_t capacity) {
    size_t n;
    while (!lab_link_take(l, kind, to, capacity, &n)) {
        if (l->ended) fail_msg("frame %d did not come", (int)kind);
        wait_for(l);
    }
    assert_int_equal(n, capacity);
}
static void put(struct lab_link *l, enum lab_frame_kind kind, const void *bytes, size_t n) {
    lab_link_put(l, kind, bytes, n);
    lab_link_move(l);
    assert_int_equal(l->out.used, 0);
}
static void await_end(struct lab_link *l) {
    while (!l->ended) wait_for(l);
}

/* A process that says on standard error or output what it has to say; all of it is read at its
 * end. */
struct process {
    pid_t pid;
    int from;
    char said[2048];
};
static struct process fork_process(void) {
    struct process p = {.said = ""};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    p.pid = fork();
    if (p.pid == 0) {
        alarm(60);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
    }
    (void)close(ends[1]);
    p.from = ends[0];
    return p;
}
static void finish(struct process *p) {
    size_t used = 0;
    for (ssize_t n; (n = read(p->from, p->said + used, sizeof p->said - 1 - used)) > 0;)
        used += (size_t)n;
    (void)close(p->from);
    assert_int_equal(waitpid(p->pid, NULL, 0), p->pid);
}

/* ── the test is rank 0, at two addresses ── */

struct candidate {
    int listener;
    struct lab_link link;
    struct lab_nonces nonces;
};
static struct process start_rank(struct candidate candidate[CANDIDATES]) {
    char port[8] = "0";
    for (size_t i = 0; i < CANDIDATES; i++) candidate[i].listener = listen_at(addresses[i], port);
    struct process p = fork_process();
    if (p.pid) return p;
    struct lab_meet_place place = place_of(1, port);
    struct lab_about about = {1, 2, {"node1", 0, 5}};
    struct lab_link link;
    struct lab_message m = {""};
    for (size_t i = 0; i < CANDIDATES; i++) (void)close(candidate[i].listener);
    bool well = lab_meet_find(&place, &about, &link, &m);
    (void)printf("%s\n", well ? "well" : m.text);
    (void)fflush(stdout);
    _exit(0);
}
/* Hears who is there. */
static void open_candidate(struct candidate *d) {
    struct lab_join join;
    int fd = accept(d->listener, NULL, NULL);
    assert_true(fd >= 0);
    lab_link_open(&d->link, fd);
    take(&d->link, LAB_FRAME_JOIN, &join, sizeof join);
    memcpy(d->nonces.client, join.nonce, sizeof join.nonce);
}
static void greet(struct candidate *d) {
    struct lab_challenge c;
    struct lab_hello hello;
    memset(d->nonces.rank_0, 9, sizeof d->nonces.rank_0);
    memcpy(c.nonce, d->nonces.rank_0, sizeof c.nonce);
    c.proof = lab_prove(&key, LAB_PROOF_RANK_0, &d->nonces, NULL, 0);
    put(&d->link, LAB_FRAME_CHALLENGE, &c, sizeof c);
    take(&d->link, LAB_FRAME_HELLO, &hello, sizeof hello);
}
static void refuse(struct candidate *d) {
    static const char why[] = "rank 1 is there already";
    put(&d->link, LAB_FRAME_REFUSED, why, sizeof why - 1);
    await_end(&d->link); /* so it has been heard */
}
static void close_candidates(struct candidate candidate[CANDIDATES]) {
    for (size_t i = 0; i < CANDIDATES; i++) {
        lab_link_close(&candidate[i].link);
        (void)close(candidate[i].listener);
    }
}
static void a_refusal_at_one_candidate_does_not_hide_an_acceptance_at_another(void **state) {
    (void)state;
    for (size_t accepted = 0; accepted < CANDIDATES; accepted++) {
        struct candidate candidate[CANDIDATES];
        struct process rank = start_rank(candidate);
        for (size_t i = 0; i < CANDIDATES; i++) open_candidate(&candidate[i]);
        for (size_t i = 0; i < CANDIDATES; i++) greet(&candidate[i]);
        refuse(&candidate[!accepted]);
        lab_link_put(&candidate[accepted].link, LAB_FRAME_ACCEPTED, NULL, 0);
        lab_link_move(&candidate[accepted].link);
        finish(&rank);
        close_candidates(candidate);
        assert_string_equal(rank.said, "well\n");
    }
}
static void a_refusal_at_every_candidate_is_final(void **state) {
    (void)state;
    struct candidate candidate[CANDIDATES];
    struct process rank = start_rank(candidate);
    for (size_t i = 0; i < CANDIDATES; i++) open_candidate(&candidate[i]);
    for (size_t i = 0; i < CANDIDATES; i++) greet(&candidate[i]);
    for (size_t i = 0; i < CANDIDATES; i++) refuse(&candidate[i]);
    finish(&rank);
    close_candidates(candidate);
    assert_string_equal(rank.said, "rank 1 is there already\n");
}
/* A candidate at which nothing was said yet is not waited for. */
static void a_refusal_is_final_where_no_other_candidate_has_greeted(void **state) {
    (void)state;
    struct candidate candidate[CANDIDATES];
    struct process rank = start_rank(candidate);
    for (size_t i = 0; i < CANDIDATES; i++) open_candidate(&candidate[i]);
    greet(&candidate[1]);
    refuse(&candidate[1]);
    finish(&rank);
    close_candidates(candidate);
    assert_string_equal(rank.said, "rank 1 is there already\n");
}
/* So rank 0 knows them for one rank's; and yet no request is another's, which would let a proof be
 * used twice. */
static void join_requests_of_a_rank_are_alike_and_not_the_same(void **state) {
    (void)state;
    enum { REST = LAB_NONCE_BYTES - LAB_TAG_BYTES };
    struct candidate candidate[CANDIDATES];
    struct process rank = start_rank(candidate);
    for (size_t i = 0; i < CANDIDATES; i++) open_candidate(&candidate[i]);
    const unsigned char *a = candidate[0].nonces.client, *b = candidate[1].nonces.client;
    assert_memory_equal(a, b, LAB_TAG_BYTES);
    assert_memory_not_equal(a + LAB_TAG_BYTES, b + LAB_TAG_BYTES, REST);
    greet(&candidate[0]);
    put(&candidate[0].link, LAB_FRAME_ACCEPTED, NULL, 0);
    finish(&rank);
    close_candidates(candidate);
}

/* ── the test is a rank, at several candidates ── */

static struct process start_rank_0(int listener) {
    struct process p = fork_process();
    if (p.pid) return p;
    struct lab_meet_place place = place_of(0, "1");
    struct lab_meet_card card = {"node0", 0, 5};
    struct lab_message m = {""};
    place.listener = listener;
    struct lab_meet *t = lab_meet_open(&place, &card, NULL, &m);
    (void)printf("%s\n", t ? "met" : m.text);
    if (t) lab_meet_close(t);
    (void)fflush(stdout);
    _exit(0);
}
static struct lab_link join_at(const char *port, unsigned char tag, unsigned char own,
                               struct lab_nonces *nonces) {
    struct sockaddr_in a = at("127.0.0.1", port);
    struct lab_join k = {LAB_HELLO_MAGIC, LAB_MEET_VERSION, {0}};
    struct lab_link l;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    lab_link_open(&l, fd);
    memset(k.nonce, own, sizeof k.nonce);
    memset(k.nonce, tag, LAB_TAG_BYTES);
    memcpy(nonces->client, k.nonce, sizeof k.nonce);
    put(&l, LAB_FRAME_JOIN, &k, sizeof k);
    return l;
}
static void finish_join(struct lab_link *l, struct lab_nonces *nonces) {
    struct lab_challenge c;
    struct lab_hello hello = {.about = {1, 2, {"node1", 0, 5}}};
    take(l, LAB_FRAME_CHALLENGE, &c, sizeof c);
    memcpy(nonces->rank_0, c.nonce, sizeof c.nonce);
    hello.proof = lab_prove(&key, LAB_PROOF_CLIENT, nonces, &hello.about, sizeof hello.about);
    put(l, LAB_FRAME_HELLO, &hello, sizeof hello);
    take(l, LAB_FRAME_ACCEPTED, NULL, 0);
}
/* Hangs up without an answer, and waits until rank 0 has noticed. */
static void leave(struct lab_link *l) {
    assert_int_equal(shutdown(l->fd, SHUT_WR), 0);
    await_end(l);
    lab_link_close(l);
}
static void a_ranks_own_spare_candidates_are_not_named(void **state) {
    static const struct {
        /* of the candidate that is left; the rank's is 1 */
        unsigned char tag;
        bool named;
    } rows[] = {
        {1, false},
        {2, true}, /* another program */
        {0, true}, /* rank 0 itself has no tag */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_nonces first, second;
        char port[8] = "0";
        int listener = listen_at("127.0.0.1", port);
        struct process zero = start_rank_0(listener);
        (void)close(listener);
        struct lab_link rank = join_at(port, 1, 3, &first),
                        spare = join_at(port, rows[i].tag, 4, &second);
        finish_join(&rank, &first);
        leave(&spare);
        put(&rank, LAB_FRAME_BYE, NULL, 0);
        finish(&zero);
        lab_link_close(&rank);
        assert_non_null(strstr(zero.said, "met\n"));
        bool named =
            strstr(zero.said, "rank 0 dropped a connection from 127.0.0.1: it left before");
        if (named != rows[i].named) fail_msg("row %zu: rank 0 said:\n%s", i, zero.said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_at_one_candidate_does_not_hide_an_acceptance_at_another),
        cmocka_unit_test(a_refusal_at_every_candidate_is_final),
        cmocka_unit_test(a_refusal_is_final_where_no_other_candidate_has_greeted),
        cmocka_unit_test(join_requests_of_a_rank_are_alike_and_not_the_same),
        cmocka_unit_test(a_ranks_own_spare_candidates_are_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
