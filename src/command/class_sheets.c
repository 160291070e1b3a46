/* class export --worksheets: a printed sheet for each account with its own numbers, and the key. */
#include "command/class_export.h"
#include "command/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct sheets {
    const struct classroom_settings *s;
    const char *folder;
    struct lesson_course course;
    const char *lesson[CLASSROOM_LESSONS];
    size_t lessons, written;
    /* names of files that are taken */
    json_t *names;
};

/* Labs of the plan have no problems. */
static void name_lessons(struct sheets *x) {
    for (size_t i = 0; i < x->s->lessons; i++)
        if (strncmp(x->s->lesson[i].id, "lab ", 4) != 0)
            x->lesson[x->lessons++] = x->s->lesson[i].id;
}

static bool print(const struct sheets *x, const struct export_book *b, unsigned parts,
                  const char *name, const char *ending, struct base_message *m) {
    char *file = base_format("%s/%s%s", x->folder, name, ending);
    bool printed = command_export_print(b, parts, &(struct export_way){"html", NULL, file}, m);
    free(file);
    return printed;
}

static bool write_sheet(struct sheets *x, const char *account, const char *name,
                        struct base_message *m) {
    struct export_book book;
    uint64_t seed = classroom_seed(x->s, account);
    struct export_wanted wanted = {.lesson = x->lesson, .lessons = x->lessons, .seed = seed};
    command_export_book_open(&book, seed);
    bool written = command_export_sheet(&book, &x->course, &wanted, m);
    if (written) {
        free(book.title);
        book.title = base_format("%s: %s", x->s->name, *name ? name : account);
        char *file = command_class_file(account, x->names);
        written = print(x, &book, EXPORT_ANSWERS, file, ".key.html", m) &&
                  print(x, &book, EXPORT_BODY, file, ".html", m);
        free(file);
    }
    command_export_book_free(&book);
    x->written += written;
    return written;
}

static bool write_all(struct sheets *x, const struct classroom_roster *roster,
                      const json_t *collected, struct base_message *m) {
    json_t *accounts = classroom_collected_accounts(collected), *own;
    const char *account;
    bool done = true;
    for (size_t i = 0; done && i < roster->people; i++)
        done = write_sheet(x, roster->person[i].account, roster->person[i].name, m);
    json_object_foreach(accounts, account, own) {
        if (done && !classroom_roster_find(roster, account)) done = write_sheet(x, account, "", m);
    }
    json_decref(accounts);
    return done && (x->written > 0 ||
                    base_fail(m, "nobody is on the roster and nothing was collected yet: make a "
                                 "roster first"));
}

bool command_class_sheets(const struct classroom_folder *f, const struct classroom_settings *s,
                          const struct classroom_roster *roster, const char *folder,
                          size_t *written, struct base_message *m) {
    struct sheets x = {.s = s, .folder = folder, .names = json_object()};
    json_t *collected = classroom_collected(f, m);
    if (!collected) json_decref(x.names);
    if (!collected) return false;
    name_lessons(&x);
    bool made = mkdir(folder, 0700) == 0 || errno == EEXIST ||
                base_fail_at(m, folder, 0, "cannot make this folder: %s", strerror(errno));
    bool done = made && command_export_course(&x.course, m);
    if (done) {
        done = write_all(&x, roster, collected, m);
        lesson_course_free(&x.course);
    }
    *written = x.written;
    json_decref(x.names);
    json_decref(collected);
    return done;
}
