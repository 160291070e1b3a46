#include "script/process.h"

#include "script/late.h"
#include "script/sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void answer(struct sandbox *s, const json_t *request) {
    const char *what = base_json_text(request, "do", "");
    script_late_begin(s->L);
    if (strcmp(what, "load") == 0)
        script_sandbox_load(s, request);
    else if (strcmp(what, "call") == 0)
        script_sandbox_call(s, request);
    else if (strcmp(what, "calls") == 0)
        script_sandbox_calls(s, request);
    else
        script_sandbox_refuse(s, "the tutor asked for something that this worker does not know");
    script_late_begin(NULL);
}

void script_worker_main(int fd, struct trace *trace) {
    char *incoming = malloc(WIRE_MOST);
    struct sandbox *s = script_sandbox_new(SANDBOX_MEMORY, trace);
    size_t n;
    if (!incoming || !s || !script_sandbox_start(s)) _exit(1);
    script_late_take_signal(trace);
    while (script_wire_read(fd, incoming, WIRE_MOST, &n)) {
        json_t *request = script_request_read(incoming, n);
        if (!request) break;
        answer(s, request);
        json_decref(request);
        if (!script_wire_write(fd, s->message, s->n)) break;
    }
    free(incoming);
}
