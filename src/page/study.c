/* study: how a learner is doing, drawn: what is known today and how much of that is left in thirty
 * days, the mistakes made most, and the minutes of each day. */
#include "page/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* columns of a probability, "100%" */
    SHARE = 5,
    /* of the sign before it */
    SIGN = 2,
    /* of a name, at least: "chance today" has room above the numbers */
    NAME = 23,
    /* of a skill below its area */
    SET_IN = 2,
    LONGEST_BAR = 40,
    /* pages narrower than this leave out the counts */
    ROOMY = 64,
    /* and narrower than this, all but the estimate for today */
    NARROW = 50,
    MISTAKES = 8,
    /* days of the chart, at most, and its rows */
    DAYS = 98,
    CHART = 5,
    WEEK = 7,
    EIGHTHS = 8,
    AXIS = 5
};

static int most(int a, int b) {
    return a > b ? a : b;
}

static double number(const json_t *from, const char *name) {
    return base_json_number(from, name, 0);
}

static int whole(const json_t *from, const char *name) {
    return (int)base_json_int(from, name, 0);
}

static bool is_empty(const json_t *study) {
    return json_array_size(json_object_get(study, "areas")) == 0 &&
           json_array_size(json_object_get(study, "days")) == 0;
}

static void put_heading(struct page *p, struct page_flow f, const char *text, const char *right) {
    if (page_height(p) > 0) page_blank(p, 1);
    int row = page_height(p), end = f.indent + f.width;
    int column = page_put(p, row, f.indent, PAGE_TITLE, PAGE_BOLD, text);
    int at = end - page_measure(p, right);
    if (at > column + 1) page_put(p, row, at, PAGE_DIM, 0, right);
}

/* ── what you can do ───────────────────────────────────────────────────────────────────────────*/
struct columns {
    int name, today, bar, cells, ahead, last;
};
/* What the last column says of each, the caller's. */
struct last_column {
    const char *heading;
    char *(*of)(const json_t *s);
    unsigned role;
};

/* "31 of 34" */
static char *tries_of(const json_t *s) {
    return base_format("%d of %d", whole(s, "right"), whole(s, "first_tries"));
}

/* Whether an area is stronger than when the week began, by at least one of the percent shown. */
static bool has_risen(const json_t *area) {
    return base_percent(number(area, "today")) >
           base_percent(base_json_number(area, "on_monday", 1));
}

static char *risen_of(const json_t *area) {
    return has_risen(area) ? base_format("▲ from %d%%", base_percent(number(area, "on_monday")))
                           : base_dup("");
}

static const struct last_column tries_column = {"first tries", tries_of, PAGE_DIM},
                                risen_column = {"since Monday", risen_of, PAGE_ACCENT};

static bool any_has_risen(const json_t *study) {
    const json_t *area;
    size_t i;
    json_array_foreach(json_object_get(study, "areas"), i, area) {
        if (has_risen(area)) return true;
    }
    return false;
}

/* The cells of the longest name with what it is set in by, skills' too if `all`. */
static int longest_name(const struct page *p, const json_t *study, bool all) {
    const json_t *area, *skill;
    size_t i, k;
    int longest = NAME + SIGN;
    json_array_foreach(json_object_get(study, "areas"), i, area) {
        longest = most(longest, page_measure(p, base_json_text(area, "area", "")));
        json_array_foreach(all ? json_object_get(area, "skills") : NULL, k, skill) longest =
            most(longest, page_measure(p, base_json_text(skill, "skill", "")) + SET_IN);
    }
    return longest;
}

/* The cells of the last column: an area has at least as many tries as each of its skills. */
static int longest_last(const struct page *p, const json_t *study, const struct last_column *last) {
    const json_t *area;
    size_t i;
    int longest = page_measure(p, last->heading);
    json_array_foreach(json_object_get(study, "areas"), i, area) {
        char *text = last->of(area);
        longest = most(longest, page_measure(p, text));
        free(text);
    }
    return longest;
}

