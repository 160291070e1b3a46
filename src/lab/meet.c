/* A rank's end of the star: what it says and hears there. */
#include "lab/meet.h"

#include "lab/cpu/word.h"
#include "lab/meet_link.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TICK_MS = 100, FLUSH_MS = 2000 };

struct lab_meet {
    struct lab_meet_place place;
    /* rank 0 */
    struct lab_hub *hub;
    /* guards all below */
    pthread_mutex_t mutex;
    struct lab_link link;
    bool broken;
    /* how */
    struct lab_end end;
};

const struct lab_meet_place *lab_meet_place_of(const struct lab_meet *meet) {
    return &meet->place;
}

/* ── waiting ── with the mutex held, but while it sleeps ── */

static void fail(struct lab_meet *t, int rank, const char *why) {
    if (t->broken) return;
    (void)snprintf(t->end.why, sizeof t->end.why, "%s", why);
    t->end.rank = rank;
    t->broken = true;
}
static void look(struct lab_meet *t) {
    struct lab_end end;
    size_t n;
    lab_link_move(&t->link);
    if (lab_link_take(&t->link, LAB_FRAME_ABORT, &end, sizeof end, &n) && n == sizeof end)
        fail(t, end.rank, end.why);
    if (lab_link_take_text(&t->link, LAB_FRAME_REFUSED, end.why, sizeof end.why))
        fail(t, -1, end.why);
    if (t->link.garbled) fail(t, -1, "the program at the rendezvous is not a zerolab");
    if (t->link.ended) fail(t, 0, "rank 0 left the run");
}
/* Until such a frame has come: false where none will. What came before the end still counts. */
static bool await(struct lab_meet *t, enum lab_frame_kind kind, void *to, size_t capacity,
                  size_t *n, int64_t until) {
    while (!lab_link_take(&t->link, kind, to, capacity, n)) {
        if (t->broken || (until && lab_now() > until)) return false;
        struct pollfd fd = {.fd = t->link.fd, .events = lab_link_wants(&t->link)};
        (void)pthread_mutex_unlock(&t->mutex);
        (void)poll(&fd, 1, TICK_MS);
        (void)pthread_mutex_lock(&t->mutex);
        look(t);
    }
    return true;
}
static bool leave(struct lab_meet *t, bool well, struct lab_message *m) {
    if (!well) (void)snprintf(m->text, sizeof m->text, "%s", t->end.why);
    (void)pthread_mutex_unlock(&t->mutex);
    return well;
}

/* ── coming ── */

static size_t get_listeners(const struct lab_meet_place *p, int fd[LAB_LISTENERS],
                            struct lab_message *m) {
    if (p->listener < 0) return lab_meet_listen(p, fd, m);
    fd[0] = p->listener;
    return 1;
}
/* Rank 0's own connection is a pair of sockets: there is nothing to prove. */
static bool connect_self(struct lab_meet *t, const struct lab_about *about,
                         const struct lab_meet_hearer *hearer, struct lab_message *m) {
    struct lab_hello hello = {.about = *about};
    int pair[2], listener[LAB_LISTENERS];
    size_t listeners = get_listeners(&t->place, listener, m);
    if (!listeners) return false;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
        (void)snprintf(m->text, sizeof m->text, "rank 0: cannot open sockets (see ulimit -n)");
        return false;
    }
    lab_link_open(&t->link, pair[0]);
    lab_link_put(&t->link, LAB_FRAME_HELLO, &hello, sizeof hello);
    t->hub = lab_hub_start(&t->place, listener, listeners, pair[1], hearer, m);
    return t->hub != NULL;
}
static bool await_ready(struct lab_meet *t, struct lab_message *m) {
    size_t n;
    /* Rank 0 says itself who is missing: give it the time to. */
    int64_t until = lab_now() + (int64_t)((t->place.patience + 5) * 1e9);
    (void)pthread_mutex_lock(&t->mutex);
    look(t);
    bool well = await(t, LAB_FRAME_READY, NULL, 0, &n, until);
    if (!well) fail(t, -1, "the program at the rendezvous takes connections but does not answer");
    return leave(t, well, m);
}
static void end(struct lab_meet *t) {
    lab_link_close(&t->link);
    if (t->hub) lab_hub_join(t->hub);
    (void)pthread_mutex_destroy(&t->mutex);
    free(t);
}
struct lab_meet *lab_meet_open(const struct lab_meet_place *p, const struct lab_meet_card *mine,
                               const struct lab_meet_hearer *hearer, struct lab_message *m) {
    struct lab_meet *t = calloc(1, sizeof *t);
    (void)snprintf(m->text, sizeof m->text, "memory is short");
    if (!t) return NULL;
    t->place = *p;
    t->link.fd = -1;
    (void)pthread_mutex_init(&t->mutex, NULL);
    const struct lab_about about = {p->rank, p->ranks, *mine};
    bool well =
        p->rank == 0 ? connect_self(t, &about, hearer, m) : lab_meet_find(p, &about, &t->link, m);
    if (well && await_ready(t, m)) {
        m->text[0] = '\0';
        return t;
    }
    end(t);
    return NULL;
}

