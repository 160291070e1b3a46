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
 * it again finds the change, unless the new answer fits its question too.
 *
 * A question is written once, above the first answer to it, and rows have its number in the place
 * of its text: a learner is asked the same numbers again and again. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 3, ANSWERS_MOST = 1000000, NAME_MOST = 200 };
#define TABLE    "answer"
#define QUESTION "question"
#define ASKED    "asked"
#define LAST     "{\"answers\":"
#define SIGNED   "{\"countersigned\":"

/* ── a row ─────────────────────────────────────────────────────────────────────────────────────*/
enum column {
    ID,
    TIME,
    ITEM,
    LINE,
    TRY,
    SEED,
    PROBLEM,
    TYPED,
    VALUE,
    VERDICT,
    MISTAKE,
    HINTS,
    SECONDS,
    ENGINE,
    COLUMNS
};
static const char *const columns[COLUMNS] = {
    [ID] = "id",           [TIME] = "time",
    [ITEM] = "item",       [LINE] = "line",
    [TRY] = "try",         [SEED] = "seed",
    [PROBLEM] = "problem", [TYPED] = "typed",
    [VALUE] = "value",     [VERDICT] = "verdict",
    [MISTAKE] = "mistake", [HINTS] = "hints",
    [SECONDS] = "seconds", [ENGINE] = "engine_revision",
};

static bool read_columns(struct session_proof *p, const json_t *head, struct base_message *m) {
    const json_t *names = json_object_get(head, "columns"), *name;
    bool found[COLUMNS] = {false}, all = strcmp(base_json_text(head, "table", ""), TABLE) == 0;
    size_t i;
    json_array_foreach(names, i, name) {
        for (size_t c = 0; c < COLUMNS && json_is_string(name); c++) {
            if (strcmp(json_string_value(name), columns[c]) != 0) continue;
            p->column[c] = i;
            found[c] = true;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) all = all && found[c];
    return all || base_fail(m, "it does not name the columns of answers");
}

static const json_t *cell(const struct session_proof *p, const json_t *row, enum column c) {
    return json_array_get(row, p->column[c]);
}

/* Bytes that are no text travel as {"hex":…}: whatever was typed so was never a right answer. */
static const char *text_of(const struct session_proof *p, const json_t *row, enum column c) {
    const char *text = json_string_value(cell(p, row, c));
    return text ? text : "";
}

static int small(const json_t *cell) {
    json_int_t n = json_integer_value(cell);
    return n > 0 && n < INT32_MAX ? (int)n : 0;
}

/* A learner, as a class, is asked the same questions, in five years some twenty thousand. Those of
 * a hostile file do not pile up. */
enum { KNOWN_MOST = 1 << 15, KNOWN_BYTES = 4096 };

/* [text, the same as JSON or null], the caller's; NULL if the row has no text there. */
static json_t *new_question(json_t *text) {
    const char *asked = json_string_value(text);
    json_t *read = base_json_parse(asked, strlen(asked));
    return json_pack("[Oo]", text, read ? read : json_null());
}

/* The question of a row, so; each is read and kept once. */
static json_t *question_of(const struct session_proof *p, const json_t *row) {
    const char *asked = text_of(p, row, PROBLEM);
    json_t *known = json_object_get(p->known, asked);
    if (known || !*asked) return json_incref(known);
    json_t *made = new_question(json_array_get(row, p->column[PROBLEM]));
    if (strlen(asked) > KNOWN_BYTES) return made;
    if (json_object_size(p->known) == KNOWN_MOST) json_object_clear(p->known);
    json_object_set(p->known, asked, made);
    return made;
}

/* A text of a row, as it is kept until the proof is freed. There are few, each many times. */
static const char *kept(struct session_proof *p, const json_t *row, enum column c) {
    const char *text = text_of(p, row, c);
    json_t *is = *text ? json_object_get(p->texts, text) : NULL;
    if (!*text) return "";
    if (!p->texts) p->texts = json_object();
    if (!is) json_object_set_new(p->texts, text, is = json_string(text));
    return json_string_value(is);
}

/* Takes over the question. False if it is no row. */
static bool add_row(struct session_proof *p, const json_t *row, json_t *question, int64_t day) {
    const char *item = text_of(p, row, ITEM), *line = text_of(p, row, LINE);
    if (!*item || strlen(item) >= NAME_MOST || strlen(line) >= NAME_MOST) {
        json_decref(question);
        return false;
    }
    json_t *problem = json_array_get(question, 1);
    struct proof_answer a = {.question = question,
                             .asked = json_string_value(json_array_get(question, 0)),
                             .problem = json_is_null(problem) ? NULL : problem,
                             .day = day,
                             .number = json_integer_value(cell(p, row, ID)),
                             .time = json_integer_value(cell(p, row, TIME)),
                             .engine = small(cell(p, row, ENGINE))};
    if (!a.asked) a.asked = "";
    a.is = (struct lesson_answer){.item = kept(p, row, ITEM),
                                  .line = kept(p, row, LINE),
                                  .try = small(cell(p, row, TRY)),
                                  .seed = (uint64_t)json_integer_value(cell(p, row, SEED)),
                                  .problem = a.problem,
                                  .typed = kept(p, row, TYPED),
                                  .value = json_number_value(cell(p, row, VALUE)),
                                  .verdict = kept(p, row, VERDICT),
                                  .mistake = kept(p, row, MISTAKE),
                                  .hints = small(cell(p, row, HINTS)),
                                  .seconds = json_number_value(cell(p, row, SECONDS))};
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
    char *item = base_clean_dup(p->answer[i].is.item, strlen(p->answer[i].is.item), NAME_MOST);
    char *name =
        base_format("answer %lld (%s, %s%s%s)", a->line ? (long long)i + 1 : (long long)a->number,
                    day, item, *p->answer[i].is.line ? " line " : "", p->answer[i].is.line);
    free(item);
    free(day);
    return name;
}

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
    size_t at = t->proof->column[PROBLEM];
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
        return read_columns(p, row, t->m);
    }
    if (p->answers == ANSWERS_MOST)
        return base_fail(t->m, "a certificate carries at most %d answers", ANSWERS_MOST);
    int64_t time = json_integer_value(cell(p, row, TIME));
    if (!add_row(p, row, question_of(p, row), review_day(time, t->rollover)))
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
    p->head = json_pack("{ss si ss* sI sI ss}", "zerotutor", "certificate", "format", FORMAT,
                        "name", name, "day", (json_int_t)session_today(who), "seed",
                        (json_int_t)store_seed(s), "course", course);
    struct taking t = {p, json_object(), session_learner_rollover(who), m};
    bool taken = store_rows(s, TABLE, take_line, &t, m);
    json_decref(t.numbers);
    return taken;
}

