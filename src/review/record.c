/* record.c: answers become memories. */
#include "review/record.h"

#include "review/day.h"

#include "base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* an answer to a problem that needed no thought */
    QUICK_SECONDS = 15,
    WEEK = 7
};

struct review_record {
    const char *const *lesson;
    size_t lessons;
    /* by item */
    struct review_memory **memory;
    size_t count;
    struct streak {
        /* days in a row; the last one; the last forgiven */
        int64_t kept, last, forgiven;
        bool begun;
    } streak;
};

/* ── grades ────────────────────────────────────────────────────────────────────────────────────*/
static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* A problem whose whole working was shown was given up. */
static bool gave_up(const struct review_answer *a) {
    return is(a->verdict, "noted") && a->hints == 3 && !a->typed;
}

bool review_grade(const struct review_answer *a, bool again, enum review_grade *out) {
    bool card = is(a->line, REVIEW_CARD),
         right = is(a->verdict, "right") || is(a->verdict, "rounded");
    if (!card && *a->line != '\0') return false;
    if (is(a->verdict, "unreadable") || (is(a->verdict, "noted") && !gave_up(a))) return false;
    *out = REVIEW_GOOD;
    if (!right || a->hints >= 3)
        *out = REVIEW_AGAIN;
    else if (a->hints > 0)
        *out = REVIEW_HARD;
    else if (again && !card && a->seconds <= QUICK_SECONDS)
        *out = REVIEW_EASY;
    return true;
}

/* ── one memory ────────────────────────────────────────────────────────────────────────────────*/
static int64_t elapsed(const struct review_memory *m, int64_t day) {
    return m->reviews > 0 && day > m->last ? day - m->last : 0;
}

static int64_t due_after(struct review_fsrs now, int64_t day, enum review_grade g) {
    return day + (g == REVIEW_AGAIN ? 1 : review_fsrs_interval(now.stability));
}

int64_t review_memory_due(const struct review_memory *m, int64_t today, enum review_grade g) {
    return due_after(review_fsrs_after(m->now, elapsed(m, today), g), today, g);
}

double review_memory_recall(const struct review_memory *m, int64_t day) {
    return m->reviews > 0 ? review_fsrs_recall(m->now.stability, (double)elapsed(m, day)) : 0;
}

static bool is_from_the_future(const struct review_memory *m, int64_t day) {
    return m->last - day >= REVIEW_WRONG_CLOCK;
}

bool review_memory_is_due(const struct review_memory *m, int64_t day) {
    return m->reviews > 0 && !m->suspended && (m->due <= day || is_from_the_future(m, day));
}

static void grade(struct review_memory *m, const struct review_answer *a) {
    enum review_grade g;
    bool reviewed = m->reviews > 0;
    if (reviewed && a->day <= m->last && !is_from_the_future(m, a->day)) return;
    if (!review_grade(a, reviewed, &g)) return;
    m->before = (struct review_before){m->now, m->last, m->due, m->reviews, m->lapses, m->known};
    m->now = review_fsrs_after(m->now, elapsed(m, a->day), g);
    if (!reviewed) m->first = a->day;
    m->last = a->day;
    m->due = due_after(m->now, a->day, g);
    assert(m->due > m->last); /* else it would be due again on the day of its review */
    m->reviews++;
    m->known = g != REVIEW_AGAIN;
    m->lapses += reviewed && !m->known;
    m->try = a->try;
}

static void undo(struct review_memory *m, int try) {
    const struct review_before *b = &m->before;
    if (m->reviews == 0 || m->try != try) return;
    m->now = b->now;
    m->last = b->last;
    m->due = b->due;
    m->reviews = b->reviews;
    m->lapses = b->lapses;
    m->known = b->known;
    m->try = -1;
}

/* ── the record ────────────────────────────────────────────────────────────────────────────────*/
struct review_record *review_record_new(const char *const *lessons, size_t count) {
    struct review_record *r = base_alloc(sizeof *r);
    r->lesson = lessons;
    r->lessons = count;
    return r;
}

