/* map: the ideas of the course, as lines. */
#include "command/internal.h"

#include "linear/linear.h"
#include "session/session.h"

#include <math.h>

static json_t *share(double x) {
    return isnan(x) ? json_null() : json_real(x);
}

static json_t *idea_json(struct learner *who, const struct lesson_ideas *all, size_t i) {
    const struct lesson_idea *idea = &all->idea[i];
    struct learner_idea known = session_learner_idea(who, idea);
    json_t *rests = json_array();
    for (size_t k = 0; k < idea->rest_count; k++)
        json_array_append_new(rests, json_string(all->idea[idea->rests[k]].id));
    return json_pack("{ss ss ss ss ss so so so ss*}", "id", idea->id, "title", idea->title,
                     "lesson", idea->lesson, "step", idea->step, "strength",
                     page_strength_words((enum page_strength)known.strength), "today",
                     share(known.today), "in_30_days", share(known.month), "rests_on", rests,
                     "last_slip", *known.slip ? known.slip : NULL);
}

static bool print_json(struct learner *who, struct base_message *m) {
    struct lesson_ideas all;
    if (!session_learner_map(who, &all, m)) return false;
    json_t *ideas = json_array();
    for (size_t i = 0; i < all.count; i++) json_array_append_new(ideas, idea_json(who, &all, i));
    command_say_json(json_pack("{so}", "ideas", ideas));
    lesson_ideas_free(&all);
    return true;
}

static bool print_page(const struct arguments *a, struct learner *who, struct base_message *m) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    page_set_spoken(p, command_arguments_has(a, "words") || command_terminal_dumb());
    bool drawn = linear_map_draw(who, p, m);
    if (drawn)
        command_terminal_print(p);
    else
        page_free(p);
    return drawn;
}

static int run(const struct arguments *a) {
    static const char *const forms[] = {"words", "json"};
    struct base_message m = {0};
    if (!command_arguments_one_of(a, forms, BASE_COUNT(forms))) return COMMAND_USAGE;
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) return command_say_message(&m);
    bool printed = command_arguments_has(a, "json") ? print_json(who, &m) : print_page(a, who, &m);
    session_learner_close(who);
    return printed ? COMMAND_WELL : command_say_message(&m);
}

static const struct command_option options[] = {
    {"words", NULL, NULL, "says it in sentences"},
    {"json", NULL, NULL, "prints JSON"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"store", "FILE", NULL, "reads the record in this file"},
};
static const char *const examples[] = {
    "zerotutor map",
    "zerotutor map --words",
    "zerotutor picture --keys m -o map.svg",
    NULL,
};

const struct command command_map = {
    .name = "map",
    .rare = true,
    .summary = "lists the ideas of the course, and how well you know each",
    .operands = "",
    .about = "Lists the ideas of the course, what each rests on, and how likely you are to get its "
             "problems right today and in thirty days. An idea's chance is the mean over its "
             "skills, which `zerotutor progress` lists one by one. On the home screen `m` draws "
             "the same as a map, and `zerotutor picture --keys m -o map.svg` saves the drawing.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
