/* What the answers of mem, traffic, plan, whose and lab share: headings, tables, small print,
 * sources, fields of CSV. */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include "command/internal.h"

enum { REPORT_UNIT_MOST = 24 };

/* "Llama 2 13B, 13.02B parameters on 8 GPUs", then what else was given and what it is about. */
void command_report_heading(const struct account_training *t, const char *about, struct page *p);
/* The fields that are not as by default, as an object that names them; `model` too. */
json_t *command_report_json(const struct account_training *t);
/* One unit for the numbers of a table, by the largest of them. */
enum account_unit command_report_unit(double most);
/* A number of that unit, four digits, without its name. Returns `out`. */
const char *command_report_number(char out[static REPORT_UNIT_MOST], double bytes,
                                  enum account_unit unit);
/* "1.34 s", "52.3 ms", "8.1 us"; "" if less than nothing. */
const char *command_report_seconds(char out[static REPORT_UNIT_MOST], double seconds);
/* A line of small print, wrapped. */
void command_report_note(struct page *p, const char *format, ...) BASE_PRINTF(2, 3);
/* Small print: whose convention the numbers follow. */
void command_report_convention(const struct account_training *t, struct page *p);
/* Small print where times are shown: what part of the card's arithmetic they assume. */
void command_report_efficiency(const struct account_training *t, struct page *p);
/* The sources of the recipe, the model and the card, under a head; then one more. */
void command_report_sources(const struct account_training *t, struct page *p);
void command_report_source(const char *what, const char *source, struct page *p);
/* Text as a CSV field: in quotes where it must be. */
void command_report_csv(const char *text, FILE *out);

/* ── tables that grow cell by cell and own their texts ─────────────────────────────────────────*/
enum { GRID_COLUMNS = 20 };
/* {0} is an empty one */
struct grid {
    char **cell;
    size_t n, columns;
    char align[GRID_COLUMNS + 1];
};
/* A column: its head, and its alignment as in page_table(). All heads come before the first
 * cell. */
void command_grid_head(struct grid *g, const char *name, char align);
void command_grid_put(struct grid *g, const char *format, ...) BASE_PRINTF(2, 3);
/* A number of the unit that stands in the head. */
void command_grid_bytes(struct grid *g, double bytes, enum account_unit unit);
void command_grid_seconds(struct grid *g, double seconds);
/* Cells that the table would take from edge to edge. */
int command_grid_width(const struct grid *g, const struct page *p);
/* Draws it as wide as the page and leaves a row empty; frees it. */
void command_grid_draw(struct grid *g, struct page *p);
void command_grid_free(struct grid *g);

#endif
