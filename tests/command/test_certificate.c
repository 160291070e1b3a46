/* A certificate earned in the real course by a learner who knows the answers; one that is not
 * earned; and what becomes of a file that was edited, forged, cut off or made to harm. */
#include "base/scratch.h"

#include "command/graduate.h"
#include "command/run.h"
#include "hash/hash.h"
#include "session/session.h"
#include "store/store.h"
#include "tty/tty.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 24, HEX = 65 };
/* of the group: the learner's certificate, and where files go */
static char *made, *folder;

static char *path_to(const char *name) {
    return base_format("%s/%s", folder, name);
}

static struct run run(const char *format, const char *name) {
    char *path = path_to(name), *line = base_format(format, path);
    struct run r = run_line(line, NULL);
    free(line);
    free(path);
    return r;
}

static void ends(struct run r, int status, const char *says) {
    const char *text = status == 0 ? r.out : r.err;
    if (r.status != status || !strstr(text, says))
        fail_msg("status %d, not %d, or \"%s\" is not in: %s%s", r.status, status, says, r.out,
                 r.err);
    assert_true(status == 0 ? !*r.err : !*r.out);
    run_free(&r);
}

static void verifies(const char *text, size_t n, int status, const char *says) {
    char *path = path_to("tried.cert");
    assert_true(base_file_write(path, text, n, NULL));
    free(path);
    ends(run("certificate verify %s", "tried.cert"), status, says);
}

static char *read_file(const char *name) {
    struct base_message m = {0};
    char *path = path_to(name), *text = base_file_read(path, FILE_MOST, NULL, &m);
    if (!text) fail_msg("%s: %s", m.file, m.what);
    free(path);
    return text;
}

static int earn(void **state) {
    char share[PATH_MAX];
    if (scratch_make(state) != 0 || !realpath(".", share)) return -1;
    folder = *state;
    setenv("ZEROTUTOR_SHARE", share, 1);
    setenv("ZEROTUTOR_HOME", folder, 1);
    char *record = path_to("learner.db");
    graduate(record, true);
    free(record);
    ends(run("certificate --name 'Ada *Lovelace*' -o %s", "ada.cert"), 0, "Saved: ");
    made = read_file("ada.cert");
    return 0;
}

static int leave(void **state) {
    free(made);
    return scratch_remove(state);
}

static void has(const char *name, const char *says) {
    char *text = read_file(name);
    if (!strstr(text, says)) fail_msg("%s: %s", name, text);
    free(text);
}

/* ── earned ────────────────────────────────────────────────────────────────────────────────────*/
static void an_earned_one_says_what_was_shown(void **state) {
    (void)state;
    static const char *const says[] = {
        "Ada *Lovelace* can choose a ZeRO stage and defend it with figures.",
        "18 November to 30 November 2026",
        "Chance today",
        "with a hint",
        "Memo: 13e9 parameters on 8 × A100 80 GB, stage 2. 9 claims held.",
        "Skipped: nothing.",
        "Hardest, and outgrown: ",
        "It does not prove who typed them",
        "Fingerprint: ",
    };
    struct run page = run_line("certificate", NULL),
               verified = run("certificate verify %s", "ada.cert");
    for (size_t i = 0; i < BASE_COUNT(says); i++)
        if (!strstr(page.out, says[i])) fail_msg("\"%s\" is not in: %s", says[i], page.out);
    assert_true(page.status == 0 && verified.status == 0);
    const char *same = strstr(verified.out, " Certificate");
    assert_int_equal(strncmp(verified.out, "Verified: ", 10), 0);
    assert_non_null(same);
    assert_string_equal(page.out, same); /* a file says what its record says */
    assert_null(strstr(page.out, "Not earned"));
    assert_null(strstr(page.out, "numbers in the file")); /* each question was drawn again */
    run_free(&page);
    run_free(&verified);
}

