/* card.c: a card: its front, which is answered in one's head, then its back, and whether that was
 * known. There is no third answer: "hard" is what people say of a card that they forgot. */
#include "lesson/handler.h"

#include <math.h>
#include <string.h>

static void enter(struct lesson_dialogue *d) {
    struct past past = lesson_record_past(d);
    lesson_attempt_plain(d, past.try + 1);
    lesson_past_free(&past);
    lesson_show(d, LESSON_ASKING, lesson_step_text(d, "front"));
    lesson_show(d, LESSON_QUIET, "Say the answer to yourself, then turn the card.");
    lesson_ask_begin(d, LESSON_NEXT, base_dup("turn the card"))->card = true;
    lesson_ask_pose(d);
}

static void turn(struct lesson_dialogue *d) {
    d->state.phase = 1;
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "back"));
    struct lesson_ask *ask = lesson_ask_begin(d, LESSON_CHOICE, base_dup("Did you know it?"));
    ask->card = ask->graded = true;
    const char **option = lesson_ask_options(d, 2);
    option[0] = "I knew it";
    option[1] = "I did not";
    lesson_ask_pose(d);
}

/* The first time Enter turns the card; then it passes over it. */
static bool next(struct lesson_dialogue *d) {
    if (d->state.phase > 0) return false;
    turn(d);
    return true;
}

/* "y" and "n" are as good as "1" and "2". */
static bool read_known(const char *text, bool *known) {
    size_t chosen;
    char word[8], more[8];
    const char *s = text;
    bool one = lesson_pick_word(&s, word, sizeof word) && !lesson_pick_word(&s, more, sizeof more);
    if (one && strchr("yYnN", word[0]) != NULL && word[1] == '\0') {
        *known = word[0] == 'y' || word[0] == 'Y';
        return true;
    }
    if (!lesson_pick_one(text, 2, &chosen)) return false;
    *known = chosen == 0;
    return true;
}

static void answer(struct lesson_dialogue *d, const char *text) {
    bool known;
    if (!read_known(text, &known)) {
        lesson_show(d, LESSON_QUIET, "Type 1 if you knew it, or 2 if you did not.");
        return;
    }
    struct record r = {LESSON_CARD_LINE, known ? "knew" : "did not",
                       known ? VERDICT_RIGHT : VERDICT_WRONG, "", NAN};
    if (!lesson_record_answer(d, r)) return;
    lesson_show_verdict(d, r.verdict, base_dup(""));
    lesson_ask_next(d);
}

const struct step_ops lesson_step_card = {.enter = enter, .answer = answer, .next = next};
