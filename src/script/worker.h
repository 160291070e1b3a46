/* worker: what a lesson's process does all its life: one request, one answer, until the tutor is
 * gone. */
#ifndef SCRIPT_WORKER_H
#define SCRIPT_WORKER_H

struct trace;
void script_worker_main(int fd, struct trace *trace);

#endif
