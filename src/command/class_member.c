/* class join, leave and status: a learner in a class. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

/* ── joining ───────────────────────────────────────────────────────────────────────────────────*/
static void add_pairs(struct base_text *t, const struct session_class *c) {
    if (*c->with)
        base_text_printf(t,
                         "You and %s are one learner to the class: one hand-in with two names. "
                         "Type at this account only.\n\n",
                         c->with);
    else
        base_text_puts(t, "Two of you at one keyboard? Then one of you joins with `--with NAME`. "
                          "A pair has one hand-in with two names.\n\n");
    if (c->settings.synchronised)
        base_text_puts(t, "The folder is kept in step by another program. Everybody who has a copy "
                          "can read your hand-in, and the teacher cannot verify who wrote it.\n\n");
}

/* The gradebook of a class with a roster has those on it. */
static void add_roster(struct base_text *t, const struct session_class *c) {
    struct classroom_folder *f = classroom_open(c->folder, NULL);
    bool is = !f || classroom_is_member(f, &c->settings, c->account);
    classroom_close(f);
    if (!is)
        base_text_printf(t,
                         "**Your account is not on this class's roster.** You can take part, and "
                         "your teacher sees your answers, but the gradebook leaves you out. Tell "
                         "your teacher that your account is **%s**.\n\n",
                         c->account);
}

enum { CLOCK_MOST = 60 };

/* Answers carry this machine's times, and the class's record is in use by them. */
static void add_clock(struct base_text *t, const struct session_class *c) {
    struct classroom_folder *f = classroom_open(c->folder, NULL);
    int64_t server = f ? classroom_clock(f) : 0, off = server ? server - base_now() : 0;
    classroom_close(f);
    if (llabs(off) > CLOCK_MOST)
        base_text_printf(t,
                         "This machine's clock is %lld minutes %s the file server's. The class "
                         "begins and ends for you by this machine's clock: tell your teacher, or "
                         "whoever runs the machine.\n\n",
                         llabs(off) / 60, off < 0 ? "ahead of" : "behind");
}

static void print_words(const struct arguments *a, const struct session_class *c) {
    struct base_text t = {0};
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    char *words = session_class_words(c);
    base_text_puts(&t, words);
    add_roster(&t, c);
    add_pairs(&t, c);
    add_clock(&t, c);
    base_text_puts(&t, "Start with `zerotutor`. `zerotutor class status` shows what was handed in, "
                       "and `zerotutor class leave` ends the sharing.\n");
    page_markdown(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, t.s);
    command_terminal_print(p);
    free(words);
    base_text_free(&t);
}

/* What waits is handed in to a class that is over, and its record taken home, before another is
 * joined. */
static void end_over(const struct session_class *before) {
    if (!*before->folder || !session_class_is_over(before)) return;
    session_class_hand_in(NULL);
    session_class_take_home(NULL);
}

int command_class_join(const struct arguments *a) {
    struct base_message m = {0};
    struct session_class c, before = {.folder = ""};
    if (a->operands != 2)
        return command_say_error("name the class's folder: `zerotutor class join FOLDER`");
    if (session_class(&before)) end_over(&before);
    if (!session_class_join(a->operand[1], command_arguments_value(a, "with"), &c, &m))
        return command_say_message(&m);
    if (*before.folder && strcmp(before.settings.id, c.settings.id) != 0)
        printf("The class %s is over, and you left it. What you handed in stays with it.\n",
               before.settings.name);
    print_words(a, &c);
    return COMMAND_WELL;
}

/* ── the table of the speed challenge ──────────────────────────────────────────────────────────*/
static void print_nickname(struct learner *who) {
    char *name = session_nickname(who);
    if (name)
        printf("You are in the class's table of the speed challenge as %s.\n"
               "`zerotutor class nickname -` takes you out of it.\n",
               name);
    else
        printf("You are not in the class's table of the speed challenge.\n"
               "`zerotutor class nickname NAME` puts you there, under that name only.\n");
    free(name);
}

