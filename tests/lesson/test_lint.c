/* Lint: a whole lesson is clean; each thing taken away or broken is found, and named. */
#include "lesson/fake.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { SEEDS = 20 };

struct said {
    struct base_text findings, worst;
};

static void hear(void *to, const struct base_message *m) {
    char text[700];
    base_text_printf(&((struct said *)to)->findings, "%s\n",
                     base_message_text(m, text, sizeof text));
}

static void hear_worst(void *to, const char *line) {
    base_text_printf(&((struct said *)to)->worst, "%s\n", line);
}

/* ── what is done to the lesson ────────────────────────────────────────────────────────────────*/
enum change { DROP, SET, ASIDE, VARIANTS, TOP };

#define SOURCE "\"source\":{\"first\":1,\"lines\":[\"int a;\",\"int b;\"]}"

/* DROP: step `where` goes. SET: `json`'s members go into it. ASIDE: every problem is for reviews.
 * VARIANTS: function `where` gives `json`. TOP: into the lesson. */
static const struct {
    enum change change;
    const char *where, *json, *says;
} CHANGES[] = {
    {DROP, "guess", NULL, "opens with a predict step"},
    {DROP, "move", NULL, "has an explore step"},
    {DROP, "worked", NULL, "has a worked step"},
    {DROP, "order", NULL, "at least six problems"},
    {DROP, "sheet", NULL, "must lead to a problem of form sheet"},
    {ASIDE, NULL, NULL, "at least three problems must be asked"},
    {SET, "recap", "{\"further\":null}", "the recap needs `further`"},
    {SET, "sixteen", "{\"text\":\"One two three.\",\"briefly\":\"One two.\"}",
     "step 'sixteen': `briefly` has 2 words, and `text` 3: half as many at most"},
    {SET, "sixteen", "{\"text\":\"One two three.\",\"slowly\":\"One. Two.\"}",
     "`slowly` has 2 words, and `text` 3: it says no less"},
    {SET, "sixteen",
     "{\"slowly\":\"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m "
     "n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v w x y z.\"}",
     "`slowly` has 78 words in 1 sentences: 18 each at most"},
    {SET, "sixteen",
     "{\"kind\":\"read\",\"file\":\"src/x.c\",\"source\":{\"missing\":\"src/x.c has no "
     "marker\"},\"notes\":[{\"lines\":\"1\",\"has\":\"a\",\"text\":\"t\"}]}",
     "step 'sixteen': src/x.c has no marker"},
    {SET, "sixteen",
     "{\"kind\":\"read\",\"file\":\"src/x.c\"," SOURCE
     ",\"notes\":[{\"has\":\"int c\",\"text\":\"t\"}]}",
     "note 1: no line of what src/x.c shows says 'int c'"},
    {SET, "sixteen",
     "{\"kind\":\"read\",\"file\":\"src/x.c\"," SOURCE
     ",\"notes\":[{\"lines\":\"1\",\"has\":\"int b\",\"text\":\"t\"}]}",
     "lines 1 to 1 of what src/x.c shows do not say 'int b'"},
    {SET, "sixteen",
     "{\"kind\":\"read\",\"file\":\"src/x.c\"," SOURCE
     ",\"notes\":[{\"lines\":\"2-3\",\"has\":\"int b\",\"text\":\"t\"}]}",
     "is about lines 2 to 3, and src/x.c shows 2"},
    {SET, "sixteen",
     "{\"kind\":\"read\",\"file\":\"src/x.c\"," SOURCE
     ",\"notes\":[{\"lines\":\"2\",\"text\":\"t\"}]}",
     "note 1 needs `has`"},
    {DROP, "myth", NULL, "has a myth step"},
    {SET, "myth", "{\"title\":null}", "a myth needs a title"},
    {DROP, "aloud", NULL, "has a say_aloud step"},
    {SET, "aloud", "{\"title\":null}", "a say_aloud step needs a title"},
    {DROP, "cards", NULL, "5 to 8 cards"},
    {DROP, "recap", NULL, "ends with a recap step"},
    {TOP, "", "{\"title\":\"\"}", "needs its title"},
    {TOP, "", "{\"stop\":\"guess\"}", "needs `stop`"},
    {TOP, "", "{\"stop\":\"none\"}", "needs `stop`"},
    {SET, "number", "{\"about\":[\"no-master\"],\"line\":40}", "three different mistakes"},
    {SET, "number", "{\"about\":[\"no-masster\"],\"line\":40}",
     "whole.lua:40: step 'number': 'about' names an unknown mistake, 'no-masster'"},
    {SET, "number", "{\"about\":[\"cluster\",\"per-gpu\"]}", "'per-gpu' cannot be told apart"},
    {SET, "number", "{\"hints\":[\"one\"]}", "two hints"},
    {SET, "sheet", "{\"blank\":[\"moments\",\"total\",\"sum\"]}", "'blank' names 'sum'"},
    {SET, "aloud", "{\"points\":[\"one\"]}", "3 to 5 points"},
    {SET, "cards",
     "{\"cards\":[{\"id\":\"a\",\"front\":\"f\",\"back\":\"b\"},{\"id\":\"a\",\"front\":\"f\","
     "\"back\":\"b\"}]}",
     "two cards are called 'a'"},
    {VARIANTS, "3",
     "[{\"ask\":\"?\",\"choices\":[{\"text\":\"a\",\"because\":\"b\"},{\"text\":\"b\",\"because\":"
     "\"b\"}]}]",
     "exactly one choice must be right, not 0"},
    {VARIANTS, "3", "[{\"ask\":\"?\",\"choices\":[]}]", "a list of 2 to"},
    {VARIANTS, "4", "[{\"ask\":\"?\",\"items\":[\"a\",\"b\"]}]", "needs a 'because'"},
    {VARIANTS, "5",
     "[{\"ask\":\"?\",\"bins\":[\"a\",\"b\"],\"items\":[{\"text\":\"t\",\"because\":\"b\",\"bin\":"
     "3},{\"text\":\"t\",\"because\":\"b\",\"bin\":1}]}]",
     "'bin' must be 1 to 2"},
    {VARIANTS, "1", "[{\"fail\":\"out of words\"}]", "fake.lua:30: out of words"},
    {VARIANTS, "1", "[7]", "vary must return a table"},
    {VARIANTS, "1", "[{\"ask\":\"?\"}]", "vary must return a 'problem'"},
    {VARIANTS, "1",
     "[{\"ask\":\"?\",\"problem\":{\"kind\":\"bytes\",\"training\":{\"params\":7e9,\"gpus\":0}}}]",
     "gpus"},
};