/* ── being there ── */

bool lab_meet_exchange(struct lab_meet *t, const double *mine, double *all, size_t n,
                       struct lab_message *m) {
    size_t got, bytes = t->place.ranks * n * sizeof *all;
    (void)pthread_mutex_lock(&t->mutex);
    lab_link_put(&t->link, LAB_FRAME_EXCHANGE, mine, n * sizeof *mine);
    look(t);
    return leave(t, await(t, LAB_FRAME_EXCHANGE, all, bytes, &got, 0), m);
}
/* What goes over the wire. */
struct shared {
    struct lab_seal seal;
    unsigned char byte[LAB_MEET_SHARED];
};
static bool give(struct lab_meet *t, const void *bytes, size_t n) {
    struct shared x;
    memcpy(x.byte, bytes, n);
    if (!lab_seal(&t->place.key, x.byte, n, &x.seal)) {
        fail(t, 0, "rank 0's system has no random bytes for its seal");
        return false;
    }
    lab_link_put(&t->link, LAB_FRAME_SHARE, &x, sizeof x.seal + n);
    look(t);
    return !t->broken;
}
static bool receive(struct lab_meet *t, void *bytes, size_t n) {
    struct shared x;
    size_t got;
    look(t);
    if (!await(t, LAB_FRAME_SHARE, &x, sizeof x, &got, 0)) return false;
    if (got == sizeof x.seal + n && lab_unseal(&t->place.key, x.byte, n, &x.seal)) {
        memcpy(bytes, x.byte, n);
        return true;
    }
    fail(t, 0, "rank 0's message was changed in transit");
    return false;
}
bool lab_meet_share(struct lab_meet *t, void *bytes, size_t n, struct lab_message *m) {
    (void)pthread_mutex_lock(&t->mutex);
    bool well = t->place.rank == 0 ? give(t, bytes, n) : receive(t, bytes, n);
    return leave(t, well, m);
}
void lab_meet_say(struct lab_meet *t, const char *line) {
    (void)pthread_mutex_lock(&t->mutex);
    lab_link_put_text(&t->link, LAB_FRAME_LINE, line);
    look(t);
    (void)pthread_mutex_unlock(&t->mutex);
}
bool lab_meet_broken(struct lab_meet *t, struct lab_message *m) {
    (void)pthread_mutex_lock(&t->mutex);
    look(t);
    return !leave(t, !t->broken, m);
}
int lab_meet_blamed(struct lab_meet *t) {
    (void)pthread_mutex_lock(&t->mutex);
    int rank = t->broken ? t->end.rank : -1;
    (void)pthread_mutex_unlock(&t->mutex);
    return rank;
}
void lab_meet_abort(struct lab_meet *t, int rank, const char *why) {
    struct lab_end end = {.rank = rank};
    (void)snprintf(end.why, sizeof end.why, "%s", why);
    (void)pthread_mutex_lock(&t->mutex);
    lab_link_put(&t->link, LAB_FRAME_ABORT, &end, sizeof end);
    look(t);
    fail(t, rank, why);
    (void)pthread_mutex_unlock(&t->mutex);
}
void lab_meet_close(struct lab_meet *t) {
    int64_t until = lab_now() + FLUSH_MS * 1000000LL;
    lab_link_put(&t->link, LAB_FRAME_BYE, NULL, 0);
    for (lab_link_move(&t->link); t->link.out.used && !t->link.ended && lab_now() < until;
         lab_link_move(&t->link)) {
        struct pollfd fd = {.fd = t->link.fd, .events = lab_link_wants(&t->link)};
        (void)poll(&fd, 1, TICK_MS);
    }
    end(t);
}
