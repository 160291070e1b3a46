/* watch_draw: the room on a page: the plan's clock, who wants help, what the room gets wrong, where
 * it is, and the labs. */
#include "screen/watch.h"
#include "screen/screen.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LEFT = WATCH_LEFT,
    WORDS = WATCH_WORDS,
    BAR = 10,
    STEP = 3,
    STEPS_AT = 22,
    HELP_STEP = 36,
    ROOMY = 60
};

static const struct classroom_overview *overview_of(const struct watch_drawing *d) {
    return session_watch_overview(d->watch);
}

static size_t slips_of(const struct watch_drawing *d) {
    size_t slips = overview_of(d)->slips;
    return slips < d->mistakes ? slips : d->mistakes;
}

size_t screen_watch_things(const struct watch_drawing *d, enum watch_part part) {
    return part == WATCH_ROOM ? overview_of(d)->hands + slips_of(d) : screen_watch_listed(d, part);
}

char *screen_watch_clock(const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    const char *name = session_watch_sight(d->watch)->settings->name;
    if (o->ahead) return base_format("%s   begins in %d min", name, o->ahead);
    if (o->over) return base_format("%s   over after %d minutes", name, o->minute);
    if (!o->minutes) return base_format("%s   minute %d", name, o->minute);
    return base_format("%s   minute %d of %d", name, o->minute, o->minutes);
}

char *screen_watch_count(const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    return base_format("%d here, %d not   names %s", o->here, o->away,
                       d->names ? "shown" : "hidden");
}

/* ── the plan ──────────────────────────────────────────────────────────────────────────────────*/
/* Right of the plan, where there is always room for it. */
static void put_open(struct page *p, const struct watch_drawing *d, int row, int column) {
    const struct classroom_board *b = session_watch_board(d->watch);
    char *item = base_format("%s/%s", b->lesson, b->step);
    char *title = session_watch_title(d->watch, item),
         *text = base_format("open for all   %s  %s", b->lesson, title),
         *cut = page_cut(text, page_width(p) - column - 1, page_ascii(p));
    if (*b->lesson && column < page_width(p) / 4 * 3)
        screen_watch_put_right(p, row, PAGE_GOOD, cut);
    free(cut);
    free(text);
    free(title);
    free(item);
}

static void put_plan(struct page *p, const struct watch_drawing *d) {
    const struct classroom_settings *s = session_watch_sight(d->watch)->settings;
    const struct classroom_overview *o = overview_of(d);
    int row = page_height(p), column = page_put(p, row, LEFT, PAGE_TITLE, 0, "plan") + 2;
    for (size_t i = 0; i < s->lessons; i++) {
        static const unsigned roles[] = {PAGE_DIM, PAGE_STRONG, PAGE_PLAIN};
        const char *id = s->lesson[i].id;
        char *text = o->part[i] == CLASSROOM_PART_OVER ? base_format("%s ✓ %d", id, o->until[i])
                     : o->part[i] == CLASSROOM_PART_NOW ? base_format("▸ %s to %d", id, o->until[i])
                                                        : base_format("%s %d", id, o->until[i]);
        if (column + page_measure(p, text) < page_width(p))
            column = page_put(p, row, column, roles[o->part[i]], 0, text) + 2;
        free(text);
    }
    put_open(p, d, row, column);
    page_blank(p, 1);
}

/* ── who wants help ────────────────────────────────────────────────────────────────────────────*/
/* A pair's names, each shortened where both have no room: neither is lost. The caller's. */
static char *name_within(const struct page *p, const struct watch_drawing *d, size_t seat,
                         int width) {
    const struct classroom_seat *s = &session_watch_sight(d->watch)->seat[seat];
    char *name = session_watch_name(d->watch, seat, d->names);
    if (!d->names || !*s->now.with || page_measure(p, name) <= width) return name;
    const char *partner = *s->partner ? s->partner : s->now.with;
    int room = width - (int)strlen(" and "), with = page_measure(p, partner);
    int first = page_measure(p, name) - with - (int)strlen(" and ");
    int other = first < room / 2 ? room - first : with < room / 2 ? with : room / 2;
    char *one = page_cut(*s->name ? s->name : s->account, room - other, page_ascii(p)),
         *two = page_cut(partner, other, page_ascii(p));
    free(name);
    name = base_format("%s and %s", one, two);
    free(two);
    free(one);
    return name;
}

