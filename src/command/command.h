/* command: the command line. One file a subcommand, each with one constant struct; the table is in
 * table.c. */
#ifndef COMMAND_H
#define COMMAND_H

/* Runs the program; returns its exit status: 0 well, 1 something was checked and failed, 2 bad
 * usage. */
int command_main(int argc, char **argv);

#endif
