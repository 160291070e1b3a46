/* queue: today's review as a lesson: what it asks, what becomes of each answer, and how it went. */
#include "session/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One thing that was answered. */
struct result {
    char *item, *title;
    int try;
    bool known;
    /* the intervals in days; before 0: it was new */
    int64_t before, after;
};
/* One thing that it asks, and how long that takes. */
struct asking {
    char *item;
    int seconds;
};
struct queue {
    struct learner *learner;
    struct asking asking[REVIEW_DAY_MOST + 1];
    size_t asks;
    struct result result[REVIEW_DAY_MOST];
    size_t count;
    /* the item, while that was the last thing done */
    char *suspended;
};

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
static const struct lesson_queue_head head = {
    LESSON_QUEUE,
    LEARNER_REVIEW,
    "Review",
    NULL,
    "nothing is due for review: the next lesson brings more",
    false};

static struct session_pick pick_of(struct learner *who, const struct review_thing *t) {
    size_t n = strlen(t->lesson);
    return (struct session_pick){.lesson = session_learner_find_id(who, t->lesson, n),
                                 .id = t->item + n + 1};
}

static void note_asking(struct queue *q, const char *item, int seconds) {
    q->asking[q->asks++] = (struct asking){.item = base_dup(item), .seconds = seconds};
}

static bool has_item(const struct lesson_idea *idea, const struct review_thing *t) {
    for (size_t i = 0; strcmp(t->lesson, idea->lesson) == 0 && i < idea->items; i++)
        if (strcmp(t->item + strlen(t->lesson) + 1, idea->item[i]) == 0) return true;
    return false;
}

bool session_is_about(const struct learner_deck *d, const struct lesson_idea *idea,
                      const struct review_thing *t) {
    bool is = has_item(idea, t), here = strcmp(t->lesson, idea->lesson) == 0;
    for (size_t i = 0; here && t->card && !is && i < d->count; i++)
        is = has_item(idea, &d->thing[i]) && strcmp(d->thing[i].about, t->about) == 0;
    return is;
}

static bool is_taken(const struct learner_deck *d, const struct review_pick *pick, size_t n,
                     const struct review_thing *t) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(d->thing[pick[i].thing].about, t->about) == 0) return true;
    return false;
}

static int by_recall(const void *a, const void *b) {
    const struct review_pick *x = a, *y = b;
    if (x->recall != y->recall) return x->recall < y->recall ? -1 : 1;
    return x->thing < y->thing ? -1 : x->thing > y->thing;
}

/* Chooses things that were asked about this idea before and are not due yet, the least known first:
 * a learner who wants to review an idea need not wait until it fades. */
static size_t choose_early(struct learner *who, const struct lesson_idea *idea,
                           struct review_pick pick[REVIEW_DAY_MOST]) {
    const struct learner_reviews *r = session_learner_reviews(who);
    const struct learner_deck *d = &r->deck;
    int64_t today = session_today(who);
    size_t n = 0;
    for (size_t i = 0; i < d->count && n < REVIEW_DAY_MOST; i++) {
        const struct review_thing *t = &d->thing[i];
        const struct review_memory *m = review_record_find(r->record, t->item);
        bool asked = m && m->reviews > 0 && !m->suspended && m->last < today;
        if (asked && session_is_about(d, idea, t) && !is_taken(d, pick, n, t))
            pick[n++] = (struct review_pick){.thing = i, .recall = review_memory_recall(m, today)};
    }
    if (n > 0) qsort(pick, n, sizeof *pick, by_recall);
    return n;
}

/* Chooses today's things about this idea, or if there are none, those that were asked before. All
 * of today's if `idea` is NULL. */
static size_t choose(struct learner *who, const struct lesson_idea *idea,
                     struct review_pick due[REVIEW_DAY_MOST]) {
    size_t all = session_reviews_choose(who, due), n = 0;
    const struct learner_reviews *r = session_learner_reviews(who);
    for (size_t i = 0; i < all; i++)
        if (!idea || session_is_about(&r->deck, idea, &r->deck.thing[due[i].thing]))
            due[n++] = due[i];
    return idea && n == 0 ? choose_early(who, idea, due) : n;
}

