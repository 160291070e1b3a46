/* The kinds of figures, and reading what their specs have in common. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    page_figure_kind *draw;
} kinds[] = {
    {"stack",        page_figure_stack       },
    {"ledger",       page_figure_ledger      },
    {"table",        page_figure_table       },
    {"units",        page_figure_units       },
    {"collective",   page_figure_collective  },
    {"listing",      page_figure_listing     },
    {"owners",       page_figure_owners      },
    {"flat",         page_figure_flat        },
    {"timeline",     page_figure_timeline    },
    {"tower",        page_figure_tower       },
    {"traffic",      page_figure_traffic     },
    {"roofline",     page_figure_roofline    },
    {"mesh",         page_figure_mesh        },
    {"tiers",        page_figure_tiers       },
    {"tree",         page_figure_tree        },
    {"lab-memory",   page_figure_lab_memory  },
    {"lab-traffic",  page_figure_lab_traffic },
    {"lab-timeline", page_figure_lab_timeline},
    {"lab-loss",     page_figure_lab_loss    },
    {"lab-log",      page_figure_lab_log     },
};

size_t page_figure_kinds(const char *const **names) {
    static const char *const list[] = {
        "stack", "ledger",     "table",       "units",        "collective", "listing", "owners",
        "flat",  "timeline",   "tower",       "traffic",      "roofline",   "mesh",    "tiers",
        "tree",  "lab-memory", "lab-traffic", "lab-timeline", "lab-loss",   "lab-log"};
    _Static_assert(BASE_COUNT(list) == BASE_COUNT(kinds), "every kind is listed");
    *names = list;
    return BASE_COUNT(list);
}

/* The kinds that lessons use, for messages: "stack, ledger, … or tree". */
static void list_kinds(char *out, size_t size) {
    size_t used = 0, last = 0;
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (strncmp(kinds[i].name, "lab-", 4) != 0) last = i;
    for (size_t i = 0; i <= last && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0      ? ""
                                 : i == last ? " or "
                                             : ", ",
                                 kinds[i].name);
}

bool page_figure(struct page *p, struct page_flow f, const json_t *spec, struct base_message *m) {
    char all[200];
    if (!json_is_object(spec))
        return base_fail(m, "a figure is an object with a kind, such as {\"kind\":\"units\"}");
    const char *kind = base_json_text(spec, "kind", NULL);
    list_kinds(all, sizeof all);
    if (!kind) return base_fail(m, "the figure has no kind: give it one of %s", all);
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (!strcmp(kind, kinds[i].name)) return kinds[i].draw(p, page_flow_fit(p, f), spec, m);
    return base_fail(m, "there is no figure of kind \"%s\": use %s", kind, all);
}

/* ── trainings ───────────────────────────────────────────────────────────────────────────────────*/
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
    const char *model =
        base_json_text(object, "model", NULL); /* first: other fields override what it sets */
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

/* ── limits ──────────────────────────────────────────────────────────────────────────────────────*/
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
        out->bytes =
            (double)(out->card->usable_bytes ? out->card->usable_bytes : out->card->label_bytes);
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

/* ── units ───────────────────────────────────────────────────────────────────────────────────────*/
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
        return base_fail(m, "there is no unit \"%s\": use B, MB, GB, TB, MiB, GiB or TiB", name);
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