int command_class_nickname(const struct arguments *a) {
    struct base_message m = {0};
    const char *name = a->operands > 1 ? a->operand[1] : NULL;
    if (a->operands > 2) return command_say_error("a nickname is one word: put it into quotes");
    struct learner *who = session_learner_open(NULL, &m);
    bool set =
        who && (!name || session_set_nickname(who, strcmp(name, "-") == 0 ? NULL : name, &m));
    if (set) print_nickname(who);
    session_learner_close(who);
    return set ? COMMAND_WELL : command_say_message(&m);
}

int command_class_leave(const struct arguments *a) {
    struct base_message m = {0}, why = {0};
    struct session_class c;
    bool known = session_class(&c);
    if (a->operands != 1)
        return command_say_error("`zerotutor class leave` leaves the class that you are in: it "
                                 "takes no folder");
    bool handed = session_class_hand_in(&why);
    if (!session_class_leave(&m)) return command_say_message(&m);
    if (known && !handed) command_say_error("Not all of your answers are handed in. %s", why.what);
    printf("You left the class%s%s. Your answers go to your own record again.\n"
           "What you handed in stays with the class. `zerotutor class join FOLDER` continues it.\n",
           known ? " " : "", known ? c.settings.name : "");
    return COMMAND_WELL;
}

/* ── what was handed in ────────────────────────────────────────────────────────────────────────*/
/* Whether an item, "1.1/ddp-7b", is of this lesson. */
static bool is_of(const char *item, const char *lesson) {
    size_t n = strlen(lesson);
    return strncmp(item, lesson, n) == 0 && item[n] == '/';
}

/* {"lesson":"1.1","minutes":15,"due":…,"answers":12,"last":…} */
static json_t *lesson_json(const struct session_class *c, const struct classroom_lesson *l,
                           const struct classroom_handin *h) {
    size_t item = classroom_handin_column(h, "item"), time = classroom_handin_column(h, "time");
    int64_t answers = 0, last = 0, due = classroom_due(&c->settings, c->account, l->id),
            end = session_class_ends(c);
    if (c->settings.closed && due > end) due = end;
    for (size_t i = 0; i < h->answers; i++) {
        const char *of = json_string_value(json_array_get(h->answer[i].row, item));
        if (!of || !is_of(of, l->id)) continue;
        answers++;
        last = json_integer_value(json_array_get(h->answer[i].row, time));
    }
    return json_pack("{ss si sI sI sI}", "lesson", l->id, "minutes", l->minutes, "due",
                     (json_int_t)due, "answers", (json_int_t)answers, "last", (json_int_t)last);
}

/* When the teacher wrote this learner's feedback; 0 if there is none. */
static int64_t feedback_of(const struct session_class *c, const struct classroom_folder *f) {
    struct classroom_file file;
    char *name = base_format("%s.json", c->handin);
    bool there = classroom_read(f, CLASSROOM_FEEDBACK, name, classroom_teacher(f), 1 << 20, &file,
                                &(struct base_message){0});
    free(name);
    free(file.text);
    return there ? file.changed : 0;
}

static json_t *status_json(const struct session_class *c) {
    struct base_message m = {0};
    struct classroom_handin h = {0};
    struct classroom_folder *f = classroom_open(c->folder, &m);
    char *name = base_format("%s" CLASSROOM_HANDIN_END, c->handin);
    if (f) classroom_handin_read(f, CLASSROOM_HANDINS, name, &c->settings, &h, &m);
    json_t *lessons = json_array();
    for (size_t i = 0; i < c->settings.lessons; i++)
        json_array_append_new(lessons, lesson_json(c, &c->settings.lesson[i], &h));
    json_t *all =
        json_pack("{ss ss ss ss sb sb sb sI sI sI sI sI so}", "class", c->settings.name, "folder",
                  c->folder, "account", c->account, "with", c->with, "running", c->running,
                  "closed", c->settings.closed, "reachable", c->reachable, "begins",
                  (json_int_t)c->settings.begins, "ends", (json_int_t)session_class_ends(c),
                  "answers", (json_int_t)h.answers, "handed_in", (json_int_t)h.changed, "feedback",
                  (json_int_t)(f ? feedback_of(c, f) : 0), "lessons", lessons);
    classroom_handin_free(&h);
    free(name);
    classroom_close(f);
    return all;
}

