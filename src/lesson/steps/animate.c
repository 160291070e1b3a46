/* animate.c: a play of the engine, frame by frame, forwards and backwards. What is in a frame is
 * the engine's; here is only the frame it is at, and the question at which a play stops once. The
 * front ends keep the time. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME, OPTIONS }; /* state.position, and the sliders: the frame, then the play's options */
/* state.phase, of the question at its stop; TOLD: in the frame that its answer led to */
enum { UNASKED, ASKING, ANSWERED, TOLD };
enum {
    /* an answer's reason is read before the play goes on */
    TOLD_MS = 8000,
    /* for each word of a sentence next to a drawing that moves, which many frames repeat */
    GLANCE_MS = 80,
    OPENING_MS = 3000,
    WRONG = -1 /* no right answer: the reply to it is the longer one */
};

/* ── where one stands ──────────────────────────────────────────────────────────────────────────*/
static struct account_playing playing(const struct lesson_dialogue *d) {
    struct account_playing at;
    if (!lesson_playing_read(lesson_step_json(d), &at, NULL))
        at =
            account_play_begin(account_play_find("ring-all-reduce")); /* checked when it was read */
    for (size_t i = 0; i < at.play->options; i++) at.at[i] = d->state.position[OPTIONS + i];
    at.frame = (uint32_t)d->state.position[FRAME];
    return at;
}

/* The first frame after its question; 0 if nothing is asked. */
static uint32_t stop_of(const struct lesson_dialogue *d, const struct account_playing *at,
                        uint32_t *answer) {
    *answer = 0;
    if (lesson_step_text(d, "ask") == NULL) return 0;
    return at->play->stop(at, answer);
}

/* How many numbers from 0 on can be its answer. */
static unsigned digits_of(const struct account_playing *at) {
    enum { DIGITS = 10 };
    return at->play->choices ? at->play->choices(at) : DIGITS;
}