/* What a page says follows from the record alone, wherever it is verified. */
static void the_same_record_gives_the_same_bytes(void **state) {
    (void)state;
    ends(run("certificate -o %s", "again.cert"), 0, "Saved: ");
    char *again = read_file("again.cert");
    assert_string_equal(again, made);
    free(again);
    struct run here = run("certificate verify %s", "ada.cert");
    setenv("TZ", "Pacific/Kiritimati", 1);
    struct run there = run("certificate verify %s", "ada.cert");
    unsetenv("TZ");
    assert_string_equal(here.out, there.out);
    run_free(&here);
    run_free(&there);
}

static void it_is_saved_in_every_form(void **state) {
    (void)state;
    static const char *const forms[][2] = {{"a.txt", "Skipped: nothing."},
                                           {"a.html", "<strong>Skipped:</strong> nothing."},
                                           {"a.md", "**Skipped:** nothing."}};
    for (size_t i = 0; i < BASE_COUNT(forms); i++) {
        ends(run("certificate -o %s", forms[i][0]), 0, "Saved: ");
        char *text = read_file(forms[i][0]);
        if (!strstr(text, forms[i][1])) fail_msg("%s: %s", forms[i][0], text);
        assert_non_null(strstr(text, "Fingerprint"));
        free(text);
    }
    ends(run("certificate -o %s", "a.doc"), 2, "unknown file ending");
    ends(run("certificate verify %s", "a.html"), 2, "zerotutor did not write this certificate");
}

/* Nothing of the one who verifies is touched, who may have no record. */
/* For its pages and from then on; the file that is verified keeps them. */
static void days_are_hidden_by_a_flag(void **state) {
    (void)state;
    ends(run("certificate --dates hidden -o %s", "hidden.md"), 0, "Saved: ");
    char *page = read_file("hidden.md");
    assert_null(strstr(page, "Nov"));
    assert_null(strstr(page, "Last"));
    free(page);
    ends(run("certificate -o %s", "still.txt"), 0, "Saved: ");
    page = read_file("still.txt");
    assert_null(strstr(page, "Nov"));
    free(page);
    ends(run("certificate -o %s", "hidden.cert"), 0, "Saved: ");
    ends(run("certificate verify %s", "hidden.cert"), 0, "18 November");
    ends(run("certificate --dates sometimes -o %s", "a.md"), 2, "shown|hidden");
    ends(run("certificate --dates shown -o %s", "shown.md"), 0, "Saved: ");
    has("shown.md", "18 November");
}

static void whoever_verifies_needs_no_record(void **state) {
    (void)state;
    char *home = path_to("nobody");
    setenv("ZEROTUTOR_HOME", home, 1);
    ends(run("certificate verify %s", "ada.cert"), 0, "Recomputed from ");
    assert_int_equal(access(home, F_OK), -1);
    setenv("ZEROTUTOR_HOME", folder, 1);
    free(home);
}

/* ── countersigned ─────────────────────────────────────────────────────────────────────────────*/
static void a_teacher_countersigns(void **state) {
    (void)state;
    char *path = path_to("signed.cert");
    assert_true(base_file_write(path, made, strlen(made), NULL));
    ends(run("certificate countersign %s --name 'The teacher of sys-26'", "signed.cert"), 0,
         "Countersigned: The teacher of sys-26, 30 November 2026. This is a name");
    ends(run("certificate countersign %s --name 'A second one'", "signed.cert"), 0,
         "Countersigned: The teacher of sys-26, 30 November 2026; A second one, 30");
    char *text = read_file("signed.cert"), *name = strstr(text, "The teacher of sys-26");
    assert_memory_equal(text, made, strlen(made)); /* it was only added to */
    name[0] = 't';
    verifies(text, strlen(text), 1, "this countersignature was changed");
    free(text);
    free(path);
    ends(run("certificate countersign %s", "ada.cert"), 2, "takes a file and a name");
    ends(run("certificate countersign %s --name ''", "ada.cert"), 2, "a name is one line of text");
}

