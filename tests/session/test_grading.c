/* A class graded from its hand-ins: what a whole one is worth; each kind of bad one listed
 * precisely, and nobody else's stopped; what collecting keeps. */
#include "session/pupils.h"

#include "base/scratch.h"
#include "hash/hash.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWERS = 24, HOUR = 3600 };
static struct pupils *pupils;

struct room {
    struct classroom_folder *f;
    struct classroom_settings s;
};

static int open_lessons(void **state) {
    static char share[PATH_MAX];
    (void)state;
    if (!realpath(".", share)) return -1;
    setenv("ZEROTUTOR_SHARE", share, 1);
    pupils = pupils_open();
    return 0;
}

static int close_lessons(void **state) {
    (void)state;
    pupils_close(pupils);
    return 0;
}

static void empty(void **state) {
    assert_true(scratch_remove(state) == 0 && scratch_make(state) == 0);
}

/* A class of two lessons, in which all files may be one account's. */
static struct room open_room(void **state, bool synchronised) {
    struct base_message m = {0};
    struct room r;
    char *path = scratch_path(state, "class");
    r.f = classroom_make(path, &m);
    assert_non_null(r.f);
    classroom_settings_new(&r.s, "sys-26");
    memcpy(r.s.id, "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e", CLASSROOM_NAME); /* the same numbers */
    r.s.begins = base_now() - 2 * HOUR;
    r.s.synchronised = synchronised;
    r.s.lesson[r.s.lessons++] = (struct classroom_lesson){.id = "1.1"};
    r.s.lesson[r.s.lessons++] = (struct classroom_lesson){.id = "1.2"};
    assert_true(classroom_settings_write(r.f, &r.s, &m));
    free(path);
    return r;
}

static char *hex_of(const char *account) {
    static const char *const all[] = {"ada", "bob", "eve", "mal"};
    size_t i = 0;
    while (i < BASE_COUNT(all) && strcmp(all[i], account) != 0) i++;
    return base_format("%032zx", i + 1);
}

static void put(struct room *r, const char *hex, const char *text, size_t n) {
    struct base_message m = {0};
    char *name = base_format("%s.handin", hex);
    if (!classroom_write(r->f, CLASSROOM_HANDINS, name, 0644, text, n, &m)) fail_msg("%s", m.what);
    free(name);
}

static void hand_in(struct room *r, const char *account, const struct pupils_row *row, size_t n) {
    size_t length;
    char *text = pupils_text(pupils, &r->s, account, row, n, 1, &length), *hex = hex_of(account);
    put(r, hex, text, length);
    free(hex);
    free(text);
}

static void hand_in_well(struct room *r, const char *account) {
    struct pupils_row *row = pupils_answers(pupils, &r->s, account, ANSWERS);
    hand_in(r, account, row, ANSWERS);
    pupils_free(row, ANSWERS);
}

static json_t *collect(struct room *r) {
    struct base_message m = {0};
    json_t *got = classroom_collect(r->f, &r->s, &m);
    if (!got) fail_msg("%s", m.what);
    return got;
}

static json_t *grade_within(struct room *r, const struct session_grading_limits *limits) {
    struct base_message m = {0};
    json_decref(collect(r));
    json_t *grades = session_class_grade(r->f, &r->s, limits, &m);
    if (!grades) fail_msg("%s", m.what);
    return grades;
}

static json_t *learner(const json_t *grades, const char *account) {
    char *hex = hex_of(account);
    json_t *one, *found = NULL;
    size_t i;
    json_array_foreach(json_object_get(grades, "learners"), i, one) {
        if (strcmp(base_json_text(one, "handin", ""), hex) == 0) found = one;
    }
    free(hex);
    assert_non_null(found);
    return found;
}

static double points(const json_t *learner) {
    double sum = 0;
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(learner, "items"), i, one) sum +=
        base_json_number(one, "points", 0);
    return sum;
}

/* What is listed of a learner, as "kind: says" lines. */
static char *listed(const json_t *learner) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(learner, "listed"), i, one) {
        base_text_printf(&t, "%s: %s\n", base_json_text(one, "kind", ""),
                         base_json_text(one, "says", ""));
    }
    return base_text_take(&t);
}

