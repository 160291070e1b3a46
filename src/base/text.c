/* Growing text: the capacity doubles, so that a long text costs a copy of each byte or two. */
#include "base/base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct base_text *t, size_t more) {
    size_t needed = t->length + more + 1;
    if (needed <= t->capacity) return;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity < needed) capacity *= 2;
    t->s = base_grow(t->s, capacity, 1);
    t->capacity = capacity;
}

void base_text_add(struct base_text *t, const char *s, size_t n) {
    reserve(t, n);
    if (n) memcpy(t->s + t->length, s, n);
    t->length += n;
    t->s[t->length] = '\0';
}

void base_text_puts(struct base_text *t, const char *s) {
    base_text_add(t, s, strlen(s));
}

void base_text_printf(struct base_text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n >= 0) {
        reserve(t, (size_t)n);
        vsnprintf(t->s + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

char *base_text_take(struct base_text *t) {
    char *s = t->s ? t->s : base_dup("");
    *t = (struct base_text){0};
    return s;
}

void base_text_free(struct base_text *t) {
    free(t->s);
    *t = (struct base_text){0};
}

/* What a sum of doubles lacks of a whole percent is none. */
int base_percent(double share) {
    return (int)(100 * share + 1e-9);
}