/* ── edited ────────────────────────────────────────────────────────────────────────────────────*/
/* The same text with the first `from` after `after` as `to`; the caller's. */
static char *edited(const char *text, const char *after, const char *from, const char *to) {
    const char *begin = strstr(text, after), *at = begin ? strstr(begin, from) : NULL;
    if (!at) fail_msg("%s is not after %s", from, after);
    return base_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* Each makes one answer another; the answer is named by number, day and item. */
static void one_edited_answer_is_named(void **state) {
    (void)state;
    static const struct {
        const char *after, *from, *to, *says;
    } edits[] = {
        {"\"1.1/one-number\"", "\"right\"", "\"wrong\"", "answer 4 (2026-11-18, 1.1/one-number)"},
        {"\"1.3/one-stage\"", "\"mistake\"", "\"right\"", "answer 18 (2026-11-18, 1.3/one-stage)"},
        {"\"1.1/one-number\"", ",\"right\",\"\",0", ",\"right\",\"\",1", "answer 4 ("},
        {"\"1.1/half-the-memory\"", "\"false\"", "\"False\"", "answer 6 (2026-11-18, 1.1/half-"},
        {"\"1.1/half-the-memory\"", "\"day\":20775", "\"day\":20774", "answer 6 (2026-11-17"},
        {"\"1.2/largest\"", "\"link\":\"", "\"link\":\"0", "answer 12 ("},
        {"\"2.1/order-of-stage-1\"", "\"items\\\":[\\\"", "\"items\\\":[\\\"x", "answer 34 ("},
        {"\"answer\":[1,", "1,17", "1, 17", "answer 1 ("},
    };
    for (size_t i = 0; i < BASE_COUNT(edits); i++) {
        char *text = edited(made, edits[i].after, edits[i].from, edits[i].to);
        verifies(text, strlen(text), 1, edits[i].says);
        free(text);
    }
}

static char *line_of(char *text, int number) {
    while (number-- > 1) text = strchr(text, '\n') + 1;
    return text;
}

static void answers_left_out_or_in_another_order_are_named(void **state) {
    (void)state;
    char *text = base_dup(made), *fifth = line_of(text, 7), *sixth = line_of(text, 8),
         *seventh = line_of(text, 9);
    char *without = base_format("%.*s%s", (int)(fifth - text), text, sixth);
    char *swapped = base_format("%.*s%.*s%.*s%s", (int)(fifth - text), text, (int)(seventh - sixth),
                                sixth, (int)(sixth - fifth), fifth, seventh);
    char *twice =
        base_format("%.*s%.*s%s", (int)(sixth - text), text, (int)(sixth - fifth), fifth, sixth);
    verifies(without, strlen(without), 1, "answer 5 (");
    verifies(swapped, strlen(swapped), 1, "answer 5 (");
    verifies(twice, strlen(twice), 1, "answer 6 (");
    char *name = edited(made, "{", "Ada", "Eve");
    verifies(name, strlen(name), 1, "answer 1 ("); /* the chain begins with the name */
    free(name);
    free(twice);
    free(swapped);
    free(without);
    free(text);
}

/* ── forged: with all links computed again ─────────────────────────────────────────────────────*/
static void hash(const char *before, const char *text, size_t n, char out[HEX]) {
    struct hash_sha256 s;
    unsigned char byte[HASH_SHA256_BYTES];
    hash_sha256_begin(&s);
    hash_sha256_add(&s, before, strlen(before));
    hash_sha256_add(&s, text, n);
    hash_sha256_end(&s, byte);
    for (size_t i = 0; i < sizeof byte; i++) snprintf(out + 2 * i, 3, "%02x", byte[i]);
}

/* Takes over `text`. */
static char *linked_again(char *text) {
    static const char tail[] = ",\"link\":\"";
    struct base_text t = {0};
    char link[HEX];
    size_t lines = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        size_t n = (size_t)(end - line);
        if (strncmp(line, "{\"lines\"", 8) == 0) break;
        if (lines == 2) hash("", t.s, t.length, link);
        if (lines >= 2) n -= sizeof tail - 1 + HEX - 1 + 2;
        if (lines >= 2) hash(link, line, n, link);
        base_text_add(&t, line, n);
        base_text_printf(&t, lines >= 2 ? "%s%s\"}\n" : "\n", tail, link);
    }
    hash("", t.s, t.length, link);
    base_text_printf(&t, "{\"lines\":%zu,\"sha256\":\"%s\"}\n", lines, link);
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
        {"\"2.1/order-of-stage-1\"", "\"items\\\":[", "\"items\\\":[\\\"x\\\",", "answer 34 ("},
        /* another question, which the answer fits */
        {"\"1.1/half-the-memory\"", "\\\"truth\\\":false", "\\\"truth\\\":true", "answer 6 ("},
        /* other numbers, drawn by another seed */
        {"{",
         "\"seed\":", "\"seed\":1,\"was\":", "the lesson does not ask this learner these numbers"},
    };
    char *same = linked_again(base_dup(made));
    assert_string_equal(same, made);
    free(same);
    for (size_t i = 0; i < BASE_COUNT(forgeries); i++) {
        char *text =
            linked_again(edited(made, forgeries[i].after, forgeries[i].from, forgeries[i].to));
        verifies(text, strlen(text), 1, forgeries[i].says);
        free(text);
    }
}

