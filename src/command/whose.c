/* whose: which recipe, stage, unit or mistake produces a given number. */
#include "command/asked.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OWNERS_MOST = 48, DIGITS = 6, GAP = 2 };

struct whose {
    struct account_training training;
    const char *number;
    size_t count;
    struct account_owner owner[OWNERS_MOST];
};

static bool whose_read(const struct arguments *a, struct whose *w) {
    struct asked asked;
    struct account_error e = {0};
    if (!command_asked_form(a) || !command_asked_read(a, &asked)) return false;
    *w = (struct whose){.training = asked.training, .number = a->operand[0]};
    w->count = account_whose(&w->training, w->number, w->owner, OWNERS_MOST, &e);
    if (w->count > OWNERS_MOST) w->count = OWNERS_MOST;
    if (e.column) /* of what was typed */
        command_say_error("'%s' cannot be read: %s", w->number, e.what);
    else if (*e.what)
        command_asked_error(&e);
    return !*e.what;
}

/* ── for programs ──────────────────────────────────────────────────────────────────────────────*/
static json_t *owner_json(const struct account_owner *o) {
    return json_pack("{ss si ss ss? ss sf ss}", "recipe", o->recipe, "stage", (int)o->stage, "unit",
                     account_unit_name(o->unit), "mistake", o->mistake ? o->mistake->id : NULL,
                     "quantity", o->quantity, "value", o->value, "working", o->working);
}

static json_t *whose_json(const struct whose *w) {
    json_t *matches = json_array();
    for (size_t i = 0; i < w->count; i++) json_array_append_new(matches, owner_json(&w->owner[i]));
    return json_pack("{ss so so}", "number", w->number, "training",
                     command_report_json(&w->training), "matches", matches);
}

static void whose_csv(const struct whose *w, FILE *out) {
    fputs("recipe,stage,unit,mistake,quantity,value,working\n", out);
    for (size_t i = 0; i < w->count; i++) {
        const struct account_owner *o = &w->owner[i];
        fprintf(out, "%s,%u,%s,%s,%s,%.15g,", o->recipe, o->stage, account_unit_name(o->unit),
                o->mistake ? o->mistake->id : "", o->quantity, o->value);
        command_report_csv(o->working, out);
        fputc('\n', out);
    }
}

/* ── for people ────────────────────────────────────────────────────────────────────────────────*/
/* Recipes that come to the number in the same way are one answer. */
static bool is_same(const struct account_owner *a, const struct account_owner *b) {
    return a->stage == b->stage && a->unit == b->unit && a->mistake == b->mistake &&
           a->quantity == b->quantity && strcmp(a->working, b->working) == 0;
}

static bool is_told(const struct whose *w, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (is_same(&w->owner[k], &w->owner[i])) return true;
    return false;
}

/* "stage 2 of paper, deepspeed" */
static char *owners(const struct whose *w, size_t first) {
    struct base_text t = {0};
    base_text_printf(&t, "stage %u of ", w->owner[first].stage);
    for (size_t i = first; i < w->count; i++)
        if (is_same(&w->owner[i], &w->owner[first]))
            base_text_printf(&t, "%s%s", i > first ? ", " : "", w->owner[i].recipe);
    return base_text_take(&t);
}

/* "model_state" as people write it. */
static char *spaced(const char *name) {
    char *text = base_dup(name);
    for (char *c = text; *c; c++)
        if (*c == '_') *c = ' ';
    return text;
}

/* "stage 2 of deepspeed, estimator peak 17.11 GB: right." */
static void say_head(const char *who, const char *what, const char *verdict, struct page *p) {
    char *text = base_format("%s, %s: %s.", who, what, verdict);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_STRONG}, text);
    free(text);
}

