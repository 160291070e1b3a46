/* How a rank finds rank 0. It connects to all addresses of rank 0's host name in parallel, so that
 * an address that is dead, or at which another program listens, costs no time. Until one of them
 * has proved that it is rank 0, it resolves the name again and tries again, up to the deadline. */
#include "lab/cpu/word.h"
#include "lab/meet_link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CANDIDATES = 16, TICK_MS = 50, CONNECT_MS = 5000, LOOK_MS = 5000 };
enum state {
    /* until `next` */
    WAITING,
    CONNECTING,
    /* connected; the other side must prove that it is rank 0 */
    CONNECTED,
    /* it has proved that, and knows which rank this is */
    PROVED,
    /* rank 0 refused this rank there: it is not tried again */
    REFUSED
};
struct candidate {
    struct sockaddr_storage address;
    socklen_t size;
    enum state state;
    struct lab_link link;
    struct lab_nonces nonces;
    /* it was rank 0 before */
    bool proved;
    /* WAITING: when to try it; CONNECTING: when to give up */
    int64_t next;
};
struct search {
    const struct lab_meet_place *place;
    const struct lab_about *about;
    struct candidate candidate[CANDIDATES];
    /* found: CANDIDATES if there is none yet */
    size_t candidates, found;
    unsigned char tag[LAB_TAG_BYTES];
    /* when to resolve the name again */
    int64_t look;
    /* what was wrong with the last answer; "" if no address answered */
    char why[300];
    /* why the name cannot be resolved */
    const char *unknown;
    /* Refused by rank 0 itself: `why` is final, unless another proved address accepts this rank. */
    bool refused;
};

static int64_t after(int ms) {
    return lab_now() + ms * INT64_C(1000000);
}
static void retry_later(struct candidate *d) {
    lab_link_close(&d->link);
    d->state = WAITING;
    d->next = after(LAB_RETRY_MS);
}
/* Another program answered: keeps the reason and tries the address again later. */
static void retry_because(struct search *s, struct candidate *d, const char *why) {
    char at[LAB_ADDRESS_SIZE];
    (void)snprintf(s->why, sizeof s->why, "the program at %s %s", lab_address_text(&d->address, at),
                   why);
    retry_later(d);
}

/* Rank 0 itself refused. It refuses at every other address too, and those answers may come later.
 */
static void refuse(struct search *s, struct candidate *d) {
    s->refused = true;
    lab_link_close(&d->link);
    d->state = REFUSED;
}
/* Whether this address may still accept the rank. */
static bool is_heard(const struct search *s, const struct candidate *d) {
    return d->state == PROVED || (!s->refused && d->state != REFUSED);
}

/* No program answers. If rank 0 was there before, it has left and will not come back. */
static void find_none(struct search *s, struct candidate *d) {
    retry_later(d);
    if (!d->proved || s->refused) return;
    (void)snprintf(s->why, sizeof s->why, "rank 0 left the run");
    s->refused = true;
}

/* ── addresses ── */

static bool is_known(const struct search *s, const struct addrinfo *a) {
    for (size_t i = 0; i < s->candidates; i++)
        if (s->candidate[i].size == a->ai_addrlen &&
            memcmp(&s->candidate[i].address, a->ai_addr, a->ai_addrlen) == 0)
            return true;
    return false;
}
static void look_up(struct search *s) {
    struct addrinfo *found = lab_meet_resolve(s->place, &s->unknown);
    for (const struct addrinfo *a = found; a && s->candidates < CANDIDATES; a = a->ai_next) {
        if (is_known(s, a) || a->ai_addrlen > sizeof s->candidate->address) continue;
        struct candidate *d = &s->candidate[s->candidates++];
        *d = (struct candidate){.size = a->ai_addrlen, .link.fd = -1};
        memcpy(&d->address, a->ai_addr, a->ai_addrlen);
    }
    if (found) freeaddrinfo(found);
    s->look = after(LAB_RETRY_MS);
}
/* Resolving may take seconds, so it happens less often once an address was reached. */
static void look_up_if_due(struct search *s) {
    bool reached = false;
    if (s->refused) return;
    for (size_t i = 0; i < s->candidates; i++)
        reached = reached || s->candidate[i].state >= CONNECTED;
    if (lab_now() < s->look + (reached ? LOOK_MS * INT64_C(1000000) : 0)) return;
    look_up(s);
}

