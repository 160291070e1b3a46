/* read.c: `read`: real source, its notes one at a time or all at once, and perhaps a question after
 * them. */
#include "lesson/handler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    READING,
    GUESSING,
    WONDERING,
    TOLD
}; /* state.phase: a question with choices, one without, its reveal */

/* ── the listing ───────────────────────────────────────────────────────────────────────────────*/
static const json_t *notes(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "notes");
}

static size_t note_at(const struct lesson_dialogue *d) {
    return d->state.position[0];
}

/* A note whose line is gone stands nowhere; lint has told its author. */
static json_t *notes_now(const struct lesson_dialogue *d) {
    struct source_note all[NOTES_MOST];
    size_t n = lesson_source_notes(lesson_step_json(d), all);
    const json_t *lines = json_object_get(json_object_get(lesson_step_json(d), "source"), "lines");
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        bool there = all[i].from > 0 && (size_t)all[i].to <= json_array_size(lines);
        if (!there || (note_at(d) < n && note_at(d) != i)) continue;
        json_array_append_new(out, json_pack("{si si ss}", "from", all[i].from, "to", all[i].to,
                                             "text", all[i].text));
    }
    return out;
}

static json_t *figure_now(const struct lesson_dialogue *d) {
    const json_t *source = json_object_get(lesson_step_json(d), "source");
    bool all = note_at(d) >= json_array_size(notes(d));
    return json_pack("{ss ss sI sO so sb}", "kind", "listing", "file", lesson_step_text(d, "file"),
                     "first", (json_int_t)base_json_int(source, "first", 1), "lines",
                     json_object_get(source, "lines"), "notes", notes_now(d), "whole", all);
}

static void ask_notes(struct lesson_dialogue *d) {
    size_t n = json_array_size(notes(d));
    struct lesson_ask *ask = lesson_ask_begin(
        d, LESSON_SLIDERS, base_dup("Type `next`, `back`, a note's number, or `all`."));
    struct lesson_slider *slider = lesson_keep_alloc(&d->asking, sizeof *slider);
    char *at =
        note_at(d) < n ? base_format("%zu of %zu", note_at(d) + 1, n) : base_format("1 to %zu", n);
    *slider = (struct lesson_slider){note_at(d) < n ? "note" : "notes",
                                     lesson_keep_owned(&d->asking, at), note_at(d), n + 1, NULL};
    ask->scenes = ask->notes = true;
    ask->sliders = 1;
    ask->slider = slider;
}

static void enter(struct lesson_dialogue *d) {
    const json_t *source = json_object_get(lesson_step_json(d), "source");
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "text"));
    if (json_object_get(source, "lines") == NULL) {
        lesson_show_owned(d, LESSON_QUIET,
                          base_format("The source cannot be shown here: %s.",
                                      base_json_text(source, "missing", "it was not read")));
        lesson_ask_next(d);
        return;
    }
    lesson_show_event(d, LESSON_SHOW)->figure = lesson_keep_json(&d->events, figure_now(d));
    ask_notes(d);
    lesson_ask_pose(d);
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
static void set(struct lesson_dialogue *d, long to) {
    long last = (long)json_array_size(notes(d)), was = (long)note_at(d);
    to = to < 0 ? 0 : to > last ? last : to;
    d->state.position[0] = (size_t)to;
    if (to == was) {
        lesson_show(d, LESSON_QUIET,
                    to == 0 ? "This is the first note." : "These are all of them.");
        return;
    }
    ask_notes(d);
    struct lesson_event *e = lesson_show_event(d, LESSON_LEDGER);
    json_t *figure = figure_now(d);
    json_object_set_new(figure, "again", json_true());
    e->figure = lesson_keep_json(&d->events, figure);
    e->ask = d->ask;
}

static void move(struct lesson_dialogue *d, size_t index, int by) {
    if (index == 0 && d->state.phase == READING) set(d, (long)note_at(d) + by);
}

static const struct {
    const char *word;
    int by;
} WORDS[] = {
    {"next", 1}, {"n", 1}, {"back", -1}, {"b", -1}, {"first", -9999}, {"all", 9999},
};

static void turn(struct lesson_dialogue *d, const char *text) {
    char word[32] = "", more[32];
    const char *rest = text;
    bool one =
        lesson_pick_word(&rest, word, sizeof word) && !lesson_pick_word(&rest, more, sizeof more);
    for (size_t i = 0; i < BASE_COUNT(WORDS) && one; i++)
        if (strcmp(word, WORDS[i].word) == 0) {
            set(d, (long)note_at(d) + WORDS[i].by);
            return;
        }
    long to = one ? strtol(word, NULL, 10) : 0;
    if (to >= 1 && to <= (long)json_array_size(notes(d)))
        set(d, to - 1);
    else
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            base_format("'%s' cannot be used here. %s", lesson_show_typed(d, word),
                                        d->ask->prompt));
}

static void answer(struct lesson_dialogue *d, const char *text) {
    if (d->state.phase == GUESSING)
        lesson_step_predict.answer(d, text);
    else
        turn(d, text);
}

/* The question after the notes: choices are guessed at, one without them is thought about until
 * Enter. */
static bool pose(struct lesson_dialogue *d) {
    if (lesson_step_text(d, "ask") == NULL) return false;
    d->state.settled = false;
    if (json_object_get(lesson_step_json(d), "choices") != NULL) {
        d->state.phase = GUESSING;
        lesson_step_predict.enter(d);
        return true;
    }
    d->state.phase = WONDERING;
    lesson_show(d, LESSON_ASKING, lesson_step_text(d, "ask"));
    lesson_ask_next(d);
    return true;
}

static bool reveal(struct lesson_dialogue *d) {
    d->state.phase = TOLD;
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "reveal"));
    lesson_ask_next(d);
    return true;
}

/* Enter reads the notes one by one, asks what there is to ask, and leaves. */
static bool next(struct lesson_dialogue *d) {
    switch (d->state.phase) {
    case GUESSING: return lesson_step_predict.next(d);
    case WONDERING: return reveal(d);
    case TOLD: return false;
    default: break;
    }
    if (!d->ask->scenes || note_at(d) + 1 >= json_array_size(notes(d))) return pose(d);
    set(d, (long)note_at(d) + 1);
    return true;
}

static void fresh(struct lesson_dialogue *d) {
    if (d->state.phase == GUESSING) lesson_step_predict.fresh(d);
}

const struct step_ops lesson_step_read = {
    .enter = enter, .answer = answer, .next = next, .fresh = fresh, .move = move};
