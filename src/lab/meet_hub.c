/* The middle of the star, rank 0's: one thread, no socket of which ever blocks. A client that does
 * not prove that it belongs to this run is dropped, and the others wait on: no other program and
 * no wrong process may end a right run. */
#include "lab/cpu/word.h"
#include "lab/meet_link.h"
#include "lab/out.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TICK_MS = 100, GOODBYE_MS = 10000, CLIENT_S = 5 };

/* More than ranks, because other programs connect too. */
enum { CLIENTS = LAB_RANKS_MAX + 32, NO_RANK = -1, NAMED = 16 };
struct client {
    struct lab_link link;
    char from[LAB_ADDRESS_SIZE];
    int64_t came;
    struct lab_nonces nonces;
    /* It was sent a challenge. */
    bool challenged;
    /* NO_RANK: it has not proved itself yet, or was refused. */
    int rank;
    bool refused, bye;
};
/* A client that was dropped. */
struct named {
    char from[LAB_ADDRESS_SIZE];
    const char *why;
};
struct lab_hub {
    struct lab_meet_place place;
    struct lab_meet_hearer hearer;
    /* −1: none. */
    int listener[LAB_LISTENERS];
    pthread_t thread;
    int64_t deadline;
    /* When this pass began. */
    int64_t looked;
    bool met, over;
    /* Why the run was over before all said bye. */
    struct lab_end end;
    struct client client[CLIENTS];
    /* NULL: the rank has not come. */
    struct client *rank[LAB_RANKS_MAX];
    struct lab_about about[LAB_RANKS_MAX];
    /* On standard error, each address and reason once. */
    struct named named[NAMED];
    size_t dropped;
    /* One of them has another secret. */
    bool other_secret;
    /* The current exchange. `began`: in the pass of that time, later by the time in which this
     * process did not run. `value`: [ranks][LAB_MEET_NUMBERS]. */
    struct {
        bool in[LAB_RANKS_MAX];
        uint32_t came;
        int64_t began;
        size_t n;
        double *value;
    } round;
};

static struct client *client_of(const struct lab_hub *h, uint32_t r) {
    return h->rank[r] && h->rank[r]->link.fd >= 0 ? h->rank[r] : NULL;
}
static void tell_all(struct lab_hub *h, enum lab_frame_kind kind, const void *bytes, size_t n) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (client_of(h, r)) lab_link_put(&client_of(h, r)->link, kind, bytes, n);
}
/* The run is over for all. The first reason counts. rank: who is to blame; −1: none in
 * particular. */