/* ── status ────────────────────────────────────────────────────────────────────────────────────*/
static void put_lessons(struct page *p, const json_t *status) {
    enum { COLUMNS = 5 };
    const json_t *lessons = json_object_get(status, "lessons"), *l;
    size_t i, n = (json_array_size(lessons) + 1) * COLUMNS;
    char **cell = base_grow(NULL, n, sizeof *cell);
    static const char *const head[COLUMNS] = {"lesson", "minutes", "due", "answers", "last one"};
    for (i = 0; i < COLUMNS; i++) cell[i] = base_dup(head[i]);
    json_array_foreach(lessons, i, l) {
        char **row = cell + (i + 1) * COLUMNS;
        int64_t minutes = base_json_int(l, "minutes", 0), answers = base_json_int(l, "answers", 0);
        row[0] = base_dup(base_json_text(l, "lesson", ""));
        row[1] = minutes ? base_format("%lld", (long long)minutes) : base_dup("–");
        row[2] = command_class_time(base_json_int(l, "due", 0));
        row[3] = base_format("%lld", (long long)answers);
        row[4] = command_class_time(base_json_int(l, "last", 0));
    }
    page_table(p, (struct page_flow){.indent = 1}, (const char *const *)cell, n / COLUMNS, COLUMNS,
               "lrlrl", true);
    for (i = 0; i < n; i++) free(cell[i]);
    free(cell);
}

/* `waits`: why answers cannot be handed in now, or NULL. */
static void put_status(struct page *p, const struct session_class *c, const json_t *status,
                       const char *waits) {
    struct base_text t = {0};
    int64_t feedback = base_json_int(status, "feedback", 0);
    char *state = command_class_state(&c->settings, session_class_ends(c));
    char *handed = classroom_when_text(base_json_int(status, "handed_in", 0));
    int64_t answers = base_json_int(status, "answers", 0);
    base_text_printf(&t, "You are **%s**%s%s in the class **%s**. %s\n\n", c->account,
                     *c->with ? " with " : "", c->with, c->settings.name, state);
    if (!c->reachable)
        base_text_printf(&t,
                         "The folder %s cannot be read now. Your answers are in your record, and "
                         "are handed in when it is there again.\n\n",
                         c->folder);
    else if (waits)
        base_text_printf(&t,
                         "Answers cannot be handed in now: %s. Yours are in your record, and are "
                         "handed in when that works again.\n\n",
                         waits);
    if (c->reachable && answers)
        base_text_printf(&t, "%lld answer%s and guesses are handed in, the last at %s.\n\n",
                         (long long)answers, answers == 1 ? "" : "s", handed);
    else if (c->reachable && !waits)
        base_text_puts(&t, "You have not handed in an answer yet.\n\n");
    if (feedback) {
        char *when = classroom_when_text(feedback);
        base_text_printf(&t, "Your teacher wrote feedback at %s. Home shows it.\n\n", when);
        free(when);
    }
    page_markdown(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, t.s);
    if (c->settings.lessons) {
        page_blank(p, 1);
        put_lessons(p, status);
    }
    base_text_free(&t);
    free(handed);
    free(state);
}

int command_class_status(const struct arguments *a) {
    struct base_message m = {0}, why = {0};
    struct session_class c;
    if (a->operands > 1) return command_class_room(a);
    if (!session_class_read(&c, &m)) return command_say_message(&m);
    bool handed = session_class_hand_in(&why); /* what waits */
    if (!*c.folder)
        return command_say_error("you are in no class: `zerotutor class join FOLDER` joins one. "
                                 "Its teacher runs `zerotutor class status FOLDER`");
    json_t *status = status_json(&c);
    json_object_set_new(status, "waits", json_boolean(!handed));
    if (command_arguments_has(a, "json")) return command_say_json(status);
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    put_status(p, &c, status, handed ? NULL : why.what);
    command_terminal_print(p);
    json_decref(status);
    return COMMAND_WELL;
}
