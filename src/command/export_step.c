/* export_step: a lesson's steps as a handout. What moves on the screen stands still here: a
 * slider's figure as it begins, a play's frames side by side, a listing with all its notes.
 * Whatever answers a question is kept for the last pages. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>

enum { SPEECH_LINES = 6, ALL_NOTES = 1000 };

struct steps {
    struct export_book *book;
    const struct export_lesson *lesson;
    /* gives the figures that only it can make */
    struct lesson_dialogue *dialogue;
    uint64_t seed;
    size_t at;
    const json_t *step;
    /* where the step's sources go: with a question's answer, since they may tell it */
    json_t *sources;
    /* for the end: cards, indices of the problems of the review, and blocks of pages in slower
     * words */
    json_t *cards, *later, *slowly;
    struct base_message *m;
    bool failed;
};

static const char *text_of(const struct steps *s, const char *name) {
    return base_json_text(s->step, name, NULL);
}

static const char *title_of(const struct steps *s) {
    return base_json_text(s->step, "title", "");
}

static json_t *body(const struct steps *s) {
    return s->book->body;
}

static void add_list(json_t *to, const json_t *texts) {
    struct base_text t = {0};
    size_t i;
    const json_t *text;
    json_array_foreach(texts, i, text) {
        base_text_printf(&t, "- %s\n", json_string_value(text));
    }
    command_export_text(to, t.s);
    base_text_free(&t);
}

static void begin(const struct steps *s, json_t *to) {
    if (*title_of(s)) command_export_heading(to, title_of(s));
    command_export_text(to, text_of(s, "text"));
}

static void add_sources(const struct steps *s) {
    const json_t *sources = json_object_get(s->step, "sources"), *source;
    struct base_text t = {0};
    size_t i;
    json_array_foreach(sources, i, source) {
        base_text_printf(&t, "%s%s", i ? "; " : "Sources: ", json_string_value(source));
    }
    if (i) command_export_quiet(s->sources, t.s);
    base_text_free(&t);
}

/* ── figures of the dialogue ───────────────────────────────────────────────────────────────────*/
static json_t *figure_here(struct steps *s) {
    const char *id = base_json_text(s->step, "id", "");
    return lesson_figure_after(s->dialogue,
                               (struct lesson_action){.kind = LESSON_DO_GOTO, .text = id}, NULL);
}

static json_t *figure_moved(struct steps *s, int by) {
    return lesson_figure_after(s->dialogue,
                               (struct lesson_action){.kind = LESSON_DO_MOVE, .by = by}, NULL);
}

/* ── steps ─────────────────────────────────────────────────────────────────────────────────────*/
/* In fewer words under the page, as its summary; in slower words at the end, where it is asked
 * for. */
static void add_other_words(struct steps *s) {
    const char *briefly = text_of(s, "briefly"), *slowly = text_of(s, "slowly");
    if (briefly) command_export_format(body(s), "**More briefly:**\n\n%s", briefly);
    if (!slowly) return;
    command_export_format(body(s), "*In short sentences: under “More slowly”, at the end.*");
    command_export_format(s->slowly, "**%s**", title_of(s));
    command_export_text(s->slowly, slowly);
}

static void say(struct steps *s) {
    begin(s, body(s));
    command_export_figure(body(s), json_object_get(s->step, "figure"));
    add_other_words(s);
}

static void figure(struct steps *s) {
    begin(s, command_export_lead(body(s)));
    command_export_figure(body(s), json_object_get(s->step, "figure"));
}

static void predict(struct steps *s) {
    struct export_question q = command_export_ask(s->book, title_of(s), NULL);
    command_export_figure(q.body, json_object_get(s->step, "figure"));
    command_export_guess(q, s->step);
    command_export_figure(q.answer, json_object_get(s->step, "after"));
    s->sources = q.answer;
}

/* "- **GPUs**: 2, 4, [8], 64": the one in brackets is drawn. */
static void add_knob(struct base_text *t, const json_t *slider) {
    const json_t *value;
    size_t i, start = (size_t)base_json_int(slider, "start", 1) - 1;
    const char *field = base_json_text(slider, "field", "");
    base_text_printf(t, "- %s: ", base_json_text(slider, "label", field));
    json_array_foreach(json_object_get(slider, "values"), i, value) {
        const char *name = base_json_text(value, "name", base_json_text(value, "value", "")),
                   *mark = i == start ? "**" : "";
        base_text_printf(t, "%s%s%s%s", i ? ", " : "", mark, name, mark);
    }
    base_text_puts(t, "\n");
}

