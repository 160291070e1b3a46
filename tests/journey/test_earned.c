/* A certificate that a learner earns by the program alone, line by line: every lesson, the reviews
 * that come due, the checks and the memo, over some weeks. It is printed in every form, verified,
 * countersigned, and then one thing of it is edited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/rehearsal.h"
#include "store/store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { DAY = 86400, LESSONS_A_DAY = 4, DAYS_MOST = 40, TEXT_MOST = 1 << 24 };

static const long MONDAY = 1780904700; /* 8 June 2026, 07:45 UTC */

static struct home told, real; /* what is rehearsed, and the program's own */
static char *memo;

static void wake_up(int day) {
    char *now = base_format("%ld", MONDAY + (long)day * DAY);
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

/* Runs the program in its home, which reads `in`; what it says, the caller's. */
static char *run(const char *words, const struct rehearsal *in, int *status) {
    char *out = base_format("%s/out", real.folder);
    char *command = base_format("cd '%s' && %s '%s' %s >out 2>&1", real.folder, real.variable,
                                getenv("ZEROTUTOR"), words);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (size_t i = 0; in && i < in->count; i++) fprintf(pipe, "%s\n", in->said[i].text);
    int ended = pclose(pipe);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    char *text = base_file_read(out, TEXT_MOST, NULL, NULL);
    assert_non_null(text);
    free(command);
    free(out);
    return text;
}

/* Ends so, and says so; the caller's. */
static void says(const char *words, int status, const char *what) {
    int ended;
    char *out = run(words, NULL, &ended);
    if (ended != status || !strstr(out, what))
        fail_msg("%s: status %d, not %d, or \"%s\" is not in: %.2000s", words, ended, status, what,
                 out);
    free(out);
}

/* ── the course, as it is taken ────────────────────────────────────────────────────────────────*/
static void take(const char *lesson) {
    struct rehearsal lines;
    struct base_message m = {0};
    int status;
    if (!rehearse(told.store, lesson, (struct rehearsal_way){.memo = memo}, &lines, &m))
        fail_msg("%s: %s", lesson, m.what);
    if (*lines.complaints) fail_msg("%s: %s", lesson, lines.complaints);
    char *words = strcmp(lesson, LEARNER_REVIEW) == 0 ? base_dup("review --linear")
                                                      : base_format("learn %s --linear", lesson);
    char *out = run(words, &lines, &status);
    if (status != 0) fail_msg("%s: status %d: %s", lesson, status, out);
    free(out);
    free(words);
    rehearsal_free(&lines);
}

static bool is_due(void) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(real.store, &m);
    if (!who) fail_msg("%s", m.what);
    bool due = session_learner_due(who).count > 0;
    session_learner_close(who);
    return due;
}

static bool is_earned(void) {
    int status;
    char *out = run("certificate --json", NULL, &status);
    bool earned = status == 0 && strstr(out, "\"missing\": []");
    free(out);
    return earned;
}

/* Four lessons a day, and each day first what is due; then the checks, and reviews until it is
 * earned. Returns the day. */
static int live(const struct lesson_course *c) {
    int day = 0, taken = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < c->lessons; i++) {
            if (!c->lesson[i].file && c->lesson[i].kind == LESSON_ORDINARY) continue;
            if (c->lesson[i].kind != (pass ? LESSON_CHECK : LESSON_ORDINARY)) continue;
            if (taken++ % LESSONS_A_DAY == 0) {
                wake_up(++day);
                while (is_due()) take(LEARNER_REVIEW);
            }
            take(c->lesson[i].id);
        }
    while (!is_earned()) {
        if (++day > DAYS_MOST) return day;
        wake_up(day);
        while (is_due()) take(LEARNER_REVIEW);
    }
    return day;
}

static int graduate(void **state) {
    struct base_message m = {0};
    char share[PATH_MAX];
    (void)state;
    if (!realpath(".", share)) return -1;
    setenv("ZEROTUTOR_SHARE", share, 1);
    wake_up(0);
    told = home_new("told");
    struct store *s = store_open(told.store, &m);
    if (!s || !store_set(s, "motion", "off", &m)) fail_msg("%s", m.what);
    store_close(s);
    home_seed(&told, 1);
    real = home_copy(&told, "earned");
    memo = base_file_read("tests/memo/good-13b.md", TEXT_MOST, NULL, &m);
    char *folder = base_format("%s/memo", real.folder),
         *file = base_format("%s/capstone.md", folder);
    if (!memo || !base_make_dirs(folder, &m) || !base_file_write(file, memo, strlen(memo), &m))
        fail_msg("%s", m.what);
    struct learner *who = session_learner_open(told.store, &m);
    if (!who) fail_msg("%s", m.what);
    int day = live(session_learner_course(who));
    session_learner_close(who);
    free(file);
    free(folder);
    if (day > DAYS_MOST) says("certificate", 0, "can choose a ZeRO stage");
    if (getenv("SHOW"))
        print_message("earned on day %d, after %zu answers\n", day, home_count(&real));
    return 0;
}

static int leave(void **state) {
    (void)state;
    free(memo);
    home_remove(&told);
    home_remove(&real);
    return 0;
}

/* ── the certificate ───────────────────────────────────────────────────────────────────────────*/
static void what_was_said_is_what_was_kept(void **state) {
    (void)state;
    char *expected = home_answers(&told), *got = home_answers(&real);
    assert_string_equal(got, expected);
    free(expected);
    free(got);
}

