/* All that a learner has, as one file: what comes back is what was taken, and a file that was
 * spoiled on the way, or made to spoil, changes nothing. */
#include "base/scratch.h"
#include "hash/hash.h"
#include "session/pupil.h"
#include "session/school.h"
#include "store/store.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define IN_HOME(test)   cmocka_unit_test_setup_teardown(test, make_home, remove_home)
#define IN_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

static int make_home(void **state) {
    if (scratch_make(state) != 0) return -1;
    char *home = scratch_path(state, "home");
    if (mkdir(home, 0700) != 0) return -1;
    setenv("ZEROTUTOR_HOME", home, 1);
    setenv("ZEROTUTOR_NOW", "1795003200", 1);
    free(home);
    return 0;
}

static int remove_home(void **state) {
    unsetenv("ZEROTUTOR_HOME");
    unsetenv("ZEROTUTOR_NOW");
    return scratch_remove(state);
}

/* ── a record with everything in it ────────────────────────────────────────────────────────────*/
static void answer(struct store *s, const char *item, int try, const char *typed, double value) {
    struct lesson_journal j = store_journal(s);
    struct base_message m = {0};
    json_t *problem =
        json_pack("{sssf}", "text", "a \"quote\", ▓ and\n", "params", 7e9 + try / 3.0);
    struct lesson_answer a = {.item = item,
                              .line = try % 3 ? "" : "moments",
                              .try = try,
                              .seed = UINT64_MAX - (uint64_t)try,
                              .problem = problem,
                              .typed = typed,
                              .value = value,
                              .verdict = try % 2 ? "right" : "wrong",
                              .mistake = "no-master|bits",
                              .seconds = try / 7.0};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s", m.what);
    json_decref(problem);
}

static void fill(struct learner *who) {
    struct store *s = session_learner_store(who);
    struct lesson_journal j = store_journal(s);
    json_t *measured = json_pack("{sI}", "peak", (json_int_t)123456789012345);
    struct lesson_run run = {.lab = "stage-ladder",
                             .variant = "2",
                             .command = "zerolab --stage 2",
                             .outcome = "ended",
                             .events = "{\"event\":\"start\"}\n{\"event\":\"end\"}\n",
                             .measured = measured,
                             .seconds = 1.25};
    for (int try = 1; try < 20; try++) answer(s, "1.1/ddp-7b", try, "2*7e9", try * 0.1);
    answer(s, "1.1/edge", 1, "nan", NAN);
    answer(s, "1.1/edge", 2, "inf", INFINITY);
    answer(s, "1.1/edge", 4, "-inf", -INFINITY);
    answer(s, "1.1/edge", 5, "not \xff\xfe UTF-8", 1e300);
    answer(s, "1.1/edge", 7, "", -0.30000000000000004);
    assert_true(store_keep_run(s, &run, NULL) > 0);
    assert_true(store_set(s, "theme", "light", NULL));
    assert_true(j.place_set(j.self, "1.1", &(struct lesson_place){"by-hand", false}, NULL));
    json_decref(measured);
}

static void write_file(const char *path, const char *text, size_t n) {
    struct base_message m = {0};
    if (!base_file_write(path, text, n, &m)) fail_msg("%s", m.what);
}

static void write_memo(const char *name, const char *text) {
    struct base_message m = {0};
    char *folder = base_format("%s/memo", base_home()), *path = base_format("%s/%s", folder, name);
    assert_true(base_make_dirs(folder, &m));
    write_file(path, text, strlen(text));
    free(path);
    free(folder);
}

static char *export(struct learner *who, size_t *n) {
    struct base_message m = {0};
    char *text = session_learner_export(who, true, n, &m);
    if (!text) fail_msg("%s: %s", m.file, m.what);
    return text;
}

