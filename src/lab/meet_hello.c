/* Who may sit down at the meeting place: what is wrong with a newcomer, in one line. */
#include "lab/meet_hub.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void refuse(struct lab_guest *g, const char *why) {
    lab_link_put_text(&g->link, LAB_FRAME_REFUSED, why);
    g->refused = true;
}
static void refuse_because(struct lab_guest *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse_because(struct lab_guest *g, const char *format, ...) {
    char why[300];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    refuse(g, why);
}

/* Strangers are sent away and the others go on waiting: a wrong process must not end a right run. */
static bool is_ours(const struct lab_hub *h, struct lab_guest *g, const struct lab_hello *x) {
    const struct lab_meet_place *p = &h->place;
    if (x->version != LAB_MEET_VERSION)
        refuse_because(g, "rank 0's zerolab meets by version %d, this one by %u: use the same one",
                       LAB_MEET_VERSION, x->version);
    else if (x->nonce != p->nonce)
        refuse_because(g,
                       "at %.100s:%s another job's ranks meet: give all ranks of this one "
                       "--rendezvous with another port",
                       p->host, p->port);
    else if (x->rank < p->ranks && h->seat[x->rank])
        refuse_because(g, "rank %u is there already, from %s: two processes have the same number%s",
                       x->rank, h->hello[x->rank].card.host,
                       h->met ? ", or this one comes late to a run that has begun" : "");
    else if (h->over)
        refuse_because(g, "rank %u comes late, the run is over: %.200s", x->rank, h->end.why);
    return !g->refused;
}
static void version_text(uint32_t v, char out[24]) {
    (void)snprintf(out, 24, "%u.%u.%u", v / 10000, v / 100 % 100, v % 100);
}
/* One of ours, but these ranks can never train together: all of them end. */
static bool fits(struct lab_hub *h, const struct lab_hello *x, const struct lab_hello *own) {
    char here[24], there[24];
    const char *host = x->card.host;
    version_text(own->card.nccl, here);
    version_text(x->card.nccl, there);
    if (x->ranks != h->place.ranks || x->rank >= h->place.ranks)
        lab_hub_end(h, -1, "rank %u on %s was started as one of %u, rank 0 as one of %u", x->rank,
                    host, x->ranks, h->place.ranks);
    else if (x->card.options != own->card.options)
        lab_hub_end(h, -1, "rank %u on %s was started with other options than rank 0", x->rank,
                    host);
    else if (x->card.nccl != own->card.nccl)
        lab_hub_end(h, -1, "rank %u on %s has NCCL %s, rank 0 has %s: all need the same", x->rank,
                    host, there, here);
    return !h->over;
}
void lab_hub_greet(struct lab_hub *h, struct lab_guest *g) {
    struct lab_hello x = {0};
    size_t n;
    if (!lab_link_take(&g->link, LAB_FRAME_HELLO, &x, sizeof x, &n)) {
        if (g->link.strange) lab_link_close(&g->link);
        return;
    }
    x.card.host[sizeof x.card.host - 1] = '\0';
    if (n != sizeof x) x.version = x.version == LAB_MEET_VERSION ? 0 : x.version;
    if (!is_ours(h, g, &x)) return;
    if (!fits(h, &x, x.rank == 0 ? &x : &h->hello[0])) {
        refuse(g, h->end.why);
        return;
    }
    g->rank = (int)x.rank;
    h->seat[x.rank] = g;
    h->hello[x.rank] = x;
}

void lab_hub_miss(struct lab_hub *h) {
    char who[200] = "";
    uint32_t missing = 0;
    for (uint32_t r = 0; r < h->place.ranks; r++) {
        size_t used = strlen(who);
        if (h->seat[r]) continue;
        if (used < sizeof who - 8)
            (void)snprintf(who + used, sizeof who - used, "%s%u", missing ? ", " : "", r);
        missing++;
    }
    lab_hub_end(h, -1, "rank%s %s of %u did not come to %.60s:%s within %.3g s",
                missing == 1 ? "" : "s", who, h->place.ranks, h->place.host, h->place.port,
                h->place.patience);
}
