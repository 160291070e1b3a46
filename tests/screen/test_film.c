/* Films: README's pictures in motion are what the program draws, frame by frame. */
#include "place.h"
#include "screen/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* src/pictures.sh films with the same keys, but for those that set the speed. */
static const struct film {
    const char *name, *lesson, *keys, *film;
    size_t frames;
} FILMS[] = {
    {"ring", "1.4", "]<Home>+++", "<Space>3", 15},
    {"apart", "1.3", "]]]]<Left>", "<Right><Right><Right>", 19},
};
/* Between the title, which counts the lesson's steps, and the player's row, which says the speed:
 * rows 1 and 22 of an SVG. */
enum { FIRST_Y = 14 + 20, PLAYER_Y = 14 + 22 * 20 };

/* Where an element of the picture is: `y="29"`, or of shapes `M14 29`; -1 if it is nowhere. */
static int y_of(const char *line) {
    const char *y = strstr(line, " y=\""), *path = strstr(line, "d=\"M");
    if (y) return atoi(y + 4);
    return path ? atoi(strchr(path, ' ') + 1) : -1;
}

/* The elements between the title and the player's row, frame by frame, without the times of the
 * frames; the caller's. */
static char *pictured(const char *svg, size_t *frames) {
    struct base_text all = {0};
    *frames = 0;
    for (const char *line = svg, *end; (end = strchr(line, '\n')); line = end + 1) {
        char *one = base_format("%.*s", (int)(end - line), line);
        bool timed = *one == '#' || *one == '@';
        if (strncmp(one, "<g class", 8) == 0) ++*frames;
        int y = y_of(one);
        if (!timed && (y < 0 || (y >= FIRST_Y && y < PLAYER_Y)))
            base_text_printf(&all, "%s\n", one);
        free(one);
    }
    return base_text_take(&all);
}

static void readme_shows_what_is_drawn(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(FILMS); i++) {
        const struct film *f = &FILMS[i];
        struct base_message m = {0};
        struct screen_shot shot = {.lesson = f->lesson,
                                   .keys = f->keys,
                                   .film = f->film,
                                   .columns = 80,
                                   .rows = 24,
                                   .svg = true};
        char *path = base_format("data/pictures/%s.svg", f->name);
        size_t length, frames, kept_frames;
        char *kept = base_file_read(path, 500000, &length, &m);
        if (!kept) fail_msg("%s", m.what);
        place_open(NULL);
        place_course();
        char *svg = screen_picture(&shot, &m);
        place_close(NULL);
        if (!svg) fail_msg("%s: %s", f->name, m.what);
        char *now = pictured(svg, &frames), *then = pictured(kept, &kept_frames);
        assert_int_equal(kept_frames, f->frames);
        assert_int_equal(frames, f->frames);
        if (strcmp(now, then) != 0)
            fail_msg("%s is not what is drawn now: run `make pictures` and look at it", path);
        free(now);
        free(then);
        free(svg);
        free(kept);
        free(path);
    }
}

/* What moves is waited for, and a key is pressed when nothing moves any more. */
static void a_film_has_every_frame(void **state) {
    struct base_message m = {0};
    struct screen_shot shot = {.lesson = "tests/screen/lessons/labs.lua",
                               .keys = "<Home>+++",
                               .film = "<Space>3",
                               .columns = 80,
                               .rows = 24};
    (void)state;
    char *text = screen_picture(&shot, &m), place[40];
    if (!text) fail_msg("%s", m.what);
    const char *at = strstr(text, "start");
    for (int hop = 1; hop <= 6; hop++) {
        snprintf(place, sizeof place, "hop %d of 6", hop);
        assert_non_null(at);
        at = strstr(at, place);
    }
    assert_non_null(at);
    assert_non_null(strstr(text, "-- 15: "));
    assert_null(strstr(text, "-- 16: "));
    assert_null(strstr(text, ": 0 ms"));
    free(text);
}

static void says_what_keys_of_a_film_cannot_be_read(void **state) {
    struct base_message m = {0};
    struct screen_shot shot = {.keys = "", .film = "<Entr>", .columns = 80, .rows = 24};
    (void)state;
    assert_null(screen_picture(&shot, &m));
    assert_non_null(strstr(m.what, "unknown key <Entr>"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readme_shows_what_is_drawn),
        cmocka_unit_test_setup_teardown(a_film_has_every_frame, place_open, place_close),
        cmocka_unit_test_setup_teardown(says_what_keys_of_a_film_cannot_be_read, place_open,
                                        place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
