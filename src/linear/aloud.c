/* aloud: the page of a step read aloud, or the prose of the whole lesson. Pages that were met are
 * printed already, so nothing is printed again. At a terminal Enter stops it. */
#include "linear/inside.h"

#include <stdlib.h>

static void say_failed(struct talk *t, const struct voice_speech *s) {
    char *text = base_format("`%s` stopped with status %d: try `zerotutor aloud` for this lesson.",
                             voice_name(s->with), s->status);
    linear_print_markdown(t, PAGE_BAD, text);
    free(text);
}

/* Where the lines that are to be read begin and end. */
struct stretch {
    size_t from, to;
};

static void speak(struct talk *t, const struct voice_synthesiser *with, const struct voice_lines *l,
                  struct stretch lines) {
    int keys = t->echo ? -1 : fileno(t->in);
    struct voice_speech s = {0};
    struct base_message m = {0};
    bool goes_on = true;
    for (size_t i = lines.from; goes_on && i < lines.to; i++) {
        if (!voice_speak(&s, with, l, i, &m)) {
            linear_complain(t, &m);
            return;
        }
        goes_on = voice_listen(&s, keys) && s.status == 0;
    }
    if (!s.pid && s.status != 0) say_failed(t, &s);
    voice_stop(&s);
}

/* All lines of the lesson, or those of the step where the learner is. */
static struct stretch stretch_of(const struct voice_lines *l, size_t here, bool all) {
    struct stretch s = {0, l->count};
    while (!all && s.from < s.to && l->at[s.from].part != here) s.from++;
    while (!all && s.to > s.from && l->at[s.to - 1].part != here) s.to--;
    return s;
}

static void say_what(struct talk *t, const struct stretch *s, bool all) {
    char *text = base_format(
        "Reading %s aloud, %zu line%s.%s", all ? "the whole lesson" : "this step", s->to - s->from,
        s->to - s->from == 1 ? "" : "s", t->echo ? "" : " Press Enter to stop.");
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
}

static void read_aloud(struct talk *t, bool all) {
    const struct voice_synthesiser *with = voice_find(false);
    struct voice_lines lines = {0};
    session_prose_shown(t->session, &lines);
    struct stretch s = stretch_of(&lines, session_prose_here(t->session), all);
    if (s.from == s.to)
        linear_print_markdown(t, PAGE_DIM,
                              all ? "This lesson has no prose to read aloud."
                                  : "This step has no prose to read aloud. `:aloud lesson` reads "
                                    "the whole lesson.");
    else if (!with)
        linear_print_markdown(t, PAGE_DIM, "Nothing here can speak: install espeak-ng.");
    else {
        say_what(t, &s, all);
        speak(t, with, &lines, s);
    }
    voice_lines_free(&lines);
}

void linear_read_step(struct talk *t) {
    read_aloud(t, false);
}

void linear_read_lesson(struct talk *t) {
    read_aloud(t, true);
}
