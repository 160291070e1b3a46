/* look: the settings of how things look, kept in the learner's record; what the command line, the
 * environment or the terminal rule out comes before them. */
#include "screen/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { THEME, CHARACTERS, COLOUR, MOTION, MOUSE, DRAWINGS, STREAK, ROLLOVER, REVIEW, INTERVIEW };

static const struct look_setting SETTINGS[] = {
    [THEME] = {"theme",
               "Theme",
               {"dark", "light", "contrast"},
               {"dark", "light", "high contrast"},
               {"for a dark background", "for a light background", "strong colours only"}},
    [CHARACTERS] = {"characters",
                    "Characters",
                    {"unicode", "ascii"},
                    {"Unicode", "ASCII"},
                    {"blocks, lines and Greek letters", "letters and signs of every terminal"}},
    [COLOUR] = {"colour",
                "Colour",
                {"256", "8", "none"},
                {"256", "8", "none"},
                {"as many as the terminal has", "the terminal's own eight",
                 "bold and underline only"}},
    [MOTION] = {"motion",
                "Motion",
                {"on", "off"},
                {"on", "off"},
                {"figures and pages move", "nothing moves"}},
    [MOUSE] = {"mouse",
               "Mouse",
               {"on", "off"},
               {"on", "off"},
               {"clicks choose, the wheel scrolls", "the terminal can select text with it"}},
    [DRAWINGS] = {"drawings",
                  "Drawings",
                  {"on", "off"},
                  {"on", "off"},
                  {"line by line, drawings and sentences", "line by line, sentences alone"}},
    [STREAK] = {"streak",
                "Days kept",
                {"on", "off"},
                {"shown", "hidden"},
                {"home counts the days that you kept", "home counts no days"}},
    [ROLLOVER] = {SESSION_ROLLOVER,
                  "Day begins",
                  {"4", "0", "2", "6"},
                  {"at four", "at midnight", "at two", "at six"},
                  {"reviews and kept days begin then", "reviews and kept days begin then",
                   "reviews and kept days begin then", "reviews and kept days begin then"}},
    [REVIEW] = {SESSION_REVIEW_MINUTES,
                "Review a day",
                {"5", "10", "15"},
                {"5 minutes", "10 minutes", "15 minutes"},
                {"what does not fit waits for later days", "for a lesson every other day",
                 "for a lesson every day"}},
    [INTERVIEW] = {SESSION_INTERVIEW,
                   "Interview clock",
                   {"0", "60", "90", "120"},
                   {"none", "60 s", "90 s", "120 s"},
                   {"explain for as long as you like", "a clock counts, and never cuts you off",
                    "a clock counts, and never cuts you off",
                    "a clock counts, and never cuts you off"}},
};

const struct look_setting *screen_look_settings(size_t *count) {
    *count = BASE_COUNT(SETTINGS);
    return SETTINGS;
}

static size_t values_of(size_t setting) {
    size_t n = 0;
    while (n < BASE_COUNT(SETTINGS[setting].values) && SETTINGS[setting].values[n]) n++;
    return n;
}

static int colours_of(size_t value) {
    static const int colours[] = {256, 8, 0};
    return colours[value];
}

/* NO_COLOR (https://no-color.org) and its like: any value but an empty one. */
static bool is_in_environment(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static void apply(struct app *app, size_t setting, size_t value) {
    struct look *l = &app->look;
    if (setting == THEME) l->theme = (enum page_theme)value;
    if (setting == CHARACTERS) l->ascii = value == 1 || app->ascii_forced;
    if (setting == MOTION) l->motion = value == 0 && !is_in_environment("NO_MOTION");
    if (setting == MOUSE) l->mouse = value == 0;
    if (setting == MOUSE && app->terminal->does->mouse)
        app->terminal->does->mouse(app->terminal, l->mouse);
    if (setting != COLOUR) return;
    int wanted = colours_of(value), most = app->terminal->colours;
    bool none = app->no_colour_forced || is_in_environment("NO_COLOR");
    l->colours = none ? 0 : wanted < most ? wanted : most;
}

/* Which of its values a setting has now; until the learner chooses a theme, the terminal does. */
static size_t value_of(const struct app *app, size_t setting) {
    char *kept = store_setting(session_learner_store(app->learner), SETTINGS[setting].name);
    size_t value = setting == THEME ? page_theme_named(kept) : 0;
    for (size_t i = 0; kept && i < values_of(setting); i++)
        if (strcmp(SETTINGS[setting].values[i], kept) == 0) value = i;
    free(kept);
    return value;
}

bool screen_look_streak(const struct app *app) {
    return value_of(app, STREAK) == 0;
}

void screen_look_motion(struct app *app) {
    apply(app, MOTION, value_of(app, MOTION));
}

void screen_look_read(struct app *app) {
    if (!app->terminal->unicode) app->ascii_forced = true;
    for (size_t i = 0; i < BASE_COUNT(SETTINGS); i++) apply(app, i, value_of(app, i));
}

size_t screen_look_in_force(const struct app *app, size_t setting) {
    if (setting == CHARACTERS) return app->look.ascii;
    if (setting == MOTION) return !app->look.motion;
    size_t value = value_of(app, setting);
    if (setting != COLOUR) return value;
    while (value + 1 < values_of(COLOUR) && colours_of(value) > app->look.colours) value++;
    return value;
}

bool screen_look_choose(struct app *app, size_t setting, size_t value, struct base_message *m) {
    assert(value < values_of(setting));
    if (!store_set(session_learner_store(app->learner), SETTINGS[setting].name,
                   SETTINGS[setting].values[value], m))
        return false;
    apply(app, setting, value);
    return true;
}

bool screen_look_change(struct app *app, size_t setting, int by, struct base_message *m) {
    size_t n = values_of(setting);
    return screen_look_choose(app, setting, (value_of(app, setting) + (by > 0 ? 1 : n - 1)) % n, m);
}

const char *screen_look_overridden(const struct app *app, size_t setting) {
    if (setting == CHARACTERS && app->ascii_forced)
        return app->terminal->unicode ? "--ascii was given" : "this terminal shows ASCII only";
    if (setting == COLOUR && app->terminal->colours == 0) return "this terminal has no colours";
    if (setting == COLOUR && app->no_colour_forced) return "--no-color was given";
    if (setting == COLOUR && is_in_environment("NO_COLOR")) return "NO_COLOR is set";
    if (setting == MOTION && is_in_environment("NO_MOTION")) return "NO_MOTION is set";
    return NULL;
}
