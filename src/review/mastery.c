/* mastery.c: answers become skills, mistakes and days of study. */
#include "review/mastery.h"

#include "base/base.h"

#include "review/day.h"
#include "review/streak.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DECAY = 0.8, HALF = 0.5;

/* What was asked: a problem, or a line of a worksheet ("1.1/sheet#grads"). */
struct asked {
    char *name;
    struct review_skill *skill;
    /* the day of the latest first try, and that try; -1 if it was undone */
    int64_t last;
    int try;
    /* the skill and the day before it; no key */
    struct review_skill before;
    int64_t before_last;
    /* the last mistake made on it, "" if there is none, and its day */
    char slip[48];
    int64_t slipped;
};
struct made {
    struct review_mistake mistake;
    /* where it was made last, and that skill's tries then */
    const struct review_skill *skill;
    int tries;
};
/* Rows of one kind, sorted by the names that they begin with. */
struct rows {
    void **row;
    size_t count;
};
struct review_mastery {
    const char *const *lesson;
    size_t lessons;
    /* struct review_skill, struct asked, struct made */
    struct rows skills, asked, made;
    struct review_studied day[REVIEW_DAYS_MOST];
    size_t days;
    /* the last answer was to a line of this item: the whole of it follows with the same seconds */
    char lined[256];
};

struct review_mastery *review_mastery_new(const char *const *lessons, size_t count) {
    struct review_mastery *m = base_alloc(sizeof *m);
    m->lesson = lessons;
    m->lessons = count;
    return m;
}

static char *name_of(void *row) {
    return *(char **)row;
}

static void free_rows(struct rows *r) {
    for (size_t i = 0; i < r->count; i++) {
        free(name_of(r->row[i]));
        free(r->row[i]);
    }
    free(r->row);
}

static void forget(struct review_mastery *m) {
    free_rows(&m->skills);
    free_rows(&m->asked);
    free_rows(&m->made);
    *m = (struct review_mastery){.lesson = m->lesson, .lessons = m->lessons};
}

