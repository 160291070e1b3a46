/* memo: a memo is a file, which is written elsewhere and checked here. */
#include "linear/inside.h"

#include <stdlib.h>

static void complain(struct talk *t, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    linear_print_markdown(t, PAGE_BAD, base_message_text(m, text, sizeof text));
}

static bool has_terminal(const struct talk *t) {
    return !t->echo;
}

void linear_print_memo(struct talk *t, const struct lesson_ask *a) {
    struct base_message m = {0};
    char *path = session_memo_path(a->memo);
    if (session_memo_begin(path, a->memo_begins, &m)) {
        struct page *p = linear_print_begin(t);
        page_text(p, (struct page_flow){.role = PAGE_STRONG}, "Your memo is this file:");
        page_put(p, page_height(p), 2, PAGE_ACCENT, 0, path);
        page_blank(p, 1);
        linear_print_page(t, p);
        linear_print_markdown(
            t, PAGE_DIM,
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

bool linear_check_memo(struct talk *t) {
    struct base_message m = {0};
    char *text = session_memo_asked(t->session, &m);
    if (!text) {
        complain(t, &m);
        return false;
    }
    struct memo_context *with = session_checks(t->desk);
    session_do(t->session,
               &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = text, .memo = with});
    session_checks_free(with);
    free(text);
    return linear_print_events(t);
}

void linear_edit_memo(struct talk *t) {
    struct base_message m = {0};
    char *path = session_memo_path(session_asked(t->session)->memo);
    if (!has_terminal(t))
        base_fail(&m, "there is no terminal here: write %s with an editor of your own", path);
    else if (session_memo_begin(path, session_asked(t->session)->memo_begins, &m))
        session_memo_edit(path, &m);
    if (*m.what)
        complain(t, &m);
    else
        linear_print_markdown(t, PAGE_PLAIN, "Type `check` to have it checked.");
    free(path);
}
