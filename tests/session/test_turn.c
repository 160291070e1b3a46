/* A lab's turn in a class: who needs one, what it may use, and when it is over. */
#include "session/membership.h"
#include "session/school.h"
#include "session/turn.h"

#include <sys/stat.h>

enum { NOON = 1795430000 };

static void set_number(const char *variable, int64_t n) {
    char *text = base_format("%lld", (long long)n);
    setenv(variable, text, 1);
    free(text);
}

/* Makes a class for today with these limits, and joins it. The caller frees the path. */
static char *join(void **state, int cores, uint64_t bytes) {
    struct base_message m = {0};
    struct classroom_settings s;
    struct session_class in;
    char *path = scratch_path(state, "class");
    set_number("ZEROTUTOR_NOW", NOON);
    struct classroom_folder *f = NULL;
    char *file = base_format("%s/class.json", path);
    struct classroom_folder *made = classroom_make(path, &m);
    assert_non_null(made);
    classroom_close(made);
    assert_true(base_file_write(file, "{}", 2, &m));
    assert_non_null(f = classroom_open(path, &m));
    assert_true(session_class_settings("sys-26", &s, &m));
    s.begins = NOON - 60;
    s.ends = NOON + 60;
    s.cores = cores;
    s.bytes_most = bytes;
    assert_true(classroom_settings_write(f, &s, &m));
    classroom_close(f);
    free(file);
    assert_true(session_class_join(path, "bob", &in, &m));
    return path;
}

static struct session_turn *begin(const char *words) {
    struct base_message m = {0};
    struct session_turn *t;
    if (!session_turn_begin("own", words, &t, &m)) fail_msg("%s", m.what);
    return t;
}

static void only_a_class_that_runs_has_turns(void **state) {
    set_number("ZEROTUTOR_NOW", NOON);
    assert_null(begin("--ranks 2"));
    assert_int_equal(session_turn_place(NULL).cap, 0);
    free(join(state, 2, 0));
    struct session_turn *t = begin("--ranks 2");
    assert_non_null(t);
    session_turn_end(t);
    set_number("ZEROTUTOR_NOW", NOON + 3600);
    assert_null(begin("--ranks 2"));
}

static void cores_are_shared_and_memory_is_capped(void **state) {
    free(join(state, 3, 1000));
    struct session_turn *a = begin("--ranks 2"), *b = begin("--ranks 1"), *c = begin("--ranks 1");
    assert_true(session_turn_look(a));
    assert_true(session_turn_look(b));
    assert_false(session_turn_look(c));
    struct experiment_place at = session_turn_place(a);
    assert_true(at.cpu && !at.gpus && !at.under);
    assert_int_equal(at.cap, 500);
    assert_int_equal(at.threads, 1);
    char *said = session_turn_say(c);
    assert_non_null(strstr(said, "number 1 of 1 in line for CPU cores"));
    free(said);
    session_turn_end(b);
    assert_true(session_turn_look(c));
    assert_true(session_turn_has_come(c));
    session_turn_end(a);
    session_turn_end(c);
}

static void a_kept_place_lets_others_go_first(void **state) {
    free(join(state, 1, 0));
    struct session_turn *a = begin("--ranks 1"), *b = begin("--ranks 1"), *c = begin("--ranks 1");
    assert_true(session_turn_look(a));
    assert_false(session_turn_look(b));
    session_turn_away(b, true);
    assert_false(session_turn_look(c));
    session_turn_end(a);
    assert_true(session_turn_look(c));
    session_turn_away(b, false);
    assert_false(session_turn_look(b));
    session_turn_end(c);
    assert_true(session_turn_look(b));
    session_turn_end(b);
}

static void a_turn_ends_with_its_minutes(void **state) {
    free(join(state, 1, 0));
    set_number("ZEROTUTOR_TICKS", 1000000);
    struct session_turn *t = begin("--ranks 1");
    assert_true(session_turn_look(t));
    set_number("ZEROTUTOR_TICKS", 1000000 + 5 * 60000);
    assert_null(session_turn_over(t));
    set_number("ZEROTUTOR_TICKS", 1000001 + 5 * 60000);
    assert_non_null(strstr(session_turn_over(t), "allows 5 minutes for one turn"));
    session_turn_end(t);
    unsetenv("ZEROTUTOR_TICKS");
}

static int said;
static int64_t ticks;

static void count(void *to, const char *text) {
    (void)to;
    said++;
    if (!strstr(text, "number 1 of 1")) fail_msg("%s", text);
}