static void it_says_what_was_shown_and_what_it_does_not_prove(void **state) {
    (void)state;
    says("certificate --name 'Ada Lovelace'", 0,
         "Ada Lovelace can choose a ZeRO stage and defend it");
    says("certificate", 0, "Memo: 13e9 parameters on 8 × A100 80 GB, stage 2. 9 claims held.");
    says("certificate", 0, "First tries right  Chance today  Helped");
    says("certificate", 0, "│  Activations and peaks  "); /* on one row */
    says("certificate -o ada.cert", 0, "Saved: ada.cert");
    says("certificate verify ada.cert", 0, "Verified: ");
    says("certificate verify ada.cert", 0, "It does not prove who typed");
}

/* Replaces the first `from` with as many bytes, in a copy that is verified. */
static void edit(const char *name, const char *from, const char *to, const char *what) {
    struct base_message m = {0};
    size_t n;
    char *path = base_format("%s/%s", real.folder, name),
         *text = base_file_read(path, TEXT_MOST, &n, &m);
    char *copy = base_format("%s/edited-%s", real.folder, name), *at = NULL;
    if (text) at = memmem(text, n, from, strlen(from));
    if (!at || strlen(from) != strlen(to)) fail_msg("%s: there is no %s", name, from);
    memcpy(at, to, strlen(to));
    if (!base_file_write(copy, text, n, &m)) fail_msg("%s", m.what);
    char *words = base_format("certificate verify edited-%s", name);
    says(words, 1, what);
    free(words);
    free(copy);
    free(text);
    free(path);
}

/* The second answer is taken out, or put after the third. */
static void move_an_answer(const char *name, bool out, const char *what) {
    struct base_message m = {0};
    size_t n;
    char *path = base_format("%s/%s", real.folder, name);
    char *text = base_file_read(path, TEXT_MOST, &n, &m), *copy = NULL;
    char *second = text ? memmem(text, n, "{\"answer\":[2,", 13) : NULL;
    if (!second) fail_msg("%s: %s", name, m.what);
    while (second[-1] != '\n') second--;
    char *third = strchr(second, '\n') + 1, *fourth = strchr(third, '\n') + 1;
    struct base_text t = {0};
    base_text_add(&t, text, (size_t)(second - text));
    base_text_add(&t, third, (size_t)(fourth - third));
    if (!out) base_text_add(&t, second, (size_t)(third - second));
    base_text_add(&t, fourth, n - (size_t)(fourth - text));
    copy = base_format("%s/moved-%s", real.folder, name);
    if (!base_file_write(copy, t.s, t.length, &m)) fail_msg("%s", m.what);
    char *words = base_format("certificate verify moved-%s", name);
    says(words, 1, what);
    free(words);
    free(copy);
    base_text_free(&t);
    free(text);
    free(path);
}

static bool prints(const char *name) {
    int status;
    char *words = base_format("certificate -o %s", name), *out = run(words, NULL, &status);
    bool printed = status == 0;
    if (!printed && !strstr(out, "no program here makes PDFs")) fail_msg("%s: %s", name, out);
    if (!printed) print_message("no converter is here: %s was not made\n", name);
    free(out);
    free(words);
    return printed;
}

static void every_form_verifies_until_it_is_edited(void **state) {
    (void)state;
    static const char *const forms[] = {"a.cert", "a.txt", "a.html", "a.pdf", "a.md"};
    for (size_t i = 0; i < BASE_COUNT(forms); i++) {
        if (!prints(forms[i])) continue;
        char *verify = base_format("certificate verify %s", forms[i]),
             *sign = base_format("certificate countersign %s --name 'The teacher'", forms[i]);
        says(verify, 0, "can choose a ZeRO stage");
        says(sign, 0, "Countersigned: The teacher, ");
        says(verify, 0, "Countersigned: The teacher, ");
        edit(forms[i], "{\"name\":\"Ada", "{\"name\":\"Eva", "the name was changed");
        edit(forms[i], "{\"day\":20", "{\"day\":19", "its date was changed");
        move_an_answer(forms[i], true, "answer 2 was taken out, the one before answer 3 (");
        move_an_answer(forms[i], false, "their order was changed");
        edit(forms[i], "\"right\"", "\"wrong\"", "was changed after it was made");
        edit(forms[i], "{\"countersigned\":\"The", "{\"countersigned\":\"Eve",
             "this countersignature was changed");
        free(sign);
        free(verify);
    }
    edit("a.txt", "Model states ", "Model States ", "this line of its page was changed");
    edit("a.html", "<td>Model states", "<td>Model States", "this line of its page was changed");
}

/* It goes to another machine and is the same there. */
static void the_record_is_carried_and_every_answer_fits(void **state) {
    (void)state;
    says("record export one.jsonl", 0, "");
    says("record delete --yes", 0, "");
    says("record import one.jsonl", 0, "");
    says("record export two.jsonl", 0, "");
    char *one = base_format("%s/one.jsonl", real.folder),
         *two = base_format("%s/two.jsonl", real.folder);
    char *before = base_file_read(one, TEXT_MOST, NULL, NULL),
         *after = base_file_read(two, TEXT_MOST, NULL, NULL);
    assert_true(before && after);
    assert_string_equal(before, after);
    says("certificate", 0, "can choose a ZeRO stage");
    free(before);
    free(after);
    free(one);
    free(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_said_is_what_was_kept),
        cmocka_unit_test(it_says_what_was_shown_and_what_it_does_not_prove),
        cmocka_unit_test(every_form_verifies_until_it_is_edited),
        cmocka_unit_test(the_record_is_carried_and_every_answer_fits),
    };
    setenv("TZ", "UTC", 1);
    return cmocka_run_group_tests(tests, graduate, leave);
}
