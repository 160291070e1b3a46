/* Reading lessons and the course: what is refused, and in which words. */
#include "lesson/fake.h"
#include "lesson/handler.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define STEP(fields) "{\"v\":1,\"id\":\"1.1\",\"steps\":[{" fields "}]}"
#define SAY(id)      "{\"kind\":\"say\",\"id\":\"" id "\",\"text\":\"t\"}"
#define PROBLEM(id, form)                                                                          \
    "{\"kind\":\"problem\",\"id\":\"" id "\",\"form\":\"" form "\",\"vary\":{\"fn\":1}"
#define SLIDER(s)                                                                                  \
    STEP("\"kind\":\"explore\",\"id\":\"a\",\"text\":\"t\",\"training\":{\"params\":7e9},"         \
         "\"figure\":{},"                                                                          \
         "\"sliders\":[" s "]")

/* A lesson and what the message must contain; NULL where it is read. */
static const struct {
    const char *json, *says;
} READS[] = {
    {"[]", "must return lesson"},
    {"{\"id\":\"1.1\"}", "at least one step"},
    {"{\"id\":\"Big\",\"steps\":[" SAY("a") "]}", "'Big'"},
    {"{\"steps\":[" SAY("a") "]}", NULL},
    {"{\"id\":\"1.1\",\"steps\":[" SAY("a") "," SAY("b") "]}", NULL},
    {"{\"id\":\"1.1\",\"steps\":[" SAY("a") "," SAY("a") "]}", "step 'a': this id was used before"},
    {"{\"id\":\"1.1\",\"steps\":[" SAY("A") "]}", "an id made of"},
    {"{\"id\":\"1.1\",\"steps\":[7]}", "step 1: a step must be an object"},
    {STEP("\"kind\":\"sing\",\"id\":\"a\""), "unknown kind of step 'sing'"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-reduce\","
          "\"options\":{\"ranks\":8},"
          "\"bytes\":14e9,\"ask\":\"q\",\"reveal\":\"r\",\"notes\":{\"turn\":\"n\"}"),
     NULL},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\",\"notes\":"
          "{\"start\":\"Try `n`.\"}"),
     "a note names the key 'n'"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\",\"notes\":"
          "{\"start\":\"This is a sentence that no terminal of 80 columns has the room to show in "
          "one row.\"}"),
     "more than one row of 78 cells"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"star\""),
     "unknown play 'star'"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\","
          "\"options\":{\"ranks\":9}"),
     "7 or 8 here"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\","
          "\"options\":{\"ranks\":-1}"),
     "7 or 8 here"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\","
          "\"options\":{\"ranks\":\"x\"}"),
     "7 or 8 here"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\","
          "\"options\":{\"speed\":2}"),
     "no option 'speed'"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\",\"notes\":"
          "{\"end\":\"n\"}"),
     "texts for start, gather and finish, not for 'end'"},
    {STEP("\"kind\":\"animate\",\"id\":\"a\",\"text\":\"t\",\"play\":\"ring-all-gather\","
          "\"training\":{\"stage\":7}"),
     "stage"},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\",\"lab\":\"ladder\""), NULL},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\""), "needs 'lab'"},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\",\"lab\":\"l\",\"ask\":\"q\""),
     "go together"},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\",\"lab\":\"l\",\"ask\":\"q\",\"choices\":["
          "\"x\"],\"answer\":2"),
     "1 to 1"},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\",\"lab\":\"l\",\"problem\":{\"kind\":"
          "\"bytes\"}"),
     "needs a 'question'"},
    {STEP("\"kind\":\"lab\",\"id\":\"a\",\"text\":\"t\",\"lab\":\"l\",\"question\":\"q\","
          "\"problem\":{\"kind\":\"bytes\","
          "\"training\":{\"params\":\"measured\",\"stage\":7}}"),
     "stage"},
    {STEP("\"kind\":\"say\",\"id\":\"a\",\"line\":31"),
     "file.lua:31: step 'a': a say step needs 'text'"},
    {STEP("\"kind\":\"say\",\"id\":\"a\",\"text\":7"), "'text' must be a text"},
    {STEP("\"kind\":\"say\",\"id\":\"a\",\"text\":\"t\",\"sources\":[1]"),
     "'sources' must be a list of texts"},
    {STEP("\"kind\":\"say\",\"id\":\"a\",\"text\":\"t\",\"figure\":\"x\""),
     "'figure' must be a table"},
    {STEP("\"kind\":\"figure\",\"id\":\"a\""), "needs 'figure'"},
    {STEP("\"kind\":\"predict\",\"id\":\"a\",\"ask\":\"q\",\"reveal\":\"r\""),
     "'choices' and 'answer', or a 'problem'"},
    {STEP("\"kind\":\"predict\",\"id\":\"a\",\"ask\":\"q\",\"reveal\":\"r\",\"choices\":[\"x\","
          "\"y\"],\"answer\":3"),
     "1 to 2"},
    {STEP("\"kind\":\"predict\",\"id\":\"a\",\"ask\":\"q\",\"reveal\":\"r\",\"problem\":{\"kind\":"
          "\"bytes\",\"colour\":\"red\"}"),
     "colour"},
    {STEP("\"kind\":\"worked\",\"id\":\"a\",\"text\":\"t\",\"problem\":{\"v\":2}"), "version 2"},
    {STEP("\"kind\":\"worked\",\"id\":\"a\",\"text\":\"t\",\"problem\":{\"kind\":\"bytes\","
          "\"quantity\":\"model_state\",\"training\":{\"params\":0}}"),
     "problem"},
    {STEP("\"kind\":\"worked\",\"id\":\"a\",\"text\":\"t\",\"problem\":{\"kind\":\"bytes\","
          "\"training\":{\"params\":7e9,\"stage\":7}}"),
     "stage"},
    {STEP("\"kind\":\"problem\",\"id\":\"a\",\"form\":\"essay\",\"vary\":{\"fn\":1}"),
     "form 'essay'"},
    {STEP("\"kind\":\"problem\",\"id\":\"a\",\"form\":\"number\""), "needs 'vary', a function"},
    {STEP("\"kind\":\"problem\",\"id\":\"a\",\"form\":\"number\",\"vary\":7"),
     "'vary' must be a function"},
    {STEP("\"kind\":\"myth\",\"id\":\"a\",\"claim\":\"c\",\"because\":\"b\""),
     "needs 'truth', true or false"},
    {STEP("\"kind\":\"say_aloud\",\"id\":\"a\",\"ask\":\"q\",\"points\":[]"),
     "'points' must be a list of texts"},
    {STEP("\"kind\":\"cards\",\"id\":\"a\",\"cards\":[{\"id\":\"x\",\"front\":\"f\"}]"),
     "card 1 needs"},
    {STEP("\"kind\":\"cards\",\"id\":\"a\",\"cards\":[{\"id\":\"x\",\"front\":\"f\",\"back\":\"b\"}"
          "]"),
     "a step that is not cards"},
    {SLIDER("{\"field\":\"gpus\",\"values\":[]}"), "slider 1 needs"},
    {SLIDER("{\"field\":\"gpus\",\"values\":[{\"value\":8}]}"), "value 1 needs a 'value', a text"},
    {SLIDER("{\"field\":\"gpus\",\"values\":[{\"value\":\"many\"}]}"), "slider 'gpus':"},
    {SLIDER("{\"field\":\"width\",\"values\":[{\"value\":\"8\"}]}"), "slider 'width':"},
    {SLIDER("{\"field\":\"gpus\",\"values\":[{\"value\":\"8\"}],\"start\":2}"), "'start' must be"},
    {SLIDER("{\"field\":\"optimizer\",\"values\":[{\"value\":\"adafactor\"}]}"),
     "sliders at their start"},
    {SLIDER("{\"field\":\"gpus\",\"values\":[{\"value\":\"8\"}],\"start\":1}"), NULL},
};

