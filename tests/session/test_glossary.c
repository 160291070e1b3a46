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
    {"nothing of it", ""},       {"A rank, and all ranks.", "rank"},
    {"Rank 2", "rank"},          {"a frank rankle, rank_2 and a crank", ""},
    {"set to zero", ""},         {"**ZeRO** and `GiB`", "ZeRO GiB"},
    {"gib, and 4 GiBs", "GiB"},  {"the model\nstates of a rank", "rank model states"},
    {"the model of states", ""}, {"rank rank rank", "rank"},
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

/* A lesson that is not of the course has its own terms only; of the course's, those before it. */
static void reads_the_lessons_before_it(void **state) {
    struct base_message m = {0};
    struct session_word word[MOST];
    assert_false(session_glossary_waits(*state));
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = session_open(who, "1.3", &m);
    if (!s) fail_msg("%s", m.what);
    struct session_glossary *g = session_glossary_open(s);
    assert_int_equal(session_glossary_find(g, "a rank", word, MOST), 0);
    int read = 0;
    for (; session_glossary_waits(g); read++) session_glossary_read(g);
    assert_int_equal(read, 2);
    assert_int_equal(session_glossary_find(g, "a rank", word, MOST), 1);
    assert_int_equal(session_glossary_find(g, "reduce-scatter", word, MOST), 0);
    session_glossary_close(g);
    session_close(s);
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
        cmocka_unit_test_prestate(reads_the_lessons_before_it, g),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
    return failed;
}
