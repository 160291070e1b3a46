/* Screens without a terminal, compared with the text in golden/. `GENERATE=1 make test-screen`
 * writes what is drawn now; look at the difference before keeping it. */
#include "place.h"
#include "screen/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define TO_GUESS   "<Enter><Enter>"
#define TO_SLIDERS TO_GUESS "3<Enter><Enter>"
#define TO_END     TO_NUMBER "<F5><F5><F5><F5><F5>2<Enter><Enter><F5><Enter><Enter><Enter><Enter>"
#define TO_ALOUD   "/why does it not<Enter>"
#define WORDS                                                                                      \
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
#define MEMO  "tests/screen/lessons/memo.lua"
#define LABS  "tests/screen/lessons/labs.lua"
#define PLAYS "tests/screen/lessons/plays.lua"
#define CLIMB "tests/screen/lessons/stages.lua"
#define DOWN  "<Down><Down><Down><Down><Down><Down><Down><Down><Down><Down>"
#define BACK  "<Up><Up><Up><Up><Home>"
#define MANY                                                                                       \
    "We take stage 2. A GPU keeps 26 GB of parameters, 3.25 GB of gradients, 6.5 GB of master "    \
    "weights and 13 GB of moments, 48.75 GB in all; the peak is 40 GB."
#define TO_MEMO   "]<Enter>" DOWN
#define TO_CHOICE TO_MEMO "<Up><Up><Up><Up><Up><End>"
#define TO_NUMBER TO_SLIDERS "<Enter><Enter><F3><Enter>"

