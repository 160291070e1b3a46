/* Runs: what is heard of one that goes well, and of those that do not. */
#include "experiment/lab.h"

#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void a_run_is_heard(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 4 --stage 2 --steps 5", NULL);
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    assert_true(s->started && s->ended && !s->failed && !s->recorded);
    assert_string_equal(s->trouble, "");
    assert_int_equal(s->ranks, 4);
    assert_int_equal(s->stage, 2);
    assert_int_equal(s->seen, 4);
    assert_int_equal(s->steps, 5);
    assert_int_equal(s->step[4].step, 5);
    assert_true(s->step[4].loss < s->step[0].loss);
    assert_int_equal(s->broken, 0);
    assert_string_equal(s->setup.host, "a stand-in");
    char last[32];
    snprintf(last, sizeof last, "%#.9g", s->step[4].loss);
    assert_string_equal(s->loss, last);
    assert_string_equal(s->weights_hash, "00000000c0ffee00");
    assert_string_equal(experiment_command(t), "zerolab --ranks 4 --stage 2 --steps 5");
    experiment_free(t);
}

static void ranks_weigh_what_was_predicted(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 4 --stage 3 --steps 2", NULL);
    lab_finish(t);
    for (uint32_t i = 0; i < 4; i++) {
        const struct experiment_rank *r = &experiment_state(t)->rank[i];
        assert_true(r->ended && r->predicted.known);
        assert_int_equal(r->persistent.bytes[ACCOUNT_PARAMS], 834304);
        assert_int_equal(r->persistent.total, 3337216);
        assert_memory_equal(&r->persistent, &r->predicted.persistent, sizeof r->persistent);
        assert_int_equal(r->peak_total, r->predicted.peak_total);
        assert_string_equal(r->peak_where, "backward block 3");
        assert_int_equal(r->sent[EXPERIMENT_SENT_AG], 2 * r->sent[EXPERIMENT_SENT_RS]);
        assert_int_equal(r->sent_total, r->predicted.sent_total);
        assert_int_equal(r->control, 24);
        assert_int_equal(r->resident, r->peak_total + 9000000);
        assert_string_equal(r->where, "update");
    }
    experiment_free(t);
}

/* While it goes: what was sent comes from the collectives themselves, peaks from what was heard so
 * far. */
static void a_step_is_known_before_the_end(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 2 --stage 1 --steps 5", "hang");
    lab_steps(t, 2);
    const struct experiment_state *s = experiment_state(t);
    assert_false(s->ended || experiment_is_over(t) || s->rank[1].ended);
    assert_int_equal(s->spans, 2 * 8);
    for (size_t i = 1; i < s->spans; i++)
        assert_true(s->span[i - 1].rank < s->span[i].rank ||
                    s->span[i - 1].start_ms <= s->span[i].start_ms);
    assert_int_equal(s->rank[1].sent[EXPERIMENT_SENT_RS], 834304 / 2 * 4);
    assert_int_equal(s->rank[1].sent_total, s->rank[1].predicted.sent_total);
    assert_int_equal(s->rank[1].peak_total, s->rank[1].predicted.peak_total);
    assert_int_equal(s->rank[1].peak.bytes[ACCOUNT_ACTIVATIONS], 2400000);
    experiment_free(t);
}

/* What skipped steps did not gather is taken off what was predicted, in the step and in the mean of
 * all. */
static void skipped_steps_are_not_predicted_to_gather(void **state) {
    (void)state;
    for (uint32_t stage = 0; stage < 4; stage++) {
        char flags[80];
        bool fewer = stage == 1 || stage == 2;
        snprintf(flags, sizeof flags, "--ranks 3 --stage %u --steps 7 --precision fp16", stage);
        struct experiment *t = lab_start(flags, "skip");
        lab_finish(t);
        const struct experiment_state *s = experiment_state(t);
        const struct experiment_rank *r = &s->rank[2];
        uint64_t usual = fewer ? r->sent[EXPERIMENT_SENT_RS] : 2 * r->sent[EXPERIMENT_SENT_RS];
        assert_int_equal(s->skipped, 1);
        assert_true(s->step[0].skipped && s->step[0].scale > 65535 && !s->step[1].skipped);
        assert_int_equal(r->sent[EXPERIMENT_SENT_AG], fewer ? usual * 6 / 7 : usual);
        assert_memory_equal(r->sent, r->predicted.sent, sizeof r->sent);
        assert_int_equal(r->sent_total, r->predicted.sent_total);
        assert_int_equal(s->ungathered, fewer);
        experiment_free(t);
    }
}