/* A question of an earlier version of the course is judged with its own numbers, and that is said.
 */
static void other_lessons_are_told(void **state) {
    (void)state;
    char *text = linked_again(edited(made, "\"course\"", ":\"", ":\"0"));
    verifies(text, strlen(text), 0, "numbers in the file,");
    free(text);
}

/* ── processes that die ────────────────────────────────────────────────────────────────────────*/
#ifdef __linux__
/* Either it was judged after all, and says the very same, or it says that it could not be. */
static void processes_that_die_make_no_false_certificate(void **state) {
    static const size_t most[] = {1, 2, 5, 13, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    (void)state;
    struct run whole = run("certificate verify %s", "ada.cert");
    assert_int_equal(whole.status, 0);
    char *verify = base_format("certificate verify %s/ada.cert", folder),
         *save = base_format("certificate -o %s/killed.cert", folder),
         *file = path_to("killed.cert");
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
        char *saved = access(file, F_OK) == 0 ? read_file("killed.cert") : NULL;
        if (r.status == 0 ? !saved || strcmp(saved, made) != 0 : r.status != 2 || saved)
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
        {"{\"zerotutor\":\"certificate\",\"format\":2}\n", "a newer zerotutor wrote this"},
        {"{\"zerotutor\":\"certificate\",\"format\":\"1\"}\n", "did not write this certificate"},
        {"{\"zerotutor\":\"certificate\",\"format\":1}\n", "the file was cut off"},
        {"{\"zerotutor\":\"certificate\",\"format\":1}\n{\"lines\":1}\n",
         "does not name the columns"},
        {"{\"zerotutor\":\"certificate\",\"format\":1}\n{\"table\":\"answer\"}\n{\"lines\":2}\n",
         "does not name the columns"},
        {"\xff\xfe\n", "did not write this certificate"},
    };
    for (size_t i = 0; i < BASE_COUNT(files); i++)
        verifies(files[i].text, strlen(files[i].text), 2, files[i].says);
    ends(run("certificate verify %s", "is-not-there"), 2, "is-not-there");
    ends(run("certificate verify %s", "."), 2, folder);
}

static void a_file_that_was_cut_off_is_refused(void **state) {
    (void)state;
    size_t n = strlen(made);
    for (size_t cut = 1; cut < n; cut += 1 + n / 7)
        if (made[n - cut - 1] != '\n' || cut < 200) verifies(made, n - cut, 2, "cut off");
}

