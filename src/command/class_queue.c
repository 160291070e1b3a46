/* class queue: who has a turn with a lab, who waits, and what to take out of the queue. */
#include "command/class.h"
#include "command/report.h"

#include "session/membership.h"

#include <stdlib.h>
#include <string.h>

/* ── which class ───────────────────────────────────────────────────────────────────────────────*/
/* The folder that is named, else that of the class one is in. False after the message. */
static bool open_queue(const struct arguments *a, struct classroom_folder **f,
                       struct classroom_settings *s) {
    struct session_class in;
    struct base_message m = {0};
    if (a->operands > 1) return command_class_open(a, 1, f, s);
    if (!session_class(&in)) {
        command_say_error("you are in no class: name its folder, `zerotutor class queue FOLDER`");
        return false;
    }
    *s = in.settings;
    *f = classroom_open(in.folder, &m);
    if (!*f) command_say_message(&m);
    return *f != NULL;
}

/* ── printing ──────────────────────────────────────────────────────────────────────────────────*/
static json_t *json_of(const struct classroom_placed *r) {
    const struct classroom_wish *w = &r->ticket->wish;
    char *account = classroom_account(r->ticket->owner),
         *slots = classroom_slots_say(&r->turn->slots);
    json_t *one =
        json_pack("{ss ss ss ss si si ss ss si sI sb sI sI}", "account", account, "with", w->with,
                  "lab", w->lab, "kind", classroom_kind_name(w->kind), "slots", w->slots, "ranks",
                  w->ranks, "host", r->ticket->host, "state", classroom_stand_name(r->turn->stand),
                  "position", r->turn->position, "wait_seconds", (json_int_t)r->turn->wait,
                  "wait_measured", r->turn->known, "arrived", (json_int_t)r->ticket->arrived,
                  "since", (json_int_t)r->ticket->since);
    json_object_set_new(one, "uses", json_string(slots));
    free(account);
    free(slots);
    return one;
}

static void put_row(struct grid *g, const struct classroom_placed *r) {
    const struct classroom_wish *w = &r->ticket->wish;
    char *account = classroom_account(r->ticket->owner),
         *wait = r->turn->position ? classroom_say_wait(&r->turn[0]) : base_dup("");
    if (r->turn->position)
        command_grid_put(g, "%d", r->turn->position);
    else
        command_grid_put(g, "%s", "");
    command_grid_put(g, "%s%s%s", account, *w->with ? " and " : "", w->with);
    command_grid_put(g, "%s", w->lab);
    command_grid_put(g, "%d %s%s", w->slots, w->kind == CLASSROOM_GPU ? "GPU" : "core",
                     w->slots == 1 ? "" : "s");
    command_grid_put(g, "%s", classroom_stand_name(r->turn->stand));
    command_grid_put(g, "%s", wait);
    free(account);
    free(wait);
}

static int print_rows(const struct arguments *a, const struct classroom_placed *row, size_t n) {
    struct grid g = {0};
    if (n == 0) {
        puts("No lab runs and no lab waits.");
        return COMMAND_WELL;
    }
    command_grid_head(&g, "place", 'r');
    command_grid_head(&g, "account", 'l');
    command_grid_head(&g, "lab", 'l');
    command_grid_head(&g, "needs", 'l');
    command_grid_head(&g, "state", 'l');
    command_grid_head(&g, "turn", 'l');
    for (size_t i = 0; i < n; i++) put_row(&g, &row[i]);
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_grid_draw(&g, p);
    command_terminal_print(p);
    return COMMAND_WELL;
}

static int print_json(const struct classroom_placed *row, size_t n) {
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(all, json_of(&row[i]));
    return command_say_json(json_pack("{so}", "queue", all));
}

static int print_queue(const struct arguments *a, const struct classroom_folder *f,
                       const struct classroom_settings *s) {
    struct classroom_tickets t;
    struct classroom_turn *turns;
    struct base_message m = {0};
    int status;
    if (classroom_queue_read(f, s, classroom_clock(f), &t, &turns, &m)) {
        struct classroom_placed *row = base_alloc((t.count + 1) * sizeof *row);
        size_t n = classroom_turns_line(&t, turns, row);
        status = command_arguments_has(a, "json") ? print_json(row, n) : print_rows(a, row, n);
        free(row);
    } else {
        status = command_say_message(&m);
    }
    free(turns);
    classroom_tickets_free(&t);
    return status;
}

/* ── the verb ──────────────────────────────────────────────────────────────────────────────────*/
static int cancel(const struct classroom_folder *f, const struct classroom_settings *s) {
    struct base_message m = {0};
    int n = classroom_queue_cancel(f, s, &m);
    if (n < 0) return command_say_message(&m);
    if (n == 0) puts("None of your labs runs or waits.");
    if (n > 0) printf("%d of your labs taken out of the queue.\n", n);
    return COMMAND_WELL;
}

int command_class_queue(const struct arguments *a) {
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!open_queue(a, &f, &s)) return COMMAND_USAGE;
    int status = command_arguments_has(a, "cancel") ? cancel(f, &s) : print_queue(a, f, &s);
    classroom_close(f);
    return status;
}