static json_t *step_of(json_t *lesson, const char *id, size_t *at) {
    json_t *steps = json_object_get(lesson, "steps"), *step;
    for (*at = 0; (step = json_array_get(steps, *at)) != NULL; ++*at)
        if (strcmp(base_json_text(step, "id", ""), id) == 0) return step;
    fatal("there is no step %s", id);
}

static void put_aside(json_t *steps) {
    size_t i;
    json_t *step;
    json_array_foreach(steps, i, step) if (strcmp(json_string_value(json_object_get(step, "kind")),
                                                  "problem") == 0)
        json_object_set_new(step, "review", json_true());
}

static void change(json_t *whole, enum change change, const char *where, const char *text) {
    json_t *lesson = json_object_get(whole, "lesson"),
           *json = text != NULL ? fake_json(text) : NULL;
    size_t at;
    switch (change) {
    case DROP:
        step_of(lesson, where, &at);
        json_array_remove(json_object_get(lesson, "steps"), at);
        break;
    case SET: json_object_update(step_of(lesson, where, &at), json); break;
    case ASIDE: put_aside(json_object_get(lesson, "steps")); break;
    case VARIANTS:
        json_array_set(json_object_get(whole, "variants"), strtoul(where, NULL, 10), json);
        break;
    case TOP: json_object_update(lesson, json); break;
    }
    json_decref(json);
}

/* The fake, slowed down, or one that keeps something between calls. */
struct wayward {
    struct fake_source fake;
    int slow_ms;
    /* gives another variant each time; gives the first one for ever */
    bool counts, remembers;
    uint64_t asked;
};

static json_t *wayward_call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct wayward *w = self;
    struct lesson_source fake = fake_source(&w->fake);
    if (w->slow_ms > 0) usleep((useconds_t)w->slow_ms * 1000);
    if (w->remembers && w->asked > 0) seed = w->asked;
    w->asked = w->counts ? w->asked + 1 : seed;
    return fake.call(fake.self, fn, w->counts ? w->asked : seed, m);
}

