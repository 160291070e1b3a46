/* What the verbs of `class` share: opening a class, and its times in words. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

bool command_class_open(const struct arguments *a, size_t i, struct classroom_folder **f,
                        struct classroom_settings *s) {
    struct base_message m = {0};
    if (i >= a->operands) {
        command_say_error("name the class's folder: `zerotutor class %s FOLDER`", a->operand[0]);
        return false;
    }
    *f = classroom_open(a->operand[i], &m);
    if (*f && classroom_settings_read(*f, s, &m)) {
        /* whatever hinders it, `class doctor` says */
        if (classroom_is_teacher(*f)) classroom_tell(*f, s, NULL);
        return true;
    }
    classroom_close(*f);
    command_say_message(&m);
    return false;
}

bool command_class_open_as_teacher(const struct arguments *a, size_t i, struct classroom_folder **f,
                                   struct classroom_settings *s) {
    if (!command_class_open(a, i, f, s)) return false;
    struct base_message m = {0};
    if (classroom_is_teacher(*f)) {
        if (!s->synchronised || classroom_complete(*f, &m)) return true;
        classroom_close(*f);
        command_say_message(&m);
        return false;
    }
    char *teacher = classroom_account(classroom_teacher(*f));
    command_say_error("%s: only its teacher, %s, may do that", classroom_path(*f), teacher);
    free(teacher);
    classroom_close(*f);
    return false;
}

char *command_class_state(const struct classroom_settings *s, int64_t ends) {
    int64_t now = base_now(), at = now < s->begins ? s->begins : ends;
    if (s->closed) return base_dup("The teacher closed it.");
    if (at == 0) return base_dup("It runs until the teacher closes it.");
    char *when = classroom_when_text(at);
    const char *words = now < s->begins ? "It begins at"
                        : now < at      ? "It runs until"
                                        : "It ended at";
    char *state = base_format("%s %s.", words, when);
    free(when);
    return state;
}

char *command_class_time(int64_t when) {
    return when ? classroom_when_text(when) : base_dup("–");
}

char *command_class_file(const char *account, json_t *taken) {
    enum { LONGEST = 56 };
    struct base_text t = {0};
    for (const char *c = account; *c && t.length < LONGEST; c++) {
        const char one[] = {*c, '\0'};
        bool fits = *c != '.' && classroom_is_name(one);
        base_text_puts(&t, fits || (*c == '.' && t.length) ? one : "-");
    }
    char *name = base_format("%s", t.length ? t.s : "-");
    for (int i = 2; json_object_get(taken, name); i++) {
        free(name);
        name = base_format("%s-%d", t.length ? t.s : "-", i);
    }
    json_object_set_new(taken, name, json_true());
    base_text_free(&t);
    return name;
}
