/* The middle of the star, rank 0's: one thread, no socket of which ever blocks. It hears the ranks,
 * passes on what they say, and ends the run for all when one of them is lost. */
#include "lab/cpu/word.h"
#include "lab/meet_hub.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICK_MS = 100, GOODBYE_MS = 10000 };

static struct lab_client *client_of(const struct lab_hub *h, uint32_t r) {
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
static void listen_to(struct lab_hub *h, struct lab_client *c) {
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
/* One that is gone, or was never one of ours. */
static void lose(struct lab_hub *h, struct lab_client *c) {
    if (c->rank != NO_RANK && !c->bye)
        end_run(h, c->rank,
                "rank %d on %s left the run without a message: it was killed, or its machine was",
                c->rank, host_of(h, (uint32_t)c->rank));
    if (c->rank == NO_RANK && !c->refused && c->link.garbled)
        lab_join_expel(h, c, "it is not a zerolab");
    else if (c->rank == NO_RANK && !c->refused)
        lab_join_drop(h, c, "it left before it had proved that it is one of the ranks");
    else
        lab_link_close(&c->link);
}
static void join(struct lab_hub *h, struct lab_client *c) {
    struct lab_message ends;
    lab_join_hear(h, c, &ends);
    if (ends.text[0]) end_run(h, -1, "%s", ends.text);
}
static void serve(struct lab_hub *h, struct lab_client *c) {
    lab_link_move(&c->link);
    /* Rank 0 first: the others are compared with it. */
    if (!h->rank[0] && c != h->client) return;
    if (c->rank == NO_RANK && !c->refused) join(h, c);
    if (c->link.fd < 0) return; /* it was dropped */
    if (c->rank != NO_RANK) listen_to(h, c);
    if (c->link.ended || c->link.garbled)
        lose(h, c);
    else if (c->refused && !c->link.out.used)
        lab_link_close(&c->link);
    lab_join_drop_slow(h, c);
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
            h->other_secret ? "; a rank that came had another secret: " LAB_SAME_SECRET : "");
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
        if (fd[i].revents) lab_join_accept(h, h->listener[i]);
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
    (void)snprintf(m->text, sizeof m->text, "rank 0: not enough memory or threads");
    if (h && value) {
        *h = (struct lab_hub){.place = *p};
        take_listeners(h, listener, listeners);
        h->round.value = value;
        if (hearer) h->hearer = *hearer;
        h->deadline = lab_now() + (int64_t)(p->patience * 1e9);
        for (size_t i = 0; i < CLIENTS; i++)
            h->client[i] = (struct lab_client){.link.fd = -1, .rank = NO_RANK};
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
