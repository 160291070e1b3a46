/* queue: in line for a lab: a ticket, looks at all tickets, a claim, a turn. */
#include "classroom/classroom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* milliseconds between two looks of the first in line; those behind look less often, */
    FIRST = 200,
    /* but so often at least; and how long after something failed */
    SELDOM = 2000,
    /* between two looks during the turn, whether it was cancelled */
    DURING = 1000,
    /* how long one that could start may wait with it */
    IDLE = 15000
};

/* a ticket of another one, and the ticks since when it is seen to do the same thing */
struct watched {
    char name[CLASSROOM_NAME];
    int64_t since;
};
struct watch {
    struct watched *one;
    size_t count;
};
struct classroom_wait {
    struct classroom_folder *folder;
    /* as of the last look; and the longest turn that the class allowed meanwhile */
    struct classroom_settings settings;
    int minutes_most;
    /* who holds slots; and who could */
    struct watch holds, ready;
    struct classroom_wish wish;
    char host[CLASSROOM_WORD];
    /* NULL: not in line yet */
    struct classroom_held *ticket;
    struct classroom_turn turn;
    int line;
    /* ticks when it arrived and when its turn began */
    int64_t arrived, began;
    /* and when it last looked during that */
    int64_t looked;
    bool away, cancelled, troubled;
    struct base_message trouble;
};

/* ── getting in line ───────────────────────────────────────────────────────────────────────────*/
static bool allows(const struct classroom_settings *s, const struct classroom_wish *w,
                   struct base_message *m) {
    if (w->ranks > s->ranks_most)
        return base_fail(m,
                         "the class allows %d rank%s for a lab, and this one has %d: run it with "
                         "fewer ranks, or ask your teacher",
                         s->ranks_most, s->ranks_most == 1 ? "" : "s", w->ranks);
    if (s->bytes_most && w->bytes > s->bytes_most)
        return base_fail(m,
                         "the class allows %llu bytes for a lab, and this one needs %llu: run a "
                         "smaller one, or ask your teacher",
                         (unsigned long long)s->bytes_most, (unsigned long long)w->bytes);
    return true;
}

struct classroom_wait *classroom_wait_begin(const char *folder, const struct classroom_settings *s,
                                            const struct classroom_wish *w,
                                            struct base_message *m) {
    if (!allows(s, w, m)) return NULL;
    struct classroom_folder *f = classroom_open(folder, m);
    if (!f) return NULL;
    struct classroom_wait *q = base_alloc(sizeof *q);
    *q = (struct classroom_wait){
        .folder = f, .settings = *s, .minutes_most = s->minutes_most, .wish = *w};
    if (!q->wish.minutes || q->wish.minutes > s->minutes_most) q->wish.minutes = s->minutes_most;
    classroom_host(q->host);
    return q;
}

static bool get_in_line(struct classroom_wait *q) {
    struct classroom_tickets all;
    bool read = classroom_tickets_read(q->folder, NULL, &all, &q->trouble);
    if (read) {
        int64_t round = classroom_round(&all, q->host, geteuid(), q->wish.kind);
        q->ticket = classroom_ticket_begin(q->folder, &q->wish, round, &q->trouble);
    }
    if (q->ticket) {
        classroom_ticket_tidy(q->folder, &all, q->ticket);
        classroom_ticket_away(q->ticket, q->away);
        q->arrived = base_ticks();
    }
    classroom_tickets_free(&all);
    return q->ticket != NULL;
}

/* ── a look ────────────────────────────────────────────────────────────────────────────────────*/
/* The file server's clock as of now: by how long it has been here since this ticket arrived. */
static int64_t clock_of(const struct classroom_wait *q) {
    return classroom_ticket_own(q->ticket)->arrived + (base_ticks() - q->arrived) / 1000;
}

static bool is_own(const struct classroom_wait *q, const struct classroom_ticket *t) {
    return strcmp(t->name, classroom_ticket_own(q->ticket)->name) == 0;
}

/* The teacher may change how many GPUs there are and how long a turn is. */
static void renew_settings(struct classroom_wait *q) {
    struct classroom_settings now;
    if (!classroom_settings_read(q->folder, &now, NULL) || strcmp(now.id, q->settings.id) != 0)
        return;
    q->settings = now;
    if (now.minutes_most > q->minutes_most) q->minutes_most = now.minutes_most;
}

static struct watched *find(const struct watch *w, const char *name) {
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->one[i].name, name) == 0) return &w->one[i];
    return NULL;
}

/* Adds a ticket to `now`, or finds it there; milliseconds since it is in `before` or `now`. */
static int64_t watch(struct watch *now, const struct watch *before, const char *name) {
    const struct watched *was = find(now, name);
    if (!was) was = find(before, name);
    int64_t since = was ? was->since : base_ticks();
    if (!find(now, name)) {
        now->one = base_grow(now->one, now->count + 1, sizeof *now->one);
        struct watched *w = &now->one[now->count++];
        snprintf(w->name, sizeof w->name, "%s", name);
        w->since = since;
    }
    return base_ticks() - since;
}