/* ── there and back ────────────────────────────────────────────────────────────────────────────*/
static void the_same_bytes_after_delete_and_import(void **state) {
    char *path = scratch_path(state, "carried.jsonl");
    struct learner *who = open_learner();
    struct base_message m = {0};
    size_t before, after;
    fill(who);
    uint64_t seed = store_seed(session_learner_store(who));
    write_memo("capstone.md", "# Mine\n\n7 GB, ▓\n");
    write_memo("second.md", "");
    char *first = export(who, &before);
    write_file(path, first, before);
    char *reports = base_format("%s/reports", base_home()),
         *report = base_format("%s/1.1-x.json", reports);
    assert_true(base_make_dirs(reports, &m));
    write_file(report, "{}", 2);
    assert_true(session_learner_delete(who, true, &m));
    session_learner_close(who);
    assert_int_equal(access(reports, F_OK), -1); /* reports hold answers, too */
    free(report);
    free(reports);

    who = open_learner();
    assert_int_equal(store_last_answer(session_learner_store(who)), 0);
    if (!session_learner_import(who, path, &m)) fail_msg("%s:%d: %s", m.file, m.line, m.what);
    assert_true(store_seed(session_learner_store(who)) == seed);
    char *second = export(who, &after);
    assert_int_equal(before, after);
    assert_memory_equal(first, second, before);
    answer(session_learner_store(who), "1.1/ddp-7b", 40, "28", 28); /* it goes on */
    session_learner_close(who);
    free(first);
    free(second);
    free(path);
}

/* A derived setting is left where it is, so that what was derived since makes no difference. */
static void a_cache_is_not_carried(void **state) {
    (void)state;
    struct learner *who = open_learner();
    size_t n, m;
    char *before = export(who, &n);
    assert_true(store_set(session_learner_store(who), "cache/reviews", "1 2\n3", NULL));
    char *after = export(who, &m);
    assert_string_equal(before, after);
    free(before);
    free(after);
    session_learner_close(who);
}

/* ── spoiled files ─────────────────────────────────────────────────────────────────────────────*/
/* Imports the text into an empty record of its own; the reason, "" if it was taken. Nothing may
 * stay of what was refused. */
static const char *refused(const char *text, size_t n, struct base_message *m) {
    char *home = base_dup(base_home()), *path = base_format("%s/../spoiled", home);
    char *other = base_format("%s/../other", home), *memo = base_format("%s/memo/a.md", other);
    *m = (struct base_message){0};
    write_file(path, text, n);
    setenv("ZEROTUTOR_HOME", other, 1);
    struct learner *who = open_learner();
    uint64_t seed = store_seed(session_learner_store(who));
    bool taken = session_learner_import(who, path, m);
    if (!taken) {
        char *theme = store_setting(session_learner_store(who), "theme");
        assert_null(theme);
        assert_int_equal(store_last_answer(session_learner_store(who)), 0);
        assert_true(store_seed(session_learner_store(who)) == seed);
        assert_int_not_equal(access(memo, F_OK), 0);
        assert_true(*m->what != '\0');
    }
    assert_true(session_learner_delete(who, true, NULL));
    session_learner_close(who);
    setenv("ZEROTUTOR_HOME", home, 1);
    free(memo);
    free(other);
    free(path);
    free(home);
    return m->what;
}

static char *filled(size_t *n) {
    struct learner *who = open_learner();
    fill(who);
    write_memo("a.md", "text\n");
    char *text = export(who, n);
    session_learner_close(who);
    return text;
}

static void a_file_that_was_cut_is_refused(void **state) {
    (void)state;
    size_t n;
    struct base_message m;
    char *text = filled(&n);
    uint64_t chance = 7;
    for (int i = 0; i < 60; i++) {
        size_t length = base_random(&chance) % n;
        const char *why = refused(text, length, &m);
        if (!strstr(why, "cut off") && !strstr(why, "did not write this record"))
            fail_msg("%zu: %s", length, why);
    }
    for (const char *end = text; (end = strchr(end, '\n')) != NULL && end[1]; end++)
        assert_non_null(strstr(refused(text, (size_t)(end + 1 - text), &m), "cut off"));
    assert_non_null(strstr(refused(text, n - 1, &m), "cut off"));
    free(text);
}

