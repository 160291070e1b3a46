#include "account/check.h"
#include "account/training/resolved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct account_problem problem_of(const char *pairs) {
    struct account_problem p = account_problem_default();
    char text[512];
    assert_true(strlen(pairs) < sizeof text);
    strcpy(text, pairs);
    for (char *pair = strtok(text, " "); pair; pair = strtok(NULL, " ")) {
        char *value = strchr(pair, '=');
        struct account_error e = {0};
        assert_non_null(value);
        *value++ = '\0';
        if (!account_problem_set(&p, pair, value, &e)) fail_msg("%s=%s: %s", pair, value, e.what);
    }
    return p;
}

struct account_training training_of(const char *pairs) {
    return problem_of(pairs).training;
}

void assert_same(double got, double wanted, const char *what) {
    if (fabs(got - wanted) > 1e-12 * fabs(wanted))
        fail_msg("%s: got %.17g, wanted %.17g", what, got, wanted);
}

const char *mistakes_of(const struct account_diagnosis *d) {
    static char text[256];
    text[0] = '\0';
    for (size_t i = 0; i < d->count; i++) {
        if (i > 0) strcat(text, " ");
        strcat(text, d->match[i].mistake->id);
        if (d->match[i].also) strcat(strcat(text, "+"), d->match[i].also->id);
    }
    return text;
}

uint64_t chance(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Ranks of the same pipeline stage hold the same number of bytes, so a stage's sum is one rank's
 * times their number. */
bool cluster_bytes(const struct account_training *t, uint32_t categories, account_sum *out,
                   struct account_error *e) {
    struct account_resolved is;
    *out = 0;
    if (!account_resolve(t, &is, e)) return false;
    for (uint32_t i = 0; i < is.pp; i++) {
        struct account_sheet s;
        account_sheet_all(&is, i, &s);
        account_sheet_resident(&s, &s);
        *out += (account_sum)account_sheet_bytes(&s, categories) * (is.mesh.world / is.pp);
    }
    return true;
}

uint32_t play_value(const struct account_playing *at, const char *option) {
    for (size_t i = 0; i < at->play->options; i++)
        if (strcmp(at->play->option[i].name, option) == 0)
            return at->play->option[i].value[at->at[i]];
    fail_msg("%s has no option %s", at->play->name, option);
    return 0;
}
