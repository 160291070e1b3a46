/* make bench: the processor's time that a frame of each play takes to draw on a page as wide as a
 * terminal of 200 × 60, at every value of its options; of a ledger whose shards fly apart; and of a
 * lab, all panels, step by step. Each frame is drawn DRAWINGS times and its fastest drawing counts:
 * a busy machine only ever adds time. Asserts nothing; a frame should take less than 2 ms. */
#include "experiment/experiment.h"
#include "page/page.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { COLUMNS = 198, ROWS = 56, COLOURS = 256, DRAWINGS = 3 };

/* In milliseconds, over the frames of one thing that moves. */
struct cost {
    double most, sum;
    int frames;
};

static void add(struct cost *c, double ms) {
    c->most = ms > c->most ? ms : c->most;
    c->sum += ms;
    c->frames++;
}

static void print(const char *name, struct cost c) {
    printf("a frame of %-20s %6.2f ms, at most %6.2f ms (%d frames)\n", name, c.sum / c.frames,
           c.most, c.frames);
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double draw_once(const json_t *spec) {
    struct base_message m = {0};
    double begun = now_ms();
    struct page *p = page_new(COLUMNS, false);
    page_set_colours(p, COLOURS);
    if (!page_figure(p, (struct page_flow){.width = COLUMNS, .rows = ROWS}, spec, &m))
        printf("bench: %s\n", m.what);
    page_free(p);
    return now_ms() - begun;
}

static double draw(const json_t *spec) {
    double least = draw_once(spec);
    for (int i = 1; i < DRAWINGS; i++) least = fmin(least, draw_once(spec));
    return least;
}

/* All frames with one value of one option. */
static void measure(const struct account_playing *at, struct cost *c) {
    json_t *spec = json_pack("{ss ss}", "kind", "play", "play", at->play->name);
    for (size_t i = 0; i < at->play->options; i++)
        json_object_set_new(spec, at->play->option[i].name,
                            json_integer(at->play->option[i].value[at->at[i]]));
    for (uint32_t frame = 0; frame < account_play_frames(at); frame++) {
        json_object_set_new(spec, "frame", json_integer(frame));
        add(c, draw(spec));
    }
    json_decref(spec);
}

/* The five drawings in which what stage 1 shards flies apart. */
static void measure_flight(void) {
    json_error_t e;
    json_t *spec = json_loads("{\"kind\":\"ledger\",\"limit\":\"80GB\","
                              "\"still\":{\"params\":7.5e9,\"gpus\":64},"
                              "\"before\":{\"params\":7.5e9,\"gpus\":64},"
                              "\"training\":{\"params\":7.5e9,\"gpus\":64,\"stage\":1}}",
                              0, &e);
    struct cost c = {0};
    for (int frame = 1; frame <= 5; frame++) {
        json_object_set_new(spec, "apart", json_integer(frame * 100 / 6));
        add(&c, draw(spec));
    }
    print("what shards", c);
    json_decref(spec);
}

static double draw_lab_once(const struct experiment_state *s, bool room) {
    const struct page_flow flow = {.indent = 1, .width = COLUMNS - 2};
    const struct page_lab l = {.run = {s}, .rows = ROWS / 3, .no_table = true};
    double begun = now_ms();
    struct page *p = page_new(COLUMNS, false);
    page_set_colours(p, COLOURS);
    for (int k = 0; k < EXPERIMENT_PANELS; k++) {
        enum experiment_panel panel = (enum experiment_panel)k;
        if (!experiment_panel_tells(s, panel)) continue;
        page_lab(p, flow, panel, &l);
        if (room) (void)page_lab_room(p, flow, panel, &l);
    }
    page_free(p);
    return now_ms() - begun;
}

static double draw_lab(const struct experiment_state *s, bool room) {
    double least = draw_lab_once(s, room);
    for (int i = 1; i < DRAWINGS; i++) least = fmin(least, draw_lab_once(s, room));
    return least;
}

/* The first frame of a run finds out how many rows its panels will come to need. */
static void measure_lab(const char *path) {
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, 1, &m);
    struct cost first = {0}, c = {0};
    if (!t) {
        printf("bench: %s\n", m.what);
        return;
    }
    experiment_pause(t, true);
    experiment_read(t);
    add(&first, draw_lab(experiment_state(t), true));
    while (!experiment_is_over(t)) {
        experiment_advance(t);
        experiment_read(t);
        add(&c, draw_lab(experiment_state(t), false));
    }
    print("a lab, its first", first);
    print("a lab", c);
    experiment_free(t);
}

int main(void) {
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    for (size_t i = 0; i < count; i++) {
        struct cost c = {0};
        struct account_playing at = account_play_begin(plays[i]);
        for (size_t o = 0; o < at.play->options; o++, at = account_play_begin(plays[i]))
            for (at.at[o] = 0; at.at[o] < at.play->option[o].values; at.at[o]++) measure(&at, &c);
        print(plays[i]->name, c);
    }
    measure_flight();
    measure_lab("data/runs/stage-ladder-4.jsonl");
    return 0;
}