static void replace(struct watch *before, const struct watch *now) {
    free(before->one);
    *before = *now;
}

/* Marks the turns that are over, by how long this process has seen them. */
static void time_turns(struct classroom_wait *q, const struct classroom_tickets *all) {
    struct watch now = {0};
    for (size_t i = 0; i < all->count; i++) {
        struct classroom_ticket *one = &all->ticket[i];
        if (is_own(q, one) || classroom_slots_count(&one->holds) == 0) continue;
        int64_t seen = watch(&now, &q->holds, one->name);
        one->over = classroom_ticket_is_over(one, q->minutes_most, seen / 1000);
    }
    replace(&q->holds, &now);
}

/* One that could start and does not was stopped: it keeps its place, and lets others go first.
 * False if there is one that was not noticed before. */
static bool pass_idle(struct classroom_wait *q, const struct classroom_tickets *all,
                      const struct classroom_turn *turns, struct watch *now) {
    bool same = true;
    for (size_t i = 0; i < all->count; i++) {
        struct classroom_ticket *one = &all->ticket[i];
        if (turns[i].stand != CLASSROOM_READY || is_own(q, one) ||
            watch(now, &q->ready, one->name) <= IDLE)
            continue;
        one->away = true;
        same = false;
    }
    return same;
}

/* Takes this wait's turn out of all of them. */
static void take_turn(struct classroom_wait *q, const struct classroom_tickets *all) {
    struct classroom_turn *turns = base_alloc((all->count + 1) * sizeof *turns);
    struct watch ready = {0};
    time_turns(q, all);
    do classroom_turns(all, &q->settings, q->host, clock_of(q), turns);
    while (!pass_idle(q, all, turns, &ready));
    replace(&q->ready, &ready);
    q->line = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (is_own(q, &all->ticket[i])) q->turn = turns[i];
        q->line += turns[i].position > 0 && all->ticket[i].wish.kind == q->wish.kind;
    }
    free(turns);
}

/* Whether a live ticket of this machine claims a slot that this one claims. */
static bool conflicts(const struct classroom_wait *q, const struct classroom_tickets *all) {
    const struct classroom_ticket *own = classroom_ticket_own(q->ticket);
    for (size_t i = 0; i < all->count; i++) {
        const struct classroom_ticket *one = &all->ticket[i];
        if (is_own(q, one) || !one->live || one->over || one->wish.kind != q->wish.kind) continue;
        if (strcmp(one->host, q->host) == 0 && classroom_slots_meet(&one->holds, &own->holds))
            return true;
    }
    return false;
}

static bool claim(struct classroom_wait *q) {
    struct classroom_tickets again;
    if (!classroom_ticket_claim(q->ticket, &q->turn.slots)) return false;
    bool read = classroom_tickets_read(q->folder, q->ticket, &again, &q->trouble);
    if (read) time_turns(q, &again);
    q->cancelled = read && again.lost; /* while the tickets were read the first time */
    bool ours = read && !q->cancelled && !conflicts(q, &again);
    classroom_tickets_free(&again);
    if (!ours) {
        classroom_ticket_yield(q->ticket);
        return false;
    }
    classroom_ticket_start(q->ticket);
    q->began = base_ticks();
    return true;
}

/* During the turn only whether the ticket is still there matters; a folder that cannot be read says
 * nothing about that. */
static bool look_during(struct classroom_wait *q) {
    struct classroom_tickets all;
    if (base_ticks() - q->looked < DURING) return true;
    q->looked = base_ticks();
    if (classroom_tickets_read(q->folder, q->ticket, &all, NULL) && all.lost) q->cancelled = true;
    classroom_tickets_free(&all);
    return true;
}

static bool fail(struct classroom_wait *q) {
    q->troubled = true;
    return false;
}

bool classroom_wait_look(struct classroom_wait *q) {
    struct classroom_tickets all;
    if (q->turn.stand == CLASSROOM_RUNNING) return look_during(q);
    if (q->cancelled) return false;
    if (!q->ticket && !get_in_line(q)) return fail(q);
    if (!classroom_tickets_read(q->folder, q->ticket, &all, &q->trouble)) {
        classroom_tickets_free(&all);
        return fail(q);
    }
    q->troubled = false;
    renew_settings(q);
    q->cancelled = all.lost;
    if (!all.lost) take_turn(q, &all);
    classroom_tickets_free(&all);
    if (q->cancelled || q->turn.stand != CLASSROOM_READY) return false;
    q->turn.stand = claim(q) ? CLASSROOM_RUNNING : CLASSROOM_WAITING;
    return q->turn.stand == CLASSROOM_RUNNING;
}

int classroom_wait_due(const struct classroom_wait *q) {
    if (q->turn.stand == CLASSROOM_RUNNING) return DURING;
    if (q->troubled || q->away) return SELDOM;
    int position = q->turn.position ? q->turn.position : 1;
    return position < SELDOM / FIRST ? position * FIRST : SELDOM;
}

