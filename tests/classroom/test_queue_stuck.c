/* What could stop a queue for good: a program that was stopped during its turn, a stranger's lock
 * on the ticket of one who waits, a folder full of other files. */
#include "classroom/room.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MINUTE_MS = 60000 };

static const struct classroom_wish one_gpu = {
    .kind = CLASSROOM_GPU, .slots = 1, .ranks = 4, .minutes = 5, .lab = "ladder"};

/* A class with one GPU, and turns of five minutes. */
static struct classroom_folder *open_class(void **state, struct classroom_settings *s) {
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, s);
    s->gpus = 1;
    s->minutes_most = 5;
    assert_true(classroom_settings_write(f, s, &m));
    return f;
}

static struct classroom_wait *begin(void **state) {
    struct base_message m = {0};
    struct classroom_settings s;
    char *path = scratch_path(state, "class");
    struct classroom_folder *f = classroom_open(path, &m);
    assert_true(f && classroom_settings_read(f, &s, &m));
    struct classroom_wish wish = one_gpu;
    wish.minutes = s.minutes_most;
    struct classroom_wait *q = classroom_wait_begin(path, &s, &wish, &m);
    if (!q) fail_msg("%s", m.what);
    classroom_close(f);
    free(path);
    return q;
}

static void set_ticks(int64_t ms) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    setenv("ZEROTUTOR_TICKS", text, 1);
}

/* ── a program that was stopped ────────────────────────────────────────────────────────────────*/
static void take(void **state, int say) {
    struct classroom_wait *q = begin(state);
    while (!classroom_wait_look(q)) continue;
    room_stay(say);
}

static const struct classroom_turn *turn_of(const struct classroom_tickets *t,
                                            const struct classroom_settings *s, int64_t now) {
    static struct classroom_turn turn[8];
    char host[CLASSROOM_WORD];
    classroom_host(host);
    classroom_tickets_time(t, s, now);
    classroom_turns(t, s, host, now, turn);
    return turn;
}

/* Its lock stays. Once a turn and a minute are over it is passed over, whatever the clocks say, and
 * those that wait behind the next one wait for that one. */
static void a_stopped_program_keeps_its_turn_no_longer_than_its_minutes(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = open_class(state, &s);
    pid_t stopped = room_child(take, state);
    kill(stopped, SIGSTOP);
    set_ticks(MINUTE_MS);
    setenv("ZEROTUTOR_NOW", "7200", 1); /* a clock that is years behind */
    struct classroom_wait *next = begin(state), *behind = begin(state);
    assert_false(classroom_wait_look(next) || classroom_wait_look(behind));
    set_ticks(MINUTE_MS + 5 * MINUTE_MS + MINUTE_MS);
    assert_false(classroom_wait_look(behind) || classroom_wait_look(next));
    set_ticks(MINUTE_MS + 5 * MINUTE_MS + MINUTE_MS + 1000);
    assert_false(classroom_wait_look(behind));
    assert_true(classroom_wait_look(next));
    assert_false(classroom_wait_look(behind));
    assert_int_equal(classroom_wait_turn(behind)->position, 1);
    classroom_wait_end(next);
    assert_true(classroom_wait_look(behind));
    classroom_wait_end(behind);
    unsetenv("ZEROTUTOR_NOW");
    unsetenv("ZEROTUTOR_TICKS");
    room_reap(stopped, SIGKILL);
    classroom_close(f);
}

/* Two that wait, first in line, do nothing: they keep their places, and others go first. */
static void a_stopped_program_stops_no_line(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_held *stopped[2];
    struct classroom_folder *f = open_class(state, &s);
    struct classroom_wait *runs = begin(state);
    assert_true(classroom_wait_look(runs));
    for (int i = 0; i < 2; i++)
        assert_non_null(stopped[i] = classroom_ticket_begin(f, &one_gpu, 0, &m));
    struct classroom_wait *waits = begin(state);
    int64_t now = MINUTE_MS;
    set_ticks(now);
    assert_false(classroom_wait_look(waits));
    assert_int_equal(classroom_wait_turn(waits)->position, 3);
    set_ticks(now += MINUTE_MS);
    assert_false(classroom_wait_look(waits));
    classroom_wait_end(runs);
    for (int i = 0; i < 2; i++) { /* each is given its time */
        assert_false(classroom_wait_look(waits));
        set_ticks(now += 15000);
        assert_false(classroom_wait_look(waits));
        set_ticks(now += 1);
    }
    assert_true(classroom_wait_look(waits));
    classroom_wait_end(waits);
    unsetenv("ZEROTUTOR_TICKS");
    for (int i = 0; i < 2; i++) classroom_ticket_end(stopped[i], -1);
    classroom_close(f);
}

