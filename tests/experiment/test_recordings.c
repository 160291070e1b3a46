/* The recordings that come with the course: they are of its labs as these are now, and what they
 * measured is what the engine says. */
#include "experiment/lab.h"

#include "experiment/tapes.h"

#include <math.h>

static char *link_as_typed(const json_t *link) {
    double rate = base_json_number(link, "bytes_per_s", 0);
    bool fast = rate >= 1e9;
    return base_format("%g%s,%gus", rate / (fast ? 1e9 : 1e6), fast ? "GB/s" : "MB/s",
                       1e6 * base_json_number(link, "latency_s", 0));
}

/* What its start says for a flag, as one would type it; the caller's. */
static char *as_typed(const json_t *start, const char *flag) {
    const json_t *offload = json_object_get(start, "offload"),
                 *timed = json_object_get(start, "collectives"), *value = NULL;
    const json_t *const places[] = {start, offload, json_object_get(start, "model")};
    if (strncmp(flag, "offload_", 8) == 0)
        return base_dup(base_json_text(offload, flag + 8, "none"));
    if (strcmp(flag, "from") == 0)
        return base_format("%gKB", 1e-3 * base_json_number(timed, "from", 0));
    /* the largest is twice as large, and left out of the fit */
    if (strcmp(flag, "to") == 0)
        return base_format("%gMB", 0.5e-6 * base_json_number(timed, "to", 0));
    for (size_t i = 0; i < BASE_COUNT(places) && !value; i++)
        value = json_object_get(places[i], flag);
    if (strcmp(flag, "threads") == 0)
        value = json_object_get(json_object_get(start, "versions"), "blas_threads");
    if (strcmp(flag, "model") == 0) value = json_object_get(value, "name");
    if (json_is_object(value)) return link_as_typed(value);
    double kb = strcmp(flag, "bucket") == 0 ? base_json_number(start, flag, 0) / 1e3 : 0;
    if (kb > 0) return base_format(kb < 1e3 ? "%gKB" : "%gMB", kb < 1e3 ? kb : kb / 1e3);
    if (json_is_boolean(value)) return base_dup(json_is_true(value) ? "on" : "off");
    if (strcmp(flag, "cap") == 0 && json_is_integer(value))
        return base_format("%gGB", 1e-9 * (double)json_integer_value(value));
    return json_is_string(value) ? base_dup(json_string_value(value))
                                 : base_format("%" JSON_INTEGER_FORMAT, json_integer_value(value));
}

/* A model that was changed is named "custom": then its own numbers are compared. */
static bool is_of_the_lab(const json_t *start, const char *flag) {
    const char *model = base_json_text(json_object_get(start, "model"), "name", "");
    if (strcmp(flag, "model") == 0 && strcmp(model, "custom") == 0) return false;
    /* its sizes say it; where states are kept is nobody else's business */
    static const char *const unsaid[] = {"factor", "save", "save_every", "keep", "resume"};
    for (size_t i = 0; i < BASE_COUNT(unsaid); i++)
        if (strcmp(flag, unsaid[i]) == 0) return false;
    return true;
}

/* The highest moment of a rank's curve is its ledger's peak, category by category. The number of
 * ranks that have a curve. */
static size_t compare_curves(const struct experiment_state *s, const char *path) {
    size_t curves = 0;
    for (uint32_t i = 0; i < s->seen; i++) {
        const struct experiment_rank *r = &s->rank[i];
        if (!r->moments) continue;
        curves++;
        const struct account_ledger *top =
            &r->moment[account_timeline_peak(r->moment, r->moments)].ledger;
        for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
            if (top->bytes[c] != r->at_peak.bytes[c])
                fail_msg("%s, rank %u: the curve's peak has %llu bytes of %s, the ledger's %llu",
                         path, i, (unsigned long long)top->bytes[c],
                         account_category_name((enum account_category)c),
                         (unsigned long long)r->at_peak.bytes[c]);
        assert_int_equal(top->total, r->peak_total);
    }
    return curves;
}

static size_t curves_compared;

/* False if the variant has none. */
static bool check_recording(const struct experiment_lab *lab, size_t v) {
    char *path = experiment_recording(lab, v);
    if (!path) return false;
    struct experiment *t = lab_replay(path, 0);
    lab_finish(t);
    char *words = base_dup(strchr(lab->variant[v].arguments, '-')), *rest = NULL;
    for (char *flag = strtok_r(words, " ", &rest), *next; flag; flag = next) {
        next = strtok_r(NULL, " ", &rest);
        bool alone = !next || strncmp(next, "--", 2) == 0;
        const char *wanted = alone ? "on" : next;
        if (!alone) next = strtok_r(NULL, " ", &rest);
        flag += strspn(flag, "-");
        for (char *c = flag; *c; c++) *c = *c == '-' ? '_' : *c; /* as members are called */
        char *said = as_typed(experiment_state(t)->setup.event, flag);
        if (is_of_the_lab(experiment_state(t)->setup.event, flag) && strcmp(said, wanted) != 0)
            fail_msg("%s: --%s was %s, and is %s now", path, flag, said, wanted);
        free(said);
    }
    if (lab->variant[v].dies) {
        assert_true(experiment_state(t)->failed && experiment_state(t)->refused);
    } else {
        assert_true(experiment_state(t)->ended && !experiment_state(t)->failed);
        assert_int_equal(experiment_state(t)->steps,
                         experiment_state(t)->planned - experiment_state(t)->setup.done);
    }
    curves_compared += compare_curves(experiment_state(t), path);
    free(words);
    free(path);
    experiment_free(t);
    return true;
}