/* Each time it is asked, half a minute has passed; after ten minutes it is enough. */
static bool half_a_minute(void) {
    set_number("ZEROTUTOR_TICKS", ticks += 30000);
    return ticks > 600000;
}

static void a_wait_is_said_once_a_minute(void **state) {
    free(join(state, 1, 0));
    struct session_turn *a = begin("--ranks 1"), *b = begin("--ranks 1");
    set_number("ZEROTUTOR_TICKS", ticks = 1000);
    assert_true(session_turn_look(a));
    ticks = 300000; /* the last five minutes of it: the turn is not over before */
    set_number("ZEROTUTOR_TICKS", ticks);
    said = 0;
    assert_false(session_turn_await(b, true, half_a_minute, count, NULL));
    assert_in_range(said, 4, 6);
    session_turn_end(b);
    session_turn_end(a);
    unsetenv("ZEROTUTOR_TICKS");
}

static void count_trouble(void *to, const char *text) {
    (void)to;
    said++;
    if (!strstr(text, "cannot be used at the moment") || !strstr(text, "^C leaves the queue"))
        fail_msg("%s", text);
}

/* Where nobody can leave the queue the wait ends by itself. */
static void a_folder_that_cannot_be_used_is_not_tried_for_ever(void **state) {
    char *path = join(state, 1, 0), *queue = base_format("%s/queue", path),
         *away = base_format("%s/gone", path);
    for (int watched = 0; watched < 2; watched++) {
        struct session_turn *t = begin("--ranks 1");
        assert_int_equal(rename(queue, away), 0);
        set_number("ZEROTUTOR_TICKS", ticks = 1000);
        said = 0;
        assert_false(session_turn_await(t, watched, half_a_minute, count_trouble, NULL));
        assert_in_range(ticks, watched ? 600001 : 181000, watched ? 640000 : 250000);
        const char *over = session_turn_over(t);
        if (watched) assert_null(over);
        if (!watched) assert_non_null(strstr(over, "could not be used for 3 minutes"));
        assert_in_range(said, 3, 12);
        session_turn_end(t);
        assert_int_equal(rename(away, queue), 0);
        unsetenv("ZEROTUTOR_TICKS");
    }
    free(away), free(queue), free(path);
}

static void a_lab_of_the_course_asks_for_the_most_of_its_runs(void **state) {
    struct base_message m = {0};
    struct session_turn *t;
    char *path = join(state, 4, 0);
    assert_true(session_turn_begin("replicas", NULL, &t, &m));
    assert_true(session_turn_look(t));
    struct classroom_folder *f = classroom_open(path, &m);
    struct classroom_tickets all;
    assert_true(classroom_tickets_read(f, NULL, &all, &m));
    assert_int_equal(all.count, 1);
    assert_int_equal(all.ticket[0].wish.ranks, 4);
    assert_int_equal(classroom_slots_count(&all.ticket[0].holds), 4);
    assert_string_equal(all.ticket[0].wish.with, "bob");
    classroom_tickets_free(&all);
    session_turn_end(t);
    t = begin("--ranks 2 --threads 2"); /* a core for each thread */
    assert_true(session_turn_look(t));
    assert_true(classroom_tickets_read(f, NULL, &all, &m));
    assert_int_equal(all.count, 2); /* and the turn before */
    const struct classroom_ticket *now = &all.ticket[all.ticket[0].live ? 0 : 1];
    assert_int_equal(now->wish.ranks, 2);
    assert_int_equal(classroom_slots_count(&now->holds), 4);
    classroom_tickets_free(&all);
    classroom_close(f);
    session_turn_end(t);
    free(path);
}

static int begin_home(void **state) {
    if (scratch_make(state) != 0) return -1;
    char *home = scratch_path(state, "home");
    int set = setenv("ZEROTUTOR_HOME", home, 1);
    free(home);
    return set;
}

#define AT_HOME(test) cmocka_unit_test_setup_teardown(test, begin_home, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_HOME(only_a_class_that_runs_has_turns),
        AT_HOME(cores_are_shared_and_memory_is_capped),
        AT_HOME(a_kept_place_lets_others_go_first),
        AT_HOME(a_turn_ends_with_its_minutes),
        AT_HOME(a_wait_is_said_once_a_minute),
        AT_HOME(a_folder_that_cannot_be_used_is_not_tried_for_ever),
        AT_HOME(a_lab_of_the_course_asks_for_the_most_of_its_runs),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
