/* mix.c: a review or a check as a lesson: the chosen problems of several lessons, and a page at the end. */
#include "lesson/parsed.h"

#include <stdlib.h>
#include <string.h>

enum {
    FUNCTIONS = 1 << 16
}; /* of one lesson, at most: those of the next are numbered on from there */
#define RESULT "result"

int lesson_mix_function(int fn, size_t *lesson) {
    *lesson = (size_t)fn / FUNCTIONS;
    return fn % FUNCTIONS;
}

int lesson_mix_round(const char *place, bool *over) {
    char *end;
    long round = strtol(place, &end, 10);
    *over = strcmp(end, "/" RESULT) == 0;
    return *end == '/' && round > 0 && round < INT32_MAX ? (int)round : 0;
}

char *lesson_mix_step_id(const struct lesson_mix *mix, struct mix_pick p) {
    return base_format("%d/%s", mix->round, mix->lesson[p.lesson]->step[p.step].item);
}

char *lesson_mix_item(const struct lesson_mix *mix, struct mix_pick p) {
    const struct lesson *l = mix->lesson[p.lesson];
    if (mix->kind == LESSON_REVIEW) return base_dup(l->step[p.step].item);
    return base_format("%s/%s-%s", mix->id, l->id, l->step[p.step].id);
}

/* "whole-or-shard" as a title: whole or shard; the caller's. */
static char *words(const char *id) {
    char *out = base_dup(id);
    for (char *s = out; *s != '\0'; s++)
        if (*s == '-') *s = ' ';
    return out;
}

/* The problem as it was written, but for its name, its function's number and where it is from. */
static json_t *problem_step(const struct lesson_mix *mix, struct mix_pick p) {
    const struct lesson *l = mix->lesson[p.lesson];
    const struct lesson_step *from = &l->step[p.step];
    json_t *step = json_copy((json_t *)from->json);
    char *id = lesson_mix_step_id(mix, p), *title = words(from->id);
    int64_t fn = base_json_int(json_object_get(from->json, "vary"), "fn", 0);
    json_object_set_new(step, "id", json_string(id));
    json_object_set_new(step, "title", json_string(base_json_text(step, "title", title)));
    json_object_set_new(step, "vary",
                        json_pack("{sI}", "fn", (json_int_t)(fn + (int64_t)p.lesson * FUNCTIONS)));
    json_object_set_new(step, "of",
                        json_pack("{ss ss ss si}", "id", l->id, "title", lesson_title(l), "file",
                                  l->name, "revision", lesson_revision(l, p.step)));
    json_object_del(step, "review");
    free(title);
    free(id);
    return step;
}

static json_t *result_step(const struct lesson_mix *mix) {
    char *id = base_format("%d/" RESULT, mix->round);
    json_t *step = json_pack("{ss ss ss s:s? s:s?}", "kind", "recap", "id", id, "title",
                             "How it went", "passed", mix->passed, "failed", mix->failed);
    free(id);
    return step;
}

/* Takes over `json` and `item`. */
static void add_step(struct lesson *l, enum lesson_step_kind kind, json_t *json, char *item) {
    json_array_append_new(json_object_get(l->json, "steps"), json);
    l->step[l->count++] = (struct lesson_step){.json = json,
                                               .kind = kind,
                                               .id = base_json_text(json, "id", ""),
                                               .item = item,
                                               .line = (int)base_json_int(json, "line", 0)};
}

struct lesson *lesson_mix(const struct lesson_mix *mix, struct lesson_journal journal,
                          struct base_message *m) {
    struct mix_pick pick[MIX_MOST];
    size_t n = lesson_mix_choose(mix, journal, pick);
    if (n == 0) {
        base_fail(m, "%s: the lessons of this phase have no problems to ask", mix->id);
        return NULL;
    }
    struct lesson *l = base_alloc(sizeof *l);
    *l = (struct lesson){.kind = mix->kind, .round = mix->round};
    l->json = json_pack("{ss ss s[]}", "id", mix->id, "title", mix->title, "steps");
    l->name = base_dup(mix->id);
    l->id = base_dup(mix->id);
    l->step = base_alloc((n + 1) * sizeof *l->step);
    for (size_t i = 0; i < n; i++)
        add_step(l, LESSON_PROBLEM, problem_step(mix, pick[i]), lesson_mix_item(mix, pick[i]));
    json_t *first = json_array_get(json_object_get(l->json, "steps"), 0);
    if (mix->opening) json_object_set_new(first, "opening", json_string(mix->opening));
    add_step(l, LESSON_RECAP, result_step(mix), base_format("%s/" RESULT, mix->id));
    return l;
}
