/* The class that a learner is in: joining, leaving, and which record is in use meanwhile. */
#include "session/classes.h"
#include "session/pupil.h"

#include <sys/stat.h>
#include <unistd.h>

static char *own_file(void) {
    return base_format("%s/class.json", base_home());
}

static bool uses_learner_db(void) {
    char *path = session_record_path();
    bool own = strstr(path, "/learner.db") != NULL;
    free(path);
    return own;
}

static void the_record_of_the_class_is_used_while_it_runs(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    struct stat it;
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s), *file = own_file();
    assert_true(uses_learner_db() && !session_class(&c));
    assert_true(session_class_read(&c, &m) && !*c.folder);
    assert_true(session_class_join(path, NULL, &c, &m));
    assert_int_equal(stat(file, &it), 0);
    assert_int_equal(it.st_mode & 0777, 0600);
    assert_true(session_class(&c) && c.running && c.reachable);
    assert_string_equal(c.settings.name, "sys-26");
    char *record = session_record_path(),
         *wanted = base_format("%s/classes/%s.db", base_home(), s.id);
    assert_string_equal(record, wanted);
    assert_int_equal(stat(record, &it), 0);
    assert_int_equal(it.st_mode & 0777, 0600);
    struct learner *who = open_learner();
    assert_true(store_seed(session_learner_store(who)) == classroom_seed(&s, c.account));
    session_learner_close(who);
    classes_clock(CLASSES_NOON - 3601);
    assert_true(uses_learner_db());
    classes_clock(CLASSES_NOON + 3600);
    assert_true(uses_learner_db());
    classes_clock(CLASSES_NOON);
    assert_false(uses_learner_db());
    s.closed = true;
    classes_write(path, &s);
    assert_true(uses_learner_db() && session_class(&c) && !c.running);
    assert_true(session_class_leave(&m) && access(file, F_OK) != 0);
    assert_false(session_class_leave(&m));
    assert_non_null(strstr(m.what, "no class"));
    free(wanted), free(record), free(file), free(path);
}

static void more_time_for_an_account_keeps_its_record_in_use(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s);
    assert_true(session_class_join(path, NULL, &c, &m));
    struct classroom_extension *e = &s.extension[s.extensions++];
    *e = (struct classroom_extension){.seconds = 600};
    snprintf(e->account, sizeof e->account, "%s", c.account);
    snprintf(s.extension[s.extensions].account, sizeof e->account, "eve");
    s.extension[s.extensions++].seconds = 6000; /* another learner's is not told */
    struct classroom_folder *f = classroom_open(path, &m);
    assert_true(classroom_presence_write(f, c.handin, &(struct classroom_presence){.of = 0}, &m));
    assert_true(classroom_settings_write(f, &s, &m) && classroom_tell(f, &s, &m));
    classroom_close(f);
    session_class(&c);
    assert_int_equal(c.settings.extensions, 1);
    classes_clock(CLASSES_NOON + 3600 + 599);
    assert_false(uses_learner_db());
    classes_clock(CLASSES_NOON + 3600 + 600);
    assert_true(uses_learner_db());
    free(path);
}

static char *setting(const char *name) {
    struct base_message m = {0};
    struct store *s = session_record_open(&m);
    if (!s) fail_msg("%s", m.what);
    char *value = store_setting(s, name);
    store_close(s);
    return value;
}

static void sets(const char *name, const char *value) {
    struct base_message m = {0};
    struct store *s = session_record_open(&m);
    assert_true(s && store_set(s, name, value, &m));
    store_close(s);
}

/* Whoever cannot bear motion, or has figures read, does so in a class, too. */
static void settings_come_along(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    sets("motion", "off");
    sets("drawings", "off");
    sets("colour", "none");
    char *path = classes_make(state, "sys-26", &s), *value;
    assert_true(session_class_join(path, NULL, &c, &m));
    assert_false(uses_learner_db());
    value = setting("motion");
    assert_string_equal(value, "off");
    free(value);
    value = setting("colour");
    assert_string_equal(value, "none");
    free(value);
    sets("drawings", "on"); /* what is set in the class stays */
    value = setting("drawings");
    assert_string_equal(value, "on");
    free(value);
    assert_null(setting("theme"));
    free(path);
}