static const struct picture {
    const char *name, *lesson, *keys;
    int columns, rows;
    bool ascii;
} PICTURES[] = {
    {"home", NULL, "", 80, 24, false},
    {"home-narrow", NULL, "<Down>", 40, 12, false},
    {"home-wide", NULL, "<Down>", 120, 40, false},
    {"home-ascii", NULL, "", 80, 24, true},
    {"home-begun", NULL, "<Enter><Enter><Esc>", 80, 24, false},
    {"home-finished", NULL, "j<Enter><Enter><Enter><Esc>", 80, 24, false},
    {"progress", NULL, "<Enter>" TO_NUMBER "48<Enter><Esc>P", 80, 24, false},
    {"progress-narrow", NULL, "<Enter>" TO_NUMBER "48<Enter><Esc>P<resize:40x12>", 80, 24, true},
    {"progress-wide", NULL, "<Enter>" TO_NUMBER "48<Enter><Esc>P", 120, 40, false},
    {"progress-empty", NULL, "P", 80, 24, false},
    {"certificate", NULL, "<Enter>" TO_NUMBER "48<Enter><Esc>P<Enter>", 80, 24, false},
    {"certificate-wide", NULL, "<Enter>" TO_NUMBER "48<Enter><Esc>P<Enter>", 120, 40, false},
    {"certificate-narrow", NULL, "P<Enter><resize:40x12>", 80, 24, true},
    {"home-help", NULL, "?", 80, 24, false},
    {"read", "1.1", "", 80, 24, false},
    {"read-narrow", "1.1", "", 40, 12, false},
    {"read-narrow-end", "1.1", "<Enter>", 40, 12, false},
    {"read-wide", "1.1", "", 120, 40, false},
    {"read-widest", "1.1", "", 200, 60, false},
    {"read-sources", "1.1", "<F8>", 80, 24, false},
    {"ledger", "1.1", "<Enter>", 80, 24, false},
    {"ledger-ascii", "1.1", "<Enter>", 80, 24, true},
    {"guess", "1.1", TO_GUESS "<Down><Down>", 80, 24, false},
    {"sliders", "1.1", TO_SLIDERS "<Down><Right>", 80, 24, false},
    {"sliders-narrow", "1.1", "/sliders<Enter><Enter><Down><Right>", 40, 12, false},
    {"sliders-landed", CLIMB, "<Right>", 80, 24, false},
    {"sliders-back", CLIMB, "<Right><Right><Left>", 120, 40, false},
    {"sliders-widest", CLIMB, "<Right>", 200, 60, false},
    {"number", "1.1", TO_NUMBER "2*7", 80, 24, false},
    {"number-wide", "1.1", TO_NUMBER "2*7", 120, 40, false},
    {"number-empty", "1.1", TO_NUMBER "<Enter>", 80, 24, false},
    {"number-hint", "1.1", TO_NUMBER "16<F2>", 80, 24, false},
    {"number-below", "1.1", TO_NUMBER "<resize:60x12>48<Enter><PgDn><PgDn><Enter>5", 80, 24, false},
    {"number-wrong", "1.1", TO_NUMBER "48<Enter>", 80, 24, false},
    {"number-again", "1.1", TO_NUMBER "48<Enter><Enter>5", 80, 24, false},
    {"number-looked", "1.1", TO_NUMBER "48<Enter><Enter>5<F7>", 80, 24, false},
    {"guessed", "1.1", TO_GUESS "2<Enter>", 80, 24, false},
    {"guessed-narrow", "1.1", TO_GUESS "<Enter>2<Enter>", 40, 12, true},
    {"choice-wrong", "1.1", TO_NUMBER "<F5><F5>1<Enter>", 80, 24, false},
    {"choice-folded", "1.1", "/a choice<Enter>", 40, 12, false},
    {"worked", "1.1", TO_SLIDERS "<Enter>", 80, 24, false},
    {"worked-all", "1.1", TO_SLIDERS "<Enter><F3>", 80, 24, false},
    {"worked-all-ascii", "1.1", TO_SLIDERS "<Enter><F3>", 80, 24, true},
    {"worked-widest", "1.1", TO_SLIDERS "<Enter><Enter><Enter>", 200, 60, false},
    {"worked-narrow", "1.1", "/by hand<Enter>", 40, 12, false},
    {"number-unread", "1.1", TO_NUMBER "8*z<Enter><C-u>9*z<Enter>", 80, 24, false},
    {"number-hints", "1.1", TO_NUMBER "<F2><F2><F2><F2><F2>", 80, 24, false},
    {"number-worked", "1.1", TO_NUMBER "<F3>", 80, 24, false},
    {"bins-narrow", "1.1", "/bins<Enter><Down>", 40, 12, false},
    {"over", "1.1", TO_END, 80, 24, false},
    {"over-open", "1.1", TO_END "1", 80, 24, false},
    {"over-review", "1.1", TO_END "<Enter><Enter><Enter>", 80, 24, false},
    {"step-after", "1.1", "]]", 80, 24, false},
    {"aloud", "1.1", TO_ALOUD WORDS WORDS WORDS WORDS "<Up><Up>HERE", 80, 24, false},
    {"aloud-narrow", "1.1", TO_ALOUD WORDS WORDS WORDS "<Up>HERE", 40, 12, false},
    {"number-narrow", "1.1", "/a number<Enter>2*7", 40, 12, false},
    {"number-help", "1.1", TO_NUMBER "<F1>", 80, 24, false},
    {"number-help-wide", "1.1", TO_NUMBER "<F1>", 120, 40, false},
    {"home-help-low", NULL, "?<PgDn>", 112, 20, false},
    {"sheet", "1.1", TO_NUMBER "112<Enter><Enter>56", 80, 24, false},
    {"sheet-line", "1.1", TO_NUMBER "112<Enter><Enter>56<Enter>", 80, 24, false},
    {"sheet-widest", "1.1", TO_NUMBER "112<Enter><Enter>50<Enter><Enter>", 200, 60, false},
    {"sheet-wrong", "1.1", TO_NUMBER "112<Enter><Enter>50<Enter>", 80, 24, false},
    {"sheet-wrong-then-right", "1.1", TO_NUMBER "112<Enter><Enter>50<Enter><Enter>56<Enter>", 80,
     24, false},
    {"sheet-wrong-low", "1.1", TO_NUMBER "112<Enter><Enter><resize:40x12>48<Enter>", 80, 24, false},
    {"sheet-low", "1.1", TO_NUMBER "112<Enter><Enter><resize:40x12>48<Enter><Enter>", 80, 24,
     false},
    {"choice", "1.1", TO_NUMBER "<F5><F5>2", 80, 24, false},
    {"search", NULL, "/model states<Down>", 80, 24, false},
    {"search-nothing", NULL, "/zebra", 80, 24, false},
    {"search-opens", NULL, "/worksheet<Enter>", 80, 24, false},
    {"settings", NULL, "S<Down>", 80, 24, false},
    {"settings-wide", NULL, "Sjjjjjjj", 120, 40, false},
    {"settings-widest", NULL, "S", 200, 60, true},
    {"settings-changed", NULL, "S<Down><Right><Esc>", 80, 24, false},
    {"settings-other", NULL,
     "S<Down><Down><Down><Down><Right><Down><Down><Down><Down><Down><Right>", 80, 24, false},
    {"too-small", NULL, "<resize:30x6>", 80, 24, false},
    {"play", LABS, "<Home>", 80, 24, false},
    {"play-hop", LABS, "....+", 80, 24, false},
    {"play-asks", LABS, "...", 80, 24, false},
    {"play-told", LABS, "...2", 80, 24, false},
    {"play-passed", LABS, "...<Enter><Right>", 80, 24, true},
    {"play-eight", LABS, ">>>><End><End><Left>", 80, 24, false},
    {"play-eight-wide", LABS, ">>>><Right>", 120, 40, false},
    {"play-tall", LABS, "...<Enter> ", 200, 60, false},
    {"play-tall-six", LABS, ">>...<Enter> ", 200, 60, false},
    {"play-narrow", LABS, "<lt><Right><Right><Right>", 40, 12, true},
    {"play-narrow-eight", LABS, ">>>><Right>", 40, 12, false},
    {"play-runs", LABS, "++++", 80, 24, false},
    {"play-slots-ask", PLAYS, "..", 80, 24, false},
    {"play-slots-pieces", PLAYS, ">><End><End>", 120, 40, false},
    {"play-slots-four", PLAYS, ">>><End><End>", 80, 24, false},
    {"play-slots-zero", PLAYS, "<lt><lt><End><End>", 80, 24, false},
    {"play-slots-zero-wide", PLAYS, "<lt><lt><End><End>", 120, 40, false},
    {"play-slots-h2", PLAYS, "<lt><End><End>", 80, 24, false},
    {"play-slots-h2-eight", PLAYS, "<lt>)}<End><End>", 80, 24, false},
    {"play-slots-h2-wide", PLAYS, "<lt><End><End>", 120, 40, false},
    {"play-slots-no", PLAYS, "{{>>", 80, 24, false},
    {"play-slots-eight", PLAYS, ")}<End><End>", 80, 24, false},
    {"play-slots-narrow", PLAYS, "..<Enter><Enter>.....", 40, 12, true},
    {"play-tiers", PLAYS, "].....", 80, 24, false},
    {"play-tiers-nvme", PLAYS, "]><End><Left>", 120, 40, false},
    {"play-tiers-narrow", PLAYS, "].....", 40, 12, false},
    {"play-tiers-small", PLAYS, "])}<End>", 60, 18, true},
    {"play-help", LABS, "?", 80, 24, false},
    {"lab-guess", LABS, "]", 80, 24, false},
    {"lab-run", LABS, "]2<Enter>", 80, 24, false},
    {"lab-skipped", LABS, "]2<Enter><F5>", 80, 24, false},
    {"lab-passed", LABS, "]<F5>", 80, 24, false},
    {"labs", NULL, "l<Down>", 80, 24, false},
    {"labs-narrow", NULL, "l", 40, 12, true},
    {"lab-asked-widest", NULL, "l<Enter>", 200, 60, false},
    {"labs-wide", NULL, "l<Down>", 120, 40, false},
    {"labs-capstone", NULL, "l<End>", 120, 40, false},
    {"memo-asked", MEMO, "]", 80, 24, false},
    {"memo-asked-narrow", MEMO, "]<Enter>", 40, 12, true},
    {"memo", MEMO, TO_MEMO, 80, 24, false},
    {"memo-ledger", MEMO, TO_CHOICE "stage 2<Tab><Tab>", 80, 24, false},
    {"memo-planner", MEMO, TO_MEMO "<Tab><Tab><Tab>", 80, 24, false},
    {"memo-sum", MEMO, TO_MEMO "<F4>2*13G + 14*13G/8", 80, 24, false},
    {"memo-sum-seen", MEMO, TO_MEMO "<F4>2*13G + 14*13G/8<Enter>", 80, 24, false},
    {"memo-sum-put", MEMO, TO_MEMO "<F4>2*13G + 14*13G/8<Enter><Enter>", 80, 24, false},
    {"memo-find", MEMO, TO_MEMO "<C-f>stage", 80, 24, false},
    {"memo-find-narrow", MEMO, "]<Enter><Enter><C-f>nowhere", 40, 12, true},
    {"memo-find-wide", MEMO, TO_MEMO "<C-f>stage<Enter>", 120, 40, false},
    {"memo-narrow", MEMO, "]<Enter><Enter>" DOWN "We take stage 2.<Tab>", 40, 12, false},
    {"memo-wide", MEMO,
     TO_CHOICE "stage 2<Down><Down><Down><Down><Down>Stage 2 keeps 48.75 GiB of model states.<F2>",
     120, 40, false},
    {"memo-next", MEMO, TO_MEMO MANY BACK "<F2>", 80, 24, false},
    {"memo-next-narrow", MEMO, "]<Enter><Enter>" DOWN MANY BACK "<F2>", 40, 12, false},
    {"memo-next-wide", MEMO, TO_MEMO MANY BACK "<F2><F2>", 120, 40, false},
    {"memo-low", MEMO, TO_CHOICE "stage 2", 120, 24, false},
    {"memo-ascii", MEMO, TO_MEMO "We keep Ψ × 2 B — 26 GB.", 80, 24, true},
    {"memo-undone", MEMO, TO_MEMO "one two<C-x><F9>", 80, 24, false},
    {"memo-checked", MEMO, TO_MEMO "<Esc><Enter>", 80, 24, false},
    {"small-and-back", "1.1", "<resize:8x2>q<resize:80x24>", 80, 24, false},
};

