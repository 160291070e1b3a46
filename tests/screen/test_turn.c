/* A lab of a class before its turn, in a real terminal: waiting, leaving the queue, keeping the
 * place. The turn that it waits for is this process's. */
#include "base/scratch.h"

#include "place.h"
#include "session/membership.h"
#include "stand_in.h"

enum { NOON = 1780480800, CORES = 4 };

static struct classroom_wait *holder;

/* Makes a class for this moment, joins it, and takes all its cores. */
static int open_class(void **state) {
    struct base_message m = {0};
    struct classroom_settings s;
    struct session_class in;
    if (stand_in_open(state) != 0) return -1;
    char *path = base_format("%s/class", place_share()), *file = base_format("%s/class.json", path);
    struct classroom_folder *new = classroom_make(path, &m);
    bool made =
        new &&base_file_write(file, "{}", 2, &m) && session_class_settings("sys-26", &s, &m);
    classroom_close(new);
    s.begins = NOON - 60;
    s.ends = NOON + 3600;
    s.cores = CORES;
    struct classroom_folder *f = made ? classroom_open(path, &m) : NULL;
    bool joined =
        f && classroom_settings_write(f, &s, &m) && session_class_join(path, NULL, &in, &m);
    const struct classroom_wish all = {
        .kind = CLASSROOM_CPU, .slots = CORES, .ranks = CORES, .lab = "stage-ladder"};
    holder = joined ? classroom_wait_begin(path, &s, &all, &m) : NULL;
    bool holds = holder && classroom_wait_look(holder);
    if (!holds) print_error("%s\n", m.what);
    classroom_close(f);
    free(file);
    free(path);
    return holds ? 0 : -1;
}

/* The same with a Slurm that starts jobs once its folder has a file `go`. */
static int open_class_with_slurm(void **state) {
    struct base_message m = {0};
    struct classroom_settings s;
    struct session_class in;
    int opened = open_class(state);
    char *bin = base_format("%s/bin", place_share()), *srun = base_format("%s/srun", bin);
    static const char script[] = "#!/bin/sh\nwhile [ ! -e \"${0%/*}/go\" ]; do sleep 0.05; done\n"
                                 "while [ \"${1#--}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n";
    bool made = opened == 0 && mkdir(bin, 0755) == 0 &&
                base_file_write(srun, script, sizeof script - 1, &m) && chmod(srun, 0755) == 0;
    char *path = base_format("%s:%s", bin, getenv("PATH"));
    struct classroom_folder *f = made && session_class(&in) ? classroom_open(in.folder, &m) : NULL;
    bool set = f && classroom_settings_read(f, &s, &m);
    s.slurm = true;
    set = set && classroom_settings_write(f, &s, &m) && setenv("PATH", path, 1) == 0;
    classroom_close(f);
    free(path), free(srun), free(bin);
    return set ? 0 : -1;
}

static void end_turn(void) {
    classroom_wait_end(holder);
    holder = NULL;
}

static int close_class(void **state) {
    end_turn();
    return place_close(state);
}

static struct tty *waiting(void) {
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_type(t, "<Enter>");
    tty_wait(t, "You are number 1 of 1 in line for CPU cores. The wait is at most 5 min.");
    tty_wait_row(t, -1, "⏎ continue  x stop");
    return t;
}

static void the_lab_starts_when_its_turn_comes(void **state) {
    (void)state;
    struct tty *t = waiting();
    end_turn();
    stand_in_catch_up(t);
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Enter>");
    tty_wait(t, "And in mixed precision?");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void a_lab_that_slurm_starts_says_so(void **state) {
    (void)state;
    struct tty *t = stand_in_at_lab("FAKE=");
    tty_type(t, "<Enter>");
    tty_wait(t, "Slurm starts the lab when it can. `zerotutor class queue` shows the line.");
    char *go = base_format("%s/bin/go", place_share());
    assert_true(base_file_write(go, "", 0, NULL));
    free(go);
    stand_in_catch_up(t);
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Enter><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void who_leaves_the_queue_is_back_at_the_step(void **state) {
    (void)state;
    static const char *const keys[] = {"<Esc>", "x", "<C-c>"};
    struct tty *t = waiting();
    for (size_t i = 0; i < BASE_COUNT(keys); i++) {
        tty_type(t, keys[i]);
        tty_wait_row(t, -1, "⏎ run");
        tty_wait(t, "You left the queue.");
        tty_type(t, "<Enter>");
        tty_wait(t, "You are number 1 of 1 in line");
    }
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void a_place_is_kept_while_the_lesson_goes_on(void **state) {
    (void)state;
    struct tty *t = waiting();
    tty_type(t, "<Enter>");
    tty_wait(t, "You keep your place");
    tty_type(t, "<Enter>");
    tty_wait(t, "You are number 1 of 1 in line");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ run");
    end_turn();
    tty_type(t, "<Enter>");
    stand_in_catch_up(t);
    tty_wait(t, "The run has ended.");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

#define IN_CLASS(test) cmocka_unit_test_setup_teardown(test, open_class, close_class)

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        IN_CLASS(the_lab_starts_when_its_turn_comes),
        IN_CLASS(who_leaves_the_queue_is_back_at_the_step),
        IN_CLASS(a_place_is_kept_while_the_lesson_goes_on),
        cmocka_unit_test_setup_teardown(a_lab_that_slurm_starts_says_so, open_class_with_slurm,
                                        close_class),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
