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

/* Where a ring is drawn as boxes, a chunk on its way hides no arrow between their rows. */
static void links_show_where_they_lead(void **state) {
    (void)state;
    struct account_playing at = account_play_begin(account_play_find("ring-all-reduce"));
    at.frame = 1;
    for (at.at[0] = 1; at.at[0] < at.play->option[0].values; at.at[0]++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
            struct page *p = draw(&at, i);
            char *text = page_to_text(p);
            if (strstr(text, "┌") && (!strstr(text, "▲") || !strstr(text, "▼")))
                fail_msg("in %d x %d:\n%s", sizes[i].width, sizes[i].rows, text);
            free(text);
            page_free(p);
        }
}

/* The row on which the page of a frame, whose lesson leads in with two rows, has these words. */
static int row_below_lead(const char *words, int frame) {
    struct base_message m = {0};
    struct page *p = page_new(80, false);
    json_t *spec =
        json_pack("{ss ss si ss}", "kind", "play", "play", "buckets", "frame", frame, "lead",
                  "Stage 2 keeps a quarter of the gradients. Watch how much is live "
                  "before it gets there.");
    int row = 0;
    page_set_colours(p, 256);
    page_set_thick(p, 2);
    assert_true(page_figure(p, (struct page_flow){MARGIN, 78, 0, 36}, spec, &m));
    for (;; row++) {
        assert_true(row < page_height(p));
        char *line = sheet_row(p, row);
        bool found = strstr(line, words) != NULL;
        free(line);
        if (found) break;
    }
    page_free(p);
    json_decref(spec);
    return row;
}

/* The first step moves nothing but what moves. */
static void frames_stay_where_the_first_is(void **state) {
    (void)state;
    assert_int_equal(row_below_lead("bucket A", 1), row_below_lead("bucket A", 0));
    assert_int_equal(row_below_lead("live now", 1), row_below_lead("live now", 0));
}

/* The note, which is the last that a page says, is on the same row in every frame. */
static void notes_keep_their_place(void **state) {
    (void)state;
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t size = 0; size < BASE_COUNT(sizes); size++) {
            struct account_playing at = account_play_begin(plays[i]);
            uint32_t frames = account_play_frames(&at);
            int height = 0;
            for (at.frame = 0; at.frame < frames; at.frame++) {
                struct page *p = draw(&at, size);
                if (at.frame > 0 && page_height(p) != height)
                    fail_msg("%s, frame %u, in %d x %d: %d rows, not %d", at.play->name, at.frame,
                             sizes[size].width, sizes[size].rows, page_height(p), height);
                height = page_height(p);
                page_free(p);
            }
        }
}

/* Line by line, a frame says where its bytes are. */
static void states_are_said(void **state) {
    static const struct {
        const char *play, *sentence;
        uint32_t frame;
        double bytes;
    } rows[] = {
        {"ring-all-reduce", "Rank 3 sends rank 0 chunk b, 2 of 4 shares.", 3, 0},
        {"ring-all-reduce", "Rank 0 now has chunk b, 3 of 4 shares.", 4, 0},
        {"ring-all-reduce", "Each rank has sent 6 × S/4, which is 21.0 GB.", 99, 14e9},
        {"ring-all-gather", "Rank 1 now has chunk a, finished.", 2, 0},
        {"tree-all-reduce", "Rank 3 sends rank 2 the array, 1 of 4 shares.", 1, 0},
        {"tree-all-reduce", "The busiest rank has sent 2 × S.", 99, 0},
        {"buckets", "Bucket A: 200 MB of 200 MB, full, and leaves now.", 2, 0},
        {"buckets", "My shard: 50.0 MB of 100 MB.", 4, 0},
        {"buckets", "The highest so far: 350 MB.", 99, 0},
        {"gather-use-free", "Arriving: block 0.", 1, 0},
        {"gather-use-free", "Kept: a shard of each unit, ", 1, 0},
        {"gather-use-free", "The highest so far, gradient included: 1.21 GB.", 99, 0},
        {"pipeline", "Stage 0: forward of micro-batch 3. It keeps 3.", 3, 0},
        {"pipeline", "Stage 3 waits. It keeps 0.", 3, 0},
        {"pipeline", "The bubble is (p − 1)/(m + p − 1) = 3/11 of the step.", 99, 0},
        {"pipeline", "Stage 3 kept the activations of at most 8 micro-batches.", 99, 0},
        {"tensor-layer", "Each rank has one of 4 partial sums of every element.", 4, 0},
        {"tensor-layer", "So far a rank has sent 403 MB.", 99, 0},
        {"experts", "Rank 1 has 8 of the 16 copies for its experts, and has sent 16.8 MB.", 2, 0},
        {"flat-buffer", "b has 2 elements, from 6 to 7, padded to 4.", 0, 0},
        {"flat-buffer", "Rank 3 gets element 9, and 2 of padding.", 9, 0},
        {"experts", "Rank 3 computed 16 copies and sent 101 MB.", 99, 0},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        struct page *p = page_new(200, false);
        json_t *spec = json_pack("{ss ss sI sf}", "kind", "play", "play", rows[i].play, "frame",
                                 (json_int_t)rows[i].frame, "bytes", rows[i].bytes);
        if (!page_figure_words(p, (struct page_flow){.width = 200}, spec, &m))
            fail_msg("%s", m.what);
        char *text = page_to_text(p);
        if (!strstr(text, rows[i].sentence)) fail_msg("no \"%s\":\n%s", rows[i].sentence, text);
        free(text);
        json_decref(spec);
        page_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_use_their_size),
        cmocka_unit_test(links_show_where_they_lead),
        cmocka_unit_test(frames_stay_where_the_first_is),
        cmocka_unit_test(notes_keep_their_place),
        cmocka_unit_test(states_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
