/* handed: one hand-in of a class, judged again and graded; what does not fit is listed. The numbers
 * of every answer that counts are drawn again from its lesson and the learner's seed. */
#include "session/grade.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A fast reader takes 25 characters a second. */
enum { READ_PER_SECOND = 60, SHOWN = 40, COPIES_MOST = 8, LINES_BEFORE = 3 };

/* ── what is found ─────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *kind, *heading;
} kinds[SESSION_DOUBTS] = {
    [SESSION_DOUBT_UNREAD] = {"unread", "could not be read"},
    [SESSION_DOUBT_HEAD] = {"head", "is not a hand-in of this class and account"},
    [SESSION_DOUBT_NEWER] = {"newer", "was written by a newer zerotutor"},
    [SESSION_DOUBT_CHANGED] = {"changed", "was edited"},
    [SESSION_DOUBT_FAILED] = {"failed", "could not be judged"},
    [SESSION_DOUBT_GONE] = {"gone", "has answers that went away"},
    [SESSION_DOUBT_TWICE] = {"twice", "comes with another of the same account"},
    [SESSION_DOUBT_NUMBERS] = {"numbers", "has numbers that were not asked"},
    [SESSION_DOUBT_VERDICT] = {"verdict", "has verdicts that the engine does not give"},
    [SESSION_DOUBT_OTHERS] = {"others", "has answers that are right for another learner's numbers"},
    [SESSION_DOUBT_MISSING] = {"missing", "lacks tries"},
    [SESSION_DOUBT_CLOCK] = {"clock", "has times that do not fit"},
    [SESSION_DOUBT_FAST] = {"fast", "was answered faster than one can read"},
    [SESSION_DOUBT_REVISION] = {"revision", "was asked by another revision of the lessons"},
    [SESSION_DOUBT_TORN] = {"torn", "ends in a torn line"},
};

const char *session_class_kind(size_t i, const char **heading) {
    if (i >= SESSION_DOUBTS) return NULL;
    *heading = kinds[i].heading;
    return kinds[i].kind;
}

void session_grade_list(json_t *listed, enum session_doubt kind, size_t answer, const char *format,
                        ...) {
    char says[600];
    va_list list;
    va_start(list, format);
    vsnprintf(says, sizeof says, format, list);
    va_end(list);
    char *clean = base_clean_dup(says, strlen(says), sizeof says);
    json_t *one = json_pack("{ss ss}", "kind", kinds[kind].kind, "says", clean);
    if (answer) json_object_set_new(one, "answer", json_integer((json_int_t)answer));
    json_array_append_new(listed, one);
    free(clean);
}

/* ── one hand-in ───────────────────────────────────────────────────────────────────────────────*/
/* of each kind the first is said, and how many there are */
struct found {
    size_t times, first;
    char says[400];
};
struct handed {
    const struct session_grader *g;
    const char *hex, *account;
    struct session_proof p;
    /* where the answers of each kept copy end */
    size_t end[COPIES_MOST], copies;
    bool graded;
    bool same_course;
    /* what is graded, and which answer of the proof that is */
    struct classroom_judged *judged;
    size_t *answer, count;
    enum session_asked *asked;
    struct found found[SESSION_DOUBTS];
    json_t *listed;
};

static void find(struct handed *d, enum session_doubt kind, size_t i, const char *format, ...)
    BASE_PRINTF(4, 5);
static void find(struct handed *d, enum session_doubt kind, size_t i, const char *format, ...) {
    struct found *f = &d->found[kind];
    if (f->times++ > 0) return;
    char *name = session_proof_name(&d->p, i);
    int n = snprintf(f->says, sizeof f->says, "%s: ", name);
    va_list list;
    va_start(list, format);
    if (n > 0 && (size_t)n < sizeof f->says)
        vsnprintf(f->says + n, sizeof f->says - (size_t)n, format, list);
    va_end(list);
    f->first = i + 1;
    free(name);
}