void session_learner_ideas_due(struct learner *who, const struct lesson_ideas *all,
                               struct learner_asks *asks) {
    struct review_pick pick[REVIEW_DAY_MOST], early[REVIEW_DAY_MOST];
    size_t n = choose(who, NULL, pick);
    const struct learner_reviews *r = session_learner_reviews(who);
    for (size_t i = 0; i < all->count; i++) {
        asks[i] = (struct learner_asks){0};
        for (size_t k = 0; k < n; k++)
            asks[i].due += session_is_about(&r->deck, &all->idea[i], &r->deck.thing[pick[k].thing]);
        if (asks[i].due == 0) asks[i].early = choose_early(who, &all->idea[i], early);
    }
}

static struct queue *open_about(struct learner *who, const struct lesson_idea *idea,
                                struct mixed **mixed, struct lesson **lesson,
                                struct base_message *m) {
    struct review_pick due[REVIEW_DAY_MOST];
    struct session_pick pick[REVIEW_DAY_MOST + 1];
    size_t n = choose(who, idea, due);
    const struct learner_reviews *r = session_learner_reviews(who);
    for (size_t i = 0; i < n; i++) pick[i] = pick_of(who, &r->deck.thing[due[i].thing]);
    struct learner_job own;
    bool asks = n > 0 && !idea && session_job_is_due(who, session_today(who)) &&
                session_learner_job(who, &own);
    json_t *job = asks ? session_job_step(who) : NULL;
    pick[n] = (struct session_pick){.id = base_json_text(job, "id", ""), .own = job};
    *lesson = session_mixed_queue(who, &head, pick, n + (job != NULL), mixed, m);
    struct queue *q = *lesson ? base_alloc(sizeof *q) : NULL;
    if (q) q->learner = who;
    for (size_t i = 0; q && i < n; i++)
        note_asking(q, r->deck.thing[due[i].thing].item, r->deck.thing[due[i].thing].seconds);
    if (q && job) note_asking(q, pick[n].id, SESSION_JOB_SECONDS);
    json_decref(job);
    return q;
}

/* Whether the map has this idea; NULL is none, and there. */
static bool find_idea(struct learner *who, const char *id, struct lesson_ideas *all,
                      const struct lesson_idea **idea, struct base_message *m) {
    *all = (struct lesson_ideas){0};
    *idea = NULL;
    if (!id) return true;
    if (!session_learner_map(who, all, m)) return false;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->idea[i].id, id) == 0) *idea = &all->idea[i];
    return *idea || base_fail(m, "the map has no idea '%.40s': `zerotutor map` lists them", id);
}

struct queue *session_queue_open(struct learner *who, const char *about, struct mixed **mixed,
                                 struct lesson **lesson, struct base_message *m) {
    struct lesson_ideas all;
    const struct lesson_idea *idea;
    struct queue *q = NULL;
    if (find_idea(who, about, &all, &idea, m)) q = open_about(who, idea, mixed, lesson, m);
    lesson_ideas_free(&all);
    return q;
}
int session_queue_seconds(const struct queue *q, const char *item) {
    for (size_t i = 0; i < q->asks; i++)
        if (strcmp(q->asking[i].item, item) == 0) return q->asking[i].seconds;
    return 0;
}

static void forget_result(struct queue *q) {
    assert(q->count > 0);
    q->count--;
    free(q->result[q->count].item);
    free(q->result[q->count].title);
}

void session_queue_close(struct queue *q) {
    if (!q) return;
    while (q->count > 0) forget_result(q);
    while (q->asks > 0) free(q->asking[--q->asks].item);
    free(q->suspended);
    free(q);
}

/* ── what became of an answer ──────────────────────────────────────────────────────────────────*/
static void say_when(struct base_text *t, int64_t days) {
    if (days == 1)
        base_text_puts(t, "tomorrow");
    else
        base_text_printf(t, "in %lld days", (long long)days);
}