static void end_run(struct lab_hub *h, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void end_run(struct lab_hub *h, int rank, const char *format, ...) {
    va_list args;
    if (h->over) return;
    va_start(args, format);
    (void)vsnprintf(h->end.why, sizeof h->end.why, format, args);
    va_end(args);
    h->end.rank = rank;
    h->over = true;
    tell_all(h, LAB_FRAME_ABORT, &h->end, sizeof h->end);
}
static const char *host_of(const struct lab_hub *h, uint32_t r) {
    return h->about[r].card.host;
}

/* ── refusing ── */

static void refuse(struct client *c, const char *why) {
    lab_link_put_text(&c->link, LAB_FRAME_REFUSED, why);
    c->refused = true;
}
static void refuse_because(struct client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse_because(struct client *c, const char *format, ...) {
    char why[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    refuse(c, why);
}

/* ── clients that are not of this run ── */

static bool was_named(const struct lab_hub *h, const struct client *c, const char *why) {
    for (size_t i = 0; i < h->dropped && i < NAMED; i++)
        if (h->named[i].why == why && strcmp(h->named[i].from, c->from) == 0) return true;
    return false;
}
/* Whoever comes a thousand times does not fill the screen. */
static void name(struct lab_hub *h, const struct client *c, const char *why) {
    if (was_named(h, c, why)) return;
    if (h->dropped < NAMED) {
        struct named *n = &h->named[h->dropped];
        (void)snprintf(n->from, sizeof n->from, "%s", c->from);
        n->why = why;
        lab_out_say("rank 0 dropped a connection from %s: %s", c->from, why);
    } else if (h->dropped == NAMED) {
        lab_out_say("rank 0 drops more connections, and no longer names them");
    }
    h->dropped++;
}
/* Reports a client that is not of this run, and closes its connection. `why` stays the caller's. */
static void drop(struct lab_hub *h, struct client *c, const char *why) {
    name(h, c, why);
    lab_link_close(&c->link);
}

/* ── proving ── */

static bool is_own(const struct lab_hub *h, const struct client *c) {
    return c == h->client; /* rank 0 itself, by a pair of sockets that nobody else has */
}
static void challenge(struct lab_hub *h, struct client *c) {
    struct lab_challenge sent;
    struct lab_join x = {0};
    size_t n;
    if (!lab_link_take(&c->link, LAB_FRAME_JOIN, &x, sizeof x, &n)) return;
    if (n != sizeof x || x.version != LAB_MEET_VERSION) {
        name(h, c, "its zerolab is of another version: use the same one on all machines");
        refuse_because(c, "rank 0's zerolab meets by version %d, this one by %u: use the same one",
                       LAB_MEET_VERSION, x.version);
        return;
    }
    memcpy(c->nonces.client, x.nonce, sizeof x.nonce);
    if (!lab_random(c->nonces.rank_0, sizeof c->nonces.rank_0)) {
        drop(h, c, "rank 0's system has no random bytes for it");
        return;
    }
    memcpy(sent.nonce, c->nonces.rank_0, sizeof sent.nonce);
    sent.proof = lab_prove(&h->place.key, LAB_PROOF_RANK_0, &c->nonces, NULL, 0);
    lab_link_put(&c->link, LAB_FRAME_CHALLENGE, &sent, sizeof sent);
    c->challenged = true;
}
static bool has_proved(struct lab_hub *h, struct client *c, struct lab_hello *x, size_t n) {
    static const char wrong[] = "it does not have this run's secret";
    struct lab_proof right =
        lab_prove(&h->place.key, LAB_PROOF_CLIENT, &c->nonces, &x->about, sizeof x->about);
    if (n == sizeof *x && lab_proof_is(&right, &x->proof)) return true;
    h->other_secret = true;
    drop(h, c, wrong);
    return false;
}
/* A client that has not proved itself may send the next frame of the protocol and nothing else, so
 * that whatever it sends costs rank 0 no time. */
static bool is_in_turn(const struct lab_hub *h, const struct client *c) {
    struct lab_frame head;
    if (!lab_link_see(&c->link, &head)) return true;
    if (!c->challenged && !is_own(h, c)) return head.kind == LAB_FRAME_JOIN;
    return head.kind == LAB_FRAME_HELLO || head.kind == LAB_FRAME_UNKNOWN;
}
/* The hello of a client that knows the secret, as soon as it has come. */
static bool hear_hello(struct lab_hub *h, struct client *c, struct lab_hello *x) {
    size_t n;
    if (!is_in_turn(h, c)) {
        drop(h, c, "it sent what no rank sends before it has proved itself");
        return false;
    }
    if (!c->challenged && !is_own(h, c)) {
        challenge(h, c);
        return false;
    }
    /* It has found out by itself. */
    if (lab_link_take(&c->link, LAB_FRAME_UNKNOWN, NULL, 0, &n)) return has_proved(h, c, x, 0);
    if (!lab_link_take(&c->link, LAB_FRAME_HELLO, x, sizeof *x, &n)) return false;
    return is_own(h, c) || has_proved(h, c, x, n);
}

/* ── one of the run's ── */

static bool may_join(const struct lab_hub *h, struct client *c, const struct lab_about *x) {
    if (x->rank < h->place.ranks && h->rank[x->rank])
        refuse_because(c, "rank %u is there already, from %s: two processes have the same number%s",
                       x->rank, h->about[x->rank].card.host,
                       h->met ? ", or this one comes late to a run that has begun" : "");
    else if (h->over)
        refuse_because(c, "rank %u comes late, the run is over: %.200s", x->rank, h->end.why);
    return !c->refused;
}
static void version_text(uint32_t v, char out[24]) {
    (void)snprintf(out, 24, "%u.%u.%u", v / 10000, v / 100 % 100, v % 100);
}
/* One of ours, but these ranks can never train together: all of them end. */
static bool fits(struct lab_hub *h, const struct lab_about *x, const struct lab_about *own) {
    char here[24], there[24];
    const char *host = x->card.host;
    version_text(own->card.nccl, here);
    version_text(x->card.nccl, there);
    if (x->ranks != h->place.ranks || x->rank >= h->place.ranks)
        end_run(h, -1, "rank %u on %s was started as one of %u, rank 0 as one of %u", x->rank, host,
                x->ranks, h->place.ranks);
    else if (x->card.options != own->card.options)
        end_run(h, -1, "rank %u on %s was started with other options than rank 0", x->rank, host);
    else if (x->card.nccl != own->card.nccl)
        end_run(h, -1, "rank %u on %s has NCCL %s, rank 0 has %s: all need the same", x->rank, host,
                there, here);
    return !h->over;
}
/* Hears what a client says first. It is accepted as a rank, refused, or dropped. */
static void hear_first(struct lab_hub *h, struct client *c) {
    struct lab_hello hello = {.about = {.rank = 0}};
    const struct lab_about *x = &hello.about;
    if (!hear_hello(h, c, &hello)) return;
    hello.about.card.host[sizeof hello.about.card.host - 1] = '\0';
    if (!may_join(h, c, x)) return;
    if (!fits(h, x, x->rank == 0 ? x : &h->about[0])) {
        refuse(c, h->end.why);
        return;
    }
    c->rank = (int)x->rank;
    c->link.most = LAB_FRAME_MOST;
    h->rank[x->rank] = c;
    h->about[x->rank] = *x;
    lab_link_put(&c->link, LAB_FRAME_ACCEPTED, NULL, 0);
}

/* ── what ranks say ── */

static void complete(struct lab_hub *h) {
    for (uint32_t r = 1; r < h->place.ranks; r++)
        memmove(h->round.value + r * h->round.n, h->round.value + r * (size_t)LAB_MEET_NUMBERS,
                h->round.n * sizeof(double));
    tell_all(h, LAB_FRAME_EXCHANGE, h->round.value, h->place.ranks * h->round.n * sizeof(double));
    memset(h->round.in, 0, sizeof h->round.in);
    h->round.came = 0;
}
/* Whoever waits for a rank that has said goodbye waits in vain. */
static void check_goodbyes(struct lab_hub *h) {
    for (uint32_t r = 0; h->round.came && r < h->place.ranks; r++)
        if (h->rank[r] && h->rank[r]->bye && !h->round.in[r])
            end_run(h, (int)r, "rank %u on %s left the run", r, host_of(h, r));
}
static void take_numbers(struct lab_hub *h, uint32_t r, const double *value, size_t n) {
    if (h->round.came && n != h->round.n)
        end_run(h, -1, "rank %u exchanges %zu numbers, others %zu: ranks must do the same", r, n,
                h->round.n);
    if (h->over || h->round.in[r]) return;
    if (!h->round.came) h->round.began = h->looked;
    h->round.n = n;
    h->round.in[r] = true;
    if (n) memcpy(h->round.value + r * (size_t)LAB_MEET_NUMBERS, value, n * sizeof *value);
    if (++h->round.came == h->place.ranks) complete(h);
}
static void hear_end(struct lab_hub *h, const char *bytes, size_t n) {
    struct lab_end end;
    if (n != sizeof end) return;
    memcpy(&end, bytes, sizeof end);
    end.why[sizeof end.why - 1] = '\0';
    end_run(h, end.rank, "%s", end.why);
}
static void hear(struct lab_hub *h, uint32_t r, enum lab_frame_kind kind, char *bytes, size_t n) {
    bytes[n] = '\0';
    switch (kind) {
    case LAB_FRAME_EXCHANGE:
        take_numbers(h, r, (const double *)(void *)bytes, n / sizeof(double));
        break;
    case LAB_FRAME_SHARE:
        for (uint32_t to = 1; to < h->place.ranks; to++)
            if (client_of(h, to)) lab_link_put(&client_of(h, to)->link, kind, bytes, n);
        break;
    case LAB_FRAME_LINE:
        if (h->hearer.line) h->hearer.line(h->hearer.self, r, bytes);
        break;
    case LAB_FRAME_ABORT: hear_end(h, bytes, n); break;
    case LAB_FRAME_BYE: h->rank[r]->bye = true; break;
    default: break;
    }
}
static void listen_to(struct lab_hub *h, struct client *c) {
    _Alignas(double) char bytes[LAB_MEET_NUMBERS * sizeof(double) + 1];
    enum lab_frame_kind kind;
    size_t n;
    while ((kind = lab_link_take(&c->link, (enum lab_frame_kind)0, bytes, sizeof bytes - 1, &n)))
        hear(h, (uint32_t)c->rank, kind, bytes, n < sizeof bytes ? n : sizeof bytes - 1);
    check_goodbyes(h);
}

/* ── who comes and goes ── */

static void report_ready(struct lab_hub *h) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (!client_of(h, r)) return;
    h->met = true;
    tell_all(h, LAB_FRAME_READY, NULL, 0);
}
/* The rank of this client was accepted already, by another address, and does not need this
 * connection. */
static bool is_spare(const struct lab_hub *h, const struct client *c) {
    for (uint32_t r = 1; c->challenged && r < h->place.ranks; r++)
        if (h->rank[r] && !memcmp(h->rank[r]->nonces.client, c->nonces.client, LAB_TAG_BYTES))
            return true;
    return false;
}
static void let_go(struct lab_hub *h, struct client *c, const char *why) {
    if (is_spare(h, c))
        lab_link_close(&c->link);
    else
        drop(h, c, why);
}
/* If all slots are taken by clients that have not proved themselves, the one that has had the most
 * time is dropped. */
static struct client *find_slot(struct lab_hub *h) {
    struct client *oldest = NULL;
    for (size_t i = 1; i < CLIENTS; i++) {
        struct client *c = &h->client[i];
        if (c->rank != NO_RANK) continue;
        if (c->link.fd < 0) return c;
        if (!oldest || c->came < oldest->came) oldest = c;
    }
    if (oldest) let_go(h, oldest, "it says nothing, and others come");
    return oldest;
}
/* A few, and then those that are in are heard: a crowd cannot push out one that is about to prove
 * itself. */
static void accept_some(struct lab_hub *h, int listener) {
    enum { AT_ONCE = 16 };
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof from;
    int fd;
    for (int i = 0; i < AT_ONCE; i++) {
        fd = accept(listener, (struct sockaddr *)&from, &size);
        if (fd < 0) return;
        struct client *c = find_slot(h);
        lab_meet_tune(fd);
        if (!c) {
            (void)close(fd);
            continue;
        }
        *c = (struct client){.rank = NO_RANK, .came = lab_now()};
        (void)lab_address_text(&from, c->from);
        lab_link_open(&c->link, fd);
        c->link.most = LAB_UNPROVED_MOST;
        size = sizeof from;
    }
}
/* One that says nothing must not hold a place for ever. */
static int64_t client_time(const struct lab_hub *h) {
    double quarter = h->place.patience / 4;
    return (int64_t)((quarter < CLIENT_S ? quarter : CLIENT_S) * 1e9);
}
static void drop_the_slow(struct lab_hub *h, struct client *c) {
    bool unproved = c->rank == NO_RANK && c != h->client && c->link.fd >= 0;
    if (!unproved || lab_now() - c->came < client_time(h)) return;
    if (c->refused)
        lab_link_close(&c->link);
    else
        let_go(h, c, "it takes its time and does not prove that it is one of the ranks");
}
/* One that is gone, or was never one of ours. */
static void lose(struct lab_hub *h, struct client *c) {
    if (c->rank != NO_RANK && !c->bye)
        end_run(h, c->rank,
                "rank %d on %s left the run without a word: it was killed, or its machine was",
                c->rank, host_of(h, (uint32_t)c->rank));
    if (c->rank == NO_RANK && !c->refused && c->link.garbled)
        drop(h, c, "it is no zerolab");
    else if (c->rank == NO_RANK && !c->refused)
        let_go(h, c, "it left before it had proved that it is one of the ranks");
    else
        lab_link_close(&c->link);
}
static void serve(struct lab_hub *h, struct client *c) {
    lab_link_move(&c->link);
    /* Rank 0 first: the others are compared with it. */
    if (!h->rank[0] && c != h->client) return;
    if (c->rank == NO_RANK && !c->refused) hear_first(h, c);
    if (c->link.fd < 0) return; /* it was dropped */
    if (c->rank != NO_RANK) listen_to(h, c);
    if (c->link.ended || c->link.garbled)
        lose(h, c);
    else if (c->refused && !c->link.out.used)
        lab_link_close(&c->link);
    drop_the_slow(h, c);
}

/* One of those that the others wait for: it stands still, or its machine is gone. Asks no clock: if
 * this process is stopped between lab_slept() and here, only the next look tells. */
static void check_stall(struct lab_hub *h) {
    if (h->place.stall <= 0 || !h->round.came || h->over ||
        (double)(h->looked - h->round.began) < h->place.stall * 1e9)
        return;
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (!h->round.in[r])
            end_run(h, (int)r,
                    "rank %u on %s gave no sign of life for %g s while others wait for it", r,
                    host_of(h, r), h->place.stall);
}

/* Says which ranks have not come: the run ends. */
static void end_for_missing(struct lab_hub *h) {
    char who[200] = "";
    uint32_t missing = 0;
    for (uint32_t r = 0; r < h->place.ranks; r++) {
        size_t used = strlen(who);
        if (h->rank[r]) continue;
        if (used < sizeof who - 8)
            (void)snprintf(who + used, sizeof who - used, "%s%u", missing ? ", " : "", r);
        missing++;
    }
    end_run(h, -1, "rank%s %s of %u did not come to %.60s:%s within %.3g s%s",
            missing == 1 ? "" : "s", who, h->place.ranks, h->place.host, h->place.port,
            h->place.patience,
            h->other_secret ? "; one that came had another secret: " LAB_SAME_SECRET : "");
}

/* ── the thread ── */

static void wait_some(struct lab_hub *h) {
    struct pollfd fd[LAB_LISTENERS + CLIENTS];
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        fd[i] = (struct pollfd){.fd = h->listener[i], .events = POLLIN};
    for (size_t i = 0; i < CLIENTS; i++)
        fd[LAB_LISTENERS + i] = (struct pollfd){.fd = h->client[i].link.fd,
                                                .events = lab_link_wants(&h->client[i].link)};
    if (poll(fd, LAB_LISTENERS + CLIENTS, TICK_MS) <= 0) return;
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        if (fd[i].revents) accept_some(h, h->listener[i]);
}
static bool all_left(const struct lab_hub *h) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (client_of(h, r) && (!h->rank[r]->bye || h->rank[r]->link.out.used)) return false;
    return h->rank[0] != NULL;
}
static void *receive(void *self) {
    struct lab_hub *h = self;
    int64_t leave = 0; /* rank 0 has said goodbye: it waits so long for the others */
    while (!all_left(h) && (!leave || lab_now() < leave)) {
        wait_some(h);
        h->round.began += lab_slept(&h->looked, TICK_MS);
        for (size_t i = 0; i < CLIENTS; i++)
            if (h->client[i].link.fd >= 0) serve(h, &h->client[i]);
        if (!h->met && !h->over) report_ready(h);
        if (!h->met && !h->over && lab_now() > h->deadline) end_for_missing(h);
        check_stall(h);
        if (!leave && h->rank[0] && (h->rank[0]->bye || !client_of(h, 0)))
            leave = lab_now() + GOODBYE_MS * 1000000LL;
    }
    return NULL;
}

static void take_listeners(struct lab_hub *h, const int *listener, size_t listeners) {
    for (size_t i = 0; i < LAB_LISTENERS; i++) {
        h->listener[i] = i < listeners ? listener[i] : -1;
        if (i < listeners) (void)fcntl(listener[i], F_SETFL, O_NONBLOCK);
    }
}
struct lab_hub *lab_hub_start(const struct lab_meet_place *p, const int *listener, size_t listeners,
                              int fd, const struct lab_meet_hearer *hearer, struct lab_message *m) {
    struct lab_hub *h = calloc(1, sizeof *h);
    double *value = calloc((size_t)p->ranks * LAB_MEET_NUMBERS, sizeof *value);
    (void)snprintf(m->text, sizeof m->text, "rank 0: memory or threads are short");
    if (h && value) {
        *h = (struct lab_hub){.place = *p};
        take_listeners(h, listener, listeners);
        h->round.value = value;
        if (hearer) h->hearer = *hearer;
        h->deadline = lab_now() + (int64_t)(p->patience * 1e9);
        for (size_t i = 0; i < CLIENTS; i++)
            h->client[i] = (struct client){.link.fd = -1, .rank = NO_RANK};
        lab_link_open(&h->client[0].link, fd);
        if (!pthread_create(&h->thread, NULL, receive, h)) return h;
    }
    free(value);
    free(h);
    return NULL;
}
void lab_hub_join(struct lab_hub *h) {
    (void)pthread_join(h->thread, NULL);
    for (size_t i = 0; i < CLIENTS; i++)
        if (h->client[i].link.fd >= 0) lab_link_close(&h->client[i].link);
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        if (h->listener[i] >= 0) (void)close(h->listener[i]);
    free(h->round.value);
    free(h);
}