static void lists(const json_t *grades, const char *account, const char *says) {
    char *all = listed(learner(grades, account));
    if (*says ? !strstr(all, says) : *all) fail_msg("\"%s\" is not what is listed: %s", says, all);
    free(all);
}

/* ── whole hand-ins ────────────────────────────────────────────────────────────────────────────*/
static double right_firsts(const struct pupils_row *row, size_t n) {
    double right = 0;
    for (size_t i = 0; i < n; i++) right += row[i].try == 1 && row[i].right;
    return right;
}

static void a_hand_in_is_worth_its_right_answers(void **state) {
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "ada", ANSWERS);
    double right = right_firsts(row, ANSWERS);
    hand_in(&r, "ada", row, ANSWERS);
    hand_in_well(&r, "bob");
    json_t *grades = grade_within(&r, NULL), *ada = learner(grades, "ada");
    lists(grades, "ada", "");
    lists(grades, "bob", "");
    assert_true(right > 0 && right < ANSWERS);
    assert_true(points(ada) == right);
    assert_int_equal(base_json_int(ada, "answers", 0), ANSWERS);
    assert_int_equal(base_json_int(grades, "answers", 0), 2 * ANSWERS);
    assert_int_equal(json_array_size(json_object_get(grades, "lessons")), 2);
    pupils_free(row, ANSWERS);
    json_decref(grades);
    classroom_close(r.f);
}

/* ── bad ones ──────────────────────────────────────────────────────────────────────────────────*/
/* Each changes what mal hands in. */
static char *replace(char *text, const char *what, const char *with, size_t *n) {
    char *at = strstr(text, what);
    assert_non_null(at);
    struct base_text t = {0};
    base_text_add(&t, text, (size_t)(at - text));
    base_text_puts(&t, with);
    base_text_puts(&t, at + strlen(what));
    free(text);
    *n = t.length;
    return base_text_take(&t);
}

static char *text_of(struct room *r, struct pupils_row *row, size_t *n) {
    return pupils_text(pupils, &r->s, "mal", row, ANSWERS, 1, n);
}

static char *edited(struct room *r, struct pupils_row *row, size_t *n) {
    return replace(text_of(r, row, n), "[10,", "[99,", n);
}

static char *dropped_line(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n), *from = strstr(text, "{\"answer\":[5,");
    char *to = strchr(from, '\n') + 1;
    memmove(from, to, strlen(to) + 1);
    *n = strlen(text);
    return text;
}

static char *torn(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n);
    *n -= 40; /* within the last line */
    return text;
}

static char *newer(struct room *r, struct pupils_row *row, size_t *n) {
    return pupils_text(pupils, &r->s, "mal", row, ANSWERS, 2, n);
}

static char *other_class(struct room *r, struct pupils_row *row, size_t *n) {
    struct classroom_settings other = r->s;
    classroom_random_name(other.id);
    return pupils_text(pupils, &other, "mal", row, ANSWERS, 1, n);
}

/* The head says mal, and the numbers are ada's: the links fit, since mal computes them. */
static char *copied(struct room *r, struct pupils_row *row, size_t *n) {
    struct pupils_row *ada = pupils_answers(pupils, &r->s, "ada", ANSWERS);
    (void)row;
    char *text = pupils_text(pupils, &r->s, "mal", ada, ANSWERS, 1, n);
    pupils_free(ada, ANSWERS);
    return text;
}

static void type_again(struct pupils_row *row, const char *typed) {
    free(row->typed);
    row->typed = base_dup(typed);
    pupils_judge(row);
}

/* What ada typed, to mal's own numbers. */
static char *copied_answers(struct room *r, struct pupils_row *row, size_t *n) {
    struct pupils_row *ada = pupils_answers(pupils, &r->s, "ada", ANSWERS);
    for (size_t i = 0; i < ANSWERS; i++) type_again(&row[i], ada[i].typed);
    pupils_free(ada, ANSWERS);
    return text_of(r, row, n);
}

static char *claims(struct room *r, struct pupils_row *row, size_t *n) {
    type_again(&row[3], "1");
    free(row[3].verdict);
    row[3].verdict = base_dup("right");
    return text_of(r, row, n);
}

static char *other_revision(struct room *r, struct pupils_row *row, size_t *n) {
    char *course = base_dup(pupils_course(pupils));
    pupils_set_course(pupils, "00aa");
    char *text = copied(r, row, n);
    pupils_set_course(pupils, course);
    free(course);
    return text;
}