static struct columns columns_of(const struct page *p, struct page_flow f, const json_t *study,
                                 bool all, const struct last_column *last) {
    bool roomy = f.width >= ROOMY;
    if (f.width < NARROW)
        return (struct columns){.name = f.width - SIGN - SHARE, .today = f.indent + f.width - 6};
    int numbers = SIGN + 2 * SHARE + 3 + (roomy ? longest_last(p, study, last) + 1 : 0);
    int name = most(NAME, (f.width - numbers) * 6 / 7), needed = longest_name(p, study, all) - SIGN;
    name = most(name > needed ? needed : name, f.width - numbers - LONGEST_BAR);
    struct columns c = {name, .today = f.indent + name + 1, .cells = f.width - numbers - name};
    c.bar = c.today + SIGN + SHARE + 1;
    c.ahead = c.bar + c.cells;
    c.last = roomy ? c.ahead + SHARE : 0;
    return c;
}

/* Solid as far as it lasts, shaded as far as it goes today. */
static void put_lasting(struct page *p, int row, int column, int cells, double today,
                        double ahead) {
    int now = (int)lround(today * cells), then = (int)lround(ahead * cells);
    for (int i = 0; i < cells; i++)
        page_put(p, row, column + i,
                 i < then  ? PAGE_ACCENT
                 : i < now ? PAGE_WARN
                           : PAGE_DIM,
                 0,
                 i < then  ? "█"
                 : i < now ? "▒"
                           : "░");
}

/* A name that is too long wraps; a lesson's title under itself, not under its number. */
static void put_name(struct page *p, int indent, int width, unsigned role, const char *name) {
    int row = page_height(p), id = strstr(name, "  ") ? (int)(strstr(name, "  ") + 2 - name) : 0;
    page_text(p, (struct page_flow){indent + id, width - id, role, 0}, name + id);
    page_printf(p, row, indent, role, "%.*s", id, name);
}

static void put_skill(struct page *p, struct page_flow f, struct columns c, const json_t *s,
                      const char *name, const struct last_column *last) {
    bool area = strcmp(name, "area") == 0;
    double today = number(s, "today"), ahead = number(s, "in_30_days");
    unsigned strong = area ? PAGE_STRONG : PAGE_PLAIN;
    int row = page_height(p), indent = area ? 0 : SET_IN;
    /* no sign of a state: those say what is recalled, and this is the chance at fresh numbers */
    put_name(p, f.indent + indent, c.name + SIGN - indent, strong, base_json_text(s, name, ""));
    page_printf(p, row, c.today + SIGN, strong, "%3d%%", base_percent(today));
    put_lasting(p, row, c.bar, c.cells, today, ahead);
    if (c.ahead) page_printf(p, row, c.ahead + 1, PAGE_DIM, "%3d%%", base_percent(ahead));
    if (!c.last) return;
    char *text = last->of(s);
    page_put(p, row, f.indent + f.width - page_measure(p, text), last->role, 0, text);
    free(text);
}

/* The areas, with their skills if `all`. */
static void put_skills(struct page *p, struct page_flow f, const json_t *study, bool all,
                       const struct last_column *last) {
    const json_t *areas = json_object_get(study, "areas"), *area, *skill;
    size_t i, k;
    if (json_array_size(areas) == 0) return;
    put_heading(p, f, "What you can do", f.width >= ROOMY ? last->heading : "");
    struct columns c = columns_of(p, f, study, all, last);
    int row = page_height(p) - 1;
    const char *now = c.name >= NAME ? "chance today" : "today";
    page_put(p, row, c.today + SIGN + SHARE - 1 - (int)strlen(now), PAGE_DIM, 0, now);
    const char *ahead = c.last ? "in 30 days" : "30 d";
    if (c.ahead) page_put(p, row, c.ahead + SHARE - page_measure(p, ahead), PAGE_DIM, 0, ahead);
    json_array_foreach(areas, i, area) {
        if (i > 0 && all) page_blank(p, 1);
        put_skill(p, f, c, area, "area", last);
        if (!all) continue;
        json_array_foreach(json_object_get(area, "skills"), k, skill)
            put_skill(p, f, c, skill, "skill", last);
    }
}

/* ── what fades ────────────────────────────────────────────────────────────────────────────────*/
static double fade(const json_t *fades, size_t day) {
    return json_number_value(json_array_get(fades, day));
}

/* From tenth to tenth, as far as the curve goes; nothing of it is outside of 0 and 1. */
struct fading {
    const json_t *fades;
    size_t last;
    double low, high;
};

