/* Where a guess comes from: a mistake, another number of the same training, or the two known
 * numbers that it lies between. */
#include "account/numbers/dimension.h"
#include "account/numbers/text.h"
#include "account/problems/diagnose.h"

#include <math.h>
#include <string.h>

/* ── another number of the training, or of another recipe ──────────────────────────────────────*/

/* The bytes of the categories that a quantity names ("optimizer"), as the owner's recipe and stage
 * keep them. */
static bool quantity_ledger(struct account_problem *p, const char *quantity,
                            struct account_ledger *out) {
    struct account_variant v;
    p->kind = ACCOUNT_ASK_BYTES;
    p->piece = ACCOUNT_PIECE_ALL;
    return account_problem_set(p, "quantity", quantity, NULL) && account_variant(p, &v) &&
           account_mistaken_ledger(NULL, p, &v.grounds, out);
}

/* The bytes of the highest moment of a phase ("init"). */
static bool phase_ledger(const struct account_training *t, const char *phase,
                         struct account_ledger *out) {
    struct account_memory m;
    if (!account_memory(t, &m, NULL)) return false;
    for (unsigned i = 0; i < ACCOUNT_PHASES; i++) {
        if (strcmp(account_phase_name((enum account_phase)i), phase) != 0) continue;
        *out = m.phase[i].ledger;
        return true;
    }
    return false;
}

static void owner_ledger(const struct account_problem *p, const struct account_owner *o,
                         struct account_ledger *out) {
    struct account_problem own = *p;
    bool known = account_set(&own.training, "recipe", o->recipe, NULL);
    own.training.stage = o->stage;
    known = known && (phase_ledger(&own.training, o->quantity, out) ||
                      quantity_ledger(&own, o->quantity, out));
    if (!known || (double)out->total != o->value) *out = (struct account_ledger){0};
}

enum { OWNERS = 48 };

/* A number of the same stage, in the unit that the problem asks for, to which the guess would be a
 * right answer. A guess of few digits matches too many others. The mistakes of another recipe do
 * not explain it either. */
static bool is_near(const struct account_variant *v, const struct account_owner *o, double guess) {
    return !o->mistake && o->stage == v->problem->training.stage && o->unit == v->unit &&
           (account_is_right(guess, o->value, v->unit, v->tolerance) ||
            account_is_rounded(guess, o->value, account_unit_scale(v->unit), 2));
}

/* The plainest one. */
static bool find_owner(const struct account_variant *v, struct account_guess *g) {
    const struct account_problem *p = v->problem;
    struct account_owner all[OWNERS];
    char text[64];
    account_print(text, sizeof text, g->judged.value, account_problem_unit(p), 4);
    size_t count = account_whose(&p->training, text, all, OWNERS, NULL);
    for (size_t i = 0; i < count && i < OWNERS; i++) {
        if (!is_near(v, &all[i], g->judged.value)) continue;
        g->owner = all[i];
        if (g->piled) owner_ledger(p, &all[i], &g->yours);
        return true;
    }
    return false;
}

/* ── between two known numbers ─────────────────────────────────────────────────────────────────*/

/* Mistakes rarer than this are no numbers that one would know. */
enum { LANDMARK = 2 };

/* Whether it is more than a unit that is off, and common enough. */
static bool is_landmark(const struct account_variant *v, size_t i) {
    const struct account_mistake_row *row = &account_mistake_rows[v->told[i].row];
    return row->subject != ACCOUNT_ABOUT_UNITS && row->rarity <= LANDMARK;
}

/* Takes a number as the neighbour on its side of the guess if it lies nearer than the one there. */
static struct account_known *nearer(struct account_guess *g, double value) {
    bool above = value > g->judged.value;
    struct account_known *k = above ? &g->above : &g->below;
    if (k->value > 0 && (above ? value >= k->value : value <= k->value)) return NULL;
    *k = (struct account_known){.value = value};
    return k;
}

static void find_neighbours(const struct account_variant *v, struct account_guess *g) {
    struct account_known *k = nearer(g, v->truth);
    if (k) k->ledger = g->truth;
    for (size_t i = 0; i < v->count; i++) {
        if (!is_landmark(v, i) || !(k = nearer(g, v->told[i].value))) continue;
        account_mistaken(v->told[i].row, v->problem, &v->grounds, &k->match);
        account_mistaken_ledger(&k->match, v->problem, &v->grounds, &k->ledger);
    }
}

/* ── a prefix that is one off ──────────────────────────────────────────────────────────────────*/

/* A guess is rough, so it may differ from the truth by more than a prefix. */
static const double NEAR = 0.1;

static double meant(const struct account_variant *v, double guess) {
    bool prefixed = v->unit != ACCOUNT_UNIT_GPUS && v->unit != ACCOUNT_UNIT_NONE &&
                    v->unit != ACCOUNT_UNIT_B_PER_PARAM;
    double times = guess < v->truth ? 1000 : 0.001;
    return prefixed && account_distance(guess * times, v->truth) <= NEAR ? guess * times : 0;
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/

static void explain(const struct account_variant *v, struct account_guess *g) {
    const struct account_diagnosis *d = &g->judged.diagnosis;
    if (d->count > 0) {
        g->is = ACCOUNT_GUESS_MISTAKE;
        if (g->piled && d->count == 1)
            account_mistaken_ledger(&d->match[0], v->problem, &v->grounds, &g->yours);
    } else if (find_owner(v, g)) {
        g->is = ACCOUNT_GUESS_OTHER;
    } else {
        g->is = ACCOUNT_GUESS_BETWEEN;
        g->meant = meant(v, g->judged.value);
        find_neighbours(v, g);
    }
}

void account_guess(const struct account_problem *p, const char *text, struct account_guess *out) {
    struct account_variant v;
    *out = (struct account_guess){0};
    if (!account_variant(p, &v)) return;
    out->piled = account_mistaken_ledger(NULL, p, &v.grounds, &out->truth);
    if (!*account_skip(text)) return;
    account_judge(p, text, &out->judged);
    if (out->judged.verdict == ACCOUNT_UNREADABLE) return;
    out->is = ACCOUNT_GUESS_RIGHT;
    bool right = out->judged.verdict == ACCOUNT_RIGHT || out->judged.verdict == ACCOUNT_ROUNDED;
    if (!right) explain(&v, out);
}
