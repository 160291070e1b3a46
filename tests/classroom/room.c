#include "classroom/room.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct classroom_folder *room_open(void **state, struct classroom_settings *s) {
    struct base_message m = {0};
    char *path = scratch_path(state, "class");
    struct classroom_folder *f = classroom_make(path, &m);
    assert_non_null(f);
    classroom_settings_new(s, "sys-26");
    assert_true(classroom_settings_write(f, s, &m));
    free(path);
    return f;
}

pid_t room_child(void (*body)(void **state, int say), void **state) {
    int fd[2];
    char byte;
    assert_int_equal(pipe(fd), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        body(state, fd[1]);
        _exit(0);
    }
    close(fd[1]);
    assert_int_equal(read(fd[0], &byte, 1), 1);
    close(fd[0]);
    return pid;
}

_Noreturn void room_stay(int say) {
    if (write(say, "x", 1) == 1)
        for (;;) pause();
    _exit(1);
}

void room_reap(pid_t child, int signal) {
    if (signal) kill(child, signal);
    waitpid(child, NULL, 0);
}