static void say_next(struct base_text *t, int64_t days) {
    if (days == 1)
        base_text_puts(t, ", and again the day after if you know it");
    else
        base_text_printf(t, ", and then after %lld days if you know it", (long long)days);
}

static char *words_of(const struct result *r, const struct review_memory *m) {
    struct base_text t = {0};
    base_text_puts(&t, r->known ? "You will see this again " : "This comes back ");
    say_when(&t, r->after);
    if (!r->known) say_next(&t, review_memory_due(m, m->due, REVIEW_GOOD) - m->due);
    base_text_puts(&t, ".");
    if (!r->known && r->before > r->after)
        base_text_printf(&t, " Before this try it came back after %lld days.",
                         (long long)r->before);
    return base_text_take(&t);
}

char *session_queue_answered(struct queue *q, const char *item, const char *title) {
    const struct review_memory *m = review_record_find(session_reviews(q->learner)->record, item);
    bool again = q->count > 0 && strcmp(q->result[q->count - 1].item, item) == 0;
    if (!m || m->try < 0 || m->last != session_today(q->learner) || again) return NULL;
    if (q->count == REVIEW_DAY_MOST) return NULL;
    struct result *r = &q->result[q->count++];
    *r = (struct result){.item = base_dup(item),
                         .title = base_dup(title),
                         .try = m->try,
                         .known = m->known,
                         .before = m->before.reviews > 0 ? m->before.due - m->before.last : 0,
                         .after = m->due - m->last};
    free(q->suspended);
    q->suspended = NULL;
    return words_of(r, m);
}

enum lesson_came session_queue_came(const struct queue *q, const char *item) {
    for (size_t i = 0; i < q->count; i++)
        if (strcmp(q->result[i].item, item) == 0)
            return q->result[i].known ? LESSON_CAME_RIGHT : LESSON_CAME_WRONG;
    return LESSON_CAME_NOT;
}

/* ── how it went ───────────────────────────────────────────────────────────────────────────────*/
static void list_one(struct base_text *t, const struct result *r) {
    const char *s = r->after == 1 ? "" : "s";
    base_text_printf(t, "- %s", r->title);
    if (!r->known)
        base_text_puts(t, "\n");
    else if (r->before > 0)
        base_text_printf(t, " (%lld → %lld day%s)\n", (long long)r->before, (long long)r->after, s);
    else
        base_text_printf(t, " (new, comes in %lld day%s)\n", (long long)r->after, s);
}

static void list(struct base_text *t, const struct queue *q, bool known, const char *before) {
    for (size_t i = 0; i < q->count; i++) {
        if (q->result[i].known != known) continue;
        base_text_puts(t, before);
        list_one(t, &q->result[i]);
        before = "";
    }
}

static bool asks_for(const struct queue *q, const char *item) {
    size_t i = 0;
    while (i < q->asks && strcmp(q->asking[i].item, item) != 0) i++;
    return i < q->asks;
}

/* How many of what is left for today it asked. The others are about another idea. */
static size_t count_skipped(const struct queue *q, const struct review_pick *left, size_t count) {
    const struct learner_deck *deck = &session_learner_reviews(q->learner)->deck;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) n += asks_for(q, deck->thing[left[i].thing].item);
    return n;
}

static void say_left(struct base_text *t, size_t skipped, size_t others, int64_t next) {
    if (skipped > 0) {
        base_text_printf(t, "\n\nYou skipped %zu. %s still due.", skipped,
                         skipped == 1 ? "It is" : "They are");
    } else if (others > 0) {
        base_text_printf(t, "\n\n%zu more %s due today.", others, others == 1 ? "is" : "are");
    } else if (next > 0) {
        base_text_puts(t, "\n\nThat is all for today. The next review is ");
        say_when(t, next);
        base_text_puts(t, ".");
    }
}