static char *hasty(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) {
        row[i].seconds = 30;
        row[i].time = r->s.begins;
    }
    return text_of(r, row, n);
}

static char *future(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) row[i].time = base_now() + 5 * HOUR + (int64_t)i * 60;
    return text_of(r, row, n);
}

static char *without_firsts(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) {
        row[i].try++;
        row[i].seed = lesson_seed(classroom_seed(&r->s, "mal"), row[i].item, row[i].try);
    }
    return text_of(r, row, n);
}

static char *no_handin(struct room *r, struct pupils_row *row, size_t *n) {
    (void)r, (void)row;
    static const char junk[] = "[[[[[[[[[[[[\n\x01\x02\n";
    *n = sizeof junk - 1;
    return base_dup(junk);
}

static char *deep(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n);
    char *nest = base_alloc(100001);
    memset(nest, '[', 100000);
    struct base_text t = {0};
    base_text_add(&t, text, *n);
    base_text_puts(&t, nest);
    base_text_puts(&t, "\n");
    free(nest);
    free(text);
    *n = t.length;
    return base_text_take(&t);
}

static const struct bad {
    char *(*text)(struct room *r, struct pupils_row *row, size_t *n);
    const char *says;
    /* some of its points are left */
    bool counts;
} bads[] = {
    {edited, "changed: ", true},
    {edited, ":12: the chain breaks here", true},
    {dropped_line, "changed: ", true},
    {dropped_line, ":7: the chain breaks here", true},
    {torn, "", true},
    {newer, "newer: ", false},
    {other_class, "head: ", false},
    {copied, "numbers: answer ", false},
    {copied_answers, "numbers of ada", false},
    {claims, "verdict: answer 4 (", true},
    {claims, "\"1\" is wrong, and the hand-in says right", true},
    {other_revision, "revision: answer ", false},
    {hasty, "fast: answer ", true},
    {future, "clock: answer ", true},
    {without_firsts, "missing: answer ", false},
    {no_handin, "head: ", false},
    {deep, "changed: ", true},
};

static void each_bad_one_is_listed_and_stops_no_other(void **state) {
    for (size_t i = 0; i < BASE_COUNT(bads); i++) {
        const struct bad *b = &bads[i];
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t n;
        hand_in_well(&r, "ada");
        char *text = b->text(&r, row, &n), *hex = hex_of("mal");
        put(&r, hex, text, n);
        hand_in_well(&r, "bob");
        json_t *grades = grade_within(&r, NULL);
        lists(grades, "mal", b->says);
        lists(grades, "ada", "");
        lists(grades, "bob", "");
        assert_true(points(learner(grades, "ada")) > 0 && points(learner(grades, "bob")) > 0);
        if ((points(learner(grades, "mal")) > 0) != b->counts)
            fail_msg("row %zu: %g points", i, points(learner(grades, "mal")));
        json_decref(grades);
        pupils_free(row, ANSWERS);
        free(hex);
        free(text);
        classroom_close(r.f);
        empty(state);
    }
}

/* Grades by another copy of the lessons, after `edit`, a sed's command, on lesson 1.2; or by these
 * again, for NULL. */
static void use_lessons(void **state, const char *edit) {
    char own[PATH_MAX],
        *share = scratch_path(state, "share"),
        *copy = base_format("rm -rf '%s' && mkdir '%s' && cp -R lessons lua data '%s' && "
                            "sed -i '%s' '%s/lessons/1-where-memory-goes/1.2.lua'",
                            share, share, share, edit ? edit : "", share);
    assert_non_null(realpath(".", own));
    assert_int_equal(system(copy), 0);
    setenv("ZEROTUTOR_SHARE", edit ? share : own, 1);
    free(copy);
    free(share);
}

/* A lesson is corrected after the class. Where its numbers stay, every answer is worth what it was;
 * where they change, answers to the old ones are listed and not graded; and all of it is as before
 * once the teacher grades by the lessons of the class again. */
