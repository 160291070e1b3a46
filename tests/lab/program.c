#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

char program_output[PROGRAM_TEXT];

int program_redirected(const char *words) {
    char command[1000];
    const char *program = getenv("ZEROLAB");
    (void)snprintf(command, sizeof command, "%s --tokens random %s",
                   program ? program : "build/zerolab", words);
    FILE *f = popen(command, "r"); /* NOLINT(cert-env33-c): the words are the tests' own */
    if (!f) return -1;
    size_t n = fread(program_output, 1, PROGRAM_TEXT - 1, f);
    program_output[n] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int program_run(const char *words) {
    char both[900];
    (void)snprintf(both, sizeof both, "%s 2>&1", words);
    return program_redirected(both);
}

size_t program_count(const char *needle) {
    size_t n = 0;
    for (const char *at = program_output; (at = strstr(at, needle)); at += strlen(needle)) n++;
    return n;
}
