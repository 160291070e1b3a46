/* memo: a memo is a file, which is written elsewhere and checked here. */
#include "plain/inside.h"

#include <stdlib.h>

static void complain(struct talk *t, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    print_markdown(t, PAPER_BAD, base_message_text(m, text, sizeof text));
}

static bool has_terminal(const struct talk *t) {
    return !t->echo;
}

void print_memo(struct talk *t, const struct study_ask *a) {
    struct base_message m = {0};
    char *path = sitting_memo_path(a->memo);
    if (sitting_memo_begin(path, a->memo_begins, &m)) {
        struct paper *p = print_begin(t);
        paper_text(p, (struct paper_flow){.role = PAPER_STRONG}, "Your memo is this file:");
        paper_put(p, paper_height(p), 2, PAPER_ACCENT, 0, path);
        paper_blank(p, 1);
        print_page(t, p);
        print_markdown(
            t, PAPER_DIM,
            has_terminal(t)
                ? "Write it with any editor; `edit` opens yours. Type `check` to have it "
                  "checked, as often as you like. An empty line goes on."
                : "Write it with any editor. Type `check` to have it checked, as often as "
                  "you like. An empty line goes on.");
    } else {
        complain(t, &m);
    }
    free(path);
}

bool check_memo(struct talk *t) {
    struct base_message m = {0};
    char *text = sitting_memo_asked(t->sitting, &m);
    if (!text) {
        complain(t, &m);
        return false;
    }
    struct memo_context *with = sitting_checks(t->desk);
    sitting_do(t->sitting,
               &(struct study_action){.kind = STUDY_DO_ANSWER, .text = text, .memo = with});
    sitting_checks_free(with);
    free(text);
    return print_events(t);
}

void edit_memo(struct talk *t) {
    struct base_message m = {0};
    char *path = sitting_memo_path(sitting_asked(t->sitting)->memo);
    if (!has_terminal(t))
        base_fail(&m, "there is no terminal here: write %s with an editor of your own", path);
    else if (sitting_memo_begin(path, sitting_asked(t->sitting)->memo_begins, &m))
        sitting_memo_edit(path, &m);
    if (*m.what)
        complain(t, &m);
    else
        print_markdown(t, PAPER_PLAIN, "Type `check` to have it checked.");
    free(path);
}
