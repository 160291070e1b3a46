/* The way to the meeting place and who stands at it: names that are not known yet, addresses that
 * are dead, and other programs of every kind, none of which may end a run or hear of it. This
 * program is its own resolver, so the names mean the same on every machine. */
#include "lab/interface.h"
#include "lab/meet.h"
#include "lab/world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ── names ── */

static const struct {
    const char *name;
    /* so often in vain before it is known */
    int asked;
    const char *address[3];
} names[] = {
    {"late.test", 3, {"127.0.0.1"}},  {"dead.test", 0, {"127.0.0.7", "127.0.0.1"}},
    {"node1.test", 0, {"127.0.0.1"}}, {"node1", 0, {"127.0.0.1"}},
    {"own.test", 0, {"127.0.0.9"}},
};
static int asked; /* in this process */

static struct addrinfo *address_of(const char *text, const char *port, struct addrinfo *next) {
    struct sockaddr_in *a = calloc(1, sizeof *a);
    struct addrinfo *one = calloc(1, sizeof *one);
    a->sin_family = AF_INET;
    a->sin_port = htons((uint16_t)atoi(port));
    assert_int_equal(inet_pton(AF_INET, text, &a->sin_addr), 1);
    *one = (struct addrinfo){.ai_family = AF_INET,
                             .ai_socktype = SOCK_STREAM,
                             .ai_addrlen = sizeof *a,
                             .ai_addr = (struct sockaddr *)a,
                             .ai_next = next};
    return one;
}
/* The C library's, for this program. */
int getaddrinfo(const char *restrict host, const char *restrict port,
                const struct addrinfo *restrict wanted, struct addrinfo **restrict out) {
    struct in_addr number;
    (void)wanted;
    *out = NULL;
    if (inet_pton(AF_INET, host, &number) == 1) *out = address_of(host, port, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, host) != 0) continue;
        if (asked++ < names[i].asked) return EAI_AGAIN;
        for (size_t k = 3; k--;)
            if (names[i].address[k]) *out = address_of(names[i].address[k], port, *out);
    }
    return *out ? 0 : EAI_NONAME;
}
void freeaddrinfo(struct addrinfo *a) {
    for (struct addrinfo *next; a; a = next) {
        next = a->ai_next;
        free(a->ai_addr);
        free(a);
    }
}

/* ── sockets ── */

static struct sockaddr_in at(const char *address, const char *port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    assert_int_equal(inet_pton(AF_INET, address, &a.sin_addr), 1);
    return a;
}
static int listen_at(const char *address, const char *port, int backlog) {
    struct sockaddr_in a = at(address, port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(fd, backlog), 0);
    return fd;
}
static void free_port(char port[8]) {
    struct sockaddr_in a;
    socklen_t size = sizeof a;
    int fd = listen_at("127.0.0.1", "0", 1);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
    (void)snprintf(port, 8, "%u", ntohs(a.sin_port));
    (void)close(fd);
}
/* −1 where nobody listens. */
static int connect_to(const char *address, const char *port) {
    struct sockaddr_in a = at(address, port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0) return fd;
    (void)close(fd);
    return -1;
}
static int await_listener(const char *address, const char *port) {
    int fd;
    while ((fd = connect_to(address, port)) < 0) (void)poll(NULL, 0, 10);
    return fd;
}

/* ── ranks ── */

struct rank {
    pid_t pid;
    int from;
    char said[4096];
};
/* A rank of two as torchrun starts it, of a user whose home is `home`; it tells what became of it
 * and which id it got. */