static void wayward_restart(void *self) {
    struct wayward *w = self;
    if (w->remembers) w->asked = 0;
}

static size_t lint_with(const json_t *whole, struct wayward *source, int seeds, struct said *said) {
    struct base_message m = {0};
    struct lesson *l = lesson_read(json_object_get(whole, "lesson"), "whole.lua", &m);
    if (l == NULL) fatal("%s", m.what);
    for (size_t i = 0; i < 8; i++)
        source->fake.variants[i] = json_array_get(json_object_get(whole, "variants"), i);
    struct lesson_source s = {.self = source, .call = wayward_call, .restart = wayward_restart};
    size_t n = lesson_lint(l, s, seeds, hear, hear_worst, said);
    lesson_free(l);
    return n;
}

static size_t lint(const json_t *whole, struct said *said) {
    struct wayward source = {0};
    return lint_with(whole, &source, SEEDS, said);
}

static json_t *whole_json(void) {
    struct base_message m = {0};
    json_t *whole = base_json_read_file("tests/lesson/whole.json", &m);
    if (whole == NULL) fatal("%s", m.what);
    return whole;
}

static void a_whole_lesson_is_clean(void **state) {
    (void)state;
    json_t *whole = whole_json();
    struct said said = {0};
    size_t n = lint(whole, &said);
    if (n != 0) fail_msg("%s", said.findings.s);
    /* one line for each of the two problems that have numbers */
    assert_non_null(strstr(said.worst.s, "8.1/number: the closest pair over 20 seeds is"));
    assert_non_null(strstr(said.worst.s, "8.1/sheet: the closest pair"));
    assert_null(strstr(said.worst.s, "8.1/choice"));
    base_text_free(&said.findings);
    base_text_free(&said.worst);
    json_decref(whole);
}

static void each_flaw_is_found(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(CHANGES); i++) {
        json_t *whole = whole_json();
        struct said said = {0};
        change(whole, CHANGES[i].change, CHANGES[i].where, CHANGES[i].json);
        size_t n = lint(whole, &said);
        const char *found = n > 0 ? said.findings.s : "nothing";
        if (strstr(found, CHANGES[i].says) == NULL)
            fail_msg("%s %s: found %s, not: %s", CHANGES[i].where,
                     CHANGES[i].json != NULL ? CHANGES[i].json : "dropped", found, CHANGES[i].says);
        base_text_free(&said.findings);
        base_text_free(&said.worst);
        json_decref(whole);
    }
}

/* A lesson whose one problem is "number", which has two draws. */
static json_t *one_problem(void) {
    static const char *const others[] = {"again", "sheet", "choice", "order", "sort"};
    json_t *whole = whole_json();
    for (size_t i = 0; i < BASE_COUNT(others); i++) change(whole, DROP, others[i], NULL);
    return whole;
}

static void expect_finding(struct wayward source, int seeds, const char *says) {
    json_t *whole = one_problem();
    struct said said = {0};
    lint_with(whole, &source, seeds, &said);
    const char *found = said.findings.s != NULL ? said.findings.s : "nothing";
    if ((strstr(found, says) != NULL) != (source.slow_ms > 0 || source.counts || source.remembers))
        fail_msg("found %s, expected %s", found, says);
    base_text_free(&said.findings);
    base_text_free(&said.worst);
    json_decref(whole);
}

static void what_vary_keeps_between_calls_is_found(void **state) {
    static const char says[] = "vary gives other numbers when it is asked again with the same r";
    (void)state;
    expect_finding((struct wayward){0}, SEEDS, says);
    expect_finding((struct wayward){.counts = true}, SEEDS, says);
    expect_finding((struct wayward){.counts = true}, SEEDS + 1, says);
    expect_finding((struct wayward){.remembers = true}, SEEDS, says);
}

static void a_slow_vary_is_told_and_not_waited_for(void **state) {
    (void)state;
    int64_t began = base_ticks();
    expect_finding((struct wayward){.slow_ms = 60}, 100, "of 100 seeds were tried: make it faster");
    assert_in_range(base_ticks() - began, 1900, 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_whole_lesson_is_clean),
                                       cmocka_unit_test(each_flaw_is_found),
                                       cmocka_unit_test(what_vary_keeps_between_calls_is_found),
                                       cmocka_unit_test(a_slow_vary_is_told_and_not_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