char *session_queue_over(struct queue *q) {
    struct base_text t = {0};
    struct review_pick left[REVIEW_DAY_MOST];
    size_t known = 0, more = session_reviews_choose(q->learner, left);
    size_t skipped = count_skipped(q, left, more);
    int64_t next = session_due_next(q->learner, session_today(q->learner));
    for (size_t i = 0; i < q->count; i++) known += q->result[i].known;
    if (q->count > 0)
        base_text_printf(&t, "**You knew %zu of %zu.**", known, q->count);
    else
        base_text_puts(&t, "You answered nothing.");
    list(&t, q, true, "\n\nStronger now:\n\n");
    list(&t, q, false, "\n\nBack tomorrow:\n\n");
    /* another stage each week, so that it has no place in the plan, and none in the count */
    bool job = q->asks > 0 && strncmp(q->asking[q->asks - 1].item, "job/", 4) == 0,
         waits = job && session_job_is_due(q->learner, session_today(q->learner));
    if (job && !waits)
        base_text_puts(&t, "\n\nThe question on your own job is not counted above: it comes once "
                           "a week, with another stage.");
    say_left(&t, skipped + waits, more - skipped, next);
    return base_text_take(&t);
}

/* ── taking back, and leaving out ──────────────────────────────────────────────────────────────*/
struct rows {
    const char *line;
    int count;
};

static void count_row(void *to, const struct lesson_answer *a) {
    struct rows *r = to;
    r->count += strcmp(a->line, r->line) == 0;
}

static bool add_row(struct learner *who, const char *item, const char *line, int try,
                    struct base_message *m) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct lesson_answer a = {
        .item = item, .line = line, .try = try, .typed = "", .verdict = "noted", .mistake = ""};
    return j.answer(j.self, &a, m);
}

/* Each row turns it: out, and in again. */
static bool turn_suspended(struct learner *who, const char *item, struct base_message *m) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct rows r = {.line = REVIEW_SUSPEND};
    return j.answers(j.self, item, count_row, &r, m) &&
           add_row(who, item, REVIEW_SUSPEND, r.count + 1, m);
}

bool session_queue_suspend(struct queue *q, const char *item, struct base_message *m) {
    if (!turn_suspended(q->learner, item, m)) return false;
    free(q->suspended);
    q->suspended = base_dup(item);
    return true;
}

bool session_queue_can_undo(const struct queue *q) {
    return q->suspended || q->count > 0;
}

char *session_queue_undo(struct queue *q, struct base_message *m) {
    char *item = NULL;
    if (q->suspended) {
        if (!turn_suspended(q->learner, q->suspended, m)) return NULL;
        item = q->suspended;
        q->suspended = NULL;
    } else if (q->count > 0) {
        const struct result *r = &q->result[q->count - 1];
        if (!add_row(q->learner, r->item, REVIEW_UNDO, r->try, m)) return NULL;
        item = base_dup(r->item);
        forget_result(q);
    }
    session_reviews(q->learner);
    return item;
}

/* ── all that is left out ──────────────────────────────────────────────────────────────────────*/
/* Of an item that is in no lesson any more the title is not known. */
static const char *title_of(const struct learner_deck *d, const char *item) {
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->thing[i].item, item) == 0) return d->title[i];
    return item;
}

size_t session_learner_suspended(struct learner *who,
                                 void (*each)(void *to, const char *item, const char *title),
                                 void *to) {
    struct learner_reviews *r = session_reviews(who);
    size_t n = 0;
    session_deck_read(who, &r->deck);
    for (size_t i = 0; i < review_record_count(r->record); i++) {
        const struct review_memory *m = review_record_at(r->record, i);
        if (!m->suspended) continue;
        if (each) each(to, m->item, title_of(&r->deck, m->item));
        n++;
    }
    return n;
}

bool session_learner_unsuspend(struct learner *who, const char *item, struct base_message *m) {
    const struct review_memory *memory = review_record_find(session_reviews(who)->record, item);
    if (!memory || !memory->suspended)
        return base_fail(
            m, "'%.80s' is not suspended: `zerotutor review --suspended` lists what is", item);
    return turn_suspended(who, item, m);
}
