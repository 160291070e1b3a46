/* What stands beside the verdict: what a reviewer would ask next, what the decision is sensitive
 * to, and three questions drawn from the memo, to be answered without looking. */
#include "memo/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── sensitivity ───────────────────────────────────────────────────────────────────────────────*/
struct turn {
    const char *what;
    double efficiency;
    uint32_t seq;
    bool half_link;
};
static const struct turn turns[] = {
    {"efficiency 10% lower",  0.9, 1, false},
    {"efficiency 10% higher", 1.1, 1, false},
    {"twice the sequence",    1,   2, false},
    {"half the link",         1,   1, true },
};

static void halve(struct account_link *link, const char *usual) {
    const struct account_link *found = usual ? account_link_find(usual) : NULL;
    if (!(link->rate > 0) && found) *link = *found;
    link->rate /= 2, link->wire /= 2, link->name = NULL;
}

static void halve_links(struct account_training *t) {
    halve(&t->link, t->card ? t->card->link : NULL);
    halve(&t->net, t->card ? t->card->net : NULL);
}

static void turn(const struct turn *by, struct memo_config *c) {
    struct account_training *t = &c->is.training;
    t->efficiency = t->efficiency * by->efficiency < 1 ? t->efficiency * by->efficiency : 1;
    t->seq *= by->seq;
    if (by->seq > 1 && c->activations > 0) c->activations *= by->seq;
    if (by->half_link) halve_links(t);
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
        base_text_printf(out, "stands, peak %s",
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
static void ask(struct memo *m, enum memo_section s, const char *what) {
    memo_write_finding(memo_tell(m, MEMO_NOTE, s), "%s", what);
}

void memo_review(struct memo *m) {
    const struct memo_report *r = m->report;
    if (!r->decided || !r->config[MEMO_THE_DECISION].known) return;
    for (size_t i = 0; i < BASE_COUNT(turns); i++) {
        struct memo_config c = r->config[MEMO_THE_DECISION];
        char text[160];
        if (turns[i].seq < 2 || r->fits == ACCOUNT_TOO_LARGE) continue;
        turn(&turns[i], &c);
        if (!c.known || c.value[MEMO_Q_PEAK][0] <= (double)c.is.card_bytes) continue;
        snprintf(text, sizeof text,
                 "What if the data has sequences of %u tokens? The decision does not fit then",
                 c.is.training.seq);
        ask(m, MEMO_RISKS, text);
    }
    if (r->fits == ACCOUNT_TIGHT)
        ask(m, MEMO_MEMORY,
            "Less than a tenth of the card is left: what does the allocator lose to "
            "fragmentation?");
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    if (d->value[MEMO_Q_EXPOSED][0] > 0.2 * d->value[MEMO_Q_STEP][0] &&
        d->value[MEMO_Q_STEP][0] > 0)
        ask(m, MEMO_TIME,
            "More than a fifth of the step waits for communication: what would hide it?");
    if (strcmp(d->is.recipe, "paper") == 0)
        ask(m, MEMO_MEMORY,
            "No framework keeps exactly what the paper counts: which copies does yours keep?");
}

/* ── without looking ───────────────────────────────────────────────────────────────────────────*/
/* clang-format off */
static const struct drawn {
    enum memo_quantity quantity;
    const char *field, *ask;
} drawn[] = {
    {MEMO_Q_PEAK,        "seq",   "With sequences of %u tokens, what is the peak memory of one GPU"},
    {MEMO_Q_COMM,        "link",  "With links half as fast, how long does the communication of a step take, hidden or not"},
    {MEMO_Q_STATES,      "gpus",  "On %u GPUs instead, how large are the model states of one GPU"},
    {MEMO_Q_ACTIVATIONS, "batch", "With a micro-batch of %u, how large are the activations of one GPU"},
    {MEMO_Q_SENT,        "gpus",  "On %u GPUs instead, what does one rank send in a step"},
};
/* clang-format on */

/* Doubles a number of a training, or halves its links; what the number is then. */
static uint32_t change(struct account_training *t, const char *field) {
    if (strcmp(field, "gpus") == 0) return t->gpus *= 2;
    if (strcmp(field, "batch") == 0) return t->batch *= 2;
    if (strcmp(field, "seq") == 0) return t->seq *= 2;
    halve_links(t);
    return 0;
}

/* What the engine can count of the changed decision; activations of the memo's own have no
 * arithmetic. */
static void draw(struct memo_report *r, const struct drawn *q) {
    struct memo_question *out = &r->question[r->questions];
    struct memo_config c = r->config[MEMO_THE_DECISION];
    struct account_solution s;
    char ask[160];
    uint32_t n = change(&c.is.training, q->field);
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
