/* Plays in the rows and columns that they are given: they fit, whatever their options, and grow. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 1 };
/* Of the body and the main column of terminals of 80 × 24, 120 × 40 and 200 × 60. */
static const struct { int width, rows; } sizes[] = {{78, 20}, {78, 36}, {108, 56}};

static json_t *spec_of(const struct account_playing *at) {
    json_t *spec = json_pack("{ss ss si ss}", "kind", "play", "play", at->play->name, "frame",
                             (int)at->frame, "note", "What a lesson says of it, in a sentence.");
    for (size_t i = 0; i < at->play->options; i++)
        json_object_set_new(spec, at->play->option[i].name,
                            json_integer(at->play->option[i].value[at->at[i]]));
    return spec;
}

/* Cells that are not blank. */
static int ink_of(const struct page *p) {
    int n = 0;
    for (int row = 0; row < page_height(p); row++)
        for (int column = 0; column < page_width(p); column++)
            n += strcmp(page_cell(p, row, column)->text, " ") != 0;
    return n;
}

static struct page *draw(const struct account_playing *at, size_t size) {
    struct base_message m = {0};
    struct page *p = page_new(sizes[size].width + 2 * MARGIN, false);
    json_t *spec = spec_of(at);
    page_set_colours(p, 256);
    if (!page_figure(p, (struct page_flow){MARGIN, sizes[size].width, 0, sizes[size].rows}, spec,
                     &m))
        fail_msg("%s", m.what);
    json_decref(spec);
    return p;
}

/* In every size it fits, in a larger one it is not smaller, and at its usual options it grows from
 * the smallest to the largest. */
static void check_frame(const struct account_playing *at) {
    struct account_playing usual = account_play_begin(at->play);
    bool begun = at->frame > 0 && memcmp(usual.at, at->at, sizeof usual.at) == 0;
    int first = 0, before = 0;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct page *p = draw(at, i);
        int ink = ink_of(p);
        bool grew = !begun || i + 1 < BASE_COUNT(sizes) || ink > first;
        if (page_height(p) > sizes[i].rows || ink < before || !grew) {
            char *text = page_to_text(p);
            fail_msg("%s, frame %u, in %d x %d:\n%s", at->play->name, at->frame, sizes[i].width,
                     sizes[i].rows, text);
        }
        if (i == 0) first = ink;
        before = ink;
        page_free(p);
    }
}

static bool next_options(struct account_playing *at) {
    for (size_t i = 0; i < at->play->options; i++) {
        if (++at->at[i] < at->play->option[i].values) return true;
        at->at[i] = 0;
    }
    return false;
}

static void plays_use_their_size(void **state) {
    (void)state;
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    for (size_t i = 0; i < count; i++) {
        struct account_playing at = account_play_begin(plays[i]);
        size_t frames_seen = 0;
        memset(at.at, 0, sizeof at.at);
        do {
            struct account_error e;
            if (at.play->check && !at.play->check(&at, &e)) continue;
            uint32_t frames = account_play_frames(&at), step = frames > 24 ? frames / 24 : 1;
            for (at.frame = 0; at.frame < frames; at.frame += step, frames_seen++) check_frame(&at);
            at.frame = 0;
        } while (next_options(&at));
        assert_true(frames_seen > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_use_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
