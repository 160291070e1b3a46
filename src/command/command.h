/* command: the command line. Each subcommand is one file with one constant struct. The table of
 * them is in command.c. */
#ifndef COMMAND_H
#define COMMAND_H

/* Runs the program; returns its exit status: 0 if all went well, 1 if something was checked and
 * failed, 2 for bad usage. */
int command_main(int argc, char **argv);

#endif
