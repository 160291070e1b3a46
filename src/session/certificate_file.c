/* certificate_file: what a certificate carries.
 *
 *     {"zerotutor":"certificate","format":3,"seed":…,"course":"…","link":"…"}
 *     {"name":"Ada","link":"…"}                         unless it is made out to nobody
 *     {"day":20780,"link":"…"}
 *     {"table":"answer","columns":[…],"link":"…"}       the record's own rows follow
 *     {"question":1,"asked":"{…}","link":"…"}
 *     {"answer":[1,1700000000,"1.1/ddp-7b",…,1,…],"day":20779,"link":"…"}
 *     {"answers":1230,"link":"…"}                       that link is the seal
 *     {"countersigned":"the teacher of sys-26","day":20780,"link":"…"}
 *
 * All lines are one chain (hash.h), and each says one thing, so that the first link that does not
 * fit tells which part was changed. If an answer was changed and all links computed again, judging
 * it again finds the change, unless the new answer fits its question too. One that can no longer be
 * judged counts for nothing, as if it had been left out, which nothing finds in such a forgery.
 *
 * A question is written once, above the first answer to it, and rows have its number in the place
 * of its text: a learner is asked the same numbers again and again. */
#include "session/proof.h"

#include <stdlib.h>
#include <string.h>

/* ── from the record ───────────────────────────────────────────────────────────────────────────*/
struct taking {
    struct session_proof *proof;
    /* numbers of the questions, by their texts */
    json_t *numbers;
    int rollover;
    struct base_message *m;
};

/* Gives the row its question's number in the place of the text; 0 if it has none. */
static size_t number_question(struct taking *t, json_t *row) {
    size_t at = t->proof->column[PROOF_PROBLEM];
    const char *asked = json_string_value(json_array_get(row, at));
    json_t *number = asked ? json_object_get(t->numbers, asked) : NULL;
    if (!asked) return 0;
    if (!number) {
        number = json_integer((json_int_t)json_object_size(t->numbers) + 1);
        json_object_set_new(t->numbers, asked, number);
    }
    json_array_set(row, at, number);
    return (size_t)json_integer_value(number);
}

static bool take_line(void *to, json_t *row) {
    struct taking *t = to;
    struct session_proof *p = t->proof;
    if (json_is_object(row)) {
        p->table = json_incref(row);
        return session_proof_columns(p, row, t->m);
    }
    if (p->answers == PROOF_ANSWERS_MOST)
        return base_fail(t->m, "a certificate carries at most %d answers", PROOF_ANSWERS_MOST);
    int64_t time = json_integer_value(session_proof_cell(p, row, PROOF_TIME));
    if (!session_proof_row(p, row, session_proof_question_of(p, row),
                           review_day(time, t->rollover)))
        return base_fail(t->m, "an answer of the record names no item");
    struct proof_answer *a = &p->answer[p->answers - 1];
    a->asks = number_question(t, row);
    a->row = store_row_text(row);
    return true;
}

void session_course_hash(struct learner *who, char out[HASH_HEX]) {
    const struct lesson_course *c = session_learner_course(who);
    hash_hex("", "", 0, out);
    for (size_t i = 0; i < c->lessons; i++) {
        size_t n;
        char *path = session_learner_path(who, i);
        char *text = path ? base_file_read(path, 1 << 24, &n, NULL) : NULL;
        if (text) hash_hex(out, text, n, out);
        free(text);
        free(path);
    }
}

