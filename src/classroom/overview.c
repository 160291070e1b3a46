/* overview: what the files of a class say, counted. */
#include "classroom/overview.h"

#include <stdlib.h>
#include <string.h>

/* ── one learner's answers ─────────────────────────────────────────────────────────────────────*/
static bool has(const struct classroom_tally *t, const char *item, const char *mistake) {
    for (size_t i = t->count; i-- > 0;)
        if (strcmp(t->tried[i].item, item) == 0 && strcmp(t->tried[i].mistake, mistake) == 0)
            return true;
    return false;
}

static void add(struct classroom_tally *t, const char *item, const char *mistake) {
    if (t->count == CLASSROOM_TRIED || has(t, item, mistake)) return;
    if ((t->count & (t->count - 1)) == 0)
        t->tried = base_grow(t->tried, t->count ? 2 * t->count : 1, sizeof *t->tried);
    struct classroom_tried *one = &t->tried[t->count++];
    snprintf(one->item, sizeof one->item, "%s", item);
    snprintf(one->mistake, sizeof one->mistake, "%s", mistake);
}

/* The columns that are counted; a text of another account is made safe before it is kept. */
enum column { ITEM, VERDICT, MISTAKE, COLUMNS };
static void count_row(struct classroom_tally *t, const json_t *row, const size_t at[COLUMNS]) {
    char *text[COLUMNS];
    for (enum column c = 0; c < COLUMNS; c++) {
        const char *cell = json_string_value(json_array_get(row, at[c]));
        text[c] = base_clean_dup(cell ? cell : "", cell ? strlen(cell) : 0,
                                 c == ITEM ? CLASSROOM_TITLE - 1 : CLASSROOM_WORD - 1);
    }
    bool graded = strcmp(text[VERDICT], "noted") != 0 && strcmp(text[VERDICT], "unreadable") != 0 &&
                  *text[VERDICT];
    bool right = strcmp(text[VERDICT], "right") == 0 || strcmp(text[VERDICT], "rounded") == 0;
    if (graded && *text[ITEM]) {
        add(t, text[ITEM], "");
        if (!right) add(t, text[ITEM], *text[MISTAKE] ? text[MISTAKE] : CLASSROOM_UNNAMED);
    }
    for (enum column c = 0; c < COLUMNS; c++) free(text[c]);
}

void classroom_tally(const struct classroom_handin *h, struct classroom_tally *out) {
    const size_t at[COLUMNS] = {classroom_handin_column(h, "item"),
                                classroom_handin_column(h, "verdict"),
                                classroom_handin_column(h, "mistake")};
    *out = (struct classroom_tally){0};
    for (size_t i = 0; i < h->answers; i++) count_row(out, h->answer[i].row, at);
}

/* ── the plan's clock ──────────────────────────────────────────────────────────────────────────*/
static void look_at_clock(const struct classroom_sight *s, struct classroom_overview *o) {
    const struct classroom_settings *set = s->settings;
    int until = 0;
    o->over = set->closed || (set->ends && s->now >= set->ends);
    bool ahead = !o->over && s->now < set->begins;
    o->ahead = ahead ? (int)((set->begins - s->now + 59) / 60) : 0;
    int64_t until_now = o->over && set->ends && set->ends < s->now ? set->ends : s->now;
    o->minute = until_now > set->begins ? (int)((until_now - set->begins) * set->speed / 60) : 0;
    for (size_t i = 0; i < set->lessons; i++) {
        int from = until;
        until += set->lesson[i].minutes;
        o->until[i] = until;
        o->part[i] = o->minute >= until            ? CLASSROOM_PART_OVER
                     : o->minute >= from && !ahead ? CLASSROOM_PART_NOW
                                                   : CLASSROOM_PART_AHEAD;
    }
    o->minutes =
        set->ends > set->begins ? (int)((set->ends - set->begins) * set->speed / 60) : until;
}

/* ── who wants help ────────────────────────────────────────────────────────────────────────────*/
static int longest_first(const void *a, const void *b) {
    const struct classroom_help *x = a, *y = b;
    if (x->waits != y->waits) return x->waits > y->waits ? -1 : 1;
    return x->seat < y->seat ? -1 : x->seat > y->seat;
}

static int64_t since(int64_t now, int64_t when) {
    return now > when ? now - when : 0;
}

static void look_at_people(const struct classroom_sight *s, struct classroom_overview *o) {
    o->hand = base_alloc((s->seats + 1) * sizeof *o->hand);
    o->silent = base_alloc((s->seats + 1) * sizeof *o->silent);
    for (size_t i = 0; i < s->seats; i++) {
        const struct classroom_seat *one = &s->seat[i];
        int64_t still = since(s->now, one->now.changed);
        o->here += one->here;
        o->away += !one->here;
        if (!one->here) continue;
        if (one->now.hand)
            o->hand[o->hands++] = (struct classroom_help){i, since(s->now, one->hand)};
        else if (still >= s->patience)
            o->silent[o->quiet++] = (struct classroom_help){i, still};
    }
    qsort(o->hand, o->hands, sizeof *o->hand, longest_first);
    qsort(o->silent, o->quiet, sizeof *o->silent, longest_first);
}

/* ── where the room is ─────────────────────────────────────────────────────────────────────────*/
/* Of lessons with as many learners the one that comes first in the list of seats. */
static void find_lesson(const struct classroom_sight *s, struct classroom_overview *o) {
    int most = 0;
    for (size_t i = 0; i < s->seats; i++) {
        const char *lesson = s->seat[i].now.lesson;
        int there = 0;
        if (!s->seat[i].here || !*lesson) continue;
        for (size_t k = 0; k < s->seats; k++)
            there += s->seat[k].here && strcmp(s->seat[k].now.lesson, lesson) == 0;
        if (there <= most) continue;
        most = there;
        snprintf(o->lesson, sizeof o->lesson, "%s", lesson);
    }
}

