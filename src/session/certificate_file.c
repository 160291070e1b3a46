/* certificate_file: what a certificate carries.
 *
 *     {"zerotutor":"certificate","format":2,"seed":…,"course":"…","link":"…"}
 *     {"name":"Ada","link":"…"}                         unless it is made out to nobody
 *     {"day":20780,"link":"…"}
 *     {"table":"answer","columns":[…],"link":"…"}       the record's own rows follow
 *     {"answer":[1,1700000000,"1.1/ddp-7b",…],"day":20779,"link":"…"}
 *     {"answers":1230,"link":"…"}                       that link is the seal
 *     {"countersigned":"the teacher of sys-26","day":20780,"link":"…"}
 *
 * All lines are one chain (hash.h), and each says one thing, so that the first link that does not
 * fit tells which part was changed. If an answer was changed and all links computed again, judging
 * it again finds the change, unless the new answer fits its question too. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2, ANSWERS_MOST = 1000000, NAME_MOST = 200 };
#define TABLE  "answer"
#define LAST   "{\"answers\":"
#define SIGNED "{\"countersigned\":"

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

/* A learner, as a class, is asked the same few thousand questions. Those of a hostile file do not
 * pile up. */
enum { KNOWN_MOST = 1 << 14, KNOWN_BYTES = 4096 };

/* The question as JSON, the caller's; NULL if it is none. Each is read and its text kept once. */
static json_t *question_of(const struct session_proof *p, json_t *row) {
    const char *asked = text_of(p, row, PROBLEM);
    json_t *known = json_object_get(p->known, asked);
    if (known) json_array_set(row, p->column[PROBLEM], json_array_get(known, 0));
    if (known || !*asked) return json_incref(json_array_get(known, 1));
    json_t *read = base_json_parse(asked, strlen(asked));
    if (!read || strlen(asked) > KNOWN_BYTES) return read;
    if (json_object_size(p->known) == KNOWN_MOST) json_object_clear(p->known);
    json_object_set_new(p->known, asked, json_pack("[OO]", cell(p, row, PROBLEM), read));
    return read;
}

/* Takes over `row`. False if it is none. */
static bool add_row(struct session_proof *p, json_t *row, int64_t day) {
    const char *item = text_of(p, row, ITEM);
    struct proof_answer a = {.row = row,
                             .day = day,
                             .number = json_integer_value(cell(p, row, ID)),
                             .time = json_integer_value(cell(p, row, TIME)),
                             .engine = small(cell(p, row, ENGINE))};
    if (!*item || strlen(item) >= NAME_MOST || strlen(text_of(p, row, LINE)) >= NAME_MOST) {
        json_decref(row);
        return false;
    }
    a.problem = question_of(p, row);
    a.asked = text_of(p, row, PROBLEM);
    a.is = (struct lesson_answer){.item = item,
                                  .line = text_of(p, row, LINE),
                                  .try = small(cell(p, row, TRY)),
                                  .seed = (uint64_t)json_integer_value(cell(p, row, SEED)),
                                  .problem = a.problem,
                                  .typed = text_of(p, row, TYPED),
                                  .value = json_number_value(cell(p, row, VALUE)),
                                  .verdict = text_of(p, row, VERDICT),
                                  .mistake = text_of(p, row, MISTAKE),
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
        json_decref(p->answer[i].row);
        json_decref(p->answer[i].problem);
    }
    free(p->answer);
    free(p->by_item);
    json_decref(p->head);
    json_decref(p->table);
    json_decref(p->countersigned);
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
    int rollover;
    struct base_message *m;
};

static bool take_line(void *to, json_t *row) {
    struct taking *t = to;
    if (json_is_object(row)) {
        t->proof->table = json_incref(row);
        return read_columns(t->proof, row, t->m);
    }
    if (t->proof->answers == ANSWERS_MOST)
        return base_fail(t->m, "a certificate carries at most %d answers", ANSWERS_MOST);
    int64_t time = json_integer_value(cell(t->proof, row, TIME));
    return add_row(t->proof, json_incref(row), review_day(time, t->rollover));
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
    struct taking t = {p, session_learner_rollover(who), m};
    return store_rows(s, TABLE, take_line, &t, m);
}