static void explore(struct steps *s) {
    struct base_text knobs = {0};
    const json_t *slider;
    size_t i;
    json_t *whole = command_export_whole(body(s)), *figure = figure_here(s);
    begin(s, whole);
    command_export_figure(whole, figure);
    json_decref(figure);
    base_text_puts(&knobs, "The sliders. The figure shows the values in bold:\n\n");
    json_array_foreach(json_object_get(s->step, "sliders"), i, slider) {
        add_knob(&knobs, slider);
    }
    whole = command_export_whole(body(s));
    command_export_text(whole, knobs.s);
    base_text_free(&knobs);
    if (json_array_size(json_object_get(s->step, "try")) == 0) return;
    command_export_format(
        whole, "Move them in `zerotutor learn %s`, or calculate:", lesson_id(s->lesson->lesson));
    add_list(whole, json_object_get(s->step, "try"));
}

/* The next frame's figure, the caller's; NULL after the last. `*begins`: something begins in it. */
static json_t *next_frame(struct steps *s, bool *begins) {
    const struct lesson_ask *ask = lesson_asked(s->dialogue);
    size_t here = ask->slider[0].position;
    int by = (int)(ask->play->next - here);
    const struct lesson_event *e;
    json_t *figure = NULL;
    lesson_do(s->dialogue, &(struct lesson_action){.kind = LESSON_DO_MOVE, .by = by});
    while ((e = lesson_event(s->dialogue))) {
        if (!e->figure) continue;
        json_decref(figure);
        figure = json_incref((json_t *)e->figure);
        *begins = !e->between && lesson_asked(s->dialogue)->slider[0].position != here;
    }
    return figure;
}

/* The frames of a play in which something begins, and its last. */
static void animate(struct steps *s) {
    json_t *figure = figure_here(s), *frames = json_array();
    begin(s, command_export_lead(body(s)));
    if (figure) json_object_del(figure, "lead"); /* said already */
    for (bool begins = true; figure; figure = next_frame(s, &begins)) {
        if (begins) json_array_append(frames, figure);
        json_decref(figure);
    }
    command_export_scenes(body(s), frames);
}

static void lab(struct steps *s) {
    const char *question = text_of(s, "question");
    const json_t *problem = json_object_get(s->step, "problem");
    begin(s, body(s));
    if (text_of(s, "ask"))
        command_export_guess(command_export_ask(s->book, "A guess first", NULL), s->step);
    json_t *whole = command_export_whole(body(s));
    command_export_format(whole, "Run it: `zerotutor lab run %s`",
                          base_json_text(s->step, "lab", ""));
    if (!question) return;
    command_export_format(whole, "From what your run measures: %s", question);
    command_export_space(whole, 2, base_json_text(problem, "unit", NULL));
}

static void worked(struct steps *s) {
    struct account_problem p;
    struct account_solution solution;
    struct account_error e;
    json_t *whole = command_export_whole(body(s));
    begin(s, whole);
    command_export_figure(whole, json_object_get(s->step, "figure"));
    if (lesson_problem_read(json_object_get(s->step, "problem"), &p, NULL) &&
        account_solve(&p, &solution, &e))
        command_export_working(whole, &solution, json_object_get(s->step, "notes"), NULL);
}

static void problem(struct steps *s) {
    if (base_json_bool(s->step, "review", false))
        json_array_append_new(s->later, json_integer((json_int_t)s->at));
    else if (!command_export_problem(s->book, s->lesson, s->at, s->seed, 1, NULL, s->m))
        s->failed = true;
}

static void myth(struct steps *s) {
    struct export_question q = command_export_ask(s->book, title_of(s), NULL);
    command_export_text(q.body, text_of(s, "claim"));
    command_export_choices(q.body, json_pack("[ss]", "true", "false"));
    command_export_format(q.answer, "**%s.**",
                          base_json_bool(s->step, "truth", false) ? "True" : "False");
    command_export_text(q.answer, text_of(s, "because"));
    s->sources = q.answer;
}

static void say_aloud(struct steps *s) {
    struct export_question q = command_export_ask(s->book, title_of(s), NULL);
    command_export_text(q.body, text_of(s, "ask"));
    command_export_space(q.body, SPEECH_LINES, NULL);
    command_export_text(q.answer, "A good answer has:");
    add_list(q.answer, json_object_get(s->step, "points"));
    command_export_text(q.answer, text_of(s, "model"));
}

static json_t *pair(const json_t *of, const char *left, const char *right) {
    return json_pack("[ss]", base_json_text(of, left, ""), base_json_text(of, right, ""));
}