static void a_file_that_was_changed_is_refused(void **state) {
    (void)state;
    size_t n;
    struct base_message m;
    char *text = filled(&n);
    uint64_t chance = 3;
    /* everywhere, and in every byte of the last line */
    for (size_t i = 0; i < 200; i++) {
        size_t at = i < 100 ? base_random(&chance) % n : n - 1 - (i - 100) % 85;
        char was = text[at];
        text[at] = (char)(was ^ 1);
        if (!*refused(text, n, &m)) fail_msg("byte %zu was changed and taken", at);
        text[at] = was;
    }
    assert_string_equal(refused(text, n, &m), "");
    free(text);
}

/* The lines with a last line that fits them. */
static char *seal(const char *lines) {
    struct hash_sha256 s;
    unsigned char hash[HASH_SHA256_BYTES];
    struct base_text t = {0};
    base_text_puts(&t, lines);
    hash_sha256_begin(&s);
    hash_sha256_add(&s, lines, strlen(lines));
    hash_sha256_end(&s, hash);
    size_t count = 0;
    for (const char *c = lines; *c; c++) count += *c == '\n';
    base_text_printf(&t, "{\"lines\":%zu,\"sha256\":\"", count);
    for (size_t i = 0; i < sizeof hash; i++) base_text_printf(&t, "%02x", hash[i]);
    base_text_puts(&t, "\"}\n");
    return base_text_take(&t);
}

#define HEAD    "{\"zerotutor\":\"record\",\"format\":1,\"schema\":3}\n"
#define LEARNER "{\"table\":\"learner\",\"columns\":[\"one\",\"seed\",\"made\"]}\n"
#define ROW     "[1,5,6]\n"
#define SETTING "{\"table\":\"setting\",\"columns\":[\"name\",\"value\"]}\n"
#define ANSWER                                                                                     \
    "{\"table\":\"answer\",\"columns\":[\"id\",\"time\",\"item\",\"line\",\"try\",\"seed\","       \
    "\"problem\",\"lesson_revision\",\"engine_revision\",\"typed\",\"value\",\"verdict\","         \
    "\"mistake\","                                                                                 \
    "\"hints\",\"seconds\"]}\n"
