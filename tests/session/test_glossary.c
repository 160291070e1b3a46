/* Which of the terms that lessons explain a text has. */
#include "session/session.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* Against the glossary of tests/screen/lessons/wide.lua. */
static const struct {
    const char *text, *terms;
} TEXTS[] = {
    {"nothing of it", ""},
    {"A rank, and all ranks.", "rank"},
    {"Rank 2", "rank"},
    {"a frank rankle, rank_2 and a crank", ""},
    {"set to zero", ""},
    {"**ZeRO** and `GiB`", "ZeRO GiB"},
    {"gib, and 4 GiBs", "GiB"},
    {"the model\nstates of a rank", "rank model states"},
    {"the model of states", ""},
    {"rank rank rank", "rank"},
    {"src/lab/rank.c, ranks.c", ""},
    {"a rank.", "rank"},
};

static void finds_words_and_plurals(void **state) {
    struct session_glossary *g = *state;
    for (size_t i = 0; i < BASE_COUNT(TEXTS); i++) {
        struct session_word word[MOST];
        struct base_text terms = {0};
        size_t n = session_glossary_find(g, TEXTS[i].text, word, MOST);
        for (size_t k = 0; k < n; k++) base_text_printf(&terms, "%s%s", k ? " " : "", word[k].term);
        char *found = base_text_take(&terms);
        if (strcmp(found, TEXTS[i].terms) != 0) fail_msg("\"%s\" has \"%s\"", TEXTS[i].text, found);
        free(found);
    }
}

static void takes_no_more_than_it_may(void **state) {
    struct session_word word[1];
    assert_int_equal(session_glossary_find(*state, "ZeRO, ranks, GiB", word, 1), 1);
    assert_string_equal(word[0].term, "ZeRO");
    assert_string_equal(word[0].means, "Zero Redundancy Optimizer: ranks divide the states.");
}

/* A text's first place of each term, the longest that begins there, in the text's order. */
static void finds_where_terms_are(void **state) {
    static const char text[] = "Ranks. A GiB; the model\nstates of ranks";
    struct session_spot spot[MOST];
    const struct {
        const char *term, *words;
    } is[] = {{"rank", "Ranks"}, {"GiB", "GiB"}, {"model states", "model\nstates"}};
    assert_int_equal(session_glossary_spots(*state, text, spot, MOST), BASE_COUNT(is));
    for (size_t i = 0; i < BASE_COUNT(is); i++) {
        assert_string_equal(session_glossary_word(*state, spot[i].which).term, is[i].term);
        assert_int_equal(spot[i].length, strlen(is[i].words));
        assert_memory_equal(text + spot[i].at, is[i].words, spot[i].length);
    }
}

/* A lesson that is not of the course has its own terms only; of the course's, those that it and the
 * lessons before it teach. */
static void reads_the_terms_of_the_lessons_before_it(void **state) {
    struct base_message m = {0};
    struct session_word word[MOST];
    assert_false(session_glossary_waits(*state));
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = session_open(who, "1.3", &m);
    if (!s) fail_msg("%s", m.what);
    struct session_glossary *g = session_glossary_open(s);
    assert_true(session_glossary_waits(g));
    assert_int_equal(session_glossary_find(g, "a rank", word, MOST), 0);
    session_glossary_read(g);
    assert_false(session_glossary_waits(g));
    assert_int_equal(session_glossary_find(g, "a rank", word, MOST), 1);
    assert_int_equal(session_glossary_find(g, "DDP", word, MOST), 1);
    assert_string_equal(word[0].term, "data parallel");
    assert_int_equal(session_glossary_find(g, "reduce-scatter", word, MOST), 0);
    session_glossary_close(g);
    g = session_glossary_open(s); /* it was read before */
    assert_false(session_glossary_waits(g));
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
}

/* "bus bandwidth" is no "bandwidth". */
static void the_longest_term_is_found(void **state) {
    struct base_message m = {0};
    struct session_word word[MOST];
    (void)state;
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = session_open(who, "2.5", &m);
    struct session_glossary *g = session_glossary_open(s);
    session_glossary_read(g);
    assert_int_equal(session_glossary_find(g, "the bus bandwidth", word, MOST), 1);
    assert_string_equal(word[0].term, "bus bandwidth");
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
}