static void list_found(struct handed *d) {
    for (enum session_doubt k = 0; k < SESSION_DOUBTS; k++) {
        const struct found *f = &d->found[k];
        if (f->times > 1)
            session_grade_list(d->listed, k, f->first, "%s, and %zu more", f->says, f->times - 1);
        else if (f->times == 1)
            session_grade_list(d->listed, k, f->first, "%s", f->says);
    }
}

static char *typed_of(const struct proof_answer *a) {
    return base_clean_dup(a->is.typed, strlen(a->is.typed), SHOWN);
}

/* ── verdicts ──────────────────────────────────────────────────────────────────────────────────*/
static void judge(struct handed *d, size_t i) {
    struct proof_answer *a = &d->p.answer[i];
    struct lesson_again now;
    if (!session_judge_answer(d->g->judge, i, &now)) return;
    a->again = now;
    a->judged = true;
    bool same =
        session_verdict_is_graded(a->is.verdict) == session_verdict_is_graded(now.verdict) &&
        session_verdict_is_right(a->is.verdict) == session_verdict_is_right(now.verdict);
    char *typed = same ? NULL : typed_of(a),
         *said = base_clean_dup(a->is.verdict, strlen(a->is.verdict), 20);
    if (!same)
        find(d, SESSION_DOUBT_VERDICT, i, "\"%s\" is %s, and the hand-in says %s", typed,
             now.verdict, said);
    free(said);
    free(typed);
}

/* An answer to a whole item of a lesson, or its working that was shown. */
static bool is_whole(const struct proof_answer *a) {
    return !*a->is.line && strchr(a->is.item, '/') && a->is.try > 0 &&
           strcmp(session_proof_verdict(a), "unreadable") != 0;
}

/* When an answer was collected first. */
static int64_t seen_of(const struct handed *d, size_t i) {
    size_t copy = 0;
    while (copy < d->copies && i >= d->end[copy]) copy++;
    return classroom_collected_seen(d->g->collected, d->hex, copy + 1,
                                    (size_t)(d->p.answer[i].line - LINES_BEFORE));
}

