/* input: a prompt, a line, and an eye on the lesson's file while waiting. */
#include "linear/inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 }; /* what is longer is cut: no answer is */

static void prompt(struct talk *t) {
    t->blank = false;
    fputs("> ", t->out);
    fflush(t->out);
}

static bool refresh(struct talk *t) {
    return t->session && session_refresh(t->session);
}

/* A terminal hands over whole lines, so nothing of the next one hides in stdio's buffer while we
 * poll. */
static void await_line(struct talk *t) {
    while (t->session && !t->echo && session_fd(t->session) >= 0) {
        struct pollfd wait[] = {
            {.fd = fileno(t->in),          .events = POLLIN},
            {.fd = session_fd(t->session), .events = POLLIN}
        };
        if (poll(wait, 2, -1) < 0 && errno != EINTR) return;
        if (wait[0].revents) return;
        if (!wait[1].revents || !session_refresh(t->session)) continue;
        fputc('\n', t->out);
        linear_print_events(t);
        prompt(t);
    }
}

char *linear_read_line(struct talk *t) {
    if (t->echo && refresh(t)) linear_print_events(t);
    prompt(t);
    await_line(t);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n = getline(&line, &capacity, t->in);
    if (n < 0) {
        free(line);
        fputc('\n', t->out);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    char *clean = base_clean_dup(line, strlen(line), LONGEST);
    free(line);
    if (t->echo) fprintf(t->out, "%s\n", clean);
    return clean;
}