void review_mastery_free(struct review_mastery *m) {
    if (!m) return;
    forget(m);
    free(m);
}

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
static size_t place_of(const struct rows *r, const char *name) {
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(name_of(r->row[mid]), name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void *find(const struct rows *r, const char *name) {
    size_t i = place_of(r, name);
    return i < r->count && strcmp(name_of(r->row[i]), name) == 0 ? r->row[i] : NULL;
}

/* The row of this name; a new one is empty but for it. */
static void *row_of(struct rows *r, const char *name, size_t size) {
    size_t i = place_of(r, name);
    if (i < r->count && strcmp(name_of(r->row[i]), name) == 0) return r->row[i];
    char **added = base_alloc(size);
    *added = base_dup(name);
    r->row = base_grow(r->row, r->count + 1, sizeof *r->row);
    memmove(&r->row[i + 1], &r->row[i], (r->count - i) * sizeof *r->row);
    r->row[i] = added;
    r->count++;
    return added;
}

static struct review_skill *skill_of(struct review_mastery *m, const char *key) {
    return row_of(&m->skills, key, sizeof(struct review_skill));
}

static struct asked *asked_of(struct review_mastery *m, const char *name) {
    return row_of(&m->asked, name, sizeof(struct asked));
}

static struct made *made_of(struct review_mastery *m, const char *id) {
    return row_of(&m->made, id, sizeof(struct made));
}

/* ── one skill ─────────────────────────────────────────────────────────────────────────────────*/
static struct review_then then_of(const struct review_skill *s) {
    return (struct review_then){s->level, s->now.stability, s->last};
}

static void try_skill(struct review_skill *s, int64_t day, enum review_grade g, bool helped) {
    double right = g == REVIEW_AGAIN ? 0 : helped ? HALF : 1;
    int64_t passed = s->tries > 0 && day > s->last ? day - s->last : 0;
    if (s->tries > 0 && review_week(day) != review_week(s->last)) s->then = then_of(s);
    if (s->tries == 0) {
        s->first = day;
        s->level = (struct review_level){.right = HALF, .weight = 1};
    }
    s->level.right = s->level.right * DECAY + right;
    s->level.weight = s->level.weight * DECAY + 1;
    s->now = review_fsrs_after(s->now, passed, g);
    s->tries++;
    s->right += g != REVIEW_AGAIN;
    s->helped += g != REVIEW_AGAIN && helped;
    s->last = day;
}

static double likely(struct review_then s, int64_t day) {
    if (s.level.weight <= 0) return (double)NAN;
    /* as memories that were reviewed under a wrong clock: see record.c */
    double passed = s.last - day >= REVIEW_WRONG_CLOCK ? s.stability
                    : day > s.last                     ? (double)(day - s.last)
                                                       : 0;
    return s.level.right / s.level.weight * review_fsrs_recall(s.stability, passed);
}

double review_skill_likely(const struct review_skill *s, int64_t day) {
    return likely(then_of(s), day);
}

double review_skill_on_monday(const struct review_skill *s, int64_t day) {
    bool since = review_week(s->last) >= review_week(day);
    return likely(since ? s->then : then_of(s), review_monday(day));
}

/* ── mistakes and days ─────────────────────────────────────────────────────────────────────────*/
static void add_part(struct review_mastery *m, const struct review_answer *a, const char *from,
                     size_t n, const struct review_skill *skill) {
    char id[48];
    if (n == 0 || n >= sizeof id) return;
    snprintf(id, sizeof id, "%.*s", (int)n, from);
    struct made *made = made_of(m, id);
    made->mistake.times++;
    made->mistake.last = a->day;
    made->skill = skill;
    made->tries = skill ? skill->tries : 0;
}

/* Of several that give one number, the likeliest stands first; of two that together give it,
 * joined by '+', each was made. */
static void add_mistake(struct review_mastery *m, const struct review_answer *a,
                        const struct review_skill *skill) {
    const char *end = a->mistake + strcspn(a->mistake, "|");
    for (const char *from = a->mistake; from < end;) {
        size_t n = strcspn(from, "+|");
        add_part(m, a, from, n, skill);
        from += n + 1;
    }
}

bool review_mistake_happens(const struct review_mistake *m) {
    return m->since < REVIEW_OUTGROWN;
}

static struct review_studied *day_of(struct review_mastery *m, int64_t day) {
    size_t i = m->days;
    while (i > 0 && m->day[i - 1].day > day) i--;
    if (i > 0 && m->day[i - 1].day == day) return &m->day[i - 1];
    if (m->days == REVIEW_DAYS_MOST) {
        if (i == 0) return NULL;
        memmove(m->day, m->day + 1, --i * sizeof *m->day);
    } else {
        memmove(&m->day[i + 1], &m->day[i], (m->days - i) * sizeof *m->day);
        m->days++;
    }
    m->day[i] = (struct review_studied){.day = day};
    return &m->day[i];
}

/* The row for a whole worksheet follows its last line with that line's seconds. */
static void add_time(struct review_mastery *m, const struct review_answer *a) {
    bool whole = strcmp(m->lined, a->item) == 0 && *a->line == '\0';
    snprintf(m->lined, sizeof m->lined, "%s", *a->line ? a->item : "");
    struct review_studied *d = whole ? NULL : day_of(m, a->day);
    if (!d) return;
    d->answers++;
    d->seconds += a->seconds > 0 && a->seconds < REVIEW_PAUSE ? a->seconds
                  : a->seconds > 0                            ? REVIEW_PAUSE
                                                              : 0;
}

/* ── answers ───────────────────────────────────────────────────────────────────────────────────*/
static bool is_line(const struct review_answer *a, const char *line) {
    return strcmp(a->line, line) == 0;
}

/* What was asked, by name. */
static bool name_asked(const struct review_mastery *m, const struct review_answer *a,
                       const char *line, char *out, size_t size) {
    if (!review_item(m->lesson, m->lessons, a->item, out, size)) return false;
    size_t n = strlen(out);
    return *line == '\0' || snprintf(out + n, size - n, "#%s", line) < (int)(size - n);
}

/* The grade of a problem or a line; cards are left out, since no one checks them. */
static bool grade_of(const struct review_answer *a, enum review_grade *out) {
    struct review_answer whole = *a;
    if (is_line(a, REVIEW_CARD)) return false;
    whole.line = "";
    return review_grade(&whole, false, out);
}

bool review_mastery_asks(const struct review_mastery *m, const struct review_answer *a) {
    char name[300];
    enum review_grade g;
    if (!grade_of(a, &g) || !name_asked(m, a, a->line, name, sizeof name)) return false;
    const struct asked *k = find(&m->asked, name);
    return !k || !k->skill || a->day > k->last || k->last - a->day >= REVIEW_WRONG_CLOCK;
}

/* As the skills, by the likeliest mistake alone. */
static void note_slip(struct review_mastery *m, const struct review_answer *a) {
    char name[300];
    size_t n = strcspn(a->mistake, "+|");
    if (n == 0 || n >= sizeof((struct asked *)0)->slip) return;
    if (!name_asked(m, a, a->line, name, sizeof name)) return;
    struct asked *k = find(&m->asked, name);
    if (!k) return;
    snprintf(k->slip, sizeof k->slip, "%.*s", (int)n, a->mistake);
    k->slipped = a->day;
}

static void try_first(struct review_mastery *m, const struct review_answer *a, const char *key) {
    char name[300];
    enum review_grade g = REVIEW_AGAIN;
    if (!grade_of(a, &g) || !name_asked(m, a, a->line, name, sizeof name)) return;
    struct asked *k = asked_of(m, name);
    k->before_last = k->skill ? k->last : INT64_MIN;
    k->skill = skill_of(m, key);
    k->before = *k->skill;
    k->before.key = NULL;
    k->last = a->day;
    k->try = a->try;
    try_skill(k->skill, a->day, g, a->hints > 0);
}

static void undo(struct review_mastery *m, const struct review_answer *a) {
    char name[300];
    if (!name_asked(m, a, "", name, sizeof name)) return;
    struct asked *k = find(&m->asked, name);
    if (!k || !k->skill || k->try != a->try || k->try < 0) return;
    char *key = k->skill->key;
    *k->skill = k->before;
    k->skill->key = key;
    k->last = k->before_last;
    k->try = -1;
}

static const struct review_skill *skill_asked(const struct review_mastery *m,
                                              const struct review_answer *a) {
    char name[300];
    if (!name_asked(m, a, a->line, name, sizeof name)) return NULL;
    const struct asked *k = find(&m->asked, name);
    return k ? k->skill : NULL;
}

void review_mastery_add(struct review_mastery *m, const struct review_answer *a,
                        const char *skill) {
    char item[256];
    if (!review_item(m->lesson, m->lessons, a->item, item, sizeof item)) return;
    if (is_line(a, REVIEW_SUSPEND)) return;
    if (is_line(a, REVIEW_UNDO)) {
        undo(m, a);
        return;
    }
    if (skill && review_mastery_asks(m, a)) try_first(m, a, skill);
    if (*a->line == '\0') add_mistake(m, a, skill_asked(m, a));
    note_slip(m, a);
    add_time(m, a);
}

/* ── reading it ────────────────────────────────────────────────────────────────────────────────*/
size_t review_mastery_skills(const struct review_mastery *m) {
    return m->skills.count;
}

const struct review_skill *review_mastery_skill(const struct review_mastery *m, size_t i) {
    return m->skills.row[i];
}

/* "1.1/sheet" and "1.1/sheet#grads" are of the item 1.1/sheet. */
static bool is_of(const char *name, const char *item, size_t n) {
    return strncmp(name, item, n) == 0 && (name[n] == '\0' || name[n] == '#');
}

static bool has_skill(const struct review_skill *const *list, size_t count,
                      const struct review_skill *s) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == s) return true;
    return false;
}