static uint64_t sent_in_a_step(const char *path) {
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, 0, &m);
    if (!t) fail_msg("%s", m.what);
    lab_finish(t);
    uint64_t sent = experiment_state(t)->rank[0].sent_total;
    assert_int_equal(sent, experiment_state(t)->rank[0].predicted.sent_total);
    experiment_free(t);
    return sent;
}

/* The steps of its checkpoint are not its own: what it sent is divided by those that it made. */
static void a_resumed_run_counts_its_own_steps(void **state) {
    static const char steps[] = "\"steps\":10,";
    char *path = scratch_path(state, "run.jsonl");
    size_t n;
    lab_record("--ranks 2 --stage 1 --steps 10", NULL, path);
    uint64_t usual = sent_in_a_step(path);
    char *all = base_file_read(path, 1 << 20, &n, NULL), *at = strstr(all, steps);
    assert_non_null(at);
    char *resumed = base_format("%.*s%s\"resumed_after\":5,%s", (int)(at - all), all, steps,
                                at + strlen(steps));
    assert_true(base_file_write(path, resumed, strlen(resumed), NULL));
    assert_int_equal(sent_in_a_step(path), 2 * usual);
    free(resumed);
    free(all);
    free(path);
}

/* The one entry of a folder, the caller's; NULL if it is empty. */
static char *entry_of(const char *folder) {
    char *found = NULL;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            assert_null(found);
            found = base_format("%s/%s", folder, e->d_name);
        }
    closedir(d);
    return found;
}

/* A lab's folder of states is the same for all its runs, and gone with the last of them. What they
 * are said to have been started with is what one would type, and the same each time. */
static void runs_of_a_lab_share_a_folder(void **state) {
    struct base_message m = {0};
    setenv("TMPDIR", *state, 1);
    struct experiment *a = lab_start("--ranks 1 --save " EXPERIMENT_HERE, ""),
                      *b = experiment_start("--resume " EXPERIMENT_HERE "/step-8", &m);
    assert_true(a && b);
    assert_string_equal(experiment_command(a), "zerolab --ranks 1 --save states");
    assert_string_equal(experiment_command(b), "zerolab --resume states/step-8");
    char *folder = entry_of(*state);
    lab_finish(a);
    char *file = base_format("%s/saved", folder);
    assert_int_equal(access(file, F_OK), 0);
    experiment_free(a);
    assert_int_equal(access(file, F_OK), 0);
    experiment_free(b);
    assert_null(entry_of(*state));
    unsetenv("TMPDIR");
    free(file);
    free(folder);
}

/* While it goes the last step is compared, whether it was skipped or not. */
static void a_skipped_step_is_compared_as_it_was(void **state) {
    struct base_message m = {0};
    char *path = scratch_path(state, "skip.jsonl");
    lab_record("--ranks 2 --stage 1 --steps 5 --precision fp16", "skip", path);
    struct experiment *t = experiment_replay(path, 1, &m);
    const struct experiment_rank *r = &experiment_state(t)->rank[1];
    experiment_pause(t, true);
    for (size_t step = 1; step <= 2; step++) {
        assert_true(experiment_advance(t) && experiment_read(t));
        assert_int_equal(experiment_state(t)->steps, step);
        assert_int_equal(r->sent[EXPERIMENT_SENT_AG] == 0, step == 1);
        assert_memory_equal(r->sent, r->predicted.sent, sizeof r->sent);
        assert_int_equal(r->sent_total, r->predicted.sent_total);
    }
    experiment_free(t);
    free(path);
}

