/* progress: what the learner can do, the mistakes made most, and the time spent. */
#include "command/report.h"

#include "session/session.h"

#include <stdlib.h>

static const struct command_option options[] = {
    {"words", NULL, NULL, "says it in sentences"},
    {"json", NULL, NULL, "prints JSON"},
    {"csv", NULL, NULL, "prints the skills as CSV"},
    {"svg", NULL, NULL, "prints a picture of the page"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "reads the record in this file"},
};
static const char *const examples[] = {
    "zerotutor progress",
    "zerotutor progress --words",
    "zerotutor progress --svg > progress.svg",
    NULL,
};

/* ── the forms ─────────────────────────────────────────────────────────────────────────────────*/
static void put_csv(const json_t *study) {
    const json_t *area, *skill;
    size_t i, k;
    printf("area,skill,today,in_30_days,first_tries,right,helped,days_ago\n");
    json_array_foreach(json_object_get(study, "areas"), i, area) {
        json_array_foreach(json_object_get(area, "skills"), k, skill) {
            command_report_csv(base_json_text(area, "area", ""), stdout);
            putchar(',');
            command_report_csv(base_json_text(skill, "skill", ""), stdout);
            printf(",%.3f,%.3f,%lld,%lld,%lld,%lld\n", base_json_number(skill, "today", 0),
                   base_json_number(skill, "in_30_days", 0),
                   (long long)base_json_int(skill, "first_tries", 0),
                   (long long)base_json_int(skill, "right", 0),
                   (long long)base_json_int(skill, "helped", 0),
                   (long long)base_json_int(skill, "days_ago", 0));
        }
    }
}

static void put_svg(const json_t *study, bool ascii) {
    struct page *p = page_new(command_terminal_columns(), ascii);
    page_set_colours(p, 256);
    page_study(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, study);
    char *svg = page_to_svg(p, PAGE_DARK, "Progress");
    fputs(svg, stdout);
    free(svg);
    page_free(p);
}

static void put_page(const struct arguments *a, const json_t *study) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    bool words = command_arguments_has(a, "words") || command_terminal_dumb();
    page_set_spoken(p, words);
    (words ? page_study_words : page_study)(p, flow, study);
    command_terminal_print(p);
}

static void put(const struct arguments *a, json_t *study) {
    if (command_arguments_has(a, "json"))
        command_say_json(json_incref(study));
    else if (command_arguments_has(a, "csv"))
        put_csv(study);
    else if (command_arguments_has(a, "svg"))
        put_svg(study, command_arguments_has(a, "ascii"));
    else
        put_page(a, study);
}

static int run(const struct arguments *a) {
    static const char *const forms[] = {"words", "json", "csv", "svg"};
    struct base_message m = {0};
    if (!command_arguments_one_of(a, forms, BASE_COUNT(forms))) return COMMAND_USAGE;
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) return command_say_message(&m);
    json_t *study = session_learner_study(who);
    put(a, study);
    json_decref(study);
    session_learner_close(who);
    return COMMAND_WELL;
}

const struct command command_progress = {
    .name = "progress",
    .summary = "shows what you can do, your mistakes and your time",
    .operands = "",
    .about =
        "Lists each skill (a stage, a quantity and a unit) with two estimates: how likely your "
        "next first try is right today, and in 30 days without practice. Only your first try at a "
        "problem on a day counts, and newer tries count more, so you can make up for a bad day. "
        "Then come the mistakes that you made most, whether they still happen, and the minutes of "
        "each day.\n\n"
        "The level of a skill is a recency-weighted share of right first tries (Galyardt and "
        "Goldin, 2015), and FSRS-6 estimates how much of it is left. All of it is computed from "
        "your answers.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
