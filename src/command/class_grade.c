/* class collect, grade and remark: what a class handed in, and what it is worth. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

/* ── collect ───────────────────────────────────────────────────────────────────────────────────*/
static const char *plural(long long n) {
    return n == 1 ? "" : "s";
}

static void print_collected(const char *folder, const json_t *got) {
    const json_t *listed = json_object_get(got, "listed"), *one;
    size_t i;
    long long handins = base_json_int(got, "handins", 0),
              answers = base_json_int(got, "answers", 0), fresh = base_json_int(got, "new", 0),
              reports = base_json_int(got, "reports", 0);
    printf("%lld hand-in%s with %lld answer%s and guesses. %lld %s new or grew since the last "
           "time.\n",
           handins, plural(handins), answers, plural(answers), fresh, fresh == 1 ? "is" : "are");
    if (reports)
        printf("%lld new report%s of mistakes in questions: `zerotutor class reports %s`\n",
               reports, plural(reports), folder);
    if (json_array_size(listed)) puts("\nLook at these:");
    json_array_foreach(listed, i, one) {
        const char *account = base_json_text(one, "account", ""),
                   *handin = base_json_text(one, "handin", "");
        printf("  %s%s%s: %s\n", account, *account && *handin ? ", " : "", handin,
               base_json_text(one, "says", ""));
    }
    printf("\n`zerotutor class grade %s` judges them.\n", folder);
}

int command_class_collect(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    json_t *got = classroom_collect(f, &s, &m);
    classroom_close(f);
    if (!got) return command_say_message(&m);
    if (command_arguments_has(a, "json")) return command_say_json(got);
    char *folder = classroom_quoted(a->operand[1]);
    print_collected(folder, got);
    free(folder);
    json_decref(got);
    return COMMAND_WELL;
}

/* ── grade ─────────────────────────────────────────────────────────────────────────────────────*/
static char *points_text(const json_t *lesson) {
    return base_format("%.4g/%lld%s", base_json_number(lesson, "points", 0),
                       (long long)base_json_int(lesson, "of", 0),
                       base_json_int(lesson, "late", 0) ? " late" : "");
}

enum { LESSONS_SHOWN = 6, ACCOUNT_SHOWN = 24 };

static json_t *total_of(const json_t *learner) {
    double points = 0;
    json_int_t of = 0, late = 0;
    const json_t *lesson;
    size_t i;
    json_array_foreach(json_object_get(learner, "lessons"), i, lesson) {
        points += base_json_number(lesson, "points", 0);
        of += base_json_int(lesson, "of", 0);
        late += base_json_int(lesson, "late", 0);
    }
    return json_pack("{sf sI sI}", "points", points, "of", of, "late", late);
}

/* "ada", or the two at one keyboard: "ada + bob", as in the list of the class; the caller's. */
static char *who_is(const json_t *learner) {
    const char *account = base_json_text(learner, "account", ""),
               *with = base_json_text(learner, "with", "");
    bool stranger = base_json_bool(learner, "stranger", false);
    char *shown = base_clean_dup(account, strlen(account), ACCOUNT_SHOWN),
         *second = base_clean_dup(with, strlen(with), ACCOUNT_SHOWN),
         *who = base_format("%s%s%s%s", shown, *with ? " + " : "", second,
                            stranger ? " (not on the roster)" : "");
    free(second);
    free(shown);
    return who;
}

static void add_row(char **cell, const json_t *learner, size_t lessons) {
    const json_t *each = json_object_get(learner, "lessons");
    json_t *total = total_of(learner);
    *cell++ = who_is(learner);
    *cell++ = base_format("%lld", (long long)base_json_int(learner, "answers", 0));
    *cell++ = points_text(total);
    for (size_t i = 0; i < lessons; i++) *cell++ = points_text(json_array_get(each, i));
    *cell = base_format("%zu", json_array_size(json_object_get(learner, "listed")));
    json_decref(total);
}

/* A row for each learner: account, answers, points (of each lesson, if they are few), what is
 * listed. */
