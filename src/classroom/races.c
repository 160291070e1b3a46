/* races: rounds of the speed challenge, counted from hand-ins, and the table of them. */
#include "classroom/races.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20, KINDS = 64 };
static const char rounds_of[] = "speed/"; /* before a round's subject, in its item */

void classroom_nickname(char out[CLASSROOM_NICK], const char *typed) {
    char line[CLASSROOM_NICK];
    base_line_copy(line, sizeof line, typed);
    char *from = line + strspn(line, " "), *to = out;
    const char *end = from + strlen(from);
    for (const char *at = from, *next = at; at < end; at = next) {
        uint32_t code = base_utf8_next(&next, end);
        if (base_code_width(code) == 0) continue; /* what has no width hides, or piles up */
        memcpy(to, at, (size_t)(next - at));
        to[next - at] = '\0';
        if (base_width(out) > CLASSROOM_NICK_CELLS) break;
        to += next - at;
    }
    while (to > out && to[-1] == ' ') to--;
    *to = '\0';
}

/* ── a hand-in ─────────────────────────────────────────────────────────────────────────────────*/
static const char *cell(const struct classroom_handin *h, size_t row, size_t column) {
    const char *text = json_string_value(json_array_get(h->answer[row].row, column));
    return text ? text : "";
}

static struct classroom_race *add(struct classroom_races *r, const struct classroom_race *one) {
    if (r->count == CLASSROOM_RACES) return NULL;
    if ((r->count & (r->count - 1)) == 0)
        r->race = base_grow(r->race, r->count ? 2 * r->count : 1, sizeof *r->race);
    r->race[r->count] = *one;
    return &r->race[r->count++];
}

static bool is_kind(const struct classroom_race *a, const struct classroom_race *b) {
    return a->ms == b->ms && a->choose == b->choose && strcmp(a->subject, b->subject) == 0;
}

/* Of one learner, whose first race is at `from`. */
static void count_round(struct classroom_races *r, size_t from, const char *item,
                        const json_t *how) {
    int64_t right = base_json_int(how, "right", -1), asked = base_json_int(how, "asked", -1);
    struct classroom_race one = {.ms = base_json_int(how, "ms", -1),
                                 .choose = base_json_bool(how, "choose", false),
                                 .rounds = 1,
                                 .first = (int)right,
                                 .best = (int)right};
    base_line_copy(one.subject, sizeof one.subject, item + sizeof rounds_of - 1);
    if (right < 0 || right > asked || asked > CLASSROOM_ROUND_MOST || one.ms < 0) return;
    for (size_t i = from; i < r->count; i++) {
        struct classroom_race *had = &r->race[i];
        if (!is_kind(had, &one)) continue;
        had->rounds++;
        if (one.best > had->best) had->best = one.best;
        return;
    }
    if (r->count - from < KINDS) add(r, &one);
}

void classroom_races_add(struct classroom_races *r, const struct classroom_handin *h) {
    size_t item = classroom_handin_column(h, "item"),
           problem = classroom_handin_column(h, "problem"), from = r->count;
    char nickname[CLASSROOM_NICK] = "";
    for (size_t i = 0; i < h->answers; i++) {
        const char *what = cell(h, i, item), *how = cell(h, i, problem);
        bool named = strcmp(what, CLASSROOM_NICKNAME) == 0;
        if (!named && strncmp(what, rounds_of, sizeof rounds_of - 1) != 0) continue;
        json_t *json = base_json_read(how, strlen(how), what, NULL);
        if (named)
            classroom_nickname(nickname, base_json_text(json, "nickname", ""));
        else if (json)
            count_round(r, from, what, json);
        json_decref(json);
    }
    if (!*nickname) r->count = from;
    for (size_t i = from; i < r->count; i++) memcpy(r->race[i].nickname, nickname, sizeof nickname);
}