static void cards(struct steps *s) {
    size_t i;
    const json_t *card;
    json_array_foreach(json_object_get(s->step, "cards"), i, card) {
        json_array_append_new(s->cards, pair(card, "front", "back"));
    }
}

static void recap(struct steps *s) {
    const json_t *further = json_object_get(s->step, "further");
    json_t *whole = command_export_whole(body(s));
    begin(s, whole);
    command_export_figure(whole, json_object_get(s->step, "figure"));
    if (json_array_size(further) == 0) return;
    whole = command_export_whole(body(s));
    command_export_text(whole, "To read on:");
    add_list(whole, further);
}

static void read_source(struct steps *s) {
    begin(s, command_export_lead(body(s)));
    json_t *first = figure_here(s), *all = first ? figure_moved(s, ALL_NOTES) : NULL;
    if (all || first)
        command_export_listing(body(s), all ? all : first);
    else
        command_export_format(body(s), "The source, `%s`, could not be read here.",
                              base_json_text(s->step, "file", ""));
    json_decref(all);
    json_decref(first);
    if (text_of(s, "ask")) command_export_guess(command_export_ask(s->book, "", NULL), s->step);
}

static void memo(struct steps *s) {
    say(s);
    command_export_format(body(s),
                          "At a terminal `zerotutor memo write` opens it next to the engine, and "
                          "`zerotutor memo check` reads every figure of it.");
}

static void (*const writers[LESSON_STEP_KINDS])(struct steps *s) = {
    [LESSON_SAY] = say,          [LESSON_PREDICT] = predict,     [LESSON_FIGURE] = figure,
    [LESSON_EXPLORE] = explore,  [LESSON_WORKED] = worked,       [LESSON_PROBLEM] = problem,
    [LESSON_MYTH] = myth,        [LESSON_SAY_ALOUD] = say_aloud, [LESSON_CARDS] = cards,
    [LESSON_RECAP] = recap,      [LESSON_ANIMATE] = animate,     [LESSON_LAB] = lab,
    [LESSON_READ] = read_source, [LESSON_MEMO] = memo,
};

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
static void add_review(struct steps *s) {
    size_t i;
    const json_t *index;
    json_array_foreach(s->later, i, index) {
        size_t at = (size_t)json_integer_value(index);
        if (i == 0) command_export_heading(body(s), "More problems for another day");
        if (s->failed || !command_export_problem(s->book, s->lesson, at, s->seed, 1, NULL, s->m))
            s->failed = true;
    }
}

static void add_words(struct steps *s) {
    json_t *pairs = json_array();
    size_t i;
    const json_t *term;
    json_array_foreach(json_object_get(s->lesson->json, "glossary"), i, term) {
        json_array_append_new(pairs, pair(term, "term", "means"));
    }
    if (i) {
        command_export_heading(body(s), "Words");
        command_export_pairs(body(s), json_incref(pairs));
    }
    json_decref(pairs);
}

static void add_cards(struct steps *s) {
    if (json_array_size(s->cards) == 0) return;
    command_export_heading(s->book->answers, "To remember: cover the right side and answer");
    command_export_pairs(s->book->answers, json_incref(s->cards));
}

static void add_slowly(struct steps *s) {
    if (json_array_size(s->slowly) == 0) return;
    command_export_heading(body(s), "More slowly");
    json_array_extend(body(s), s->slowly);
}

static void write_steps(struct steps *s) {
    size_t n = lesson_steps(s->lesson->lesson);
    for (; s->at < n && !s->failed; s->at++) {
        s->step = lesson_step(s->lesson->lesson, s->at);
        s->sources = body(s);
        writers[lesson_step_kind(s->lesson->lesson, s->at)](s);
        add_sources(s);
    }
}

bool command_export_steps(struct export_book *b, const struct export_lesson *l, uint64_t seed,
                          struct base_message *m) {
    struct steps s = {.book = b, .lesson = l, .seed = seed, .m = m};
    s.dialogue = lesson_dialogue_open(l->lesson, script_source(l->script), lesson_forgetful_journal,
                                      seed, m);
    if (!s.dialogue) return false;
    s.cards = json_array();
    s.later = json_array();
    s.slowly = json_array();
    write_steps(&s);
    add_review(&s);
    add_words(&s);
    add_slowly(&s);
    add_cards(&s);
    json_decref(s.slowly);
    json_decref(s.later);
    json_decref(s.cards);
    lesson_dialogue_free(s.dialogue);
    return !s.failed;
}
