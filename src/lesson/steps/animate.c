/* animate.c: a collective played step by step, forwards and backwards. What moves is the engine's;
 * here is only where one stands. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

enum { SCENE, RANKS }; /* state.position, and the sliders */
enum { RANKS_LEAST = 2, RANKS_USUAL = 4 };

static enum account_play play(const struct lesson_dialogue *d) {
    enum account_play p = ACCOUNT_PLAY_RING_ALL_REDUCE;
    account_play_find(base_json_text(lesson_step_json(d), "play", ""), &p);
    return p;
}

static uint32_t ranks(const struct lesson_dialogue *d) {
    return (uint32_t)d->state.position[RANKS] + RANKS_LEAST;
}

static struct account_scene scene(const struct lesson_dialogue *d) {
    struct account_scene s;
    account_scene(play(d), ranks(d), (uint32_t)d->state.position[SCENE], &s);
    return s;
}

static bool adds(const struct account_scene *s) {
    return s->moves > 0 && s->move[0].adds;
}

/* Which note belongs to a scene: notes are named by what happens, so that they fit any number of
 * ranks. */
static const char *moment(const struct lesson_dialogue *d, const struct account_scene *s) {
    struct account_scene after;
    if (s->step == 0) return "start";
    if (s->step == s->steps) return "finish";
    account_scene(play(d), s->ranks, s->step + 1, &after);
    if (adds(s) && !adds(&after)) return "turn";
    return adds(s) ? "reduce" : "gather";
}

static json_t *figure_now(const struct lesson_dialogue *d) {
    struct account_scene s = scene(d);
    json_t *f = json_pack("{ss ss sI sI}", "kind", "collective", "play", account_play_name(play(d)),
                          "ranks", (json_int_t)s.ranks, "step", (json_int_t)s.step);
    const char *note =
        base_json_text(json_object_get(lesson_step_json(d), "notes"), moment(d, &s), NULL);
    if (note != NULL) json_object_set_new(f, "note", json_string(note));
    return f;
}

static void ask_scenes(struct lesson_dialogue *d) {
    struct account_scene s = scene(d);
    bool free = base_json_bool(lesson_step_json(d), "choose_ranks", false);
    struct lesson_ask *ask =
        lesson_ask_begin(d, LESSON_SLIDERS,
                         base_dup(free ? "`next`, `back`, a step's number, or `ranks=8`"
                                       : "`next`, `back`, or a step's number"));
    struct lesson_slider *slider = lesson_keep_alloc(&d->asking, 2 * sizeof *slider);
    char *at = base_format("%u of %u", s.step, s.steps), *many = base_format("%u", s.ranks);
    slider[SCENE] = (struct lesson_slider){"step", lesson_keep_owned(&d->asking, at), s.step,
                                           (size_t)s.steps + 1};
    slider[RANKS] =
        (struct lesson_slider){"ranks", lesson_keep_owned(&d->asking, many),
                               d->state.position[RANKS], ACCOUNT_SCENE_RANKS - RANKS_LEAST + 1};
    ask->scenes = true;
    ask->sliders = free ? 2 : 1;
    ask->slider = slider;
}

static void enter(struct lesson_dialogue *d) {
    int64_t given = base_json_int(lesson_step_json(d), "ranks", RANKS_USUAL);
    d->state.position[SCENE] = 0;
    d->state.position[RANKS] = (size_t)given - RANKS_LEAST;
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "text"));
    lesson_show_event(d, LESSON_SHOW)->figure = lesson_keep_json(&d->events, figure_now(d));
    ask_scenes(d);
    lesson_ask_pose(d);
}

static size_t clamp(long to, size_t count) {
    return to < 0 ? 0 : to >= (long)count ? count - 1 : (size_t)to;
}

/* Other ranks have another play, which begins at its first step. */
static void set(struct lesson_dialogue *d, size_t index, long to) {
    size_t was = d->state.position[index];
    d->state.position[index] = clamp(to, d->ask->slider[index].count);
    if (d->state.position[index] == was) {
        if (index == SCENE)
            lesson_show(d, LESSON_QUIET,
                        was == 0 ? "This is the first step." : "This is the last step.");
        return;
    }
    if (index == RANKS) d->state.position[SCENE] = 0;
    ask_scenes(d);
    struct lesson_event *e = lesson_show_event(d, LESSON_LEDGER);
    e->figure = lesson_keep_json(&d->events, figure_now(d));
    e->ask = d->ask;
}

static void move(struct lesson_dialogue *d, size_t index, int by) {
    if (index < d->ask->sliders)
        set(d, index, (long)d->state.position[index] + by);
    else
        lesson_show(d, LESSON_QUIET, "The number of ranks stays as it is here.");
}

/* ── typing ────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *word;
    int by;
} WORDS[] = {
    {"next",  1    },
    {"n",     1    },
    {"back",  -1   },
    {"b",     -1   },
    {"first", -9999},
    {"last",  9999 },
};

static bool read_count(const char *text, long *out) {
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out >= 0 && *out < 1000;
}

static void set_ranks(struct lesson_dialogue *d, long to) {
    if (to >= RANKS_LEAST && to <= ACCOUNT_SCENE_RANKS && d->ask->sliders > RANKS)
        set(d, RANKS, to - RANKS_LEAST);
    else
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            d->ask->sliders > RANKS
                                ? base_format("It can be played by %d to %d ranks.", RANKS_LEAST,
                                              ACCOUNT_SCENE_RANKS)
                                : base_dup("The number of ranks stays as it is here."));
}

static void answer(struct lesson_dialogue *d, const char *text) {
    char word[32] = "", value[32] = "", more[32];
    long to;
    char *plain = base_dup(text);
    for (char *c = plain; *c != '\0'; c++)
        if (*c == '=') *c = ' ';
    const char *rest = plain;
    bool two =
        lesson_pick_word(&rest, word, sizeof word) && lesson_pick_word(&rest, value, sizeof value);
    bool too_many = lesson_pick_word(&rest, more, sizeof more);
    free(plain);
    for (size_t i = 0; i < BASE_COUNT(WORDS) && !two; i++)
        if (strcmp(word, WORDS[i].word) == 0) {
            set(d, SCENE, (long)d->state.position[SCENE] + WORDS[i].by);
            return;
        }
    if (!two && read_count(word, &to))
        set(d, SCENE, to);
    else if (two && !too_many && strcmp(word, "step") == 0 && read_count(value, &to))
        set(d, SCENE, to);
    else if (two && !too_many && strcmp(word, "ranks") == 0 && read_count(value, &to))
        set_ranks(d, to);
    else
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            base_format("'%s' is none of them. Type %s.",
                                        lesson_show_literally(d, word), d->ask->prompt));
}

const struct step_ops lesson_step_animate = {.enter = enter, .answer = answer, .move = move};
