/* pupils: the engine knows every answer, and the lessons draw the numbers. */
#include "session/pupils.h"

#include "base/fatal.h"
#include "hash/hash.h"
#include "script/script.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MOST = 1000, LESSONS_MOST = 64, TOGETHER = 32, MINUTE = 60 };

struct item {
    char *id;
    size_t lesson, step;
    int fn;
};
struct pupils {
    struct script *script[LESSONS_MOST];
    struct lesson *lesson[LESSONS_MOST];
    size_t lessons, items;
    struct item item[ITEMS_MOST];
    char course[HASH_HEX];
};

/* ── the course ────────────────────────────────────────────────────────────────────────────────*/
static void add_items(struct pupils *p, const struct lesson *l) {
    for (size_t i = 0; i < lesson_steps(l); i++) {
        const json_t *step = lesson_step(l, i);
        int fn = (int)base_json_int(json_object_get(step, "vary"), "fn", 0);
        if (!lesson_graded(l, i) || !lesson_step_counts(l, i) || fn == 0 ||
            strcmp(base_json_text(step, "form", "number"), "sheet") == 0 ||
            strcmp(base_json_text(step, "form", "number"), "worksheet") == 0)
            continue;
        if (p->items == ITEMS_MOST) fatal("more than %d problems", ITEMS_MOST);
        char *id = base_format("%s/%s", lesson_id(l), base_json_text(step, "id", ""));
        p->item[p->items++] = (struct item){id, p->lessons, i, fn};
    }
}

static void hash_file(struct pupils *p, const char *path) {
    size_t n;
    char *text = base_file_read(path, 1 << 24, &n, NULL);
    if (text) hash_hex(p->course, text, n, p->course);
    free(text);
}

static void open_lesson(struct pupils *p, const char *file) {
    struct base_message m = {0};
    struct script *script = script_open(file, NULL, &m);
    json_t *json = script ? json_deep_copy(script_lesson(script)) : NULL;
    struct lesson *l =
        json && session_complete(json, file, &m) ? lesson_read(json, file, &m) : NULL;
    if (!l) fatal("%s", m.what);
    p->script[p->lessons] = script;
    p->lesson[p->lessons] = l;
    json_decref(json);
    add_items(p, l);
    p->lessons++;
}

struct pupils *pupils_open(void) {
    struct base_message m = {0};
    struct lesson_course c;
    struct pupils *p = base_alloc(sizeof *p);
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, &m);
    if (!json || !lesson_course_read(&c, json, &m)) fatal("%s", m.what);
    hash_hex("", "", 0, p->course);
    for (size_t i = 0; i < c.lessons; i++) {
        if (!c.lesson[i].file) continue;
        char *relative = base_format("lessons/%s", c.lesson[i].file),
             *file = base_share_path(relative);
        hash_file(p, file);
        if (c.lesson[i].kind == LESSON_ORDINARY) open_lesson(p, file);
        free(file);
        free(relative);
    }
    lesson_course_free(&c);
    json_decref(json);
    free(path);
    return p;
}

void pupils_close(struct pupils *p) {
    for (size_t i = 0; i < p->items; i++) free(p->item[i].id);
    for (size_t i = 0; i < p->lessons; i++) {
        lesson_free(p->lesson[i]);
        script_close(p->script[i]);
    }
    free(p);
}

struct pupils *pupils;

int pupils_begin(void **state) {
    static char share[PATH_MAX];
    (void)state;
    if (!realpath(".", share)) return -1;
    setenv("ZEROTUTOR_SHARE", share, 1);
    pupils = pupils_open();
    return 0;
}

int pupils_end(void **state) {
    (void)state;
    pupils_close(pupils);
    return 0;
}

const char *pupils_course(const struct pupils *p) {
    return p->course;
}

void pupils_set_course(struct pupils *p, const char *course) {
    snprintf(p->course, sizeof p->course, "%s", course);
}

/* ── an answer ─────────────────────────────────────────────────────────────────────────────────*/
static char *number(const json_t *problem, double factor) {
    struct account_problem p;
    struct account_solution s;
    if (!lesson_problem_read(problem, &p, NULL) || !account_solve(&p, &s, NULL))
        fatal("a problem cannot be solved");
    return base_format("%.12g", s.value / account_unit_scale(s.unit) * factor);
}

static char *options(const json_t *variant, bool right) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(variant, "choices"), i, one) {
        if (json_is_true(json_object_get(one, "right")) == right && !t.length)
            base_text_printf(&t, "%zu", i + 1);
    }
    json_array_foreach(json_object_get(variant, "items"), i, one) {
        int bin = (int)base_json_int(one, "bin", 1) - 1;
        base_text_printf(&t, "%zu=%c ", i + 1, 'a' + (right ? bin : !bin));
    }
    return base_text_take(&t);
}

void pupils_judge(struct pupils_row *row) {
    struct lesson_again again = {0};
    json_t *problem = json_loads(row->problem, 0, NULL);
    struct lesson_answer a = {.item = row->item,
                              .line = "",
                              .try = row->try,
                              .seed = row->seed,
                              .problem = problem,
                              .typed = row->typed,
                              .verdict = "",
                              .mistake = ""};
    bool judged = lesson_judge_again(&a, NULL, 0, &again);
    free(row->verdict);
    free(row->mistake);
    row->verdict = base_dup(judged ? again.verdict : "unreadable");
    row->mistake = base_dup(judged ? again.mistake : "");
    row->value = judged && isfinite(again.value) ? again.value : 0;
    row->right = strcmp(row->verdict, "right") == 0 || strcmp(row->verdict, "rounded") == 0;
    json_decref(problem);
}

