/* class plan: whether the day fits, and what helps if it does not. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 30, PEOPLE_MOST = 10000, COLUMNS = 5 };

/* ── words and rows ────────────────────────────────────────────────────────────────────────────*/
/* Minutes as one reads them: "0.4", "12". */
static char *minutes_text(double minutes) {
    return base_format("%.*f", minutes < 9.95 ? 1 : 0, minutes);
}

static char *fits_text(const struct classroom_day *d) {
    double over = classroom_day_minutes(d) - d->minutes;
    if (d->minutes < 0) return base_dup("no end");
    if (over <= 0) return base_dup("yes");
    char *by = minutes_text(over), *text = base_format("no, by %s min", by);
    free(by);
    return text;
}

static void add_row(char ***cell, size_t *n, char *row[COLUMNS]) {
    *cell = base_grow(*cell, *n + COLUMNS, sizeof **cell);
    memcpy(*cell + *n, row, COLUMNS * sizeof *row);
    *n += COLUMNS;
}

static void put_table(struct page *p, char **cell, size_t n, const char *align) {
    page_table(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2},
               (const char *const *)cell, n / COLUMNS, COLUMNS, align, true);
    for (size_t i = 0; i < n; i++) free(cell[i]);
    free(cell);
    page_blank(p, 1);
}

static void put_labs(struct page *p, const struct classroom_day *d) {
    char **cell = NULL;
    size_t n = 0;
    add_row(&cell, &n,
            (char *[COLUMNS]){base_dup("lab"), base_dup("in"), base_dup("one turn"),
                              base_dup("at a time"), base_dup("minutes for all")});
    for (size_t i = 0; i < d->labs; i++) {
        const struct classroom_lab *l = &d->lab[i];
        int places = classroom_lab_places(d, l);
        char *all = minutes_text(classroom_lab_minutes(d, l));
        add_row(&cell, &n,
                (char *[COLUMNS]){base_dup(l->name), base_dup(*l->lesson ? l->lesson : "plan"),
                                  base_format("%s%.0f s", l->known ? "" : "at most ", l->seconds),
                                  places ? base_format("%d", places) : base_dup("all"),
                                  base_format("%s%s", l->known ? "" : "at most ", all)});
        free(all);
    }
    put_table(p, cell, n, "llrrr");
}

static void add_day(char ***cell, size_t *n, const char *name, const char *how,
                    const struct classroom_day *d) {
    add_row(cell, n,
            (char *[COLUMNS]){base_dup(name), minutes_text(classroom_labs_minutes(d)),
                              minutes_text(classroom_day_minutes(d)), fits_text(d), base_dup(how)});
}

static void put_ways(struct page *p, const struct classroom_day *d) {
    const struct classroom_way *way;
    struct classroom_day other;
    char **cell = NULL;
    size_t n = 0;
    add_row(&cell, &n,
            (char *[COLUMNS]){base_dup("way"), base_dup("labs"), base_dup("day"), base_dup("fits"),
                              base_dup("")});
    add_day(&cell, &n, "as it is", "", d);
    for (size_t i = 0; (way = classroom_way_at(i)); i++)
        if (classroom_way_take(i, d, &other)) add_day(&cell, &n, way->name, "", &other);
    put_table(p, cell, n, "lrrll");
}

static void put_hows(struct base_text *t, const struct classroom_day *d) {
    const struct classroom_way *way;
    struct classroom_day other;
    for (size_t i = 0; (way = classroom_way_at(i)); i++)
        if (classroom_way_take(i, d, &other))
            base_text_printf(t, "- **%s**: %s.\n", way->name, way->how);
}

static bool uses_gpus(const struct classroom_day *d) {
    bool uses = d->labs == 0;
    for (size_t i = 0; i < d->labs; i++) uses = uses || d->lab[i].gpu;
    return uses;
}

