/* What the specs of figures have in common: trainings, limits and units as they are read, and the
 * words in which figures name amounts and things. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
char *page_seconds(double seconds) {
    char out[32];
    account_print(out, sizeof out, seconds, seconds < 1 ? ACCOUNT_UNIT_MS : ACCOUNT_UNIT_SECONDS,
                  3);
    return base_dup(out);
}

char *page_rate(double rate) {
    char out[32];
    account_print(out, sizeof out, rate, ACCOUNT_UNIT_GB_PER_S, 4);
    return base_dup(out);
}

char *page_bytes(double bytes) {
    char out[32];
    account_print_bytes(out, sizeof out, bytes);
    return base_dup(out);
}

char *page_tokens(double count) {
    char digits[32];
    struct base_text out = {0};
    int n = snprintf(digits, sizeof digits, "%.0f", fmin(count, 1e18));
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) base_text_puts(&out, ",");
        base_text_add(&out, &digits[i], 1);
    }
    return base_text_take(&out);
}

/* The part of the title before its memory: "NVIDIA A100 80GB SXM" is "A100". */
char *page_card_name(const struct account_card *card) {
    static const char *const makers[] = {"NVIDIA ", "AMD ", "Nvidia "};
    const char *title = card->title;
    for (size_t i = 0; i < BASE_COUNT(makers); i++)
        if (!strncmp(title, makers[i], strlen(makers[i]))) title += strlen(makers[i]);
    char *name = base_dup(title);
    for (char *at = strchr(name, ' '); at; at = strchr(at + 1, ' ')) {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits && at[1 + digits] == 'G') {
            at[at[-1] == ',' ? -1 : 0] = '\0';
            break;
        }
    }
    return name;
}

char *page_model_name(const struct account_training *t) {
    char out[32];
    if (t->model && t->model->params == t->params) return base_dup(t->model->title);
    return base_format("%s parameters", account_print_count(out, sizeof out, (double)t->params));
}

/* ── trainings ─────────────────────────────────────────────────────────────────────────────────*/
static bool set_field(void *self, const char *name, const char *text, struct base_message *m) {
    struct account_error e;
    if (!strcmp(name, "model")) return true;
    return account_set(self, name, text, &e) || base_fail(m, "%s", e.what);
}

bool page_training_read(const json_t *object, struct account_training *out,
                        struct base_message *m) {
    struct account_error e;
    if (!json_is_object(object))
        return base_fail(
            m, "a figure's training is an object such as {\"params\":7e9,\"gpus\":8,\"stage\":2}");
    *out = account_training_default();
    /* first: other fields override what it sets */
    const char *model = base_json_text(object, "model", NULL);
    if (model && !account_set(out, "model", model, &e)) return base_fail(m, "%s", e.what);
    if (!base_json_fields(object, set_field, out, m)) return false;
    return account_check(out, &e) || base_fail(m, "%s", e.what);
}

json_t *page_training_json(const struct account_training *t) {
    size_t count;
    const struct account_field *f = account_fields(&count);
    json_t *out = json_object();
    for (size_t i = 0; i < count; i++) {
        char value[64];
        if (!account_is_default(t, f[i].name) && account_get(t, f[i].name, value, sizeof value))
            json_object_set_new(out, f[i].name, json_string(value));
    }
    return out;
}

/* ── ledgers ───────────────────────────────────────────────────────────────────────────────────*/
static bool read_bytes(const json_t *bytes, struct account_ledger *out, struct base_message *m) {
    size_t known = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        const json_t *n = json_object_get(bytes, account_category_name((enum account_category)c));
        known += json_is_number(n);
        out->bytes[c] = (uint64_t)fmax(json_number_value(n), 0);
        out->total += out->bytes[c];
    }
    return known == json_object_size(bytes) ||
           base_fail(m, "\"bytes\" are by category, such as {\"params\":14e9,\"grads\":14e9}");
}

/* Leaves the one category that the spec names with "only". */
static bool keep_only(const char *name, struct account_ledger *l, struct base_message *m) {
    struct account_ledger one = {0};
    unsigned c = 0;
    while (c < ACCOUNT_CATEGORIES &&
           strcmp(account_category_name((enum account_category)c), name) != 0)
        c++;
    if (c == ACCOUNT_CATEGORIES) return base_fail(m, "unknown category \"%s\"", name);
    one.total = one.bytes[c] = l->bytes[c];
    *l = one;
    return true;
}

bool page_ledger_read(const json_t *spec, struct account_ledger *out, struct base_message *m) {
    struct account_training t;
    struct account_error e;
    const json_t *bytes = json_object_get(spec, "bytes");
    const char *only = base_json_text(spec, "only", NULL);
    *out = (struct account_ledger){0};
    if (bytes) return read_bytes(bytes, out, m);
    if (!page_training_read(json_object_get(spec, "training"), &t, m)) return false;
    if (!account_ledger(&t, out, &e)) return base_fail(m, "%s", e.what);
    return !only || keep_only(only, out, m);
}

