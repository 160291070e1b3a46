/* The amounts that labs ask for before they run: what the engine answers is what zerolab predicts
 * of one of the lab's runs, which it measures to the byte. */
#include "session/inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Of rank 0, before anything runs. The caller's. */
static json_t *predicted(const struct experiment_variant *v) {
    const char *saved = strstr(v->arguments, "--resume ");
    const char *rest = saved ? strchr(saved + strlen("--resume "), ' ') : v->arguments;
    /* What a run keeps does not depend on the checkpoint that it goes on from. */
    const char *program = getenv("ZEROLAB");
    char *command =
        base_format("%s %.*s%s --steps 1 --predict", program ? program : "build/zerolab",
                    saved ? (int)(saved - v->arguments) : 0, v->arguments, rest);
    char line[8192];
    FILE *out = popen(command, "r");
    json_t *event = NULL;
    while (!event && fgets(line, sizeof line, out))
        if (strstr(line, "\"event\":\"predict\"")) event = json_loads(line, 0, NULL);
    while (fgets(line, sizeof line, out)) continue;
    pclose(out);
    if (!event) fail_msg("%s predicts nothing", command);
    free(command);
    return event;
}

static double bytes_named(const json_t *bytes, const char *name) {
    return json_number_value(json_object_get(bytes, name));
}

/* Bytes that the run keeps, on all its ranks if the problem asks for the cluster's, or sends. */
static double bytes_of(const json_t *event, const struct account_problem *p) {
    const json_t *sent = json_object_get(event, "sent"),
                 *kept = json_object_get(event, "persistent");
    double all = 0;
    if (p->kind == ACCOUNT_ASK_TRAFFIC) {
        static const char *const pieces[] = {[ACCOUNT_PIECE_ALL] = "total",
                                             [ACCOUNT_PIECE_ALL_REDUCE] = "all_reduce",
                                             [ACCOUNT_PIECE_REDUCE_SCATTER] = "reduce_scatter",
                                             [ACCOUNT_PIECE_ALL_GATHER] = "all_gather"};
        assert_true(p->piece < sizeof pieces / sizeof *pieces);
        return bytes_named(sent, pieces[p->piece]);
    }
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (p->quantity >> c & 1)
            all += bytes_named(kept, account_category_name((enum account_category)c));
    return all * (p->cluster ? p->training.gpus : 1);
}

static bool is_of_a_run(const struct experiment_lab *lab, const struct account_problem *p,
                        double asked) {
    for (size_t v = 0; v < experiment_variants(lab); v++) {
        json_t *event = predicted(&lab->variant[v]);
        double bytes = bytes_of(event, p);
        json_decref(event);
        if (bytes > asked * 0.997 && bytes < asked * 1.003) return true;
    }
    return false;
}

/* The problem as a step asks it, and its solution. */
static double solved(const struct experiment_lab *lab, struct account_problem *p) {
    struct account_solution s;
    struct account_error e;
    json_t *step = json_object();
    session_lab_complete(step, lab);
    const json_t *problem = json_object_get(json_object_get(step, "amount"), "problem");
    if (!lesson_problem_read(problem, p, NULL)) fail_msg("%s: no problem", lab->name);
    if (!account_solve(p, &s, &e)) fail_msg("%s: %s", lab->name, e.what);
    json_decref(step);
    return s.value;
}

static void the_engine_answers_what_is_measured(void **state) {
    size_t asked = 0;
    (void)state;
    for (size_t i = 0; i < experiment_labs(); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        struct account_problem p;
        if (!lab->amount.problem) continue;
        double value = solved(lab, &p);
        if (p.kind != ACCOUNT_ASK_SECONDS && !lab->scaled && !is_of_a_run(lab, &p, value))
            fail_msg("%s: no run has %.0f bytes", lab->name, value);
        asked++;
    }
    assert_in_range(asked, 8, 40);
}

/* The capstone asks about its scenario, of the lowest stage that shards: what a GPU keeps there by
 * the ledger. As it is listed it is the course's. */
static void a_capstone_asks_about_its_scenario(void **state) {
    static const struct {
        const char *recipe;
        int stage;
        uint8_t asked;
    } cases[] = {{"paper", EXPERIMENT_ALL_STAGES, 1},
                 {"fsdp2", EXPERIMENT_ALL_STAGES, 2},
                 {"megatron", EXPERIMENT_ALL_STAGES, 1},
                 {"deepspeed", 3, 3},
                 {"paper", 0, 0}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        struct account_problem p;
        struct account_ledger l;
        memo_scenario_vary(0, &s);
        assert_true(account_set(&s.training, "recipe", cases[i].recipe, NULL));
        struct experiment_capstone *c =
            experiment_capstone_new(&s.training, s.card_bytes, cases[i].stage,
                                    (struct experiment_capacity){.ranks = 8}, &m);
        if (!c) fail_msg("%s: %s", cases[i].recipe, m.what);
        double value = solved(experiment_capstone_lab(c), &p);
        if (i == 0) assert_true(solved(experiment_lab_find("capstone"), &p) == value);
        assert_int_equal(p.training.stage, cases[i].asked);
        s.training.stage = cases[i].asked;
        assert_true(account_ledger(&s.training, &l, NULL));
        for (unsigned k = 0; k < ACCOUNT_CATEGORIES; k++)
            if (p.quantity >> k & 1) value -= (double)l.bytes[k];
        assert_true(fabs(value) < 1);
        experiment_capstone_free(c);
    }
}

/* Every lab by itself is a whole lesson of one step, under a name that there is. */
static void each_is_a_lesson(void **state) {
    struct base_message m = {0};
    (void)state;
    for (size_t i = 0; i < experiment_labs(); i++) {
        struct lesson *l = session_lab_lesson(experiment_lab_at(i), &m);
        if (!experiment_lab_at(i)->scaled && !l) fail_msg("%s", m.what);
        if (l) assert_int_equal(lesson_steps(l), 1);
        if (l) lesson_free(l);
    }
    assert_null(session_lab_named("no-such", &m));
    assert_string_equal(m.what, "unknown lab 'no-such': run `zerotutor lab list` for a list");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_engine_answers_what_is_measured),
                                       cmocka_unit_test(a_capstone_asks_about_its_scenario),
                                       cmocka_unit_test(each_is_a_lesson)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
