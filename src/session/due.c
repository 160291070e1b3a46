/* due: what is due today, and what will be on the next days if nothing is answered until then. That
 * is kept in the record, a line for each day, under a stamp of all that it was made of, so that a
 * prompt reads one row of a record of any length. */
#include "session/inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Days that are kept, and how many of them must be left. */
enum { AHEAD = 14, LEFT = 7 };
#define KEPT "cache/due"

/* ── a day ─────────────────────────────────────────────────────────────────────────────────────*/
int64_t session_due_next(struct learner *who, int64_t day) {
    const struct learner_reviews *r = session_learner_reviews(who);
    int64_t next = review_queue_next(r->record, r->deck.thing, r->deck.count, day);
    return next == INT64_MAX ? 0 : next - day;
}

/* By the same limits as the words next to lessons and ideas; weak also if its last try was wrong.
 */
static void count_strength(struct learner_due *due, const struct learner_reviews *r,
                           const struct review_pick *p) {
    const struct review_memory *m =
        p->fresh ? NULL : review_record_find(r->record, r->deck.thing[p->thing].item);
    bool weak = m && (!m->known || p->recall < SESSION_WEAK);
    due->weak += weak;
    due->solid += m && !weak && p->recall >= SESSION_SOLID;
}

/* Those that fade; if none does, those that are new. */
static void add_names(struct learner_due *due, const struct learner_reviews *r,
                      const struct review_pick *pick, size_t count) {
    bool fresh = due->fresh == count;
    for (size_t i = 0; i < count && due->names < LEARNER_NAMES; i++)
        if (pick[i].fresh == fresh) due->name[due->names++] = r->deck.title[pick[i].thing];
}

/* What these come to on a day; reviews and the deck were read. */
static struct learner_due add_up(struct learner *who, int64_t day, const struct review_pick *pick,
                                 size_t count) {
    const struct learner_reviews *r = session_learner_reviews(who);
    struct learner_due due = {.count = count};
    int64_t seconds = review_queue_seconds(r->deck.thing, pick, count);
    due.next = session_due_next(who, day);
    due.streak = review_record_streak(r->record, day);
    due.weeks = review_record_weeks(r->record, day);
    for (size_t i = 0; i < count; i++) {
        due.fresh += pick[i].fresh;
        count_strength(&due, r, &pick[i]);
    }
    add_names(&due, r, pick, count);
    due.job = count > 0 && session_job_is_due(who, day);
    due.count += due.job;
    if (due.job) seconds += SESSION_JOB_SECONDS;
    due.minutes = (int)(seconds + 59) / 60;
    return due;
}

static struct learner_due due_today(struct learner *who) {
    struct review_pick pick[REVIEW_DAY_MOST];
    size_t count = session_reviews_choose(who, pick);
    return add_up(who, session_today(who), pick, count);
}

/* ── the next days ─────────────────────────────────────────────────────────────────────────────*/
static uint64_t add_setting(uint64_t hash, struct store *s, const char *name) {
    char *value = store_setting(s, name);
    hash = base_hash(hash, value ? value : "");
    free(value);
    return hash;
}

struct stamp {
    struct store *store;
    uint64_t hash;
};

/* A lesson that was begun, and what of it can come back. */
static void add_place(void *to, const struct store_place *p) {
    struct stamp *stamp = to;
    char text[64], *deck = base_format("deck/%s", p->lesson);
    snprintf(text, sizeof text, "%d %" PRId64, p->finished, p->when);
    stamp->hash = add_setting(base_hash(stamp->hash, text), stamp->store, deck);
    free(deck);
}

/* Hashes all that the due questions depend on: the answers, the lessons that were begun, when days
 * begin and in which time zone, the job, the length of a review, the course and this program. 0 if
 * no course can be found.
 */