static bool asks(const struct lesson_dialogue *d) {
    return d->state.phase == ASKING;
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
/* What was guessed next to what is true, then the lesson's own words. */
static char *told(const struct lesson_dialogue *d, const struct account_playing *at, int guess) {
    uint32_t answer;
    stop_of(d, at, &answer);
    const char *reveal = lesson_step_text(d, "reveal");
    char *head = guess == (int)answer ? base_format("**%u, as you said.**", answer)
                                      : base_format("**You said %d; it is %u.**", guess, answer);
    char *text = base_format("%s %s", head, reveal ? reveal : "");
    free(head);
    return text;
}

static void add_note(const struct lesson_dialogue *d, const struct account_playing *at,
                     const char *moment, json_t *figure) {
    const char *note = base_json_text(json_object_get(lesson_step_json(d), "notes"), moment, NULL);
    char *answer = d->state.phase == TOLD ? told(d, at, (int)d->state.given[0]) : NULL;
    if (answer != NULL || note != NULL)
        json_object_set_new(figure, "note", json_string(answer != NULL ? answer : note));
    free(answer);
}

/* The longest note of the play, so that the drawing above it keeps its rows for all of them. */
static void add_longest(const struct lesson_dialogue *d, const struct account_playing *at,
                        json_t *figure) {
    const char *moment, *longest = "";
    json_t *note, *notes = json_object_get(lesson_step_json(d), "notes");
    char *answer = lesson_step_text(d, "ask") ? told(d, at, WRONG) : base_dup("");
    json_object_foreach(notes, moment, note) {
        const char *text = json_string_value(note);
        if (base_width(text) > base_width(longest)) longest = text;
    }
    if (base_width(answer) > base_width(longest)) longest = answer;
    if (*longest != '\0') json_object_set_new(figure, "longest_note", json_string(longest));
    free(answer);
}

static json_t *figure_now(const struct lesson_dialogue *d, const struct account_playing *at) {
    static const char *const same[] = {"bytes", "training"};
    struct account_play_frame f;
    account_play_frame(at, &f);
    json_t *figure = json_pack("{ss ss sI}", "kind", "play", "play", at->play->name, "frame",
                               (json_int_t)at->frame);
    for (size_t i = 0; i < at->play->options; i++) {
        const struct account_play_option *o = &at->play->option[i];
        json_object_set_new(figure, o->name, json_integer((json_int_t)o->value[at->at[i]]));
    }
    for (size_t i = 0; i < BASE_COUNT(same); i++) {
        json_t *value = json_object_get(lesson_step_json(d), same[i]);
        if (value != NULL) json_object_set(figure, same[i], value);
    }
    json_object_set_new(figure, "lead", json_string(lesson_step_text(d, "text")));
    add_note(d, at, f.moment, figure);
    add_longest(d, at, figure);
    return figure;
}

/* ── what is asked ─────────────────────────────────────────────────────────────────────────────*/
static char *prompt(const struct account_playing *at) {
    struct base_text t = {0};
    unsigned last = account_play_stops(at);
    base_text_printf(&t,
                     "Type `next` for the next of %u frames, `back`%s a frame's number (1 to %u)",
                     last, at->play->options ? "," : " or", last);
    for (size_t i = 0; i < at->play->options; i++) {
        const struct account_play_option *o = &at->play->option[i];
        char value[40];
        size_t last = o->values - 1;
        account_play_value_name(o, at->at[i] == last ? 0 : last, value, sizeof value);
        base_text_printf(&t, "%s `%s=%s`", i + 1 < at->play->options ? "," : " or", o->name, value);
    }
    base_text_puts(&t, ".");
    return base_text_take(&t);
}

static struct lesson_slider *sliders(struct lesson_dialogue *d, const struct account_playing *at,
                                     const struct account_play_frame *f) {
    struct lesson_slider *s =
        lesson_keep_alloc(&d->asking, (OPTIONS + at->play->options) * sizeof *s);
    s[FRAME] = (struct lesson_slider){"frame", lesson_keep_text(&d->asking, f->place), at->frame,
                                      account_play_frames(at), NULL};
    for (size_t i = 0; i < at->play->options; i++) {
        const struct account_play_option *o = &at->play->option[i];
        char value[40];
        account_play_value_name(o, at->at[i], value, sizeof value);
        s[OPTIONS + i] = (struct lesson_slider){o->name, lesson_keep_text(&d->asking, value),
                                                at->at[i], o->values, NULL};
    }
    return s;
}

/* Whether nothing begins in this frame that the step before did not show already. */
static bool is_between(const struct account_playing *at) {
    struct account_playing before = *at;
    struct account_play_frame then, now;
    before.frame = account_play_step(at, false);
    account_play_frame(&before, &then);
    account_play_frame(at, &now);
    return at->frame > 0 && strcmp(then.moment, now.moment) == 0;
}

/* A new sentence stays a moment longer than what moves under it needs. */
static uint32_t frame_ms(const struct account_playing *at, const struct account_play_frame *f) {
    uint32_t glance = is_between(at) ? 0 : GLANCE_MS * (uint32_t)lesson_text_words(f->says);
    return f->ms > glance ? f->ms : glance;
}

static uint32_t opening_ms(const struct lesson_dialogue *d) {
    size_t words = lesson_text_words(lesson_step_text(d, "text"));
    uint32_t read = (uint32_t)(1000 * lesson_reading_seconds(words));
    return read > OPENING_MS ? read : OPENING_MS;
}

static size_t ahead_of(const struct lesson_dialogue *d, const struct account_playing *at) {
    uint32_t answer, stop = stop_of(d, at, &answer);
    return d->state.phase == UNASKED && at->frame < stop ? stop : account_play_frames(at) - 1;
}

/* Whether the frame's own title is its number. Other plays count hops, or name a place. */
static bool is_titled(const struct account_playing *at, const char *place) {
    char number[40];
    snprintf(number, sizeof number, "frame %u of %u", account_play_number(at),
             account_play_stops(at));
    return strcmp(place, number) == 0;
}

static void ask_frames(struct lesson_dialogue *d, const struct account_playing *at) {
    struct account_play_frame f;
    account_play_frame(at, &f);
    const char *question = asks(d) ? lesson_step_text(d, "ask") : NULL;
    struct lesson_ask *ask = lesson_ask_begin(
        d, LESSON_SLIDERS,
        question ? base_format("%s Type a number from 0 to %u, or `next` to continue without it.",
                               question, digits_of(at) - 1)
                 : prompt(at));
    struct lesson_play *play = lesson_keep_alloc(&d->asking, sizeof *play);
    *play = (struct lesson_play){
        .row = at->play,
        .ms = d->state.phase == TOLD ? TOLD_MS : frame_ms(at, &f),
        .opening_ms = opening_ms(d),
        .back = account_play_step(at, false),
        .next = account_play_step(at, true),
        .number = account_play_number(at),
        .numbers = account_play_stops(at),
        .titled = is_titled(at, f.place),
        .ahead = ahead_of(d, at),
        .part = account_play_part(at),
        .question = question ? lesson_keep_text(&d->asking, question) : NULL,
        .digits = digits_of(at),
    };
    ask->scenes = true;
    ask->play = play;
    ask->sliders = OPTIONS + at->play->options;
    ask->slider = sliders(d, at, &f);
}

static void repeat(struct lesson_dialogue *d) {
    struct account_playing at = playing(d);
    lesson_show_event(d, LESSON_SHOW)->figure = lesson_keep_json(&d->events, figure_now(d, &at));
    ask_frames(d, &at);
    lesson_ask_pose(d);
}

static void enter(struct lesson_dialogue *d) {
    struct account_playing at;
    if (!lesson_playing_read(lesson_step_json(d), &at, NULL)) return;
    d->state.position[FRAME] = 0;
    d->state.phase = UNASKED;
    for (size_t i = 0; i < at.play->options; i++) d->state.position[OPTIONS + i] = at.at[i];
    repeat(d);
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
/* What a frame says was said already if it only asks now. `far`: the frames before it were passed
 * over, so nothing of it was told. */
static void show_frame(struct lesson_dialogue *d, bool moved, bool far) {
    struct account_playing at = playing(d);
    struct account_play_frame f;
    account_play_frame(&at, &f);
    ask_frames(d, &at);
    struct lesson_event *e = lesson_show_event(d, LESSON_LEDGER);
    e->text = moved ? lesson_keep_text(&d->events, f.says) : NULL;
    e->between = !moved || (is_between(&at) && d->state.phase != TOLD && !far);
    json_t *figure = figure_now(d, &at);
    if (e->between) json_object_set_new(figure, "between", json_true());
    e->figure = lesson_keep_json(&d->events, figure);
    e->ask = d->ask;
}

/* Until the question is answered, the play stops before the frame that shows the answer, whether a
 * step or a jump leads beyond it. Moving on from there passes the question over; a step back over
 * that place asks it again. */
static bool is_asked_before(const struct lesson_dialogue *d, const struct account_playing *at,
                            uint32_t to) {
    uint32_t answer, stop = stop_of(d, at, &answer);
    if (d->state.phase != UNASKED) return false;
    if (at->frame < stop) return to >= stop;
    return to < stop && to == account_play_step(at, false);
}

/* Whether what happens between the two frames was not seen. */
static bool is_far(const struct account_playing *at, size_t to) {
    return to != at->frame && to != account_play_step(at, true) &&
           to != account_play_step(at, false);
}

static bool stops(struct lesson_dialogue *d, const struct account_playing *at, uint32_t to) {
    uint32_t answer;
    if (!is_asked_before(d, at, to)) return false;
    d->state.phase = ASKING;
    d->state.position[FRAME] = stop_of(d, at, &answer) - 1;
    return true;
}

/* A learner who passed the question over is asked again on the next way there. */
static void leave_question(struct lesson_dialogue *d) {
    d->state.phase = d->state.phase >= ANSWERED ? ANSWERED : UNASKED;
}

static size_t clamp(long to, size_t count) {
    return to < 0 ? 0 : to >= (long)count ? count - 1 : (size_t)to;
}

static void set_frame(struct lesson_dialogue *d, long wanted) {
    struct account_playing at = playing(d);
    size_t was = at.frame, to = clamp(wanted, account_play_frames(&at));
    if (to == was) {
        lesson_show(d, LESSON_QUIET,
                    was == 0 ? "This is the first frame." : "This is the last frame.");
        return;
    }
    if (stops(d, &at, (uint32_t)to)) {
        size_t now = d->state.position[FRAME];
        show_frame(d, now != was, is_far(&at, now));
        return;
    }
    leave_question(d);
    d->state.position[FRAME] = to;
    show_frame(d, true, is_far(&at, to));
}

/* With another option it is another play, which starts over. */
static void set_option(struct lesson_dialogue *d, size_t index, long to) {
    size_t was = d->state.position[index];
    d->state.position[index] = clamp(to, d->ask->slider[index].count);
    if (d->state.position[index] == was) return;
    struct account_playing at = playing(d);
    struct account_error e = {0};
    if (at.play->check != NULL && !at.play->check(&at, &e)) {
        d->state.position[index] = was;
        lesson_show_owned(d, LESSON_QUIET, base_format("%s.", e.what));
        return;
    }
    d->state.position[FRAME] = 0;
    leave_question(d);
    show_frame(d, true, false);
}

static void move(struct lesson_dialogue *d, size_t index, int by) {
    long to = index < d->ask->sliders ? (long)d->state.position[index] + by : 0;
    if (index == FRAME)
        set_frame(d, to);
    else if (index < d->ask->sliders)
        set_option(d, index, to);
}

/* ── typing ────────────────────────────────────────────────────────────────────────────────────*/
static bool set_word(struct lesson_dialogue *d, const char *word) {
    const struct lesson_play *p = d->ask->play;
    const struct {
        const char *word, *short_word;
        long to;
    } words[] = {
        {"next", "n", (long)p->next},
        {"back", "b", (long)p->back},
        {"first", "", 0},
        {"last", "", (long)d->ask->slider[FRAME].count - 1},
    };
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strcmp(word, words[i].word) == 0 || strcmp(word, words[i].short_word) == 0) {
            set_frame(d, words[i].to);
            return true;
        }
    return false;
}

/* The number of the current frame asks to see it again. */
static void set_number(struct lesson_dialogue *d, uint32_t number) {
    struct account_playing at = playing(d);
    uint32_t to = account_play_stop(&at, number);
    if (to > at.frame && is_asked_before(d, &at, to))
        lesson_show_owned(d, LESSON_QUIET,
                          base_format("The play asks a question before frame %u.", number));
    if (to == at.frame)
        show_frame(d, true, true);
    else
        set_frame(d, to);
}

static bool read_count(const char *text, long *out) {
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out >= 0 && *out < 100000;
}

static void take_guess(struct lesson_dialogue *d, long guess) {
    uint32_t answer;
    struct account_playing at = playing(d);
    if (guess >= (long)digits_of(&at)) {
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            base_format("%ld is none of them. %s", guess, d->ask->prompt));
        return;
    }
    d->state.given[0] = (double)guess;
    d->state.phase = TOLD;
    d->state.position[FRAME] = stop_of(d, &at, &answer);
    show_frame(d, true, false);
}