/* A lab that was changed is recorded anew. */
static void what_comes_with_the_course_is_of_its_labs(void **state) {
    (void)state;
    size_t recordings = 0;
    setenv("ZEROTUTOR_SHARE", ".", 1);
    for (size_t i = 0; i < experiment_labs(); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        for (size_t v = 0; v < experiment_variants(lab); v++) recordings += check_recording(lab, v);
    }
    assert_in_range(recordings, 1, 100);
    unsetenv("ZEROTUTOR_SHARE");
    assert_true(curves_compared > 0);
}

static void assert_near(double got, double wanted, double most) {
    if (!(fabs(got - wanted) <= most)) fail_msg("%g is not %g within %g", got, wanted, most);
}

/* The lines of a recording are those that the engine fits to its times, but for the size that was
 * left out; and they predict that size within the tenth. */
static void timed_collectives_are_fitted_as_the_engine_does(void **state) {
    (void)state;
    struct experiment *t = lab_replay("data/runs/measure-collectives.jsonl", 0);
    lab_finish(t);
    const struct experiment_state *s = experiment_state(t);
    assert_true(s->ended && !s->failed);
    assert_int_equal(s->timings, 3 * 6);
    assert_int_equal(s->planned, 0);
    for (unsigned op = 0; op < EXPERIMENT_SENT_TIMED; op++) {
        struct account_link_point p[EXPERIMENT_TIMINGS];
        struct account_link_fit fit;
        size_t n = 0;
        double times = op == EXPERIMENT_SENT_AR ? 2 : 1;
        for (size_t i = 0; i < s->timings; i++) {
            const struct experiment_timing *k = &s->timing[i];
            if (k->op != op) continue;
            if (k->fitted)
                p[n++] = (struct account_link_point){.hops = 3 * times,
                                                     .bytes = times * 0.75 * (double)k->bytes,
                                                     .seconds = k->seconds};
            else
                assert_near(experiment_line_seconds(s, op, (double)k->bytes) / k->seconds, 1, 0.1);
        }
        assert_int_equal(n, 5);
        assert_true(account_fit_link(p, n, &fit));
        assert_near(s->line[op].fit.latency / fit.latency, 1, 1e-3);
        assert_near(s->line[op].fit.rate / fit.rate, 1, 1e-3);
        assert_near(s->line[op].fit.residual / fit.residual, 1, 1e-2);
    }
    /* what the lab asks, and its right option says */
    assert_near(experiment_line_seconds(s, EXPERIMENT_SENT_AR, 8e6), 0.060, 0.006);
    for (int p = 0; p < EXPERIMENT_PANELS; p++)
        assert_int_equal(experiment_panel_tells(s, (enum experiment_panel)p),
                         p == EXPERIMENT_LOG || p == EXPERIMENT_COLLECTIVES);
    experiment_free(t);
}

/* What a rank keeps and moves elsewhere is what the engine says of the run as its start has it. */
static void other_tiers_and_nodes_are_as_the_engine_says(void **state) {
    static const char *const paths[] = {
        "tiers-1",  "tiers-2",          "tiers-3",          "tiers-4",          "hybrid-1",
        "hybrid-2", "zero-plus-plus-1", "zero-plus-plus-2", "zero-plus-plus-3", "zero-plus-plus-4"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(paths); i++) {
        char *path = base_format("data/runs/%s.jsonl", paths[i]);
        struct experiment *t = lab_replay(path, 0);
        lab_finish(t);
        const struct experiment_state *s = experiment_state(t);
        struct account_memory memory;
        struct account_traffic traffic;
        assert_true(s->setup.names_training);
        assert_true(account_memory(&s->setup.training, &memory, NULL));
        assert_true(account_traffic(&s->setup.training, &traffic, NULL));
        for (uint32_t r = 0; r < s->seen; r++) {
            const struct experiment_elsewhere *e = &s->rank[r].elsewhere;
            assert_memory_equal(e, &s->rank[r].predicted.elsewhere, sizeof *e);
            /* the engine counts a node's */
            assert_int_equal(e->host * s->seen, memory.host.total);
            assert_int_equal(e->file * s->seen, memory.nvme.total);
            assert_int_equal(e->host_moved, traffic.offload_down + traffic.offload_up);
            assert_int_equal(e->file_moved, traffic.disk_written + traffic.disk_read);
            if (i >= 4) assert_int_equal(e->between, traffic.between);
            assert_int_equal(s->rank[r].sent[EXPERIMENT_SENT_AA], traffic.sent[ACCOUNT_ALL_TO_ALL]);
        }
        experiment_free(t);
        free(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_with_the_course_is_of_its_labs),
        cmocka_unit_test(timed_collectives_are_fitted_as_the_engine_does),
        cmocka_unit_test(other_tiers_and_nodes_are_as_the_engine_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
