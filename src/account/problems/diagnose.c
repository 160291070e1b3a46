#include "account/problems/verdict.h"

#include <math.h>
#include <string.h>

void account_diagnose(const struct account_problem *p, double value,
                      struct account_diagnosis *out) {
    struct account_variant v;
    out->count = 0;
    if (!account_variant(p, &v)) return;
    account_variant_diagnose(&v, value, out);
    if (out->count == 0) account_variant_pair(&v, value, out);
}

static const char *id_of(const struct account_variant *v, size_t i) {
    size_t count;
    return account_mistakes(&count)[v->told[i].row].id;
}

/* Where the variant has the mistake; `v->count` if it has not. */
static size_t told(const struct account_variant *v, const char *id) {
    size_t i = 0;
    while (i < v->count && strcmp(id_of(v, i), id) != 0) i++;
    return i;
}

bool account_mistake_value(const struct account_problem *p, const char *id,
                           struct account_match *out) {
    struct account_variant v;
    if (!account_variant(p, &v)) return false;
    size_t i = told(&v, id);
    return i < v.count && account_mistaken(v.told[i].row, p, &v.grounds, out);
}

/* ── whether a variant is fit to be asked ────────────────────────────────────────────────────────*/

static void set_name(char *out, size_t size, const char *name) {
    struct account_text t = account_text(out, size);
    account_add(&t, "%s", name);
}

static void closer(struct account_separation *s, double distance, const char *a, const char *b) {
    if (!(distance < s->distance)) return;
    s->distance = distance;
    set_name(s->a, sizeof s->a, a);
    set_name(s->b, sizeof s->b, b);
}

/* A mistake remains if the diagnosis of its own number names it. */
static bool remains(const struct account_variant *v, size_t i) {
    size_t found[ACCOUNT_MATCHES],
        count = i < v->count ? account_variant_find(v, v->told[i].value, found) : 0;
    for (size_t k = 0; k < count; k++)
        if (found[k] == i) return true;
    return false;
}

/* Two mistakes that the problem is about must not answer to the same number. */
static void check_about(const struct account_variant *v, const char *const *about, size_t count,
                        struct account_separation *out) {
    for (size_t i = 0; i < count; i++) {
        size_t a = told(v, about[i]);
        bool apart = remains(v, a);
        for (size_t j = 0; apart && j < i; j++) {
            size_t b = told(v, about[j]);
            if (b == v->count || a == b) continue;
            double distance = account_distance(v->told[b].value, v->told[a].value);
            closer(out, distance, about[i], about[j]);
            apart = v->unit == ACCOUNT_UNIT_GPUS ? distance > 0 : distance > 2 * v->tolerance;
        }
        if (apart || !out->legal) continue;
        out->legal = false;
        set_name(out->missing, sizeof out->missing, about[i]);
    }
}

void account_separate(const struct account_problem *p, const char *const *about, size_t count,
                      struct account_separation *out) {
    struct account_variant v;
    *out = (struct account_separation){.distance = HUGE_VAL};
    if (!account_variant(p, &v)) return;
    out->legal = true;
    out->tolerance = v.tolerance;
    for (size_t i = 0; i < v.count; i++)
        closer(out, account_distance(v.told[i].value, v.truth), "truth", id_of(&v, i));
    check_about(&v, about, count, out);
}