static void judge_all(struct handed *d) {
    size_t n = d->p.answers + 1;
    d->judged = base_alloc(n * sizeof *d->judged);
    d->answer = base_alloc(n * sizeof *d->answer);
    d->asked = base_alloc(n * sizeof *d->asked);
    for (size_t i = 0; i < d->p.answers; i++) {
        struct proof_answer *a = &d->p.answer[i];
        judge(d, i);
        if (!is_whole(a) || !session_grades(d->g, a->is.item)) continue;
        d->answer[d->count] = i;
        d->judged[d->count++] = (struct classroom_judged){
            .item = a->is.item,
            .try = a->is.try,
            .time = a->time,
            .seen = seen_of(d, i),
            .right = a->judged && session_verdict_is_right(a->again.verdict),
            .mistake = a->judged ? a->again.mistake : "",
            .hints = a->is.hints,
            .seconds = a->is.seconds};
    }
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
/* Takes an answer out of the grading whose numbers cannot be those of its lesson; it is wrong, or,
 * if another revision asked it, is not graded at all. */
static void refuse(struct handed *d, size_t at) {
    size_t i = d->answer[at];
    struct classroom_judged *c = &d->judged[at];
    if (d->same_course && d->asked[i] == SESSION_ASKED_NOT) {
        find(d, SESSION_DOUBT_NUMBERS, i,
             "its lesson does not ask this learner these numbers at this try. It counts as wrong");
        c->right = false;
        c->mistake = "";
        return;
    }
    find(d, SESSION_DOUBT_REVISION, i,
         "the lessons here do not ask these numbers, or cannot be run. It is not graded");
    c->item = "";
}

/* Grades, draws the numbers of the right answers that count again, and repeats that without those
 * that do not fit. */
static size_t grade(struct handed *d, struct classroom_points **points) {
    bool *known = base_alloc(d->count + 1);
    size_t *ask = base_alloc((d->count + 1) * sizeof *ask);
    for (;;) {
        size_t items = classroom_grade(d->g->s, d->account, d->judged, d->count, points), asks = 0;
        for (size_t k = 0; k < items; k++) {
            size_t at = (*points)[k].counts;
            if ((*points)[k].right && !known[at]) ask[asks++] = d->answer[at];
        }
        session_judge_asked_all(d->g->judge, ask, asks, d->asked);
        bool refused = false;
        for (size_t k = 0; k < items; k++) {
            size_t at = (*points)[k].counts;
            if (!(*points)[k].right || known[at]) continue;
            known[at] = true;
            if (d->asked[d->answer[at]] == SESSION_ASKED) continue;
            refuse(d, at);
            refused = true;
        }
        if (!refused) {
            free(ask);
            free(known);
            return items;
        }
        free(*points);
    }
}

/* ── times ─────────────────────────────────────────────────────────────────────────────────────*/
static void check_clock(struct handed *d, size_t at) {
    static const char *const says[] = {
        [CLASSROOM_CLOCK_AHEAD] = "it says that it is from later than when it was collected",
        [CLASSROOM_CLOCK_BEHIND] =
            "it says that it was in time, and was first seen an hour or more after the deadline",
    };
    const struct classroom_judged *c = &d->judged[at];
    enum classroom_clock clock = classroom_judged_clock(d->g->s, d->account, c);
    if (clock != CLASSROOM_CLOCK_FITS)
        find(d, SESSION_DOUBT_CLOCK, d->answer[at], "%s", says[clock]);
}

static void check_order(struct handed *d, size_t i) {
    if (i > 0 && d->p.answer[i].time + CLASSROOM_LONG < d->p.answer[i - 1].time)
        find(d, SESSION_DOUBT_CLOCK, i,
             "it says that it is from over an hour before the answer "
             "above it");
}

/* The first answer to the question that this one answers: a sheet is read before its first line. */
static size_t first_of(const struct handed *d, size_t i) {
    const struct proof_answer *all = d->p.answer;
    while (i > 0 && *all[i - 1].is.line && strcmp(all[i - 1].is.item, all[i].is.item) == 0) i--;
    return i;
}

/* What it says it took, and no longer than since the answer to the question before. */
static void check_pace(struct handed *d, size_t i) {
    const struct proof_answer *a = &d->p.answer[i];
    size_t characters = strlen(base_json_text(a->problem, "ask", "")), first = first_of(d, i);
    double spent = 0, needs = (double)characters / READ_PER_SECOND;
    for (size_t k = first; k <= i; k++) spent += d->p.answer[k].is.seconds;
    double since = first > 0 ? (double)(a->time - d->p.answer[first - 1].time + 1) : spent;
    if (since >= 0 && since < spent) spent = since;
    if (!a->judged || *a->is.line || !session_verdict_is_right(a->again.verdict) || spent >= needs)
        return;
    find(d, SESSION_DOUBT_FAST, i,
         "right after %.1f s, and its question has %zu characters (the rule: %d a second)", spent,
         characters, READ_PER_SECOND);
}

static void check_times(struct handed *d) {
    for (size_t at = 0; at < d->count; at++)
        if (*d->judged[at].item) check_clock(d, at);
    for (size_t i = 0; i < d->p.answers; i++) {
        check_order(d, i);
        check_pace(d, i);
    }
}

/* ── of others ─────────────────────────────────────────────────────────────────────────────────*/
/* Numbers that were right, and wrong ones that no mistake explains. */
static void compare(struct handed *d, struct session_graded *out) {
    out->number = base_alloc((d->p.answers + 1) * sizeof *out->number);
    for (size_t i = 0; i < d->p.answers; i++) {
        const struct proof_answer *a = &d->p.answer[i];
        bool right = session_verdict_is_right(a->again.verdict),
             odd = strcmp(a->again.verdict, "wrong") == 0 && !*a->again.mistake;
        if (!a->judged || !(right || odd) || !json_object_get(a->problem, "problem") ||
            !(a->again.value > 0))
            continue;
        uint64_t key = base_hash(base_hash((uint64_t)a->is.try, a->is.item), a->is.line);
        out->number[out->numbers++] =
            (struct session_number){key, a->again.value, (uint32_t)(i + 1), 0, right};
    }
}

/* ── tries ─────────────────────────────────────────────────────────────────────────────────────*/
static bool is_of_try(const struct handed *d, size_t i, size_t other) {
    const struct lesson_answer *a = &d->p.answer[i].is, *b = &d->p.answer[other].is;
    return a->try == b->try && strcmp(a->item, b->item) == 0;
}

/* Whether this line of a sheet is the only kind of row that its try has, and the first of them. */
static bool begins_alone(const struct handed *d, size_t i) {
    for (size_t k = 0; k < d->p.answers; k++)
        if (is_of_try(d, i, k) && (is_whole(&d->p.answer[k]) || k < i)) return false;
    return *d->p.answer[i].is.line;
}

/* How many tries of an item below its last whole one are missing: one that was left half filled is
 * there. */
static int missing_of(const struct handed *d, const struct classroom_points *p) {
    int missing = p->missing, last = p->tries + p->missing;
    for (size_t i = 0; missing > 0 && i < d->p.answers; i++) {
        const struct lesson_answer *a = &d->p.answer[i].is;
        bool below = strcmp(a->item, p->item) == 0 && a->try < last;
        if (below && begins_alone(d, i)) missing--;
    }
    return missing;
}

/* ── what is told ──────────────────────────────────────────────────────────────────────────────*/
static json_t *items_of(struct handed *d, const struct classroom_points *points, size_t n) {
    json_t *out = json_array();
    for (size_t k = 0; k < n; k++) {
        const struct classroom_points *p = &points[k];
        if (!*p->item) continue;
        const struct classroom_judged *c = &d->judged[p->counts];
        int missing = missing_of(d, p);
        if (missing)
            find(d, SESSION_DOUBT_MISSING, d->answer[p->counts],
                 "tries with a lower number: %d missing", missing);
        json_array_append_new(out,
                              json_pack("{ss sI sf sb si si si si si sf ss}", "item", p->item,
                                        "time", (json_int_t)classroom_judged_time(c), "points",
                                        p->points, "right", p->right, "late", p->late_days, "tries",
                                        p->tries, "missing", missing, "try", c->try, "hints",
                                        c->hints, "seconds", c->seconds, "mistake", p->mistake));
    }
    return out;
}

static void write_rows(struct handed *d, struct base_text *rows) {
    for (size_t i = 0; i < d->p.answers; i++) {
        const struct proof_answer *a = &d->p.answer[i];
        json_t *row = json_pack(
            "{sI sI ss ss si ss ss ss si sf}", "answer", (json_int_t)i + 1, "time",
            (json_int_t)a->time, "item", a->is.item, "line", a->is.line, "try", a->is.try, "typed",
            a->is.typed, "verdict", a->judged ? a->again.verdict : "", "mistake",
            a->judged ? a->again.mistake : "", "hints", a->is.hints, "seconds", a->is.seconds);
        char *text = json_dumps(row, JSON_COMPACT);
        base_text_printf(rows, "%s\n", text ? text : "{}");
        free(text);
        json_decref(row);
    }
}

static void take_up(struct handed *d, struct session_graded *out, struct base_text *rows) {
    struct classroom_points *points;
    d->same_course = session_judge_begin(d->g->judge, &d->p);
    judge_all(d);
    size_t items = grade(d, &points);
    check_times(d);
    compare(d, out);
    int64_t last = d->p.answers ? d->p.answer[d->p.answers - 1].time : 0;
    json_object_set_new(out->says, "items", items_of(d, points, items));
    json_object_set_new(out->says, "answers", json_integer((json_int_t)d->p.answers));
    json_object_set_new(out->says, "last", json_integer((json_int_t)last));
    write_rows(d, rows);
    list_found(d);
    free(points);
    free(d->judged);
    free(d->answer);
    free(d->asked);
}

static enum session_doubt kind_of(enum classroom_fault fault) {
    switch (fault) {
    case CLASSROOM_WHOLE:
    case CLASSROOM_CHANGED: return SESSION_DOUBT_CHANGED;
    case CLASSROOM_TOO_MANY:
    case CLASSROOM_UNREAD: return SESSION_DOUBT_UNREAD;
    case CLASSROOM_NEWER: return SESSION_DOUBT_NEWER;
    case CLASSROOM_NO_HANDIN:
    case CLASSROOM_OTHER_CLASS:
    case CLASSROOM_OTHER_ACCOUNT: break;
    }
    return SESSION_DOUBT_HEAD;
}

/* Whose file it was when it was collected. */
static bool is_owners(const struct session_grader *g, const struct classroom_handin *h,
                      const char *owner, json_t *listed) {
    if (g->s->synchronised || strcmp(owner, h->head.account) == 0) return true;
    session_grade_list(listed, SESSION_DOUBT_HEAD, 0,
                       "the account %s owned this file, and it says that it is %s's", owner,
                       h->head.account);
    return false;
}

/* Takes what of a copy can be graded; of a chain that breaks, the answers before that. */
static void take_copy(struct handed *d, struct session_graded *out, size_t copy) {
    struct classroom_handin h;
    struct base_message m = {0};
    char *name = classroom_kept_name(d->hex, copy), text[600];
    const char *owner = base_json_text(out->says, "account", "");
    bool whole = classroom_handin_read(d->g->f, CLASSROOM_KEPT, name, d->g->s, &h, &m);
    if (!whole)
        session_grade_list(d->listed, kind_of(h.fault), 0, "%s",
                           base_message_text(&m, text, sizeof text));
    if (h.torn) session_grade_list(d->listed, SESSION_DOUBT_TORN, 0, "its last line is cut off");
    bool graded = (whole || h.fault == CLASSROOM_CHANGED) && is_owners(d->g, &h, owner, d->listed);
    if (graded && !session_proof_take_handin(&h, d->g->known, &d->p, &m)) {
        session_grade_list(d->listed, SESSION_DOUBT_UNREAD, 0, "%s", m.what);
        graded = d->p.answers > 0;
    }
    if (graded && *h.with) json_object_set_new(out->says, "with", json_string(h.with));
    d->graded = d->graded || graded;
    d->end[d->copies++] = d->p.answers;
    classroom_handin_free(&h);
    free(name);
}

static bool has_copy(const struct session_grader *g, const char *hex, size_t copy) {
    char *name = classroom_kept_name(hex, copy);
    bool has = !classroom_is_gone(g->f, CLASSROOM_KEPT, name);
    free(name);
    return has;
}

void session_grade_handin(const struct session_grader *g, const char *hex,
                          struct session_graded *out, struct base_text *rows) {
    const char *owner = base_json_text(json_object_get(g->collected, hex), "account", "");
    struct handed d = {.g = g, .hex = hex, .account = owner, .listed = json_array()};
    *out = (struct session_graded){
        .says = json_pack("{ss ss so}", "account", owner, "handin", hex, "listed", d.listed)};
    for (size_t copy = 1; copy < COPIES_MOST && (copy == 1 || has_copy(g, hex, copy)); copy++)
        take_copy(&d, out, copy);
    if (d.graded) take_up(&d, out, rows);
    session_proof_free(&d.p);
}