/* ── a table ───────────────────────────────────────────────────────────────────────────────────*/
void classroom_races_join(struct classroom_races *r, const struct classroom_races *more) {
    for (size_t i = 0; i < more->count; i++) add(r, &more->race[i]);
}

static int by_gain(const void *a, const void *b) {
    const struct classroom_race *x = a, *y = b;
    int gained = (y->best - y->first) - (x->best - x->first);
    if (gained) return gained;
    if (x->best != y->best) return y->best - x->best;
    return strcmp(x->nickname, y->nickname);
}

void classroom_races_sort(struct classroom_races *r) {
    if (r->count) qsort(r->race, r->count, sizeof *r->race, by_gain);
}

void classroom_races_free(struct classroom_races *r) {
    free(r->race);
    *r = (struct classroom_races){0};
}

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
static bool take_race(struct classroom_races *r, const json_t *json) {
    struct classroom_race one = {.ms = base_json_int(json, "ms", -1),
                                 .choose = base_json_bool(json, "choose", false)};
    int64_t rounds = base_json_int(json, "rounds", 0), first = base_json_int(json, "first", -1),
            best = base_json_int(json, "best", -1);
    classroom_nickname(one.nickname, base_json_text(json, "nickname", ""));
    base_line_copy(one.subject, sizeof one.subject, base_json_text(json, "subject", ""));
    if (!*one.nickname || one.ms < 0 || rounds < 1 || rounds > CLASSROOM_ANSWERS_MOST ||
        first < 0 || best < first || best > CLASSROOM_ROUND_MOST)
        return false;
    one.rounds = (int)rounds;
    one.first = (int)first;
    one.best = (int)best;
    return add(r, &one) != NULL;
}

static bool take(struct classroom_races *r, const json_t *json, struct base_message *m) {
    size_t i;
    const json_t *one;
    if (strcmp(base_json_text(json, "zerotutor", ""), "speed") != 0 ||
        base_json_int(json, "format", 0) != 1)
        return base_fail_at(m, CLASSROOM_SPEED, 0,
                            "`zerotutor class watch` of this version did "
                            "not write this");
    json_array_foreach(json_object_get(json, "race"), i, one) {
        if (!take_race(r, one))
            return base_fail_at(m, CLASSROOM_SPEED, 0, "race %zu is not valid", i + 1);
    }
    return true;
}

bool classroom_races_read(const struct classroom_folder *f, struct classroom_races *out,
                          struct base_message *m) {
    struct classroom_file got;
    *out = (struct classroom_races){0};
    if (!classroom_read(f, CLASSROOM_TOP, CLASSROOM_SPEED, classroom_teacher(f), FILE_MOST, &got,
                        m)) {
        bool none = errno == ENOENT;
        if (none && m) *m = (struct base_message){.line = 0};
        return none;
    }
    json_t *json = base_json_read(got.text, got.length, CLASSROOM_SPEED, m);
    bool taken = json && take(out, json, m);
    if (!taken) classroom_races_free(out);
    json_decref(json);
    free(got.text);
    return taken;
}

bool classroom_races_write(const struct classroom_folder *f, const struct classroom_races *r,
                           struct base_message *m) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct classroom_race *one = &r->race[i];
        json_array_append_new(all, json_pack("{ss ss sI sb si si si}", "nickname", one->nickname,
                                             "subject", one->subject, "ms", (json_int_t)one->ms,
                                             "choose", one->choose, "rounds", one->rounds, "first",
                                             one->first, "best", one->best));
    }
    json_t *json = json_pack("{ss si so}", "zerotutor", "speed", "format", 1, "race", all);
    char *text = json_dumps(json, JSON_COMPACT), *lines = base_format("%s\n", text);
    bool wrote = classroom_write(f, CLASSROOM_TOP, CLASSROOM_SPEED, 0644, lines, strlen(lines), m);
    free(lines);
    free(text);
    json_decref(json);
    return wrote;
}
