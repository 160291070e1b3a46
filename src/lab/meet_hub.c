/* The middle of the star: one thread, no socket of which ever blocks. */
#include "lab/meet_hub.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TICK_MS = 100, GOODBYE_MS = 10000, GUEST_S = 5 };

static struct lab_guest *seat(const struct lab_hub *h, uint32_t r) {
    return h->seat[r] && h->seat[r]->link.fd >= 0 ? h->seat[r] : NULL;
}
static void tell_all(struct lab_hub *h, enum lab_frame_kind kind, const void *bytes, size_t n) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (seat(h, r)) lab_link_put(&seat(h, r)->link, kind, bytes, n);
}
void lab_hub_end(struct lab_hub *h, int rank, const char *format, ...) {
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
        if (h->seat[r] && h->seat[r]->bye && !h->round.in[r])
            lab_hub_end(h, (int)r, "rank %u on %s left the run", r, host_of(h, r));
}
static void bring(struct lab_hub *h, uint32_t r, const double *value, size_t n) {
    if (h->round.came && n != h->round.n)
        lab_hub_end(h, -1, "rank %u exchanges %zu numbers, others %zu: ranks must do the same", r,
                    n, h->round.n);
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
    lab_hub_end(h, end.rank, "%s", end.why);
}
static void hear(struct lab_hub *h, uint32_t r, enum lab_frame_kind kind, char *bytes, size_t n) {
    bytes[n] = '\0';
    switch (kind) {
    case LAB_FRAME_EXCHANGE: bring(h, r, (const double *)(void *)bytes, n / sizeof(double)); break;
    case LAB_FRAME_SHARE:
        for (uint32_t to = 1; to < h->place.ranks; to++)
            if (seat(h, to)) lab_link_put(&seat(h, to)->link, kind, bytes, n);
        break;
    case LAB_FRAME_LINE:
        if (h->hearer.line) h->hearer.line(h->hearer.self, r, bytes);
        break;
    case LAB_FRAME_ABORT: hear_end(h, bytes, n); break;
    case LAB_FRAME_BYE: h->seat[r]->bye = true; break;
    default: break;
    }
}
static void listen_to(struct lab_hub *h, struct lab_guest *g) {
    _Alignas(double) char bytes[LAB_MEET_NUMBERS * sizeof(double) + 1];
    enum lab_frame_kind kind;
    size_t n;
    while ((kind = lab_link_take(&g->link, (enum lab_frame_kind)0, bytes, sizeof bytes - 1, &n)))
        hear(h, (uint32_t)g->rank, kind, bytes, n < sizeof bytes ? n : sizeof bytes - 1);
    check_goodbyes(h);
}

/* ── who comes and goes ── */

static void welcome(struct lab_hub *h) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (!seat(h, r)) return;
    h->met = true;
    tell_all(h, LAB_FRAME_WELCOME, NULL, 0);
}
/* A rank that has its seat came through another door too: it has no need of this one. */
static bool is_spare(const struct lab_hub *h, const struct lab_guest *g) {
    for (uint32_t r = 1; g->challenged && r < h->place.ranks; r++)
        if (h->seat[r] && !memcmp(h->seat[r]->nonces.guest, g->nonces.guest, LAB_TAG_BYTES))
            return true;
    return false;
}
static void let_go(struct lab_hub *h, struct lab_guest *g, const char *why) {
    if (is_spare(h, g))
        lab_link_close(&g->link);
    else
        lab_hub_drop(h, g, why);
}
/* Where all places are taken by guests that have not proved themselves, the one that has had most time to makes room. */
static struct lab_guest *find_place(struct lab_hub *h) {
    struct lab_guest *oldest = NULL;
    for (size_t i = 1; i < LAB_GUESTS; i++) {
        struct lab_guest *g = &h->guest[i];
        if (g->rank != LAB_NO_RANK) continue;
        if (g->link.fd < 0) return g;
        if (!oldest || g->came < oldest->came) oldest = g;
    }
    if (oldest) let_go(h, oldest, "it says nothing, and others come");
    return oldest;
}
/* A few, and then those that are in are heard: a crowd cannot push out one that is about to prove itself. */
static void let_in(struct lab_hub *h, int listener) {
    enum { AT_ONCE = 16 };
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    socklen_t size = sizeof from;
    int fd;
    for (int i = 0; i < AT_ONCE; i++) {
        fd = accept(listener, (struct sockaddr *)&from, &size);
        if (fd < 0) return;
        struct lab_guest *g = find_place(h);
        lab_meet_tune(fd);
        if (!g) {
            (void)close(fd);
            continue;
        }
        *g = (struct lab_guest){.rank = LAB_NO_RANK, .came = lab_now()};
        (void)lab_address_text(&from, g->from);
        lab_link_open(&g->link, fd);
        g->link.most = LAB_STRANGER_MOST;
        size = sizeof from;
    }
}
/* One that says nothing must not hold a place for ever. */
static int64_t guest_time(const struct lab_hub *h) {
    double quarter = h->place.patience / 4;
    return (int64_t)((quarter < GUEST_S ? quarter : GUEST_S) * 1e9);
}
static void send_away_the_slow(struct lab_hub *h, struct lab_guest *g) {
    bool unproved = g->rank == LAB_NO_RANK && g != h->guest && g->link.fd >= 0;
    if (!unproved || lab_now() - g->came < guest_time(h)) return;
    if (g->refused)
        lab_link_close(&g->link);
    else
        let_go(h, g, "it takes its time and does not prove that it is one of the ranks");
}
/* One that is gone, or was never one of ours. */
static void lose(struct lab_hub *h, struct lab_guest *g) {
    if (g->rank != LAB_NO_RANK && !g->bye)
        lab_hub_end(h, g->rank,
                    "rank %d on %s left the run without a word: it was killed, or its machine was",
                    g->rank, host_of(h, (uint32_t)g->rank));
    if (g->rank == LAB_NO_RANK && !g->refused && g->link.strange)
        lab_hub_drop(h, g, "it is no zerolab");
    else if (g->rank == LAB_NO_RANK && !g->refused)
        let_go(h, g, "it left before it had proved that it is one of the ranks");
    else
        lab_link_close(&g->link);
}
static void attend(struct lab_hub *h, struct lab_guest *g) {
    lab_link_move(&g->link);
    /* Rank 0 first: the others are compared with it. */
    if (!h->seat[0] && g != h->guest) return;
    if (g->rank == LAB_NO_RANK && !g->refused) lab_hub_greet(h, g);
    if (g->link.fd < 0) return; /* it was dropped */
    if (g->rank != LAB_NO_RANK) listen_to(h, g);
    if (g->link.ended || g->link.strange)
        lose(h, g);
    else if (g->refused && !g->link.out.used)
        lab_link_close(&g->link);
    send_away_the_slow(h, g);
}

