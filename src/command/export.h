/* What export's files share. A book is what is printed: blocks, in two parts, the pages and the
 * answers to them. A block is a JSON object whose "is" names its kind (export_block.c makes them);
 * export_md.c and export_html.c have a table of the kinds each. */
#ifndef COMMAND_EXPORT_H
#define COMMAND_EXPORT_H

#include "command/internal.h"
#include "script/script.h"
#include "lesson/lesson.h"

struct export_book {
    /* what it is called, and a line below that */
    char *title, *about;
    /* plain text: what printed it, with which numbers */
    char *colophon;
    /* has a place for a name and a date */
    bool named;
    /* one printed page must hold it */
    bool dense;
    json_t *body, *answers;
    /* questions numbered so far */
    size_t asked;
};
enum export_parts { EXPORT_BODY = 1, EXPORT_ANSWERS = 2 };
/* The title's and the rest's texts are the caller's format's; the colophon names the seed. */
void command_export_book_open(struct export_book *b, uint64_t seed);
void command_export_book_free(struct export_book *b);

/* ── blocks (export_block.c): each is added to an array of them ────────────────────────────────*/
void command_export_heading(json_t *to, const char *text); /* Markdown of one line */
void command_export_text(json_t *to, const char *markdown);
void command_export_quiet(json_t *to, const char *markdown); /* said quietly: sources, notes */
/* as command_export_text() */
void command_export_format(json_t *to, const char *format, ...) BASE_PRINTF(2, 3);
/* `spec` is as page_figure() reads it; NULL adds nothing. */
void command_export_figure(json_t *to, const json_t *spec);
/* Several of them that belong together, small. */
void command_export_scenes(json_t *to, json_t *figures);
/* What a page must not part. Returns the array of the blocks in it, borrowed. */
json_t *command_export_whole(json_t *to);
/* The same, and not from what comes after it either. */
json_t *command_export_lead(json_t *to);
/* Options to choose from, to number in order, or to put into `bins`. Arrays of texts. */
void command_export_choices(json_t *to, json_t *items);
void command_export_order(json_t *to, json_t *items);
void command_export_sort(json_t *to, json_t *items, const json_t *bins);
/* So many lines to write on, and a place for the answer in `unit` (NULL: none). */
void command_export_space(json_t *to, int lines, const char *unit);
/* The unit as the question says it: shards are cut in elements, whether they stand for a parameter
 * or only pad. */
const char *command_export_unit(const struct account_solution *s, enum account_unit unit);
/* A list of two columns: terms and what they mean, fronts and backs. */
void command_export_pairs(json_t *to, json_t *pairs);
/* A solution line by line. `notes`: texts by line id; `blank` lists the ids to be filled in: all if
 * it names none of them. NULL: neither. */
void command_export_working(json_t *to, const struct account_solution *s, const json_t *notes,
                            const json_t *blank);
/* Source with its notes: a figure of kind "listing", as the lesson gives it. */
void command_export_listing(json_t *to, const json_t *spec);

/* ── lessons ───────────────────────────────────────────────────────────────────────────────────*/
struct export_lesson {
    /* as it was asked for: borrowed */
    const char *name;
    struct script *script;
    /* the lesson as it was written */
    json_t *json;
    struct lesson *lesson;
};
/* The course, which lesson_course_free() frees. */
bool command_export_course(struct lesson_course *out, struct base_message *m);
/* A lesson of the course by id, or a file. */
bool command_export_open(const struct lesson_course *c, const char *name, struct export_lesson *out,
                         struct base_message *m);
void command_export_close(struct export_lesson *l);

/* ── what is printed ───────────────────────────────────────────────────────────────────────────*/
/* A numbered question's headings in both parts; the arrays that its blocks and its answer go
 * into. */
struct export_question {
    json_t *body, *answer;
};
struct export_question command_export_ask(struct export_book *b, const char *title, const char *of);
/* A problem with fresh numbers (export_problem.c): the question, space to write, and its
 * solution among the answers. `of`, if not NULL, tells in the answers where it comes from. */
bool command_export_problem(struct export_book *b, const struct export_lesson *l, size_t step,
                            uint64_t seed, int try, const char *of, struct base_message *m);
/* The question of one that has choices, or a problem that does not vary; its answer and reveal. */
void command_export_guess(struct export_question q, const json_t *step);
/* Every step of a lesson (export_step.c). */
bool command_export_steps(struct export_book *b, const struct export_lesson *l, uint64_t seed,
                          struct base_message *m);
/* Which problems stand on a worksheet. */
struct export_wanted {
    /* ids or files; none: by phase */
    const char *const *lesson;
    size_t lessons;
    /* from 1; 0: all */
    int phase;
    /* 0: each family once, but not too many */
    size_t count;
    uint64_t seed;
};
/* Fills a book that was opened with a worksheet. False with the message filled. */
bool command_export_sheet(struct export_book *b, const struct lesson_course *c,
                          const struct export_wanted *w, struct base_message *m);

/* ── as text ─────────────────────────────────────────────────────────────────────────────────────
 * `parts`: enum export_parts, or both. The caller owns the text; NULL if a figure cannot be
 * drawn. */
char *command_export_to_markdown(const struct export_book *b, unsigned parts,
                                 struct base_message *m);
/* `page`: "a4" or "letter". */
char *command_export_to_html(const struct export_book *b, unsigned parts, const char *page,
                             struct base_message *m);
/* The format that was asked for, or the one that the output's name ends in; "md" otherwise
 * (export_print.c). */
const char *command_export_format_of(const struct arguments *a);
/* False after the message was printed: a PDF for a terminal. */
bool command_export_suits_output(const struct arguments *a);
struct export_way {
    /* "md", "txt", "html", "pdf" */
    const char *format;
    /* NULL: "a4" */
    const char *page;
    /* NULL: to standard output */
    const char *file;
};
bool command_export_print(const struct export_book *b, unsigned parts, const struct export_way *w,
                          struct base_message *m);
/* The book as the text of a file in this format, the caller's; NULL with the message filled.
 * `page`: "a4" or "letter". */
char *command_export_lay_out(const struct export_book *b, unsigned parts, const char *format,
                             const char *page, size_t *length, struct base_message *m);

#endif