static char *draw(const struct picture *p) {
    struct base_message m = {0};
    struct screen_shot shot = {.lesson = p->lesson,
                               .keys = p->keys,
                               .columns = p->columns,
                               .rows = p->rows,
                               .ascii = p->ascii};
    char *text = screen_picture(&shot, &m);
    if (!text) fail_msg("%s: %s", p->name, m.what);
    return text;
}

static void compare(const char *name, const char *path, const char *drawn) {
    struct base_message m;
    size_t length;
    char *golden = base_file_read(path, 1 << 20, &length, &m);
    if (!golden) fail_msg("%s: %s", name, m.what);
    if (strcmp(golden, drawn) != 0) {
        fprintf(stderr, "%s is drawn otherwise than in %s.\nwanted:\n%s\ndrawn:\n%s", name, path,
                golden, drawn);
        fail();
    }
    free(golden);
}

static void is_drawn_as_before(void **state) {
    const struct picture *p = *state;
    struct base_message m;
    char *path = base_format("tests/screen/golden/%s.txt", p->name);
    place_open(NULL);
    char *drawn = draw(p);
    place_close(NULL);
    if (getenv("GENERATE"))
        assert_true(base_file_write(path, drawn, strlen(drawn), &m));
    else
        compare(p->name, path, drawn);
    free(drawn);
    free(path);
}

