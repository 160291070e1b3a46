/* The panels of a lab keep their place during its run: in each recording of the course no panel
 * needs more rows than were foreseen before its first step. */
#include "experiment/lab.h"

#include "page/page.h"

#include <poll.h>

static const struct {
    int width, rows;
    bool ascii;
    int colours;
} pages[] = {{40, 10, true, 0}, {80, 10, false, 256}, {38, 10, false, 8}, {130, 18, false, 256}};
enum { PAGES = BASE_COUNT(pages) };

/* The rows that a panel takes, or those that it is foreseen to need. */
static int rows_of(const struct experiment_state *s, enum experiment_panel panel, size_t i,
                   bool to_come) {
    bool high = panel == EXPERIMENT_CURVE || panel == EXPERIMENT_COLLECTIVES;
    const struct page_lab l = {.run = {s}, .rows = high ? pages[i].rows : 0, .no_table = true};
    const struct page_flow flow = {.indent = 1, .width = pages[i].width - 2};
    struct page *p = page_new(pages[i].width, pages[i].ascii);
    page_set_colours(p, pages[i].colours);
    if (!to_come) page_lab(p, flow, panel, &l);
    int rows = to_come ? page_lab_room(p, flow, panel, &l) : page_height(p);
    page_free(p);
    return rows;
}

/* `room`: the rows that each panel was foreseen to need; filled the first time. */
static void compare(const struct experiment_state *s, const char *path, bool first,
                    int room[PAGES][EXPERIMENT_PANELS]) {
    for (size_t i = 0; i < PAGES; i++)
        for (int k = 0; k < EXPERIMENT_PANELS; k++) {
            enum experiment_panel panel = (enum experiment_panel)k;
            if (!experiment_panel_tells(s, panel)) continue;
            if (first) room[i][k] = rows_of(s, panel, i, true);
            int rows = rows_of(s, panel, i, false);
            if (rows > room[i][k])
                fail_msg("%s, after %u steps, %d columns%s: %s has %d rows, and was to have %d",
                         path, s->told, pages[i].width, pages[i].ascii ? " of ASCII" : "",
                         experiment_panel_name(panel), rows, room[i][k]);
        }
}

/* Plays a recording step by step, or as its events come. */
static void play(const char *path, double speed, bool steps) {
    int rows[PAGES][EXPERIMENT_PANELS];
    struct experiment *t = lab_replay(path, speed);
    if (steps) experiment_pause(t, true);
    experiment_read(t);
    assert_false(experiment_is_over(t));
    for (bool first = true; !experiment_is_over(t); first = false) {
        compare(experiment_state(t), path, first, rows);
        do {
            if (steps) experiment_advance(t);
            poll(NULL, 0, steps ? 0 : experiment_due(t));
        } while (!experiment_read(t));
    }
    compare(experiment_state(t), path, false, rows);
    experiment_free(t);
}

static void panels_stay_in_place_step_by_step(void **state) {
    size_t played = 0;
    (void)state;
    for (size_t i = 0; i < experiment_labs(); i++)
        for (size_t v = 0; v < experiment_variants(experiment_lab_at(i)); v++) {
            char *path = experiment_recording(experiment_lab_at(i), v);
            if (path && !experiment_lab_at(i)->variant[v].dies) play(path, 1, true), played++;
            free(path);
        }
    print_message("%zu recordings\n", played);
    assert_true(played >= experiment_labs() / 2);
}

/* Each for about a second. */
static void panels_stay_in_place_within_steps(void **state) {
    static const struct {
        const char *path;
        double speed;
    } runs[] = {{"data/runs/first-weighing.jsonl", 0.1},
                {"data/runs/count-the-bytes-1.jsonl", 0.03},
                {"data/runs/count-the-bytes-4.jsonl", 0.03},
                {"data/runs/gpt2-ladder-3.jsonl", 5}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(runs); i++) play(runs[i].path, runs[i].speed, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_stay_in_place_step_by_step),
        cmocka_unit_test(panels_stay_in_place_within_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
