/* A class collected: what was seen stays, who hands in is who owns the file, and strange files are
 * listed. */
#include "session/graded.h"

#include "hash/hash.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── collecting ────────────────────────────────────────────────────────────────────────────────*/
static bool says(const json_t *got, const char *kind, const char *what) {
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(got, "listed"), i, one) {
        if (strcmp(base_json_text(one, "kind", ""), kind) == 0 &&
            strstr(base_json_text(one, "says", ""), what))
            return true;
    }
    return false;
}

static bool is_kept(struct room *r, const char *name) {
    char *path = base_format("%s/kept/%s", classroom_path(r->f), name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static void collects(struct room *r, int fresh, const char *lists) {
    json_t *got = collect(r);
    assert_int_equal(base_json_int(got, "new", 0), fresh);
    if (*lists)
        assert_true(says(got, "gone", lists));
    else
        assert_int_equal(json_array_size(json_object_get(got, "listed")), 0);
    json_decref(got);
}

static void grades_of(struct room *r, const char *account, int answers, double right,
                      const char *lists_) {
    json_t *grades = grade_within(r, NULL), *who = learner(grades, account);
    lists(grades, account, lists_);
    assert_int_equal(base_json_int(who, "answers", 0), answers);
    assert_true(points(who) == right);
    json_decref(grades);
}

/* What was collected once is graded, whatever is done to the file afterwards. */
static void what_was_kept_stays(void **state) {
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "ada", ANSWERS);
    char *hex = hex_of("ada"), *kept = base_format("%s.handin", hex),
         *second = base_format("%s.2.handin", hex), *third = base_format("%s.3.handin", hex);
    double before = right_firsts(row, 3), all = right_firsts(row, ANSWERS);
    assert_true(before < all);
    hand_in(&r, "ada", row, 2);
    collects(&r, 1, "");
    hand_in(&r, "ada", row, 3); /* it grew */
    collects(&r, 1, "");
    collects(&r, 0, ""); /* it did not */
    hand_in(&r, "ada", row, 1);
    collects(&r, 0, "answers 2 to 3 are gone or changed");
    grades_of(&r, "ada", 3, before, "gone: answers 2 to 3 are gone");
    size_t n;
    char *text = pupils_text(pupils, &r.s, "ada", row, 3, 1, &n);
    text = replace(text, "{\"answer\":[2,", "{\"answer\":[99,",
                   &n); /* an answer was edited, and its link was not */
    put(&r, hex, text, n);
    collects(&r, 0, "answer 2 is gone or changed");
    grades_of(&r, "ada", 3, before, "gone: answer 2 is gone");
    assert_false(is_kept(&r, second));
    /* a chain that begins otherwise, without the first two answers */
    hand_in(&r, "ada", row + 2, ANSWERS - 2);
    collects(&r, 1, "It is kept as");
    assert_true(is_kept(&r, kept) && is_kept(&r, second));
    grades_of(&r, "ada", ANSWERS, all, "gone: answers 1 to 3 are gone");
    collects(&r, 0, "answers 1 to 3 are gone");
    hand_in(&r, "ada", row, ANSWERS); /* the learner's program mends it */
    collects(&r, 1, "");
    grades_of(&r, "ada", ANSWERS, all, "gone: answers 1 to 3 are gone");
    assert_false(is_kept(&r, third));
    free(text);
    free(third);
    free(second);
    free(kept);
    free(hex);
    pupils_free(row, ANSWERS);
    classroom_close(r.f);
}

static void the_owner_is_who_hands_in(void **state) {
    struct room r = open_room(state, false); /* who owns a file is whose it is */
    char *me = classroom_account(geteuid()), *hex = hex_of("ada"), *other = hex_of("bob");
    struct pupils_row *row = pupils_answers(pupils, &r.s, me, ANSWERS);
    size_t n;
    char *text = pupils_text(pupils, &r.s, me, row, ANSWERS, 1, &n);
    put(&r, hex, text, n);
    put(&r, other, text, n);
    hand_in_well(&r, "eve"); /* in a file of mine */
    json_t *got = collect(&r);
    assert_true(says(got, "twice", "this account has another hand-in"));
    assert_true(says(got, "head", "owns this file, and it says that it is eve's"));
    json_decref(got);
    json_t *grades = grade_within(&r, NULL);
    lists(grades, "ada", "twice: ");
    lists(grades, "ada", "head: ");
    /* one learner, and nothing counts twice */
    assert_int_equal(json_array_size(json_object_get(grades, "learners")), 1);
    assert_true(points(learner(grades, "ada")) == right_firsts(row, ANSWERS));
    assert_string_equal(session_grades_handin(learner(grades, "ada"), 1), other);
    assert_null(session_grades_handin(learner(grades, "ada"), 2));
    json_decref(grades);
    pupils_free(row, ANSWERS);
    free(text);
    free(other);
    free(hex);
    free(me);
    classroom_close(r.f);
}

/* Links, pipes, sparse giants and odd names. */
static void strange_files_are_listed(void **state) {
    struct room r = open_room(state, true);
    const char *folder = classroom_path(r.f);
    char *link = base_format("%s/handins/%032d.handin", folder, 7),
         *pipe = base_format("%s/handins/%032d.handin", folder, 8),
         *giant = base_format("%s/handins/%032d.handin", folder, 9),
         *odd = base_format("%s/handins/a\033[2Jb", folder);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    assert_int_equal(mkfifo(pipe, 0644), 0);
    int fd = open(giant, O_CREAT | O_WRONLY, 0644);
    assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
    close(fd);
    close(open(odd, O_CREAT | O_WRONLY, 0644));
    hand_in_well(&r, "ada");
    json_t *got = collect(&r), *one;
    size_t i, unread = 0;
    json_array_foreach(json_object_get(got, "listed"), i, one) {
        unread += strcmp(base_json_text(one, "kind", ""), "unread") == 0;
        assert_null(strchr(base_json_text(one, "handin", ""), '\033'));
    }
    assert_int_equal(unread, 3);
    assert_true(says(got, "stranger", "is not a hand-in"));
    json_decref(got);
    json_t *grades = grade_within(&r, NULL);
    assert_int_equal(json_array_size(json_object_get(grades, "learners")), 1);
    lists(grades, "ada", "");
    json_decref(grades);
    free(odd);
    free(giant);
    free(pipe);
    free(link);
    classroom_close(r.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_kept_stays, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(the_owner_is_who_hands_in, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(strange_files_are_listed, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests_name("collecting", tests, pupils_begin, pupils_end);
}
