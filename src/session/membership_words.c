/* membership_words: what it means to be in a class, and which lessons and program a new class is
 * made with. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *time_words(int64_t at) {
    char text[32] = "?";
    time_t time = (time_t)at;
    struct tm local;
    if (localtime_r(&time, &local)) strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return base_dup(text);
}

static void add_times(struct base_text *t, const struct session_class *c) {
    int64_t end = session_class_ends(c);
    char *from = time_words(c->settings.begins), *to = end ? time_words(end) : NULL;
    base_text_printf(t,
                     "They see this from **%s** until %s%s%s. They see nothing from before, and "
                     "nothing from after.\n\n",
                     from, to ? "**" : "the teacher closes the class", to ? to : "",
                     to ? "**, or until the teacher closes the class" : "");
    free(to);
    free(from);
}

static void add_differences(struct base_text *t, const struct session_class *c) {
    const struct classroom_settings *s = &c->settings;
    char own[HASH_HEX];
    struct learner *course = session_learner_open_course(NULL);
    if (*s->version && strcmp(s->version, BASE_VERSION) != 0)
        base_text_printf(t,
                         "The class was made with zerotutor %s, and this is %s. Another version "
                         "may draw other numbers.\n\n",
                         s->version, BASE_VERSION);
    if (course) session_course_hash(course, own);
    if (course && *s->course && strcmp(s->course, own) != 0)
        base_text_puts(t, "Your lessons differ from the lessons of the class, so your questions "
                          "and numbers may differ from those that the teacher sees.\n\n");
    session_learner_close(course);
}

char *session_class_words(const struct session_class *c) {
    struct base_text t = {0};
    base_text_printf(&t, "You are in the class **%s** as **%s**%s%s%s.\n\n", c->settings.name,
                     c->account, *c->with ? " with **" : "", c->with, *c->with ? "**" : "");
    base_text_puts(&t,
                   "The teacher and assistants see your account's name, which step you are at "
                   "and since when, your answers with their times, mistakes and hints, a raised "
                   "hand, and what you report as wrong.\n\n");
    add_times(&t, c);
    base_text_puts(&t, "During the class your answers go to a separate record, and your questions "
                       "have numbers of your own. Your other record is not shared. If you have "
                       "none yet, you keep this one when the class is over.\n\n");
    add_differences(&t, c);
    return base_text_take(&t);
}

bool session_class_settings(const char *name, struct classroom_settings *out,
                            struct base_message *m) {
    struct learner *course = session_learner_open_course(m);
    classroom_settings_new(out, name);
    if (!course) return false;
    snprintf(out->version, sizeof out->version, "%s", BASE_VERSION);
    session_course_hash(course, out->course);
    session_learner_close(course);
    return true;
}
