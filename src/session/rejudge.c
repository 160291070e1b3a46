/* rejudge: each answer of a certificate judged again by the engine, with numbers that the lesson
 * draws again from the learner's seed. What cannot be judged, such as a card, counts for nothing.
 */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

struct judge {
    struct learner *who;
    struct session_proof *proof;
    bool marks;
    /* the lessons here are those of the certificate, and so draw the same numbers */
    bool same_course;
    uint64_t seed;
    const char *lesson[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    size_t lessons;
    struct loaded live[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    bool tried[BASE_COUNT(((struct lesson_course *)0)->lesson)];
};

/* ── the lessons that ask ──────────────────────────────────────────────────────────────────────*/
static const struct loaded *live(struct judge *j, size_t i) {
    char *path = j->tried[i] ? NULL : session_learner_path(j->who, i);
    j->tried[i] = true;
    if (path) session_loaded_open(&j->live[i], path, NULL);
    free(path);
    return j->live[i].lesson ? &j->live[i] : NULL;
}

/* The lesson that asked it, NULL if it cannot be run here; and the step, or the count of steps. */
static const struct loaded *asked_by(struct judge *j, const struct proof_answer *a, size_t *step) {
    char item[256];
    if (!review_item(j->lesson, j->lessons, a->is.item, item, sizeof item)) return NULL;
    const char *slash = strchr(item, '/');
    size_t i = session_learner_find_id(j->who, item, (size_t)(slash - item));
    const struct loaded *l = live(j, i);
    *step = l ? lesson_find(l->lesson, slash + 1) : 0;
    return l;
}

enum asked { ASKED, NOT_ASKED, UNKNOWN };

/* Whether the lesson asks this learner at this try what was answered. It is unknown if the lesson
 * cannot be run here. */
static enum asked is_asked(struct judge *j, const struct proof_answer *a) {
    size_t step;
    const struct loaded *l = asked_by(j, a, &step);
    if (!l) return UNKNOWN;
    if (step == lesson_steps(l->lesson) || !lesson_graded(l->lesson, step)) return NOT_ASKED;
    if (lesson_step_kind(l->lesson, step) == LESSON_MYTH) {
        const json_t *truth = json_object_get(lesson_step(l->lesson, step), "truth");
        return json_equal(truth, json_object_get(a->problem, "truth")) ? ASKED : NOT_ASKED;
    }
    if (!lesson_seed_fits(a->is.seed, j->seed, a->is.item, a->is.try)) return NOT_ASKED;
    json_t *variant = lesson_variant(l->lesson, step, script_source(l->script), a->is.seed, NULL);
    enum asked asked = !variant                                    ? UNKNOWN
                       : lesson_same_question(variant, a->problem) ? ASKED
                                                                   : NOT_ASKED;
    json_decref(variant);
    return asked;
}

/* ── the verdict ───────────────────────────────────────────────────────────────────────────────*/
/* the lines of a worksheet that were answered before */
struct sheet {
    struct lesson_answer line[ACCOUNT_LINES];
    size_t lines, wrong;
    const struct proof_answer *first;
};

static bool is_graded(const char *verdict) {
    return strcmp(verdict, "noted") != 0 && strcmp(verdict, "unreadable") != 0;
}

static bool is_right(const char *verdict) {
    return strcmp(verdict, "right") == 0 || strcmp(verdict, "rounded") == 0;
}

/* A worksheet is right if its lines are. */
static bool judge_sheet(const struct sheet *s, struct lesson_again *out) {
    *out = (struct lesson_again){0};
    snprintf(out->verdict, sizeof out->verdict, "%s", s->wrong ? "wrong" : "right");
    for (size_t i = 0; i < s->lines && !*out->mistake; i++)
        if (!is_right(s->line[i].verdict))
            snprintf(out->mistake, sizeof out->mistake, "%s", s->line[i].mistake);
    out->value = s->line[s->lines - 1].value;
    return true;
}

static void add_line(struct sheet *s, const struct proof_answer *a) {
    if (!a->judged || !*a->is.line || !is_graded(a->again.verdict) || s->lines == ACCOUNT_LINES)
        return;
    if (!s->first) s->first = a;
    s->line[s->lines] = a->is;
    s->line[s->lines].value = a->again.value;
    s->line[s->lines].verdict = a->again.verdict;
    s->line[s->lines++].mistake = a->again.mistake;
    s->wrong += !is_right(a->again.verdict);
}

/* A worksheet that was left longer ago begins anew. */
enum { BACK_MOST = 20000 };

/* What was answered of the same worksheet before. Nothing is typed for it as a whole. */
static struct sheet sheet_before(const struct session_proof *p, size_t i) {
    const struct proof_answer *a = &p->answer[i];
    struct sheet s = {0};
    size_t from = i > BACK_MOST ? i - BACK_MOST : 0;
    for (size_t k = from; (*a->is.line || !*a->is.typed) && k < i; k++)
        if (p->answer[k].is.try == a->is.try && strcmp(p->answer[k].is.item, a->is.item) == 0)
            add_line(&s, &p->answer[k]);
    return s;
}

/* Whether it is judged at all: an answer to a problem or a myth of a lesson. */
static bool is_to_judge(struct judge *j, const struct proof_answer *a) {
    char item[256];
    bool shown = strcmp(a->is.verdict, "noted") == 0; /* its working was, so it is no answer */
    return !shown && review_item(j->lesson, j->lessons, a->is.item, item, sizeof item) &&
           strcmp(a->is.line, LESSON_CARD_LINE) != 0;
}

static bool fail(struct judge *j, size_t i, const char *why, struct base_message *m) {
    char *name = session_proof_name(j->proof, i);
    base_fail(m, "it does not verify: %s: %s", name, why);
    free(name);
    return false;
}

static bool check_verdict(struct judge *j, size_t i, const struct lesson_again *now,
                          struct base_message *m) {
    struct proof_answer *a = &j->proof->answer[i];
    const char *said = j->marks ? a->is.verdict : a->again.verdict;
    bool same =
        is_graded(said) == is_graded(now->verdict) && is_right(said) == is_right(now->verdict);
    a->again = *now;
    if (same && j->marks) /* what is only named otherwise today is not marked */
        snprintf(a->again.verdict, sizeof a->again.verdict, "%s", a->is.verdict);
    if (same || j->marks) return true;
    char *typed = base_clean_dup(a->is.typed, strlen(a->is.typed), 40);
    char *why = base_format("\"%s\" is %s to its question, and the file says %s", typed,
                            now->verdict, said);
    fail(j, i, why, m);
    free(why);
    free(typed);
    return false;
}

/* The numbers of a worksheet are drawn once, with its first line. */
static bool check_question(struct judge *j, size_t i, const struct sheet *s,
                           struct base_message *m) {
    struct proof_answer *a = &j->proof->answer[i];
    a->before = a->before || !j->same_course || (s->first && s->first->before);
    if (s->first && !json_equal(a->problem, s->first->problem)) {
        a->before = true;
        return j->marks || fail(j, i, "its numbers are not those of the line before", m);
    }
    if (a->before || s->first) return true;
    enum asked asked = is_asked(j, a);
    a->before = asked != ASKED;
    return asked != NOT_ASKED || j->marks ||
           fail(j, i, "the lesson does not ask this learner these numbers", m);
}

static bool judge_one(struct judge *j, size_t i, struct base_message *m) {
    struct proof_answer *a = &j->proof->answer[i];
    struct lesson_again now;
    if (!is_to_judge(j, a)) return true;
    struct sheet s = sheet_before(j->proof, i);
    bool whole = !*a->is.line && s.lines > 0;
    a->judged = whole ? judge_sheet(&s, &now) : lesson_judge_again(&a->is, s.line, s.lines, &now);
    return !a->judged || (check_verdict(j, i, &now, m) && check_question(j, i, &s, m));
}

bool session_proof_judge(struct learner *who, struct session_proof *p, bool marks,
                         struct base_message *m) {
    const struct lesson_course *c = session_learner_course(who);
    struct judge *j = base_alloc(sizeof *j);
    char here[HASH_HEX];
    *j = (struct judge){.who = who, .proof = p, .marks = marks};
    session_course_hash(who, here);
    j->same_course = strcmp(here, base_json_text(p->head, "course", "")) == 0;
    j->seed = (uint64_t)base_json_int(p->head, "seed", 0);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) j->lesson[j->lessons++] = c->lesson[i].id;
    bool holds = true;
    for (size_t i = 0; holds && i < p->answers; i++) holds = judge_one(j, i, m);
    for (size_t i = 0; i < BASE_COUNT(j->live); i++) session_loaded_close(&j->live[i]);
    free(j);
    return holds;
}