/* Who it is, what of theirs, and whether it is right: next to each other if they fit. */
static void draw_head(const struct account_owner *o, const char *who, const char *what,
                      const char *verdict, struct page *p) {
    int width = page_measure(p, who) + page_measure(p, what) + page_measure(p, verdict);
    bool fits = width + 2 * GAP + 2 <= page_width(p);
    int row = page_height(p);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_STRONG}, who);
    int column = fits ? 1 + page_measure(p, who) + GAP : 1 + GAP;
    if (!fits) row = page_height(p);
    column = page_put(p, row, column, PAGE_PLAIN, 0, what);
    page_put(p, row, column + GAP, o->mistake ? PAGE_WARN : PAGE_GOOD, 0, verdict);
}

static void put_head(const struct account_owner *o, const char *who, struct page *p) {
    char value[REPORT_UNIT_MOST], *quantity = spaced(o->quantity);
    account_print(value, sizeof value, o->value, o->unit, DIGITS);
    char *what = base_format("%s %s", quantity, value);
    const char *verdict = o->mistake ? "a mistake" : "right";
    if (page_spoken(p))
        say_head(who, what, verdict, p);
    else
        draw_head(o, who, what, verdict, p);
    free(what);
    free(quantity);
}

static void put_owner(const struct whose *w, size_t i, struct page *p) {
    const struct account_owner *o = &w->owner[i];
    char *who = owners(w, i);
    put_head(o, who, p);
    /* Code stays as it is typed, but a listener's arithmetic is a sentence. */
    page_text(p, (struct page_flow){.indent = 3, .role = page_spoken(p) ? PAGE_PLAIN : PAGE_CODE},
              o->working);
    if (o->mistake) {
        char *text = base_format("%s. %s", o->mistake->name, o->mistake->explain);
        text[0] = (char)toupper((unsigned char)text[0]);
        page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM}, text);
        free(text);
    }
    page_blank(p, 1);
    free(who);
}

static void put_nobody(const struct whose *w, struct page *p) {
    char *text = base_format(
        "No match: no recipe, stage, unit or mistake in the tables gives %s for this training.",
        w->number);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_BAD}, text);
    page_text(p, (struct page_flow){.indent = 1},
              "Check that the parameters, GPUs, precision and optimizer belong to the number. With "
              "--batch, --seq and --gpu it can explain more.");
    free(text);
}

static void whose_page(const struct whose *w, struct page *p) {
    char *about = base_format("whose is %s?", w->number);
    command_report_heading(&w->training, about, p);
    for (size_t i = 0; i < w->count; i++)
        if (!is_told(w, i)) put_owner(w, i, p);
    if (!w->count) put_nobody(w, p);
    command_report_note(p, "A match is within half of the last digit typed. 1 GB is 1e9 bytes.");
    free(about);
}

static int run(const struct arguments *a) {
    struct whose w;
    if (!whose_read(a, &w)) return COMMAND_USAGE;
    int status = w.count ? COMMAND_WELL : COMMAND_FAILED;
    if (command_arguments_has(a, "json")) return command_say_json(whose_json(&w)), status;
    if (command_arguments_has(a, "csv")) return whose_csv(&w, stdout), status;
    struct page *p = command_asked_page(a);
    whose_page(&w, p);
    if (command_arguments_has(a, "explain")) command_report_sources(&w.training, p);
    command_terminal_print(p);
    return status;
}

static const char *const examples[] = {
    "zerotutor whose 17.1GB --params 7.5e9 --gpus 64",
    "zerotutor whose 111.8GiB --params 7.5e9 --gpus 64 --json",
    NULL,
};

const struct command command_whose = {
    .name = "whose",
    .summary = "which recipe, stage, unit or mistake produces a number",
    .operands = "NUMBER",
    .least = 1,
    .most = 1,
    .about = "Textbooks and implementations count differently, and people make mistakes. Given a "
             "number, this finds every recipe, stage, unit, quantity and known mistake that gives "
             "it for this training, rounded as you wrote it. The plainest comes first. It ignores "
             "`--stage` and `--recipe`, because they are the question.\n\nThe exit status is 1 if "
             "nothing gives the number.",
    .examples = examples,
    .training = true,
    .run = run,
};