/* Whichever clock the collectives are told on, they lie within their step. */
static void collectives_lie_in_their_step(void **state) {
    static const char *const clocks[] = {NULL, "clock"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(clocks); i++) {
        struct experiment *t = lab_start("--ranks 2 --stage 1 --steps 7", clocks[i]);
        lab_finish(t);
        const struct experiment_state *s = experiment_state(t);
        assert_int_equal(s->spans, 2 * 8);
        for (size_t k = 0; k < s->spans; k++) {
            assert_true(s->span[k].start_ms >= 10 && s->span[k].end_ms <= 41);
            assert_true(s->span[k].end_ms > s->span[k].start_ms);
        }
        experiment_free(t);
    }
}

/* ── what goes wrong ───────────────────────────────────────────────────────────────────────────*/
static void failures_are_told(void **state) {
    static const struct {
        const char *fake, *trouble;
        size_t steps;
    } cases[] = {
        {"killed", "killed by signal 9", 2},
        {"cap",
         "rank 0, backward block 1: out of memory for activations: 16.6 MB are needed, the cap is "
         "9.00 MB; stage 3 "
         "would fit",
         1},
        {"version", "version 2 of its events", 0},
        {"words", "zerolab: --stage cannot be '9': it is 0, 1, 2 or 3", 0},
        {"mute", "ended with status 0 before it said", 0},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct experiment *t = lab_start("--ranks 2 --steps 4", cases[i].fake);
        lab_finish(t);
        const struct experiment_state *s = experiment_state(t);
        assert_true(s->failed);
        lab_trouble(t, cases[i].trouble);
        if (cases[i].steps) assert_int_equal(s->steps, cases[i].steps);
        assert_int_equal(experiment_due(t), -1);
        assert_int_equal(experiment_fd(t), -1);
        assert_false(experiment_read(t));
        experiment_free(t);
    }
}

static void what_is_no_event_is_counted_and_shown(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 1 --steps 3", "garbage");
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    bool shown = false;
    assert_false(s->failed);
    assert_int_equal(s->steps, 3);
    assert_int_equal(s->broken, 3 * 4);
    for (size_t i = 0; i < s->logs; i++)
        shown = shown || strstr(s->log[i], "is no event: Segmentation fault");
    assert_true(shown);
    experiment_free(t);
}

static void what_is_new_is_passed_over(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 1 --steps 3", "newer");
    lab_finish(t);
    assert_true(experiment_state(t)->ended);
    assert_int_equal(experiment_state(t)->broken, 0);
    experiment_free(t);
}

static void a_very_long_line_is_passed_over(void **state) {
    (void)state;
    struct experiment *t = lab_start("--ranks 1 --steps 3", "long");
    lab_finish(t);
    assert_true(experiment_state(t)->ended);
    assert_int_equal(experiment_state(t)->steps, 3);
    assert_int_equal(experiment_state(t)->broken, 1);
    experiment_free(t);
}

static long resident_now(void) {
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return resident * 4096;
}

static void a_flood_stays_bounded(void **state) {
    (void)state;
    long before = resident_now();
    struct experiment *t = lab_start("--ranks 2 --stage 1 --steps 3", "flood");
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    assert_true(s->ended && s->lines > 600000);
    assert_int_equal(s->steps, 3);
    assert_in_range(strlen(experiment_events(t)), 4000000, 5 << 20);
    assert_non_null(strstr(experiment_events(t), "{\"event\":\"end\"")); /* what matters is kept */
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
    assert_in_range(resident_now() - before, 0, 48 << 20);
#else
    (void)before;
#endif
    experiment_free(t);
}

/* ── ending it ─────────────────────────────────────────────────────────────────────────────────*/
static pid_t pid_in(const char *path) {
    struct base_message m;
    char *text = base_file_read(path, 100, NULL, &m);
    pid_t pid = text ? (pid_t)atoi(text) : 0;
    free(text);
    return pid;
}

