/* estimate: turns ÷ places × seconds, for each lab of a day. */
#include "classroom/classroom.h"

int classroom_day_turns(const struct classroom_day *d) {
    return d->pairs ? (d->people + 1) / 2 : d->people;
}

int classroom_lab_places(const struct classroom_day *d, const struct classroom_lab *l) {
    if (d->front) return 0;
    if (l->gpu && d->gpus) return d->gpus;
    return l->ranks < d->cores ? d->cores / l->ranks : 1;
}

double classroom_lab_minutes(const struct classroom_day *d, const struct classroom_lab *l) {
    int turns = classroom_day_turns(d), places = classroom_lab_places(d, l);
    int rounds = places ? (turns + places - 1) / places : 1;
    return rounds * l->seconds / 60;
}

double classroom_labs_minutes(const struct classroom_day *d) {
    double sum = 0;
    for (size_t i = 0; i < d->labs; i++) sum += classroom_lab_minutes(d, &d->lab[i]);
    return sum;
}

double classroom_day_minutes(const struct classroom_day *d) {
    return d->lesson_minutes + classroom_labs_minutes(d);
}

bool classroom_day_fits(const struct classroom_day *d) {
    return d->minutes < 0 || classroom_day_minutes(d) <= d->minutes;
}

/* ── what helps: a row for each way ────────────────────────────────────────────────────────────*/
static bool take_pairs(struct classroom_day *d) {
    bool other = !d->pairs && d->people > 1;
    d->pairs = true;
    return other;
}

static bool take_cores(struct classroom_day *d) {
    bool other = false;
    for (size_t i = 0; i < d->labs; i++) other = other || d->lab[i].gpu;
    other = other && d->gpus;
    d->gpus = 0;
    return other;
}

/* One core per rank: with fewer ranks more labs run at the same time. On a GPU it frees nothing. */
static bool take_fewer_ranks(struct classroom_day *d) {
    bool other = false;
    for (size_t i = 0; i < d->labs; i++) {
        struct classroom_lab *l = &d->lab[i];
        if ((l->gpu && d->gpus) || l->ranks < 2) continue;
        l->ranks = (l->ranks + 1) / 2;
        other = true;
    }
    return other;
}

static bool take_front(struct classroom_day *d) {
    bool other = d->labs > 0 && classroom_day_turns(d) > 1;
    d->front = true;
    return other;
}

static const struct {
    struct classroom_way is;
    bool (*take)(struct classroom_day *d);
} ways[] = {
    {{"pairs", "two at one keyboard: `zerotutor class join FOLDER --with NAME`"}, take_pairs},
    {{"cores", "labs run on the CPU: `zerotutor class set FOLDER gpus=0`"}, take_cores},
    {{"fewer ranks", "a run with half the ranks: `zerotutor lab run -- --ranks N …`"},
     take_fewer_ranks},
    {{"at the front", "one run at the projector, or its recording, and all watch: press l in the "
                      "tutor"},
     take_front},
};

const struct classroom_way *classroom_way_at(size_t i) {
    return i < BASE_COUNT(ways) ? &ways[i].is : NULL;
}

bool classroom_way_take(size_t i, const struct classroom_day *d, struct classroom_day *out) {
    *out = *d;
    return ways[i].take(out);
}