/* A turn that the class's settings make longer meanwhile is not cut short. */
static void a_longer_turn_is_waited_for(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = open_class(state, &s);
    struct base_message m = {0};
    struct classroom_wait *early = begin(state);
    s.minutes_most = 20;
    assert_true(classroom_settings_write(f, &s, &m));
    struct classroom_wait *runs = begin(state);
    set_ticks(MINUTE_MS);
    assert_true(classroom_wait_look(runs));
    assert_false(classroom_wait_look(early));
    set_ticks(15 * MINUTE_MS);
    assert_false(classroom_wait_look(early));
    set_ticks(23 * MINUTE_MS);
    assert_true(classroom_wait_look(early));
    unsetenv("ZEROTUTOR_TICKS");
    classroom_wait_end(early);
    classroom_wait_end(runs);
    classroom_close(f);
}

/* To those who only list it, a turn is over by the file server's clock. */
static void a_turn_that_is_over_is_listed(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = open_class(state, &s);
    struct base_message m = {0};
    struct classroom_tickets t;
    pid_t runs = room_child(take, state);
    assert_true(classroom_tickets_read(f, NULL, &t, &m));
    assert_int_equal(t.count, 1);
    int64_t began = t.ticket[0].since;
    assert_int_equal(turn_of(&t, &s, began + 360)->stand, CLASSROOM_RUNNING);
    assert_int_equal(turn_of(&t, &s, began + 361)->stand, CLASSROOM_OVER);
    assert_int_equal(turn_of(&t, &s, 0)->stand, CLASSROOM_RUNNING); /* no clock */
    s.minutes_most = 2; /* what the ticket says counts only if the class allows it */
    assert_int_equal(turn_of(&t, &s, began + 181)->stand, CLASSROOM_OVER);
    classroom_tickets_free(&t);
    room_reap(runs, SIGKILL);
    classroom_close(f);
}

/* ── a stranger's lock ─────────────────────────────────────────────────────────────────────────*/
/* Read locks on whole tickets: more a stranger cannot have on a file that is only readable. */
static void lock_all(void **state, int say) {
    char *path = scratch_path(state, "class/queue"), *command = base_format("ls %s", path);
    char name[80];
    FILE *list = popen(command, "r");
    while (list && fgets(name, sizeof name, list)) {
        char *file = base_format("%s/%.*s", path, (int)strcspn(name, "\n"), name);
        int fd = open(file, O_RDONLY | O_CLOEXEC);
        struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 1};
        fcntl(fd, F_SETLK, &l); /* not those that run */
        free(file);
    }
    if (list) pclose(list);
    free(command);
    free(path);
    room_stay(say);
}

static void a_strangers_lock_keeps_nobody_from_a_turn(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = open_class(state, &s);
    struct base_message m = {0};
    struct classroom_tickets t;
    struct classroom_wait *runs = begin(state), *waits = begin(state), *behind = begin(state);
    assert_true(classroom_wait_look(runs));
    assert_false(classroom_wait_look(waits) || classroom_wait_look(behind));
    pid_t stranger = room_child(lock_all, state);
    classroom_wait_end(runs);
    assert_false(classroom_wait_look(behind));
    assert_true(classroom_wait_look(waits));
    assert_false(classroom_wait_look(behind));
    assert_true(classroom_tickets_read(f, NULL, &t, &m));
    size_t live = 0;
    for (size_t i = 0; i < t.count; i++) live += t.ticket[i].live;
    assert_int_equal(live, 2);
    classroom_tickets_free(&t);
    classroom_wait_end(waits);
    assert_true(classroom_wait_look(behind));
    classroom_wait_end(behind);
    room_reap(stranger, SIGKILL);
    classroom_close(f);
}

/* ── a crowd ───────────────────────────────────────────────────────────────────────────────────*/
/* Whatever else is in the folder, and in which order it is listed, a ticket that is there counts.
 */
static void the_own_ticket_is_not_lost_in_a_crowd(void **state) {
    enum { MANY = 6000, OWN = 8 };
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_held *held[OWN];
    struct classroom_folder *f = room_open(state, &s);
    for (int i = 0; i < MANY; i++) {
        char *name = base_format("junk-%d", i);
        int fd = classroom_create_file(f, CLASSROOM_QUEUE, name, 0644, &m);
        assert_true(fd >= 0);
        close(fd);
        free(name);
        if (i % (MANY / OWN) == 0)
            assert_non_null(held[i / (MANY / OWN)] = classroom_ticket_begin(f, &one_gpu, 0, &m));
    }
    for (int i = 0; i < OWN; i++) {
        struct classroom_tickets t;
        assert_true(classroom_tickets_read(f, held[i], &t, &m));
        assert_false(t.lost);
        assert_true(t.count > 0);
        assert_string_equal(t.ticket[0].name, classroom_ticket_own(held[i])->name);
        classroom_tickets_free(&t);
    }
    for (int i = 0; i < OWN; i++) classroom_ticket_end(held[i], -1);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_stopped_program_keeps_its_turn_no_longer_than_its_minutes),
        IN_SCRATCH(a_stopped_program_stops_no_line),
        IN_SCRATCH(a_longer_turn_is_waited_for),
        IN_SCRATCH(a_turn_that_is_over_is_listed),
        IN_SCRATCH(a_strangers_lock_keeps_nobody_from_a_turn),
        IN_SCRATCH(the_own_ticket_is_not_lost_in_a_crowd),
    };
    return cmocka_run_group_tests_name("a queue that is stuck", tests, NULL, NULL);
}