/* A course of several phases, of which the first is open. */
static const struct picture MIXED[] = {
    {"mixed-home", NULL, "", 80, 24, false},
    {"mixed-home-ascii", NULL, "jjj", 80, 24, true},
    {"mixed-home-narrow", NULL, "jjjj", 40, 12, false},
    {"mixed-gate", NULL, "jjjj<Enter>j", 80, 24, false},
    {"mixed-gate-narrow", NULL, "jjjj<Enter>", 40, 12, true},
    {"mixed-gate-help", NULL, "jjjj<Enter>?", 80, 24, false},
    {"mixed-opened", NULL, "jjjj<Enter>j<Enter><Enter><Esc>", 80, 24, false},
};

/* The course itself, as a newcomer meets it: the welcome, and the first guess. */
static const struct picture COURSE[] = {
    {"first-home", NULL, "", 80, 24, false},
    {"first-home-wide", NULL, "<Down>", 120, 40, false},
    {"first-home-tall", NULL, "", 200, 60, false},
    {"first-home-low", NULL, "", 60, 18, false},
    {"first-home-narrow", NULL, "<Down>", 40, 12, true},
    {"first-home-ascii", NULL, "", 80, 24, true},
    {"first-lessons", NULL, "<Tab>", 80, 24, false},
    {"first-begun-wide", NULL, "<Enter><F5><Enter><Esc>", 120, 40, false},
    {"first-asked", "1.1", "", 80, 24, false},
    {"first-typed-low", "1.1", "5", 40, 12, false},
    {"first-asked-low", "1.1", "<Enter><Enter>", 40, 12, false},
    {"first-guess", "1.1", "56<Enter>", 80, 24, false},
    {"first-between", "1.1", "40<Enter>", 80, 24, false},
    {"first-no-idea", "1.1", "<F5>", 80, 24, false},
    {"first-again", "1.1", "56<Enter>a", 80, 24, false},
    {"first-guess-wide", "1.1", "56<Enter>", 120, 40, false},
    {"first-guess-ascii", "1.1", "56<Enter>", 80, 24, true},
    {"first-guess-narrow", "1.1", "56<Enter>", 40, 12, false},
    {"curve", "2.3", "]]]]]]]]", 80, 24, false},
    {"curve-ascii", "2.3", "]]]]]]]]", 80, 24, true},
    {"curve-wide", "2.3", "]]]]]]]]", 120, 40, false},
    {"curve-widest", "2.3", "]]]]]]]]", 200, 60, false},
    {"long-question", "2.1", "]...", 80, 24, false},
    {"long-question-narrow", "2.1", "]...", 40, 12, true},
    {"long-question-over", "3.3", "]]]]]<F5>..", 40, 12, false},
};