static struct fading fading_of(const json_t *fades) {
    struct fading g = {.fades = fades, .last = json_array_size(fades), .low = 1};
    for (size_t day = 0; day < g.last; day++) {
        g.low = fmin(g.low, floor(10 * fade(fades, day)) / 10);
        g.high = fmax(g.high, ceil(10 * fade(fades, day)) / 10);
    }
    g.low = fmax(0, g.low);
    g.high = fmin(1, fmax(g.high, g.low + 0.1));
    return g;
}

static struct page_dot dot_of(const struct fading *g, size_t day) {
    return (struct page_dot){(double)day / (double)(g->last - 1),
                             (fade(g->fades, day) - g->low) / (g->high - g->low)};
}

static void put_curve(struct page *p, int top, int left, int cells, const struct fading *g) {
    struct page_dots d = page_dots_new(p, CHART, cells);
    for (size_t day = 0; day + 1 < g->last; day++)
        page_dots_line(&d, dot_of(g, day), dot_of(g, day + 1), 0);
    page_dots_set(&d, dot_of(g, g->last - 1), 0);
    page_dots_print(p, &d, top, left);
    page_dots_free(&d);
}

/* The mean of all skills from today to the last day. */
static void put_fading(struct page *p, struct page_flow f, const json_t *study) {
    const json_t *fades = json_object_get(study, "fades");
    size_t last = json_array_size(fades);
    int cells = f.width - AXIS < DAYS ? f.width - AXIS : DAYS, left = f.indent + AXIS;
    if (last-- < 2 || f.width < NARROW) return;
    char *ends = base_format("%d%% chance today, %d%% in %zu days", base_percent(fade(fades, 0)),
                             base_percent(fade(fades, last)), last);
    put_heading(p, f, "What fades without practice", ends);
    free(ends);
    int top = page_height(p), foot = top + CHART;
    struct fading g = fading_of(fades);
    page_printf(p, top, f.indent, PAGE_DIM, "%3d%%", base_percent(g.high));
    page_printf(p, foot - 1, f.indent, PAGE_DIM, "%3d%%", base_percent(g.low));
    put_curve(p, top, left, cells, &g);
    for (int i = 0; i < cells; i++) page_put(p, foot, left + i, PAGE_DIM, 0, "─");
    page_put(p, foot + 1, left, PAGE_DIM, 0, "today");
    char *end = base_format("in %zu days", last);
    page_put(p, foot + 1, left + cells - (int)strlen(end), PAGE_DIM, 0, end);
    free(end);
}

/* ── mistakes ──────────────────────────────────────────────────────────────────────────────────*/
static char *when_of(int days) {
    if (days == 0) return base_dup("today");
    if (days == 1) return base_dup("yesterday");
    return base_format("%d days ago", days);
}

/* A second try at a problem, with the answer just read, shows nothing; so the first tries at new
 * ones are counted. The caller's. */
static char *still_of(const json_t *mistake) {
    int since = whole(mistake, "since");
    if (since == 0) return base_dup("no new problem since");
    return base_format("%d problem%s without it since", since, since == 1 ? "" : "s");
}

/* "yesterday, 1 problem without it since"; narrow pages leave out the second half. */
static char *brief_of(const json_t *mistake, bool roomy) {
    char *when = when_of(whole(mistake, "days_ago"));
    if (!roomy) return when;
    char *still = still_of(mistake), *text = base_format("%s, %s", when, still);
    free(still);
    free(when);
    return text;
}

/* "31×", the caller's. */
static char *times_of(const json_t *mistake) {
    return base_format("%d×", whole(mistake, "times"));
}

/* `name`: the cells of a name; `at`: where the words about it begin. */
static void put_mistake(struct page *p, struct page_flow f, const json_t *m, const char *brief,
                        int name, int at) {
    bool happens = base_json_bool(m, "happens", false);
    unsigned role = happens ? PAGE_WARN : PAGE_DIM;
    int row = page_height(p);
    put_name(p, f.indent + SIGN, name, PAGE_PLAIN, base_json_text(m, "name", ""));
    page_strength_put(p, row, f.indent, happens ? PAGE_WEAK : PAGE_SOLID);
    char *times = times_of(m);
    page_put(p, row, at - SIGN - page_measure(p, times), role, 0, times);
    page_put(p, row, at, role, 0, brief);
    free(times);
}

