/* measured.c: what runs of a lab weighed, as a table, and in words how that compares with what the
 * engine said before. Each pair is
 * [measured, predicted], in bytes; without a prediction the second is missing. */
#include "lesson/handler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    /* NaN: not known */
    double measured, predicted;
};

static struct pair pair_of(const json_t *run, const char *name) {
    const json_t *p = json_object_get(run, name), *measured = json_array_get(p, 0),
                 *predicted = json_array_get(p, 1);
    return (struct pair){json_is_number(measured) ? json_number_value(measured) : (double)NAN,
                         json_is_number(predicted) ? json_number_value(predicted) : (double)NAN};
}

static json_t *bytes(double value) {
    static const enum account_unit units[] = {ACCOUNT_UNIT_GB, ACCOUNT_UNIT_MB, ACCOUNT_UNIT_KB};
    enum account_unit unit = ACCOUNT_UNIT_B;
    char text[40];
    if (isnan(value)) return json_string("");
    for (size_t i = BASE_COUNT(units); i-- > 0;)
        if (value >= account_unit_scale(units[i])) unit = units[i];
    account_print(text, sizeof text, value, unit, unit == ACCOUNT_UNIT_B ? 3 : 4);
    return json_string(text);
}

static json_t *difference(struct pair p) {
    double d = p.measured - p.predicted;
    if (isnan(d)) return json_string("");
    if (d == 0) return json_string("0 B");
    json_t *size = bytes(fabs(d));
    char *text = base_format("%s%s", d < 0 ? "−" : "+", json_string_value(size));
    json_t *out = json_string(text);
    json_decref(size);
    free(text);
    return out;
}

/* ── one run: what is kept, category by category ───────────────────────────────────────────────*/
static void add_row(json_t *rows, const char *label, struct pair p) {
    if (isnan(p.measured) || (p.measured == 0 && p.predicted == 0)) return;
    json_array_append_new(
        rows, json_pack("[s o o o]", label, bytes(p.measured), bytes(p.predicted), difference(p)));
}

/* "All 4 equal their prediction: params 882 KB, …", to be read aloud. NULL if a row differs, or its
 * difference is not known. */
static json_t *say_if_equal(const json_t *rows) {
    struct base_text t = {0};
    const json_t *row;
    size_t i, count = json_array_size(rows);
    bool equal = count > 0;
    base_text_printf(&t, "All %zu equal their prediction: ", count);
    json_array_foreach(rows, i, row) {
        equal &= strcmp(json_string_value(json_array_get(row, 3)), "0 B") == 0;
        base_text_printf(&t, "%s%s %s", i == 0 ? "" : ", ",
                         json_string_value(json_array_get(row, 0)),
                         json_string_value(json_array_get(row, 1)));
    }
    json_t *say = equal ? json_pack("[s+]", t.s, ".") : NULL;
    base_text_free(&t);
    return say;
}

static json_t *one_run(const json_t *run) {
    json_t *rows = json_array();
    const json_t *kept = json_object_get(run, "kept");
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        const char *name = account_category_name((enum account_category)c);
        add_row(rows, account_category_words((enum account_category)c), pair_of(kept, name));
    }
    add_row(rows, "kept between steps", pair_of(run, "state"));
    add_row(rows, "peak", pair_of(run, "peak"));
    add_row(rows, "sent per step", pair_of(run, "sent"));
    return json_pack("{ss s[ssss] ss so* so}", "kind", "table", "head",
                     base_json_text(run, "variant", "each rank"), "measured", "predicted",
                     "difference", "align", "lrrr", "say", say_if_equal(rows), "rows", rows);
}

/* ── several: a run a line ─────────────────────────────────────────────────────────────────────*/
static const char *cell_of(const json_t *rows, size_t row, size_t column) {
    return json_string_value(json_array_get(json_array_get(rows, row), column));
}

static bool is_level(const json_t *rows, size_t column) {
    size_t i = 0, count = json_array_size(rows);
    while (i < count && strcmp(cell_of(rows, i, column), cell_of(rows, 0, column)) == 0) i++;
    return i == count;
}

/* "peak: 7.23 MB with stage 0, 5.907 MB with stage 1.", to be read aloud: a listener compares the
 * numbers of one sentence. */
static char *say_column(const json_t *rows, const char *head, size_t column) {
    struct base_text t = {0};
    bool level = is_level(rows, column);
    if (level && *cell_of(rows, 0, column) == '\0') return NULL;
    base_text_printf(&t, "%s: ", head);
    for (size_t i = 0; i < (level ? 1 : json_array_size(rows)); i++)
        base_text_printf(&t, "%s%s with %s", i == 0 ? "" : ", ", cell_of(rows, i, column),
                         level ? "each" : cell_of(rows, i, 0));
    base_text_puts(&t, ".");
    return base_text_take(&t);
}

