/* lab runs: the runs that are kept in the learner's record, and how a memo quotes them. */
#include "command/grid.h"
#include "command/lab.h"

#include "session/session.h"

#include <stdlib.h>

enum { LISTED = 100 };

void command_lab_keep(const struct lab_runs *r, size_t i, double seconds) {
    struct base_message m = {0};
    struct store *s = store_open(NULL, &m);
    int64_t number = s ? session_keep_run(s, r->lab, r->first + i, r->run[i], seconds, &m) : 0;
    char *quote = number ? session_quote(s, number, NULL) : NULL;
    if (!number) command_say_message(&m);
    if (number && r->live)
        printf(" Kept as run %lld%s%s.\n\n", (long long)number,
               quote ? ". Your memo may quote it: " : "", quote ? quote : "");
    free(quote);
    store_close(s);
}

/* ── list ────────────────────────────────────────────────────────────────────────────────────────*/
struct listing {
    struct store *store;
    struct grid grid;
    json_t *json;
};

static void list_one(void *to, const struct store_run *r) {
    struct listing *l = to;
    char *quote = session_quote(l->store, r->number, NULL);
    command_grid_put(&l->grid, "%lld", (long long)r->number);
    command_grid_put(&l->grid, "%s", r->lab);
    command_grid_put(&l->grid, "%s", r->variant);
    command_grid_put(&l->grid, "%s", r->outcome);
    command_grid_put(&l->grid, "%s", quote ? quote : "");
    json_array_append_new(l->json,
                          json_pack("{sI sI ss ss ss ss ss? sO*}", "run", (json_int_t)r->number,
                                    "when", (json_int_t)r->when, "lab", r->lab, "variant",
                                    r->variant, "command", r->command, "outcome", r->outcome,
                                    "quote", quote, "measured", r->measured));
    free(quote);
}

static int show(const struct arguments *a, struct listing *l) {
    if (command_arguments_has(a, "json"))
        return command_say_json(json_pack("{sO}", "runs", l->json));
    if (json_array_size(l->json) == 0) {
        printf("No run of a lab is kept yet: `zerotutor lab run capstone` keeps its runs, and so "
               "do lessons.\n");
        return COMMAND_WELL;
    }
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_grid_draw(&l->grid, p);
    command_terminal_print(p);
    return COMMAND_WELL;
}

int command_lab_list_kept(const struct arguments *a) {
    struct base_message m = {0};
    if (a->operands > 1)
        return command_say_error("'%s' is one word too many: `zerotutor lab runs`", a->operand[1]);
    struct listing l = {.store = store_open(NULL, &m), .json = json_array()};
    command_grid_head(&l.grid, "run", 'r');
    command_grid_head(&l.grid, "lab", 'l');
    command_grid_head(&l.grid, "variant", 'l');
    command_grid_head(&l.grid, "came to", 'l');
    command_grid_head(&l.grid, "a memo quotes it as", 'l');
    bool read = l.store && store_runs(l.store, NULL, LISTED, list_one, &l, &m);
    int status = read ? show(a, &l) : command_say_message(&m);
    command_grid_free(&l.grid); /* where it was not drawn */
    store_close(l.store);
    json_decref(l.json);
    return status;
}
