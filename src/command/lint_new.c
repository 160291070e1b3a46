/* lint --new: a starter lesson with every part that lint asks for. It is lua/starter.lua with
 * another id. */
#include "command/lint.h"

#include <stdlib.h>
#include <string.h>

enum { STARTER_MOST = 1 << 16, ID_MOST = 32 };

/* The id that stands in the starter, with its quotes. */
static const char PLACE[] = "\"0.0\"";

static bool is_id(const char *id) {
    size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789.-");
    return n > 0 && n <= ID_MOST && id[n] == '\0';
}

/* The starter with `id` in every place; the caller's. NULL with the message filled if it cannot be
 * read. */
static char *starter(const char *id, struct base_message *m) {
    struct base_text t = {0};
    char *path = base_share_path("lua/starter.lua");
    char *text = base_file_read(path, STARTER_MOST, NULL, m);
    free(path);
    for (const char *s = text, *place; s; s = place ? place + strlen(PLACE) : NULL) {
        place = strstr(s, PLACE);
        base_text_add(&t, s, place ? (size_t)(place - s) : strlen(s));
        if (place) base_text_printf(&t, "\"%s\"", id);
    }
    bool read = text != NULL;
    free(text);
    return read ? base_text_take(&t) : NULL;
}

/* Never over a file that is there: it may be an author's lesson. */
static int write_new(const char *path, const char *text) {
    struct base_message m = {0};
    enum base_wrote wrote = base_file_create(path, text, strlen(text), &m);
    if (wrote == BASE_DIFFERS)
        return command_say_error("'%s' exists already: name a file that does not", path);
    return wrote == BASE_WROTE ? COMMAND_WELL : command_say_message(&m);
}

static int check(const struct arguments *a, const char *id) {
    if (!is_id(id))
        return command_say_error(
            "--new cannot be '%s': take up to %d of a-z, 0-9, '.' and '-', as in 5.1", id, ID_MOST);
    if (a->operands > 1) return command_say_error("--new writes one lesson: name one file");
    if (!base_share())
        return command_say_error("the starter lesson was not found: set ZEROTUTOR_SHARE");
    return COMMAND_WELL;
}

int command_lint_new(const struct arguments *a) {
    struct base_message m = {0};
    const char *id = command_arguments_value(a, "new");
    int status = check(a, id);
    if (status != COMMAND_WELL) return status;
    char *text = starter(id, &m);
    if (!text) return command_say_message(&m);
    if (a->operands == 1)
        status = write_new(a->operand[0], text);
    else
        fputs(text, stdout);
    free(text);
    return status;
}