static void who_joins_again_goes_on_with_the_same_file(void **state) {
    struct classroom_settings s, other;
    struct session_class c, again;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s), *second = classes_make(state, "sys-27", &other);
    assert_true(session_class_join(path, "3999", &c, &m));
    assert_string_equal(c.with, "uid 3999"); /* as a roster names it */
    assert_true(session_class_join(path, "bob", &c, &m));
    assert_string_equal(c.with, "bob");
    assert_false(session_class_join(second, NULL, &again, &m));
    assert_non_null(strstr(m.what, "sys-26"));
    assert_true(session_class_join(path, NULL, &again, &m) && !*again.with);
    assert_string_equal(again.handin, c.handin);
    assert_true(session_class_leave(&m) && session_class_join(path, "eve", &again, &m));
    assert_string_equal(again.handin, c.handin);
    assert_true(session_class_leave(&m) && session_class_join(second, NULL, &again, &m));
    assert_string_not_equal(again.handin, c.handin);
    assert_false(session_class_join(path, "a\033b", &again, &m));
    free(second), free(path);
}

static void a_folder_that_is_away_ends_as_it_was_told(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s), *away = scratch_path(state, "away");
    assert_true(session_class_join(path, NULL, &c, &m));
    assert_int_equal(rename(path, away), 0);
    assert_true(session_class(&c) && c.running && !c.reachable);
    assert_string_equal(c.settings.id, s.id);
    classes_clock(CLASSES_NOON + 3600);
    assert_true(session_class(&c) && !c.running);
    assert_true(session_class_leave(&m));
    assert_false(session_class_join(path, NULL, &c, &m));
    assert_false(session_class_join(away, NULL, &c, &m));
    assert_non_null(strstr(m.what, "over"));
    classes_clock(CLASSES_NOON);
    char *again = classes_make(state, "sys-26", &s); /* another class in its place */
    assert_true(session_class_join(away, NULL, &c, &m));
    free(again), free(away), free(path);
}

static void a_record_of_another_learner_is_refused(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s);
    assert_true(session_class_join(path, NULL, &c, &m));
    char *record = session_record_path(), *folder = base_format("%s/classes", base_home());
    assert_int_equal(unlink(record), 0);
    struct store *other = store_open_seeded(record, 17, &m);
    assert_non_null(other);
    assert_true(store_note_keep(
        other,
        &(struct store_note){
            .kind = STORE_NOTE, .lesson = "1.1", .step = "a", .title = "", .text = "b"},
        &m));
    store_close(other);
    assert_null(session_learner_open(NULL, &m));
    assert_non_null(strstr(m.what, "another learner"));
    assert_null(store_open_seeded(record, 18, &m));
    other = store_open_seeded(record, 17, &m);
    assert_non_null(other);
    store_close(other);
    free(folder), free(record), free(path);
}

static void a_broken_class_json_gives_a_message(void **state) {
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "\"x\"",
        "{\"folder\":\"tmp\",\"id\":\"0123456789abcdef0123456789abcdef\",\"name\":\"a\","
        "\"account\":"
        "\"a\",\"handin\":\"0123456789abcdef0123456789abcdef\"}",
        "{\"folder\":\"/tmp\",\"id\":\"../../../../../../../etc/passwd/"
        "\",\"name\":\"a\",\"account\":"
        "\"a\",\"handin\":\"0123456789abcdef0123456789abcdef\"}",
        "{\"folder\":\"/tmp\",\"id\":\"0123456789abcdef0123456789abcdef\",\"name\":\"a\\u001b\","
        "\"account\":\"a\",\"handin\":\"0123456789abcdef0123456789abcdef\"}",
        "{\"folder\":\"/"
        "tmp\",\"id\":\"0123456789abcdef0123456789abcdef\",\"name\":\"a\",\"account\":"
        "7,\"handin\":\"0123456789abcdef0123456789abcdef\"}",
        "{\"folder\":\"/"
        "tmp\",\"id\":\"0123456789abcdef0123456789abcdef\",\"name\":\"a\",\"account\":"
        "\"a\",\"handin\":\"x\"}",
    };
    (void)state;
    char *file = own_file();
    struct base_message m;
    struct session_class c;
    assert_true(base_make_dirs(base_home(), &m));
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        m = (struct base_message){0};
        assert_true(base_file_write(file, texts[i], strlen(texts[i]), &m));
        assert_false(session_class(&c) || session_class_read(&c, &m));
        assert_non_null(strstr(m.what, "class leave"));
        assert_null(session_learner_open(NULL, &m));
        assert_non_null(strstr(m.file, "class.json"));
    }
    char *folder = base_format("%s/none", base_home());
    assert_int_equal(unlink(file) | mkfifo(file, 0600), 0);
    assert_false(session_class_read(&c, &m));
    assert_true(session_class_leave(&m));
    assert_int_equal(symlink(folder, file), 0);
    assert_false(session_class_read(&c, &m));
    assert_true(session_class_leave(&m));
    assert_true(session_class_read(&c, &m));
    free(folder), free(file);
}