const char *review_mastery_slip(const struct review_mastery *m, const char *item, int64_t *day) {
    size_t n = strlen(item);
    const char *slip = NULL;
    for (size_t i = place_of(&m->asked, item); i < m->asked.count; i++) {
        const struct asked *k = m->asked.row[i];
        if (strncmp(k->name, item, n) != 0) break;
        if (!is_of(k->name, item, n) || !*k->slip || (slip && k->slipped < *day)) continue;
        slip = k->slip;
        *day = k->slipped;
    }
    return slip;
}

size_t review_mastery_tried(const struct review_mastery *m, const char *item,
                            const struct review_skill **out, size_t most) {
    size_t n = strlen(item), count = 0;
    for (size_t i = place_of(&m->asked, item); i < m->asked.count; i++) {
        const struct asked *k = m->asked.row[i];
        if (strncmp(k->name, item, n) != 0 || count == most) break;
        if (is_of(k->name, item, n) && k->skill->tries > 0 && !has_skill(out, count, k->skill))
            out[count++] = k->skill;
    }
    return count;
}

size_t review_mastery_mistakes(const struct review_mastery *m) {
    return m->made.count;
}

struct review_mistake review_mastery_mistake(const struct review_mastery *m, size_t i) {
    const struct made *made = m->made.row[i];
    struct review_mistake out = made->mistake;
    if (made->skill && made->skill->tries > made->tries)
        out.since = made->skill->tries - made->tries;
    return out;
}