static uint64_t stamp_of(struct store *s) {
    char *course = base_share_path("lessons/course.json"), text[80];
    uint64_t files = course ? script_stamp(course) : 0;
    time_t now = (time_t)base_now();
    struct tm local = {0};
    struct stamp stamp = {.store = s};
    free(course);
    if (!files) return 0;
    localtime_r(&now, &local);
    snprintf(text, sizeof text, "%jx %" PRId64 " %ld %d", (uintmax_t)files, store_last_answer(s),
             local.tm_gmtoff, session_rollover(s));
    stamp.hash = add_setting(base_hash(0, text), s, "job");
    stamp.hash = add_setting(stamp.hash, s, SESSION_REVIEW_MINUTES);
    store_places(s, add_place, &stamp, NULL);
    return stamp.hash;
}

/* A line for each day from the first on, after the stamp and that day's number:
 *
 *     7d1c… 20780
 *     21 0 12 1 34 6
 */
static bool read_line(const char *line, struct learner_due *out) {
    struct learner_due due = {0};
    if (!strchr(line, '\n') ||
        sscanf(line, "%zu %zu %d %" SCNd64 " %" SCNd64 " %" SCNd64, &due.count, &due.fresh,
               &due.minutes, &due.next, &due.streak, &due.weeks) != 6)
        return false;
    *out = due;
    return true;
}

/* The line of a day that comes so many days after the first; NULL if there is none. */
static const char *line_of(const char *text, int64_t days) {
    const char *line = strchr(text, '\n');
    while (line && days-- > 0) line = strchr(line + 1, '\n');
    return line && line[1] ? line + 1 : NULL;
}

/* What was kept of a day, if it still holds. */
static bool read_kept(struct store *s, int64_t day, struct learner_due *out) {
    char *text = store_setting(s, KEPT), *end = text;
    uint64_t stamp = text ? strtoull(text, &end, 16) : 0;
    int64_t first = stamp && *end == ' ' ? strtoll(end, &end, 10) : INT64_MAX;
    const char *line = first <= day && day - first < AHEAD && *end == '\n' && stamp == stamp_of(s)
                           ? line_of(end, day - first)
                           : NULL;
    bool read = line && read_line(line, out);
    free(text);
    return read;
}

static void add_line(struct base_text *t, const struct learner_due *due) {
    base_text_printf(t, "%zu %zu %d %" PRId64 " %" PRId64 " %" PRId64 "\n", due->count, due->fresh,
                     due->minutes, due->next, due->streak, due->weeks);
}

/* Reviews and the deck were read. */
static void keep(struct learner *who, int64_t today) {
    const struct learner_reviews *r = session_learner_reviews(who);
    struct store *s = session_learner_store(who);
    struct review_pick pick[REVIEW_DAY_MOST];
    struct base_text t = {0};
    base_text_printf(&t, "%jx %" PRId64 "\n", (uintmax_t)stamp_of(s), today);
    for (int64_t day = today; day < today + AHEAD; day++) {
        size_t n = review_queue(r->record, r->deck.thing, r->deck.count, day,
                                session_reviews_room(who, day), pick);
        struct learner_due due = add_up(who, day, pick, n);
        add_line(&t, &due);
    }
    store_set_derived(s, KEPT, t.s);
    base_text_free(&t);
}

static bool is_kept(struct learner *who, int64_t today) {
    struct learner_due later;
    return read_kept(session_learner_store(who), today + LEFT, &later);
}

void session_due_keep(struct learner *who) {
    int64_t today = session_today(who);
    if (is_kept(who, today)) return;
    session_reviews(who);
    session_deck_read(who, &session_learner_reviews(who)->deck);
    keep(who, today);
}

struct learner_due session_learner_due(struct learner *who) {
    struct learner_due due = due_today(who);
    int64_t today = session_today(who);
    if (!is_kept(who, today)) keep(who, today);
    return due;
}

bool session_due(const char *store_path, struct learner_due *out, struct base_message *m) {
    char *path = store_path ? base_dup(store_path) : session_record_path();
    struct store *s = store_open_to_read(path, m);
    *out = (struct learner_due){0};
    free(path);
    if (!s) return !*m->what;
    if (read_kept(s, review_day(base_now(), session_rollover(s)), out)) {
        store_close(s);
        return true;
    }
    struct learner *who = session_learner_of(s, m);
    if (who) *out = due_today(who);
    out->names = 0; /* they go with the learner */
    session_learner_close(who);
    return who != NULL;
}
