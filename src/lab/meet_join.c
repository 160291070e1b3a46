/* Clients that connect to rank 0. One that proves that it belongs to this run and fits is accepted
 * as a rank. One that does not is dropped, and the others wait on: no other program and no wrong
 * process may end a right run. */
#include "lab/cpu/word.h"
#include "lab/meet_hub.h"
#include "lab/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENT_S = 5 };

/* ── refusing ── */

static void refuse(struct lab_client *c, const char *why) {
    lab_link_put_text(&c->link, LAB_FRAME_REFUSED, why);
    c->refused = true;
}
static void refuse_because(struct lab_client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse_because(struct lab_client *c, const char *format, ...) {
    char why[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    refuse(c, why);
}

/* ── clients that are not of this run ── */

static bool was_named(const struct lab_hub *h, const struct lab_client *c, const char *why) {
    for (size_t i = 0; i < h->dropped && i < NAMED; i++)
        if (h->named[i].why == why && strcmp(h->named[i].from, c->from) == 0) return true;
    return false;
}
/* Whoever comes a thousand times does not fill the screen. */
static void name(struct lab_hub *h, const struct lab_client *c, const char *why) {
    if (was_named(h, c, why)) return;
    if (h->dropped < NAMED) {
        struct lab_dropped *n = &h->named[h->dropped];
        (void)snprintf(n->from, sizeof n->from, "%s", c->from);
        n->why = why;
        lab_out_say("rank 0 dropped a connection from %s: %s", c->from, why);
    } else if (h->dropped == NAMED) {
        lab_out_say("rank 0 drops more connections, and stops naming them");
    }
    h->dropped++;
}
/* Reports a client that is not of this run, and closes its connection. `why` stays the caller's. */
void lab_join_expel(struct lab_hub *h, struct lab_client *c, const char *why) {
    name(h, c, why);
    lab_link_close(&c->link);
}

/* ── proving ── */

static bool is_own(const struct lab_hub *h, const struct lab_client *c) {
    return c == h->client; /* rank 0 itself, by a pair of sockets that no other program has */
}
static void challenge(struct lab_hub *h, struct lab_client *c) {
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
        lab_join_expel(h, c, "rank 0's system has no random bytes for it");
        return;
    }
    memcpy(sent.nonce, c->nonces.rank_0, sizeof sent.nonce);
    sent.proof = lab_prove(&h->place.key, LAB_PROOF_RANK_0, &c->nonces, NULL, 0);
    lab_link_put(&c->link, LAB_FRAME_CHALLENGE, &sent, sizeof sent);
    c->challenged = true;
}
static bool has_proved(struct lab_hub *h, struct lab_client *c, struct lab_hello *x, size_t n) {
    static const char wrong[] = "it does not have this run's secret";
    struct lab_proof right =
        lab_prove(&h->place.key, LAB_PROOF_CLIENT, &c->nonces, &x->about, sizeof x->about);
    if (n == sizeof *x && lab_proof_is(&right, &x->proof)) return true;
    h->other_secret = true;
    lab_join_expel(h, c, wrong);
    return false;
}
/* A client that has not proved itself may send the next frame of the protocol and nothing else, so
 * that whatever it sends costs rank 0 no time. */
static bool is_in_turn(const struct lab_hub *h, const struct lab_client *c) {
    struct lab_frame head;
    if (!lab_link_see(&c->link, &head)) return true;
    if (!c->challenged && !is_own(h, c)) return head.kind == LAB_FRAME_JOIN;
    return head.kind == LAB_FRAME_HELLO || head.kind == LAB_FRAME_UNKNOWN;
}
/* The hello of a client that knows the secret, as soon as it has come. */
static bool hear_hello(struct lab_hub *h, struct lab_client *c, struct lab_hello *x) {
    size_t n;
    if (!is_in_turn(h, c)) {
        lab_join_expel(
            h, c,
            "it sent a message that is not allowed before it has proved that it has the secret");
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

static bool may_join(const struct lab_hub *h, struct lab_client *c, const struct lab_about *x) {
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
/* One of ours, but these ranks can never train together: says why all of them must end. */
static bool fits(const struct lab_hub *h, const struct lab_about *x, const struct lab_about *own,
                 struct lab_message *ends) {
    char here[24], there[24], *why = ends->text;
    const char *host = x->card.host;
    const size_t most = sizeof ends->text;
    version_text(own->card.nccl, here);
    version_text(x->card.nccl, there);
    if (x->ranks != h->place.ranks || x->rank >= h->place.ranks)
        (void)snprintf(why, most, "rank %u on %s was started as one of %u, rank 0 as one of %u",
                       x->rank, host, x->ranks, h->place.ranks);
    else if (x->card.options != own->card.options)
        (void)snprintf(why, most, "rank %u on %s was started with other options than rank 0",
                       x->rank, host);
    else if (x->card.nccl != own->card.nccl)
        (void)snprintf(why, most, "rank %u on %s has NCCL %s, rank 0 has %s: all need the same",
                       x->rank, host, there, here);
    return !*why;
}
void lab_join_hear(struct lab_hub *h, struct lab_client *c, struct lab_message *ends) {
    struct lab_hello hello = {.about = {.rank = 0}};
    const struct lab_about *x = &hello.about;
    ends->text[0] = '\0';
    if (!hear_hello(h, c, &hello)) return;
    hello.about.card.host[sizeof hello.about.card.host - 1] = '\0';
    if (!may_join(h, c, x)) return;
    if (!fits(h, x, x->rank == 0 ? x : &h->about[0], ends)) {
        refuse(c, ends->text);
        return;
    }
    c->rank = (int)x->rank;
    c->link.most = LAB_FRAME_MOST;
    h->rank[x->rank] = c;
    h->about[x->rank] = *x;
    lab_link_put(&c->link, LAB_FRAME_ACCEPTED, NULL, 0);
}

/* ── connections that are closed ── */

/* The rank of this client was accepted already, by another address, and does not need this
 * connection. */
static bool is_spare(const struct lab_hub *h, const struct lab_client *c) {
    for (uint32_t r = 1; c->challenged && r < h->place.ranks; r++)
        if (h->rank[r] && !memcmp(h->rank[r]->nonces.client, c->nonces.client, LAB_TAG_BYTES))
            return true;
    return false;
}
void lab_join_drop(struct lab_hub *h, struct lab_client *c, const char *why) {
    if (is_spare(h, c))
        lab_link_close(&c->link);
    else
        lab_join_expel(h, c, why);
}
/* If all slots are taken by clients that have not proved themselves, the one that has had the most
 * time is dropped. */
static struct lab_client *find_slot(struct lab_hub *h) {
    struct lab_client *oldest = NULL;
    for (size_t i = 1; i < CLIENTS; i++) {
        struct lab_client *c = &h->client[i];
        if (c->rank != NO_RANK) continue;
        if (c->link.fd < 0) return c;
        if (!oldest || c->came < oldest->came) oldest = c;
    }
    if (oldest) lab_join_drop(h, oldest, "it sends nothing, and others are waiting");
    return oldest;
}
/* A few, and then those that are in are heard: a crowd cannot push out one that is about to prove
 * itself. */
void lab_join_accept(struct lab_hub *h, int listener) {
    enum { AT_ONCE = 16 };
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof from;
    int fd;
    for (int i = 0; i < AT_ONCE; i++) {
        fd = accept(listener, (struct sockaddr *)&from, &size);
        if (fd < 0) return;
        struct lab_client *c = find_slot(h);
        lab_meet_tune(fd);
        if (!c) {
            (void)close(fd);
            continue;
        }
        *c = (struct lab_client){.rank = NO_RANK, .came = lab_now()};
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
void lab_join_drop_slow(struct lab_hub *h, struct lab_client *c) {
    bool unproved = c->rank == NO_RANK && c != h->client && c->link.fd >= 0;
    if (!unproved || lab_now() - c->came < client_time(h)) return;
    if (c->refused)
        lab_link_close(&c->link);
    else
        lab_join_drop(h, c, "it took too long to prove that it is one of the ranks");
}
