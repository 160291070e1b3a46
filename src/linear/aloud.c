/* aloud: the page of a step read aloud. It was printed already, so nothing is printed again. At a
 * terminal Enter stops it. */
#include "linear/inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

/* Waits for the end of a line, or of all if the learner types one. False if that happened. */
static bool hear(const struct talk *t, struct voice_speech *s) {
    while (s->pid) {
        struct pollfd wait[] = {{.fd = s->fd, .events = POLLIN},
                                {.fd = t->echo ? -1 : fileno(t->in), .events = POLLIN}};
        if (poll(wait, 2, -1) < 0 && errno != EINTR) return false;
        if (wait[1].revents) return false;
        if (wait[0].revents) voice_goes_on(s);
    }
    return true;
}

static void say_failed(struct talk *t, const struct voice_speech *s) {
    char *text = base_format("`%s` stopped with status %d: try `zerotutor aloud` for this lesson.",
                             voice_name(s->with), s->status);
    linear_print_markdown(t, PAGE_BAD, text);
    free(text);
}

static void speak(struct talk *t, const struct voice_synthesiser *with,
                  const struct voice_lines *l) {
    size_t here = session_prose_here(t->session);
    struct voice_speech s = {0};
    struct base_message m = {0};
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < l->count; i++) {
        if (l->at[i].part != here) continue;
        if (!voice_speak(&s, with, l, i, &m)) {
            linear_complain(t, &m);
            return;
        }
        goes_on = hear(t, &s) && s.status == 0;
    }
    if (!s.pid && s.status != 0) say_failed(t, &s);
    voice_stop(&s);
}

void linear_read_aloud(struct talk *t) {
    const struct voice_synthesiser *with = voice_find(false);
    struct voice_lines lines = {0};
    if (!session_speaks(t->session)) {
        linear_print_markdown(t, PAGE_DIM, "This step has no prose to read aloud.");
    } else if (!with) {
        linear_print_markdown(t, PAGE_DIM, "Nothing here can speak: install espeak-ng.");
    } else {
        session_prose_shown(t->session, &lines);
        speak(t, with, &lines);
        voice_lines_free(&lines);
    }
}