/* On a page that is narrow, and roomy enough for a step, names leave it some of their room. */
static int help_step(const struct page *p) {
    int width = page_width(p);
    return width >= ROOMY && width < 80 ? HELP_STEP * width / 80 : HELP_STEP;
}

static void put_hand(struct page *p, const struct watch_drawing *d, size_t i) {
    const struct classroom_help *h = &overview_of(d)->hand[i];
    const struct classroom_presence *now = &session_watch_sight(d->watch)->seat[h->seat].now;
    int place = help_step(p);
    char *name = name_within(p, d, h->seat, place - WORDS - 2),
         *waits = screen_watch_minutes(h->waits), *title = screen_watch_title(now),
         *step = base_format("%s  %s", now->lesson, title);
    int row = page_height(p);
    screen_watch_put_cursor(p, d, i, row);
    screen_watch_put_cut(p, row, WORDS, place - WORDS - 2, PAGE_STRONG, name);
    screen_watch_put_cut(p, row, place, page_width(p) - place - 14, PAGE_PLAIN, step);
    screen_watch_put_right(p, row, PAGE_PLAIN, waits);
    if (d->at == i || d->at == SIZE_MAX) screen_watch_put_tried(p, now, WORDS + 2);
    if (*now->said && d->names) {
        char *said = base_format("\"%s\"", now->said);
        screen_watch_put_cut(p, page_height(p), WORDS + 2, page_width(p) - WORDS - 3, PAGE_DIM,
                             said);
        free(said);
    }
    free(step);
    free(title);
    free(waits);
    free(name);
}

static void put_quiet(struct page *p, const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    const struct classroom_sight *s = session_watch_sight(d->watch);
    struct base_text t = {0};
    if (!o->quiet) return;
    base_text_printf(&t, "quiet for over %lld min, asked nothing: ", (long long)s->patience / 60);
    for (size_t i = 0; i < o->quiet; i++) {
        const struct classroom_presence *now = &s->seat[o->silent[i].seat].now;
        char *name = session_watch_name(d->watch, o->silent[i].seat, d->names);
        base_text_printf(&t, "%s%s", i ? ", " : "", name);
        if (*now->lesson) base_text_printf(&t, " (%s step %d)", now->lesson, now->number);
        free(name);
    }
    screen_watch_put_cut(p, page_height(p), LEFT, page_width(p) - LEFT - 1, PAGE_DIM, t.s);
    base_text_free(&t);
}

static void put_help(struct page *p, const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    int row = page_height(p);
    page_put(p, row, LEFT, PAGE_TITLE, 0, o->hands ? "wants help" : "no hand is raised");
    bool roomy = o->hands && page_width(p) >= ROOMY;
    if (roomy) page_put(p, row, help_step(p), PAGE_DIM, 0, "step");
    if (roomy) screen_watch_put_right(p, row, PAGE_DIM, "waiting");
    for (size_t i = 0; i < o->hands; i++) put_hand(p, d, i);
    put_quiet(p, d);
    page_blank(p, 1);
}

/* ── what the room gets wrong ──────────────────────────────────────────────────────────────────*/
struct slip_columns {
    int mistake, bar, cells;
};

/* The bars of a wider page are wider. They are shorter where that leaves each slip one row. */
static struct slip_columns slip_columns_of(const struct page *p, const struct watch_drawing *d) {
    enum { COUNT = 11, LEAST_BAR = 4, GAP = 2 };
    int width = page_width(p), end = width - 1 - COUNT, title = 0, mistake = 0;
    for (size_t i = 0; i < slips_of(d); i++) {
        const struct classroom_slip *s = &overview_of(d)->slip[i];
        char *names[] = {session_watch_slip_title(d->watch, s), session_watch_mistake(s->mistake)};
        if (page_measure(p, names[0]) > title) title = page_measure(p, names[0]);
        if (page_measure(p, names[1]) > mistake) mistake = page_measure(p, names[1]);
        free(names[0]);
        free(names[1]);
    }
    if (title < width / 3 - WORDS - GAP || WORDS + title + GAP + mistake + 1 > end - LEAST_BAR)
        title = width / 3 - WORDS - GAP;
    struct slip_columns c = {.mistake = WORDS + title + GAP, .cells = BAR * width / 80};
    int room = end - c.mistake - mistake - 1;
    if (c.cells > room) c.cells = room > LEAST_BAR ? room : LEAST_BAR;
    c.bar = end - c.cells;
    return c;
}