static void a_file_made_to_spoil_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *lines, *why;
    } rows[] = {
        {"PNG and so on\n", "did not write this record"},
        {"{}\n", "did not write this record"},
        {"[1]\n", "did not write this record"},
        {"{\"zerotutor\":\"class\",\"format\":1}\n", "did not write this record"},
        {"{\"zerotutor\":\"record\",\"format\":3,\"schema\":3}\n", "newer zerotutor"},
        {"{\"zerotutor\":\"record\",\"format\":1,\"schema\":9000}\n", "newer zerotutor"},
        {HEAD, "must have exactly one row"},
        {HEAD "7\n", "not JSON"},
        {HEAD ROW, "before the name of its table"},
        {HEAD "{\"table\":\"sqlite_schema\",\"columns\":[\"name\"]}\n", "no record has"},
        {HEAD "{\"table\":\"answer; DROP TABLE answer\",\"columns\":[]}\n", "no record has"},
        {HEAD "{\"table\":\"learner\",\"columns\":[\"one) VALUES (1); --\"]}\n", "columns"},
        {HEAD "{\"table\":\"learner\",\"columns\":[]}\n", "columns"},
        {HEAD "{\"table\":\"learner\",\"columns\":[\"one\",7]}\n", "columns"},
        {HEAD "{\"table\":\"learner\",\"columns\":[\"one\",\"one\",\"one\",\"one\"]}\n", "columns"},
        {HEAD LEARNER "[1,5]\n", "not a row of the table learner"},
        {HEAD LEARNER "[1,\"five\",6]\n", "does not take this row"},
        {HEAD LEARNER "[1,5.5,6]\n", "not a row of the table learner"},
        {HEAD LEARNER "[1,[5],6]\n", "not a row of the table learner"},
        {HEAD LEARNER ROW ROW, "does not take this row"},
        {HEAD LEARNER "[2,5,6]\n", "does not take this row"},
        {HEAD LEARNER ROW SETTING "[\"theme\",{\"hex\":\"6\"}]\n",
         "not a row of the table setting"},
        {HEAD LEARNER ROW SETTING "[\"theme\",{\"hex\":\"zz\"}]\n",
         "not a row of the table setting"},
        {HEAD LEARNER ROW SETTING "[\"theme\",null]\n", "does not take this row"},
        {HEAD LEARNER ROW ANSWER "[1,2,\"\",\"\",1,1,null,1,1,\"\",0,\"right\",\"\",0,1]\n",
         "does not take this row"},
        {HEAD LEARNER ROW ANSWER
         "[1,2,\"1.1/a\",\"\",1,1,null,1,1,\"\",0,\"right\",\"\",0,\"1\"]\n",
         "not a row of the table answer"},
        {HEAD LEARNER ROW "{\"memo\":\"../a.md\",\"text\":\"\"}\n", "not a memo"},
        {HEAD LEARNER ROW "{\"memo\":\".a.md\",\"text\":\"\"}\n", "not a memo"},
        {HEAD LEARNER ROW "{\"memo\":\"a.sh\",\"text\":\"\"}\n", "not a memo"},
        {HEAD LEARNER ROW "{\"memo\":\"a\\u001b.md\",\"text\":\"\"}\n", "not a memo"},
        {HEAD LEARNER ROW "{\"memo\":\"a.md\",\"text\":\"\"}\n{\"memo\":\"a.md\",\"text\":\"\"}\n",
         "exists already"},
        {HEAD LEARNER ROW "{\"memo\":\"a.md\",\"text\":\"\"}\n[1,2\n", "not JSON"},
        {HEAD LEARNER ROW "\n", "not JSON"},
        {HEAD LEARNER ROW "{\"before\":[]}\n{\"before\":[]}\n", "twice"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *text = seal(rows[i].lines);
        struct base_message m;
        const char *why = refused(text, strlen(text), &m);
        if (!strstr(why, rows[i].why)) fail_msg("row %zu: %s", i, why);
        free(text);
    }
    char *fine = seal(HEAD LEARNER ROW ANSWER
                      "[1,2,\"1.1/a\",\"\",1,1,\"{}\",1,1,\"\",0,\"right\",\"\",0,1]\n");
    struct base_message m;
    assert_string_equal(refused(fine, strlen(fine), &m), "");
    free(fine);
}

/* Whoever computes the last line again: each answer must still fit its question. */
static void an_answer_that_does_not_fit_is_refused(void **state) {
    (void)state;
#define MYTH                                                                                       \
    "\"{\\\"kind\\\":\\\"myth\\\",\\\"truth\\\":false,\\\"claim\\\":\\\"c\\\",\\\"because\\\":"    \
    "\\\"b\\\"}\""
    static const struct {
        const char *row, *why;
    } rows[] = {
        {"[1,1795003200,\"1.1/a\",\"\",1,1," MYTH ",1,1,\"2\",2,\"right\",\"\",0,1]\n", ""},
        {"[1,1795003200,\"1.1/a\",\"\",1,1," MYTH ",1,1,\"1\",1,\"wrong\",\"\",0,1]\n", ""},
        {"[1,1795003200,\"1.1/a\",\"\",1,1," MYTH ",1,1,\"1\",1,\"right\",\"\",0,1]\n",
         "answer 1 (2026-11-18, 1.1/a) was changed after it was exported, so nothing was imported: "
         "\"1\" is wrong to its question, and the file says right"},
        {"[1,1795003200,\"1.1/a\",\"\",1,1," MYTH ",1,1,\"2\",2,\"wrong\",\"\",0,1]\n",
         "\"2\" is right to its question, and the file says wrong"},
        {"[1,1795003200,\"1.1/a\",\"\",1,1,null,1,1,\"2\",2,\"right\",\"\",0,1]\n",
         "its question was taken out"},
        /* another engine judged it, which nobody has here */
        {"[1,1795003200,\"1.1/a\",\"\",1,1," MYTH ",1,0,\"1\",1,\"right\",\"\",0,1]\n", ""},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *lines = base_format("%s%s", HEAD LEARNER ROW ANSWER, rows[i].row),
             *text = seal(lines);
        struct base_message m;
        const char *why = refused(text, strlen(text), &m);
        if (*rows[i].why ? !strstr(why, rows[i].why) : *why) fail_msg("row %zu: %s", i, why);
        free(text);
        free(lines);
    }
}