/* What can be looked up in the course, and what a learner adds to it. */
#define TO_CUTS  "]]"
#define WROTE    TO_CUTS "bAAsk about the tied embedding<Enter>"
#define TO_NOTES WROTE "<Esc><Tab>B"
static const struct picture LOOKED_UP[] = {
    {"look-glossary", NULL, "g", 80, 24, false},
    {"look-glossary-wide", NULL, "gband<Down>", 120, 40, false},
    {"look-glossary-widest", NULL, "g<Down><Down>", 200, 60, false},
    {"look-glossary-ascii", NULL, "gstage", 60, 18, true},
    {"look-term", "1.3", TO_CUTS "g<Right>", 80, 24, false},
    {"look-term-wide", "1.3", TO_CUTS "g", 120, 40, false},
    {"look-term-widest", "1.3", TO_CUTS "g", 200, 60, false},
    {"look-term-narrow", "1.3", TO_CUTS "g", 40, 12, true},
    {"look-term-related", "1.3", TO_CUTS "g<Right><Right>1", 80, 24, false},
    {"look-term-asked", "1.3", "g", 80, 24, false},
    {"look-term-typing", "1.1", "<F12>", 80, 24, false},
    {"look-questions", NULL, "f", 80, 24, false},
    {"look-questions-wide", NULL, "f", 120, 40, false},
    {"look-questions-widest", NULL, "f<Down><Down><Down>", 200, 60, false},
    {"look-question", NULL, "f<Down><Enter>", 80, 24, false},
    {"look-question-ascii", NULL, "f<Down><Enter>", 80, 24, true},
    {"look-question-narrow", NULL, "f<Enter><Down><Down>", 40, 12, false},
    {"look-search", NULL, "<Tab>/gather", 80, 24, false},
    {"look-search-wide", NULL, "<Tab>/gather<Down>", 120, 40, false},
    {"look-search-widest", NULL, "<Tab>/accumulation<Down><Down>", 200, 60, false},
    {"look-note-writing", "1.3", TO_CUTS "AAsk about the tied embedding", 80, 24, false},
    {"look-note-wide", "1.3", WROTE, 120, 40, false},
    {"look-note-kept", "1.3", WROTE, 80, 24, false},
    {"look-notes", "1.3", TO_NOTES, 80, 24, false},
    {"look-notes-wide", "1.3", TO_NOTES, 120, 40, false},
    {"look-notes-ascii", "1.3", TO_NOTES, 60, 18, true},
    {"look-notes-opens", "1.3", TO_NOTES "<Enter>", 80, 24, false},
    {"look-notes-none", NULL, "<Tab>B", 80, 24, false},
};

