/* main: hands the words over. */
#include "command/command.h"

int main(int argc, char **argv) {
    return command_main(argc, argv);
}