static void put_plan(struct page *p, const struct classroom_settings *s,
                     const struct classroom_day *d) {
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    struct base_text t = {0};
    char *lessons = minutes_text(d->lesson_minutes), *left = minutes_text(d->minutes);
    base_text_printf(&t, "**%s**: %d people%s, %d GPU%s, %d core%s. The lessons take %s minutes",
                     s->name, d->people, d->pairs ? " in pairs" : "", d->gpus,
                     d->gpus == 1 ? "" : "s", d->cores, d->cores == 1 ? "" : "s", lessons);
    if (d->minutes < 0)
        base_text_puts(&t, ", and the class has no end.\n");
    else
        base_text_printf(&t, ", and the class has %s.\n", left);
    page_markdown(p, flow, t.s);
    page_blank(p, 1);
    base_text_free(&t);
    if (d->labs) put_labs(p, d);
    put_ways(p, d);
    put_hows(&t, d);
    if (d->gpus && !uses_gpus(d))
        base_text_puts(&t, "\nThe lab does not find a GPU on this machine, so its labs are counted "
                           "on the cores.\n");
    base_text_printf(&t,
                     "\nThis is the slowest case: all ask for the same lab at the same moment and "
                     "wait. A turn takes as long as the steps of the lab's recordings, and to "
                     "start each run %d s on the CPU or %d s on a GPU (assumed). `--seconds N` "
                     "sets what you measured.\n",
                     SESSION_START_CPU, SESSION_START_GPU);
    page_markdown(p, flow, t.s);
    base_text_free(&t);
    free(left);
    free(lessons);
}

/* ── JSON ──────────────────────────────────────────────────────────────────────────────────────*/
static json_t *day_json(const char *name, const struct classroom_day *d) {
    json_t *fits = d->minutes < 0 ? json_null() : json_boolean(classroom_day_fits(d));
    return json_pack("{ss sf sf so}", "way", name, "labs", classroom_labs_minutes(d), "day",
                     classroom_day_minutes(d), "fits", fits);
}

static json_t *plan_json(const struct classroom_settings *s, const struct classroom_day *d) {
    const struct classroom_way *way;
    struct classroom_day other;
    json_t *labs = json_array(), *ways = json_array();
    for (size_t i = 0; i < d->labs; i++) {
        const struct classroom_lab *l = &d->lab[i];
        json_array_append_new(labs, json_pack("{ss ss sf sb sb si si sf}", "lab", l->name, "lesson",
                                              l->lesson, "seconds", l->seconds, "known", l->known,
                                              "gpu", l->gpu, "ranks", l->ranks, "places",
                                              classroom_lab_places(d, l), "minutes",
                                              classroom_lab_minutes(d, l)));
    }
    json_array_append_new(ways, day_json("as it is", d));
    for (size_t i = 0; (way = classroom_way_at(i)); i++)
        if (classroom_way_take(i, d, &other))
            json_array_append_new(ways, day_json(way->name, &other));
    return json_pack("{ss si sb si si sf so so so}", "class", s->name, "people", d->people, "pairs",
                     d->pairs, "gpus", d->gpus, "cores", d->cores, "lessons", d->lesson_minutes,
                     "minutes", d->minutes < 0 ? json_null() : json_real(d->minutes), "labs", labs,
                     "ways", ways);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
/* As many as the roster lists, or 30. Who may not read the roster plans for 30. */
static long people_of(const struct classroom_folder *f) {
    struct base_message m = {0};
    struct classroom_roster r;
    bool read = classroom_roster_read(f, &r, &m);
    long people = read && r.people ? (long)r.people : PEOPLE;
    classroom_roster_free(&r);
    return people;
}

int command_class_plan(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    struct classroom_day d;
    long people, seconds;
    if (!command_class_open(a, 1, &f, &s)) return COMMAND_USAGE;
    bool read = command_arguments_number(a, "people", 1, PEOPLE_MOST, people_of(f), &people) &&
                command_arguments_number(a, "seconds", 1, 86400, 0, &seconds);
    classroom_close(f);
    if (!read) return COMMAND_USAGE;
    if (!session_agenda(&s, (double)seconds, &d, &m)) return command_say_message(&m);
    d.people = (int)people;
    d.pairs = command_arguments_has(a, "pairs");
    if (command_arguments_has(a, "json")) return command_say_json(plan_json(&s, &d));
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    put_plan(p, &s, &d);
    command_terminal_print(p);
    return COMMAND_WELL;
}