bool session_proof_take(struct learner *who, const char *name, struct session_proof *p,
                        struct base_message *m) {
    struct store *s = session_learner_store(who);
    char course[HASH_HEX];
    *p = (struct session_proof){.countersigned = json_array(), .known = json_object()};
    session_course_hash(who, course);
    p->head = json_pack("{ss si ss* sI sI ss}", "zerotutor", "certificate", "format", PROOF_FORMAT,
                        "name", name, "day", (json_int_t)session_today(who), "seed",
                        (json_int_t)store_seed(s), "course", course);
    struct taking t = {p, json_object(), session_learner_rollover(who), m};
    bool taken = store_rows(s, PROOF_TABLE, take_line, &t, m);
    json_decref(t.numbers);
    return taken;
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/
/* Adds a line, whose text is without the closing brace, with its link, which becomes the one before
 * the next. Pages carry these lines, too (certificate_page.c), and no bracket may end what hides
 * them there. */
static void add_text_linked(struct base_text *t, const char *text, size_t length,
                            char link[HASH_HEX]) {
    char end[HASH_LINK_BYTES + 1];
    size_t from = t->length;
    for (const char *s = text, *stop = text + length; s < stop;) {
        size_t n = 0;
        while (s + n < stop && s[n] != '<' && s[n] != '>') n++;
        base_text_add(t, s, n);
        s += n;
        if (s < stop) base_text_puts(t, *s++ == '<' ? "\\u003c" : "\\u003e");
    }
    hash_link_add(t->s + from, t->length - from, link, end);
    base_text_puts(t, end);
    base_text_puts(t, "\n");
}

/* Drops the line. */
static void add_linked(struct base_text *t, json_t *line, char link[HASH_HEX]) {
    char *text = store_row_text(line);
    add_text_linked(t, text, strlen(text) - 1, link);
    free(text);
    json_decref(line);
}

static void add_head(struct base_text *t, const struct session_proof *p, char link[HASH_HEX]) {
    static const char *const own[] = {"name", "day"};
    json_t *first = json_copy(p->head), *value;
    for (size_t i = 0; i < BASE_COUNT(own); i++) json_object_del(first, own[i]);
    add_linked(t, first, link);
    for (size_t i = 0; i < BASE_COUNT(own); i++)
        if ((value = json_object_get(p->head, own[i])))
            add_linked(t, json_pack("{sO}", own[i], value), link);
    add_linked(t, json_incref(p->table), link);
}

static void add_question(struct base_text *t, const struct proof_answer *a, char link[HASH_HEX]) {
    add_linked(t,
               json_pack("{sI sO}", PROOF_QUESTION, (json_int_t)a->asks, PROOF_ASKED,
                         json_array_get(a->question, 0)),
               link);
}

static void add_answer(struct base_text *t, const struct proof_answer *a, struct base_text *line,
                       char link[HASH_HEX]) {
    bool otherwise = a->judged && strcmp(a->is.verdict, a->again.verdict) != 0;
    line->length = 0;
    base_text_printf(line, "{\"" PROOF_TABLE "\":%s,\"day\":%lld", a->row, (long long)a->day);
    if (otherwise) base_text_printf(line, ",\"today\":\"%s\"", a->again.verdict);
    if (a->before) base_text_puts(line, ",\"before\":true");
    add_text_linked(t, line->s, line->length, link);
}

char *session_proof_write(struct session_proof *p, size_t *length) {
    struct base_text t = {0}, line = {0};
    size_t questions = 0;
    p->seal[0] = 0;
    add_head(&t, p, p->seal);
    for (size_t i = 0; i < p->answers; i++) {
        if (p->answer[i].asks > questions) add_question(&t, &p->answer[i], p->seal);
        if (p->answer[i].asks > questions) questions = p->answer[i].asks;
        add_answer(&t, &p->answer[i], &line, p->seal);
    }
    add_linked(&t, json_pack("{sI}", "answers", (json_int_t)p->answers), p->seal);
    base_text_free(&line);
    *length = t.length;
    return base_text_take(&t);
}

const char *session_proof_last(const struct session_proof *p) {
    size_t signs = json_array_size(p->countersigned);
    return base_json_text(json_array_get(p->countersigned, signs ? signs - 1 : 0), "link", p->seal);
}

char *session_proof_countersign(const char *text, char link[HASH_HEX], const char *name,
                                int64_t day) {
    struct base_text t = {0};
    base_text_puts(&t, text);
    add_linked(&t, json_pack("{ss sI}", "countersigned", name, "day", (json_int_t)day), link);
    return base_text_take(&t);
}
