/* How one value of a training is read and written, by kind. */
#include "account/training/fields.h"

#include <math.h>
#include <string.h>

static void *at(const struct account_field_row *row, struct account_training *t) {
    return (char *)t + row->offset;
}

static const void *in(const struct account_field_row *row, const struct account_training *t) {
    return (const char *)t + row->offset;
}

static bool is_none(const char *text) {
    return *text == '\0' || account_same(text, "none");
}

/* ── names of the catalogues ─────────────────────────────────────────────────────────────────────*/

static bool set_model(const struct account_field_row *row, struct account_training *t,
                      const char *text, struct account_error *e) {
    (void)row;
    if (is_none(text)) {
        t->model = NULL;
        t->shape = (struct account_shape){0};
        return true;
    }
    const struct account_model *m = account_model_find(text);
    if (!m)
        return account_fail(e, 0,
                            "model: \"%.60s\" is not in the catalogue: give a name like "
                            "llama-2-13b, or a count with params",
                            text);
    t->model = m;
    t->params = m->params;
    t->shape = m->shape;
    return true;
}

static void get_model(const struct account_field_row *row, const struct account_training *t,
                      struct account_text *out) {
    (void)row;
    account_add(out, "%s", t->model ? t->model->name : "none");
}

static bool set_card(const struct account_field_row *row, struct account_training *t,
                     const char *text, struct account_error *e) {
    (void)row;
    const struct account_card *c = is_none(text) ? NULL : account_card_find(text);
    if (!c && !is_none(text))
        return account_fail(
            e, 0, "gpu: \"%.60s\" is not in the catalogue: give a name like a100-80g or h100-80g",
            text);
    t->card = c;
    return true;
}

static void get_card(const struct account_field_row *row, const struct account_training *t,
                     struct account_text *out) {
    (void)row;
    account_add(out, "%s", t->card ? t->card->name : "none");
}

/* A link of the catalogue, or a rate; "auto" is the card's own. */
static bool set_link(const struct account_field_row *row, struct account_training *t,
                     const char *text, struct account_error *e) {
    struct account_link *link = at(row, t);
    if (is_none(text) || account_same(text, "auto")) {
        *link = (struct account_link){0};
        return true;
    }
    const struct account_link *found = account_link_find(text);
    if (found) {
        *link = *found;
        return true;
    }
    double rate;
    struct account_error why = {0};
    bool bare = *text && account_is_digit(text[strlen(text) - 1]);
    if (bare || !account_read_rate(text, &rate, &why) || !(rate >= 1e6))
        return account_fail(e, why.column,
                            "%s: \"%.40s\" is neither a link of the catalogue, like nvlink4, pcie4 "
                            "or ib-ndr, nor a rate like 25GB/s",
                            row->name, text);
    *link = (struct account_link){.rate = rate, .wire = rate};
    return true;
}

static void get_link(const struct account_field_row *row, const struct account_training *t,
                     struct account_text *out) {
    const struct account_link *link = in(row, t);
    if (link->name)
        account_add(out, "%s", link->name);
    else if (link->rate > 0)
        account_add(out, "%.17gB/s", link->rate);
    else
        account_add(out, "auto");
}

/* ── numbers ─────────────────────────────────────────────────────────────────────────────────────*/

static bool set_params(const struct account_field_row *row, struct account_training *t,
                       const char *text, struct account_error *e) {
    (void)row;
    uint64_t n;
    struct account_error why = {0};
    if (!account_read_count(text, &n, &why))
        return account_fail(e, why.column, "params: %s", why.what);
    if (n > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 1, "params: at most 1e17 (a hundred thousand trillion) parameters");
    t->params = n;
    return true;
}

static void get_params(const struct account_field_row *row, const struct account_training *t,
                       struct account_text *out) {
    (void)row;
    account_add(out, "%llu", (unsigned long long)t->params);
}

static bool read_within(const struct account_field_row *row, const char *text, uint32_t *out,
                        struct account_error *e) {
    uint64_t n;
    struct account_error why = {0};
    if (!account_read_count(text, &n, &why))
        return account_fail(e, why.column, "%s: write a whole number of %s, like 8", row->name,
                            row->unit);
    if (n < row->least || n > row->most)
        return account_fail(e, 1, "%s: from %llu to %llu %s", row->name,
                            (unsigned long long)row->least, (unsigned long long)row->most,
                            row->unit);
    *out = (uint32_t)n;
    return true;
}

static bool set_count(const struct account_field_row *row, struct account_training *t,
                      const char *text, struct account_error *e) {
    return read_within(row, text, at(row, t), e);
}

static void get_count(const struct account_field_row *row, const struct account_training *t,
                      struct account_text *out) {
    account_add(out, "%u", *(const uint32_t *)in(row, t));
}