static void put_mistakes(struct page *p, struct page_flow f, const json_t *study) {
    const json_t *mistakes = json_object_get(study, "mistakes");
    size_t count = json_array_size(mistakes);
    bool roomy = f.width >= ROOMY;
    char *brief[MISTAKES], *times = times_of(json_array_get(mistakes, 0)); /* the most */
    int longest = 0, name = f.width - 2 * SIGN - 1 - page_measure(p, times);
    free(times);
    if (count == 0) return;
    if (count > MISTAKES) count = MISTAKES;
    for (size_t i = 0; i < count; i++) {
        brief[i] = brief_of(json_array_get(mistakes, i), roomy);
        longest = most(longest, page_measure(p, brief[i]));
    }
    put_heading(p, f, "Mistakes you made most",
                roomy ? "times, latest, new problems since" : "times, latest");
    for (size_t i = 0; i < count; i++) {
        put_mistake(p, f, json_array_get(mistakes, i), brief[i], name - longest,
                    f.indent + f.width - longest);
        free(brief[i]);
    }
}

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
struct time {
    /* by days ago; `span` of them since the first day of all, within the chart */
    double minutes[DAYS];
    bool answered[DAYS];
    double most, total;
    int days, studied, span;
};

static struct time time_of(const json_t *study, int days) {
    struct time t = {.days = days > DAYS ? DAYS : days};
    const json_t *day;
    size_t i;
    json_array_foreach(json_object_get(study, "days"), i, day) {
        int64_t ago = base_json_int(day, "days_ago", -1);
        if (ago >= t.span) t.span = ago < t.days ? (int)ago + 1 : t.days;
        if (ago < 0 || ago >= t.days) continue;
        t.answered[ago] = true;
        t.total += t.minutes[ago] = number(day, "minutes");
        t.most = fmax(t.most, t.minutes[ago]);
        t.studied++;
    }
    return t;
}

/* The caller's. */
static char *say_minutes(double minutes) {
    int m = (int)lround(minutes);
    return m < 60 ? base_format("%d min", m) : base_format("%d h %d min", m / 60, m % 60);
}

/* The caller's. */
static char *say_time(const struct time *t) {
    char *total = say_minutes(t->total);
    char *text = t->span > 1
                     ? base_format("%s on %d of the last %d days", total, t->studied, t->span)
                     : base_format("%s today", total);
    free(total);
    return text;
}

