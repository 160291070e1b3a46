/* What is printed of a lab: what it is about, its runs as they go and as they end, and what was to
 * be seen. Nothing is drawn again, so that it reads the same in a pipe, in a log and aloud. */
#include "command/lab.h"
#include "command/asked.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_lab_in_words(const struct arguments *a) {
    if (command_arguments_has(a, "words")) return true;
    struct base_message m = {0};
    char *path = session_record_path();
    struct store *s = access(path, F_OK) == 0 ? session_record_open(&m) : NULL;
    char *kept = s ? store_setting(s, "drawings") : NULL;
    bool off = kept && strcmp(kept, "off") == 0;
    free(kept);
    free(path);
    store_close(s);
    return off;
}

struct page *command_lab_page(const struct lab_runs *r) {
    struct page *p = command_terminal_page(command_terminal_ascii(r->arguments));
    page_set_spoken(p, r->words);
    return p;
}

static void print_page(struct page *p) {
    command_terminal_print(p);
    fflush(stdout);
}

void command_lab_tell_about(const struct lab_runs *r) {
    struct page *p = command_lab_page(r);
    page_put(p, 0, 1, PAGE_TITLE, 0, r->lab->title);
    page_blank(p, 1);
    page_markdown(p, (struct page_flow){.indent = 1}, r->lab->about);
    page_blank(p, 1);
    print_page(p);
}

/* "a small GPT of 834.3K parameters, fp32, 4 ranks, on linux-box (2 cores)". */
static void put_machine(struct page *p, const struct experiment_state *s) {
    char work[EXPERIMENT_WORK];
    const struct experiment_setup *setup = &s->setup;
    const char *hardware = setup->hardware;
    command_report_note(p, "%s%s, %s, %u %s, on %s%s%s%s", s->recorded ? "A recording: " : "",
                        experiment_say_work(s, "parameters", work),
                        *setup->precision ? setup->precision : "fp32", s->ranks,
                        s->ranks == 1 ? "rank" : "ranks", *setup->host ? setup->host : "?",
                        *hardware ? " (" : "", hardware, *hardware ? ")" : "");
}

void command_lab_tell_start(const struct lab_runs *r, const struct experiment *t) {
    struct page *p = command_lab_page(r);
    size_t number = r->runs;
    if (r->lab) page_put(p, 0, 1, PAGE_STRONG, 0, r->label[number - 1]);
    page_text(p, (struct page_flow){.indent = 1, .role = PAGE_CODE}, experiment_command(t));
    put_machine(p, experiment_state(t));
    print_page(p);
}

/* 1 to 9, then every tenth, then every hundredth … */
static bool is_told(uint32_t step) {
    uint32_t power = 1;
    while (step / power >= 10) power *= 10;
    return step % power == 0;
}

void command_lab_tell_step(const struct lab_runs *r, const struct experiment_step *s) {
    if (!is_told(s->step)) return;
    printf(r->words ? " Step %u: loss %#.9g, %.1f milliseconds.\n"
                    : "   step %-5u loss %#-12.9g %8.1f ms\n",
           s->step, s->loss, s->ms);
    fflush(stdout);
}

/* Whether the timeline of a run before the last has said that ranks share cores. */
static bool said_cores(const struct lab_runs *r) {
    for (size_t i = 0; i + 1 < r->runs; i++) {
        const struct experiment_state *s = experiment_state(r->run[i]);
        if (s->setup.shares_cores && s->steps && s->ranks > 1) return true;
    }
    return false;
}

static void put_figure(struct page *p, const struct lab_runs *r, enum experiment_panel panel,
                       const struct experiment *t) {
    struct page_lab figure = {.run = {experiment_state(t)}, .no_cores = said_cores(r)};
    int width = page_width(p) - 2;
    if (!experiment_panel_tells(figure.run[0], panel)) return;
    for (size_t i = 0; i < r->runs; i++) experiment_extend(&figure.reach, r->run[i]);
    page_blank(p, 1);
    page_lab(p, (struct page_flow){.indent = 1, .width = width < 1 ? 1 : width}, panel, &figure);
}

static void put_states(struct page *p, const struct experiment *t) {
    char *states = experiment_say_states(t);
    if (states) command_report_note(p, "%s", states);
    free(states);
}

void command_lab_tell_end(const struct lab_runs *r, const struct experiment *t) {
    const struct experiment_state *s = experiment_state(t);
    if (!s->started) return;
    struct page *p = command_lab_page(r);
    bool several = s->ranks > 1;
    put_figure(p, r, EXPERIMENT_MEMORY, t);
    if (experiment_panel_tells(s, EXPERIMENT_MEMORY))
        page_lab_curve_words(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, s);
    if (several) put_figure(p, r, EXPERIMENT_TRAFFIC, t);
    if (s->steps && several) put_figure(p, r, EXPERIMENT_TIMELINE, t);
    put_figure(p, r, EXPERIMENT_LOSS, t);
    put_figure(p, r, EXPERIMENT_COLLECTIVES, t);
    put_states(p, t);
    if (s->setup.planted)
        command_report_note(p, "This run is wrong on purpose: a fault was planted in it.");
    if (s->broken == 1) command_report_note(p, "1 line was not an event and was skipped.");
    if (s->broken > 1)
        command_report_note(p, "%zu lines were not events and were skipped.", s->broken);
    page_blank(p, 1);
    print_page(p);
}

void command_lab_tell_reveal(const struct lab_runs *r) {
    struct page *p = command_lab_page(r);
    page_markdown(p, (struct page_flow){.indent = 1}, r->lab->reveal);
    print_page(p);
}
