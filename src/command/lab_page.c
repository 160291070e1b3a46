/* What is printed of a lab: what it is about, its runs as they go and as they end, and what was to be seen. Nothing is drawn again, so that
 * it reads the same in a pipe, in a log and aloud. */
#include "command/lab.h"
#include "command/asked.h"

#include <string.h>

static struct paper *new_page(const struct lab_runs *r) {
    return paper_new(terminal_columns(), terminal_ascii(r->arguments));
}

static void print_page(struct paper *p) {
    terminal_print(p);
    fflush(stdout);
}

void lab_tell_about(const struct lab_runs *r) {
    struct paper *p = new_page(r);
    struct paper_flow f = {.indent = 1};
    paper_put(p, 0, 1, PAPER_TITLE, 0, r->lab->title);
    paper_blank(p, 1);
    paper_markdown(p, f, r->lab->about);
    paper_blank(p, 1);
    paper_markdown(p, f, r->lab->ask);
    for (int i = 0; i < TRIAL_OPTIONS && r->lab->option[i]; i++)
        paper_printf(p, paper_height(p), 3, PAPER_PLAIN, "%d  %s", i + 1, r->lab->option[i]);
    paper_blank(p, 1);
    print_page(p);
}

/* "a small GPT of 834.3K parameters, fp32, 4 ranks, on linux-box (2 cores)". */
static void put_machine(struct paper *p, const struct trial_state *s) {
    char count[24];
    const json_t *model = json_object_get(s->start, "model");
    const char *hardware = base_json_text(s->start, "hardware", "");
    account_print_count(count, sizeof count, base_json_number(model, "params", 0));
    asked_note(p, "%s%s parameters, %s, %u %s, on %s%s%s%s", s->recorded ? "A recording: " : "",
               count, base_json_text(s->start, "precision", "fp32"), s->ranks,
               s->ranks == 1 ? "rank" : "ranks", base_json_text(s->start, "host", "?"),
               *hardware ? " (" : "", hardware, *hardware ? ")" : "");
}

void lab_tell_start(const struct lab_runs *r, const struct trial *t) {
    struct paper *p = new_page(r);
    size_t number = r->runs;
    if (r->lab) paper_put(p, 0, 1, PAPER_STRONG, 0, r->label[number - 1]);
    paper_text(p, (struct paper_flow){.indent = 1, .role = PAPER_CODE}, trial_command(t));
    put_machine(p, trial_state(t));
    print_page(p);
}

/* 1 to 9, then every tenth, then every hundredth … */
static bool is_told(uint32_t step) {
    uint32_t power = 1;
    while (step / power >= 10) power *= 10;
    return step % power == 0;
}

void lab_tell_step(const struct trial_step *s) {
    if (!is_told(s->step)) return;
    printf("   step %-5u loss %#-12.9g %8.1f ms\n", s->step, s->loss, s->ms);
    fflush(stdout);
}

static void put_figure(struct paper *p, const struct lab_runs *r, enum trial_panel panel,
                       const struct trial *t) {
    struct base_message m = {0};
    json_t *spec = trial_figure(panel, t, NULL);
    for (size_t i = 0; panel == TRIAL_MEMORY && i < r->runs; i++)
        trial_figure_reach(spec, r->run[i]);
    int width = paper_width(p) - 2;
    paper_blank(p, 1);
    if (!paper_figure(p, (struct paper_flow){.indent = 1, .width = width < 1 ? 1 : width}, spec,
                      &m))
        asked_note(p, "%s", m.what);
    json_decref(spec);
}

static void put_states(struct paper *p, const struct trial *t) {
    char *states = trial_say_states(t);
    if (states) asked_note(p, "%s", states);
    free(states);
}

void lab_tell_end(const struct lab_runs *r, const struct trial *t) {
    const struct trial_state *s = trial_state(t);
    if (!s->started) return;
    struct paper *p = new_page(r);
    put_figure(p, r, TRIAL_MEMORY, t);
    if (s->ranks > 1) put_figure(p, r, TRIAL_TRAFFIC, t);
    if (s->steps && s->ranks > 1) put_figure(p, r, TRIAL_TIMELINE, t);
    put_figure(p, r, TRIAL_LOSS, t);
    put_states(p, t);
    if (s->broken == 1) asked_note(p, "1 line was no event and was passed over.");
    if (s->broken > 1) asked_note(p, "%zu lines were no events and were passed over.", s->broken);
    paper_blank(p, 1);
    print_page(p);
}

void lab_tell_guess(const struct lab_runs *r) {
    struct paper *p = new_page(r);
    const struct trial_lab *lab = r->lab;
    if (r->guess >= 0) {
        bool right = r->guess == lab->right;
        paper_put(p, 0, 1, right ? PAPER_GOOD : PAPER_BAD, 0,
                  right ? "As you predicted." : "Not as you predicted.");
    }
    paper_markdown(p, (struct paper_flow){.indent = 1}, lab->reveal);
    print_page(p);
}