/* ── limits ────────────────────────────────────────────────────────────────────────────────────*/
bool page_limit_read(const json_t *spec, struct page_limit *out, struct base_message *m) {
    const json_t *value = json_object_get(spec, "limit");
    struct account_error e;
    *out = (struct page_limit){0};
    if (!value || json_is_null(value)) return true;
    out->given = true;
    if (json_is_number(value))
        out->bytes = json_number_value(value);
    else if (!json_is_string(value))
        return base_fail(m, "a figure's limit is a card's name or a number of bytes");
    else if ((out->card = account_card_find(json_string_value(value))))
        out->bytes = (double)account_card_bytes(out->card);
    else if (!account_read_bytes(json_string_value(value), &out->bytes, &e))
        return base_fail(m, "\"%s\" is neither a card nor a number of bytes",
                         json_string_value(value));
    return out->bytes > 0 || base_fail(m, "a figure's limit is more than 0 bytes");
}

/* "an A100", "a T4": by how the first letter, or the first digit, is said. */
static char *with_article(const struct account_card *card) {
    char *name = page_card_name(card),
         *words = base_format("%s %s", strchr("AEFHILMNORSX8", *name) ? "an" : "a", name);
    free(name);
    return words;
}

char *page_limit_words(const struct page_limit *limit, const char *amount) {
    if (!limit->card) return base_format("the limit is %s", amount);
    char *name = with_article(limit->card), *words = base_format("%s holds %s", name, amount);
    free(name);
    return words;
}

char *page_limit_place(const struct page_limit *limit, const char *amount) {
    if (!limit->card) return base_dup(amount);
    char *name = with_article(limit->card), *words = base_format("%s (%s)", name, amount);
    free(name);
    return words;
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/
bool page_scale_read(const json_t *spec, const double *bytes, size_t count, struct page_scale *out,
                     struct base_message *m) {
    static const enum account_unit best[] = {ACCOUNT_UNIT_TB, ACCOUNT_UNIT_GB, ACCOUNT_UNIT_MB,
                                             ACCOUNT_UNIT_KB};
    const char *name = base_json_text(spec, "unit", NULL);
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, bytes[i]);
    out->unit = ACCOUNT_UNIT_B;
    for (size_t i = 0; i < BASE_COUNT(best) && out->unit == ACCOUNT_UNIT_B; i++)
        if (most >= account_unit_scale(best[i])) out->unit = best[i];
    if (name && !account_unit_find(name, &out->unit))
        return base_fail(m, "unknown unit \"%s\": use B, MB, GB, TB, MiB, GiB or TiB", name);
    if (out->unit < ACCOUNT_UNIT_B || out->unit > ACCOUNT_UNIT_TIB)
        return base_fail(m, "a figure's unit counts bytes: %s does not", name);
    out->digits = account_decimals(bytes, count, out->unit);
    return true;
}

char *page_scale_number(struct page_scale s, double bytes) {
    char text[64];
    return base_dup(account_print_fixed(text, sizeof text, bytes, s.unit, s.digits));
}

char *page_scale_print(struct page_scale s, double bytes) {
    char *number = page_scale_number(s, bytes);
    char *text = base_format("%s %s", number, account_unit_name(s.unit));
    free(number);
    return text;
}

bool page_still_given(const json_t *spec) {
    return json_is_object(json_object_get(spec, "still"));
}

double page_still_reach(const struct page_limit *limit, double start) {
    return limit->given ? fmax(1.5 * limit->bytes, start) : 2 * start;
}

/* A training, and who visits all that its fields from `at` on can make of it. */
struct range {
    page_range_visit *visit;
    void *to;
    json_t *training, *fields;
    bool alone;
};

static void visit(const struct range *r) {
    struct account_training t;
    if (page_training_read(r->training, &t, NULL)) r->visit(r->to, &t);
}

/* The field goes last, since later ones win. */
static void try_values(const struct range *r, void *at) {
    if (!at) {
        visit(r);
        return;
    }
    const char *name = json_object_iter_key(at);
    json_t *was = json_incref(json_object_get(r->training, name)), *value;
    size_t i;
    json_array_foreach(json_object_iter_value(at), i, value) {
        json_object_del(r->training, name);
        json_object_set(r->training, name, value);
        try_values(r, r->alone ? NULL : json_object_iter_next(r->fields, at));
    }
    json_object_del(r->training, name);
    json_object_set_new(r->training, name, was);
}

void page_range_each(const json_t *spec, bool alone, page_range_visit *each, void *to) {
    json_t *fields = json_object_get(spec, "range");
    struct range r = {each, to, json_copy(json_object_get(spec, "still")), fields, alone};
    if (!alone) try_values(&r, json_object_iter(fields));
    for (void *at = json_object_iter(fields); alone && at; at = json_object_iter_next(fields, at))
        try_values(&r, at);
    json_decref(r.training);
}

unsigned page_changed(const char *before, const char *now, unsigned otherwise) {
    return before && strcmp(before, now) != 0 ? PAGE_ACCENT : otherwise;
}
