/* crowd.h: the files of a class of many, as learners' programs write them, but all by one account.
 * The class must be synchronised. */
#ifndef TESTS_CLASSROOM_CROWD_H
#define TESTS_CLASSROOM_CROWD_H

#include "classroom/classroom.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The numbers that a wrong answer is explained with. */
#define CROWD_PROBLEM                                                                              \
    "{\"problem\":{\"kind\":\"bytes\",\"training\":{\"params\":7e9,\"gpus\":8,\"stage\":1},"       \
    "\"quantity\":\"model_state\",\"unit\":\"GB\"}}"

/* The account of seat `i`, and the name of its files. */
static inline void crowd_seat(int i, char account[CLASSROOM_WORD], char name[CLASSROOM_NAME]) {
    snprintf(account, CLASSROOM_WORD, "seat-%d", i);
    snprintf(name, CLASSROOM_NAME, "%032x", (unsigned)i + 1);
}

/* An answer as a hand-in has it. */
struct crowd_answer {
    const char *item, *problem, *typed, *verdict, *mistake;
};
/* Adds answers to the hand-in of a seat. False if they cannot be written. */
static inline bool crowd_hand_in(const struct classroom_folder *f,
                                 const struct classroom_settings *s, int i,
                                 const struct crowd_answer *a, int answers) {
    char name[CLASSROOM_NAME], account[CLASSROOM_WORD];
    crowd_seat(i, account, name);
    char *file = base_format("%s" CLASSROOM_HANDIN_END, name);
    const struct classroom_handin_head head = {.class = s->id,
                                               .account = account,
                                               .with = "",
                                               .course = "",
                                               .version = BASE_VERSION,
                                               .seed = classroom_seed(s, account)};
    json_t *columns = json_pack("[ssssss]", "id", "item", "problem", "typed", "verdict", "mistake");
    struct classroom_writing *w = classroom_handin_begin(f, file, &head, columns, NULL);
    int rows = w ? (int)classroom_handin_rows(w) : 0;
    for (int k = 0; w && k < answers; k++) {
        json_t *row = json_pack("[isssss]", rows + k + 1, a[k].item, a[k].problem, a[k].typed,
                                a[k].verdict, a[k].mistake);
        char *text = json_dumps(row, JSON_COMPACT);
        classroom_handin_add(w, text, strlen(text), 20779);
        free(text);
        json_decref(row);
    }
    bool written = w && classroom_handin_end(w, NULL);
    json_decref(columns);
    free(file);
    return written;
}

/* A seat is at a step since then. */
static inline bool crowd_be_at(const struct classroom_folder *f, int i,
                               const struct classroom_presence *where, time_t since) {
    struct classroom_presence p = *where;
    char name[CLASSROOM_NAME];
    crowd_seat(i, p.account, name);
    bool told = classroom_presence_write(f, name, &p, NULL);
    char *path = base_format("%s/handins/%s" CLASSROOM_NOW_END, classroom_path(f), name);
    struct timespec then = {since, 0}, both[] = {then, then};
    told = told && utimensat(AT_FDCWD, path, both, 0) == 0;
    free(path);
    return told;
}

#endif
