/* What stands next to the verdict: what a reviewer would ask next, what the decision is sensitive
 * to, and three questions drawn from the memo, to be answered without looking. */
#include "memo/inside.h"

#include <string.h>

/* ── sensitivity ───────────────────────────────────────────────────────────────────────────────*/
/* a field of the decision, changed by a factor */
struct turn {
    const char *what, *field;
    double by;
};
static const struct turn turns[] = {
    {"efficiency 10% lower", "efficiency", 0.9},
    {"efficiency 10% higher", "efficiency", 1.1},
    {"twice the sequence", "seq", 2},
    {"half the link", "link", 0.5},
};

static void slow_down(struct account_link *link, const char *usual, double by) {
    const struct account_link *found = usual ? account_link_find(usual) : NULL;
    if (!(link->rate > 0) && found) *link = *found;
    link->rate *= by, link->wire *= by, link->name = NULL;
}

/* Changes a field by a factor, "link" all links. What a number is then. */
static uint32_t scale(struct account_training *t, const char *field, double by) {
    uint32_t *number = strcmp(field, "gpus") == 0    ? &t->gpus
                       : strcmp(field, "batch") == 0 ? &t->batch
                       : strcmp(field, "seq") == 0   ? &t->seq
                                                     : NULL;
    if (number) return *number = (uint32_t)(*number * by);
    if (strcmp(field, "efficiency") == 0) {
        t->efficiency = t->efficiency * by < 1 ? t->efficiency * by : 1;
    } else {
        slow_down(&t->link, t->card ? t->card->link : NULL, by);
        slow_down(&t->net, t->card ? t->card->net : NULL, by);
    }
    return 0;
}

static void turn(const struct turn *by, struct memo_config *c) {
    scale(&c->is.training, by->field, by->by);
    if (strcmp(by->field, "seq") == 0) c->activations *= by->by;
    memo_count(c);
}

static void say_turn(const char *what, const struct memo_config *c, struct base_text *out) {
    char peak[40], step[40];
    double needs = c->value[MEMO_Q_PEAK][0], card = (double)c->is.card_bytes;
    base_text_printf(out, "%s%s: ", out->length ? "\n" : "", what);
    if (card > 0 && needs > card)
        base_text_printf(out, "**does not fit**, it needs %s",
                         memo_print(peak, sizeof peak, needs, ACCOUNT_FIGURE_BYTES));
    else
        base_text_printf(out, "fits, peak %s",
                         memo_print(peak, sizeof peak, needs, ACCOUNT_FIGURE_BYTES));
    if (c->value[MEMO_Q_STEP][0] > 0)
        base_text_printf(
            out, ", a step %s",
            memo_print(step, sizeof step, c->value[MEMO_Q_STEP][0], ACCOUNT_FIGURE_SECONDS));
}

bool memo_sensitivity(const struct memo_report *r, struct base_text *out) {
    if (!r->decided) return false;
    for (size_t i = 0; i < BASE_COUNT(turns); i++) {
        struct memo_config c = r->config[MEMO_THE_DECISION];
        turn(&turns[i], &c);
        if (c.known) say_turn(turns[i].what, &c, out);
    }
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    double rate = d->value[MEMO_Q_THROUGHPUT][0],
           tokens = d->is.tokens ? (double)d->is.tokens : 20 * (double)d->is.training.params;
    char count[32];
    if (rate > 0)
        base_text_printf(
            out, "\n%s tokens%s: %.0f GPU-hours", account_print_count(count, sizeof count, tokens),
            d->is.tokens ? "" : " (20 a parameter)", tokens / rate * d->is.training.gpus / 3600);
    return true;
}

/* ── a reviewer ────────────────────────────────────────────────────────────────────────────────*/
void memo_review(struct memo *m) {
    const struct memo_report *r = m->report;
    if (!r->decided || !r->config[MEMO_THE_DECISION].known) return;
    struct memo_config longer = r->config[MEMO_THE_DECISION];
    turn(&(struct turn){"", "seq", 2}, &longer);
    if (r->fits != ACCOUNT_TOO_LARGE && longer.known &&
        longer.value[MEMO_Q_PEAK][0] > (double)longer.is.card_bytes)
        memo_write_finding(
            memo_tell(m, MEMO_NOTE, MEMO_RISKS),
            "What if the data has sequences of %u tokens? The decision does not fit then",
            longer.is.training.seq);
    if (r->fits == ACCOUNT_TIGHT)
        memo_write_finding(memo_tell(m, MEMO_NOTE, MEMO_MEMORY),
                           "Less than a tenth of the card is left: what does the allocator lose to "
                           "fragmentation?");
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    if (d->value[MEMO_Q_EXPOSED][0] > 0.2 * d->value[MEMO_Q_STEP][0] &&
        d->value[MEMO_Q_STEP][0] > 0)
        memo_write_finding(
            memo_tell(m, MEMO_NOTE, MEMO_TIME),
            "More than a fifth of the step waits for communication: what would hide it?");
    if (strcmp(account_recipe_name(&d->is.training), "paper") == 0)
        memo_write_finding(
            memo_tell(m, MEMO_NOTE, MEMO_MEMORY),
            "No framework keeps exactly what the paper counts: which copies does yours keep?");
}

/* ── without looking ───────────────────────────────────────────────────────────────────────────*/
static const struct drawn {
    enum memo_quantity quantity;
    const char *field, *ask;
    double by;
} drawn[] = {
    {MEMO_Q_PEAK, "seq", "With sequences of %u tokens, what is the peak memory of one GPU", 2},
    {MEMO_Q_COMM, "link",
     "With links half as fast, how long does the communication of a step take, hidden or not", 0.5},
    {MEMO_Q_STATES, "gpus", "On %u GPUs instead, how large are the model states of one GPU", 2},
    {MEMO_Q_ACTIVATIONS, "batch",
     "With a micro-batch of %u, how large are the activations of one GPU", 2},
    {MEMO_Q_SENT, "gpus", "On %u GPUs instead, what does one rank send in a step", 2},
};

/* What the engine can count of the changed decision; activations of the memo's own have no
 * arithmetic. */
static void draw(struct memo_report *r, const struct drawn *q) {
    struct memo_question *out = &r->question[r->questions];
    struct memo_config c = r->config[MEMO_THE_DECISION];
    struct account_solution s;
    char ask[160];
    uint32_t n = scale(&c.is.training, q->field, q->by);
    if (q->quantity != MEMO_Q_PEAK && q->quantity != MEMO_Q_ACTIVATIONS) c.activations = 0;
    if (!account_has_stage(&c.is.training, c.is.training.stage) ||
        !memo_problem(q->quantity, &c, &out->problem) || !account_solve(&out->problem, &s, NULL) ||
        !(s.value > 0))
        return;
    snprintf(ask, sizeof ask, q->ask, n);
    snprintf(out->ask, sizeof out->ask, "%s, in %s?", ask, account_unit_name(s.unit));
    r->questions++;
}

/* Which come first follows from the text, so that another memo is asked other things. */
void memo_draw_questions(struct memo *m) {
    size_t first = base_hash(0, m->text) % BASE_COUNT(drawn);
    for (size_t i = 0; i < BASE_COUNT(drawn) && m->report->questions < MEMO_QUESTIONS; i++)
        draw(m->report, &drawn[(first + i) % BASE_COUNT(drawn)]);
}