/* A column of the chart, drawn from its foot; a day with answers always shows. */
static void put_day(struct page *p, int row, int column, double share, bool answered) {
    static const char *const parts[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int eighths = (int)lround(share * CHART * EIGHTHS);
    if (answered && eighths < 1) eighths = 1;
    for (int i = 0; i < CHART && eighths > 0; i++, eighths -= EIGHTHS)
        page_put(p, row - i, column, PAGE_ACCENT, 0, parts[eighths > EIGHTHS ? EIGHTHS : eighths]);
}

/* Weeks end today, on the right. */
static void put_weeks(struct page *p, struct page_flow f, int row, const struct time *t) {
    int left = f.indent + AXIS;
    for (int ago = 0; ago < t->days; ago++)
        page_put(p, row, left + t->days - 1 - ago, PAGE_DIM, 0, ago % WEEK == 0 ? "┴" : "─");
    char *oldest = base_format("%d weeks ago", t->days / WEEK);
    int today = left + t->days - (int)strlen("today");
    page_put(p, row + 1, left, PAGE_DIM, 0, oldest);
    if (today > left + (int)strlen(oldest)) page_put(p, row + 1, today, PAGE_DIM, 0, "today");
    free(oldest);
}

static void put_time(struct page *p, struct page_flow f, const json_t *study) {
    int room = (f.width - AXIS) / WEEK * WEEK;
    struct time t = time_of(study, room);
    if (json_array_size(json_object_get(study, "days")) == 0 || t.days < WEEK) return;
    char *total = say_time(&t);
    put_heading(p, f, "Minutes per day", total);
    free(total);
    double most = t.most < 1 ? 1 : t.most;
    int top = page_height(p), foot = top + CHART - 1;
    page_printf(p, top, f.indent, PAGE_DIM, "%4ld", lround(most));
    page_put(p, foot, f.indent + AXIS - 2, PAGE_DIM, 0, "0");
    for (int ago = 0; ago < t.days; ago++)
        put_day(p, foot, f.indent + AXIS + t.days - 1 - ago, t.minutes[ago] / most,
                t.answered[ago]);
    put_weeks(p, f, foot + 1, &t);
}

/* ── phases ────────────────────────────────────────────────────────────────────────────────────*/
/* "1 and 2", the caller's; NULL if none was earned. */
static char *earned_of(const json_t *study) {
    const json_t *phases = json_object_get(study, "phases"), *phase;
    struct base_text t = {0};
    size_t i, count = 0, said = 0;
    json_array_foreach(phases, i, phase) count += base_json_bool(phase, "earned", false);
    json_array_foreach(phases, i, phase) {
        if (!base_json_bool(phase, "earned", false)) continue;
        base_text_printf(&t, "%s%d",
                         said == 0           ? ""
                         : said + 1 == count ? " and "
                                             : ", ",
                         whole(phase, "phase"));
        said++;
    }
    return said > 0 ? base_text_take(&t) : NULL;
}

/* The caller's. */
static char *say_earned(const json_t *study) {
    char *earned = earned_of(study), *text;
    bool several = earned && strchr(earned, ' ');
    text = earned ? base_format("You passed the %s %s.",
                                several ? "checks of phases" : "check of phase", earned)
                  : base_dup("You have not passed the check of a phase yet.");
    free(earned);
    return text;
}

static const char nothing[] =
    "You have not answered a problem yet. When you have, this page shows what you can do, which "
    "mistakes you made, and how much time you spent.";
#define ESTIMATE "A percentage estimates how likely your next first try at a new problem is right."
static const char estimate_of_bars[] =
    ESTIMATE " The shaded part of a bar fades within 30 days if you do not practise.";

void page_study(struct page *p, struct page_flow f, const json_t *study) {
    f = page_flow_fit(p, f);
    if (is_empty(study)) {
        page_text(p, f, nothing);
        return;
    }
    struct page_flow dim = f;
    dim.role = PAGE_DIM;
    page_text(p, dim, f.width < NARROW ? ESTIMATE : estimate_of_bars);
    put_skills(p, f, study, true, &tries_column);
    put_fading(p, f, study);
    put_mistakes(p, f, study);
    put_time(p, f, study);
    page_blank(p, 1);
    char *earned = say_earned(study);
    page_text(p, dim, earned);
    free(earned);
}

/* ── in sentences ──────────────────────────────────────────────────────────────────────────────*/
static void say_skill(struct base_text *t, const json_t *s, const char *name) {
    base_text_printf(t, "- %s: %d%% chance today, ", base_json_text(s, name, ""),
                     base_percent(number(s, "today")));
    if (has_risen(s))
        base_text_printf(t, "up from %d%% on Monday, ", base_percent(number(s, "on_monday")));
    base_text_printf(t, "%d%% in 30 days; %d of %d first tries were right.\n",
                     base_percent(number(s, "in_30_days")), whole(s, "right"),
                     whole(s, "first_tries"));
}

static void say_fading(struct base_text *t, const json_t *study) {
    const json_t *fades = json_object_get(study, "fades");
    size_t last = json_array_size(fades);
    if (last-- > 1)
        base_text_printf(t, "\nWithout practice, all of it fades from %d%% to %d%% in %zu days.\n",
                         base_percent(fade(fades, 0)), base_percent(fade(fades, last)), last);
}

static void say_mistakes(struct base_text *t, const json_t *study) {
    const json_t *mistakes = json_object_get(study, "mistakes"), *m;
    size_t i;
    if (json_array_size(mistakes) > 0) base_text_puts(t, "\nMistakes you made most:\n\n");
    json_array_foreach(mistakes, i, m) {
        if (i >= MISTAKES) break;
        char *when = when_of(whole(m, "days_ago")), *still = still_of(m);
        int times = whole(m, "times");
        base_text_printf(t, "- %s: %d time%s, latest %s, %s.\n", base_json_text(m, "name", ""),
                         times, times == 1 ? "" : "s", when, still);
        free(still);
        free(when);
    }
}

void page_study_words(struct page *p, struct page_flow f, const json_t *study) {
    const json_t *areas = json_object_get(study, "areas"), *area, *skill;
    struct base_text t = {0};
    size_t i, k;
    if (is_empty(study)) {
        page_text(p, f, nothing);
        return;
    }
    if (json_array_size(areas) > 0) base_text_puts(&t, ESTIMATE "\n");
    json_array_foreach(areas, i, area) {
        base_text_printf(&t, "\n%s, %d%% chance today:\n\n", base_json_text(area, "area", ""),
                         base_percent(number(area, "today")));
        json_array_foreach(json_object_get(area, "skills"), k, skill) say_skill(&t, skill, "skill");
    }
    say_fading(&t, study);
    say_mistakes(&t, study);
    struct time time = time_of(study, DAYS);
    char *total = say_time(&time), *earned = say_earned(study);
    base_text_printf(&t, "\nYou spent %s. %s\n", total, earned);
    free(earned);
    free(total);
    page_markdown(p, f, t.s);
    base_text_free(&t);
}

/* ── after the course ──────────────────────────────────────────────────────────────────────────*/
/* What there is to say of each, the caller's; NULL: nothing. */
static char *gone_of(const json_t *study) {
    const json_t *m, *mistakes = json_object_get(study, "mistakes");
    size_t i = 0;
    while ((m = json_array_get(mistakes, i)) && base_json_bool(m, "happens", true)) i++;
    if (!m) return NULL;
    char *when = when_of(whole(m, "days_ago")),
         *text = base_format("“%s”: last made %s", base_json_text(m, "name", ""), when);
    free(when);
    return text;
}

static char *best_of(const json_t *study) {
    const json_t *best = json_object_get(study, "best");
    if (!json_is_object(best)) return NULL;
    return base_format("%d right in %d s, %s", whole(best, "right"), whole(best, "seconds"),
                       base_json_text(best, "subject", ""));
}

static char *memo_of(const json_t *study) {
    const json_t *memo = json_object_get(study, "memo");
    if (!json_is_object(memo)) return NULL;
    return base_json_bool(memo, "passed", false)
               ? base_dup("passed, its figures held")
               : base_format("not passed yet: lesson %s asks for it",
                             base_json_text(memo, "lesson", ""));
}

static const struct {
    const char *label, *said;
    char *(*words)(const json_t *study);
} milestones_of[] = {{"Gone", "A mistake that is gone", gone_of},
                     {"Best", "Your best round of the speed challenge", best_of},
                     {"Memo", "Your memo", memo_of}};

/* At the end of the page, if it has room for it above the rows that are given. */
static void put_if_room(struct page *p, struct page_flow f, const json_t *study, int rows,
                        void (*put)(struct page *p, struct page_flow f, const json_t *study)) {
    struct page *part = page_new(p->width, p->ascii);
    page_set_colours(part, p->colours);
    put(part, f, study);
    int height = page_height(part), gap = page_height(p) > 0;
    if (height > 0 && page_height(p) + gap + height <= rows) {
        page_blank(p, gap);
        page_append(p, part, 0, height);
    }
    page_free(part);
}

void page_milestones(struct page *p, struct page_flow f, const json_t *milestones, int rows) {
    enum { LABEL = 7 };
    f = page_flow_fit(p, f);
    put_skills(p, f, milestones, false, any_has_risen(milestones) ? &risen_column : &tries_column);
    if (page_height(p) > 0) page_blank(p, 1);
    for (size_t i = 0; i < BASE_COUNT(milestones_of); i++) {
        char *words = milestones_of[i].words(milestones);
        int row = page_height(p);
        if (words) put_name(p, f.indent + LABEL, f.width - LABEL, PAGE_PLAIN, words);
        if (words) page_put(p, row, f.indent, PAGE_ACCENT, 0, milestones_of[i].label);
        free(words);
    }
    put_if_room(p, f, milestones, rows, put_fading);
    put_if_room(p, f, milestones, rows, put_mistakes);
    put_if_room(p, f, milestones, rows, put_time);
}

void page_milestones_words(struct page *p, struct page_flow f, const json_t *milestones) {
    const json_t *area;
    struct base_text t = {0};
    size_t i;
    json_array_foreach(json_object_get(milestones, "areas"), i, area) {
        say_skill(&t, area, "area");
    }
    for (i = 0; i < BASE_COUNT(milestones_of); i++) {
        char *words = milestones_of[i].words(milestones);
        if (words) base_text_printf(&t, "\n%s: %s.\n", milestones_of[i].said, words);
        free(words);
    }
    if (t.length > 0) page_markdown(p, f, t.s);
    base_text_free(&t);
}
