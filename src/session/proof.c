/* proof: the answers of a record, a certificate or a hand-in, as they are judged again. */
#include "session/proof.h"

#include <stdlib.h>
#include <string.h>

static const char *const columns[PROOF_COLUMNS] = {
    [PROOF_ID] = "id",           [PROOF_TIME] = "time",
    [PROOF_ITEM] = "item",       [PROOF_LINE] = "line",
    [PROOF_TRY] = "try",         [PROOF_SEED] = "seed",
    [PROOF_PROBLEM] = "problem", [PROOF_TYPED] = "typed",
    [PROOF_VALUE] = "value",     [PROOF_VERDICT] = "verdict",
    [PROOF_MISTAKE] = "mistake", [PROOF_HINTS] = "hints",
    [PROOF_SECONDS] = "seconds", [PROOF_ENGINE] = "engine_revision",
};

bool session_proof_columns(struct session_proof *p, const json_t *head, struct base_message *m) {
    const json_t *names = json_object_get(head, "columns"), *name;
    bool found[PROOF_COLUMNS] = {false},
         all = strcmp(base_json_text(head, "table", ""), PROOF_TABLE) == 0;
    size_t i;
    json_array_foreach(names, i, name) {
        for (size_t c = 0; c < PROOF_COLUMNS && json_is_string(name); c++) {
            if (strcmp(json_string_value(name), columns[c]) != 0) continue;
            p->column[c] = i;
            found[c] = true;
        }
    }
    for (size_t c = 0; c < PROOF_COLUMNS; c++) all = all && found[c];
    return all || base_fail(m, "it does not name the columns of answers");
}

const json_t *session_proof_cell(const struct session_proof *p, const json_t *row,
                                 enum proof_column c) {
    return json_array_get(row, p->column[c]);
}

/* Bytes that are no text travel as {"hex":…}: whatever was typed so was never a right answer. */
static const char *text_of(const struct session_proof *p, const json_t *row, enum proof_column c) {
    const char *text = json_string_value(session_proof_cell(p, row, c));
    return text ? text : "";
}

static int small(const json_t *cell) {
    json_int_t n = json_integer_value(cell);
    return n > 0 && n < INT32_MAX ? (int)n : 0;
}

/* Numbers of a hostile file are not counted on from. */
static int64_t number_of(const json_t *cell) {
    json_int_t n = json_integer_value(cell);
    return n > 0 && n < (json_int_t)1 << 53 ? (int64_t)n : 0;
}

/* A learner, as a class, is asked the same questions, in five years some twenty thousand. Those of
 * a hostile file do not pile up. */
enum { KNOWN_MOST = 1 << 15, KNOWN_BYTES = 4096 };

json_t *session_proof_question(json_t *text) {
    const char *asked = json_string_value(text);
    json_t *read = base_json_parse(asked, strlen(asked));
    return json_pack("[Oo]", text, read ? read : json_null());
}

json_t *session_proof_question_of(const struct session_proof *p, const json_t *row) {
    const char *asked = text_of(p, row, PROOF_PROBLEM);
    json_t *known = json_object_get(p->known, asked);
    if (known || !*asked) return json_incref(known);
    json_t *made = session_proof_question(json_array_get(row, p->column[PROOF_PROBLEM]));
    if (strlen(asked) > KNOWN_BYTES) return made;
    if (json_object_size(p->known) == KNOWN_MOST) json_object_clear(p->known);
    json_object_set(p->known, asked, made);
    return made;
}

/* A text of a row, as it is kept until the proof is freed. There are few, each many times. */
static const char *kept(struct session_proof *p, const json_t *row, enum proof_column c) {
    const char *text = text_of(p, row, c);
    json_t *is = *text ? json_object_get(p->texts, text) : NULL;
    if (!*text) return "";
    if (!p->texts) p->texts = json_object();
    if (!is) json_object_set_new(p->texts, text, is = json_string(text));
    return json_string_value(is);
}