/* "stage" is ZeRO's, but on a page of pipeline stages it is one of those. */
static void a_short_word_is_the_term_that_the_text_has_in_full(void **state) {
    static const struct {
        const char *text, *terms;
    } cases[] = {
        {"Under stage 2 ranks communicate in every micro-batch.", "stage"},
        {"A stage waits. All pipeline\nstages hold layers, stage 1 too.", "pipeline stage"},
        {"Pipeline stages under ZeRO", "pipeline stage ZeRO"},
        {"a pipeline, and a stage", "pipeline parallel stage"},
    };
    struct base_message m = {0};
    (void)state;
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = session_open(who, "3.3", &m);
    struct session_glossary *g = session_glossary_open(s);
    session_glossary_read(g);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct session_spot spot[MOST];
        struct base_text terms = {0};
        size_t n = session_glossary_spots(g, cases[i].text, spot, MOST);
        for (size_t k = 0; k < n; k++) {
            const char *term = session_glossary_word(g, spot[k].which).term;
            if (strstr("pipeline stage pipeline parallel ZeRO", term))
                base_text_printf(&terms, "%s%s", terms.length ? " " : "", term);
        }
        char *found = base_text_take(&terms);
        assert_string_equal(found, cases[i].terms);
        free(found);
    }
    /* so the play of a pipeline has it in full */
    const struct lesson *l = session_lesson(s);
    const json_t *play = lesson_step(l, lesson_find(l, "slots-of-a-pipeline"));
    struct session_spot spot[MOST];
    size_t n = session_glossary_spots(g, base_json_text(play, "text", ""), spot, MOST), k = 0;
    while (k < n && strcmp(session_glossary_word(g, spot[k].which).term, "pipeline stage") != 0)
        k++;
    assert_true(k < n);
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
}

/* ── the course's own ──────────────────────────────────────────────────────────────────────────*/
/* Whether the file of the session's lesson has the word, in whatever text. */
static bool uses(const struct session *s, const struct lesson_course *c, const char *term) {
    struct session_glossary *g = session_glossary_open(s);
    struct session_spot spot[200];
    size_t length, i = 0;
    while (strcmp(c->lesson[i].id, lesson_id(session_lesson(s))) != 0) i++;
    char *path = base_format("lessons/%s", c->lesson[i].file);
    char *text = base_file_read(path, 1 << 20, &length, NULL);
    session_glossary_read(g);
    size_t n = session_glossary_spots(g, text, spot, BASE_COUNT(spot));
    for (i = 0; i < n && strcmp(session_glossary_word(g, spot[i].which).term, term) != 0;) i++;
    session_glossary_close(g);
    free(text);
    free(path);
    return i < n;
}

static void each_term_is_used_in_the_lesson_that_teaches_it(void **state) {
    struct base_message m = {0};
    struct base_text missing = {0};
    size_t i;
    const json_t *term;
    (void)state;
    struct learner *who = session_learner_open(NULL, &m);
    const json_t *book = session_book(who, SESSION_GLOSSARY, &m);
    if (!book) fail_msg("%s:%d %s", m.file, m.line, m.what);
    assert_true(json_array_size(book) > 60);
    json_array_foreach(book, i, term) {
        const char *lesson = base_json_text(term, "lesson", ""),
                   *name = base_json_text(term, "term", "");
        struct session *s = session_open(who, lesson, &m);
        if (!s) fail_msg("%s: %s", name, m.what);
        if (!uses(s, session_learner_course(who), name))
            base_text_printf(&missing, " %s: '%s'", lesson, name);
        session_close(s);
    }
    if (missing.s) fail_msg("not used where they are taught:%s", missing.s);
    session_learner_close(who);
}

static void each_question_leads_to_a_step(void **state) {
    struct base_message m = {0};
    size_t i;
    const json_t *q;
    (void)state;
    struct learner *who = session_learner_open(NULL, &m);
    const json_t *book = session_book(who, SESSION_QUESTIONS, &m);
    if (!book) fail_msg("%s:%d %s", m.file, m.line, m.what);
    assert_int_equal(json_array_size(book), 15);
    json_array_foreach(book, i, q) {
        struct session *s = session_open(who, base_json_text(q, "lesson", ""), &m);
        if (!s) fail_msg("%s", m.what);
        const struct lesson *l = session_lesson(s);
        const char *step = base_json_text(q, "step", "");
        if (lesson_find(l, step) == lesson_steps(l)) fail_msg("%s has no %s", lesson_id(l), step);
        session_close(s);
    }
    session_learner_close(who);
}

int main(void) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = who ? session_open(who, "tests/screen/lessons/wide.lua", &m) : NULL;
    if (!s) fatal("%s", m.what);
    struct session_glossary *g = session_glossary_open(s);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(finds_words_and_plurals, g),
        cmocka_unit_test_prestate(takes_no_more_than_it_may, g),
        cmocka_unit_test_prestate(finds_where_terms_are, g),
        cmocka_unit_test_prestate(reads_the_terms_of_the_lessons_before_it, g),
        cmocka_unit_test(the_longest_term_is_found),
        cmocka_unit_test(a_short_word_is_the_term_that_the_text_has_in_full),
        cmocka_unit_test(each_term_is_used_in_the_lesson_that_teaches_it),
        cmocka_unit_test(each_question_leads_to_a_step),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
    return failed;
}
