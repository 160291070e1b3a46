/* A certificate earned in the real course by a learner who knows the answers: what it says, in
 * lines and on the screen, in each form; and one that is not earned. */
#include "base/scratch.h"

#include "command/certified.h"
#include "command/graduate.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

/* ── earned ────────────────────────────────────────────────────────────────────────────────────*/
static void an_earned_one_says_what_was_shown(void **state) {
    (void)state;
    static const char *const says[] = {
        "Ada *Lovelace* can choose a ZeRO stage and defend it with figures.",
        "18 November to 30 November 2026",
        "Chance today",
        "│  Activations and peaks  ", /* on one row */
        "Memo: 13e9 parameters on 8 × A100 80 GB, stage 2. 9 claims held.",
        "Skipped: nothing.",
        "Hardest, and outgrown: ",
        "This page alone cannot be verified.",
    };
    struct run page = run_line("certificate", NULL),
               verified = certified_run("certificate verify %s", "ada.cert");
    for (size_t i = 0; i < BASE_COUNT(says); i++)
        if (!strstr(page.out, says[i])) fail_msg("\"%s\" is not in: %s", says[i], page.out);
    assert_true(page.status == 0 && verified.status == 0);
    const char *same = strstr(verified.out, " Certificate");
    assert_int_equal(strncmp(verified.out, "Verified: ", 10), 0);
    assert_non_null(same);
    size_t shown = (size_t)(strstr(page.out, "This page alone") - page.out);
    assert_memory_equal(page.out, same, shown); /* a file says what its record says */
    assert_non_null(strstr(same, "It does not prove who typed them"));
    assert_non_null(strstr(same, "Fingerprint: "));
    assert_null(strstr(page.out, "Not earned"));
    assert_null(strstr(same, "numbers in the file")); /* each question was drawn again */
    run_free(&page);
    run_free(&verified);
}

/* What a page says follows from the record alone, wherever it is verified. */
static void the_same_record_gives_the_same_bytes(void **state) {
    (void)state;
    certified_ends(certified_run("certificate -o %s", "again.cert"), 0, "Saved: ");
    char *again = certified_read("again.cert");
    assert_string_equal(again, certified);
    free(again);
    struct run here = certified_run("certificate verify %s", "ada.cert");
    setenv("TZ", "Pacific/Kiritimati", 1);
    struct run there = certified_run("certificate verify %s", "ada.cert");
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
        certified_ends(certified_run("certificate -o %s", forms[i][0]), 0, "Saved: ");
        char *text = certified_read(forms[i][0]);
        if (!strstr(text, forms[i][1])) fail_msg("%s: %s", forms[i][0], text);
        assert_non_null(strstr(text, "Fingerprint"));
        free(text);
    }
    certified_ends(certified_run("certificate -o %s", "a.doc"), 2, "unknown file ending");
}

/* For its pages and from then on; the file that is verified keeps them. */
static void days_are_hidden_by_a_flag(void **state) {
    (void)state;
    certified_ends(certified_run("certificate --dates hidden -o %s", "hidden.md"), 0, "Saved: ");
    char *page = certified_read("hidden.md");
    assert_null(strstr(page, "Nov"));
    assert_null(strstr(page, "Last"));
    free(page);
    certified_ends(certified_run("certificate -o %s", "still.txt"), 0, "Saved: ");
    page = certified_read("still.txt");
    assert_null(strstr(page, "Nov"));
    free(page);
    certified_ends(certified_run("certificate -o %s", "hidden.cert"), 0, "Saved: ");
    certified_ends(certified_run("certificate verify %s", "hidden.cert"), 0, "18 November");
    certified_ends(certified_run("certificate --dates sometimes -o %s", "a.md"), 2,
                   "shown, hidden");
    certified_ends(certified_run("certificate --dates shown -o %s", "shown.md"), 0, "Saved: ");
    certified_has("shown.md", "18 November");
}

/* Nothing of the one who verifies is touched, who may have no record. */
static void whoever_verifies_needs_no_record(void **state) {
    (void)state;
    char *home = certified_path("nobody");
    setenv("ZEROTUTOR_HOME", home, 1);
    certified_ends(certified_run("certificate verify %s", "ada.cert"), 0, "Recomputed from ");
    assert_int_equal(access(home, F_OK), -1);
    setenv("ZEROTUTOR_HOME", certified_folder, 1);
    free(home);
}

