/* audit: all answers of a certificate or a record judged again. Those of a lesson follow each
 * other, in child processes that take the next lesson each; then they are looked at in the order in
 * which they were given. A lesson that no child finished is judged here. */
#include "session/inside.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson), PROCESSES_MOST = 64 };

/* What was found of an answer. */
struct found {
    struct lesson_again again;
    bool judged;
    /* whether its numbers were drawn again, and what the lesson said */
    bool drawn;
    enum session_asked asked;
};
/* Seen by all processes. */
struct shared {
    atomic_size_t next;
    atomic_bool done[LESSONS];
    struct found found[];
};
struct audit {
    struct session_proof *p;
    struct session_judge *judge;
    const struct purpose *purpose;
    /* the lessons here are those of the file */
    bool same_course;
    /* nothing is known of the certificate: it could not be judged */
    bool unable;
    /* the answers by lesson, those of lesson k from from[k] on */
    size_t *answer, from[LESSONS + 1];
    struct shared *shared;
};

/* ── one lesson ────────────────────────────────────────────────────────────────────────────────*/
/* Later lines of a worksheet are judged after those before them. */
static void judge_answers(struct audit *a, size_t lesson) {
    for (size_t k = a->from[lesson]; k < a->from[lesson + 1]; k++) {
        size_t i = a->answer[k];
        struct found *f = &a->shared->found[i];
        f->judged = session_judge_answer(a->judge, i, &f->again);
        a->p->answer[i].judged = f->judged;
        a->p->answer[i].again = f->again;
    }
}

/* The numbers of a worksheet are drawn once, with its first line. */
static bool is_to_draw(const struct audit *a, size_t i) {
    const struct proof_answer *answer = &a->p->answer[i];
    return answer->judged && a->same_course && !answer->before && !session_judge_first(a->p, i);
}

static void draw_numbers(struct audit *a, size_t lesson) {
    size_t most = a->from[lesson + 1] - a->from[lesson], n = 0;
    size_t *draw = base_alloc((most + 1) * sizeof *draw);
    enum session_asked *asked = base_alloc((a->p->answers + 1) * sizeof *asked);
    for (size_t k = a->from[lesson]; k < a->from[lesson + 1]; k++)
        if (is_to_draw(a, a->answer[k])) draw[n++] = a->answer[k];
    session_judge_asked_all(a->judge, draw, n, asked);
    for (size_t k = 0; k < n; k++) {
        a->shared->found[draw[k]].drawn = true;
        a->shared->found[draw[k]].asked = asked[draw[k]];
    }
    free(asked);
    free(draw);
}

static void work(struct audit *a) {
    for (size_t k; (k = atomic_fetch_add(&a->shared->next, 1)) < LESSONS;) {
        if (a->from[k] == a->from[k + 1]) continue;
        judge_answers(a, k);
        draw_numbers(a, k);
        atomic_store(&a->shared->done[k], true);
    }
}

/* ── all lessons ───────────────────────────────────────────────────────────────────────────────*/
/* How many lessons have answers. */
static size_t sort_answers(struct audit *a) {
    size_t *lesson = base_alloc((a->p->answers + 1) * sizeof *lesson), at[LESSONS], with = 0;
    a->answer = base_alloc((a->p->answers + 1) * sizeof *a->answer);
    for (size_t i = 0; i < a->p->answers; i++) {
        lesson[i] = session_judge_lesson(a->judge, i);
        for (size_t k = lesson[i]; k < LESSONS; k++) a->from[k + 1]++;
    }
    for (size_t k = 0; k < LESSONS; k++) {
        at[k] = a->from[k];
        with += a->from[k] < a->from[k + 1];
    }
    for (size_t i = 0; i < a->p->answers; i++)
        if (lesson[i] < LESSONS) a->answer[at[lesson[i]]++] = i;
    free(lesson);
    return with;
}

static pid_t start(struct audit *a) {
    pid_t parent = getpid(), pid;
    fflush(NULL);
    pid = fork();
    if (pid != 0) return pid;
    base_child_begin(parent, BASE_NOWHERE, BASE_NOWHERE, BASE_NOWHERE);
    work(a);
    _exit(0);
}

/* One process fewer than there are processors and lessons: this one works, too. */
static void work_all(struct audit *a, size_t lessons) {
    pid_t child[PROCESSES_MOST];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = processors > 0 ? (size_t)processors : 1, n = 0;
    while (n + 1 < most && n + 1 < lessons && n < PROCESSES_MOST && (child[n] = start(a)) > 0) n++;
    work(a);
    for (size_t i = 0; i < n; i++)
        while (waitpid(child[i], NULL, 0) < 0 && errno == EINTR) {
        }
    for (size_t k = 0; k < LESSONS; k++) {
        if (a->from[k] == a->from[k + 1] || atomic_load(&a->shared->done[k])) continue;
        judge_answers(a, k);
        draw_numbers(a, k);
    }
}