static void answer(struct pupils_row *row, const json_t *variant, bool right, double factor) {
    const json_t *problem = json_object_get(variant, "problem");
    row->problem = json_dumps(variant, JSON_COMPACT);
    row->typed = problem ? number(problem, right ? 1 : factor) : options(variant, right);
    pupils_judge(row);
}

/* ── an account ────────────────────────────────────────────────────────────────────────────────*/
static bool is_order(const json_t *variant) {
    const json_t *items = json_object_get(variant, "items");
    return items && json_is_string(json_array_get(items, 0));
}

/* Draws the numbers of up to TOGETHER tries at an item, and answers. */
static void draw(struct pupils *p, const struct item *it, struct pupils_row **row, size_t n) {
    struct script_call call[TOGETHER] = {{0}};
    json_t *variant[TOGETHER] = {NULL};
    for (size_t i = 0; i < n; i++)
        call[i] = (struct script_call){it->fn, lesson_variant_seed(row[i]->seed)};
    if (script_calls(p->script[it->lesson], call, n, variant) != n)
        fatal("%s is not drawn", it->id);
    for (size_t i = 0; i < n; i++) {
        if (!variant[i] || is_order(variant[i])) fatal("%s is not drawn", it->id);
        uint64_t chance = row[i]->seed;
        bool right = base_random(&chance) % 4 != 0;
        answer(row[i], variant[i], right, base_random(&chance) % 2 ? 2 : 1.37);
        json_decref(variant[i]);
    }
}

static void draw_all(struct pupils *p, const struct item *it, struct pupils_row *row, size_t from,
                     size_t step, size_t n) {
    struct pupils_row *some[TOGETHER];
    size_t count = 0;
    for (size_t i = from; i < n; i += step) {
        some[count++] = &row[i];
        if (count == TOGETHER) draw(p, it, some, count), count = 0;
    }
    if (count) draw(p, it, some, count);
}

static size_t planned(struct pupils *p, const struct classroom_settings *s,
                      const struct item *out[ITEMS_MOST]) {
    size_t n = 0;
    for (size_t i = 0; i < p->items; i++) {
        struct lesson_source source = script_source(p->script[p->item[i].lesson]);
        json_t *one =
            lesson_variant(p->lesson[p->item[i].lesson], p->item[i].step, source, 1, NULL);
        if (one && !is_order(one) && classroom_grades_item(s, p->item[i].id))
            out[n++] = &p->item[i];
        json_decref(one);
    }
    return n;
}

struct pupils_row *pupils_answers(struct pupils *p, const struct classroom_settings *s,
                                  const char *account, size_t n) {
    static const struct item *item[ITEMS_MOST];
    static size_t items;
    static char plan[CLASSROOM_NAME];
    uint64_t seed = classroom_seed(s, account);
    struct pupils_row *row = base_alloc((n + 1) * sizeof *row);
    if (strcmp(plan, s->id) != 0) items = planned(p, s, item);
    snprintf(plan, sizeof plan, "%s", s->id);
    if (items == 0) fatal("the plan has no problems");
    for (size_t i = 0; i < n; i++) {
        const struct item *it = item[i % items];
        row[i].item = base_dup(it->id);
        row[i].try = (int)(i / items) + 1;
        row[i].seed = lesson_seed(seed, it->id, row[i].try);
        row[i].time = s->begins + (int64_t)i * MINUTE;
        row[i].seconds = 30;
    }
    for (size_t i = 0; i < items && i < n; i++) draw_all(p, item[i], row, i, items, n);
    return row;
}

void pupils_free(struct pupils_row *row, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(row[i].item);
        free(row[i].problem);
        free(row[i].typed);
        free(row[i].verdict);
        free(row[i].mistake);
    }
    free(row);
}

/* ── a hand-in ─────────────────────────────────────────────────────────────────────────────────*/
static void add_line(struct base_text *t, json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    base_text_printf(t, "%s\n", text);
    free(text);
    json_decref(json);
}

static json_t *json_row(const struct pupils_row *r, size_t i) {
    return json_pack("[I,I,s,s,i,I,s,i,i,s,f,s,s,i,f]", (json_int_t)i + 1, (json_int_t)r->time,
                     r->item, r->line ? r->line : "", r->try, (json_int_t)r->seed, r->problem, 1, 1,
                     r->typed, r->value, r->verdict, r->mistake, 0, r->seconds);
}

char *pupils_text(const struct pupils *p, const struct classroom_settings *s, const char *account,
                  const struct pupils_row *row, size_t n, int format, size_t *length) {
    struct base_text t = {0};
    char link[HASH_HEX], end[HASH_LINK_BYTES + 1];
    add_line(&t,
             json_pack("{ss si ss ss sI ss ss}", "zerotutor", "handin", "format", format, "class",
                       s->id, "account", account, "seed", (json_int_t)classroom_seed(s, account),
                       "course", p->course, "version", BASE_VERSION));
    add_line(&t, json_pack("{ss s[sssssssssssssss]}", "table", "answer", "columns", "id", "time",
                           "item", "line", "try", "seed", "problem", "lesson_revision",
                           "engine_revision", "typed", "value", "verdict", "mistake", "hints",
                           "seconds"));
    hash_hex("", t.s, t.length, link);
    for (size_t i = 0; i < n; i++) {
        json_t *line = json_pack("{so sI}", "answer", json_row(&row[i], i), "day",
                                 (json_int_t)(row[i].time / 86400));
        char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
        size_t before = strlen(text) - 1;
        hash_link_add(text, before, link, end);
        base_text_add(&t, text, before);
        base_text_printf(&t, "%s\n", end);
        free(text);
        json_decref(line);
    }
    *length = t.length;
    return base_text_take(&t);
}
