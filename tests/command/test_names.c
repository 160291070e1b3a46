/* Names of the catalogues and of rows, wherever a shell or a reader looks for what may follow an
 * option. */
#include "session/school.h"

#include "account/account.h"
#include "command/run.h"

static const char *const made[] = {"completion bash", "completion zsh", "completion fish",
                                   "help --json"};

static void is_everywhere(const char *name) {
    for (size_t i = 0; i < BASE_COUNT(made); i++) {
        struct run r = run_line(made[i], NULL);
        if (!strstr(r.out, name)) fail_msg("%s lacks %s", made[i], name);
        run_free(&r);
    }
}

static void values_are_offered(void **state) {
    static const char *const names[] = {"t4",         "h200",     "nvlink4",  "ib-ndr", "phi-4",
                                        "mixed-bf16", "megatron", "adam8bit", "host"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) is_everywhere(names[i]);
}

/* Every model, card and link, once in the list of an option that takes it. */
static void no_row_is_left_out(void **state) {
    size_t models, cards, links;
    const struct account_model *model = account_models(&models);
    const struct account_card *card = account_cards(&cards);
    const struct account_link *link = account_links(&links);
    struct run r = run_line("completion bash", NULL);
    (void)state;
    for (size_t i = 0; i < models; i++)
        if (!strstr(r.out, model[i].name)) fail_msg("unknown %s", model[i].name);
    for (size_t i = 0; i < cards; i++)
        if (!strstr(r.out, card[i].name)) fail_msg("unknown %s", card[i].name);
    for (size_t i = 0; i < links; i++)
        if (!strstr(r.out, link[i].name)) fail_msg("unknown %s", link[i].name);
    run_free(&r);
}

/* The catalogues are commands: a row for every name, on the page and in JSON. */
static void catalogues_are_listed(void **state) {
    static const struct {
        const char *command, *name;
    } rows[] = {
        {"models", "llama-2-13b"}, {"models", "phi-4"}, {"gpus", "a100-80g"}, {"gpus", "t4"},
        {"links", "nvlink4"},      {"links", "ib-ndr"},
    };
    size_t counts[3], i = 0;
    (void)state;
    account_models(&counts[0]);
    account_cards(&counts[1]);
    account_links(&counts[2]);
    for (i = 0; i < BASE_COUNT(rows); i++) {
        char *line = base_format("%s --json", rows[i].command);
        struct run page = run_line(rows[i].command, NULL), json = run_line(line, NULL);
        json_t *all = base_json_read(json.out, strlen(json.out), line, NULL);
        const json_t *list = json_object_get(all, rows[i].command);
        assert_non_null(strstr(page.out, rows[i].name));
        assert_int_equal(json_array_size(list), counts[i / 2]);
        assert_true(strlen(base_json_text(json_array_get(list, 0), "source", "")) > 0);
        json_decref(all);
        run_free(&json);
        run_free(&page);
        free(line);
    }
}

/* The four calculators have one set of flags, told once. */
static void the_manual_tells_a_flag_once(void **state) {
    struct run r = run_line("manual", NULL);
    const char *first = strstr(r.out, "micro\\-batches per GPU and step");
    (void)state;
    assert_non_null(first);
    assert_null(strstr(first + 1, "micro\\-batches per GPU and step"));
    run_free(&r);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(values_are_offered),
        IN_SCHOOL(no_row_is_left_out),
        IN_SCHOOL(catalogues_are_listed),
        IN_SCHOOL(the_manual_tells_a_flag_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