/* ── questions that were exchanged ─────────────────────────────────────────────────────────────*/
/* The lines of the text up to its last, with one text in them replaced, and a last line that fits;
 * the caller's. */
static char *exchange(const char *text, const char *old, const char *new) {
    const char *at = strstr(text, old), *last = strstr(text, "{\"lines\":");
    if (!at || at > last) fail_msg("%s is not in %s", old, text);
    char *lines = base_format("%.*s%s%.*s", (int)(at - text), text, new,
                              (int)(last - at - (long)strlen(old)), at + strlen(old)),
         *sealed = seal(lines);
    free(lines);
    return sealed;
}

static char *exchange_and_free(char *text, const char *old, const char *new) {
    char *other = exchange(text, old, new);
    free(text);
    return other;
}

/* The export of a new learner who answered the first problem of the course right. */
static char *answered_right(void) {
    struct base_message m = {0};
    struct learner *who = open_learner();
    assert_true(session_learner_delete(who, true, &m));
    session_learner_close(who);
    who = open_learner();
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_GOTO, "ddp-7b");
    pass(s, LESSON_DO_ANSWER, "112");
    session_close(s);
    size_t n;
    char *text = session_learner_export(who, false, &n, &m);
    if (!text) fail_msg("%s", m.what);
    session_learner_close(who);
    assert_non_null(strstr(text, "\"right\""));
    return text;
}

#define PARAMS_7B "\\\"params\\\":7000000000"
#define PARAMS_8B "\\\"params\\\":8000000000"
/* An answer that fits another question, which the lesson does not ask this learner: of 8B. */
static char *answered_another(void) {
    char *text = answered_right();
    text = exchange_and_free(text, PARAMS_7B, PARAMS_8B);
    return exchange_and_free(text, "\"112\",112000000000.0", "\"128\",128000000000.0");
}

static void a_question_that_the_lesson_does_not_ask_is_refused(void **state) {
    (void)state;
    struct base_message m;
    char *text = answered_another();
    const char *why = refused(text, strlen(text), &m);
    if (!strstr(why, "1.1/ddp-7b) was changed after it was exported") ||
        !strstr(why, "does not ask this learner these numbers"))
        fail_msg("%s", why);
    free(text);
}

/* The seed draws the numbers, and is the learner's own. */
static void a_seed_of_another_learner_is_refused(void **state) {
    (void)state;
    struct base_message m;
    char *text = answered_right();
    assert_string_equal(refused(text, strlen(text), &m), "");
    const char *row = strstr(text, "\n[1,");
    assert_non_null(row);
    row += strlen("\n[1,");
    char *seed = base_format("[1,%.*s,", (int)strcspn(row, ","), row);
    char *other = exchange(text, seed, "[1,77,");
    assert_non_null(strstr(refused(other, strlen(other), &m), "does not ask this learner"));
    free(other);
    free(seed);
    free(text);
}

/* Lessons change: then the file says which answers are from before, or says nothing, if an older
 * program wrote it. */