/* No process of that group is left, but for zombies that init has yet to fetch. */
static void assert_gone(pid_t group) {
    assert_true(group > 0);
    for (int64_t until = base_ticks() + 50000; kill(-group, 0) == 0 && base_ticks() < until;)
        usleep(1000);
    assert_int_equal(kill(-group, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static struct experiment *start_hanging(const char *pid_file, const char *fake) {
    setenv("FAKE_PID", pid_file, 1);
    struct experiment *t = lab_start("--ranks 2 --steps 9", fake);
    unsetenv("FAKE_PID");
    lab_steps(t, 2);
    return t;
}

static void a_run_that_hangs_is_cancelled(void **state) {
    char *pid_file = scratch_path(state, "pid");
    struct experiment *t = start_hanging(pid_file, "hang");
    int64_t begun = base_ticks();
    experiment_cancel(t);
    lab_finish(t);
    assert_true(base_ticks() - begun < 5000);
    lab_trouble(t, "cancelled after 2 steps");
    assert_gone(pid_in(pid_file));
    experiment_free(t);
    free(pid_file);
}

static void one_that_will_not_end_is_killed(void **state) {
    char *pid_file = scratch_path(state, "pid");
    struct experiment *t = start_hanging(pid_file, "stubborn");
    int64_t begun = base_ticks();
    experiment_cancel(t);
    lab_finish(t);
    assert_in_range(base_ticks() - begun, 4000, 8000);
    assert_gone(pid_in(pid_file));
    experiment_free(t);
    free(pid_file);
}

static void freeing_ends_it(void **state) {
    char *pid_file = scratch_path(state, "pid");
    experiment_free(start_hanging(pid_file, "stubborn"));
    assert_gone(pid_in(pid_file));
    free(pid_file);
}

/* The tutor is killed: its lab goes with it, though it hangs. */
static void no_orphan_is_left(void **state) {
    char *pid_file = scratch_path(state, "pid");
    pid_t tutor = fork();
    if (tutor == 0) {
        start_hanging(pid_file, "stubborn");
        kill(getpid(), SIGKILL);
    }
    waitpid(tutor, NULL, 0);
    pid_t lab = pid_in(pid_file);
    for (int64_t until = base_ticks() + 50000; kill(lab, 0) == 0 && base_ticks() < until;)
        usleep(1000);
    assert_int_equal(kill(lab, 0), -1);
    kill(-lab, SIGKILL); /* the stand-in's own children know no such rule; zerolab's do */
    free(pid_file);
}

static void a_child_that_holds_the_pipe_does_not_hold_the_run(void **state) {
    (void)state;
    int64_t begun = base_ticks();
    struct experiment *t = lab_start("--steps 2", "child");
    lab_finish(t);
    assert_true(experiment_state(t)->ended);
    assert_true(base_ticks() - begun < 5000);
    experiment_free(t);
}

/* ── finding it, and two at once ───────────────────────────────────────────────────────────────*/
static void says_where_the_lab_is_not(void **state) {
    (void)state;
    struct base_message m = {0};
    setenv("ZEROLAB", "/nowhere/zerolab", 1);
    assert_null(experiment_start("", &m));
    assert_non_null(strstr(m.what, "ZEROLAB is '/nowhere/zerolab', which cannot be run"));
    unsetenv("ZEROLAB");
    assert_null(experiment_start("", &m));
    assert_non_null(strstr(m.what, "the lab is not built: cannot find /"));
    assert_non_null(strstr(m.what, "Run `make` to build it"));
    struct base_text many = {0};
    for (int i = 0; i < 200; i++) base_text_puts(&many, "--steps 2 ");
    setenv("ZEROLAB", "tests/experiment/zerolab.sh", 1);
    assert_null(experiment_start(many.s, &m));
    assert_non_null(strstr(m.what, "words at most"));
    base_text_free(&many);
}

static void two_run_side_by_side(void **state) {
    (void)state;
    struct experiment *a = lab_start("--ranks 2 --stage 1 --steps 4", "slow"),
                      *b = lab_start("--ranks 3 --stage 3 --steps 4", "slow");
    lab_steps(a, 1);
    lab_steps(b, 1);
    assert_false(experiment_is_over(a) || experiment_is_over(b));
    lab_finish(b);
    lab_finish(a);
    assert_true(experiment_state(a)->ended && experiment_state(b)->ended);
    assert_int_equal(experiment_state(b)->seen, 3);
    experiment_free(a);
    experiment_free(b);
}

/* More steps than are held: the first, the last, and evenly between. */
static void long_runs_are_thinned(void **state) {
    (void)state;
    struct experiment *t = lab_start("--steps 9001", NULL);
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    assert_true(s->ended);
    assert_in_range(s->steps, 2000, 4097);
    assert_int_equal(s->step[0].step, 1);
    assert_int_equal(s->step[s->steps - 1].step, 9001);
    uint32_t stride = s->step[1].step - s->step[0].step;
    for (size_t i = 1; i + 1 < s->steps; i++)
        assert_int_equal(s->step[i].step - s->step[i - 1].step, stride);
    experiment_free(t);
}

static size_t options_of(const char *const option[EXPERIMENT_OPTIONS]) {
    size_t n = 0;
    while (n < EXPERIMENT_OPTIONS && option[n]) n++;
    return n;
}

/* A number that the engine knows, or a time of two runs that there are. */
static void check_amount(const struct experiment_lab *lab) {
    const struct experiment_amount *a = &lab->amount;
    if (!a->ask) fail_msg("%s asks for no number", lab->name);
    if (a->problem) return;
    assert_string_not_equal(experiment_measure_name(a->of), "");
    assert_true(a->run < experiment_variants(lab) && a->to < experiment_variants(lab));
    assert_true(a->run != a->to);
}

static void labs_are_whole(void **state) {
    (void)state;
    assert_true(experiment_labs() > 20);
    assert_null(experiment_lab_at(experiment_labs()));
    for (size_t i = 0; i < experiment_labs(); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        assert_ptr_equal(experiment_lab_find(lab->name), lab);
        assert_int_equal(experiment_lab_place(lab->name), i);
        assert_true(lab->title && lab->about && lab->ask && lab->reveal && lab->minutes);
        assert_string_not_equal(experiment_lesson_asks(lab->lesson), "");
        if (i > 0) assert_true(strcmp(experiment_lab_at(i - 1)->lesson, lab->lesson) <= 0);
        assert_in_range(experiment_variants(lab) + lab->scaled, 1, EXPERIMENT_VARIANTS);
        assert_true(options_of(lab->option) >= 2 && lab->right < options_of(lab->option));
        check_amount(lab);
        if (!lab->after.ask) fail_msg("%s asks nothing afterwards", lab->name);
        assert_true(lab->after.because && lab->after.right < options_of(lab->after.option));
        bool panel = false;
        for (int p = 0; p < EXPERIMENT_PANELS; p++)
            panel = panel || !strcmp(lab->watch, experiment_panel_name((enum experiment_panel)p));
        assert_true(panel);
    }
    assert_null(experiment_lab_find("first"));
}

int main(void) {
#define IN_SCRATCH(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_heard),
        cmocka_unit_test(ranks_weigh_what_was_predicted),
        cmocka_unit_test(a_step_is_known_before_the_end),
        cmocka_unit_test(skipped_steps_are_not_predicted_to_gather),
        IN_SCRATCH(a_skipped_step_is_compared_as_it_was),
        IN_SCRATCH(a_resumed_run_counts_its_own_steps),
        IN_SCRATCH(runs_of_a_lab_share_a_folder),
        cmocka_unit_test(collectives_lie_in_their_step),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(what_is_no_event_is_counted_and_shown),
        cmocka_unit_test(what_is_new_is_passed_over),
        cmocka_unit_test(a_very_long_line_is_passed_over),
        cmocka_unit_test(a_flood_stays_bounded),
        IN_SCRATCH(a_run_that_hangs_is_cancelled),
        IN_SCRATCH(one_that_will_not_end_is_killed),
        IN_SCRATCH(freeing_ends_it),
        IN_SCRATCH(no_orphan_is_left),
        cmocka_unit_test(a_child_that_holds_the_pipe_does_not_hold_the_run),
        cmocka_unit_test(says_where_the_lab_is_not),
        cmocka_unit_test(two_run_side_by_side),
        cmocka_unit_test(long_runs_are_thinned),
        cmocka_unit_test(labs_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
