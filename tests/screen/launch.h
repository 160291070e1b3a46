/* launch: the full-screen program in a terminal, without the command line around it. A test program
 * that calls launch_main() first is the app when it is started by launch(). */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "tty/tty.h"

/* Runs the app and exits if that is what this process was started for. */
void launch_main(int argc, char **argv);

struct launch_options {
    /* 0: 80 and 24 */
    int columns, rows;
    /* a lesson, or the folder of a class to watch */
    const char *lesson, *watch;
    bool ascii;
    /* NAME=VALUE, ended by NULL */
    const char *environment[4];
    /* runs this with bash -mc, where "$0" is the app: for job control */
    const char *shell;
};
struct tty *launch(struct launch_options s);

#endif
