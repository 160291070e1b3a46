/* The last lines of what happened, for people. The oldest half goes when there are too many. */
#include "experiment/inside.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 300, HALF = EXPERIMENT_LOG_MOST / 2 };

static void forget_half(struct experiment_log *l) {
    for (size_t i = 0; i < HALF; i++) free(l->line[i]);
    memmove(l->line, l->line + HALF, (l->n - HALF) * sizeof *l->line);
    l->n -= HALF;
}

void experiment_log_add(struct experiment_log *l, const char *format, ...) {
    char text[LINE_MOST];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (l->n == EXPERIMENT_LOG_MOST) forget_half(l);
    l->line[l->n++] = base_clean_dup(text, strlen(text), sizeof text);
}

void experiment_log_free(struct experiment_log *l) {
    for (size_t i = 0; i < l->n; i++) free(l->line[i]);
    l->n = 0;
}