static void reads_or_says_why(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(READS); i++) {
        json_t *json = fake_json(READS[i].json);
        struct base_message m = {0};
        char text[700];
        struct lesson *l = lesson_read(json, "file.lua", &m);
        base_message_text(&m, text, sizeof text);
        if ((l != NULL) != (READS[i].says == NULL)) fail_msg("%s gave: %s", READS[i].json, text);
        if (l == NULL && strstr(text, READS[i].says) == NULL)
            fail_msg("%s gave: %s, not: %s", READS[i].json, text, READS[i].says);
        lesson_free(l);
        json_decref(json);
    }
}

static void tells_what_it_is(void **state) {
    (void)state;
    json_t *json = fake_json("{\"id\":\"1.1\",\"title\":\"T\",\"steps\":[" SAY("a") "]}");
    struct base_message m;
    struct lesson *l = lesson_read(json, "x/1.1.lua", &m);
    json_decref(json); /* the lesson keeps what it needs */
    assert_string_equal(lesson_id(l), "1.1");
    assert_string_equal(lesson_title(l), "T");
    assert_int_equal(lesson_minutes(l), 1); /* the least that is said */
    assert_int_equal(lesson_steps(l), 1);
    assert_int_equal(lesson_step_kind(l, 0), LESSON_SAY);
    assert_string_equal(base_json_text(lesson_step(l, 0), "text", ""), "t");
    assert_null(lesson_step(l, 1));
    lesson_free(l);
}

