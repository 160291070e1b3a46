/* Who may sit down at the meeting place: what is wrong with a newcomer, in one line. One that does
 * not prove that it is of this run is dropped, and the others go on waiting: no stranger and no
 * wrong process may end a right run. */
#include "lab/meet_hub.h"
#include "lab/out.h"

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

/* ── guests that are none of the run's ── */

static bool was_named(const struct lab_hub *h, const struct lab_guest *g, const char *why) {
    for (size_t i = 0; i < h->dropped && i < LAB_NAMED; i++)
        if (h->named[i].why == why && strcmp(h->named[i].from, g->from) == 0) return true;
    return false;
}
/* Whoever comes a thousand times does not fill the screen. */
static void name(struct lab_hub *h, const struct lab_guest *g, const char *why) {
    if (was_named(h, g, why)) return;
    if (h->dropped < LAB_NAMED) {
        struct lab_named *n = &h->named[h->dropped];
        (void)snprintf(n->from, sizeof n->from, "%s", g->from);
        n->why = why;
        lab_out_say("rank 0 dropped a guest from %s: %s", g->from, why);
    } else if (h->dropped == LAB_NAMED) {
        lab_out_say("rank 0 drops more guests, and no longer names them");
    }
    h->dropped++;
}
void lab_hub_drop(struct lab_hub *h, struct lab_guest *g, const char *why) {
    name(h, g, why);
    lab_link_close(&g->link);
}

/* ── proving ── */

static bool is_own(const struct lab_hub *h, const struct lab_guest *g) {
    return g == h->guest; /* rank 0 itself, by a pair of sockets that nobody else has */
}
static void challenge(struct lab_hub *h, struct lab_guest *g) {
    struct lab_challenge c;
    struct lab_knock x = {0};
    size_t n;
    if (!lab_link_take(&g->link, LAB_FRAME_KNOCK, &x, sizeof x, &n)) return;
    if (n != sizeof x || x.version != LAB_MEET_VERSION) {
        name(h, g, "its zerolab is of another version: use the same one on all machines");
        refuse_because(g, "rank 0's zerolab meets by version %d, this one by %u: use the same one",
                       LAB_MEET_VERSION, x.version);
        return;
    }
    memcpy(g->nonces.guest, x.nonce, sizeof x.nonce);
    if (!lab_random(g->nonces.rank_0, sizeof g->nonces.rank_0)) {
        lab_hub_drop(h, g, "rank 0's system has no random bytes for it");
        return;
    }
    memcpy(c.nonce, g->nonces.rank_0, sizeof c.nonce);
    c.proof = lab_prove(&h->place.key, LAB_PROOF_RANK_0, &g->nonces, NULL, 0);
    lab_link_put(&g->link, LAB_FRAME_CHALLENGE, &c, sizeof c);
    g->challenged = true;
}
static bool has_proved(struct lab_hub *h, struct lab_guest *g, struct lab_hello *x, size_t n) {
    static const char stranger[] = "it does not have this run's secret";
    struct lab_proof right =
        lab_prove(&h->place.key, LAB_PROOF_GUEST, &g->nonces, &x->about, sizeof x->about);
    if (n == sizeof *x && lab_proof_is(&right, &x->proof)) return true;
    h->strange = true;
    lab_hub_drop(h, g, stranger);
    return false;
}
/* A guest that has not proved itself may say what comes next, and nothing else: whatever it sends
 * beside costs rank 0 no time. */
static bool is_in_turn(const struct lab_hub *h, const struct lab_guest *g) {
    struct lab_frame head;
    if (!lab_link_see(&g->link, &head)) return true;
    if (!g->challenged && !is_own(h, g)) return head.kind == LAB_FRAME_KNOCK;
    return head.kind == LAB_FRAME_HELLO || head.kind == LAB_FRAME_STRANGE;
}
/* The hello of a guest that knows the secret, as soon as it has come. */
static bool hear_hello(struct lab_hub *h, struct lab_guest *g, struct lab_hello *x) {
    size_t n;
    if (!is_in_turn(h, g)) {
        lab_hub_drop(h, g, "it sent what no rank sends before it has proved itself");
        return false;
    }
    if (!g->challenged && !is_own(h, g)) {
        challenge(h, g);
        return false;
    }
    /* It has found out by itself. */
    if (lab_link_take(&g->link, LAB_FRAME_STRANGE, NULL, 0, &n)) return has_proved(h, g, x, 0);
    if (!lab_link_take(&g->link, LAB_FRAME_HELLO, x, sizeof *x, &n)) return false;
    return is_own(h, g) || has_proved(h, g, x, n);
}

/* ── one of the run's ── */

static bool may_sit(const struct lab_hub *h, struct lab_guest *g, const struct lab_about *x) {
    if (x->rank < h->place.ranks && h->seat[x->rank])
        refuse_because(g, "rank %u is there already, from %s: two processes have the same number%s",
                       x->rank, h->about[x->rank].card.host,
                       h->met ? ", or this one comes late to a run that has begun" : "");
    else if (h->over)
        refuse_because(g, "rank %u comes late, the run is over: %.200s", x->rank, h->end.why);
    return !g->refused;
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
    struct lab_hello hello = {.about = {.rank = 0}};
    const struct lab_about *x = &hello.about;
    if (!hear_hello(h, g, &hello)) return;
    hello.about.card.host[sizeof hello.about.card.host - 1] = '\0';
    if (!may_sit(h, g, x)) return;
    if (!fits(h, x, x->rank == 0 ? x : &h->about[0])) {
        refuse(g, h->end.why);
        return;
    }
    g->rank = (int)x->rank;
    g->link.most = LAB_FRAME_MOST;
    h->seat[x->rank] = g;
    h->about[x->rank] = *x;
    lab_link_put(&g->link, LAB_FRAME_SEAT, NULL, 0);
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
    lab_hub_end(h, -1, "rank%s %s of %u did not come to %.60s:%s within %.3g s%s",
                missing == 1 ? "" : "s", who, h->place.ranks, h->place.host, h->place.port,
                h->place.patience,
                h->strange ? "; one that came had another secret: " LAB_SAME_SECRET : "");
}