/* On a narrow page the mistake is below its step. */
static void put_slip(struct page *p, const struct watch_drawing *d, size_t i,
                     struct slip_columns c) {
    const struct classroom_overview *o = overview_of(d);
    const struct classroom_slip *s = &o->slip[i];
    bool roomy = page_width(p) >= ROOMY;
    char *title = session_watch_slip_title(d->watch, s),
         *mistake = session_watch_mistake(s->mistake),
         *count = base_format("%d of %d", s->made, s->of);
    int row = page_height(p), all = page_width(p),
        end = roomy ? c.mistake : all - page_measure(p, count);
    screen_watch_put_cursor(p, d, o->hands + i, row);
    screen_watch_put_words(p, row, WORDS, end - WORDS - 2, PAGE_STRONG, title);
    if (roomy) {
        screen_watch_put_words(p, row, end, c.bar - end - 1, PAGE_PLAIN, mistake);
        screen_watch_put_bar(p, row, c.bar, c.cells, s->made, s->of, PAGE_WARN);
    } else {
        screen_watch_put_words(p, page_height(p), WORDS + 2, all - WORDS - 3, PAGE_PLAIN, mistake);
    }
    screen_watch_put_right(p, row, PAGE_PLAIN, count);
    free(count);
    free(mistake);
    free(title);
}

static void put_slips(struct page *p, const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    int row = page_height(p);
    page_put(p, row, LEFT, PAGE_TITLE, 0,
             !o->slips                 ? "the room made no mistake yet"
             : o->slip[0].elsewhere    ? "no mistake in this lesson yet; in others"
             : *o->lesson && !o->mixed ? "what the room gets wrong, this lesson"
                                       : "what the room got wrong");
    if (o->slips && page_width(p) >= ROOMY)
        screen_watch_put_right(p, row, PAGE_DIM, "of those who tried it");
    struct slip_columns c = slip_columns_of(p, d);
    for (size_t i = 0; i < slips_of(d); i++) put_slip(p, d, i, c);
    page_blank(p, 1);
}

/* ── where the room is ─────────────────────────────────────────────────────────────────────────*/
static void put_steps(struct page *p, const struct watch_drawing *d) {
    const struct classroom_overview *o = overview_of(d);
    int row = page_height(p), fit = (page_width(p) - STEPS_AT - 12) / STEP, last = 0;
    if (!*o->lesson) return;
    for (int i = 0; i < o->steps; i++)
        if (o->at[i]) last = i + 1;
    int from = last > fit ? last - fit : 0, to = o->steps < from + fit ? o->steps : from + fit;
    page_put(p, row, LEFT, PAGE_TITLE, 0, "where the room is");
    bool exit = strcmp(o->lesson, LEARNER_EXIT) == 0;
    page_printf(p, row + 1, LEFT, PAGE_DIM, exit ? "exit questions" : "%s, by step", o->lesson);
    for (int i = from; i < to; i++) {
        int column = STEPS_AT + (i - from) * STEP;
        page_printf(p, row, column, PAGE_DIM, "%2d", i + 1);
        page_printf(p, row + 1, column, o->at[i] ? PAGE_STRONG : PAGE_DIM, o->at[i] ? "%2d" : " ·",
                    o->at[i]);
    }
    screen_watch_put_right(p, row, PAGE_DIM, "elsewhere");
    char *beyond = base_format("%d", o->elsewhere);
    screen_watch_put_right(p, row + 1, PAGE_PLAIN, beyond);
    free(beyond);
    page_blank(p, 1);
}

/* ── what was said ───────────────────────────────────────────────────────────────────*/
/* To whom a line went; the caller's. */
static char *name_of_said(const struct watch_drawing *d, const struct classroom_nudge *n) {
    const struct classroom_sight *s = session_watch_sight(d->watch);
    if (!*n->to) return base_dup("all");
    for (size_t i = 0; i < s->seats; i++)
        if (classroom_nudge_is_to(n, s->seat[i].handin))
            return session_watch_name(d->watch, i, d->names);
    return base_dup("one");
}

