/* rehearsal: see rehearsal.h. The walk: what the learner says is said, and what comes of it held
 * against what it deserved. */
#include "journey/actor.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 1000 };

/* ── what was said, and what came of it ────────────────────────────────────────────────────────*/
struct walk {
    struct actor learner;
    struct rehearsal_way way;
    struct rehearsal *out;
    struct base_text complaints;
    /* the last answer's verdict has not come yet */
    bool owed;
};

static struct rehearsed *last_said(struct walk *w) {
    return &w->out->said[w->out->count - 1];
}

static bool names(const char *text, const struct account_mistake *mistake) {
    return !mistake || (text && strstr(text, mistake->name));
}

/* Of several verdicts that an answer brings the first is its own. */
static void weigh(struct walk *w, const struct lesson_event *e) {
    if (!w->owed) return;
    const struct rehearsed *r = last_said(w);
    w->owed = false;
    if (!r->graded || (e->right == r->right && names(e->text, r->mistake))) return;
    base_text_printf(&w->complaints, "%s try %d: '%s' is %s: judged %s: %.100s\n", r->item, r->try,
                     r->text,
                     r->mistake ? r->mistake->id
                     : r->right ? "right"
                                : "wrong",
                     e->verdict, e->text ? e->text : "");
}

static size_t step_called(const struct lesson *lesson, const char *item) {
    const char *id = strchr(item, '/');
    size_t i = 0;
    while (id && i < lesson_steps(lesson) &&
           strcmp(base_json_text(lesson_step(lesson, i), "id", ""), id + 1) != 0)
        i++;
    return i;
}

static void close_lesson(struct actor *l) {
    if (l->lesson) lesson_free(l->lesson);
    if (l->script) script_close(l->script);
    l->lesson = NULL;
    l->script = NULL;
}

/* The lesson of an item, "1.1/two-bytes": a review asks those of several. */
static bool open_lesson(struct actor *l, const char *item, struct base_message *m) {
    char id[32], file[512];
    snprintf(id, sizeof id, "%.*s", (int)strcspn(item, "/"), item);
    if (l->lesson && strcmp(lesson_id(l->lesson), id) == 0) return true;
    size_t i = session_learner_find(l->who, id);
    const struct lesson_course *c = session_learner_course(l->who);
    if (i == c->lessons) return base_fail(m, "no lesson is called %s", id);
    snprintf(file, sizeof file, "%s/lessons/%s", base_share(), c->lesson[i].file);
    close_lesson(l);
    l->script = script_open(file, NULL, m);
    l->lesson = l->script ? lesson_read(script_lesson(l->script), file, m) : NULL;
    return l->lesson != NULL;
}

/* "1.3/one-stage" of what a check asks as "1c/1.3-one-stage": the caller's. */
static char *own_item(const struct actor *l, const struct lesson_event *e) {
    const json_t *step = lesson_step(session_lesson(l->session), e->index);
    const char *of = base_json_text(json_object_get(step, "of"), "id", NULL),
               *id = strrchr(base_json_text(step, "id", ""), '/');
    return of && id ? base_format("%s%s", of, id) : base_dup(e->item);
}

/* Steps that no lesson has, such as a review's end, are only gone through. */
static void begin_step(struct walk *w, const struct lesson_event *e, struct base_message *m) {
    struct actor *l = &w->learner;
    char *own = own_item(l, e);
    if (!open_lesson(l, own, m)) *m = (struct base_message){0};
    l->step = l->lesson ? step_called(l->lesson, own) : 0;
    free(own);
    if (w->way.every) l->way.wrong = ++l->begun % w->way.every ? 0 : w->way.wrong;
    l->shown_as = e->index;
    snprintf(l->item, sizeof l->item, "%s", e->item);
    actor_begins(l);
}

/* Reads events until something is awaited; false at the end of the lesson, and where something
 * failed. */
