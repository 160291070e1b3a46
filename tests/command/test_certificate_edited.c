/* What becomes of a certificate that was edited, alone or in a page, forged, cut off, or made to
 * harm. */
#include "base/scratch.h"

#include "command/certified.h"
#include "hash/hash.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { HEX = 65 };

/* ── edited ────────────────────────────────────────────────────────────────────────────────────*/
/* The same text with the first `from` after `after` as `to`; the caller's. */
static char *edited(const char *text, const char *after, const char *from, const char *to) {
    const char *begin = strstr(text, after), *at = begin ? strstr(begin, from) : NULL;
    if (!at) fail_msg("%s is not after %s", from, after);
    return base_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* How the line of the question begins that this item's first answer is to; the caller's. Each row
 * has the number of its question after its seed. */
static char *question_of(const char *item) {
    static const char begins[] = "{\"answer\":[";
    const char *line = strstr(certified, item);
    while (strncmp(line, begins, sizeof begins - 1) != 0) line--;
    for (int i = 0; i < 6; i++) line = strchr(line, ',') + 1;
    return base_format("{\"question\":%ld,", strtol(line, NULL, 10));
}

/* As edited(), but ASKED "item" is where the item's question begins. */
#define ASKED "?"
static char *edited_in(const char *after, const char *from, const char *to) {
    char *begin = *after == *ASKED ? question_of(after + 1) : base_dup(after);
    char *text = edited(certified, begin, from, to);
    free(begin);
    return text;
}

static char *line_of(char *text, int number) {
    while (number-- > 1) text = strchr(text, '\n') + 1;
    return text;
}

/* Each makes one answer another; the answer is named by number, day and item. */
static void one_edited_answer_is_named(void **state) {
    (void)state;
    static const struct {
        const char *after, *from, *to, *says;
    } edits[] = {
        {"\"1.1/one-number\"", "\"right\"", "\"wrong\"", "(2026-11-18, 1.1/one-number)"},
        {"\"1.3/one-stage\"", "\"mistake\"", "\"right\"", "(2026-11-18, 1.3/one-stage)"},
        {"\"1.1/one-number\"", ",\"right\",\"\",0", ",\"right\",\"\",1", ", 1.1/one-number)"},
        {"\"1.1/half-the-memory\"", "\"false\"", "\"False\"", "(2026-11-18, 1.1/half-"},
        {"\"1.1/half-the-memory\"", "\"day\":20775", "\"day\":20774", "(2026-11-17"},
        {"\"1.2/largest\"", "\"link\":\"", "\"link\":\"0", ", 1.2/largest)"},
        {ASKED "\"2.1/order-of-stage-1\"", "\"items\\\":[\\\"", "\"items\\\":[\\\"x",
         ", 2.1/order-of-stage-1) was changed"},
        {ASKED "\"1.1/one-number\"", "\"asked\":\"{", "\"asked\":\"{ ",
         "the question of answer 5 (2026-11-18, 1.1/one-number) was changed after it was made"},
        {"\"answer\":[1,", "1,17", "1, 17", "answer 1 ("},
    };
    for (size_t i = 0; i < BASE_COUNT(edits); i++) {
        char *text = edited_in(edits[i].after, edits[i].from, edits[i].to);
        certified_verifies(text, strlen(text), 1, edits[i].says);
        free(text);
    }
}

/* Each says one thing. */
static void other_lines_are_told(void **state) {
    (void)state;
    static const struct {
        const char *after, *from, *to, *says;
    } edits[] = {
        {"{", "\"seed\":", "\"seed\":1", "its first line was changed"},
        {"{", "Ada", "Eve", "the name was changed"},
        {"\"day\"", "20787", "20786", "its date was changed after it was made"},
        {"\"table\"", "\"time\"", "\"item\"", "does not name the columns"},
        {"\"table\"", "\"columns\":[", "\"columns\":[ ", "the names of its columns"},
        {"\"answers\":", "\"answers\":", "\"answers\":1", "its last line counts 1"},
    };
    for (size_t i = 0; i < BASE_COUNT(edits); i++) {
        char *text = edited(certified, edits[i].after, edits[i].from, edits[i].to);
        certified_verifies(text, strlen(text), i == 3 ? 2 : 1, edits[i].says);
        free(text);
    }
    char *text = base_dup(certified), *name = line_of(text, 2), *day = line_of(text, 3);
    char *nameless = base_format("%.*s%s", (int)(name - text), text, day);
    certified_verifies(nameless, strlen(nameless), 1, "or the name above it was taken out");
    free(nameless);
    free(text);
}

/* Where the answer's lines begin: its question's, if that is new, and its own. */
static char *answer_of(char *text, int number) {
    char *begins = base_format("{\"answer\":[%d,", number), *line = strstr(text, begins);
    free(begins);
    for (char *above = line; above[-1] == '\n'; line = above) {
        for (above--; above[-1] != '\n';) above--;
        if (strncmp(above, "{\"question\"", 11) != 0) break;
    }
    return line;
}

/* Pieces of a text, one after the other. */
static void pieces_verify(const char *const piece[], const char *says) {
    struct base_text t = {0};
    for (size_t i = 0; piece[i]; i += 2)
        base_text_add(&t, piece[i], (size_t)(piece[i + 1] - piece[i]));
    certified_verifies(t.s, t.length, 1, says);
    base_text_free(&t);
}

static void answers_left_out_or_in_another_order_are_named(void **state) {
    (void)state;
    char *text = base_dup(certified), *end = text + strlen(text), *fifth = answer_of(text, 5),
         *sixth = answer_of(text, 6), *seventh = answer_of(text, 7), *ninth = answer_of(text, 9),
         *alone = strstr(text, "{\"answer\":[5,"), *last = strstr(text, "{\"answers\":");
#define PIECES(...) (const char *const[]){__VA_ARGS__, NULL}
    pieces_verify(PIECES(text, fifth, sixth, end),
                  "answer 5 was taken out, the one before answer 6 (");
    pieces_verify(PIECES(text, alone, sixth, end),
                  "answer 5 was taken out, the one before answer 6 (");
    pieces_verify(PIECES(text, fifth, sixth, seventh, fifth, sixth, seventh, end),
                  "answer 5 comes after answer 6 (");
    pieces_verify(PIECES(text, sixth, alone, end), "is there twice");
    pieces_verify(PIECES(text, sixth, fifth, end), "is there twice");
    pieces_verify(PIECES(text, fifth, ninth, end),
                  "answers 5 to 8 were taken out, those before answer 9 (");
    pieces_verify(PIECES(text, fifth, last, end), "and 4 stand above it");
    free(text);
}

/* A question that is taken out, put in, or goes to another place. */
static void questions_that_were_moved_are_told(void **state) {
    (void)state;
    char *text = base_dup(certified), *end = text + strlen(text), *fifth = answer_of(text, 5),
         *sixth = answer_of(text, 6), *alone = strstr(text, "{\"answer\":[5,");
    char *first = strstr(text, "{\"question\":1,"), *second = strchr(first, '\n') + 1;
    assert_true(fifth < alone);
    pieces_verify(PIECES(text, fifth, alone, end),
                  "the question of answer 5 was moved or taken out");
    pieces_verify(PIECES(text, fifth, first, second, fifth, end),
                  "question 1 was moved or put in after it was made");
    pieces_verify(PIECES(text, fifth, alone, sixth, fifth, alone, sixth, end),
                  "the question of answer 5 was moved or taken out");
    free(text);
}

/* ── in a page ─────────────────────────────────────────────────────────────────────────────────*/
/* As edited(), of a file of any bytes, with as many in the place of others. */
static void tries_in(const char *name, const char *from, const char *to, int status,
                     const char *says) {
    struct base_message m = {0};
    size_t n;
    char *path = certified_path(name), *text = base_file_read(path, CERTIFIED_MOST, &n, &m);
    char *at = memmem(text, n, from, strlen(from));
    if (!at || strlen(from) != strlen(to)) fail_msg("%s: no %s", name, from);
    memcpy(at, to, strlen(to));
    certified_verifies(text, n, status, says);
    free(text);
    free(path);
}

static const char right[] = "\"1120\",1120000000000.0,\"right\"",
                  wrong[] = "\"1120\",1120000000000.0,\"wrong\"";

/* Each printed form of the page, if there is a program that prints it. */
static void a_page_carries_its_answers(void **state) {
    (void)state;
    static const struct {
        const char *file, *line, *other, *says;
    } forms[] = {
        {"p.txt", "30 Nov   │", "29 Nov   │", "29 Nov   │\", and its answers show \""},
        {"p.html", "<td>Traffic", "<td>traffic", "and its answers show \"<tr><td>Traffic"},
        {"p.html", "</html>", "</HTML>", "It says \"</HTML>"},
        {"p.md", "| Traffic |", "| traffic |", "this line of its page was changed"},
        {"p.pdf", "%PDF-1", "%PDF-2", "its page was changed after it was made"},
        {"p.pdf", "%%EOF", "%%EoF", "its page was changed after it was made"},
    };
    for (size_t i = 0; i < BASE_COUNT(forms); i++) {
        const char *name = forms[i].file;
        struct run made_it = certified_run("certificate -o %s", name);
        if (made_it.status == 2 && strstr(made_it.err, "no program here makes PDFs")) {
            print_message("no converter is here: %s was not made\n", name);
            run_free(&made_it);
            continue;
        }
        certified_ends(made_it, 0, "Saved: ");
        certified_ends(certified_run("certificate verify %s", name), 0, "Fingerprint: ");
        tries_in(name, forms[i].line, forms[i].other, 1, forms[i].says);
        tries_in(name, right, wrong, 1, "(2026-11-18, 1.1/one-number) was changed");
        tries_in(name, "{\"name\":\"Ada", "{\"name\":\"Eve", 1, "the name was changed");
        tries_in(name, "{\"page\":", "[\"page\":", 1, "was taken out");
        tries_in(name, "\"dates\":true", "\"dates\":trun", 1, "the line that belongs to its page");
        certified_ends(certified_run("certificate countersign %s --name 'A teacher'", name), 0,
                       "Countersigned: A tea");
        certified_ends(certified_run("certificate verify %s", name), 0,
                       "Countersigned: A teacher, 30 November 2026");
        tries_in(name, "{\"countersigned\":\"A t", "{\"countersigned\":\"B t", 1,
                 "this countersignature was changed");
    }
}

/* ── forged: with all links computed again ─────────────────────────────────────────────────────*/
/* Takes over `text`. */
static char *linked_again(char *text) {
    static const char tail[] = ",\"link\":\"", last[] = "{\"answers\"";
    struct base_text t = {0};
    char link[HEX] = "";
    size_t answers = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        size_t from = t.length;
        bool ends = strncmp(line, last, strlen(last)) == 0;
        if (ends)
            base_text_printf(&t, "%s:%zu", last, answers);
        else
            base_text_add(&t, line, (size_t)(end - line) - (sizeof tail - 1 + HEX - 1 + 2));
        answers += strncmp(line, "{\"answer\"", 9) == 0;
        hash_hex(link, t.s + from, t.length - from, link);
        base_text_printf(&t, "%s%s\"}\n", tail, link);
        if (ends) break;
    }
    free(text);
    return base_text_take(&t);
}