/* One of those that the others wait for: it stands still, or its machine is gone. Asks no clock: if this process is stopped between lab_slept() and
 * here, only the next look tells. */
static void check_stall(struct lab_hub *h) {
    if (h->place.stall <= 0 || !h->round.came || h->over ||
        (double)(h->looked - h->round.began) < h->place.stall * 1e9)
        return;
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (!h->round.in[r])
            lab_hub_end(h, (int)r,
                        "rank %u on %s gave no sign of life for %g s while others wait for it", r,
                        host_of(h, r), h->place.stall);
}

/* ── the thread ── */

static void wait_some(struct lab_hub *h) {
    struct pollfd fd[LAB_LISTENERS + LAB_GUESTS];
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        fd[i] = (struct pollfd){.fd = h->listener[i], .events = POLLIN};
    for (size_t i = 0; i < LAB_GUESTS; i++)
        fd[LAB_LISTENERS + i] =
            (struct pollfd){.fd = h->guest[i].link.fd, .events = lab_link_wants(&h->guest[i].link)};
    if (poll(fd, LAB_LISTENERS + LAB_GUESTS, TICK_MS) <= 0) return;
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        if (fd[i].revents) let_in(h, h->listener[i]);
}
static bool all_left(const struct lab_hub *h) {
    for (uint32_t r = 0; r < h->place.ranks; r++)
        if (seat(h, r) && (!h->seat[r]->bye || h->seat[r]->link.out.used)) return false;
    return h->seat[0] != NULL;
}
static void *receive(void *self) {
    struct lab_hub *h = self;
    int64_t leave = 0; /* rank 0 has said goodbye: it waits so long for the others */
    while (!all_left(h) && (!leave || lab_now() < leave)) {
        wait_some(h);
        h->round.began += lab_slept(&h->looked, TICK_MS);
        for (size_t i = 0; i < LAB_GUESTS; i++)
            if (h->guest[i].link.fd >= 0) attend(h, &h->guest[i]);
        if (!h->met && !h->over) welcome(h);
        if (!h->met && !h->over && lab_now() > h->deadline) lab_hub_miss(h);
        check_stall(h);
        if (!leave && h->seat[0] && (h->seat[0]->bye || !seat(h, 0)))
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
        for (size_t i = 0; i < LAB_GUESTS; i++)
            h->guest[i] = (struct lab_guest){.link.fd = -1, .rank = LAB_NO_RANK};
        lab_link_open(&h->guest[0].link, fd);
        if (!pthread_create(&h->thread, NULL, receive, h)) return h;
    }
    free(value);
    free(h);
    return NULL;
}
void lab_hub_join(struct lab_hub *h) {
    (void)pthread_join(h->thread, NULL);
    for (size_t i = 0; i < LAB_GUESTS; i++)
        if (h->guest[i].link.fd >= 0) lab_link_close(&h->guest[i].link);
    for (size_t i = 0; i < LAB_LISTENERS; i++)
        if (h->listener[i] >= 0) (void)close(h->listener[i]);
    free(h->round.value);
    free(h);
}