/* Words are read, figures looked at, problems solved; what only reviews ask takes no time here. */
static void tells_how_long_it_takes(void **state) {
    (void)state;
    static const struct {
        const char *step;
        double seconds;
    } rows[] = {
        {SAY("a"), 0.3},
        {"{\"kind\":\"say\",\"id\":\"b\",\"text\":\"Of | these - two: ten words, bars and dashes "
         "are none.\"}",
         3},
        {"{\"kind\":\"say\",\"id\":\"c\",\"text\":\"t\",\"figure\":{\"kind\":\"stack\"}}", 5.3},
        {PROBLEM("d", "number") "}", LESSON_PROBLEM_SECONDS},
        {PROBLEM("e", "sheet") "}", LESSON_SHEET_SECONDS},
        {PROBLEM("f", "number") ",\"review\":true}", 0},
    };
    struct base_text t = {0};
    struct base_message m = {0};
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        base_text_printf(&t, "%s%s", i ? "," : "{\"id\":\"1.1\",\"steps\":[", rows[i].step);
    base_text_puts(&t, "]}");
    char *text = base_text_take(&t);
    json_t *json = fake_json(text);
    struct lesson *l = lesson_read(json, "x.lua", &m);
    if (!l) fail_msg("%s", m.what);
    double sum = 0;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        double seconds = lesson_step_seconds(l, i);
        if (fabs(seconds - rows[i].seconds) > 1e-9)
            fail_msg("step %zu takes %g s, not %g", i + 1, seconds, rows[i].seconds);
        sum += seconds;
    }
    assert_int_equal(lesson_minutes(l), (int)round(sum / 60));
    lesson_free(l);
    json_decref(json);
    free(text);
}

static void is_called_after_its_file(void **state) {
    (void)state;
    json_t *json = fake_json("{\"steps\":[" SAY("a") "]}");
    struct lesson *l = lesson_read(json, "lessons/pack/my-first.lua", NULL);
    assert_string_equal(lesson_id(l), "my-first");
    lesson_free(l);
    json_decref(json);
}