static void forged_answers_are_judged_again(void **state) {
    (void)state;
    static const struct {
        const char *after, *from, *to, *says;
    } forgeries[] = {
        /* a miss made right */
        {"\"1.3/one-stage\"", "\"mistake\",", "\"right\",", "is mistake to its question"},
        /* another answer */
        {"\"1.1/half-the-memory\"", "\"false\"", "\"true\"", "is wrong to its question"},
        {ASKED "\"2.1/order-of-stage-1\"", "\"items\\\":[", "\"items\\\":[\\\"x\\\",",
         ", 2.1/order-of-stage-1)"},
        /* another question, which the answer fits */
        {ASKED "\"1.1/half-the-memory\"", "\\\"truth\\\":false", "\\\"truth\\\":true",
         ", 1.1/half-the-memory)"},
        /* other numbers, drawn by another seed */
        {"{",
         "\"seed\":", "\"seed\":1,\"was\":", "the lesson does not ask this learner these numbers"},
    };
    char *same = linked_again(base_dup(certified));
    assert_string_equal(same, certified);
    free(same);
    for (size_t i = 0; i < BASE_COUNT(forgeries); i++) {
        char *text =
            linked_again(edited_in(forgeries[i].after, forgeries[i].from, forgeries[i].to));
        certified_verifies(text, strlen(text), 1, forgeries[i].says);
        free(text);
    }
}