const struct review_studied *review_mastery_days(const struct review_mastery *m, size_t *count) {
    *count = m->days;
    return m->day;
}

/* ── as text ─────────────────────────────────────────────────────────────────────────────────────
 * A row a line, its kind first: s a skill, a what was asked, m a mistake, d a day. */
/* 2: of two mistakes that were made together, each counts. 3: a skill as it was before the week of
 * its last try, and the last mistake made on each thing. */
#define VERSION "mastery 3\n"

static void write_skill(struct base_text *t, const struct review_skill *s) {
    base_text_printf(t, " %d %d %d %" PRId64 " %" PRId64 " %a %a %a %a %a %a %a %" PRId64, s->tries,
                     s->right, s->helped, s->first, s->last, s->level.right, s->level.weight,
                     s->now.stability, s->now.difficulty, s->then.level.right, s->then.level.weight,
                     s->then.stability, s->then.last);
}

char *review_mastery_write(const struct review_mastery *m) {
    struct base_text t = {0};
    base_text_puts(&t, VERSION);
    for (size_t i = 0; i < m->skills.count; i++) {
        base_text_printf(&t, "s %s", name_of(m->skills.row[i]));
        write_skill(&t, m->skills.row[i]);
        base_text_puts(&t, "\n");
    }
    for (size_t i = 0; i < m->asked.count; i++) {
        const struct asked *k = m->asked.row[i];
        base_text_printf(&t, "a %s %s %" PRId64 " %" PRId64 " %d %s %" PRId64, k->name,
                         k->skill->key, k->last, k->before_last, k->try, *k->slip ? k->slip : "-",
                         k->slipped);
        write_skill(&t, &k->before);
        base_text_puts(&t, "\n");
    }
    for (size_t i = 0; i < m->made.count; i++) {
        const struct made *made = m->made.row[i];
        base_text_printf(&t, "m %s %s %d %" PRId64 " %d\n", made->mistake.id,
                         made->skill ? made->skill->key : "-", made->mistake.times,
                         made->mistake.last, made->tries);
    }
    for (size_t i = 0; i < m->days; i++)
        base_text_printf(&t, "d %" PRId64 " %d %a\n", m->day[i].day, m->day[i].answers,
                         m->day[i].seconds);
    return base_text_take(&t);
}

