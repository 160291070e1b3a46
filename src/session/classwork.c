/* classwork: the hand-in and where the learner is, written to the class's folder. It reads the
 * record; which lesson is taken it is told by attending.c. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── whether there is anybody to tell ──────────────────────────────────────────────────────────*/
void session_classwork_begin(struct learner_class *c, struct store *s) {
    struct session_class in;
    if (!session_class(&in)) return;
    bool its = store_seed(s) == classroom_seed(&in.settings, in.account);
    struct session_class **as = in.running && its             ? &c->in
                                : session_class_is_ahead(&in) ? &c->ahead
                                                              : NULL;
    if (!as) return;
    *as = base_alloc(sizeof in);
    **as = in;
}

bool session_classwork_again(struct learner_class *c) {
    struct session_class now;
    if (!session_class(&now) || strcmp(now.settings.id, c->in->settings.id) != 0) return false;
    *c->in = now;
    return true;
}

/* ── the hand-in ───────────────────────────────────────────────────────────────────────────────*/
struct giving {
    struct learner_class *class;
    struct classroom_folder *folder;
    uint64_t seed;
    struct classroom_writing *to;
    struct base_message *m;
    /* where the record has the columns of the file, in the file's order; the record's count of
     * columns if it has none of this name */
    size_t *from, count, time;
    /* they are the same */
    bool alike;
    /* the class sees what was answered from the one to before the other; 0: no end */
    int64_t begins, ends;
};

static size_t find_column(const json_t *columns, const char *name) {
    size_t i = 0;
    while (i < json_array_size(columns) &&
           strcmp(json_string_value(json_array_get(columns, i)), name) != 0)
        i++;
    return i;
}

/* The table's line begins the file, or tells how its rows become those of the file, which an older
 * program may have begun. */
static bool begin_file(struct giving *g, const json_t *columns) {
    struct learner_class *c = g->class;
    char *name = base_format("%s" CLASSROOM_HANDIN_END, c->in->handin);
    const struct classroom_handin_head head = {.class = c->in->settings.id,
                                               .account = c->in->account,
                                               .with = c->in->with,
                                               .course = c->course,
                                               .version = BASE_VERSION,
                                               .seed = g->seed};
    g->to = classroom_handin_begin(g->folder, name, &head, columns, g->m);
    free(name);
    if (!g->to) return false;
    const json_t *its = classroom_handin_columns(g->to), *one;
    size_t i;
    g->count = json_array_size(its);
    g->from = base_alloc((g->count + 1) * sizeof *g->from);
    json_array_foreach(its, i, one) {
        const char *column = json_string_value(one);
        g->from[i] = find_column(columns, column ? column : "");
    }
    g->alike = json_equal(its, columns);
    if (classroom_handin_rows(g->to) < c->rows) c->handed = 0; /* somebody took it away */
    g->time = find_column(columns, "time");
    return true;
}

static void give_row(struct giving *g, json_t *row) {
    int64_t time = json_integer_value(json_array_get(row, g->time));
    int64_t day = review_day(time, g->class->rollover);
    if (time < g->begins || (g->ends && time >= g->ends)) return;
    json_t *as = g->alike ? json_incref(row) : json_array();
    for (size_t i = 0; !g->alike && i < g->count; i++) {
        json_t *cell = json_array_get(row, g->from[i]);
        json_array_append_new(as, cell ? json_incref(cell) : json_null());
    }
    char *text = store_row_text(as);
    classroom_handin_add(g->to, text, strlen(text), day);
    free(text);
    json_decref(as);
}

/* Rows are in the order of their numbers, with which they begin; those that were handed in need not
 * be read again. */
static bool give_line(void *to, json_t *row) {
    struct giving *g = to;
    if (json_is_object(row)) return begin_file(g, json_object_get(row, "columns"));
    if (json_integer_value(json_array_get(row, 0)) > g->class->handed) give_row(g, row);
    return true;
}

static bool give_all(struct learner_class *c, struct store *s, struct classroom_folder *f,
                     struct base_message *m) {
    struct giving g = {.class = c,
                       .folder = f,
                       .seed = store_seed(s),
                       .m = m,
                       .begins = c->in->settings.begins,
                       .ends = session_class_ends(c->in)};
    bool read = store_rows(s, "answer", give_line, &g, g.to ? m : NULL);
    free(g.from);
    if (!g.to) return false;
    c->rows = classroom_handin_rows(g.to);
    return classroom_handin_end(g.to, m) && read;
}

bool session_classwork_hand_in(struct learner_class *c, struct store *s, struct base_message *m) {
    int64_t last = store_last_answer(s);
    if (!c->in || (c->handed == last && c->begun && !c->waits)) return true;
    if (!session_classwork_again(c)) {
        c->waits = 0;
        return true;
    }
    struct classroom_folder *f = classroom_open(c->in->folder, m);
    bool given = f && give_all(c, s, f, m);
    classroom_close(f);
    if (given) {
        c->handed = last;
        c->begun = true;
        c->waits = 0;
    } else if (!c->waits) {
        c->waits = base_now();
    }
    return given;
}

/* ── where the learner is ──────────────────────────────────────────────────────────────────────*/
bool session_classwork_tell(struct learner_class *c, struct base_message *m) {
    bool runs = session_classwork_again(c) && c->in->running;
    struct classroom_folder *f = classroom_open(c->in->folder, m);
    if (!f) return false;
    snprintf(c->now.account, sizeof c->now.account, "%s", c->in->account);
    snprintf(c->now.with, sizeof c->now.with, "%s", c->in->with);
    c->now.since = (base_ticks() - c->began) / 1000;
    bool told = runs && classroom_presence_write(f, c->in->handin, &c->now, m);
    if (!runs) {
        classroom_presence_remove(f, c->in->handin);
        base_fail(m, "the class \"%s\" is over", c->in->settings.name);
    }
    classroom_close(f);
    c->told = c->told || told;
    return told;
}

void session_classwork_end(struct learner_class *c, struct store *s) {
    free(c->ahead);
    c->ahead = NULL;
    if (!c->in) return;
    if (*c->course) session_classwork_hand_in(c, s, NULL);
    struct classroom_folder *f = c->told ? classroom_open(c->in->folder, NULL) : NULL;
    if (f) classroom_presence_remove(f, c->in->handin);
    classroom_close(f);
    free(c->in);
    c->in = NULL;
}