static void joining_says_what_the_teacher_sees(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON);
    char *path = classes_make(state, "sys-26", &s);
    assert_true(session_class_join(path, "bob", &c, &m));
    char *words = session_class_words(&c);
    assert_non_null(strstr(words, "**sys-26**"));
    assert_non_null(strstr(words, "**bob**"));
    assert_non_null(strstr(words, "from **2026-11-23 "));
    assert_null(strstr(words, "zerotutor 9"));
    assert_null(strstr(words, "lessons differ"));
    free(words);
    snprintf(s.version, sizeof s.version, "9.9.9");
    snprintf(s.course, sizeof s.course, "another");
    classes_write(path, &s);
    assert_true(session_class(&c));
    words = session_class_words(&c);
    assert_non_null(strstr(words, "zerotutor 9.9.9"));
    assert_non_null(strstr(words, "lessons differ"));
    free(words), free(path);
}

static void answer_one(struct learner *who, const char *lesson) {
    struct session *s = sit(who, lesson);
    pass(s, LESSON_DO_NEXT, "");
    pass(s, LESSON_DO_ANSWER, "112");
    session_close(s);
}

/* Who met the course in a class goes on at home where it ended. A record of their own is never
 * mixed with the class's. */
static void an_empty_record_takes_over_what_the_class_had(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON - 7200);
    struct learner *who = open_learner();
    struct session *early = sit(who, "1.1"); /* looked at before the class */
    pass(early, LESSON_DO_NEXT, "");
    assert_false(session_learner_is_new(who));
    session_close(early);
    session_learner_close(who);
    free(classes_join(state, "sys-26", &s, &c));
    who = open_learner();
    answer_one(who, "1.1");
    uint64_t seed = store_seed(session_learner_store(who));
    int64_t last = store_last_answer(session_learner_store(who));
    session_learner_close(who);
    assert_false(session_class_take_home(&m)); /* it runs */
    classes_clock(CLASSES_NOON + 3600);
    assert_true(session_class_take_home(&m));
    who = open_learner();
    assert_null(session_in_class(who));
    assert_true(last > 0 && store_last_answer(session_learner_store(who)) == last);
    assert_int_equal(store_seed(session_learner_store(who)), seed);
    session_learner_close(who);
    assert_false(session_class_take_home(&m)); /* once */
}

static void a_record_of_ones_own_stays_as_it_is(void **state) {
    struct classroom_settings s;
    struct session_class c;
    struct base_message m = {0};
    classes_clock(CLASSES_NOON - 7200);
    struct learner *who = open_learner();
    answer_one(who, "1.1");
    int64_t last = store_last_answer(session_learner_store(who));
    session_learner_close(who);
    free(classes_join(state, "sys-26", &s, &c));
    who = open_learner();
    answer_one(who, "1.1");
    answer_one(who, "1.1");
    session_learner_close(who);
    assert_true(session_class_leave(&m));
    assert_false(session_class_take_home(&m));
    who = open_learner();
    assert_int_equal(store_last_answer(session_learner_store(who)), last);
    session_learner_close(who);
}

#define AT_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SCHOOL(the_record_of_the_class_is_used_while_it_runs),
        AT_SCHOOL(more_time_for_an_account_keeps_its_record_in_use),
        AT_SCHOOL(settings_come_along),
        AT_SCHOOL(who_joins_again_goes_on_with_the_same_file),
        AT_SCHOOL(a_folder_that_is_away_ends_as_it_was_told),
        AT_SCHOOL(a_record_of_another_learner_is_refused),
        AT_SCHOOL(a_broken_class_json_gives_a_message),
        AT_SCHOOL(joining_says_what_the_teacher_sees),
        AT_SCHOOL(an_empty_record_takes_over_what_the_class_had),
        AT_SCHOOL(a_record_of_ones_own_stays_as_it_is),
    };
    return cmocka_run_group_tests_name("membership", tests, NULL, NULL);
}
