/* lint --stats: item statistics from learners' records. */
#include "command/lint.h"
#include "command/report.h"

#include "store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static void add_first(void *to, const char *item, bool right, const char *mistake) {
    review_items_add(to, item, right, mistake);
}

/* False after the message was printed. */
static bool add_record(struct review_items *items, const char *path) {
    struct base_message m = {0};
    struct store *s = store_open_to_read(path, &m);
    if (!s && !*m.what && path && access(path, F_OK) == 0)
        base_fail(&m, "%s is from an older version: open it once with `zerotutor --store %s`", path,
                  path);
    else if (!s && !*m.what)
        base_fail(&m, "%s does not exist: name learners' records", path ? path : "your record");
    if (!s) return command_say_message(&m), false;
    review_items_learner(items);
    bool read = store_first_answers(s, add_first, items, &m);
    store_close(s);
    return read || (command_say_message(&m), false);
}

static bool add_records(struct review_items *items, const struct arguments *a) {
    if (a->operands == 0) return add_record(items, NULL);
    for (size_t i = 0; i < a->operands; i++)
        if (!add_record(items, a->operand[i])) return false;
    return true;
}

/* ── what stands out ───────────────────────────────────────────────────────────────────────────
 * Discrimination below 0.2 is poor by Ebel and Frisbie 1991, "Essentials of Educational
 * Measurement", 5th edition. The bounds of difficulty are those in common use for class tests. With
 * 30 learners a correlation is uncertain by about 0.2, so fewer prove nothing. */
enum { ENOUGH = 10, ENOUGH_TO_CORRELATE = 30 };
static const double EASY = 0.9, HARD = 0.3, WEAK = 0.2;

static double share_of(const struct review_item_statistics *s) {
    return (double)s->right / (double)s->learners;
}

static const char *mark_of(const struct review_item_statistics *s) {
    bool enough = s->learners >= ENOUGH_TO_CORRELATE;
    if (s->learners < ENOUGH) return "";
    if (enough && s->correlation < 0) return "check the answer";
    if (share_of(s) > EASY) return "too easy";
    if (share_of(s) < HARD) return "too hard";
    return enough && s->correlation < WEAK ? "weak" : "";
}

/* Records come from others: one line, and nothing that drives a terminal. The caller's. */
static char *clean(const char *text) {
    char *name = base_clean_dup(text, strlen(text), 60);
    for (char *c = name; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    return name;
}

/* Adds the mistake in the words that learners read. Keeps a text that is not a mistake's id. */
static void add_words(struct base_text *t, const char *id, size_t n) {
    size_t count;
    const struct account_mistake *known = account_mistakes(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(known[i].id) == n && memcmp(known[i].id, id, n) == 0) {
            base_text_puts(t, known[i].name);
            return;
        }
    base_text_add(t, id, n);
}

/* In words; of two that were made together, both. The caller's. */
static char *name_mistakes(const char *ids) {
    struct base_text t = {0};
    char *all = clean(ids);
    for (const char *s = all; *s;) {
        size_t n = strcspn(s, "+");
        add_words(&t, s, n);
        s += n;
        if (*s) base_text_puts(&t, "; and "), s++;
    }
    free(all);
    return base_text_take(&t);
}

/* ── telling ───────────────────────────────────────────────────────────────────────────────────*/
static void put_row(struct grid *g, const struct review_item_statistics *s) {
    char *item = clean(s->item), *mistake = name_mistakes(s->mistake);
    command_grid_put(g, "%s", item);
    command_grid_put(g, "%zu", s->learners);
    command_grid_put(g, "%.0f%%", 100 * share_of(s));
    if (isnan(s->correlation))
        command_grid_put(g, "-");
    else
        command_grid_put(g, "%.2f", s->correlation);
    if (s->times > 0)
        command_grid_put(g, "%s (%zu)", mistake, s->times);
    else
        command_grid_put(g, "%s", "");
    command_grid_put(g, "%s", mark_of(s));
    free(mistake);
    free(item);
}

static void print_page(const struct arguments *a, const struct review_item_statistics *s,
                       size_t count) {
    struct grid g = {0};
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_grid_head(&g, "item", 'l');
    command_grid_head(&g, "n", 'r');
    command_grid_head(&g, "right", 'r');
    command_grid_head(&g, "r", 'r');
    command_grid_head(&g, "commonest mistake", 'l');
    command_grid_head(&g, "", 'l');
    for (size_t i = 0; i < count; i++) put_row(&g, &s[i]);
    command_grid_draw(&g, p);
    command_report_note(p, "n: learners. right: the share whose first answer was right. r: "
                           "corrected item-total correlation, from three learners on.");
    command_terminal_print(p);
}

static json_t *item_json(const struct review_item_statistics *s) {
    json_t *r = isnan(s->correlation) ? json_null() : json_real(s->correlation);
    char *item = clean(s->item), *mistake = clean(s->mistake);
    json_t *json =
        json_pack("{ss sI sI sf so ss sI ss}", "item", item, "learners", (json_int_t)s->learners,
                  "right", (json_int_t)s->right, "difficulty", share_of(s), "correlation", r,
                  "mistake", mistake, "times", (json_int_t)s->times, "mark", mark_of(s));
    free(mistake);
    free(item);
    return json;
}

static void print_json(const struct review_item_statistics *s, size_t count) {
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(items, item_json(&s[i]));
    command_say_json(json_pack("{so}", "items", items));
}

int command_lint_stats(const struct arguments *a) {
    struct review_items *items = review_items_new();
    size_t count;
    bool read = add_records(items, a);
    const struct review_item_statistics *s = review_items_statistics(items, &count);
    if (read && command_arguments_has(a, "json"))
        print_json(s, count);
    else if (read && count == 0)
        printf("No problem was answered.\n");
    else if (read)
        print_page(a, s, count);
    review_items_free(items);
    return read ? COMMAND_WELL : COMMAND_USAGE;
}