bool session_proof_add(struct session_proof *p, json_t *row, struct base_message *m) {
    if (json_is_object(row)) return read_columns(p, row, m);
    int64_t time = json_integer_value(cell(p, row, TIME));
    return add_row(p, row, question_of(p, row), review_day(time, REVIEW_ROLLOVER)) ||
           base_fail(m, "this is not a row of the table answer");
}

/* "1.1/ddp-7b\nline\n2": the try that an answer is to; the caller's. */
static char *try_of(const struct session_proof *p, const json_t *row) {
    return base_format("%s\n%s\n%d", text_of(p, row, ITEM), text_of(p, row, LINE),
                       small(cell(p, row, TRY)));
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
    if (!read_columns(p, h->table, m)) return false;
    json_t *tries = first ? NULL : tries_of(p);
    bool taken = true;
    for (size_t i = 0; taken && i < h->answers; i++) {
        const json_t *row = h->answer[i].row;
        char *name = first ? NULL : try_of(p, row);
        bool is_new = first || !json_object_get(tries, name);
        if (is_new)
            taken = add_row(p, row, question_of(p, row), h->answer[i].day) ||
                    base_fail(m, "line %d names no item", h->answer[i].line);
        if (is_new && taken) p->answer[p->answers - 1].line = h->answer[i].line;
        free(name);
    }
    json_decref(tries);
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
    add_linked(
        t,
        json_pack("{sI sO}", QUESTION, (json_int_t)a->asks, ASKED, json_array_get(a->question, 0)),
        link);
}

