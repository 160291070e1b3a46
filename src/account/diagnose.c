#include "account/verdict.h"

#include <math.h>
#include <string.h>

void account_diagnose(const struct account_problem *p, double value,
                      struct account_diagnosis *out) {
    struct account_variant v;
    out->count = 0;
    if (account_variant(p, &v)) account_variant_diagnose(&v, value, out);
}

static const struct account_match *told(const struct account_variant *v, const char *id) {
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->told[i].match.mistake->id, id) == 0) return &v->told[i].match;
    return NULL;
}

bool account_mistake_value(const struct account_problem *p, const char *id,
                           struct account_match *out) {
    struct account_variant v;
    const struct account_match *m = account_variant(p, &v) ? told(&v, id) : NULL;
    if (m) *out = *m;
    return m != NULL;
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
static const struct account_match *remaining(const struct account_variant *v, const char *id) {
    const struct account_match *m = told(v, id);
    struct account_diagnosis d = {0};
    if (m) account_variant_diagnose(v, m->value, &d);
    for (size_t i = 0; i < d.count; i++)
        if (d.match[i].mistake == m->mistake) return m;
    return NULL;
}

/* Two mistakes that the problem is about must not answer to the same number. */
static void check_about(const struct account_variant *v, const char *const *about, size_t count,
                        struct account_separation *out) {
    for (size_t i = 0; i < count; i++) {
        const struct account_match *a = remaining(v, about[i]);
        bool apart = a != NULL;
        for (size_t j = 0; apart && j < i; j++) {
            const struct account_match *b = told(v, about[j]);
            if (!b || strcmp(about[i], about[j]) == 0) continue;
            double distance = account_distance(b->value, a->value);
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
        closer(out, account_distance(v.told[i].match.value, v.truth), "truth",
               v.told[i].match.mistake->id);
    check_about(&v, about, count, out);
}