bool session_proof_row(struct session_proof *p, const json_t *row, json_t *question, int64_t day) {
    const char *item = text_of(p, row, PROOF_ITEM), *line = text_of(p, row, PROOF_LINE);
    if (!*item || strlen(item) >= PROOF_NAME_MOST || strlen(line) >= PROOF_NAME_MOST) {
        json_decref(question);
        return false;
    }
    json_t *problem = json_array_get(question, 1);
    struct proof_answer a = {.question = question,
                             .asked = json_string_value(json_array_get(question, 0)),
                             .problem = json_is_null(problem) ? NULL : problem,
                             .day = day,
                             .number = number_of(session_proof_cell(p, row, PROOF_ID)),
                             .time = json_integer_value(session_proof_cell(p, row, PROOF_TIME)),
                             .engine = small(session_proof_cell(p, row, PROOF_ENGINE))};
    if (!a.asked) a.asked = "";
    a.is = (struct lesson_answer){
        .item = kept(p, row, PROOF_ITEM),
        .line = kept(p, row, PROOF_LINE),
        .try = small(session_proof_cell(p, row, PROOF_TRY)),
        .seed = (uint64_t)json_integer_value(session_proof_cell(p, row, PROOF_SEED)),
        .problem = a.problem,
        .typed = kept(p, row, PROOF_TYPED),
        .value = json_number_value(session_proof_cell(p, row, PROOF_VALUE)),
        .verdict = kept(p, row, PROOF_VERDICT),
        .mistake = kept(p, row, PROOF_MISTAKE),
        .hints = small(session_proof_cell(p, row, PROOF_HINTS)),
        .seconds = json_number_value(session_proof_cell(p, row, PROOF_SECONDS))};
    snprintf(a.said, sizeof a.said, "%s", a.is.verdict);
    if ((p->answers & (p->answers - 1)) == 0) /* twice as many as before */
        p->answer = base_grow(p->answer, 2 * p->answers + 1, sizeof a);
    p->answer[p->answers++] = a;
    return true;
}

void session_proof_free(struct session_proof *p) {
    for (size_t i = 0; i < p->answers; i++) {
        free(p->answer[i].row);
        json_decref(p->answer[i].question);
    }
    free(p->answer);
    free(p->by_item);
    json_decref(p->head);
    json_decref(p->table);
    json_decref(p->countersigned);
    json_decref(p->texts);
    json_decref(p->known);
    *p = (struct session_proof){0};
}

char *session_proof_name(const struct session_proof *p, size_t i) {
    /* a class looks at the clock; a certificate counts the learner's days */
    const struct proof_answer *a = &p->answer[i];
    char *day = a->line ? classroom_when_text(a->time) : session_date(a->day);
    char *item =
        base_clean_dup(p->answer[i].is.item, strlen(p->answer[i].is.item), PROOF_NAME_MOST);
    char *name =
        base_format("answer %lld (%s, %s%s%s)", a->line ? (long long)i + 1 : (long long)a->number,
                    day, item, *p->answer[i].is.line ? " line " : "", p->answer[i].is.line);
    free(item);
    free(day);
    return name;
}

/* ── of others ─────────────────────────────────────────────────────────────────────────────────*/
bool session_proof_add(struct session_proof *p, json_t *row, struct base_message *m) {
    if (json_is_object(row)) return session_proof_columns(p, row, m);
    int64_t time = json_integer_value(session_proof_cell(p, row, PROOF_TIME));
    return session_proof_row(p, row, session_proof_question_of(p, row),
                             review_day(time, REVIEW_ROLLOVER)) ||
           base_fail(m, "this is not a row of the table answer");
}

/* "1.1/ddp-7b\nline\n2": the try that an answer is to; the caller's. */
static char *try_of(const struct session_proof *p, const json_t *row) {
    return base_format("%s\n%s\n%d", text_of(p, row, PROOF_ITEM), text_of(p, row, PROOF_LINE),
                       small(session_proof_cell(p, row, PROOF_TRY)));
}

/* The tries that were answered by now: of another copy of the hand-in only others are taken. */
static json_t *tries_of(const struct session_proof *p) {
    json_t *out = json_object();
    for (size_t i = 0; i < p->answers; i++) {
        const struct lesson_answer *a = &p->answer[i].is;
        if (strcmp(a->verdict, "unreadable") == 0) continue;
        char *name = base_format("%s\n%s\n%d", a->item, a->line, a->try);
        json_object_set_new(out, name, json_true());
        free(name);
    }
    return out;
}

