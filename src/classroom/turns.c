/* turns: the order of tickets, and who may start. No file, no clock. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>

int classroom_slots_of(const struct classroom_settings *s, enum classroom_kind k) {
    int n = k == CLASSROOM_GPU ? s->gpus : s->cores;
    return n < CLASSROOM_SLOTS ? n : CLASSROOM_SLOTS;
}

/* ── order ─────────────────────────────────────────────────────────────────────────────────────*/
static int compare(const struct classroom_ticket *a, const struct classroom_ticket *b) {
    if (a->round != b->round) return a->round < b->round ? -1 : 1;
    if (a->arrived != b->arrived) return a->arrived < b->arrived ? -1 : 1;
    return strcmp(a->name, b->name);
}

bool classroom_ticket_before(const struct classroom_ticket *a, const struct classroom_ticket *b) {
    return compare(a, b) < 0;
}

static bool is_running(const struct classroom_ticket *t) {
    return t->live && !t->over && classroom_slots_count(&t->holds) > 0;
}

bool classroom_ticket_is_over(const struct classroom_ticket *t, int minutes_most, int64_t seconds) {
    int minutes = t->wish.minutes < minutes_most ? t->wish.minutes : minutes_most;
    return t->live && classroom_slots_count(&t->holds) > 0 &&
           seconds > (int64_t)minutes * 60 + CLASSROOM_GRACE;
}

void classroom_tickets_time(const struct classroom_tickets *t, const struct classroom_settings *s,
                            int64_t now) {
    for (size_t i = 0; i < t->count; i++) {
        struct classroom_ticket *one = &t->ticket[i];
        one->over = now && classroom_ticket_is_over(one, s->minutes_most, now - one->since);
    }
}

int64_t classroom_round(const struct classroom_tickets *t, const char *host, uid_t owner,
                        enum classroom_kind k) {
    int64_t served = -1, first = -1, own = -1, after = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        if (one->wish.kind != k || strcmp(one->host, host) != 0) continue;
        if (one->owner == owner && one->round > own) own = one->round;
        if (one->owner == owner && one->live && one->round >= after) after = one->round + 1;
        if (!one->live || one->away || one->over) continue;
        if (is_running(one))
            served = one->round > served ? one->round : served;
        else if (first < 0 || one->round < first)
            first = one->round;
    }
    int64_t round = served >= 0 ? served : first >= 0 ? first : 0;
    if (own >= round) round++;
    return round > after ? round : after;
}

/* The tickets that count, as they go: those that run, then those that wait, in order. */
struct line {
    struct classroom_ticket ticket;
    size_t index;
};

static int by_order(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    bool run = is_running(&x->ticket);
    if (run != is_running(&y->ticket)) return run ? -1 : 1;
    return compare(&x->ticket, &y->ticket);
}

/* Whatever its owner wrote, a ticket is in a later round than the same account's before it. */
static bool spread(struct line *line, size_t n) {
    bool changed = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            struct classroom_ticket *a = &line[i].ticket, *b = &line[j].ticket;
            if (a->owner != b->owner || is_running(b) || b->round > a->round) continue;
            b->round = a->round + 1;
            changed = true;
        }
    return changed;
}

static size_t line_up(const struct classroom_tickets *t, const char *host, enum classroom_kind k,
                      struct line *line) {
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        if (one->live && !one->over && one->wish.kind == k && strcmp(one->host, host) == 0)
            line[n++] = (struct line){*one, i};
    }
    if (n) qsort(line, n, sizeof *line, by_order);
    while (n && spread(line, n)) qsort(line, n, sizeof *line, by_order);
    return n;
}

/* ── how long ──────────────────────────────────────────────────────────────────────────────────*/
int64_t classroom_expects(const struct classroom_tickets *t, const struct classroom_wish *w,
                          bool *known) {
    int64_t sum[2] = {0}, n[2] = {0};
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        if (one->took < 0 || one->wish.kind != w->kind) continue;
        bool same = strcmp(one->wish.lab, w->lab) == 0;
        sum[same] += one->took;
        n[same]++;
    }
    *known = n[0] + n[1] > 0;
    int64_t most = (int64_t)w->minutes * 60, mean = n[1]   ? sum[1] / n[1]
                                                    : n[0] ? sum[0] / n[0]
                                                           : most;
    return mean < most ? mean : most;
}

/* When each slot becomes free, in seconds from now. */
struct clock {
    int64_t free[CLASSROOM_SLOTS];
    int slots;
    bool known;
};

static void hold_slots(struct clock *c, const struct classroom_ticket *t, int64_t left) {
    for (int i = 0; i < c->slots; i++)
        if (classroom_slots_has(&t->holds, i) && left > c->free[i]) c->free[i] = left;
}

/* Takes the `want` slots that are free first, and returns when all of them are. */
static int64_t book(struct clock *c, int want, int64_t takes) {
    int64_t start = 0;
    int picked[CLASSROOM_SLOTS], n = 0;
    bool taken[CLASSROOM_SLOTS] = {false};
    for (; n < want; n++) {
        int best = -1;
        for (int i = 0; i < c->slots; i++)
            if (!taken[i] && (best < 0 || c->free[i] < c->free[best])) best = i;
        taken[picked[n] = best] = true;
        if (c->free[best] > start) start = c->free[best];
    }
    for (int i = 0; i < n; i++) c->free[picked[i]] = start + takes;
    return start;
}