static void take_part(uint32_t rank, const char *home, const char *host, const char *port,
                      double patience) {
    struct lab_options o = {.patience = patience};
    struct lab_meet_card card = {.options = 5};
    struct lab_message m = {""};
    struct lab_world w;
    char number[12], id[64] = "", *words[] = {NULL};
    (void)snprintf(number, sizeof number, "%u", rank);
    (void)snprintf(o.rendezvous, sizeof o.rendezvous, "%s:%s", host, port);
    setenv("HOME", home, 1);
    unsetenv("XDG_STATE_HOME");
    setenv("RANK", number, 1);
    setenv("WORLD_SIZE", "2", 1);
    if (rank == 0) (void)snprintf(id, sizeof id, "the id");
    (void)lab_world_foreign(words, &w);
    struct lab_meet *t =
        lab_world_place(&o, &w, &m) ? lab_meet_open(&w.place, &card, NULL, &m) : NULL;
    bool well = t && lab_meet_share(t, id, sizeof id, &m);
    (void)printf("%s %s\n", well ? "well:" : "not:", well ? id : m.text);
    if (t) lab_meet_close(t);
}
static struct rank start(uint32_t rank, const char *home, const char *host, const char *port,
                         double patience) {
    struct rank r = {.said = ""};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    r.pid = fork();
    if (r.pid == 0) {
        alarm(60);
        (void)close(ends[0]);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        take_part(rank, home, host, port, patience);
        (void)fflush(stdout);
        _exit(0);
    }
    (void)close(ends[1]);
    r.from = ends[0];
    return r;
}
/* Reads until it has said that. */
static void await_words(struct rank *r, const char *words) {
    size_t used = 0;
    for (ssize_t n = 1;
         n > 0 && !strstr(r->said, words) && used<sizeof r->said - 1; used += n> 0 ? (size_t)n : 0)
        n = read(r->from, r->said + used, sizeof r->said - 1 - used);
    if (!strstr(r->said, words)) fail_msg("said:\n%s\nwithout: %s", r->said, words);
}
static void finish(struct rank *r) {
    size_t used = strlen(r->said);
    for (ssize_t n; used < sizeof r->said - 1 &&
                    (n = read(r->from, r->said + used, sizeof r->said - 1 - used)) > 0;)
        used += (size_t)n;
    (void)close(r->from);
    assert_int_equal(waitpid(r->pid, NULL, 0), r->pid);
}
static void said(const struct rank *r, const char *what) {
    if (!strstr(r->said, what)) fail_msg("said:\n%s\nwithout: %s", r->said, what);
}
static void both_go_well(struct rank *zero, struct rank *one) {
    finish(zero);
    finish(one);
    said(zero, "well: the id");
    said(one, "well: the id");
}
static char home[64], other_home[64];

/* ── the way there ── */

static void a_name_that_is_not_known_yet(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    struct rank one = start(1, home, "late.test", port, 30);
    struct rank zero = start(0, home, "late.test", port, 30);
    both_go_well(&zero, &one);
}
static void a_name_that_nobody_knows(void **state) {
    (void)state;
    struct rank one = start(1, home, "never.test", "29600", 0.5);
    finish(&one);
    said(&one, "not: the rendezvous never.test:29600 is not found (");
    said(&one, "within 0.5 s: set --rendezvous to the address of rank 0's machine");
}
/* Its queue is full, so it answers nothing: as a machine does that is off. */
static void one_dead_address(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    int dead = listen_at("127.0.0.7", port, 0), filler[4];
    struct sockaddr_in a = at("127.0.0.7", port);
    for (size_t i = 0; i < 4; i++) {
        filler[i] = socket(AF_INET, SOCK_STREAM, 0);
        (void)fcntl(filler[i], F_SETFL, O_NONBLOCK);
        (void)connect(filler[i], (struct sockaddr *)&a, sizeof a);
    }
    struct rank zero = start(0, home, "127.0.0.1", port, 15);
    struct rank one = start(1, home, "dead.test", port, 15);
    both_go_well(&zero, &one);
    for (size_t i = 0; i < 4; i++) (void)close(filler[i]);
    (void)close(dead);
}
static void two_spellings_of_one_host(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    struct rank zero = start(0, home, "node1", port, 15);
    struct rank one = start(1, home, "node1.test", port, 15);
    both_go_well(&zero, &one);
}
static void listens_where_its_name_says_and_nowhere_else(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    setenv("LOCAL_WORLD_SIZE", "1", 1); /* two machines */
    struct rank zero = start(0, home, "own.test", port, 15);
    (void)close(await_listener("127.0.0.9", port));
    assert_int_equal(connect_to("127.0.0.1", port), -1);
    struct rank one = start(1, home, "own.test", port, 15);
    both_go_well(&zero, &one);
    unsetenv("LOCAL_WORLD_SIZE");
}
/* Whoever holds it may let go of it before the ranks lose patience. */
static void a_port_that_is_held_for_a_while(void **state) {
    (void)state;
    static const char words[] = "the port is in use";
    char port[8];
    free_port(port);
    struct rank holder = start(0, other_home, "127.0.0.1", port, 50);
    (void)close(await_listener("127.0.0.1", port));
    struct rank zero = start(0, home, "127.0.0.1", port, 30);
    await_words(&zero, words);
    (void)kill(holder.pid, SIGKILL);
    finish(&holder);
    struct rank one = start(1, home, "127.0.0.1", port, 30);
    both_go_well(&zero, &one);
    said(&zero, "--rendezvous");
}

/* ── other programs ── */

