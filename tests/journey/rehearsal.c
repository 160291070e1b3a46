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

static void begin_step(struct actor *l, const struct lesson_event *e) {
    l->step = step_called(l->lesson, e->item);
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
        if (e->kind == LESSON_STEP) begin_step(l, e);
        if (e->kind == LESSON_VERDICT) weigh(w, e);
        if (e->kind == LESSON_TROUBLE) return base_fail(m, "trouble at %s: %s", l->item, e->text);
        if (e->kind == LESSON_END) return false;
    }
    return lesson_asked(session_dialogue(l->session)) != NULL;
}

/* ── saying it ─────────────────────────────────────────────────────────────────────────────────*/
static bool run_lab(struct actor *l, const char *name, struct base_message *m) {
    struct session_lab *lab = session_lab_open(l->session, name, m);
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
static bool lesson_file(struct learner *who, const char *lesson, char *out, size_t size) {
    size_t i = session_learner_find(who, lesson);
    const struct lesson_course *c = session_learner_course(who);
    if (i < c->lessons) snprintf(out, size, "%s/lessons/%s", base_share(), c->lesson[i].file);
    return i < c->lessons;
}

/* Labs are run by the stand-in, here and in the programs that are started from here. */
static void use_stand_in(void) {
    char path[PATH_MAX];
    if (realpath("tests/experiment/zerolab.sh", path)) setenv("ZEROLAB", path, 1);
}

static void close_all(struct actor *l, struct learner *who) {
    if (l->session) session_close(l->session);
    if (l->lesson) lesson_free(l->lesson);
    if (l->script) script_close(l->script);
    if (who) session_learner_close(who);
}

bool rehearse(const char *store, const char *lesson, struct rehearsal_way way,
              struct rehearsal *out, struct base_message *m) {
    struct walk w = {.out = out, .learner.way = way};
    struct actor *l = &w.learner;
    char file[512] = "";
    *out = (struct rehearsal){0};
    use_stand_in();
    struct learner *who = session_learner_open(store, m);
    bool good = who && lesson_file(who, lesson, file, sizeof file);
    good = good && (l->script = script_open(file, NULL, m));
    good = good && (l->lesson = lesson_read(script_lesson(l->script), file, m));
    good = good && (l->session = session_open(who, lesson, m));
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
