/* attending: what of a lesson that is taken goes to the class, as its events come by. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ── what came by ──────────────────────────────────────────────────────────────────────────────*/
struct latest {
    struct classroom_presence *now;
    int passed;
};

/* The latest answer to an item as a whole, or to a line of its sheet. What could not be read was no
 * try, nor was one whose numbers were passed over. */
static void take_answer(void *to, const struct lesson_answer *a) {
    struct latest *l = to;
    bool passed = strcmp(a->line, LESSON_PASSED_LINE) == 0;
    l->passed += passed;
    if (passed || strcmp(a->verdict, "unreadable") == 0) return;
    l->now->tries = a->try - l->passed;
    snprintf(l->now->mistake, sizeof l->now->mistake, "%s", a->mistake);
}

static void take_tries(struct learner_class *c, struct learner *who) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    c->now.tries = 0;
    *c->now.mistake = '\0';
    struct latest latest = {.now = &c->now};
    if (*c->now.item) j.answers(j.self, c->now.item, take_answer, &latest, NULL);
    c->changed = true;
}

/* Another lesson lies on the one that was taken. */
static void open_over(struct learner_class *c, const struct session *s) {
    if (c->of && c->of != s && c->waiting < ATTENDED_MOST)
        c->below[c->waiting++] = (struct waiting){c->of, c->now, c->began};
    c->of = s;
}

static void begin_step(struct learner_class *c, const struct session *s, const struct lesson *l,
                       const struct lesson_event *e) {
    struct classroom_presence *now = &c->now;
    open_over(c, s);
    snprintf(now->lesson, sizeof now->lesson, "%s", lesson_id(l));
    snprintf(now->step, sizeof now->step, "%s", e->step);
    snprintf(now->title, sizeof now->title, "%s", e->title);
    snprintf(now->item, sizeof now->item, "%s",
             lesson_graded(l, lesson_find(l, e->step)) ? e->item : "");
    now->number = (int)e->index + 1;
    now->of = (int)e->count;
    c->began = base_ticks();
}

static void forget(struct learner_class *c, const struct session *s) {
    size_t kept = 0;
    for (size_t i = 0; i < c->waiting; i++)
        if (c->below[i].of != s) c->below[kept++] = c->below[i];
    c->waiting = kept;
}

/* Where the lesson below was left, where a raised hand stays up; else outside of lessons, with the
 * hand down. A vote still counts. */
static void end_lesson(struct learner_class *c, const struct session *s) {
    struct classroom_presence was = c->now;
    forget(c, s);
    if (c->of != s) return;
    struct waiting next = {.began = base_ticks()};
    if (c->waiting) next = c->below[--c->waiting];
    next.now.hand = next.of && was.hand;
    c->of = next.of;
    c->now = next.now;
    c->began = next.began;
    c->now.round = was.round;
    c->now.choice = was.choice;
    memcpy(c->now.vote, was.vote, sizeof was.vote);
    c->changed = true;
}

static void bring_up_to_date(struct learner_class *c, struct learner *who) {
    if (!*c->course) session_course_hash(who, c->course);
    c->rollover = session_learner_rollover(who);
    session_classwork_hand_in(c, session_learner_store(who), NULL);
    if (c->changed) session_classwork_tell(c, NULL); /* else with the next step */
    c->changed = false;
    c->nudged = false; /* it was shown until the learner did something */
    session_classwork_look(c);
}

void session_attend(struct learner *who, const struct session *s, const struct lesson *l,
                    const struct lesson_event *e) {
    struct learner_class *c = session_learner_classwork(who);
    if (!c->in) return;
    if (!e)
        bring_up_to_date(c, who);
    else if (e->kind == LESSON_END)
        end_lesson(c, s);
    else if (e->kind == LESSON_STEP)
        begin_step(c, s, l, e);
    if (e && (e->kind == LESSON_STEP || e->kind == LESSON_VERDICT)) take_tries(c, who);
}

void session_attend_end(struct learner *who, const struct session *s) {
    struct learner_class *c = session_learner_classwork(who);
    if (!c->in || !*c->course) return;
    end_lesson(c, s);
    bring_up_to_date(c, who);
}

/* ── for the front ends ────────────────────────────────────────────────────────────────────────*/
const struct session_class *session_in_class(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    return c->in && c->in->running ? c->in : NULL;
}

bool session_hand(const struct learner *who) {
    return session_learner_classwork((struct learner *)who)->now.hand;
}

bool session_raise_hand(struct learner *who, bool raised, struct base_message *m) {
    struct learner_class *c = session_learner_classwork(who);
    if (!c->in) return base_fail(m, "you are not in a class that is running now");
    bool before = c->now.hand;
    c->now.hand = raised;
    if (session_classwork_tell(c, m)) return true;
    c->now.hand = before;
    return false;
}

/* "13:30" of today, or with its date. */
static char *say_when(int64_t when) {
    char *full = classroom_when_text(when), *now = classroom_when_text(base_now());
    size_t day = strcspn(full, " ");
    bool today = strncmp(full, now, day + 1) == 0;
    char *text = base_dup(today ? full + day + 1 : full);
    free(now);
    free(full);
    return text;
}

static char *say_ahead(const struct session_class *in) {
    char *begins = say_when(in->settings.begins);
    char *text = base_format("%s begins at %s.", in->settings.name, begins);
    free(begins);
    return text;
}

char *session_class_hours(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    const struct session_class *in = session_in_class(who);
    struct base_text t = {0};
    if (c->ahead) return say_ahead(c->ahead);
    if (!in) return NULL;
    int64_t ends = session_class_ends(in), now = base_now();
    char *end = ends ? say_when(ends) : base_dup("your teacher closes it");
    base_text_printf(&t, "%s runs until %s.", in->settings.name, end);
    for (size_t i = 0; i < in->settings.lessons; i++) {
        const struct classroom_lesson *l = &in->settings.lesson[i];
        int64_t due = l->due ? classroom_due(&in->settings, in->account, l->id) : 0;
        char *when = say_when(due);
        if (due > now) base_text_printf(&t, " %s is due at %s.", l->id, when);
        free(when);
    }
    free(end);
    return base_text_take(&t);
}

/* The record changes where no lesson is open. */
static char *say_turned(const struct learner_class *c) {
    if (c->ahead)
        return base_format("%s has begun. Leave this, and open it again to take part.",
                           c->ahead->settings.name);
    return base_format("%s is over. Leave this to go back to your own record.",
                       c->in->settings.name);
}

char *session_class_line(const struct learner *who) {
    const struct learner_class *c = session_learner_classwork((struct learner *)who);
    char since[16] = "";
    time_t waits = (time_t)c->waits;
    struct tm local;
    if (c->waits && localtime_r(&waits, &local)) strftime(since, sizeof since, "%H:%M", &local);
    if (c->turned) return say_turned(c);
    if (!c->in || (!c->now.hand && !c->waits && !c->nudged)) return NULL;
    if (c->nudged) return base_format("Your teacher: %s", c->nudge.text);
    return base_format(
        "%s%s%s%s%s", c->now.hand ? "Your hand is raised." : "", c->now.hand && c->waits ? " " : "",
        c->waits ? "Your hand-in has waited since " : "", since, c->waits ? "." : "");
}