const struct classroom_turn *classroom_wait_turn(const struct classroom_wait *q) {
    return &q->turn;
}
int classroom_wait_line(const struct classroom_wait *q) {
    return q->line;
}
const char *classroom_wait_trouble(const struct classroom_wait *q) {
    return q->troubled ? q->trouble.what : NULL;
}
bool classroom_wait_cancelled(const struct classroom_wait *q) {
    return q->cancelled;
}

void classroom_wait_away(struct classroom_wait *q, bool away) {
    q->away = away;
    if (q->ticket) classroom_ticket_away(q->ticket, away);
}

void classroom_wait_end(struct classroom_wait *q) {
    if (!q) return;
    bool ran = q->turn.stand == CLASSROOM_RUNNING;
    if (q->ticket) classroom_ticket_end(q->ticket, ran ? (base_ticks() - q->began) / 1000 : -1);
    classroom_close(q->folder);
    free(q->holds.one);
    free(q->ready.one);
    free(q);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
char *classroom_say_wait(const struct classroom_turn *t) {
    const char *how = t->known ? "about" : "at most";
    if (t->wait <= 0) return base_dup("soon");
    if (t->wait < 90) return base_format("%s %lld s", how, (long long)t->wait);
    return base_format("%s %lld min", how, (long long)(t->wait + 59) / 60);
}

static const char *resource(enum classroom_kind k) {
    return k == CLASSROOM_GPU ? "a GPU" : "CPU cores";
}

char *classroom_wait_say(const struct classroom_wait *q) {
    if (q->cancelled) return base_dup("You took this lab out of the queue.");
    if (q->troubled)
        return base_format("The class's folder cannot be used at the moment: %s", q->trouble.what);
    if (q->turn.stand == CLASSROOM_RUNNING) return base_dup("It is your turn.");
    if (!q->turn.position) return base_dup("You are getting in line.");
    /* one line of 78 columns, for a hundred learners and hours, too */
    char *wait = classroom_say_wait(&q->turn);
    char *text =
        base_format("You are number %d of %d in line for %s. %s %s.", q->turn.position,
                    q->line > q->turn.position ? q->line : q->turn.position, resource(q->wish.kind),
                    q->turn.wait > 0 ? "The wait is" : "Your turn comes", wait);
    free(wait);
    return text;
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/
bool classroom_queue_read(const struct classroom_folder *f, const struct classroom_settings *s,
                          int64_t now, struct classroom_tickets *t, struct classroom_turn **turn,
                          struct base_message *m) {
    char host[CLASSROOM_WORD];
    *turn = NULL;
    if (classroom_uses_slurm(s)) return classroom_slurm_read(s, now, t, turn, m);
    if (!classroom_tickets_read(f, NULL, t, m)) return false;
    *turn = base_alloc((t->count + 1) * sizeof **turn);
    classroom_host(host);
    classroom_tickets_time(t, s, now);
    classroom_turns(t, s, host, now, *turn);
    return true;
}

/* ── cancelling ────────────────────────────────────────────────────────────────────────────────*/
/* The last in line first, and those that run last: so none of them gets a turn meanwhile because of
 * another one's end. */
static int from_behind(const void *a, const void *b) {
    const struct classroom_ticket *x = a, *y = b;
    bool holds = classroom_slots_count(&x->holds) > 0, other = classroom_slots_count(&y->holds) > 0;
    if (holds != other) return holds ? 1 : -1;
    return classroom_ticket_before(x, y) ? 1 : -1;
}

int classroom_queue_cancel(const struct classroom_folder *f, const struct classroom_settings *s,
                           struct base_message *m) {
    struct classroom_tickets all;
    int n = 0;
    if (classroom_uses_slurm(s)) return classroom_slurm_cancel(s, m);
    if (!classroom_tickets_read(f, NULL, &all, m)) {
        classroom_tickets_free(&all);
        return -1;
    }
    if (all.count) qsort(all.ticket, all.count, sizeof *all.ticket, from_behind);
    for (size_t i = 0; i < all.count && n >= 0; i++) {
        if (!all.ticket[i].live || all.ticket[i].owner != geteuid()) continue;
        char *file = base_format("%s.ticket", all.ticket[i].name);
        bool removed = classroom_remove(f, CLASSROOM_QUEUE, file);
        if (!removed)
            base_fail_at(m, classroom_path(f), 0, "cannot remove your ticket: %s", strerror(errno));
        n = removed ? n + 1 : -1;
        free(file);
    }
    classroom_tickets_free(&all);
    return n;
}

static bool stamp(void *with, int fd) {
    return (*(int64_t *)with = classroom_stamp(fd)) != 0;
}

int64_t classroom_clock(const struct classroom_folder *f) {
    char name[CLASSROOM_NAME];
    int64_t now = 0;
    classroom_random_name(name);
    char *hidden = base_format(".%s", name);
    int fd = classroom_make_file(f, CLASSROOM_QUEUE, hidden, 0600, stamp, &now, NULL);
    if (fd >= 0) {
        close(fd);
        classroom_remove(f, CLASSROOM_QUEUE, hidden);
    }
    free(hidden);
    return now;
}