/* Rows of any shape, in a file whose links fit. */
static void hostile_rows_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *row;
        int status;
        const char *says;
    } rows[] = {
        {"[]", 2, "answer 1 cannot be read"},
        {"{}", 2, "answer 1 cannot be read"},
        {"7", 2, "answer 1 cannot be read"},
        {"[1,2,null]", 2, "answer 1 cannot be read"},
        {"[1,-5,\"1.1/one-number\"]", 1, "answer 1 ("},
        {"[1,1795003200,\"1.1/one-number\",\"\",1,1,\"[[[[\",0,0,\"1\",1,\"right\",\"\",0,1]", 0,
         "Not earned yet"},
        {"[1,1795003200,\"1.1/one-number\",\"\",1,1,\"{\\\"problem\\\":{\\\"kind\\\":7}}\",0,0,"
         "\"1\",1,\"right\",\"\",0,1]",
         0, "Not earned yet"},
        {"[1,1795003200,\"1.1/one-number\",\"\",1,1,\"{\\\"choices\\\":7}\",0,0,\"1\",1,\"right\","
         "\"\",0,1]",
         0, "Not earned yet"},
        {"[1,1795003200,\"4.1/capstone\",\"\",1,1,\"{\\\"passes\\\":true}\",0,0,\"Scenario: 1\",1,"
         "\"noted\",\"\",0,1]",
         0, "No memo has passed"},
    };
    char *text = base_dup(made), *third = line_of(text, 3);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *file = linked_again(
            base_format("%.*s{\"answer\":%s,\"day\":20775,\"link\":\"%064d\"}\n{\"lines\"\n",
                        (int)(third - text), text, rows[i].row, 0));
        verifies(file, strlen(file), rows[i].status, rows[i].says);
        free(file);
    }
    free(text);
}

static void a_huge_file_is_refused(void **state) {
    (void)state;
    char *path = path_to("huge.cert");
    FILE *f = fopen(path, "w");
    assert_true(f && ftruncate(fileno(f), (off_t)1 << 33) == 0 && fclose(f) == 0);
    ends(run("certificate verify %s", "huge.cert"), 2, "huge.cert");
    free(path);
}

/* ── not earned ────────────────────────────────────────────────────────────────────────────────*/
static void what_is_missing_is_told(void **state) {
    (void)state;
    char *home = path_to("beginner");
    setenv("ZEROTUTOR_HOME", home, 1);
    ends(run_line("certificate", NULL), 0, "its check is not passed. Next: zerotutor");
    ends(run_line("certificate", NULL), 0, "No problem was answered yet.");
    ends(run_line("certificate", NULL), 0, "No memo has passed. Next: zerotutor learn 4.1");
    ends(run_line("certificate --json", NULL), 0, "\"earned\": false");
    setenv("ZEROTUTOR_HOME", folder, 1);
    free(home);
}

/* What was earned once is not kept: a year later skills have faded, and the page says so. */
static void what_has_faded_is_missing(void **state) {
    (void)state;
    graduate_day(400);
    ends(run_line("certificate", NULL), 0, "the chance to be right at once is below 70% today.");
    ends(run("certificate verify %s", "ada.cert"), 0,
         "can choose a ZeRO stage"); /* as of its day */
    graduate_day(5);                 /* a clock that was set back does no harm */
    ends(run_line("certificate", NULL), 0, "30 Nov  │\n");
    graduate_day(12);
}

/* ── in lines ──────────────────────────────────────────────────────────────────────────────────*/
static void it_is_told_line_by_line(void **state) {
    (void)state;
    struct run r = run_line("--linear", "certificate\n:certificate\n:quit\n");
    char *first = strstr(r.out, "can choose a ZeRO stage");
    assert_true(first && strstr(first + 1, "can choose a ZeRO stage"));
    run_free(&r);
}

/* ── on the screen ─────────────────────────────────────────────────────────────────────────────*/
/* From home over the progress, by keys or by mouse, to the file that others can verify. */
/* ── on the screen ─────────────────────────────────────────────────────────────────────────────*/
/* Presses a key, or clicks its words in the key line. */
static void do_by(struct tty *t, bool mouse, const char *key, const char *words) {
    tty_settle(t);
    mouse ? tty_click(t, words) : tty_type(t, key);
}