/* A question of an earlier version of the course is judged with its own numbers, and that is said.
 */
static void other_lessons_are_told(void **state) {
    (void)state;
    char *text = linked_again(edited(certified, "\"course\"", ":\"", ":\"0"));
    certified_verifies(text, strlen(text), 0, "numbers in the file,");
    free(text);
}

/* ── processes that die ────────────────────────────────────────────────────────────────────────*/
#ifdef __linux__
/* Either it was judged after all, and says the very same, or it says that it could not be. */
static void processes_that_die_make_no_false_certificate(void **state) {
    static const size_t most[] = {1, 2, 5, 13, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    (void)state;
    struct run whole = certified_run("certificate verify %s", "ada.cert");
    assert_int_equal(whole.status, 0);
    char *verify = base_format("certificate verify %s/ada.cert", certified_folder),
         *save = base_format("certificate -o %s/killed.cert", certified_folder),
         *file = certified_path("killed.cert");
    size_t killed = 0, refused = 0;
    for (size_t i = 0; i < BASE_COUNT(most); i++) {
        struct run r = run_line_killing(verify, most[i]);
        if (r.status == 0 ? strcmp(r.out, whole.out) != 0
                          : r.status != 2 || *r.out || !strstr(r.err, "Try again"))
            fail_msg("%zu killed, status %d: %s%s", r.killed, r.status, r.out, r.err);
        killed += r.killed;
        refused += r.status == 2;
        run_free(&r);
        r = run_line_killing(save, most[i]);
        char *saved = access(file, F_OK) == 0 ? certified_read("killed.cert") : NULL;
        if (r.status == 0 ? !saved || strcmp(saved, certified) != 0 : r.status != 2 || saved)
            fail_msg("%zu killed, status %d, and another file", r.killed, r.status);
        free(saved);
        unlink(file);
        run_free(&r);
    }
    assert_true(killed > 0 && refused > 0);
    run_free(&whole);
    free(file);
    free(save);
    free(verify);
}
#endif

/* ── no certificate ────────────────────────────────────────────────────────────────────────────*/
static void what_is_no_certificate_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "did not write this certificate"},
        {"\n", "did not write this certificate"},
        {"hello\n", "did not write this certificate"},
        {"{\"zerotutor\":\"record\",\"format\":1,\"schema\":4}\n",
         "did not write this certificate"},
        {"{\"zerotutor\":\"certificate\",\"format\":4}\n", "a newer zerotutor wrote this"},
        {"{\"zerotutor\":\"certificate\",\"format\":1}\n", "an older zerotutor wrote this"},
        {"{\"zerotutor\":\"certificate\",\"format\":2}\n", "an older zerotutor wrote this"},
        {"{\"zerotutor\":\"certificate\",\"format\":\"2\"}\n", "did not write this certificate"},
        {"{\"zerotutor\":\"certificate\",\"format\":3}\n", "the file was cut off"},
        {"\xff\xfe\n", "did not write this certificate"},
    };
    for (size_t i = 0; i < BASE_COUNT(files); i++)
        certified_verifies(files[i].text, strlen(files[i].text), 2, files[i].says);
    certified_ends(certified_run("certificate verify %s", "is-not-there"), 2, "is-not-there");
    certified_ends(certified_run("certificate verify %s", "."), 2, certified_folder);
}