bool session_proof_add(struct session_proof *p, json_t *row, struct base_message *m) {
    if (json_is_object(row)) return read_columns(p, row, m);
    int64_t time = json_integer_value(cell(p, row, TIME));
    return add_row(p, json_incref(row), review_day(time, REVIEW_ROLLOVER)) ||
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
        json_t *row = (json_t *)h->answer[i].row;
        char *name = first ? NULL : try_of(p, row);
        bool is_new = first || !json_object_get(tries, name);
        if (is_new)
            taken = add_row(p, json_incref(row), h->answer[i].day) ||
                    base_fail(m, "line %d names no item", h->answer[i].line);
        if (is_new && taken) p->answer[p->answers - 1].line = h->answer[i].line;
        free(name);
    }
    json_decref(tries);
    return taken;
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/
/* Adds the line with its link, which becomes the one before the next; drops it. Pages carry these
 * lines, too (certificate_page.c), and no bracket may end what hides them there. */
static void add_linked(struct base_text *t, json_t *line, char link[HASH_HEX]) {
    char *text = store_row_text(line), end[HASH_LINK_BYTES + 1];
    size_t from = t->length;
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "<>");
        base_text_add(t, s, n);
        s += n;
        if (*s) base_text_puts(t, *s++ == '<' ? "\\u003c" : "\\u003e");
    }
    t->length--; /* without the closing brace */
    hash_link_add(t->s + from, t->length - from, link, end);
    base_text_puts(t, end);
    base_text_puts(t, "\n");
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

static void add_answer(struct base_text *t, const struct proof_answer *a, char link[HASH_HEX]) {
    json_t *line = json_pack("{sO sI}", TABLE, a->row, "day", (json_int_t)a->day);
    bool otherwise = a->judged && strcmp(a->is.verdict, a->again.verdict) != 0;
    if (otherwise) json_object_set_new(line, "today", json_string(a->again.verdict));
    if (a->before) json_object_set_new(line, "before", json_true());
    add_linked(t, line, link);
}

char *session_proof_write(struct session_proof *p, size_t *length) {
    struct base_text t = {0};
    p->seal[0] = 0;
    add_head(&t, p, p->seal);
    for (size_t i = 0; i < p->answers; i++) add_answer(&t, &p->answer[i], p->seal);
    add_linked(&t, json_pack("{sI}", "answers", (json_int_t)p->answers), p->seal);
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

/* The answers of a record are numbered one after the other. */
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

static bool read_answer(struct reading *r, const json_t *line, bool fits) {
    struct session_proof *p = r->proof;
    int64_t day = base_json_int(line, "day", 0);
    json_t *row = json_incref(json_object_get(line, TABLE));
    if (!row || p->answers == ANSWERS_MOST || !add_row(p, row, day))
        return base_fail_at(r->m, r->lines->path, r->lines->line,
                            p->answers == ANSWERS_MOST
                                ? "it has more answers than any certificate (answer %zu)"
                                : "answer %zu cannot be read, because zerotutor does not write "
                                  "such a line",
                            p->answers + 1);
    struct proof_answer *a = &p->answer[p->answers - 1];
    const char *today = base_json_text(line, "today", NULL);
    a->before = base_json_bool(line, "before", false);
    if (today) snprintf(a->said, sizeof a->said, "%s", today);
    return (fits && is_day_of(day, a->time)) || is_answer_changed(r);
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
} parts[] = {{"name", read_name}, {"day", read_day}, {"table", read_table}, {TABLE, read_answer}};

static size_t part_of(const json_t *line, size_t from) {
    size_t i = from, answer = BASE_COUNT(parts) - 1;
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
        bool follows = (part == BASE_COUNT(parts) - 1) == (r->proof->table != NULL);
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
    if (fits && says == are) return true;
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
    if (!read_lines(&r) || !read_last(&r)) return false;
    snprintf(p->seal, sizeof p->seal, "%s", r.link);
    return read_signs(&r);
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
