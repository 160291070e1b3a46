/* open.c: whether a question is open, and what may not be shown while it is. */
#include "lesson/handler.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is this near to the answer, gives it away. */
static const double NEAR = 0.005;

bool lesson_card_unturned(const struct lesson_dialogue *d) {
    return !d->over && d->ask != NULL && d->ask->form == LESSON_NEXT && d->ask->card;
}

bool lesson_leads_within(const struct lesson_dialogue *d) {
    const struct lesson_ask *ask = d->ask;
    return ask != NULL && ask->leads > 0 && strcmp(ask->lead[0].lesson, d->lesson->id) == 0;
}

bool lesson_question_open(const struct lesson_dialogue *d) {
    static const bool asks[LESSON_FORMS] = {
        [LESSON_NUMBER] = true, [LESSON_LINE] = true, [LESSON_CHOICE] = true,
        [LESSON_ORDER] = true,  [LESSON_SORT] = true, [LESSON_TICKS] = true,
        [LESSON_TEXT] = true};
    if (d->over || d->ask == NULL) return false;
    bool works = d->ask->form == LESSON_NEXT && d->ask->worked;
    bool stopped = d->ask->play != NULL && d->ask->play->question != NULL;
    bool tested = lesson_in_check(d) && d->lesson->step[d->at].kind != LESSON_RECAP;
    return tested || asks[d->ask->form] || works || lesson_card_unturned(d) || stopped;
}

/* Whether a text has these words, and not only within others. */
static bool has_words(const char *text, const char *words) {
    size_t n = strlen(words);
    for (const char *s = text; n > 0 && (s = strstr(s, words)) != NULL; s++)
        if ((s == text || !isalnum((unsigned char)s[-1])) && !isalnum((unsigned char)s[n]))
            return true;
    return false;
}

/* Of the options to choose from the wrong ones too: what is held back tells nothing either. */
static bool has_option(const struct lesson_dialogue *d, const char *text) {
    for (size_t i = 0; d->ask->form == LESSON_CHOICE && i < d->ask->options; i++)
        if (has_words(text, d->ask->option[i])) return true;
    return false;
}

/* Digits within a word, such as fp32, are no number. */
static bool has_number(const char *text, double wanted) {
    for (const char *s = text; *s != '\0';) {
        size_t n = isdigit((unsigned char)*s) ? strspn(s, "0123456789.") : 0;
        bool within = s > text && isalnum((unsigned char)s[-1]);
        if (n > 0 && !within && fabs(strtod(s, NULL) - wanted) <= NEAR * fabs(wanted)) return true;
        s += n > 0 ? n : 1;
    }
    return false;
}

/* A card asks for words, and whatever explains one on its front may be its back. */
bool lesson_gives_away(const struct lesson_dialogue *d, const char *text) {
    const struct account_solution *asked = &d->state.attempt.solution;
    if (lesson_card_unturned(d)) return true;
    if (!lesson_question_open(d)) return false;
    if (has_option(d, text)) return true;
    return asked->lines > 0 && has_number(text, asked->value / account_unit_scale(asked->unit));
}

const char *lesson_taught_in(const struct lesson_dialogue *d) {
    return base_json_text(lesson_origin(d->lesson, d->at), "id", d->lesson->id);
}
