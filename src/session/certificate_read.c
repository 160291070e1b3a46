/* certificate_read: a certificate's lines (certificate_file.c), as anybody may have written them.
 * The first that does not fit is told, and what was done to it. */
#include "session/proof.h"

#include <stdlib.h>
#include <string.h>

#define LAST   "{\"answers\":"
#define SIGNED "{\"countersigned\":"

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
    char *begins = base_format("{\"" PROOF_TABLE "\":[%lld,", (long long)number);
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

/* Dates have a year of four digits. */
enum { DAYS_MOST = 8000 * 365 };

static bool is_day(int64_t day) {
    return day >= 0 && day < DAYS_MOST;
}

/* A day is the local one of the time, whatever the zone and the hour at which days begin. */
static bool is_day_of(int64_t day, int64_t time) {
    int64_t utc = time / 86400;
    return time >= 0 && is_day(day) && day >= utc - 2 && day <= utc + 1;
}

/* The question whose number is in the row, NULL if it has none. False if no question above it has
 * that number. */
static bool find_question(struct reading *r, const json_t *row, json_t **question) {
    const json_t *number = session_proof_cell(r->proof, row, PROOF_PROBLEM);
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
    long long n = (long long)json_integer_value(session_proof_cell(p, row, PROOF_PROBLEM)),
              number = (long long)json_integer_value(session_proof_cell(p, row, PROOF_ID));
    size_t count = json_array_size(r->questions);
    if (!json_is_integer(session_proof_cell(p, row, PROOF_PROBLEM)))
        return is_no_line(r, PROOF_TABLE, p->answers + 1);
    if (!fits && number != due && session_proof_row(p, row, NULL, 0)) return is_answer_changed(r);
    if (fits)
        return base_fail_at(r->m, r->lines->path, r->lines->line,
                            "answer %lld is to question %lld, and %zu stand above it", number, n,
                            count);
    char *what = base_format("the question of answer %lld was moved or taken out", number);
    is_changed(r, what);
    free(what);
    return false;
}

static bool read_answer(struct reading *r, const json_t *line, bool fits) {
    struct session_proof *p = r->proof;
    int64_t day = base_json_int(line, "day", 0);
    json_t *row = json_object_get(line, PROOF_TABLE), *question;
    if (p->answers == PROOF_ANSWERS_MOST)
        return base_fail_at(r->m, r->lines->path, r->lines->line,
                            "it has more answers than any certificate (answer %zu)",
                            p->answers + 1);
    if (!json_is_array(row)) return is_no_line(r, PROOF_TABLE, p->answers + 1);
    if (!find_question(r, row, &question)) return is_question_missing(r, row, fits);
    if (!session_proof_row(p, row, json_incref(question), day))
        return is_no_line(r, PROOF_TABLE, p->answers + 1);
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
        json_t *line = session_lines_next(from, NULL), *row = json_object_get(line, PROOF_TABLE);
        const json_t *to = session_proof_cell(p, row, PROOF_PROBLEM);
        bool fits =
            row && (!question || (json_is_integer(to) && json_integer_value(to) == question));
        found = fits && session_proof_row(p, row, NULL, base_json_int(line, "day", 0));
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

/* The next answer by its name, if it is not the first to this question and so came before it; the
 * caller's, or NULL. */
static char *came_before(struct reading *r, json_int_t question) {
    struct session_lines ahead = *r->lines, same = *r->lines;
    if (!find_answer(r, &ahead, 0)) return NULL;
    char *name = session_proof_name(r->proof, r->proof->answers - 1);
    if (!find_answer(r, &same, question) || same.at != ahead.at) return name;
    free(name);
    return NULL;
}

static bool is_question_changed(struct reading *r, int64_t number) {
    bool next = number == (int64_t)json_array_size(r->questions) + 1;
    if (is_next_changed(r)) return is_answer_changed(r);
    char *to = next ? answers_to(r, number) : NULL, *before = to ? came_before(r, number) : NULL;
    char *what =
        before
            ? base_format("%s comes after the question of %s: their order was changed", before, to)
        : to
            ? base_format("the question of %s was changed after it was made", to)
            : base_format("question %lld was moved or put in after it was made", (long long)number);
    is_changed(r, what);
    free(what);
    free(before);
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

/* Reads a question. Each appears once, directly above the first answer to it. */
static bool read_question(struct reading *r, const json_t *line, bool fits) {
    json_t *asked = json_object_get(line, PROOF_ASKED);
    const char *text = json_string_value(asked);
    size_t number = json_array_size(r->questions) + 1;
    int64_t says = base_json_int(line, PROOF_QUESTION, 0);
    if (line && !fits) return is_question_changed(r, says);
    if (!text || says != (int64_t)number) return is_no_line(r, PROOF_QUESTION, number);
    json_array_append_new(r->questions, session_proof_question(asked));
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
    if (fits && !is_day(base_json_int(line, "day", -1)))
        return base_fail_at(r->m, r->lines->path, r->lines->line, "its date is not a day");
    return fits || is_changed(r, named ? "its date was changed after it was made"
                                       : "its date was changed after it was made, or the name "
                                         "above it was taken out");
}

static bool read_table(struct reading *r, const json_t *line, bool fits) {
    struct base_message why = {0};
    if (!session_proof_columns(r->proof, line, &why))
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
             {PROOF_QUESTION, read_question},
             {PROOF_TABLE, read_answer}};
enum { ROWS = 3 }; /* questions and answers take turns */

static size_t part_of(const json_t *line, size_t from) {
    size_t i = from < ROWS ? from : ROWS, answer = BASE_COUNT(parts) - 1;
    while (i < answer && !json_object_get(line, parts[i].member)) i++;
    return i;
}

/* Of a line that is not JSON. */
static bool is_question(const char *text) {
    static const char begins[] = "{\"" PROOF_QUESTION "\":";
    return strncmp(text, begins, sizeof begins - 1) == 0;
}

/* The first line, and those up to the last. */
static bool read_lines(struct reading *r) {
    size_t part = 0;
    bool fits, read = true;
    json_t *line = next_linked(r, &fits);
    if (!fits) read = is_changed(r, "its first line was changed after it was made");
    json_decref(line);
    while (read && r->lines->at < r->lines->last) {
        const char *text = r->lines->at;
        line = next_linked(r, &fits);
        part = part_of(line, part);
        if (!line && is_question(text)) part = ROWS;
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
        fits = fits && name && strlen(name) < PROOF_NAME_MOST;
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
    if (!session_lines_head(p->head, f, "certificate", PROOF_FORMAT, 0, m)) return false;
    return base_json_int(p->head, "format", 0) == PROOF_FORMAT ||
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