static void look_at_steps(const struct classroom_sight *s, struct classroom_overview *o) {
    find_lesson(s, o);
    for (size_t i = 0; i < s->seats; i++) {
        const struct classroom_presence *p = &s->seat[i].now;
        bool in = s->seat[i].here && *o->lesson && strcmp(p->lesson, o->lesson) == 0;
        bool counts = in && p->number >= 1 && p->number <= CLASSROOM_STEPS;
        if (counts) o->at[p->number - 1]++;
        o->elsewhere += s->seat[i].here && *p->lesson && !counts;
        int of = p->of < CLASSROOM_STEPS ? p->of : CLASSROOM_STEPS;
        int steps = !counts ? 0 : of > p->number ? of : p->number;
        if (steps > o->steps) o->steps = steps;
    }
}

/* ── mistakes ──────────────────────────────────────────────────────────────────────────────────*/
static int by_item(const void *a, const void *b) {
    const struct classroom_slip *x = a, *y = b;
    int items = strcmp(x->item, y->item);
    return items ? items : strcmp(x->mistake, y->mistake);
}

static int most_first(const void *a, const void *b) {
    const struct classroom_slip *x = a, *y = b;
    if (x->elsewhere != y->elsewhere) return x->elsewhere ? 1 : -1;
    if (x->made != y->made) return x->made > y->made ? -1 : 1;
    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    return by_item(a, b);
}

static bool of_lesson(const char *item, const char *lesson) {
    size_t n = strlen(lesson);
    return n == 0 || (strncmp(item, lesson, n) == 0 && item[n] == '/');
}

/* Reviews and the exit questions ask items of several lessons. */
static bool is_mixed(const struct classroom_sight *s, const char *lesson) {
    for (size_t i = 0; i < s->seats; i++) {
        const struct classroom_presence *p = &s->seat[i].now;
        if (s->seat[i].here && *lesson && strcmp(p->lesson, lesson) == 0 && *p->item &&
            !of_lesson(p->item, lesson))
            return true;
    }
    return false;
}

/* One for each thing that a learner tried or got wrong. Without a lesson none is elsewhere. */
static size_t gather(const struct classroom_sight *s, const char *lesson,
                     struct classroom_slip **out) {
    size_t n = 0, room = 1;
    for (size_t i = 0; i < s->seats; i++) room += s->seat[i].tally.count;
    *out = base_alloc(room * sizeof **out);
    for (size_t i = 0; i < s->seats; i++)
        for (size_t k = 0; k < s->seat[i].tally.count; k++) {
            const struct classroom_tried *t = &s->seat[i].tally.tried[k];
            struct classroom_slip *one = &(*out)[n++];
            one->elsewhere = !of_lesson(t->item, lesson);
            memcpy(one->item, t->item, sizeof one->item);
            memcpy(one->mistake, t->mistake, sizeof one->mistake);
        }
    return n;
}

/* Sorted, those that are alike follow each other, and the tries of an item come before its
 * mistakes. */
static void look_at_mistakes(const struct classroom_sight *s, struct classroom_overview *o) {
    o->mixed = is_mixed(s, o->lesson);
    size_t n = gather(s, o->mixed ? "" : o->lesson, &o->slip);
    int of = 0;
    qsort(o->slip, n, sizeof *o->slip, by_item);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && by_item(&o->slip[i], &o->slip[next]) == 0;) next++;
        int count = (int)(next - i);
        if (!*o->slip[i].mistake)
            of = count;
        else if (o->slips < CLASSROOM_SLIPS) {
            struct classroom_slip one = o->slip[i];
            one.made = count;
            one.of = of;
            o->slip[o->slips++] = one;
        }
    }
    qsort(o->slip, o->slips, sizeof *o->slip, most_first);
}

/* ── labs ──────────────────────────────────────────────────────────────────────────────────────*/
static void look_at_labs(const struct classroom_sight *s, struct classroom_overview *o) {
    for (size_t i = 0; s->tickets && i < s->tickets->count; i++) {
        const struct classroom_turn *t = &s->turn[i];
        struct classroom_labs *l = &o->labs[s->tickets->ticket[i].wish.kind];
        if (t->stand == CLASSROOM_RUNNING) l->running++;
        if (t->stand == CLASSROOM_RUNNING) l->used += classroom_slots_count(&t->slots);
        bool waits = t->stand == CLASSROOM_WAITING || t->stand == CLASSROOM_AWAY ||
                     t->stand == CLASSROOM_READY;
        if (waits) l->waiting++;
        if (waits && t->wait > l->last) l->last = t->wait;
    }
    for (enum classroom_kind k = 0; k < CLASSROOM_KINDS; k++)
        o->labs[k].slots = classroom_slots_of(s->settings, k);
}

void classroom_overview(const struct classroom_sight *s, struct classroom_overview *out) {
    *out = (struct classroom_overview){0};
    look_at_clock(s, out);
    look_at_people(s, out);
    look_at_steps(s, out);
    look_at_mistakes(s, out);
    look_at_labs(s, out);
}

void classroom_overview_free(struct classroom_overview *o) {
    free(o->hand);
    free(o->silent);
    free(o->slip);
    *o = (struct classroom_overview){0};
}
