/* record.c: answers become memories. */
#include "review/record.h"
#include "review/streak.h"

#include "review/day.h"

#include "base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* an answer to a problem that needed no thought */
    QUICK_SECONDS = 15,
};

struct review_record {
    const char *const *lesson;
    size_t lessons;
    /* by item */
    struct review_memory **memory;
    size_t count;
    struct review_streak days, weeks;
};

/* ── grades ────────────────────────────────────────────────────────────────────────────────────*/
static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool is_right(const struct review_answer *a) {
    return is(a->verdict, "right") || is(a->verdict, "rounded");
}

/* A problem whose whole working was shown was given up. */
static bool gave_up(const struct review_answer *a) {
    return is(a->verdict, "noted") && a->hints == 3 && !a->typed;
}

bool review_grade(const struct review_answer *a, bool again, enum review_grade *out) {
    bool card = is(a->line, REVIEW_CARD), right = is_right(a);
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
/* The review was under a wrong clock, or this day is. */
static bool is_from_the_future(const struct review_memory *m, int64_t day) {
    return m->last - day >= REVIEW_WRONG_CLOCK;
}

/* Days since the last review. If that was under a clock set back, the one before it came later by
 * the calendar; once the clock is there again, they count from that one. If the last review is
 * still to come, nobody can say how long it waits: then it waits as long as it was meant to, so
 * that all who ask find it due and as strong as things are on the day on which they are due. */
static int64_t elapsed(const struct review_memory *m, int64_t day) {
    if (m->reviews > 0 && is_from_the_future(m, day)) return m->due - m->last;
    bool back = m->before.reviews > 0 && m->before.last > m->last && m->before.last <= day;
    int64_t last = back ? m->before.last : m->last;
    return m->reviews > 0 && day > last ? day - last : 0;
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

bool review_memory_is_due(const struct review_memory *m, int64_t day) {
    return m->reviews > 0 && !m->suspended && (m->due <= day || is_from_the_future(m, day));
}

static void take_back(struct review_memory *m) {
    const struct review_before *b = &m->before;
    m->now = b->now;
    m->last = b->last;
    m->due = b->due;
    m->reviews = b->reviews;
    m->lapses = b->lapses;
    m->known = m->right = b->known;
    m->try = -1;
}

/* A review in the future was under a wrong clock, and how long it had waited was wrong, too: this
 * answer takes its place. */
static void grade(struct review_memory *m, const struct review_answer *a) {
    enum review_grade g;
    if (m->reviews > 0 && a->day <= m->last && !is_from_the_future(m, a->day)) return;
    if (!review_grade(a, m->reviews > 0, &g)) return;
    if (m->reviews > 0 && is_from_the_future(m, a->day)) take_back(m);
    bool reviewed = m->reviews > 0;
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
    if (m->reviews > 0 && m->try == try) take_back(m);
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
    r->days = r->weeks = (struct review_streak){0};
}

void review_record_free(struct review_record *r) {
    if (!r) return;
    forget(r);
    free(r);
}

size_t review_record_count(const struct review_record *r) {
    return r->count;
}

const struct review_memory *review_record_at(const struct review_record *r, size_t i) {
    return r->memory[i];
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
/* The first day on which something is due; far off if nothing is. What was never asked is not due:
 * it waits, and nothing of it fades. */
static int64_t first_due(const struct review_record *r) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < r->count; i++)
        if (r->memory[i]->reviews > 0 && !r->memory[i]->suspended && r->memory[i]->due < first)
            first = r->memory[i]->due;
    return first;
}

static int64_t week_of(int64_t due) {
    return due == INT64_MAX ? due : review_week(due);
}

/* What was due matters when a day begins, and not to each of its answers. */
static void keep_day(struct review_record *r, int64_t day) {
    int64_t week = review_week(day);
    bool begins = !r->days.begun || day > r->days.last || week > r->weeks.last;
    int64_t due = begins ? first_due(r) : INT64_MAX;
    review_streak_answer(&r->days, &review_days, day, due);
    review_streak_answer(&r->weeks, &review_weeks, week, week_of(due));
}

int64_t review_record_streak(const struct review_record *r, int64_t today) {
    return review_streak_kept(&r->days, &review_days, today, first_due(r));
}

int64_t review_record_weeks(const struct review_record *r, int64_t today) {
    int64_t due = first_due(r);
    return review_streak_kept(&r->weeks, &review_weeks, review_week(today),
                              due > today ? INT64_MAX : week_of(due));
}

void review_record_add(struct review_record *r, const struct review_answer *a) {
    char item[256];
    enum review_grade g;
    bool suspends = is(a->line, REVIEW_SUSPEND), undoes = is(a->line, REVIEW_UNDO);
    if (!review_item(r->lesson, r->lessons, a->item, item, sizeof item)) return;
    if (!suspends && !undoes && !review_grade(a, false, &g)) return;
    if (!suspends && !undoes) keep_day(r, a->day);
    struct review_memory *m = memory_of(r, item);
    if (suspends) {
        m->suspended = m->suspended ? 0 : a->day;
    } else if (undoes) {
        undo(m, a->try);
    } else {
        grade(m, a);
        m->right = is_right(a);
    }
}

/* ── as text ───────────────────────────────────────────────────────────────────────────────────*/
#define VERSION "review 5"

/* A real number as its bits: they are read five times faster than digits, and just as exact. */
static int64_t bits_of(double real) {
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static void write_fsrs(struct base_text *t, const struct review_fsrs *f) {
    base_text_printf(t, " %" PRId64 " %" PRId64, bits_of(f->stability), bits_of(f->difficulty));
}

static void write_memory(struct base_text *t, const struct review_memory *m) {
    const struct review_before *b = &m->before;
    base_text_puts(t, m->item);
    write_fsrs(t, &m->now);
    base_text_printf(t, " %" PRId64 " %" PRId64 " %" PRId64 " %d %d %d %d %" PRId64 " %d", m->first,
                     m->last, m->due, m->reviews, m->lapses, m->known, m->right, m->suspended,
                     m->try);
    write_fsrs(t, &b->now);
    base_text_printf(t, " %" PRId64 " %" PRId64 " %d %d %d\n", b->last, b->due, b->reviews,
                     b->lapses, b->known);
}

static void write_streak(struct base_text *t, const struct review_streak *s) {
    base_text_printf(t, "%d %" PRId64 " %" PRId64 " %" PRId64 "\n", s->begun, s->kept, s->last,
                     s->forgiven);
}

char *review_record_write(const struct review_record *r) {
    struct base_text t = {0};
    base_text_puts(&t, VERSION "\n");
    write_streak(&t, &r->days);
    write_streak(&t, &r->weeks);
    for (size_t i = 0; i < r->count; i++) write_memory(&t, r->memory[i]);
    return base_text_take(&t);
}

/* The numbers of a line, one after the other; the C library's readers would take three times as
 * long, and a prompt waits for this. */
struct numbers {
    const char *at;
    bool fits;
};

/* At most 19 digits, as all int64_t have; more could wrap, and do not fit. */
static int64_t whole(struct numbers *n) {
    enum { DIGITS = 19 };
    const char *s = n->at + (*n->at == ' ');
    bool negative = *s == '-';
    uint64_t value = 0;
    const char *first = s += negative;
    for (; *s >= '0' && *s <= '9' && s - first < DIGITS; s++)
        value = 10 * value + (uint64_t)(*s - '0');
    n->fits &= s > first && value <= INT64_MAX && (*s == ' ' || *s == '\n');
    n->at = s;
    return negative ? -(int64_t)(value & INT64_MAX) : (int64_t)(value & INT64_MAX);
}

static int count(struct numbers *n) {
    int64_t value = whole(n);
    n->fits &= value >= INT_MIN && value <= INT_MAX;
    return n->fits ? (int)value : 0;
}

static struct review_fsrs fsrs(struct numbers *n) {
    int64_t stability = whole(n), difficulty = whole(n);
    struct review_fsrs f;
    memcpy(&f.stability, &stability, sizeof f.stability);
    memcpy(&f.difficulty, &difficulty, sizeof f.difficulty);
    return f;
}

static void read_numbers(struct numbers *n, struct review_memory *m) {
    struct review_before *b = &m->before;
    m->now = fsrs(n);
    m->first = whole(n);
    m->last = whole(n);
    m->due = whole(n);
    m->reviews = count(n);
    m->lapses = count(n);
    m->known = count(n);
    m->right = count(n);
    m->suspended = whole(n);
    m->try = count(n);
    b->now = fsrs(n);
    b->last = whole(n);
    b->due = whole(n);
    b->reviews = count(n);
    b->lapses = count(n);
    b->known = count(n);
}

static bool read_memory(struct review_record *r, const char *line) {
    char item[256];
    size_t length = strcspn(line, " \n");
    struct numbers n = {line + length, length > 0 && length < sizeof item && line[length] == ' '};
    struct review_memory m = {0};
    if (n.fits) read_numbers(&n, &m);
    bool fits = n.fits && *n.at == '\n' && m.now.stability >= 0 && m.now.stability <= 36500 &&
                m.now.difficulty >= 0 && m.now.difficulty <= 10 && m.reviews >= 0;
    if (!fits) return false;
    snprintf(item, sizeof item, "%.*s", (int)length, line);
    struct review_memory *to = memory_of(r, item);
    m.item = to->item;
    *to = m;
    return true;
}

static const char *next_line(const char *s) {
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

static bool read_streak(const char **line, struct review_streak *s) {
    int begun;
    bool fits = sscanf(*line, "%d %" SCNd64 " %" SCNd64 " %" SCNd64, &begun, &s->kept, &s->last,
                       &s->forgiven) == 4;
    s->begun = fits && begun;
    *line = next_line(*line);
    return fits;
}

bool review_record_read(struct review_record *r, const char *text) {
    struct review_streak days, weeks;
    bool fits = strncmp(text, VERSION "\n", sizeof VERSION) == 0;
    const char *line = fits ? next_line(text) : "";
    fits = fits && read_streak(&line, &days) && read_streak(&line, &weeks);
    forget(r);
    for (; fits && *line != '\0'; line = next_line(line)) fits = read_memory(r, line);
    if (!fits) {
        forget(r);
        return false;
    }
    r->days = days;
    r->weeks = weeks;
    return true;
}
