/* today: how far to go today, and where the learner was. Lessons are run for it, each once. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { AWAY = 12 * 3600 /* seconds after which one has forgotten what was on the screen */ };

/* ── the next stretch ──────────────────────────────────────────────────────────────────────────*/
/* A step that a learner meets: its number, from 1, and the seconds from the lesson's beginning to
 * its end. The last of all if there is no such step. */
struct mark {
    int number;
    double until;
    bool found;
};

static struct mark find_mark(const struct lesson *l, const char *id) {
    struct mark m = {0};
    for (size_t i = 0; i < lesson_steps(l) && !m.found; i++) {
        if (!lesson_step_passed(l, i)) continue;
        m.number++;
        m.until += lesson_step_seconds(l, i);
        m.found = strcmp(base_json_text(lesson_step(l, i), "id", ""), id) == 0;
    }
    return m;
}

/* A part of something that takes so many minutes, rounded. */
static int share(int minutes, double part, double whole) {
    return (int)(minutes * part / whole + 0.5);
}

static int at_least_one(int minutes) {
    return minutes > 1 ? minutes : 1;
}

/* From the step where it was left to its stop, or from there to its end. The minutes of both halves
 * add up to the whole. */
static void measure(struct learner_stretch *s, const struct lesson *l, int minutes,
                    const char *step) {
    struct mark at = find_mark(l, step), stop = find_mark(l, lesson_stop(l)),
                end = find_mark(l, "");
    s->steps = end.number;
    if (end.until <= 0) return;
    s->from = at.found ? at.number : 1;
    if (stop.number <= s->from) stop = end;
    s->to = stop.number;
    double before = 0;
    if (at.found) before = at.until - lesson_step_seconds(l, lesson_find(l, step));
    s->minutes =
        at_least_one(share(minutes, stop.until, end.until) - share(minutes, before, end.until));
}

struct learner_stretch session_learner_stretch(struct learner *who, size_t i) {
    const struct lesson_course *c = session_learner_course(who);
    struct learner_stretch s = {0};
    if (i == c->lessons) return s;
    struct learner_progress p = session_learner_progress(who, i);
    const struct loaded *l =
        c->lesson[i].kind == LESSON_ORDINARY ? session_learner_lesson(who, i) : NULL;
    s.minutes = c->lesson[i].minutes;
    if (p.standing == LEARNER_SKIPPED)
        s.minutes = at_least_one(share(s.minutes, (double)p.skipped, (double)p.graded));
    else if (l)
        measure(&s, l->lesson, s.minutes, p.under_way ? p.step : "");
    return s;
}

static size_t find_step(const struct lesson *l, const char *id) {
    size_t i = 0;
    while (i < lesson_steps(l) && strcmp(base_json_text(lesson_step(l, i), "id", ""), id) != 0) i++;
    return i;
}

/* The verdicts of a lesson's items as they were last, by the places of its steps. */
struct came {
    const struct lesson *lesson;
    enum lesson_came step[LEARNER_STEPS_MOST];
};

static void see_item(void *to, const struct store_item *item) {
    struct came *c = to;
    const char *slash = strchr(item->item, '/');
    size_t at = slash ? find_step(c->lesson, slash + 1) : LEARNER_STEPS_MOST;
    if (at >= lesson_steps(c->lesson) || at >= LEARNER_STEPS_MOST || !item->last) return;
    bool right = strcmp(item->last, "right") == 0 || strcmp(item->last, "rounded") == 0;
    c->step[at] = right ? LESSON_CAME_RIGHT : LESSON_CAME_WRONG;
}