static bool is_share(struct review_level l) {
    return l.right >= 0 && l.right <= l.weight;
}

static bool is_stability(double s) {
    return s >= 0 && s <= 36500;
}

static bool read_numbers(const char *text, struct review_skill *s) {
    struct review_skill r = {.key = s->key};
    int n = sscanf(text, "%d %d %d %" SCNd64 " %" SCNd64 " %la %la %la %la %la %la %la %" SCNd64,
                   &r.tries, &r.right, &r.helped, &r.first, &r.last, &r.level.right,
                   &r.level.weight, &r.now.stability, &r.now.difficulty, &r.then.level.right,
                   &r.then.level.weight, &r.then.stability, &r.then.last);
    bool fits = n == 13 && r.tries >= 0 && r.right >= 0 && r.right <= r.tries && r.helped >= 0 &&
                r.helped <= r.right && is_stability(r.now.stability) && r.now.difficulty >= 0 &&
                r.now.difficulty <= 10 && is_share(r.level) &&
                (r.tries == 0 || r.level.weight > 0) && is_stability(r.then.stability) &&
                is_share(r.then.level);
    if (fits) *s = r;
    return fits;
}

static bool read_skill(struct review_mastery *m, const char *line) {
    char key[128];
    int n = 0;
    return sscanf(line, "%127s %n", key, &n) == 1 && read_numbers(line + n, skill_of(m, key));
}

static bool read_asked(struct review_mastery *m, const char *line) {
    char name[300], key[128], slip[48];
    int64_t last, before, slipped;
    int try, n = 0;
    if (sscanf(line, "%299s %127s %" SCNd64 " %" SCNd64 " %d %47s %" SCNd64 " %n", name, key, &last,
               &before, &try, slip, &slipped, &n) != 7)
        return false;
    struct review_skill *skill = find(&m->skills, key);
    if (!skill) return false;
    struct asked *k = asked_of(m, name);
    k->skill = skill;
    k->last = last;
    k->before_last = before;
    k->try = try;
    k->slipped = slipped;
    if (strcmp(slip, "-") != 0) snprintf(k->slip, sizeof k->slip, "%s", slip);
    return read_numbers(line + n, &k->before);
}

static bool read_mistake(struct review_mastery *m, const char *line) {
    char id[48], key[128];
    struct review_mistake r = {0};
    int tries;
    if (sscanf(line, "%47s %127s %d %" SCNd64 " %d", id, key, &r.times, &r.last, &tries) != 5)
        return false;
    struct made *made = made_of(m, id);
    r.id = made->mistake.id;
    made->mistake = r;
    made->skill = find(&m->skills, key);
    made->tries = tries;
    return r.times > 0;
}

static bool read_day(struct review_mastery *m, const char *line) {
    struct review_studied d;
    bool fits = sscanf(line, "%" SCNd64 " %d %la", &d.day, &d.answers, &d.seconds) == 3 &&
                m->days < REVIEW_DAYS_MOST && d.answers >= 0 && d.seconds >= 0 &&
                (m->days == 0 || d.day > m->day[m->days - 1].day);
    if (fits) m->day[m->days++] = d;
    return fits;
}

static bool read_row(struct review_mastery *m, const char *line) {
    if (*line == '\0' || line[1] != ' ') return false;
    switch (*line) {
    case 's': return read_skill(m, line + 2);
    case 'a': return read_asked(m, line + 2);
    case 'm': return read_mistake(m, line + 2);
    case 'd': return read_day(m, line + 2);
    default: return false;
    }
}

bool review_mastery_read(struct review_mastery *m, const char *text) {
    bool fits = strncmp(text, VERSION, sizeof VERSION - 1) == 0;
    char *copy = base_dup(fits ? text + sizeof VERSION - 1 : ""), *rest = copy;
    forget(m);
    for (char *line; fits && (line = strsep(&rest, "\n")) && rest;) fits = read_row(m, line);
    if (!fits) forget(m);
    free(copy);
    return fits;
}
