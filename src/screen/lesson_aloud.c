/* lesson_aloud: a page read aloud, line by line, by a synthesiser that runs beside the program. The
 * run loop waits on it as on a file; the line that is spoken is marked on the page. */
#include "screen/lesson.h"

#include <string.h>

/* What is installed is looked for once, when a page that has prose first asks for it. */
static const struct voice_synthesiser *synthesiser(struct app *app) {
    if (!app->voice_sought) app->voice = voice_find(false);
    app->voice_sought = true;
    return app->voice;
}

bool screen_lesson_can_speak(const struct lesson *l) {
    return !l->over && session_speaks(l->session) && synthesiser(l->view.app);
}

bool screen_lesson_speaks(const struct lesson *l) {
    return l->aloud.speech.pid != 0;
}

unsigned screen_lesson_silence(struct view *v, const struct key *k) {
    struct lesson_aloud *a = &((struct lesson *)v)->aloud;
    (void)k;
    voice_stop(&a->speech);
    voice_lines_free(&a->lines);
    return VIEW_REDRAW;
}

static unsigned fail(struct lesson *l, char *why) {
    screen_app_notice(l->view.app, why);
    return screen_lesson_silence(&l->view, NULL);
}

/* The pages of a dialogue must not rush by. */
static bool was_heard(const struct lesson_aloud *a) {
    return voice_was_heard(&a->lines.at[a->at], base_ticks() - a->began);
}

static unsigned speak(struct lesson *l) {
    struct lesson_aloud *a = &l->aloud;
    struct base_message m = {0};
    const struct voice_line *line = &a->lines.at[a->at];
    a->spot = (struct screen_page_spoken){.title = line->paragraph == VOICE_TITLE,
                                          .paragraph = line->paragraph};
    a->follow = true;
    a->began = base_ticks();
    if (voice_speak(&a->speech, synthesiser(l->view.app), &a->lines, a->at, &m)) return VIEW_REDRAW;
    return fail(l, base_dup(m.what));
}

/* Where the next line is on the next page: a dialogue goes on there, other lessons wait for
 * Enter. */
static bool turns_page(struct lesson *l, size_t part) {
    if (!voice_lines_talk(&l->aloud.lines)) return false;
    screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_NEXT});
    return session_prose_here(l->session) == part;
}

unsigned screen_lesson_speak_on(struct lesson *l) {
    struct lesson_aloud *a = &l->aloud;
    if (voice_goes_on(&a->speech)) return VIEW_HANDLED;
    if (a->speech.status != 0)
        return fail(l, base_format("%s stopped with status %d: try `zerotutor aloud`",
                                   voice_name(a->speech.with), a->speech.status));
    if (!was_heard(a))
        return fail(l, base_format("%s ended too soon to be heard: is there a sound device?",
                                   voice_name(a->speech.with)));
    bool ends = ++a->at == a->lines.count;
    size_t part = ends ? 0 : a->lines.at[a->at].part;
    if (ends || (part != session_prose_here(l->session) && !turns_page(l, part)))
        return screen_lesson_silence(&l->view, NULL);
    return speak(l);
}

unsigned screen_lesson_aloud(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    struct lesson_aloud *a = &l->aloud;
    size_t here = session_prose_here(l->session);
    (void)k;
    session_prose_shown(l->session, &a->lines);
    a->at = 0;
    while (a->at < a->lines.count && a->lines.at[a->at].part != here) a->at++;
    if (a->at == a->lines.count) return screen_lesson_silence(v, k);
    return speak(l);
}
