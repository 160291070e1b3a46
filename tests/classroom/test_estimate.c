/* How long a day takes a class: turns, places and minutes, worked out by hand. */
#include "classroom/room.h"

#include <math.h>
#include <string.h>

/* 28 people, one GPU, 16 cores; a lab of 80 s on the GPU, one of 4 ranks and 30 s on the cores. */
static struct classroom_day day(void) {
    return (struct classroom_day){
        .people = 28,
        .gpus = 1,
        .cores = 16,
        .lesson_minutes = 47,
        .minutes = 85,
        .labs = 2,
        .lab = {{.name = "ladder", .seconds = 80, .known = true, .gpu = true, .ranks = 4},
                {.name = "copies", .seconds = 30, .known = true, .ranks = 4}}};
}

static void assert_minutes(double is, double must) {
    if (fabs(is - must) > 1e-9) fail_msg("%g instead of %g minutes", is, must);
}

static void turns_share_the_places(void **state) {
    struct classroom_day d = day();
    (void)state;
    assert_int_equal(classroom_lab_places(&d, &d.lab[0]), 1);
    assert_int_equal(classroom_lab_places(&d, &d.lab[1]), 4);
    assert_minutes(classroom_lab_minutes(&d, &d.lab[0]), 28 * 80 / 60.0);
    assert_minutes(classroom_lab_minutes(&d, &d.lab[1]), 7 * 30 / 60.0);
    assert_minutes(classroom_day_minutes(&d), 47 + 28 * 80 / 60.0 + 3.5);
    assert_false(classroom_day_fits(&d));
    d.people = 29; /* the last one waits for a round */
    assert_minutes(classroom_lab_minutes(&d, &d.lab[1]), 8 * 30 / 60.0);
    d.cores = 3; /* a lab of more ranks than cores still runs, alone */
    assert_int_equal(classroom_lab_places(&d, &d.lab[1]), 1);
    d.minutes = -1;
    assert_true(classroom_day_fits(&d));
}

static void each_way_is_a_day_with_its_own_minutes(void **state) {
    static const struct {
        const char *name;
        double labs;
    } rows[] = {
        {"pairs", (14 * 80 + 4 * 30) / 60.0},
        {"cores", (7 * 80 + 7 * 30) / 60.0},
        {"fewer ranks", (28 * 80 + 4 * 30) / 60.0},
        {"at the front", (1 * 80 + 1 * 30) / 60.0},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_day d = day(), other;
        assert_string_equal(classroom_way_at(i)->name, rows[i].name);
        assert_true(classroom_way_take(i, &d, &other));
        assert_minutes(classroom_labs_minutes(&other), rows[i].labs);
        assert_minutes(classroom_labs_minutes(&d), (28 * 80 + 7 * 30) / 60.0);
    }
    assert_null(classroom_way_at(BASE_COUNT(rows)));
}

static void a_way_that_changes_nothing_is_not_offered(void **state) {
    struct classroom_day d = day(), other;
    (void)state;
    d.pairs = true;
    d.gpus = 0;
    d.lab[0].ranks = d.lab[1].ranks = 1;
    d.people = 2; /* a pair */
    for (size_t i = 0; classroom_way_at(i); i++)
        if (classroom_way_take(i, &d, &other)) fail_msg("%s", classroom_way_at(i)->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_share_the_places),
        cmocka_unit_test(each_way_is_a_day_with_its_own_minutes),
        cmocka_unit_test(a_way_that_changes_nothing_is_not_offered),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