/* ── the course ────────────────────────────────────────────────────────────────────────────────*/
#define COURSE(lessons) "{\"v\":1,\"phases\":[{\"title\":\"P\",\"lessons\":[" lessons "]}]}"
static const struct {
    const char *json, *says;
} COURSES[] = {
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\",\"minutes\":7,\"file\":\"1/1.1.lua\"},"
            "{\"id\":\"1.2\",\"title\":\"U\",\"minutes\":6}"),
     NULL},
    {"{\"phases\":[]}", "lists no lessons"},
    {"{\"phases\":[{\"lessons\":[]}]}", "phase 1 needs a title"},
    {COURSE("{\"title\":\"T\",\"minutes\":7}"), "lesson 1 needs an id"},
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\",\"minutes\":9223372036854775807}"),
     "minutes, from 1 to 600"},
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\"}"), "needs its minutes"},
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\",\"minutes\":7,\"file\":\"../../etc/passwd\"}"),
     "inside lessons/"},
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\",\"minutes\":7,\"file\":\"/etc/passwd\"}"),
     "inside lessons/"},
    {COURSE("{\"id\":\"1.1\",\"title\":\"T\",\"minutes\":7},{\"id\":\"1.1\",\"title\":\"U\","
            "\"minutes\":7}"),
     "listed twice"},
};

static void reads_courses(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(COURSES); i++) {
        json_t *json = fake_json(COURSES[i].json);
        struct lesson_course c;
        struct base_message m = {0};
        bool ok = lesson_course_read(&c, json, &m);
        json_decref(json);
        if (ok != (COURSES[i].says == NULL)) fail_msg("%s gave: %s", COURSES[i].json, m.what);
        if (!ok) assert_non_null(strstr(m.what, COURSES[i].says));
        if (ok) lesson_course_free(&c);
    }
}

static void reads_our_course(void **state) {
    (void)state;
    struct base_message m = {0};
    json_t *json = base_json_read_file("lessons/course.json", &m);
    struct lesson_course c;
    assert_true(lesson_course_read(&c, json, &m));
    json_decref(json);
    assert_int_equal(c.phases, 4);
    assert_int_equal(c.lessons, 14 + 2 * 4); /* each phase has a review and a check */
    assert_string_equal(c.lesson[0].id, "1.1");
    assert_string_equal(c.lesson[4].id, "1r");
    assert_string_equal(c.lesson[5].title, "Check: Where GPU memory goes");
    assert_int_equal(c.lesson[5].kind, LESSON_CHECK);
    assert_string_equal(c.lesson[6].id, "2.1");
    assert_int_equal(c.lesson[6].phase, 1);
    assert_int_equal(c.lesson[0].minutes, 13);
    assert_non_null(lesson_course_extra(&c, "timeline"));
    assert_null(lesson_course_extra(&c, "1.1"));
    lesson_course_free(&c);
}

