/* classroom/reports.h: what learners find wrong with questions: handins/HEX.reports, JSON lines
 * that the learner's program replaces as a whole.
 *
 *     {"zerotutor":"reports","format":1,"class":ID,"account":"ada"}
 *     {"time":1795430000,"item":"1.1/ddp-7b","revision":2,"try":1,"seed":"17","program":"0.1.0",
 *      "wrong":"The card has 24 GB.","statement":…,"typed":…,"verdict":…,"mistake":…}
 *
 * The files in the learner's own reports/ are the truth: each writing has all of them that belong
 * to the class, so a folder that cannot be written for a while loses nothing. kept/HEX.reports is
 * what the teacher collected: it only grows. */
#ifndef CLASSROOM_REPORTS_H
#define CLASSROOM_REPORTS_H

#include "classroom/settings.h"

/* of one learner in a class */
enum { CLASSROOM_REPORTS_MOST = 100 };

/* Texts are on one line, without control characters, and end where they are too long. */
struct classroom_report {
    /* seconds since 1970, by the learner's clock */
    int64_t time;
    /* "1.1/ddp-7b", and its revision in the lesson */
    char item[CLASSROOM_TITLE];
    int64_t revision;
    /* the numbers that were asked: at which try, drawn from which seed */
    int64_t try;
    char seed[CLASSROOM_WORD];
    /* the version of the learner's program */
    char program[CLASSROOM_WORD];
    /* what the learner says is wrong */
    char wrong[2000];
    /* the question in words; the latest answer, what the program said of it, and which mistake */
    char statement[2000], typed[CLASSROOM_TITLE], verdict[CLASSROOM_WORD], mistake[CLASSROOM_TITLE];
};
/* Returns the line of the file, the caller's. */
json_t *classroom_report_json(const struct classroom_report *r);
/* Writes the file; `name` is the hand-in's, without an ending. Of more than CLASSROOM_REPORTS_MOST
 * the first are written. False with the message filled. */
bool classroom_reports_write(const struct classroom_folder *f, enum classroom_place p,
                             const char *name, const char *class, const char *account,
                             const struct classroom_report *report, size_t n,
                             struct base_message *m);

struct classroom_reports {
    char account[CLASSROOM_WORD];
    struct classroom_report *report;
    size_t count;
    /* a line is torn, or there are more than a learner may have: those before it are there */
    bool cut;
};
/* Reads the file of any account in handins/, or the teacher's own in kept/. False with the message
 * if it is not there, cannot be used, is another class's, or names another account than its owner
 * (unless the class is synchronised). classroom_reports_free() frees it in any case. */
bool classroom_reports_read(const struct classroom_folder *f, enum classroom_place p,
                            const char *name, const struct classroom_settings *s,
                            struct classroom_reports *out, struct base_message *m);
void classroom_reports_free(struct classroom_reports *r);
/* Adds to kept/HEX.reports what the file in handins/ has and it lacks; how many those are into
 * *fresh. False with the message filled: the file cannot be used, or is another account's than
 * `account`, whose hand-in has this name. True if there is no file. */
bool classroom_reports_keep(const struct classroom_folder *f, const char *name, const char *account,
                            const struct classroom_settings *s, size_t *fresh,
                            struct base_message *m);

#endif