/* `lora` and `qlora` are one rank with two kinds of base; a rank of 0 under either name only takes back its own. */
static bool set_adapter(const struct account_field_row *row, struct account_training *t,
                        const char *text, struct account_error *e) {
    bool quantized = row->offset != 0;
    uint32_t rank = 0;
    if (!read_within(row, text, &rank, e)) return false;
    if (rank == 0 && t->quantized != quantized) return true;
    t->lora = rank;
    t->quantized = rank > 0 && quantized;
    return true;
}

static void get_adapter(const struct account_field_row *row, const struct account_training *t,
                        struct account_text *out) {
    bool mine = t->quantized == (row->offset != 0);
    account_add(out, "%u", mine ? t->lora : 0);
}

static bool set_share(const struct account_field_row *row, struct account_training *t,
                      const char *text, struct account_error *e) {
    struct account_decimal number;
    const char *end = account_scan(account_skip(text), &number);
    bool percent = end && *account_skip(end) == '%';
    if (percent) end = account_skip(end) + 1;
    double value = end ? number.value / (percent ? 100 : 1) : 0;
    if (!end || *account_skip(end) || !(value > 0 && value <= 1))
        return account_fail(e, 0, "%s: write a share above 0 and up to 1, like 0.5", row->name);
    *(double *)at(row, t) = value;
    return true;
}

static void get_share(const struct account_field_row *row, const struct account_training *t,
                      struct account_text *out) {
    account_add(out, "%.15g", *(const double *)in(row, t));
}

/* A bare number counts what the recipe counts (DeepSpeed: elements); with a unit it is bytes. */
static bool set_bucket(const struct account_field_row *row, struct account_training *t,
                       const char *text, struct account_error *e) {
    (void)row;
    uint64_t n;
    double bytes;
    struct account_error why = {0};
    bool bare =
        *text && account_read_count(text, &n, NULL) && account_is_digit(text[strlen(text) - 1]);
    if (!bare && (!account_read_bytes(text, &bytes, &why) || bytes > 1e15))
        return account_fail(e, why.column, "bucket: write a size like 25MB, or a count like 5e8");
    t->bucket = bare ? n : (uint64_t)llround(bytes);
    t->bucket_elements = bare && n > 0;
    return true;
}

static void get_bucket(const struct account_field_row *row, const struct account_training *t,
                       struct account_text *out) {
    (void)row;
    account_add(out, "%llu%s", (unsigned long long)t->bucket,
                t->bucket && !t->bucket_elements ? "B" : "");
}

/* ── choices ─────────────────────────────────────────────────────────────────────────────────────*/

static bool set_stage(const struct account_field_row *row, struct account_training *t,
                      const char *text, struct account_error *e) {
    (void)row;
    const char *s = account_skip(text);
    if (*s < '0' || *s > '3' || *account_skip(s + 1))
        return account_fail(e, account_column(text, s), "stage: ZeRO has the stages 0, 1, 2 and 3");
    t->stage = (uint8_t)(*s - '0');
    return true;
}

static void get_stage(const struct account_field_row *row, const struct account_training *t,
                      struct account_text *out) {
    (void)row;
    account_add(out, "%u", t->stage);
}

static bool set_choice(const struct account_field_row *row, struct account_training *t,
                       const char *text, struct account_error *e) {
    for (size_t i = 0; row->name_of(i); i++) {
        if (!account_same(row->name_of(i), text)) continue;
        *(uint8_t *)at(row, t) = (uint8_t)i;
        return true;
    }
    return account_fail(e, 0, "%s: \"%.40s\" is none of %s", row->name, text, row->choices);
}

static void get_choice(const struct account_field_row *row, const struct account_training *t,
                       struct account_text *out) {
    const char *name = row->name_of(*(const uint8_t *)in(row, t));
    account_add(out, "%s", name ? name : row->name_of(0));
}

static bool set_flag(const struct account_field_row *row, struct account_training *t,
                     const char *text, struct account_error *e) {
    bool on = account_same(text, "on"), off = account_same(text, "off");
    if (!on && !off)
        return account_fail(e, 0, "%s: \"%.40s\" is neither on nor off", row->name, text);
    *(bool *)at(row, t) = on;
    return true;
}

static void get_flag(const struct account_field_row *row, const struct account_training *t,
                     struct account_text *out) {
    account_add(out, *(const bool *)in(row, t) ? "on" : "off");
}

const struct account_field_kind account_kind_model = {set_model, get_model},
                                account_kind_params = {set_params, get_params},
                                account_kind_card = {set_card, get_card},
                                account_kind_stage = {set_stage, get_stage},
                                account_kind_count = {set_count, get_count},
                                account_kind_choice = {set_choice, get_choice},
                                account_kind_flag = {set_flag, get_flag},
                                account_kind_adapter = {set_adapter, get_adapter},
                                account_kind_bucket = {set_bucket, get_bucket},
                                account_kind_link = {set_link, get_link},
                                account_kind_share = {set_share, get_share};