static void a_corrected_lesson_is_graded_again(void **state) {
    static const struct {
        const char *edit;
        bool same;
    } rows[] = {
        {NULL, true},
        {"$ a -- a word was corrected", true},
        {"s/r:pick(budgets)/\"123GB\"/", false},
        {NULL, true},
    };
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "ada", ANSWERS);
    double right = right_firsts(row, ANSWERS);
    hand_in(&r, "ada", row, ANSWERS);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        use_lessons(state, rows[i].edit);
        json_t *grades = grade_within(&r, NULL), *ada = learner(grades, "ada");
        lists(grades, "ada", rows[i].same ? "" : "revision: answer ");
        if ((points(ada) == right) != rows[i].same || points(ada) <= 0)
            fail_msg("row %zu: %g points, %g answers are right", i, points(ada), right);
        json_decref(grades);
    }
    pupils_free(row, ANSWERS);
    classroom_close(r.f);
}

/* A sheet that was left half filled, for fresh numbers, is a try that is there. */
static void a_try_that_was_begun_is_not_missing(void **state) {
    for (int begun = 0; begun < 2; begun++) {
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t k = 1;
        while (row[k].try != 1) k++;
        free(row[k - 1].item);
        row[k - 1].item = base_dup(begun ? row[k].item : "1.1/no-such");
        row[k - 1].line = "grads";
        row[k - 1].try = 1;
        row[k].try = 2;
        hand_in(&r, "mal", row, ANSWERS);
        json_t *grades = grade_within(&r, NULL);
        char *all = listed(learner(grades, "mal")),
             *says = base_format("missing: answer %zu (", k + 1);
        if ((strstr(all, says) == NULL) != (begun == 1)) fail_msg("%d: %s", begun, all);
        free(says);
        json_decref(grades);
        pupils_free(row, ANSWERS);
        free(all);
        classroom_close(r.f);
        empty(state);
    }
}

/* A sheet is read before its first line, so that its last one may take a moment. */
static void the_lines_of_a_sheet_are_read_once(void **state) {
    static const struct {
        double seconds;
        bool is_fast;
    } rows[] = {{25, false}, {0.2, true}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t k = 1;
        while (!row[k].right) k++;
        struct pupils_row *line = &row[k - 1], *whole = &row[k];
        free(line->item);
        line->item = base_dup(whole->item);
        line->line = "grads"; /* none of its lines, so that it is not judged */
        line->seconds = rows[i].seconds;
        whole->seconds = 0.2;
        whole->time = line->time;
        hand_in(&r, "mal", row, ANSWERS);
        json_t *grades = grade_within(&r, NULL);
        char *said = listed(learner(grades, "mal"));
        if ((strstr(said, "fast: ") != NULL) != rows[i].is_fast) fail_msg("%s", said);
        free(said);
        json_decref(grades);
        pupils_free(row, ANSWERS);
        classroom_close(r.f);
        empty(state);
    }
}

/* ── limits ────────────────────────────────────────────────────────────────────────────────────*/
static void one_that_takes_too_much_costs_itself_alone(void **state) {
    enum { MANY = 40000 };
    const struct session_grading_limits limits = {.cpu_seconds = 1, .seconds = 300, .processes = 1};
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", 1),
                      *all = base_alloc(MANY * sizeof *all);
    size_t n;
    /* sheets that are never finished: each is compared with all before it */
    for (size_t k = 0; k < MANY; k++) {
        all[k] = row[0];
        all[k].typed = "";
        all[k].problem = "{}";
    }
    char *text = pupils_text(pupils, &r.s, "mal", all, MANY, 1, &n), *own = hex_of("mal");
    hand_in_well(&r, "ada");
    put(&r, own, text, n);
    hand_in_well(&r, "eve");
    json_t *grades = grade_within(&r, &limits);
    lists(grades, "mal", "failed: judging it took over 1 s");
    lists(grades, "ada", "");
    lists(grades, "eve", "");
    assert_true(points(learner(grades, "eve")) > 0);
    json_decref(grades);
    pupils_free(row, 1);
    free(own);
    free(text);
    free(all);
    classroom_close(r.f);
}

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
        cmocka_unit_test_setup_teardown(a_hand_in_is_worth_its_right_answers, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(each_bad_one_is_listed_and_stops_no_other, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_corrected_lesson_is_graded_again, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_try_that_was_begun_is_not_missing, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(the_lines_of_a_sheet_are_read_once, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(one_that_takes_too_much_costs_itself_alone, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(what_was_kept_stays, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(the_owner_is_who_hands_in, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(strange_files_are_listed, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, open_lessons, close_lessons);
}
