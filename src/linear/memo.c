/* memo: what is typed while a memo is to be written: it is edited and checked. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

static bool check_memo(struct talk *t) {
    struct base_message m = {0};
    char *text = session_memo_asked(t->session, &m);
    if (!text) {
        linear_complain(t, &m);
        return false;
    }
    struct memo_context *with = session_checks(t->learner);
    session_do(t->session,
               &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = text, .memo = with});
    session_checks_free(with);
    free(text);
    return linear_print_events(t);
}

static void edit_memo(struct talk *t) {
    struct base_message m = {0};
    char *path = session_memo_path(lesson_asked(session_dialogue(t->session))->memo);
    if (t->echo)
        base_fail(&m, "this is not a terminal: write %s with your own editor", path);
    else if (session_memo_begin(path, lesson_asked(session_dialogue(t->session))->memo_begins, &m))
        session_memo_edit(path, &m);
    if (*m.what)
        linear_complain(t, &m);
    else
        linear_print_markdown(t, PAGE_PLAIN, "Type `check` to check it.");
    free(path);
}

bool linear_do_memo(struct talk *t, const char *line) {
    if (strcmp(line, "check") == 0) return check_memo(t);
    if (strcmp(line, "edit") == 0)
        edit_memo(t);
    else
        linear_print_markdown(t, PAGE_DIM,
                              "The memo is written in its file: type `edit` or `check`.");
    return false;
}