static void a_file_that_was_cut_off_is_refused(void **state) {
    (void)state;
    size_t n = strlen(certified);
    for (size_t cut = 1; cut < n; cut += 1 + n / 7)
        if (certified[n - cut - 1] != '\n' || cut < 200)
            certified_verifies(certified, n - cut, 2, "cut off");
}

/* A row of an answer to question `to`. */
#define ROW(item, to) "[1,1795003200,\"" item "\",\"\",1,1," to ",0,0,\"1\",1,\"right\",\"\",0,1]"
#define MEMO          "[1,1795003200,\"4.1/capstone\",\"\",1,1,1,0,0,\"Scenario: 1\",1,\"noted\",\"\",0,1]"

/* Rows of any shape and their questions, in a file whose links fit. */
static void hostile_rows_are_refused(void **state) {
    (void)state;
    static const struct {
        /* of the questions above the row: a number and a text */
        const char *asked[3], *row;
        int status;
        const char *says;
    } rows[] = {
        {{0}, "[]", 2, "answer 1 cannot be read"},
        {{0}, "{}", 2, "answer 1 cannot be read"},
        {{0}, "7", 2, "answer 1 cannot be read"},
        {{0}, "[1,2,null]", 2, "answer 1 cannot be read"},
        {{0}, "[1,-5,\"1.1/one-number\"]", 1, "answer 1 ("},
        {{0}, ROW("1.1/one-number", "null"), 0, "Not earned yet"},
        {{"1,\"asked\":\"[[[[\""}, ROW("1.1/one-number", "1"), 0, "Not earned yet"},
        {{"1,\"asked\":\"{\\\"problem\\\":{\\\"kind\\\":7}}\""},
         ROW("1.1/one-number", "1"),
         0,
         "Not earned yet"},
        {{"1,\"asked\":\"{\\\"choices\\\":7}\""}, ROW("1.1/one-number", "1"), 0, "Not earned yet"},
        {{"1,\"asked\":\"{\\\"passes\\\":true}\""}, MEMO, 0, "No memo has passed"},
        /* a text where a number belongs, and numbers that no question has */
        {{0}, ROW("1.1/one-number", "\"[[[[\""), 2, "answer 1 cannot be read"},
        {{0}, ROW("1.1/one-number", "1"), 2, "answer 1 is to question 1, and 0 stand above it"},
        {{"1,\"asked\":\"\""}, ROW("1.1/one-number", "2"), 2, "question 2, and 1 stand above it"},
        {{"1,\"asked\":\"\""}, ROW("1.1/one-number", "0"), 2, "question 0, and 1 stand"},
        {{"1,\"asked\":\"\""}, ROW("1.1/one-number", "-1"), 2, "question -1, and 1 stand"},
        {{"1,\"asked\":\"\""}, ROW("1.1/one-number", "9223372036854775807"), 2, "and 1 stand"},
        {{"1,\"asked\":\"\""}, ROW("1.1/one-number", "1.0"), 2, "answer 1 cannot be read"},
        /* questions that zerotutor does not write */
        {{"2,\"asked\":\"\""}, ROW("1.1/one-number", "1"), 2, "question 1 cannot be read"},
        {{"\"1\",\"asked\":\"\""}, ROW("1.1/one-number", "1"), 2, "question 1 cannot be read"},
        {{"1"}, ROW("1.1/one-number", "1"), 2, "question 1 cannot be read"},
        {{"1,\"asked\":[1]"}, ROW("1.1/one-number", "1"), 2, "question 1 cannot be read"},
        {{"1,\"asked\":\"a\"", "2,\"asked\":\"b\""},
         ROW("1.1/one-number", "2"),
         2,
         "no answer is to question 1"},
        {{"1,\"asked\":\"a\""}, ROW("1.1/one-number", "null"), 2, "no answer is to question 1"},
        {{"1,\"asked\":\"a\"", "2,\"asked\":\"a\""},
         ROW("1.1/one-number", "2"),
         2,
         "question 2 is there twice"},
    };
    char *text = base_dup(certified), *first = line_of(text, 5);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_text t = {0};
        base_text_add(&t, text, (size_t)(first - text));
        for (size_t k = 0; rows[i].asked[k]; k++)
            base_text_printf(&t, "{\"question\":%s,\"link\":\"%064d\"}\n", rows[i].asked[k], 0);
        base_text_printf(&t, "{\"answer\":%s,\"day\":20775,\"link\":\"%064d\"}\n{\"answers\"\n",
                         rows[i].row, 0);
        char *file = linked_again(base_text_take(&t));
        certified_verifies(file, strlen(file), rows[i].status, rows[i].says);
        free(file);
    }
    free(text);
}

static void a_huge_file_is_refused(void **state) {
    (void)state;
    char *path = certified_path("huge.cert");
    FILE *f = fopen(path, "w");
    assert_true(f && ftruncate(fileno(f), (off_t)1 << 33) == 0 && fclose(f) == 0);
    certified_ends(certified_run("certificate verify %s", "huge.cert"), 2, "huge.cert");
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_edited_answer_is_named),
        cmocka_unit_test(other_lines_are_told),
        cmocka_unit_test(a_page_carries_its_answers),
        cmocka_unit_test(answers_left_out_or_in_another_order_are_named),
        cmocka_unit_test(questions_that_were_moved_are_told),
        cmocka_unit_test(forged_answers_are_judged_again),
        cmocka_unit_test(other_lessons_are_told),
#ifdef __linux__
        cmocka_unit_test(processes_that_die_make_no_false_certificate),
#endif
        cmocka_unit_test(what_is_no_certificate_is_refused),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused),
        cmocka_unit_test(hostile_rows_are_refused),
        cmocka_unit_test(a_huge_file_is_refused),
    };
    return cmocka_run_group_tests(tests, certified_earn, certified_leave);
}