/* ── one address ── */

static void greet(struct search *s, struct candidate *d) {
    struct lab_join k = {LAB_HELLO_MAGIC, LAB_MEET_VERSION, {0}};
    int fd = d->link.fd;
    lab_meet_tune(fd);
    lab_link_open(&d->link, fd);
    d->link.most = LAB_UNPROVED_MOST;
    memcpy(k.nonce, s->tag, sizeof s->tag);
    if (!lab_random(k.nonce + sizeof s->tag, sizeof k.nonce - sizeof s->tag)) {
        retry_because(s, d, "waits, but this system has no random bytes for the greeting");
        return;
    }
    memcpy(d->nonces.client, k.nonce, sizeof k.nonce);
    lab_link_put(&d->link, LAB_FRAME_JOIN, &k, sizeof k);
    d->state = CONNECTED;
}
static void begin(struct search *s, struct candidate *d) {
    int fd = socket(d->address.ss_family, SOCK_STREAM, 0);
    d->link.fd = fd;
    if (fd < 0) {
        retry_later(d);
        return;
    }
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    d->state = CONNECTING;
    d->next = after(CONNECT_MS);
    if (!connect(fd, (const struct sockaddr *)&d->address, d->size))
        greet(s, d);
    else if (errno != EINPROGRESS)
        find_none(s, d);
}
static void see_whether_connected(struct search *s, struct candidate *d) {
    struct pollfd one = {.fd = d->link.fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(&one, 1, 0) == 1) {
        bool well = !getsockopt(d->link.fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error;
        if (well)
            greet(s, d);
        else
            find_none(s, d);
    } else if (lab_now() > d->next) {
        retry_later(d);
    }
}
/* A program that does not know the secret learns nothing about the run and cannot end it. What was
 * wrong is kept for the message, and other addresses are tried. */
static void hear_challenge(struct search *s, struct candidate *d, const struct lab_challenge *c) {
    struct lab_hello hello = {.about = *s->about};
    memcpy(d->nonces.rank_0, c->nonce, sizeof c->nonce);
    struct lab_proof right = lab_prove(&s->place->key, LAB_PROOF_RANK_0, &d->nonces, NULL, 0);
    if (!lab_proof_is(&right, &c->proof)) {
        lab_link_put(&d->link, LAB_FRAME_UNKNOWN, NULL, 0);
        lab_link_move(&d->link);
        retry_because(s, d, "belongs to another run, or has another secret: " LAB_SAME_SECRET);
        return;
    }
    hello.proof =
        lab_prove(&s->place->key, LAB_PROOF_CLIENT, &d->nonces, &hello.about, sizeof hello.about);
    d->link.most = LAB_FRAME_MOST;
    d->proved = true;
    lab_link_put(&d->link, LAB_FRAME_HELLO, &hello, sizeof hello);
    d->state = PROVED;
}
static void hear_first(struct search *s, struct candidate *d) {
    struct lab_challenge c;
    size_t n;
    lab_link_move(&d->link);
    if (lab_link_take(&d->link, LAB_FRAME_CHALLENGE, &c, sizeof c, &n) && n == sizeof c)
        hear_challenge(s, d, &c);
    else if (lab_link_take(&d->link, LAB_FRAME_REFUSED, NULL, 0, &n))
        retry_because(s, d, "is a zerolab of another version: use the same one on all machines");
    else if (d->link.garbled)
        retry_because(s, d, "is not a zerolab");
    else if (d->link.ended)
        retry_later(d);
    lab_link_move(&d->link);
}
static void hear_next(struct search *s, struct candidate *d) {
    struct lab_end end;
    size_t n;
    lab_link_move(&d->link);
    if (lab_link_take(&d->link, LAB_FRAME_ACCEPTED, NULL, 0, &n)) {
        s->found = (size_t)(d - s->candidate);
    } else if (lab_link_take_text(&d->link, LAB_FRAME_REFUSED, s->why, sizeof s->why)) {
        refuse(s, d);
    } else if (lab_link_take(&d->link, LAB_FRAME_ABORT, &end, sizeof end, &n) && n == sizeof end) {
        (void)snprintf(s->why, sizeof s->why, "%s", end.why);
        refuse(s, d);
    } else if (d->link.ended || d->link.garbled) {
        retry_later(d);
    }
}
static void go_on(struct search *s, struct candidate *d) {
    if (!is_heard(s, d)) return;
    if (d->state == WAITING && lab_now() >= d->next) begin(s, d);
    if (d->state == CONNECTING) see_whether_connected(s, d);
    if (d->state == CONNECTED) hear_first(s, d);
    if (d->state == PROVED) hear_next(s, d);
}

/* ── all of them ── */

/* Closes a connection that is not needed. If this rank was accepted at another address, rank 0 may
 * have accepted this connection too. It must learn whose it is, or it would take it for an unknown
 * program's. */
static void close_candidate(struct search *s, struct candidate *d) {
    if (s->found != CANDIDATES && d->state == CONNECTING) see_whether_connected(s, d);
    if (d->state == CONNECTED) lab_link_move(&d->link);
    lab_link_close(&d->link);
}
static void wait_some(const struct search *s) {
    struct pollfd fd[CANDIDATES];
    for (size_t i = 0; i < s->candidates; i++) {
        const struct candidate *d = &s->candidate[i];
        short events = d->state == CONNECTING ? POLLOUT : lab_link_wants(&d->link);
        bool waits = d->state != WAITING && is_heard(s, d);
        fd[i] = (struct pollfd){.fd = waits ? d->link.fd : -1, .events = events};
    }
    (void)poll(fd, s->candidates, TICK_MS);
}
static void say_failure(const struct search *s, struct lab_message *m) {
    const struct lab_meet_place *p = s->place;
    if (s->refused)
        (void)snprintf(m->text, sizeof m->text, "%s", s->why);
    else if (!s->candidates)
        lab_meet_not_found(p, s->unknown, m);
    else
        (void)snprintf(m->text, sizeof m->text,
                       "rank %u found no rank 0 at %.60s:%s within %.3g s: %.170s", p->rank,
                       p->host, p->port, p->patience,
                       s->why[0] ? s->why : "it has not started, has ended, or cannot be reached");
}
/* Without random bytes the tag is empty, and greet() reports what is wrong. */
static struct search begin_search(const struct lab_meet_place *p, const struct lab_about *about) {
    struct search s = {.place = p, .about = about, .found = CANDIDATES, .unknown = ""};
    (void)lab_random(s.tag, sizeof s.tag);
    return s;
}
static bool is_over(const struct search *s) {
    bool heard = false;
    for (size_t i = 0; i < s->candidates; i++) heard = heard || s->candidate[i].state == PROVED;
    return s->found != CANDIDATES || (s->refused && !heard);
}
bool lab_meet_find(const struct lab_meet_place *p, const struct lab_about *about,
                   struct lab_link *link, struct lab_message *m) {
    struct search s = begin_search(p, about);
    int64_t until = lab_now() + (int64_t)(p->patience * 1e9);
    while (!is_over(&s) && lab_now() < until) {
        look_up_if_due(&s);
        for (size_t i = 0; i < s.candidates && s.found == CANDIDATES; i++)
            go_on(&s, &s.candidate[i]);
        if (!is_over(&s)) wait_some(&s);
    }
    for (size_t i = 0; i < s.candidates; i++)
        if (i == s.found)
            *link = s.candidate[i].link;
        else
            close_candidate(&s, &s.candidate[i]);
    if (s.found == CANDIDATES) say_failure(&s, m);
    return s.found != CANDIDATES;
}
