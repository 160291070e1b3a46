/* What holds for every play, whatever its options. */
#include "account/check.h"

#include <stdio.h>
#include <string.h>

static bool is_moment(const struct account_play *p, const char *moment) {
    for (size_t i = 0; p->moments[i]; i++)
        if (strcmp(p->moments[i], moment) == 0) return true;
    return false;
}

/* The longest sentence of the play whose frames are checked. */
static size_t longest;

/* Each frame says a whole sentence, has one of the play's moments and a place; the first and the
 * last are no frames to pass by. */
static void check_frame(const struct account_playing *at) {
    struct account_play_frame f;
    account_play_frame(at, &f);
    if (f.moment == NULL || !is_moment(at->play, f.moment))
        fail_msg("%s, frame %u: no moment of it: %s", at->play->name, at->frame, f.moment);
    size_t n = strlen(f.says);
    if (n < 20 || (f.says[n - 1] != '.' && f.says[n - 1] != '?') || n + 1 >= sizeof f.says)
        fail_msg("%s, frame %u says: %s", at->play->name, at->frame, f.says);
    assert_int_not_equal(strlen(f.place), 0);
    assert_true(f.ms > 0);
    longest = n > longest ? n : longest;
    bool end = at->frame == 0 || at->frame + 1 == account_play_frames(at);
    assert_false(end && f.passing);
}

static void check_stop(const struct account_playing *at) {
    uint32_t answer, stop = at->play->stop(at, &answer);
    assert_true(stop > 0 && stop < account_play_frames(at));
    assert_true(answer < 10);
}

static void check_steps(struct account_playing at) {
    uint32_t last_frame = account_play_frames(&at) - 1, steps = 0;
    for (; at.frame < last_frame; steps++) {
        uint32_t before = at.frame, back;
        at.frame = account_play_step(&at, true);
        assert_true(at.frame > before);
        back = account_play_step(&at, false);
        assert_int_equal(back, before);
    }
    assert_int_equal(account_play_step(&at, true), last_frame);
}

static void check_play(struct account_playing at) {
    for (at.frame = 0; at.frame < account_play_frames(&at); at.frame++) check_frame(&at);
    at.frame = 0;
    check_stop(&at);
    check_steps(at);
}

/* All combinations of the options that come after `option`, but those that the play refuses. */
static void check_options(struct account_playing at, size_t option) {
    if (option == at.play->options) {
        struct account_error e;
        if (!at.play->check || at.play->check(&at, &e)) check_play(at);
        return;
    }
    for (size_t i = 0; i < at.play->option[option].values; i++) {
        at.at[option] = i;
        check_options(at, option + 1);
    }
}

static void every_frame_of_every_play_speaks(void **state) {
    (void)state;
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    assert_true(count >= ACCOUNT_SCENES);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(account_play_find(plays[i]->name), plays[i]);
        longest = 0;
        check_options(account_play_begin(plays[i]), 0);
        assert_int_equal(plays[i]->longest, longest);
    }
}

static void options_are_set_by_name(void **state) {
    (void)state;
    struct account_playing at = account_play_begin(account_play_find("ring-all-reduce"));
    struct account_error e;
    assert_int_equal(play_value(&at, "ranks"), 4);
    assert_true(account_play_set(&at, "ranks", 8, &e));
    assert_int_equal(play_value(&at, "ranks"), 8);
    assert_false(account_play_set(&at, "ranks", 9, &e));
    assert_string_equal(e.what, "ranks can be 2, 3, 4, 5, 6, 7 or 8 here");
    assert_false(account_play_set(&at, "speed", 9, &e));
    assert_string_equal(e.what, "the play ring-all-reduce has no option 'speed'");
}

/* What is typed, what a prompt counts and what a frame says of its place is one count, from 1. */
static void frames_are_counted_in_one_way(void **state) {
    static const char *const says[] = {"buckets", "flat-buffer"};
    (void)state;
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        const struct account_play *row = account_play_find(says[i]);
        assert_non_null(row);
        struct account_playing at = account_play_begin(row);
        uint32_t all = account_play_stops(&at);
        for (uint32_t k = 1; k <= all; k++) {
            struct account_play_frame f;
            char place[48];
            at.frame = account_play_stop(&at, k);
            assert_int_equal(account_play_number(&at), k);
            account_play_frame(&at, &f);
            snprintf(place, sizeof place, "frame %u of %u", k, all);
            assert_string_equal(f.place, place);
        }
        assert_int_equal(account_play_stop(&at, 0), 0);
        assert_int_equal(account_play_stop(&at, 99999), account_play_frames(&at) - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_of_every_play_speaks),
        cmocka_unit_test(options_are_set_by_name),
        cmocka_unit_test(frames_are_counted_in_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