static void forget(struct review_record *r) {
    for (size_t i = 0; i < r->count; i++) {
        free(r->memory[i]->item);
        free(r->memory[i]);
    }
    free(r->memory);
    r->memory = NULL;
    r->count = 0;
    r->streak = (struct streak){0};
}

void review_record_free(struct review_record *r) {
    if (!r) return;
    forget(r);
    free(r);
}

/* Where the item is, or belongs. */
static size_t place_of(const struct review_record *r, const char *item) {
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(r->memory[mid]->item, item) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct review_memory *review_record_find(const struct review_record *r, const char *item) {
    size_t i = place_of(r, item);
    return i < r->count && is(r->memory[i]->item, item) ? r->memory[i] : NULL;
}

static struct review_memory *memory_of(struct review_record *r, const char *item) {
    size_t i = place_of(r, item);
    if (i < r->count && is(r->memory[i]->item, item)) return r->memory[i];
    struct review_memory *m = base_alloc(sizeof *m);
    m->item = base_dup(item);
    r->memory = base_grow(r->memory, r->count + 1, sizeof *r->memory);
    memmove(&r->memory[i + 1], &r->memory[i], (r->count - i) * sizeof *r->memory);
    r->memory[i] = m;
    r->count++;
    /* place_of() searches by halves: they stay in order, each item once */
    assert(i == 0 || strcmp(r->memory[i - 1]->item, item) < 0);
    assert(i + 1 == r->count || strcmp(item, r->memory[i + 1]->item) < 0);
    return m;
}

/* Whether `item` begins with a lesson's id and this character; what follows it. */
static const char *step_in(const char *const *lesson, size_t lessons, const char *item, char end,
                           const char **found) {
    for (size_t i = 0; i < lessons; i++) {
        size_t n = strlen(lesson[i]);
        *found = lesson[i];
        if (strncmp(item, *found, n) == 0 && item[n] == end) return item + n + 1;
    }
    return NULL;
}

bool review_item(const char *const *lesson, size_t lessons, const char *item, char *out,
                 size_t size) {
    const char *found, *slash = strchr(item, '/');
    const char *step = step_in(lesson, lessons, item, '/', &found);
    if (!step && slash) step = step_in(lesson, lessons, slash + 1, '-', &found);
    return step && snprintf(out, size, "%s/%s", found, step) < (int)size;
}

/* ── the streak ────────────────────────────────────────────────────────────────────────────────*/
/* The first day on which something comes; far off if nothing does. */
static int64_t first_due(const struct review_record *r) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < r->count; i++)
        if (r->memory[i]->reviews > 0 && !r->memory[i]->suspended && r->memory[i]->due < first)
            first = r->memory[i]->due;
    return first;
}

/* The streak after days up to `until` on which no answer was given. Those before the first due day
 * had nothing to ask, and are kept. */
static struct streak after_quiet(const struct review_record *r, int64_t until) {
    struct streak s = r->streak;
    int64_t due = first_due(r), quiet = due > until ? until : due - 1;
    if (quiet > s.last) {
        s.kept += quiet - s.last;
        s.last = quiet;
    }
    for (; s.last < until && s.kept > 0; s.last++) {
        bool forgives = s.last + 1 - s.forgiven >= WEEK;
        if (forgives)
            s.forgiven = s.last + 1;
        else
            s.kept = 0;
    }
    s.last = until > s.last ? until : s.last;
    return s;
}

static void keep_day(struct review_record *r, int64_t day) {
    struct streak *s = &r->streak;
    if (!s->begun) {
        *s = (struct streak){.begun = true, .kept = 1, .last = day, .forgiven = day - WEEK};
        return;
    }
    if (s->last - day >= REVIEW_WRONG_CLOCK) s->last = day;
    if (day <= s->last) return;
    *s = after_quiet(r, day - 1);
    s->kept++;
    s->last = day;
}