/* What stands beside the course has a file, and an id that no lesson has. */
static void extras_are_checked(void **state) {
    static const struct {
        const char *extra, *why;
    } rows[] = {
        {"{\"id\":\"more\",\"title\":\"More\",\"file\":\"more.lua\"}", NULL},
        {"{\"id\":\"1.1\",\"title\":\"More\",\"file\":\"more.lua\"}", "listed twice"},
        {"{\"id\":\"more\",\"title\":\"More\"}", "needs its file"},
        {"{\"id\":\"more\",\"title\":\"More\",\"file\":\"../more.lua\"}", "inside"},
        {"{\"minutes\":3}", "an id and a title"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *text = base_format("{\"phases\":[{\"title\":\"One\",\"lessons\":[{\"id\":\"1.1\","
                                 "\"title\":\"A\",\"minutes\":5}]}],\"extras\":[%s]}",
                                 rows[i].extra);
        struct base_message m = {0};
        json_t *json = base_json_read(text, strlen(text), "course.json", &m);
        struct lesson_course c;
        bool read = lesson_course_read(&c, json, &m);
        assert_int_equal(read, rows[i].why == NULL);
        if (rows[i].why && !strstr(m.what, rows[i].why)) fail_msg("%s: %s", rows[i].extra, m.what);
        if (read) assert_string_equal(lesson_course_extra(&c, "more")->file, "more.lua");
        if (read) lesson_course_free(&c);
        json_decref(json);
        free(text);
    }
}

/* ── seeds ─────────────────────────────────────────────────────────────────────────────────────*/
static void seeds_differ_by_learner_item_and_try(void **state) {
    (void)state;
    uint64_t seed = lesson_seed(7, "1.1/a", 1);
    assert_true(seed == lesson_seed(7, "1.1/a", 1));
    assert_true(seed != lesson_seed(8, "1.1/a", 1));
    assert_true(seed != lesson_seed(7, "1.1/b", 1));
    assert_true(seed != lesson_seed(7, "1.1/a", 2));
}

/* Seven or thirteen billion or a few more, under a precision that changes the question and not the
 * answer. */
static json_t *draw(void *self, int fn, uint64_t seed, struct base_message *m) {
    static const char *const precisions[] = {"mixed-bf16", "mixed-fp16", "fp32"};
    (void)self;
    (void)fn;
    (void)m;
    return json_pack("{ss s{ss s{sI ss}}}", "ask", "How many GB?", "problem", "kind", "bytes",
                     "training", "params", (json_int_t)(1 + seed / 8 % 4) * 1000000000, "precision",
                     precisions[seed % 3]);
}

static double answer_of(const struct lesson *l, uint64_t learner, int try, uint64_t *seed) {
    struct lesson_source source = {.call = draw};
    struct account_problem p;
    struct account_solution s;
    json_t *variant = lesson_try(l, 0, source, learner, try, seed, NULL);
    json_t *again = lesson_variant(l, 0, source, *seed, NULL);
    assert_true(json_equal(variant, again));
    assert_true(lesson_problem_read(json_object_get(variant, "problem"), &p, NULL));
    assert_true(account_solve(&p, &s, NULL));
    json_decref(variant);
    json_decref(again);
    return s.value;
}

/* Fresh numbers are fresh; and a try has the same ones whether or not the others were taken. */
static void tries_in_a_row_differ(void **state) {
    (void)state;
    json_t *json =
        json_pack("{si ss ss s[{ss ss ss s{si}}]}", "v", 1, "id", "9.1", "title", "t", "steps",
                  "kind", "problem", "id", "p", "form", "number", "vary", "fn", 1);
    struct base_message m = {0};
    struct lesson *l = lesson_read(json, "test.lua", &m);
    if (l == NULL) fail_msg("%s", m.what);
    for (uint64_t learner = 0; learner < 40; learner++) {
        double before = 0;
        for (int try = 1; try < 12; try++) {
            uint64_t seed, same;
            double answer = answer_of(l, learner, try, &seed);
            assert_true(answer != before);
            assert_true(answer_of(l, learner, try, &same) == answer && seed == same);
            before = answer;
        }
    }
    lesson_free(l);
    json_decref(json);
}

static void a_quoted_sentence_has_its_own_stop(void **state) {
    (void)state;
    assert_string_equal(lesson_stop_after("\"It fits.\""), "");
    assert_string_equal(lesson_stop_after("the \"moments\""), ".");
    assert_string_equal(lesson_stop_after("\""), ".");
    assert_string_equal(lesson_stop_after("Does it?"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_or_says_why),
        cmocka_unit_test(tells_what_it_is),
        cmocka_unit_test(tells_how_long_it_takes),
        cmocka_unit_test(is_called_after_its_file),
        cmocka_unit_test(reads_courses),
        cmocka_unit_test(extras_are_checked),
        cmocka_unit_test(reads_our_course),
        cmocka_unit_test(seeds_differ_by_learner_item_and_try),
        cmocka_unit_test(tries_in_a_row_differ),
        cmocka_unit_test(a_quoted_sentence_has_its_own_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