static json_t *many_runs(const json_t *runs) {
    static const char *const head[] = {"each rank", "kept", "peak", "sent per step", "last loss"};
    json_t *rows = json_array(), *say = json_array(), *heads = json_array();
    const json_t *run;
    size_t i;
    json_array_foreach(runs, i, run) {
        json_array_append_new(rows, json_pack("[s o o o s]", base_json_text(run, "variant", ""),
                                              bytes(pair_of(run, "state").measured),
                                              bytes(pair_of(run, "peak").measured),
                                              bytes(pair_of(run, "sent").measured),
                                              base_json_text(run, "loss", "")));
    }
    for (size_t c = 0; c < BASE_COUNT(head); c++) {
        char *sentence = c > 0 ? say_column(rows, head[c], c) : NULL;
        json_array_append_new(heads, json_string(head[c]));
        if (sentence) json_array_append_new(say, json_string(sentence));
        free(sentence);
    }
    return json_pack("{ss so so ss so}", "kind", "table", "head", heads, "rows", rows, "align",
                     "lrrrr", "say", say);
}

/* Runs that time collectives train nothing: they keep nothing and have no steps. */
static bool is_training(const json_t *run) {
    return !(pair_of(run, "state").measured == 0);
}

json_t *lesson_measured_figure(const json_t *runs) {
    if (json_array_size(runs) == 0 || !is_training(json_array_get(runs, 0))) return NULL;
    return json_array_size(runs) == 1 ? one_run(json_array_get(runs, 0)) : many_runs(runs);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *name, *said;
} COMPARED[] = {
    {"state", "the memory kept between steps"},
    {"peak", "the peak"},
    {"sent", "the bytes sent"},
};

/* The largest difference of the runs, as a share of what was predicted; NaN if nothing was. */
static double worst(const json_t *runs, const char *name) {
    double most = (double)NAN;
    const json_t *run;
    size_t i;
    json_array_foreach(runs, i, run) {
        struct pair p = pair_of(run, name);
        if (isnan(p.measured) || isnan(p.predicted)) continue;
        double off =
            p.measured == p.predicted ? 0 : fabs(p.measured - p.predicted) / fmax(p.predicted, 1);
        most = isnan(most) ? off : fmax(most, off);
    }
    return most;
}

/* "the peak, the bytes sent": those that are equal to the byte, or those that are not, each with
 * how far it is off. */
static size_t list(struct base_text *t, const json_t *runs, bool equal) {
    size_t n = 0;
    for (size_t i = 0; i < BASE_COUNT(COMPARED); i++) {
        double off = worst(runs, COMPARED[i].name);
        if (isnan(off) || (off == 0) != equal) continue;
        base_text_printf(t, "%s%s", n++ > 0 ? ", " : "", COMPARED[i].said);
        if (!equal) base_text_printf(t, " by **%.2g%%**", off * 100);
    }
    return n;
}

static void say_predicted(struct base_text *t, const json_t *runs) {
    struct base_text equal = {0}, off = {0};
    size_t same = list(&equal, runs, true), other = list(&off, runs, false);
    if (same > 0) base_text_printf(t, "The engine predicted **to the byte**: %s.", equal.s);
    if (other > 0) base_text_printf(t, "%s missed: %s.", same > 0 ? " It" : "The engine", off.s);
    base_text_free(&equal);
    base_text_free(&off);
}

static bool all_equal(const json_t *runs, const char *name) {
    const char *first = base_json_text(json_array_get(runs, 0), name, "");
    const json_t *run;
    size_t i;
    json_array_foreach(runs, i, run) {
        if (strcmp(base_json_text(run, name, ""), first) != 0) return false;
    }
    return *first != '\0';
}

static void say_equal(struct base_text *t, const json_t *runs) {
    if (json_array_size(runs) < 2) return;
    bool losses = all_equal(runs, "loss"), weights = all_equal(runs, "weights");
    if (losses && weights)
        base_text_puts(t, "\n\nThe last losses and the final weights are equal, bit for bit.");
    else if (losses)
        base_text_puts(t, "\n\nThe last losses are equal in every digit.");
}

char *lesson_measured_words(const json_t *runs) {
    struct base_text t = {0};
    say_predicted(&t, runs);
    say_equal(&t, runs);
    const char *note = base_json_text(json_array_get(runs, 0), "note", NULL);
    if (note != NULL) base_text_printf(&t, "%s%s", t.length > 0 ? "\n\n" : "", note);
    return base_text_take(&t);
}