/* ── countersigned ─────────────────────────────────────────────────────────────────────────────*/
static void a_teacher_countersigns(void **state) {
    (void)state;
    char *path = certified_path("signed.cert");
    assert_true(base_file_write(path, certified, strlen(certified), NULL));
    certified_ends(
        certified_run("certificate countersign %s --name 'The teacher of sys-26'", "signed.cert"),
        0, "Countersigned: The teacher of sys-26, 30 November 2026. This is a name");
    certified_ends(certified_run("certificate countersign %s --name 'A second one'", "signed.cert"),
                   0, "Countersigned: The teacher of sys-26, 30 November 2026; A second one, 30");
    char *text = certified_read("signed.cert"), *name = strstr(text, "The teacher of sys-26");
    assert_memory_equal(text, certified, strlen(certified)); /* it was only added to */
    name[0] = 't';
    certified_verifies(text, strlen(text), 1, "this countersignature was changed");
    name[0] = 'T';
    memcpy(strstr(name, "\"day\""), "\"dax\"", 5);
    certified_verifies(text, strlen(text), 1, "this countersignature was changed");
    free(text);
    free(path);
    certified_ends(certified_run("certificate countersign %s", "ada.cert"), 2,
                   "takes a file and a name");
    certified_ends(certified_run("certificate countersign %s --name ''", "ada.cert"), 2,
                   "a name is one line of text");
}

/* ── not earned ────────────────────────────────────────────────────────────────────────────────*/
static void what_is_missing_is_told(void **state) {
    (void)state;
    char *home = certified_path("beginner");
    setenv("ZEROTUTOR_HOME", home, 1);
    certified_ends(run_line("certificate", NULL), 0, "its check is not passed. Next: zerotutor");
    certified_ends(run_line("certificate", NULL), 0, "No problem was answered yet.");
    certified_ends(run_line("certificate", NULL), 0,
                   "No memo has passed. Next: zerotutor learn 4.1");
    certified_ends(run_line("certificate --json", NULL), 0, "\"earned\": false");
    setenv("ZEROTUTOR_HOME", certified_folder, 1);
    free(home);
}

/* What was earned once is not kept: a year later skills have faded, and the page says so. */
static void what_has_faded_is_missing(void **state) {
    (void)state;
    graduate_day(400);
    certified_ends(run_line("certificate", NULL), 0,
                   "the chance to be right at once is below 70% today.");
    certified_ends(certified_run("certificate verify %s", "ada.cert"), 0,
                   "can choose a ZeRO stage"); /* as of its day */
    graduate_day(5);                           /* a clock that was set back does no harm */
    certified_ends(run_line("certificate", NULL), 0, "30 Nov   │\n");
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
    certified_ends(certified_run("certificate verify %s", "zerotutor.cert"), 0, "18 November");
    char *page = certified_read("zerotutor.txt");
    if (strstr(page, "Nov") || !strstr(page, "Grace")) fail_msg("%s", page);
    free(page);
    certified_has("zerotutor.html", "<strong>Grace</strong>");
    do_by(t, mouse, "y", "y verify");
    tty_wait(t, "holds: ");
    do_by(t, mouse, "d", "d dates");
    tty_wait(t, "18 November");
    do_by(t, mouse, "n", "n name");
    tty_type(t, "nobody<Esc>");
    tty_wait(t, "Grace can choose");
}

static void on_a_screen(int columns, int rows, const char *option, bool mouse) {
    char *file = certified_path("zerotutor.cert");
    unlink(file);
    struct tty *t =
        tty_open(columns, rows, (const char *const[]){getenv("ZEROTUTOR"), option, NULL}, NULL);
    tty_wait(t, "What you can do");
    tty_type(t, "P");
    tty_wait_row(t, -1, "certificate");
    mouse ? tty_click(t, "certificate") : tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "earned");
    tty_wait(t, "Shown");
    mouse ? tty_click(t, "⏎ save") : tty_type(t, "<Enter>");
    tty_wait(t, "Saved: ");
    certified_ends(certified_run("certificate verify %s", "zerotutor.cert"), 0,
                   "can choose a ZeRO stage");
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
    char *text = certified_read("ada.cert"), *at = strstr(text, "\"right\""),
         *to = certified_path("zerotutor.cert");
    assert_non_null(at);
    memcpy(at, "\"wrong\"", 7);
    assert_true(base_file_write(to, text, strlen(text), NULL));
    struct tty *t = tty_open(120, 40, (const char *const[]){getenv("ZEROTUTOR"), NULL}, NULL);
    tty_wait(t, "What you can do");
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
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(what_has_faded_is_missing),
        cmocka_unit_test(it_is_told_line_by_line),
        cmocka_unit_test(it_is_shown_and_saved_on_the_screen),
        cmocka_unit_test(an_edited_file_is_told_on_the_screen),
        cmocka_unit_test(days_are_hidden_by_a_flag),
    };
    return cmocka_run_group_tests(tests, certified_earn, certified_leave);
}
