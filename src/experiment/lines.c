/* Lines out of bytes as they come: parts wait for their rest, and what is too long is passed
 * over. */
#include "experiment/inside.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void give(struct experiment_lines *l, experiment_line *each, void *self, bool cut) {
    each(self, l->partial.s ? l->partial.s : "", l->partial.length, cut);
    l->partial.length = 0;
}

/* The memory of a line that was long once is not held for ever. */
static void add_piece(struct experiment_lines *l, const char *s, size_t n, experiment_line *each,
                      void *self) {
    if (l->skipping) return;
    size_t left = EXPERIMENT_LINE_MOST - l->partial.length;
    base_text_add(&l->partial, s, n < left ? n : left);
    if (n <= left) return;
    give(l, each, self, true);
    base_text_free(&l->partial);
    l->skipping = true;
}

void experiment_lines_add(struct experiment_lines *l, const char *s, size_t n,
                          experiment_line *each, void *self) {
    while (n) {
        const char *end = memchr(s, '\n', n);
        size_t piece = end ? (size_t)(end - s) : n;
        add_piece(l, s, piece, each, self);
        if (!end) return;
        if (!l->skipping) give(l, each, self, false);
        l->skipping = false;
        s = end + 1;
        n -= piece + 1;
    }
}

void experiment_lines_end(struct experiment_lines *l, experiment_line *each, void *self) {
    if (l->partial.length && !l->skipping) give(l, each, self, false);
}

void experiment_lines_free(struct experiment_lines *l) {
    base_text_free(&l->partial);
}

/* ── the last lines of what happened ─────────────────────────────────────────────────────────────
 * For people. The oldest half goes when there are too many. */
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