static void add_answer(struct base_text *t, const struct proof_answer *a, struct base_text *line,
                       char link[HASH_HEX]) {
    bool otherwise = a->judged && strcmp(a->is.verdict, a->again.verdict) != 0;
    line->length = 0;
    base_text_printf(line, "{\"" TABLE "\":%s,\"day\":%lld", a->row, (long long)a->day);
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

/* ── in ────────────────────────────────────────────────────────────────────────────────────────*/
struct reading {
    struct session_proof *proof;
    struct session_lines *lines;
    char link[HASH_HEX];
    /* the questions so far, in the order of their numbers; and how many of them were answered */
    json_t *questions;
    size_t answered;
    /* what fails was changed after it was made */
    bool *edited;
    struct base_message *m;
};

/* The line that comes next, and whether its link fits it. The caller's; NULL if it is none. */
static json_t *next_linked(struct reading *r, bool *fits) {
    const char *from = r->lines->at;
    json_t *line = session_lines_next(r->lines, NULL);
    *fits = line && hash_link_fits(from, (size_t)(r->lines->at - from) - 1, r->link);
    return line;
}

static bool is_changed(struct reading *r, const char *what) {
    *r->edited = true;
    return base_fail_at(r->m, r->lines->path, r->lines->line, "it does not verify: %s", what);
}

static bool is_further_down(const struct reading *r, int64_t number) {
    char *begins = base_format("{\"" TABLE "\":[%lld,", (long long)number);
    bool found = memmem(r->lines->at, (size_t)(r->lines->end - r->lines->at), begins,
                        strlen(begins)) != NULL;
    free(begins);
    return found;
}

static char *how_changed(const struct reading *r, const char *name) {
    const struct session_proof *p = r->proof;
    size_t at = p->answers - 1;
    int64_t number = p->answer[at].number, due = at ? p->answer[at - 1].number + 1 : 1;
    if (number < due) return base_format("%s was moved, or is there twice", name);
    if (number == due) return base_format("%s was changed after it was made", name);
    if (is_further_down(r, due))
        return base_format("answer %lld comes after %s: their order was changed", (long long)due,
                           name);
    return number == due + 1
               ? base_format("answer %lld was taken out, the one before %s", (long long)due, name)
               : base_format("answers %lld to %lld were taken out, those before %s", (long long)due,
                             (long long)number - 1, name);
}

static bool is_no_line(const struct reading *r, const char *what, size_t number) {
    return base_fail_at(r->m, r->lines->path, r->lines->line,
                        "%s %zu cannot be read, because zerotutor does not write such a line", what,
                        number);
}

/* The answers of a record are numbered one after the other. */
static int64_t number_due(const struct session_proof *p) {
    return p->answers ? p->answer[p->answers - 1].number + 1 : 1;
}

static bool is_answer_changed(struct reading *r) {
    char *name = session_proof_name(r->proof, r->proof->answers - 1), *how = how_changed(r, name);
    is_changed(r, how);
    free(how);
    free(name);
    return false;
}

/* A day is the local one of the time, whatever the zone and the hour at which days begin. */
static bool is_day_of(int64_t day, int64_t time) {
    int64_t utc = time / 86400;
    return time >= 0 && day >= utc - 2 && day <= utc + 1;
}

/* The question whose number is in the row, NULL if it has none. False if no question above it has
 * that number. */
static bool find_question(struct reading *r, const json_t *row, json_t **question) {
    const json_t *number = cell(r->proof, row, PROBLEM);
    size_t count = json_array_size(r->questions);
    json_int_t n = json_integer_value(number);
    *question = NULL;
    if (!number || json_is_null(number) || json_is_object(number)) return true;
    if (n < 1 || n > (json_int_t)count) return false;
    if ((size_t)n == count) r->answered = count;
    *question = json_array_get(r->questions, (size_t)n - 1);
    return true;
}

/* Of an answer that refers to no question above it. */
static bool is_question_missing(struct reading *r, const json_t *row, bool fits) {
    struct session_proof *p = r->proof;
    int64_t due = number_due(p);
    long long n = (long long)json_integer_value(cell(p, row, PROBLEM)),
              number = (long long)json_integer_value(cell(p, row, ID));
    size_t count = json_array_size(r->questions);
    if (!json_is_integer(cell(p, row, PROBLEM))) return is_no_line(r, TABLE, p->answers + 1);
    if (!fits && number != due && add_row(p, row, NULL, 0)) return is_answer_changed(r);
    char *what =
        base_format("answer %lld is to question %lld, and %zu stand above it", number, n, count);
    if (fits)
        base_fail_at(r->m, r->lines->path, r->lines->line, "%s", what);
    else
        is_changed(r, what);
    free(what);
    return false;
}

static bool read_answer(struct reading *r, const json_t *line, bool fits) {
    struct session_proof *p = r->proof;
    int64_t day = base_json_int(line, "day", 0);
    json_t *row = json_object_get(line, TABLE), *question;
    if (p->answers == ANSWERS_MOST)
        return base_fail_at(r->m, r->lines->path, r->lines->line,
                            "it has more answers than any certificate (answer %zu)",
                            p->answers + 1);
    if (!json_is_array(row)) return is_no_line(r, TABLE, p->answers + 1);
    if (!find_question(r, row, &question)) return is_question_missing(r, row, fits);
    if (!add_row(p, row, json_incref(question), day)) return is_no_line(r, TABLE, p->answers + 1);
    struct proof_answer *a = &p->answer[p->answers - 1];
    const char *today = base_json_text(line, "today", NULL);
    a->before = base_json_bool(line, "before", false);
    if (today) snprintf(a->said, sizeof a->said, "%s", today);
    return (fits && is_day_of(day, a->time)) || is_answer_changed(r);
}

/* The next answer from there on that is to this question, or to any if it is 0, is added to those
 * that were read; false if there is none. */
static bool find_answer(struct reading *r, struct session_lines *from, json_int_t question) {
    struct session_proof *p = r->proof;
    bool found = false;
    while (!found && from->at < from->last) {
        json_t *line = session_lines_next(from, NULL), *row = json_object_get(line, TABLE);
        const json_t *to = cell(p, row, PROBLEM);
        bool fits =
            row && (!question || (json_is_integer(to) && json_integer_value(to) == question));
        found = fits && add_row(p, row, NULL, base_json_int(line, "day", 0));
        json_decref(line);
    }
    return found;
}

/* Whether the next answer is not the one that is due, so that answers were changed, too. */
static bool is_next_changed(struct reading *r) {
    struct session_lines ahead = *r->lines;
    int64_t due = number_due(r->proof);
    return find_answer(r, &ahead, 0) && number_due(r->proof) != due + 1;
}

/* The answers to this question: the first by its name, and how many more there are. The caller's;
 * NULL if there is none. */
static char *answers_to(struct reading *r, json_int_t question) {
    struct session_lines ahead = *r->lines;
    size_t more = 0;
    if (!find_answer(r, &ahead, question)) return NULL;
    char *first = session_proof_name(r->proof, r->proof->answers - 1);
    while (find_answer(r, &ahead, question)) more++;
    if (!more) return first;
    char *both = base_format("%s and %zu more", first, more);
    free(first);
    return both;
}

static bool is_question_changed(struct reading *r, int64_t number) {
    bool next = number == (int64_t)json_array_size(r->questions) + 1;
    if (is_next_changed(r)) return is_answer_changed(r);
    char *to = next ? answers_to(r, number) : NULL;
    char *what =
        to ? base_format("the question of %s was changed after it was made", to)
           : base_format("question %lld was moved or put in after it was made", (long long)number);
    is_changed(r, what);
    free(what);
    free(to);
    return false;
}

/* Whether there are answers to all questions up to this one. */
static bool is_answered(struct reading *r, size_t number) {
    return r->answered >= number ||
           base_fail_at(r->m, r->lines->path, r->lines->line,
                        "no answer is to question %zu, and zerotutor does not write such a line",
                        number);
}

/* Each is read once, and stands above the first answer to it. */
static bool read_question(struct reading *r, const json_t *line, bool fits) {
    json_t *asked = json_object_get(line, ASKED);
    const char *text = json_string_value(asked);
    size_t number = json_array_size(r->questions) + 1;
    int64_t says = base_json_int(line, QUESTION, 0);
    if (!fits) return is_question_changed(r, says);
    if (!text || says != (int64_t)number) return is_no_line(r, QUESTION, number);
    json_array_append_new(r->questions, new_question(asked));
    bool twice = json_object_get(r->proof->known, text) != NULL;
    json_object_set_new(r->proof->known, text, json_true());
    if (twice)
        return base_fail_at(r->m, r->lines->path, r->lines->line,
                            "question %zu is there twice, and zerotutor writes each once", number);
    return is_answered(r, number - 1);
}

static bool read_name(struct reading *r, const json_t *line, bool fits) {
    json_object_update(r->proof->head, (json_t *)line);
    return fits || is_changed(r, "the name was changed after it was made");
}

static bool read_day(struct reading *r, const json_t *line, bool fits) {
    bool named = json_object_get(r->proof->head, "name");
    json_object_update(r->proof->head, (json_t *)line);
    return fits || is_changed(r, named ? "its date was changed after it was made"
                                       : "its date was changed after it was made, or the name "
                                         "above it was taken out");
}

static bool read_table(struct reading *r, const json_t *line, bool fits) {
    struct base_message why = {0};
    if (!read_columns(r->proof, line, &why))
        return base_fail_at(r->m, r->lines->path, r->lines->line, "%s", why.what);
    return fits || is_changed(r, "the names of its columns, or the date above them, were changed "
                                 "after it was made");
}

/* The parts of the file, in order. Each line has one member that names its part. */
static const struct part {
    const char *member;
    bool (*read)(struct reading *r, const json_t *line, bool fits);
} parts[] = {{"name", read_name},
             {"day", read_day},
             {"table", read_table},
             {QUESTION, read_question},
             {TABLE, read_answer}};
enum { ROWS = 3 }; /* questions and answers take turns */

static size_t part_of(const json_t *line, size_t from) {
    size_t i = from < ROWS ? from : ROWS, answer = BASE_COUNT(parts) - 1;
    while (i < answer && !json_object_get(line, parts[i].member)) i++;
    return i;
}

/* The first line, and those up to the last. */
static bool read_lines(struct reading *r) {
    size_t part = 0;
    bool fits, read = true;
    json_t *line = next_linked(r, &fits);
    if (!fits) read = is_changed(r, "its first line was changed after it was made");
    json_decref(line);
    while (read && r->lines->at < r->lines->last) {
        line = next_linked(r, &fits);
        part = part_of(line, part);
        /* no answer without its columns, which come once */
        bool follows = (part >= ROWS) == (r->proof->table != NULL);
        read = follows ? parts[part].read(r, line, fits)
                       : base_fail_at(r->m, r->lines->path, r->lines->line,
                                      "it does not name the columns of answers");
        if (read && parts[part].read == read_table) r->proof->table = json_incref(line);
        json_decref(line);
    }
    return read;
}

static bool read_last(struct reading *r) {
    bool fits;
    json_t *line = next_linked(r, &fits);
    long long says = (long long)base_json_int(line, "answers", -1),
              are = (long long)r->proof->answers;
    json_decref(line);
    if (!r->proof->table)
        return base_fail_at(r->m, r->lines->path, 0, "it does not name the columns of answers");
    if (fits && says == are) return is_answered(r, json_array_size(r->questions));
    char *why = says == are ? base_dup("its last line was changed after it was made")
                            : base_format("its last line counts %lld answers, and %lld stand above "
                                          "it: those at the end were taken out or put in",
                                          says, are);
    is_changed(r, why);
    free(why);
    return false;
}

static bool read_signs(struct reading *r) {
    bool fits = true;
    while (fits && r->lines->at < r->lines->end) {
        json_t *line = next_linked(r, &fits);
        const char *name = base_json_text(line, "countersigned", NULL);
        fits = fits && name && strlen(name) < NAME_MOST;
        if (fits) json_array_append(r->proof->countersigned, line);
        json_decref(line);
    }
    return fits || is_changed(r, "this countersignature was changed after it was made, or belongs "
                                 "to another certificate");
}

/* Where the last line of the answers begins, below which stand countersignatures alone; NULL if
 * there is none. */
static const char *last_of(const char *text, const char *end) {
    while (end > text && end[-1] == '\n') {
        const char *line = end - 1;
        while (line > text && line[-1] != '\n') line--;
        if ((size_t)(end - line) > strlen(LAST) && memcmp(line, LAST, strlen(LAST)) == 0)
            return line;
        if ((size_t)(end - line) <= strlen(SIGNED) || memcmp(line, SIGNED, strlen(SIGNED)) != 0)
            break;
        end = line;
    }
    return NULL;
}

static bool read_head(struct session_proof *p, const struct session_lines *f,
                      struct base_message *m) {
    struct session_lines first = *f;
    p->head = f->end > f->text ? session_lines_next(&first, NULL) : NULL;
    if (!session_lines_head(p->head, f, "certificate", FORMAT, 0, m)) return false;
    return base_json_int(p->head, "format", 0) == FORMAT ||
           base_fail_at(m, f->path, 0,
                        "an older zerotutor wrote this: make it again, by `zerotutor certificate "
                        "-o FILE.cert`");
}

bool session_proof_read(const char *path, int line, const char *text, size_t n,
                        struct session_proof *p, bool *edited, struct base_message *m) {
    struct session_lines f = {
        .path = path, .text = text, .at = text, .end = text + n, .line = line};
    struct reading r = {.proof = p, .lines = &f, .edited = edited, .m = m};
    *p = (struct session_proof){.countersigned = json_array(), .known = json_object()};
    *edited = false;
    if (!read_head(p, &f, m)) return false;
    f.last = last_of(text, f.end);
    if (!f.last)
        return base_fail_at(m, path, 0,
                            "its end is missing, so the file was cut off: get it again");
    r.questions = json_array();
    bool read = read_lines(&r) && read_last(&r);
    json_decref(r.questions);
    if (read) snprintf(p->seal, sizeof p->seal, "%s", r.link);
    return read && read_signs(&r);
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