void session_learner_steps(struct learner *who, size_t i,
                           void (*each)(void *to, const struct learner_step *s), void *to) {
    const struct lesson_entry *entry = &session_learner_course(who)->lesson[i];
    const struct loaded *own =
        entry->kind == LESSON_ORDINARY ? session_learner_lesson(who, i) : NULL;
    if (!own) return;
    const struct lesson *l = own->lesson;
    struct lesson_journal journal = store_journal(session_learner_store(who));
    struct came came = {.lesson = l};
    char *prefix = base_format("%s/", entry->id);
    store_items(session_learner_store(who), prefix, see_item, &came, NULL);
    free(prefix);
    char *opened = session_opened(who, l);
    for (size_t k = 0; k < lesson_steps(l) && k < LEARNER_STEPS_MOST; k++) {
        if (!lesson_step_passed(l, k)) continue;
        enum lesson_came how = lesson_graded(l, k) ? came.step[k] : lesson_came(l, k, journal);
        const char *id = base_json_text(lesson_step(l, k), "id", "");
        each(to, &(struct learner_step){.id = id,
                                        .title = base_json_text(lesson_step(l, k), "title", ""),
                                        .asks = lesson_step_asks(l, k),
                                        .opened = session_is_opened(opened, id),
                                        .came = how});
    }
    free(opened);
}

/* ── where it was left ─────────────────────────────────────────────────────────────────────────*/
struct leaving {
    const char *lesson;
    int64_t when;
};

static void see_place(void *to, const struct store_place *p) {
    struct leaving *l = to;
    if (strcmp(p->lesson, l->lesson) == 0) l->when = p->when;
}

enum { TELLING = 32 /* bytes: a shorter sentence says too little by itself */ };

/* The first sentence of a paragraph that is long enough and ends in a full stop, if it is prose;
 * the caller's. */
static char *sentence_of(const char *text, size_t n) {
    size_t from = 0;
    if (strchr("|-#`>0123456789", *text)) return NULL; /* no prose, or a list */
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '.' || (i + 1 < n && !strchr(" \n", text[i + 1]))) continue;
        if (i - from >= TELLING) return base_format("%.*s", (int)(i + 1 - from), text + from);
        from = i + 2;
    }
    return NULL;
}

/* Of the first paragraph that has one; the caller's, or NULL. */
static char *first_sentence(const char *text) {
    char *sentence = NULL;
    while (*text && !sentence) {
        const char *gap = strstr(text, "\n\n");
        size_t n = gap ? (size_t)(gap - text) : strlen(text);
        sentence = sentence_of(text, n);
        text += n;
        text += strspn(text, "\n");
    }
    return sentence;
}

/* What the last step before `at` that said something said; the caller's, or NULL. */
static char *said_before(const struct lesson *l, size_t at) {
    static const char *const field[LESSON_STEP_KINDS] = {
        [LESSON_SAY] = "text",       [LESSON_FIGURE] = "text",  [LESSON_WORKED] = "text",
        [LESSON_PREDICT] = "reveal", [LESSON_MYTH] = "because", [LESSON_LAB] = "reveal",
        [LESSON_ANIMATE] = "text",   [LESSON_READ] = "text",
    };
    char *said = NULL;
    while (at-- > 0 && !said) {
        const char *name = field[lesson_step_kind(l, at)];
        const char *text = name ? base_json_text(lesson_step(l, at), name, "") : "";
        if (lesson_step_passed(l, at)) said = first_sentence(text);
    }
    return said;
}

struct learner_left session_learner_left(struct learner *who, size_t i) {
    const struct lesson_course *c = session_learner_course(who);
    struct learner_left left = {0};
    if (i == c->lessons || c->lesson[i].kind != LESSON_ORDINARY) return left;
    struct learner_progress p = session_learner_progress(who, i);
    struct leaving leaving = {.lesson = c->lesson[i].id, .when = base_now()};
    store_places(session_learner_store(who), see_place, &leaving, NULL);
    const struct loaded *l =
        p.under_way && base_now() - leaving.when >= AWAY ? session_learner_lesson(who, i) : NULL;
    size_t at = l ? find_step(l->lesson, p.step) : 0;
    if (at == 0 || at == lesson_steps(l->lesson)) return left;
    left.title = base_dup(base_json_text(lesson_step(l->lesson, at), "title", p.step));
    left.said = said_before(l->lesson, at);
    return left;
}

void session_learner_left_free(struct learner_left *left) {
    free(left->title);
    free(left->said);
    *left = (struct learner_left){0};
}