static void answers_from_before_the_lessons_changed_are_taken(void **state) {
    struct base_message m;
    char *text = answered_right();
    char *other = exchange(text, "\"course\":\"", "\"course\":\"0");
    assert_string_equal(refused(other, strlen(other), &m), "");
    free(other);
    free(text);

    text = answered_another();
    other = exchange(text, "{\"before\":[]}", "{\"before\":[1]}");
    assert_string_equal(refused(other, strlen(other), &m), "");
    free(other);
    other = exchange(text, "\"format\":2", "\"format\":1");
    other = exchange_and_free(other, "\"course\":\"", "\"other\":\"");
    other = exchange_and_free(other, "{\"before\":[]}\n", "");
    assert_string_equal(refused(other, strlen(other), &m), "");
    free(other);
    free(text);

    /* another lesson of that name asks it: what was answered is from before */
    school_put(state, "mixed-a.lua", "first.lua");
    struct learner *who = open_learner();
    size_t n;
    text = session_learner_export(who, false, &n, &m);
    assert_non_null(strstr(text, "{\"before\":[1]}"));
    session_learner_close(who);
    assert_string_equal(refused(text, n, &m), "");
    free(text);
}

/* SQLite gives up whoever takes too many steps; a long record takes few with each row. */
static void a_long_record_is_taken(void **state) {
    (void)state;
    enum { ROWS = 300000 };
    struct base_message m = {0};
    struct learner *who = open_learner();
    struct store_intake *in = store_intake_begin(session_learner_store(who), &m);
    json_t *head = json_loads(ANSWER, 0, NULL);
    assert_true(in && store_intake_line(in, head, &m));
    for (int i = 1; i <= ROWS; i++) {
        json_t *row = json_pack("[iissiiniisfssif]", i, i, "1.1/a", "", i, 1, 1, 1, "", 0.0,
                                "right", "", 0, 1.0);
        if (!store_intake_line(in, row, &m)) fail_msg("row %d: %s", i, m.what);
        json_decref(row);
    }
    assert_false(store_intake_end(in, false, NULL));
    json_decref(head);
    session_learner_close(who);
}

/* ── records in use ────────────────────────────────────────────────────────────────────────────*/
static void a_record_in_use_takes_nothing(void **state) {
    char *path = scratch_path(state, "carried.jsonl");
    size_t n, after;
    char *text = filled(&n);
    write_file(path, text, n);
    struct learner *who = open_learner();
    struct base_message m = {0};
    assert_false(session_learner_import(who, path, &m));
    assert_non_null(strstr(m.what, "in use"));
    char *same = export(who, &after);
    assert_string_equal(text, same);
    answer(session_learner_store(who), "1.1/ddp-7b", 50, "28", 28); /* triggers are on again */
    session_learner_close(who);
    free(same);
    free(text);
    free(path);
}

static void a_record_open_elsewhere_is_not_deleted(void **state) {
    (void)state;
    struct learner *one = open_learner(), *two = open_learner();
    struct base_message m = {0};
    fill(one);
    assert_int_not_equal(store_last_answer(session_learner_store(two)), 0);
    assert_false(session_learner_delete(two, true, &m));
    assert_non_null(strstr(m.what, "another program"));
    answer(session_learner_store(one), "1.1/ddp-7b", 60, "28", 28);
    session_learner_close(two);
    session_learner_close(one);
    one = open_learner();
    assert_int_not_equal(store_last_answer(session_learner_store(one)), 0);
    session_learner_close(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_HOME(the_same_bytes_after_delete_and_import),
        IN_HOME(a_cache_is_not_carried),
        IN_HOME(a_file_that_was_cut_is_refused),
        IN_HOME(a_file_that_was_changed_is_refused),
        IN_HOME(a_file_made_to_spoil_is_refused),
        IN_HOME(an_answer_that_does_not_fit_is_refused),
        IN_SCHOOL(a_question_that_the_lesson_does_not_ask_is_refused),
        IN_SCHOOL(a_seed_of_another_learner_is_refused),
        IN_SCHOOL(answers_from_before_the_lessons_changed_are_taken),
        IN_HOME(a_long_record_is_taken),
        IN_HOME(a_record_in_use_takes_nothing),
        IN_HOME(a_record_open_elsewhere_is_not_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
