/* A lane between two tiers: a thread that moves what it is asked to, in order, at the rate of the
 * link that it stands for. */
#include "lab/tier.h"

#include "lab/options.h"

#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double end) {
    struct timespec t = {.tv_sec = (time_t)end};
    t.tv_nsec = (long)((end - (double)t.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        if (now() >= end) return;
}

/* ── the lane's thread ── */

static void make(const struct lab_lane *l, const struct lab_move *x) {
    double began = now();
    if (l->up)
        l->device->row->upload(l->device, x->to, x->from, x->bytes);
    else
        l->device->row->download(l->device, x->to, x->from, x->bytes);
    if (l->rate > 0) sleep_until(began + l->latency + (double)x->bytes / l->rate);
}

static void make_next(struct lab_lane *l) {
    struct lab_move x = l->move[(l->ended + 1) % LAB_MOVES];
    (void)pthread_mutex_unlock(&l->mutex);
    make(l, &x);
    (void)pthread_mutex_lock(&l->mutex);
    l->bytes += x.bytes;
    l->ended++;
    (void)pthread_cond_broadcast(&l->moved);
}

static void *run(void *self) {
    struct lab_lane *l = self;
    (void)pthread_mutex_lock(&l->mutex);
    while (!l->closing || l->ended < l->started) {
        if (l->ended < l->started)
            make_next(l);
        else
            (void)pthread_cond_wait(&l->work, &l->mutex);
    }
    (void)pthread_mutex_unlock(&l->mutex);
    return NULL;
}

/* ── the rank's side ── */

bool lab_lane_open(struct lab_lane *l, bool dry, struct lab_message *m) {
    if (dry) return true;
    (void)pthread_mutex_init(&l->mutex, NULL);
    (void)pthread_cond_init(&l->work, NULL);
    (void)pthread_cond_init(&l->moved, NULL);
    l->runs = pthread_create(&l->thread, NULL, run, l) == 0;
    return l->runs || lab_fail(m, "cannot start a thread that moves states between tiers (see "
                                  "ulimit -u, -v)");
}

void lab_lane_close(struct lab_lane *l) {
    if (!l->runs) return;
    (void)pthread_mutex_lock(&l->mutex);
    l->closing = true;
    (void)pthread_cond_signal(&l->work);
    (void)pthread_mutex_unlock(&l->mutex);
    (void)pthread_join(l->thread, NULL);
    l->runs = false;
    (void)pthread_cond_destroy(&l->work);
    (void)pthread_cond_destroy(&l->moved);
    (void)pthread_mutex_destroy(&l->mutex);
}

lab_ticket lab_lane_start(struct lab_lane *l, const struct lab_move *x) {
    if (!l->runs) {
        l->bytes += x->bytes;
        return l->ended = ++l->started;
    }
    (void)pthread_mutex_lock(&l->mutex);
    while (l->started - l->ended >= LAB_MOVES) (void)pthread_cond_wait(&l->moved, &l->mutex);
    lab_ticket t = ++l->started;
    l->move[t % LAB_MOVES] = *x;
    (void)pthread_cond_signal(&l->work);
    (void)pthread_mutex_unlock(&l->mutex);
    return t;
}

bool lab_lane_ended(struct lab_lane *l, lab_ticket t) {
    struct timespec end;
    if (!l->runs) return true;
    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 100000000;
    if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
    (void)pthread_mutex_lock(&l->mutex);
    for (int wait = 0; l->ended < t && wait == 0;)
        wait = pthread_cond_timedwait(&l->moved, &l->mutex, &end);
    bool ended = l->ended >= t;
    (void)pthread_mutex_unlock(&l->mutex);
    return ended;
}