/* It knows all that is public: port, job, number of ranks. */
static void another_user_is_not_let_in(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    (void)close(await_listener("127.0.0.1", port));
    struct rank other = start(1, other_home, "127.0.0.1", port, 1);
    finish(&other);
    said(&other, "not: rank 1 found no rank 0 at 127.0.0.1:");
    struct rank one = start(1, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    said(&zero, "rank 0 dropped a connection from 127.0.0.1: it does not have this run's secret");
}
/* It has the port before rank 0 can have it, at one of two addresses. */
static void another_user_in_rank_0s_place(void **state) {
    (void)state;
    char port[8];
    free_port(port);
    struct rank impostor = start(0, other_home, "127.0.0.7", port, 20);
    (void)close(await_listener("127.0.0.7", port));
    struct rank one = start(1, home, "dead.test", port, 20);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    (void)kill(impostor.pid, SIGKILL);
    finish(&impostor);
}
/* Whoever listens there could say anything: words of another program end nothing. */
static void a_refusal_by_another_program(void **state) {
    (void)state;
    static const uint32_t refusal[] = {0x5a4c4142u, 3, 8, 0x6f206f67u, 0x1b217475u};
    char port[8], byte;
    free_port(port);
    int listener = listen_at("127.0.0.7", port, 8);
    struct rank one = start(1, home, "dead.test", port, 20);
    int fd = accept(listener, NULL, NULL);
    assert_true(read(fd, &byte, 1) == 1);
    assert_int_equal(write(fd, refusal, sizeof refusal), sizeof refusal);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    (void)close(fd);
    (void)close(listener);
}
/* More silent clients than there are slots. */
static void a_silent_crowd(void **state) {
    (void)state;
    enum { CROWD = 150 };
    char port[8];
    int fd[CROWD];
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 30);
    fd[0] = await_listener("127.0.0.1", port);
    for (size_t i = 1; i < CROWD; i++) fd[i] = connect_to("127.0.0.1", port);
    struct rank one = start(1, home, "127.0.0.1", port, 30);
    both_go_well(&zero, &one);
    for (size_t i = 0; i < CROWD; i++) (void)close(fd[i]);
}
/* Each has a time of its own, also when the others wait for somebody else. */
static void a_silent_client_is_dropped(void **state) {
    (void)state;
    char port[8], byte;
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 4);
    int fd = await_listener("127.0.0.1", port);
    struct pollfd closed = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&closed, 1, 20000), 1);
    assert_true(read(fd, &byte, 1) <= 0);
    (void)close(fd);
    finish(&zero);
    said(&zero, "rank 0 dropped a connection from 127.0.0.1: it took too long");
    said(&zero, "not: rank 1 of 2 did not come");
}
/* Another program may not make rank 0 keep a megabyte for it. */
static void a_long_frame_of_another_program(void **state) {
    (void)state;
    static const uint32_t head[] = {0x5a4c4142u, 1, 1 << 20};
    char port[8], byte;
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    int fd = await_listener("127.0.0.1", port);
    assert_int_equal(write(fd, head, sizeof head), sizeof head);
    assert_true(read(fd, &byte, 1) <= 0);
    struct rank one = start(1, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    said(&zero, "rank 0 dropped a connection from 127.0.0.1: it is not a zerolab");
    (void)close(fd);
}
/* What a client sends that never proves itself. */
struct wrong {
    const char *from, *why;
    /* so many bytes of it; of a whole one it awaits the answer */
    size_t join;
    uint32_t kind, frames;
    bool resets;
};
static int connect_from(const char *from, const char *port) {
    struct sockaddr_in own = at(from, "0"), a = at("127.0.0.1", port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    return fd;
}
struct join {
    uint32_t head[5];
    char nonce[LAB_NONCE_BYTES];
};
static void be_wrong(const struct wrong *w, const char *port) {
    static const struct linger at_once = {.l_onoff = 1};
    struct join k = {{0x5a4c4142u, 1, sizeof k - 12, 0x5a4c4142u, LAB_MEET_VERSION}, ""};
    const uint32_t frame[] = {0x5a4c4142u, w->kind, 0};
    char byte;
    int fd = connect_from(w->from, port);
    if (w->join) assert_int_equal(send(fd, &k, w->join, 0), w->join);
    if (w->join == sizeof k) assert_int_equal(recv(fd, &byte, 1, 0), 1);
    for (uint32_t i = 0; i < w->frames; i++) (void)!send(fd, frame, sizeof frame, MSG_NOSIGNAL);
    while (w->frames > 1 && recv(fd, &byte, 1, 0) > 0) continue; /* rank 0 hangs up */
    if (w->resets) (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void)close(fd);
}
static void each_wrong_client_is_named(void **state) {
    (void)state;
    static const char
        left[] = "it left before it had proved that it is one of the ranks",
        other[] =
            "it sent a message that is not allowed before it has proved that it has the secret";
    enum { WHOLE = sizeof(struct join), BYE = 8, ABORT = 7, JOIN = 1, NONE = 0, UNKNOWN = 99 };
    static const struct wrong rows[] = {
        {"127.0.0.20", left, 0, NONE, 0, false},
        {"127.0.0.21", left, 20, NONE, 0, true},
        {"127.0.0.22", left, WHOLE, NONE, 0, false},
        {"127.0.0.23", other, 0, BYE, 1, false},
        {"127.0.0.24", other, WHOLE, ABORT, 1, false},
        {"127.0.0.25", other, 0, UNKNOWN, 8000, false},
        {"127.0.0.26", other, WHOLE, NONE, 8000, false},
        {"127.0.0.27", other, WHOLE, JOIN, 2, false},
    };
    char port[8], line[200];
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    (void)close(await_listener("127.0.0.1", port));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) be_wrong(&rows[i], port);
    struct rank one = start(1, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(line, sizeof line, "rank 0 dropped a connection from %s: %s\n", rows[i].from,
                       rows[i].why);
        said(&zero, line);
    }
}
/* Only a few by name. */
static void a_crowd_that_leaves_does_not_flood(void **state) {
    (void)state;
    char port[8], from[24];
    size_t lines = 0;
    free_port(port);
    struct rank zero = start(0, home, "127.0.0.1", port, 20);
    (void)close(await_listener("127.0.0.1", port));
    for (int i = 0; i < 200; i++) {
        (void)snprintf(from, sizeof from, "127.0.1.%d", 1 + i % 100);
        (void)close(connect_from(from, port));
    }
    struct rank one = start(1, home, "127.0.0.1", port, 20);
    both_go_well(&zero, &one);
    for (const char *c = zero.said; (c = strstr(c, "rank 0 drop")); c++) lines++;
    assert_in_range(lines, 2, 17);
    said(&zero, "rank 0 drops more connections, and stops naming them");
}

/* ── NCCL's interface ── */

static void the_interface_is_known(void **state) {
    (void)state;
    static const struct {
        const char *given;
        bool found;
    } rows[] = {
        {"lo", true},  {"l", true}, /* one letter is none, to NCCL */
        {"=lo", true}, {"=l0", false}, {"none,lo", true}, {"no-such-device", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[LAB_INTERFACE_SIZE] = "";
        struct sockaddr_storage address;
        setenv("NCCL_SOCKET_IFNAME", rows[i].given, 1);
        assert_int_equal(lab_interface(name, &address), rows[i].found);
        if (rows[i].found && rows[i].given[1]) assert_string_equal(name, "lo");
    }
    unsetenv("NCCL_SOCKET_IFNAME");
}

static int make_homes(void **state) {
    (void)state;
    (void)snprintf(home, sizeof home, "/tmp/zerolab-home-XXXXXX");
    (void)snprintf(other_home, sizeof other_home, "/tmp/zerolab-home-XXXXXX");
    return !mkdtemp(home) || !mkdtemp(other_home);
}
static int remove_homes(void **state) {
    (void)state;
    char command[200];
    (void)snprintf(command, sizeof command, "rm -rf %s %s", home, other_home);
    return system(command); /* NOLINT(cert-env33-c): the words are this file's */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_that_is_not_known_yet),
        cmocka_unit_test(a_name_that_nobody_knows),
        cmocka_unit_test(one_dead_address),
        cmocka_unit_test(two_spellings_of_one_host),
        cmocka_unit_test(listens_where_its_name_says_and_nowhere_else),
        cmocka_unit_test(a_port_that_is_held_for_a_while),
        cmocka_unit_test(another_user_is_not_let_in),
        cmocka_unit_test(another_user_in_rank_0s_place),
        cmocka_unit_test(a_refusal_by_another_program),
        cmocka_unit_test(a_silent_crowd),
        cmocka_unit_test(a_silent_client_is_dropped),
        cmocka_unit_test(a_long_frame_of_another_program),
        cmocka_unit_test(each_wrong_client_is_named),
        cmocka_unit_test(a_crowd_that_leaves_does_not_flood),
        cmocka_unit_test(the_interface_is_known),
    };
    return cmocka_run_group_tests(tests, make_homes, remove_homes);
}