int64_t review_record_streak(const struct review_record *r, int64_t today) {
    if (!r->streak.begun) return 0;
    struct streak before = after_quiet(r, today - 1);
    return today > r->streak.last && first_due(r) > today ? before.kept + 1 : before.kept;
}

void review_record_add(struct review_record *r, const struct review_answer *a) {
    char item[256];
    enum review_grade g;
    bool suspends = is(a->line, REVIEW_SUSPEND), undoes = is(a->line, REVIEW_UNDO);
    if (!review_item(r->lesson, r->lessons, a->item, item, sizeof item)) return;
    if (!suspends && !undoes && !review_grade(a, false, &g)) return;
    if (!suspends && !undoes) keep_day(r, a->day);
    struct review_memory *m = memory_of(r, item);
    if (suspends)
        m->suspended = !m->suspended;
    else if (undoes)
        undo(m, a->try);
    else
        grade(m, a);
}

/* ── as text ───────────────────────────────────────────────────────────────────────────────────*/
#define VERSION "review 1"

static void write_memory(struct base_text *t, const struct review_memory *m) {
    const struct review_before *b = &m->before;
    base_text_printf(t, "%s %a %a %" PRId64 " %" PRId64 " %" PRId64 " %d %d %d %d %d", m->item,
                     m->now.stability, m->now.difficulty, m->first, m->last, m->due, m->reviews,
                     m->lapses, m->known, m->suspended, m->try);
    base_text_printf(t, " %a %a %" PRId64 " %" PRId64 " %d %d %d\n", b->now.stability,
                     b->now.difficulty, b->last, b->due, b->reviews, b->lapses, b->known);
}

char *review_record_write(const struct review_record *r) {
    struct base_text t = {0};
    const struct streak *s = &r->streak;
    base_text_printf(&t, VERSION "\n%d %" PRId64 " %" PRId64 " %" PRId64 "\n", s->begun, s->kept,
                     s->last, s->forgiven);
    for (size_t i = 0; i < r->count; i++) write_memory(&t, r->memory[i]);
    return base_text_take(&t);
}

static bool read_memory(struct review_record *r, const char *line) {
    char item[256];
    struct review_memory m = {0};
    struct review_before *b = &m.before;
    int known, suspended, before, n;
    n = sscanf(line,
               "%255s %la %la %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %d %d %d %d %la %la %" SCNd64
               " %" SCNd64 " %d %d %d",
               item, &m.now.stability, &m.now.difficulty, &m.first, &m.last, &m.due, &m.reviews,
               &m.lapses, &known, &suspended, &m.try, &b->now.stability, &b->now.difficulty,
               &b->last, &b->due, &b->reviews, &b->lapses, &before);
    bool fits = n == 18 && m.now.stability >= 0 && m.now.stability <= 36500 &&
                m.now.difficulty >= 0 && m.now.difficulty <= 10 && m.reviews >= 0;
    if (!fits) return false;
    struct review_memory *to = memory_of(r, item);
    m.known = known;
    m.suspended = suspended;
    b->known = before;
    m.item = to->item;
    *to = m;
    return true;
}

static const char *next_line(const char *s) {
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

bool review_record_read(struct review_record *r, const char *text) {
    struct streak s;
    int begun;
    bool fits = strncmp(text, VERSION "\n", sizeof VERSION) == 0;
    const char *line = fits ? next_line(text) : "";
    fits = fits && sscanf(line, "%d %" SCNd64 " %" SCNd64 " %" SCNd64, &begun, &s.kept, &s.last,
                          &s.forgiven) == 4;
    forget(r);
    for (line = next_line(line); fits && *line != '\0'; line = next_line(line))
        fits = read_memory(r, line);
    if (fits) r->streak = s;
    if (fits)
        r->streak.begun = begun;
    else
        forget(r);
    return fits;
}