bool session_proof_take_handin(const struct classroom_handin *h, json_t *known,
                               struct session_proof *p, struct base_message *m) {
    bool first = !p->head;
    if (first)
        *p = (struct session_proof){.head = json_incref(h->first),
                                    .table = json_incref(h->table),
                                    .known = json_incref(known)};
    if (!session_proof_columns(p, h->table, m)) return false;
    json_t *tries = first ? NULL : tries_of(p);
    bool taken = true;
    for (size_t i = 0; taken && i < h->answers; i++) {
        const json_t *row = h->answer[i].row;
        char *name = first ? NULL : try_of(p, row);
        bool is_new = first || !json_object_get(tries, name);
        if (is_new)
            taken =
                session_proof_row(p, row, session_proof_question_of(p, row), h->answer[i].day) ||
                base_fail(m, "line %d names no item", h->answer[i].line);
        if (is_new && taken) p->answer[p->answers - 1].line = h->answer[i].line;
        free(name);
    }
    json_decref(tries);
    return taken;
}

/* What was not judged again counts for nothing. */
const char *session_proof_verdict(const struct proof_answer *a) {
    return a->judged ? a->again.verdict : "noted";
}

/* ── as a journal ──────────────────────────────────────────────────────────────────────────────*/
static bool read_only(void *self, const struct lesson_answer *a, struct base_message *m) {
    (void)self, (void)a;
    return base_fail(m, "a certificate takes no answers");
}

static bool no_place(void *self, const char *lesson, struct lesson_place *out,
                     struct base_message *m) {
    (void)self, (void)lesson, (void)m;
    *out = (struct lesson_place){0};
    return true;
}

static bool keep_no_place(void *self, const char *lesson, const struct lesson_place *place,
                          struct base_message *m) {
    (void)self, (void)lesson, (void)place;
    return base_fail(m, "a certificate keeps no places");
}

static int by_item(const void *x, const void *y, void *proof) {
    const struct session_proof *p = proof;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    int order = strcmp(p->answer[a].is.item, p->answer[b].is.item);
    return order ? order : (a > b) - (a < b);
}

/* Where the answers to an item begin in by_item, or where they would. */
static size_t first_of(struct session_proof *p, const char *item) {
    size_t from = 0, to = p->answers;
    if (!p->by_item) {
        p->by_item = base_alloc((p->answers + 1) * sizeof *p->by_item);
        for (size_t i = 0; i < p->answers; i++) p->by_item[i] = i;
        qsort_r(p->by_item, p->answers, sizeof *p->by_item, by_item, p);
    }
    while (from < to) {
        size_t at = from + (to - from) / 2;
        bool before = strcmp(p->answer[p->by_item[at]].is.item, item) < 0;
        *(before ? &from : &to) = before ? at + 1 : at;
    }
    return from;
}

/* The answer at this place in by_item, if it is to this item; else NULL. */
static const struct proof_answer *at_item(const struct session_proof *p, size_t k,
                                          const char *item) {
    const struct proof_answer *a = k < p->answers ? &p->answer[p->by_item[k]] : NULL;
    return a && strcmp(a->is.item, item) == 0 ? a : NULL;
}

static bool answers_of(void *self, const char *item,
                       void (*each)(void *to, const struct lesson_answer *a), void *to,
                       struct base_message *m) {
    const struct proof_answer *of;
    (void)m;
    for (size_t k = first_of(self, item); (of = at_item(self, k, item)); k++) {
        struct lesson_answer a = of->is;
        a.verdict = session_proof_verdict(of);
        each(to, &a);
    }
    return true;
}

bool session_proof_answered(void *self, const char *item) {
    const struct proof_answer *a;
    for (size_t k = first_of(self, item); (a = at_item(self, k, item)); k++) {
        bool whole = !*a->is.line && (a->judged || *a->is.typed);
        if (whole && strcmp(session_proof_verdict(a), "unreadable") != 0) return true;
    }
    return false;
}

struct lesson_journal session_proof_journal(struct session_proof *p) {
    return (struct lesson_journal){p, read_only, no_place, keep_no_place, answers_of, NULL};
}