static void put_table(struct page *p, const json_t *grades) {
    const json_t *all = json_object_get(grades, "lessons"),
                 *learners = json_object_get(grades, "learners"), *one;
    size_t lessons = json_array_size(all) <= LESSONS_SHOWN ? json_array_size(all) : 0,
           columns = lessons + 4, rows = json_array_size(learners) + 1, i;
    char **cell = base_alloc(rows * columns * sizeof *cell), *align = base_alloc(columns + 1);
    memset(align, 'r', columns);
    align[0] = 'l';
    cell[0] = base_dup("learner");
    cell[1] = base_dup("answers");
    cell[2] = base_dup("points");
    for (i = 0; i < lessons; i++)
        cell[3 + i] = base_dup(base_json_text(json_array_get(all, i), "id", ""));
    cell[columns - 1] = base_dup("listed");
    json_array_foreach(learners, i, one) add_row(&cell[(i + 1) * columns], one, lessons);
    page_table(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2},
               (const char *const *)cell, rows, columns, align, true);
    for (i = 0; i < rows * columns; i++) free(cell[i]);
    free(cell);
    free(align);
}

static void put_kind(struct page *p, const json_t *learners, const char *kind,
                     const char *heading) {
    const json_t *one, *found;
    struct page_flow f = {.indent = 3, .width = page_width(p) - 4};
    bool any = false;
    size_t i, k;
    json_array_foreach(learners, i, one) {
        json_array_foreach(json_object_get(one, "listed"), k, found) {
            if (strcmp(base_json_text(found, "kind", ""), kind) != 0) continue;
            char *head = base_format("A hand-in that %s", heading);
            if (!any) page_blank(p, 1);
            if (!any) page_text(p, (struct page_flow){.indent = 1, .width = f.width}, head);
            free(head);
            any = true;
            char *line = base_format("%s: %s", base_json_text(one, "account", ""),
                                     base_json_text(found, "says", ""));
            page_text(p, f, line);
            free(line);
        }
    }
}

static void print_grades(const struct arguments *a, const json_t *grades) {
    const json_t *learners = json_object_get(grades, "learners");
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    const char *kind, *heading;
    page_put(p, 0, 1, PAGE_TITLE, PAGE_BOLD, base_json_text(grades, "name", ""));
    page_blank(p, 1);
    put_table(p, grades);
    for (size_t i = 0; (kind = session_class_kind(i, &heading)); i++)
        put_kind(p, learners, kind, heading);
    char *about = base_format(
        "%lld answer%s and guesses were read. The engine judged each answer again, and the numbers "
        "of each right answer that counts were drawn again. A list is no accusation: ask first.",
        (long long)base_json_int(grades, "answers", 0),
        plural((long long)base_json_int(grades, "answers", 0)));
    page_blank(p, 1);
    page_text(p, f, about);
    free(about);
    command_terminal_print(p);
}

/* Those who are not on the roster, if there is one: "stranger" is true. */
static void mark_strangers(json_t *grades, const struct classroom_roster *roster) {
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(grades, "learners"), i, one) {
        if (roster->people && !classroom_roster_find(roster, base_json_text(one, "account", "")))
            json_object_set_new(one, "stranger", json_true());
    }
}

int command_class_grade(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    struct classroom_roster roster = {0};
    bool read = classroom_roster_read(f, &roster, &m);
    json_t *grades = read ? session_class_grade(f, &s, NULL, &m) : NULL;
    if (grades) mark_strangers(grades, &roster);
    classroom_roster_free(&roster);
    classroom_close(f);
    if (!grades) return command_say_message(&m);
    if (command_arguments_has(a, "json")) return command_say_json(grades);
    print_grades(a, grades);
    json_decref(grades);
    return COMMAND_WELL;
}

/* ── remark ────────────────────────────────────────────────────────────────────────────────────*/
int command_class_remark(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (a->operands < 4)
        return command_say_error("say to whom, and what: `zerotutor class remark FOLDER ACCOUNT "
                                 "TEXT`, or \"\" to take a remark back");
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    struct base_text text = {0};
    for (size_t i = 3; i < a->operands; i++)
        base_text_printf(&text, "%s%s", i > 3 ? " " : "", a->operand[i]);
    char *account = classroom_account_typed(a->operand[2]);
    bool done = session_class_remark(f, &s, account, text.s, &m);
    free(account);
    bool back = text.length == 0;
    base_text_free(&text);
    classroom_close(f);
    if (!done) return command_say_message(&m);
    puts(back ? "The remark is taken back." : "The learner finds it on home, with the points.");
    return COMMAND_WELL;
}