/* "8", "off" and "200" are values, the last of one that is called "200 MB", and former names. */
static bool is_value(const struct account_play_option *o, size_t position, const char *text) {
    char name[40], number[24];
    account_play_value_name(o, position, name, sizeof name);
    snprintf(number, sizeof number, "%u", o->value[position]);
    const char *also = o->also ? o->also[position] : NULL;
    return strcmp(text, name) == 0 || strcmp(text, number) == 0 || (also && !strcmp(text, also));
}

static bool set_named(struct lesson_dialogue *d, const char *name, const char *text) {
    const struct account_play *row = d->ask->play->row;
    for (size_t i = 0; i < row->options; i++)
        for (size_t k = 0; k < row->option[i].values; k++)
            if (strcmp(name, row->option[i].name) == 0 && is_value(&row->option[i], k, text)) {
                set_option(d, OPTIONS + i, (long)k);
                return true;
            }
    return false;
}

/* The two words of "ranks=8" or "ranks 8"; the second is empty if there is one only. */
static void part(const char *text, char name[32], char value[32]) {
    char *plain = base_dup(text);
    for (char *c = plain; *c != '\0'; c++)
        if (*c == '=') *c = ' ';
    const char *rest = plain;
    *name = *value = '\0';
    if (lesson_pick_word(&rest, name, 32)) lesson_pick_word(&rest, value, 32);
    free(plain);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    char name[32], value[32];
    long number;
    part(text, name, value);
    bool one = *value == '\0', count = one && read_count(name, &number);
    if (count && asks(d))
        take_guess(d, number);
    else if (count)
        set_number(d, (uint32_t)number);
    else if (!(one ? set_word(d, name) : set_named(d, name, value)))
        lesson_show_verdict(d, VERDICT_UNREADABLE,
                            base_format("'%s' cannot be used here. %s", lesson_show_typed(d, text),
                                        d->ask->prompt));
}

const struct step_ops lesson_step_animate = {
    .enter = enter, .repeat = repeat, .answer = answer, .move = move};
