/* A link's latency and rate come back from the times that they make, and nothing comes from times
 * that do not tell them apart. */
#include "account/check.h"

#include <math.h>

enum { POINTS = 6 };

static void make(struct account_link_point *p, double latency, double rate) {
    for (int i = 0; i < POINTS; i++) {
        p[i].hops = 6;
        p[i].bytes = 4000 * pow(4, i);
        p[i].seconds = latency * p[i].hops + (rate > 0 ? p[i].bytes / rate : 0);
    }
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void each_link_comes_back(void **state) {
    static const struct {
        double latency, rate;
    } rows[] = {{20e-6, 10e9}, {1e-6, 1e6}, {5e-3, 900e9}, {0, 25e9}, {3e-6, 0}};
    struct account_link_point p[POINTS];
    struct account_link_fit f;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make(p, rows[i].latency, rows[i].rate);
        assert_true(account_fit_link(p, POINTS, &f));
        assert_true(fabs(f.latency - rows[i].latency) <= 1e-9 * p[0].seconds);
        if (rows[i].rate > 0) assert_true(fabs(f.rate / rows[i].rate - 1) < 1e-6);
        assert_true(f.residual < 1e-9);
        assert_true(is_near(account_link_seconds(&f, p[3].hops, p[3].bytes), p[3].seconds));
    }
}

/* Each point counts by its relative error: a tenth more on the longest time, which is a thousand
 * times the shortest, moves the fit little. */
static void errors_are_relative(void **state) {
    struct account_link_point p[POINTS];
    struct account_link_fit f;
    (void)state;
    make(p, 20e-6, 1e9);
    p[POINTS - 1].seconds *= 1.1;
    assert_true(account_fit_link(p, POINTS, &f));
    assert_true(f.residual > 0 && f.residual < 0.1);
    assert_true(fabs(f.latency / 20e-6 - 1) < 0.1);
    assert_true(f.rate > 0.9e9 && f.rate < 1e9);
}

/* Times that fall with the size would ask for a rate below nothing, those that rise too steeply for
 * a latency below nothing. */
static void neither_is_negative(void **state) {
    struct account_link_point p[POINTS];
    struct account_link_fit f;
    (void)state;
    make(p, 20e-6, 0);
    for (int i = 0; i < POINTS; i++) p[i].seconds -= 1e-6 * i;
    assert_true(account_fit_link(p, POINTS, &f));
    assert_true(f.rate == 0 && f.latency > 0);
    make(p, 0, 1e9);
    p[0].seconds /= 2;
    assert_true(account_fit_link(p, POINTS, &f));
    assert_true(f.latency == 0 && f.rate > 0);
}

static void what_tells_nothing_is_refused(void **state) {
    struct account_link_point p[POINTS];
    struct account_link_fit f;
    (void)state;
    make(p, 20e-6, 1e9);
    assert_false(account_fit_link(p, 0, &f));
    assert_false(account_fit_link(p, 1, &f));
    for (int i = 1; i < POINTS; i++) p[i] = p[0]; /* all of one size */
    assert_false(account_fit_link(p, POINTS, &f));
    make(p, 20e-6, 1e9);
    p[2].seconds = 0;
    assert_false(account_fit_link(p, POINTS, &f));
    p[2].seconds = NAN;
    assert_false(account_fit_link(p, POINTS, &f));
    p[2].seconds = INFINITY;
    assert_false(account_fit_link(p, POINTS, &f));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_link_comes_back),
        cmocka_unit_test(errors_are_relative),
        cmocka_unit_test(neither_is_negative),
        cmocka_unit_test(what_tells_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
