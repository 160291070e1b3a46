/* Every figure of the course in words: each lesson is gone through from its first step to its end,
 * without an answer and with each slider moved, and each figure that it shows is drawn and said.
 * Below its drawing are the same sentences, but those that it has itself. */
#include "base/scratch.h"
#include "linear/linear.h"
#include "page/said.h"
#include "session/session.h"

#include <cmocka.h>

enum { MOST_ACTIONS = 2000 };

static char *text_of(const json_t *figure, int width, bool spoken,
                     bool (*put)(struct page *p, struct page_flow f, const json_t *spec,
                                 struct base_message *m)) {
    struct base_message m = {0};
    struct page *p = page_new(width, false);
    page_set_spoken(p, spoken);
    if (!put(p, (struct page_flow){.width = width}, figure, &m)) fail_msg("%s", m.what);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

/* Without blanks, wherever its lines end, and without the full stop at its end. */
static char *letters_of(const char *text) {
    char *letters = base_dup(text), *end = letters;
    for (const char *s = text; *s; s++)
        if (!strchr(" \n", *s)) *end++ = *s;
    end -= end > letters && end[-1] == '.';
    *end = '\0';
    return letters;
}

/* Whether one of the lines begins with them, and those after it go on with them. */
static bool has_sentence(const char *text, const char *letters) {
    bool has = false;
    for (const char *line = text; *line && !has;
         line += strcspn(line, "\n"), line += *line == '\n') {
        char *from = letters_of(line);
        has = strncmp(from, letters, strlen(letters)) == 0;
        free(from);
    }
    return has;
}

/* The drawing comes first, as it is without sentences. Below it is each sentence of --words that it
 * has not, in the same order, and nothing else. */
static void told_holds(const json_t *figure, int width, bool spoken) {
    char *drawn = text_of(figure, width, spoken, page_figure),
         *told = text_of(figure, width, spoken, page_figure_told),
         *words = text_of(figure, 1000, spoken, page_figure_words), *rest = words, *line;
    const char *kind = json_string_value(json_object_get(figure, "kind"));
    assert_int_equal(strncmp(told, drawn, strlen(drawn)), 0);
    char *below = letters_of(told + strlen(drawn)), *next = below;
    bool text = !strcmp(kind, "table") || !strcmp(kind, "listing");
    while (!text && (line = strsep(&rest, "\n"))) {
        char *sentence = letters_of(line);
        size_t n = strlen(sentence);
        bool is_next = n > 0 && strncmp(next, sentence, n) == 0;
        if (n > 0 && has_sentence(drawn, sentence) == is_next)
            fail_msg("%s is %s:\n%s", line, is_next ? "told twice" : "not told", told);
        if (is_next) next += n + (next[n] == '.');
        free(sentence);
    }
    if (*next) fail_msg("%s is told of\n%s\nand not in words", next, drawn);
    free(below);
    free(words);
    free(told);
    free(drawn);
}

struct walk {
    struct session *session;
    size_t figures;
    bool ended;
};

static void take_events(struct walk *w) {
    const struct lesson_event *e;
    while ((e = session_event(w->session))) {
        w->ended |= e->kind == LESSON_END;
        if (!e->figure) continue;
        said_holds(e->figure);
        told_holds(e->figure, 80, false);
        told_holds(e->figure, 80, true);
        told_holds(e->figure, 40, false);
        w->figures++;
    }
}

static void act(struct walk *w, struct lesson_action a) {
    session_do(w->session, &a);
    take_events(w);
}

static void move_sliders(struct walk *w) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(w->session));
    size_t sliders = a && a->form == LESSON_SLIDERS ? a->sliders : 0;
    for (size_t i = 0; i < sliders; i++)
        for (int by = -1; by <= 1; by += 2)
            act(w, (struct lesson_action){.kind = LESSON_DO_MOVE, .index = i, .by = by});
}

static size_t walk_lesson(struct learner *who, const char *id) {
    struct base_message m = {0};
    struct walk w = {.session = session_open(who, id, &m)};
    if (!w.session) fail_msg("%s: %s", id, m.what);
    take_events(&w);
    for (int i = 0; !w.ended && i < MOST_ACTIONS; i++) {
        move_sliders(&w);
        act(&w, (struct lesson_action){.kind = LESSON_DO_NEXT});
    }
    if (!w.ended) fail_msg("%s does not come to its end", id);
    session_close(w.session);
    return w.figures;
}

static void every_figure_of_the_course_is_said(void **state) {
    struct base_message m = {0};
    setenv("ZEROTUTOR_HOME", *state, 1);
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    const struct lesson_course *c = session_learner_course(who);
    size_t lessons = 0, figures = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        if (c->lesson[i].kind != LESSON_ORDINARY) continue;
        figures += walk_lesson(who, c->lesson[i].id);
        lessons++;
    }
    assert_true(lessons >= 14);
    assert_true(figures > 5 * lessons);
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_figure_of_the_course_is_said, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