static void put_said(struct page *p, const struct watch_drawing *d) {
    const struct classroom_board *b = session_watch_board(d->watch);
    const struct classroom_nudge *n = b->nudges ? &b->nudge[b->nudges - 1] : NULL;
    char at[16] = "";
    struct tm local;
    if (!n) return;
    time_t when = (time_t)n->at;
    if (localtime_r(&when, &local)) strftime(at, sizeof at, "%H:%M", &local);
    char *to = name_of_said(d, n), *said = base_format("said to %s, %s   \"%s\"", to, at, n->text);
    screen_watch_put_cut(p, page_height(p), LEFT, page_width(p) - LEFT - 1, PAGE_PLAIN, said);
    free(said);
    free(to);
}

static void put_exit(struct page *p, const struct watch_drawing *d) {
    const struct classroom_exit *e = &session_watch_board(d->watch)->exit;
    struct base_text t = {0};
    if (!*e->id) return;
    base_text_puts(&t, "exit questions are asked: ");
    for (size_t i = 0; i < e->items; i++) {
        char *title = session_watch_title(d->watch, e->item[i]);
        base_text_printf(&t, "%s%s", i ? ", " : "", title);
        free(title);
    }
    struct page_flow flow = {.indent = LEFT, .width = page_width(p) - LEFT - 1, .role = PAGE_GOOD};
    page_text(p, flow, t.s);
    base_text_free(&t);
}

static void put_unread(struct page *p, const struct watch_drawing *d) {
    size_t unread = session_watch_unread(d->watch);
    if (unread)
        page_printf(p, page_height(p), LEFT, PAGE_BAD,
                    "%zu %s in handins/ cannot be used: `zerotutor class doctor` lists them.",
                    unread, unread == 1 ? "file" : "files");
}

static void draw_room(struct page *p, const struct watch_drawing *d) {
    if (session_watch_sight(d->watch)->settings->lessons) put_plan(p, d);
    put_help(p, d);
    put_slips(p, d);
    screen_watch_longest(p, d, d->longest);
    put_steps(p, d);
    screen_watch_put_labs(p, d);
    screen_watch_first_labs(p, d, d->labs);
    put_said(p, d);
    put_exit(p, d);
    put_unread(p, d);
}

void screen_watch_part(struct page *p, const struct watch_drawing *d, enum watch_part part) {
    if (part == WATCH_ROOM)
        draw_room(p, d);
    else
        screen_watch_list(p, d, part);
}

void screen_watch_page(struct page *p, struct session_watch *w, bool names) {
    const struct watch_drawing d = {
        .watch = w, .names = names, .at = SIZE_MAX, .mistakes = SIZE_MAX};
    char *clock = screen_watch_clock(&d), *count = screen_watch_count(&d);
    page_put(p, 0, LEFT, PAGE_TITLE, 0, clock);
    screen_watch_put_right(p, 0, PAGE_DIM, count);
    page_blank(p, 1);
    draw_room(p, &d);
    free(count);
    free(clock);
}

/* ── a mistake ─────────────────────────────────────────────────────────────────────────────────*/
static void put_said_of(struct page *p, const char *head, const char *text, unsigned role) {
    if (!text || !*text) return;
    page_put(p, page_height(p), LEFT, PAGE_DIM, 0, head);
    page_text(p, (struct page_flow){.indent = WORDS, .width = page_width(p) - 2 * WORDS, role},
              text);
    page_blank(p, 1);
}

void screen_watch_slip(struct page *p, const struct session_slip *s,
                       const struct classroom_slip *c) {
    char *of = base_format("%d of %d who tried it", c->made, c->of);
    page_put(p, 0, LEFT, PAGE_STRONG, 0, s->mistake);
    screen_watch_put_right(p, 0, PAGE_PLAIN, of);
    page_blank(p, 1);
    put_said_of(p, "why it is wrong", s->explain, PAGE_PLAIN);
    put_said_of(p, "the line that yields it, with one learner's numbers", s->arithmetic, PAGE_CODE);
    put_said_of(p, "where it goes wrong", s->wrong, PAGE_WARN);
    if (s->figure) {
        page_put(p, page_height(p), LEFT, PAGE_DIM, 0, "what was counted, next to what it is");
        page_figure(p, (struct page_flow){.indent = WORDS, .width = page_width(p) - 2 * WORDS},
                    s->figure, NULL);
        page_blank(p, 1);
    }
    for (size_t i = 0; i < s->typed; i++)
        put_said_of(p, i ? "and by another learner" : "as it was typed", s->answer[i], PAGE_PLAIN);
    put_said_of(p, "a question to put to the room", s->question, PAGE_STRONG);
    free(of);
}
