/* What stands beside the verdict: what a reviewer would ask next, what the decision is sensitive to, and three questions drawn from the
 * memo, to be answered without looking. */
#include "memo/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── sensitivity ─────────────────────────────────────────────────────────────────────────────────*/
struct turn {
    const char *what;
    double efficiency, link;
    uint32_t seq;
};
static const struct turn turns[] = {
    {"efficiency 10% lower",  0.9, 1,   1},
    {"efficiency 10% higher", 1.1, 1,   1},
    {"twice the sequence",    1,   1,   2},
    {"half the link",         1,   0.5, 1},
};

static struct account_link own_link(const struct account_link *said, const char *name) {
    const struct account_link *usual = name ? account_link_find(name) : NULL;
    return said->rate > 0 || !usual ? *said : *usual;
}

static void scale_link(struct account_link *link, double by) {
    link->rate *= by;
    link->wire *= by;
    link->name = NULL;
}

static void turn(const struct turn *by, struct memo_config *c) {
    struct account_training *t = &c->is.training;
    t->efficiency = t->efficiency * by->efficiency < 1 ? t->efficiency * by->efficiency : 1;
    t->seq *= by->seq;
    if (by->seq > 1 && c->activations > 0) c->activations *= by->seq;
    if (by->link < 1 && t->card) {
        t->link = own_link(&t->link, t->card->link);
        t->net = own_link(&t->net, t->card->net);
        scale_link(&t->link, by->link);
        scale_link(&t->net, by->link);
    }
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

/* ── a reviewer ──────────────────────────────────────────────────────────────────────────────────*/
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
        ask(m, MEMO_MEMORY, "The paper's recipe is no framework's: which copies does yours keep?");
}

/* ── without looking ─────────────────────────────────────────────────────────────────────────────*/
static bool draw(struct memo_report *r, enum memo_quantity q, size_t config, const char *what) {
    struct memo_question *out = &r->question[r->questions];
    const struct memo_config *c = &r->config[config];
    if (r->questions == MEMO_QUESTIONS || !c->known || !(c->value[q][0] > 0) ||
        !memo_problem(q, c, &out->problem))
        return false;
    snprintf(out->ask, sizeof out->ask, what, c->name, account_unit_name(out->problem.unit));
    r->questions++;
    return true;
}

void memo_draw_questions(struct memo_report *r) {
    const struct memo_config *d = &r->config[MEMO_THE_DECISION];
    size_t other = d->is.training.stage == 1 ? 2u : 1u, alternative = MEMO_STAGE_0 + other;
    for (size_t i = MEMO_FIRST_ALTERNATIVE; i < r->configs && alternative < MEMO_FIRST_ALTERNATIVE;
         i++)
        if (r->config[i].line && r->config[i].known) alternative = i;
    draw(r, MEMO_Q_STATES, alternative, "How many model states would a GPU keep under %s, in %s?");
    draw(r, MEMO_Q_GRADS, MEMO_THE_DECISION,
         "How much of the peak of your %s is gradients, in %s on one GPU?");
    draw(r, MEMO_Q_SENT, alternative, "What would a rank send in a step under %s, in %s?");
    draw(r, MEMO_Q_OPTIMIZER, MEMO_THE_DECISION,
         "How much of your %s is optimizer states, in %s on one GPU?");
}