/* A name and hidden days, and then as it was before. */
static void change_on_the_screen(struct tty *t, bool mouse) {
    do_by(t, mouse, "n", "n name");
    tty_wait(t, "The name that it is made out to");
    tty_type(t, "<C-u>Grace<Enter>");
    tty_wait(t, "Grace can choose");
    do_by(t, mouse, "d", "d dates");
    tty_wait_gone(t, "18 November");
    do_by(t, mouse, "<Enter>", "⏎ save");
    tty_wait(t, "Saved: ");
    ends(run("certificate verify %s", "zerotutor.cert"), 0, "18 November");
    char *page = read_file("zerotutor.txt");
    if (strstr(page, "Nov") || !strstr(page, "Grace")) fail_msg("%s", page);
    free(page);
    has("zerotutor.html", "<strong>Grace</strong>");
    do_by(t, mouse, "y", "y verify");
    tty_wait(t, "holds: ");
    do_by(t, mouse, "d", "d dates");
    tty_wait(t, "18 November");
    do_by(t, mouse, "n", "n name");
    tty_type(t, "nobody<Esc>");
    tty_wait(t, "Grace can choose");
}

static void on_a_screen(int columns, int rows, const char *option, bool mouse) {
    char *file = path_to("zerotutor.cert");
    unlink(file);
    struct tty *t =
        tty_open(columns, rows, (const char *const[]){getenv("ZEROTUTOR"), option, NULL}, NULL);
    tty_wait(t, "Where GPU memo");
    tty_type(t, "P");
    tty_wait_row(t, -1, "certificate");
    mouse ? tty_click(t, "certificate") : tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "earned");
    tty_wait(t, "Shown");
    mouse ? tty_click(t, "⏎ save") : tty_type(t, "<Enter>");
    tty_wait(t, "Saved: ");
    ends(run("certificate verify %s", "zerotutor.cert"), 0, "can choose a ZeRO stage");
    change_on_the_screen(t, mouse);
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Progress");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    free(file);
}

/* One that was changed since is told by the key, too. */
static void an_edited_file_is_told_on_the_screen(void **state) {
    (void)state;
    char *text = read_file("ada.cert"), *at = strstr(text, "\"right\""),
         *to = path_to("zerotutor.cert");
    assert_non_null(at);
    memcpy(at, "\"wrong\"", 7);
    assert_true(base_file_write(to, text, strlen(text), NULL));
    struct tty *t = tty_open(120, 40, (const char *const[]){getenv("ZEROTUTOR"), NULL}, NULL);
    tty_wait(t, "Where GPU memo");
    tty_type(t, "P<Enter>");
    tty_wait(t, "Shown");
    tty_type(t, "y");
    tty_wait(t, "was changed");
    unlink(to);
    tty_type(t, "y");
    tty_wait(t, "cannot");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
    free(to);
    free(text);
}

static void it_is_shown_and_saved_on_the_screen(void **state) {
    (void)state;
    on_a_screen(80, 24, "--ascii", false);
    on_a_screen(120, 40, "--no-color", true);
    on_a_screen(40, 16, "--ascii", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earned_one_says_what_was_shown),
        cmocka_unit_test(the_same_record_gives_the_same_bytes),
        cmocka_unit_test(it_is_saved_in_every_form),
        cmocka_unit_test(whoever_verifies_needs_no_record),
        cmocka_unit_test(a_teacher_countersigns),
        cmocka_unit_test(one_edited_answer_is_named),
        cmocka_unit_test(answers_left_out_or_in_another_order_are_named),
        cmocka_unit_test(forged_answers_are_judged_again),
        cmocka_unit_test(other_lessons_are_told),
#ifdef __linux__
        cmocka_unit_test(processes_that_die_make_no_false_certificate),
#endif
        cmocka_unit_test(what_is_no_certificate_is_refused),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused),
        cmocka_unit_test(hostile_rows_are_refused),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(what_has_faded_is_missing),
        cmocka_unit_test(it_is_told_line_by_line),
        cmocka_unit_test(it_is_shown_and_saved_on_the_screen),
        cmocka_unit_test(an_edited_file_is_told_on_the_screen),
        cmocka_unit_test(days_are_hidden_by_a_flag),
    };
    return cmocka_run_group_tests(tests, earn, leave);
}