/* ── in the order of the answers ───────────────────────────────────────────────────────────────*/
static const struct purpose {
    /* notes what comes out otherwise, instead of refusing it */
    bool marks;
    /* takes an answer whose numbers could not be drawn, and notes that */
    bool lenient;
    /* looks only at what this engine judged, where a question must be that an answer was graded by
     */
    bool own;
    /* what is said of the first answer that does not fit, which this names, and why */
    const char *says;
} purposes[] = {
    [SESSION_TO_CERTIFY] = {.marks = true},
    [SESSION_TO_VERIFY] = {.says = "it does not verify: %s: %s"},
    [SESSION_TO_EXPORT] = {.marks = true, .lenient = true},
    [SESSION_TO_IMPORT] = {.own = true,
                           .says = "%s was changed after it was exported, so nothing was "
                                   "imported: %s"},
};

static bool fail(const struct audit *a, size_t i, const char *why, struct base_message *m) {
    char *name = session_proof_name(a->p, i);
    base_fail(m, a->purpose->says, name, why);
    free(name);
    return false;
}

/* What is only named otherwise counts the same. */
static bool is_same(const char *verdict, const char *other) {
    return session_verdict_is_graded(verdict) == session_verdict_is_graded(other) &&
           session_verdict_is_right(verdict) == session_verdict_is_right(other);
}

/* "112 GB" is right to its question, and the file says otherwise; the caller's. */
static char *otherwise(const struct proof_answer *p, const char *said) {
    char *typed = base_clean_dup(p->is.typed, strlen(p->is.typed), 40);
    char *why = base_format("\"%s\" is %s to its question, and the file says %s", typed,
                            p->again.verdict, said);
    free(typed);
    return why;
}

static bool check_verdict(const struct audit *a, size_t i, struct base_message *m) {
    struct proof_answer *p = &a->p->answer[i];
    bool marks = a->purpose->marks;
    const char *said = marks ? p->is.verdict : p->said;
    bool same = is_same(said, p->again.verdict);
    if (same && marks) /* what is only named otherwise today is not marked */
        snprintf(p->again.verdict, sizeof p->again.verdict, "%s", p->is.verdict);
    if (same || marks) return true;
    char *why = otherwise(p, said);
    fail(a, i, why, m);
    free(why);
    return false;
}

/* The lessons are those of the file, so they draw: unless their process was ended or came to its
 * limits. Then nothing is known of the answer, and nothing says that it holds. */
static bool fail_to_draw(struct audit *a, size_t i, struct base_message *m) {
    char *name = session_proof_name(a->p, i);
    base_fail(m,
              "cannot judge it now: %s: the process that draws its numbers ended or took too long. "
              "Try again",
              name);
    free(name);
    a->unable = true;
    return false;
}

static bool check_question(struct audit *a, size_t i, const struct found *f,
                           struct base_message *m) {
    struct proof_answer *p = &a->p->answer[i];
    const struct proof_answer *first = session_judge_first(a->p, i);
    p->before = p->before || !a->same_course || (first && first->before);
    if (first && !json_equal(p->problem, first->problem)) {
        p->before = true;
        return a->purpose->marks || fail(a, i, "its numbers are not those of the line before", m);
    }
    if (p->before || first || !f->drawn) return true;
    if (f->asked == SESSION_ASK_UNKNOWN && !a->purpose->lenient) return fail_to_draw(a, i, m);
    p->before = f->asked != SESSION_ASKED;
    return f->asked != SESSION_ASKED_NOT || a->purpose->marks ||
           fail(a, i, "the lesson does not ask this learner these numbers", m);
}

/* One that is graded is always kept with its question. */
static bool check(struct audit *a, size_t i, struct base_message *m) {
    struct proof_answer *p = &a->p->answer[i];
    const struct found *f = &a->shared->found[i];
    p->judged = f->judged;
    if (a->purpose->own) {
        if (p->engine != STORE_ENGINE_REVISION || !session_verdict_is_graded(p->is.verdict))
            return true;
        if (!*p->asked) return fail(a, i, "its question was taken out", m);
    }
    if (!f->judged) return true;
    p->again = f->again;
    return check_verdict(a, i, m) && check_question(a, i, f, m);
}

enum session_proven session_proof_judge(struct learner *who, struct session_proof *p,
                                        enum session_purpose why, struct base_message *m) {
    struct audit a = {.p = p, .judge = session_judge_open(who), .purpose = &purposes[why]};
    size_t bytes = sizeof *a.shared + p->answers * sizeof a.shared->found[0];
    a.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    a.unable = a.shared == MAP_FAILED;
    bool holds = !a.unable || base_fail(m, "there is no memory to judge %zu answers", p->answers);
    a.same_course = session_judge_begin(a.judge, p);
    if (holds) work_all(&a, sort_answers(&a));
    for (size_t i = 0; holds && i < p->answers; i++) holds = check(&a, i, m);
    if (a.shared != MAP_FAILED) munmap(a.shared, bytes);
    session_judge_close(a.judge);
    free(a.answer);
    return holds ? SESSION_HOLDS : a.unable ? SESSION_REFUSED : SESSION_CHANGED;
}