static int64_t left_of(const struct classroom_tickets *t, const struct classroom_ticket *one,
                       int64_t now, bool *known) {
    int64_t takes = classroom_expects(t, &one->wish, known);
    int64_t ran = now > one->since && now ? now - one->since : 0,
            most = (int64_t)one->wish.minutes * 60 + CLASSROOM_GRACE;
    if (takes > ran) return takes - ran;
    *known = false;
    return most > ran ? most - ran : 1;
}

/* ── turns ─────────────────────────────────────────────────────────────────────────────────────*/
static int wants(const struct classroom_ticket *t, int slots) {
    int want = t->wish.slots;
    return want < 1 ? 1 : want < slots ? want : slots;
}

/* The first slots that are free; false if there are not so many. */
static bool pick(const struct classroom_slots *busy, int slots, int want,
                 struct classroom_slots *out) {
    *out = (struct classroom_slots){0};
    for (int i = 0; i < slots && want; i++) {
        if (classroom_slots_has(busy, i)) continue;
        classroom_slots_add(out, i);
        want--;
    }
    return want == 0;
}

static void take_all(struct classroom_slots *busy, const struct classroom_slots *s) {
    for (size_t i = 0; i < BASE_COUNT(busy->word); i++) busy->word[i] |= s->word[i];
}

static void take_turns(const struct classroom_tickets *t, const struct line *line, size_t n,
                       struct clock *c, int64_t now, struct classroom_turn *out) {
    struct classroom_slots busy = {0}, free_ones;
    bool blocked = c->slots == 0;
    int position = 0;
    for (size_t i = 0; i < n; i++) {
        const struct classroom_ticket *one = &line[i].ticket;
        struct classroom_turn *turn = &out[line[i].index];
        bool known = true;
        if (is_running(one)) {
            *turn = (struct classroom_turn){.stand = CLASSROOM_RUNNING, .slots = one->holds};
            take_all(&busy, &one->holds);
            hold_slots(c, one, left_of(t, one, now, &known));
            c->known = c->known && known;
            continue;
        }
        struct clock as_if = *c; /* who is away holds nobody up */
        struct clock *books = one->away ? &as_if : c;
        int want = wants(one, c->slots);
        turn->stand = one->away ? CLASSROOM_AWAY : CLASSROOM_WAITING;
        turn->position = position + 1;
        turn->known = c->known;
        turn->wait = c->slots ? book(books, want, classroom_expects(t, &one->wish, &known)) : 0;
        books->known = books->known && known;
        if (one->away) continue;
        position++;
        if (!blocked && pick(&busy, c->slots, want, &free_ones)) {
            turn->stand = CLASSROOM_READY;
            turn->slots = free_ones;
            take_all(&busy, &free_ones);
        } else {
            blocked = true;
        }
    }
}

void classroom_turns(const struct classroom_tickets *t, const struct classroom_settings *s,
                     const char *host, int64_t now, struct classroom_turn *out) {
    struct line *line = base_alloc((t->count + 1) * sizeof *line);
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        out[i] =
            (struct classroom_turn){.slots = one->holds,
                                    .stand = !one->live                     ? CLASSROOM_GONE
                                             : strcmp(one->host, host) != 0 ? CLASSROOM_ELSEWHERE
                                                                            : CLASSROOM_OVER};
    }
    for (int k = 0; k < CLASSROOM_KINDS; k++) {
        struct clock c = {.slots = classroom_slots_of(s, (enum classroom_kind)k), .known = true};
        size_t n = line_up(t, host, (enum classroom_kind)k, line);
        take_turns(t, line, n, &c, now, out);
    }
    free(line);
}

const char *classroom_stand_name(enum classroom_stand s) {
    static const char *const names[] = {
        [CLASSROOM_GONE] = "gone",       [CLASSROOM_ELSEWHERE] = "on another machine",
        [CLASSROOM_OVER] = "over time",  [CLASSROOM_RUNNING] = "running",
        [CLASSROOM_WAITING] = "waiting", [CLASSROOM_AWAY] = "away",
        [CLASSROOM_READY] = "next",
    };
    return names[s];
}

/* ── the line ──────────────────────────────────────────────────────────────────────────────────*/
static int by_place(const void *a, const void *b) {
    const struct classroom_placed *x = a, *y = b;
    if (x->ticket->wish.kind != y->ticket->wish.kind)
        return x->ticket->wish.kind < y->ticket->wish.kind ? -1 : 1;
    if (x->turn->position != y->turn->position)
        return x->turn->position < y->turn->position ? -1 : 1;
    return strcmp(x->ticket->name, y->ticket->name);
}

size_t classroom_turns_line(const struct classroom_tickets *t, const struct classroom_turn *turn,
                            struct classroom_placed *out) {
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++)
        if (turn[i].stand != CLASSROOM_GONE)
            out[n++] = (struct classroom_placed){&t->ticket[i], &turn[i]};
    if (n) qsort(out, n, sizeof *out, by_place);
    return n;
}