static bool listen(struct walk *w, struct base_message *m) {
    const struct lesson_event *e;
    struct actor *l = &w->learner;
    while ((e = session_event(l->session))) {
        if (e->kind == LESSON_STEP) begin_step(w, e, m);
        if (e->kind == LESSON_VERDICT) weigh(w, e);
        if (e->kind == LESSON_TROUBLE) return base_fail(m, "trouble at %s: %s", l->item, e->text);
        if (e->kind == LESSON_END) return false;
    }
    return lesson_asked(session_dialogue(l->session)) != NULL;
}

/* ── saying it ─────────────────────────────────────────────────────────────────────────────────*/
static bool run_lab(struct actor *l, const char *name, struct base_message *m) {
    struct session_lab *lab = session_lab_open_in(l->session, name, NULL, m);
    while (lab && !session_lab_over(lab)) {
        struct pollfd on = {.fd = session_lab_fd(lab), .events = POLLIN};
        poll(&on, 1, session_lab_due(lab));
        session_lab_read(lab);
    }
    session_lab_close(lab);
    return lab != NULL;
}

static bool give(struct actor *l, const struct rehearsed *r, const char *lab,
                 struct base_message *m) {
    if (r->form == LESSON_RUN) return run_lab(l, lab, m);
    if (r->form == LESSON_WRITE && *r->text) {
        session_do(l->session,
                   &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = l->way.memo});
        return true;
    }
    struct lesson_action a = {.kind = *r->text ? LESSON_DO_ANSWER : LESSON_DO_NEXT,
                              .text = r->text};
    session_do(l->session, &a);
    return true;
}

static bool answer(struct walk *w, const struct lesson_ask *ask, struct base_message *m) {
    struct actor *l = &w->learner;
    struct rehearsal *out = w->out;
    struct rehearsed r = {
        .form = ask->form, .graded = ask->graded, .step = l->shown_as, .try = ask->try};
    snprintf(r.item, sizeof r.item, "%s", l->item);
    if (!actor_says(l, ask, &r)) return base_fail(m, "no answer is known for %s", l->item);
    if (out->count == MOST_INPUTS)
        return base_fail(m, "the lesson does not end: it stands at %s", l->item);
    out->said = base_grow(out->said, out->count + 1, sizeof *out->said);
    out->said[out->count++] = r;
    out->mistakes += r.mistake != NULL;
    w->owed = *r.text != '\0';
    return give(l, &r, ask->lab, m);
}

static bool take(struct walk *w, struct base_message *m) {
    *m = (struct base_message){0};
    while (listen(w, m))
        if (!answer(w, lesson_asked(session_dialogue(w->learner.session)), m)) return false;
    return m->what[0] == '\0';
}

/* ── the lesson ────────────────────────────────────────────────────────────────────────────────*/
/* Labs are run by the stand-in, here and in the programs that are started from here. */
static void use_stand_in(void) {
    char path[PATH_MAX];
    if (realpath("tests/experiment/zerolab.sh", path)) setenv("ZEROLAB", path, 1);
}

static void close_all(struct actor *l, struct learner *who) {
    if (l->session) session_close(l->session);
    close_lesson(l);
    if (who) session_learner_close(who);
}

bool rehearse(const char *store, const char *lesson, struct rehearsal_way way,
              struct rehearsal *out, struct base_message *m) {
    struct walk w = {.out = out, .way = way, .learner.way = way};
    struct actor *l = &w.learner;
    *out = (struct rehearsal){0};
    use_stand_in();
    struct learner *who = l->who = session_learner_open(store, m);
    bool good = who && (l->session = session_open(who, lesson, m));
    if (good) l->seed = store_seed(session_learner_store(who));
    good = good && take(&w, m);
    out->complaints = base_text_take(&w.complaints);
    close_all(l, who);
    return good;
}

void rehearsal_free(struct rehearsal *r) {
    free(r->said);
    free(r->complaints);
    *r = (struct rehearsal){0};
}
