/* Checked memory: running out of it ends the program in one place, with the terminal restored. */
#include "base/base.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* the one variable of this file: set once by whoever owns the terminal */
static void (*death_hook)(void);

void base_on_death(void (*hook)(void)) {
    death_hook = hook;
}

/* The hook is forgotten before it runs, so that a hook that runs out of memory itself cannot run
 * twice. */
static void last_words(void) {
    void (*hook)(void) = death_hook;
    death_hook = NULL;
    if (hook) hook();
}

static _Noreturn void out_of_memory(void) {
    last_words();
    fputs("zerotutor: out of memory: close other programs, or raise the limit (ulimit -v)\n",
          stderr);
    exit(EXIT_FAILURE);
}

void *base_alloc(size_t size) {
    assert(size > 0);
    void *memory = calloc(1, size);
    if (!memory) out_of_memory();
    return memory;
}

void *base_grow(void *old, size_t count, size_t size) {
    assert(count > 0 && size > 0);
    void *memory = reallocarray(old, count, size);
    if (!memory) out_of_memory();
    return memory;
}

char *base_dup(const char *s) {
    size_t size = strlen(s) + 1;
    return memcpy(base_alloc(size), s, size);
}

char *base_words(const char *id) {
    char *words = base_dup(id);
    for (char *c = words; *c; c++)
        if (*c == '-') *c = ' ';
    *words = (char)toupper((unsigned char)*words);
    return words;
}

char *base_format(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *made = NULL;
    int length = vasprintf(&made, format, args);
    va_end(args);
    if (length < 0) out_of_memory();
    return made;
}
