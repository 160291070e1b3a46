/* The amounts that labs ask for before they run: what the engine answers is what zerolab predicts
 * of one of the lab's runs, which it measures to the byte. */
#include "session/inside.h"

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
    char *command = base_format("build/zerolab %.*s%s --steps 1 --predict",
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

static double sum(const json_t *bytes) {
    double all = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)bytes, name, value) all += json_number_value(value);
    return all;
}

/* Bytes that the run keeps, on all its ranks if the problem asks for the cluster's, or sends. */
static double bytes_of(const json_t *event, const struct account_problem *p) {
    if (p->kind == ACCOUNT_ASK_TRAFFIC)
        return json_number_value(json_object_get(json_object_get(event, "sent"), "total"));
    return sum(json_object_get(event, "persistent")) * (p->cluster ? p->training.gpus : 1);
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

static void the_engine_answers_what_is_measured(void **state) {
    size_t asked = 0;
    (void)state;
    for (size_t i = 0; i < experiment_labs(); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        struct account_problem p;
        struct account_solution s;
        struct account_error e;
        if (!lab->amount.problem) continue;
        json_t *step = json_object();
        session_lab_complete(step, lab);
        const json_t *problem = json_object_get(json_object_get(step, "amount"), "problem");
        if (!lesson_problem_read(problem, &p, NULL)) fail_msg("%s: no problem", lab->name);
        if (!account_solve(&p, &s, &e)) fail_msg("%s: %s", lab->name, e.what);
        if (p.kind != ACCOUNT_ASK_SECONDS && !is_of_a_run(lab, &p, s.value))
            fail_msg("%s: no run has %.0f bytes", lab->name, s.value);
        json_decref(step);
        asked++;
    }
    assert_in_range(asked, 8, 40);
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
                                       cmocka_unit_test(each_is_a_lesson)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