static void are_drawn_as_before(const struct picture *p, size_t count, void (*course)(void)) {
    struct base_message m;
    for (size_t i = 0; i < count; i++) {
        char *path = base_format("tests/screen/golden/%s.txt", p[i].name);
        place_open(NULL);
        course();
        char *drawn = draw(&p[i]);
        place_close(NULL);
        if (getenv("GENERATE"))
            assert_true(base_file_write(path, drawn, strlen(drawn), &m));
        else
            compare(p[i].name, path, drawn);
        free(drawn);
        free(path);
    }
}

static void the_phases_are_drawn_as_before(void **state) {
    (void)state;
    are_drawn_as_before(MIXED, BASE_COUNT(MIXED), place_mixed);
}

static void the_first_minute_is_drawn_as_before(void **state) {
    (void)state;
    are_drawn_as_before(COURSE, BASE_COUNT(COURSE), place_course);
}

static void what_is_looked_up_is_drawn_as_before(void **state) {
    (void)state;
    are_drawn_as_before(LOOKED_UP, BASE_COUNT(LOOKED_UP), place_course);
}

static void saves_svg(void **state) {
    struct base_message m = {0};
    struct screen_shot shot = {.keys = "", .columns = 80, .rows = 24, .svg = true};
    (void)state;
    char *svg = screen_picture(&shot, &m);
    assert_non_null(svg);
    assert_non_null(strstr(svg, "<svg"));
    assert_non_null(strstr(svg, "everything"));
    free(svg);
}

static void says_what_keys_cannot_be_read(void **state) {
    struct base_message m = {0};
    struct screen_shot shot = {.keys = "<Entr>", .columns = 80, .rows = 24};
    (void)state;
    assert_null(screen_picture(&shot, &m));
    assert_non_null(strstr(m.what, "unknown key <Entr>"));
}

static void says_what_lesson_there_is_not(void **state) {
    struct base_message m = {0};
    struct screen_shot shot = {.lesson = "7.7", .keys = "", .columns = 80, .rows = 24};
    (void)state;
    assert_null(screen_picture(&shot, &m));
    assert_non_null(strstr(m.what, "7.7"));
}

int main(void) {
    enum { PICTURES_COUNT = BASE_COUNT(PICTURES) };
    struct CMUnitTest tests[PICTURES_COUNT + 6] = {
        cmocka_unit_test(the_phases_are_drawn_as_before),
        cmocka_unit_test(the_first_minute_is_drawn_as_before),
        cmocka_unit_test(what_is_looked_up_is_drawn_as_before),
        cmocka_unit_test_setup_teardown(saves_svg, place_open, place_close),
        cmocka_unit_test_setup_teardown(says_what_keys_cannot_be_read, place_open, place_close),
        cmocka_unit_test_setup_teardown(says_what_lesson_there_is_not, place_open, place_close),
    };
    for (size_t i = 0; i < PICTURES_COUNT; i++)
        tests[i + 6] = (struct CMUnitTest){.name = PICTURES[i].name,
                                           .test_func = is_drawn_as_before,
                                           .initial_state = (void *)(uintptr_t)&PICTURES[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
