/* input_play: the keys of a play. Its options have one pair of brackets each, in their order, in
 * every play. Without motion Space goes a step on, as right does. */
#include "screen/input.h"

#include <stdlib.h>

/* Where one stands is drawn by the lesson's view, at the bottom of the window. */
static void draw_play(struct input *in, struct page *p, struct input_spot *spot) {
    (void)in, (void)p, (void)spot;
}

static enum input_result move(struct input *in, size_t index, long to) {
    const struct lesson_slider *s = &in->ask->slider[index];
    long last = (long)s->count - 1;
    to = to < 0 ? 0 : to > last ? last : to;
    if (to == (long)s->position) return INPUT_REDRAW;
    in->action = (struct lesson_action){
        .kind = LESSON_DO_MOVE, .index = index, .by = (int)(to - (long)s->position)};
    return INPUT_DO;
}

/* By hand one goes at one's own pace. */
static enum input_result go_to(struct input *in, long frame) {
    in->player.playing = false;
    in->player.by_hand = true;
    return move(in, 0, frame);
}

/* Leaves its question unanswered, and goes on. */
static enum input_result pass(struct input *in) {
    in->player.playing = in->motion;
    return move(in, 0, (long)in->ask->play->next);
}

/* A learner who steps from frame to frame does not step past the question unawares. */
static enum input_result step(struct input *in) {
    return in->ask->play->question ? INPUT_UNFINISHED : go_to(in, (long)in->ask->play->next);
}

static enum input_result toggle(struct input *in) {
    in->player.by_hand = false;
    if (in->ask->play->question) return pass(in);
    if (!in->motion) return go_to(in, (long)in->ask->play->next);
    int by = screen_player_toggle(&in->player, in->ask);
    return by ? move(in, 0, (long)in->ask->slider[0].position + by) : INPUT_REDRAW;
}

/* The next value of an option, or the one before; after the last comes the first. */
static enum input_result key_option(struct input *in, size_t option, bool back) {
    const struct lesson_slider *s = &in->ask->slider[1 + option];
    size_t to = (s->position + (back ? s->count - 1 : 1)) % s->count;
    in->player.playing = false;
    return move(in, 1 + option, (long)to);
}

static enum input_result key_options(struct input *in, const struct key *k) {
    const struct account_play *row = in->ask->play->row;
    for (size_t i = 0; i < row->options; i++) {
        const char *keys = screen_player_keys(i);
        uint32_t before = screen_key_named(&keys), next = screen_key_named(&keys);
        if (k->code == next || k->code == before) return key_option(in, i, k->code == before);
    }
    return INPUT_IGNORED;
}

/* If the play was running when it met the question, it runs on after the answer. */
static enum input_result guess(struct input *in, const struct key *k) {
    in->player.playing = in->motion && !in->player.by_hand;
    in->answer = base_format("%c", (char)k->code);
    return INPUT_DO;
}

static enum input_result key_play(struct input *in, const struct key *k) {
    const struct lesson_play *play = in->ask->play;
    if (play->question && k->code >= '0' && k->code < '0' + play->digits) return guess(in, k);
    if (play->question)
        in->held = false; /* a drag that came to the question ends there */
    else if (k->code != PRESS_DRAG)
        in->held = k->code == PRESS_CLICK && k->target == PLAYER_TARGET;
    if (in->held) return go_to(in, screen_player_frame_at(&in->player, k->column));
    switch (k->code) {
    case PRESS_ENTER:
        if (play->question) return pass(in);
        if (!lesson_play_is_over(in->ask)) return go_to(in, (long)play->ahead);
        in->action = (struct lesson_action){.kind = LESSON_DO_NEXT};
        return INPUT_DO;
    case ' ': return toggle(in);
    case PRESS_RIGHT:
    case '.': return step(in);
    case PRESS_LEFT:
    case ',': return go_to(in, (long)play->back);
    case PRESS_HOME: return go_to(in, 0);
    case PRESS_END: return go_to(in, (long)in->ask->slider[0].count - 1);
    case '+':
    case '=':
    case '-':
        if (play->question) return INPUT_IGNORED; /* nothing moves */
        screen_player_faster(&in->player, k->code == '-' ? -1 : 1, in->ask);
        return INPUT_REDRAW;
    default: return key_options(in, k);
    }
}

const struct input_operations screen_input_play = {
    .hand = INPUT_PLAYS,
    .enter = INPUT_GOES_ON,
    .how = "Right and left move one frame. End jumps to the question, then to the last.",
    .unfinished = "a digit answers; Enter plays on without an answer",
    .draw = draw_play,
    .key = key_play};
