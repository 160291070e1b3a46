/* Numbers and texts of a Lua file, in order. */
#ifndef COMMAND_LINT_LUA_H
#define COMMAND_LINT_LUA_H

#include <stdbool.h>
#include <stddef.h>

enum lint_lua_kind { LINT_NUMBER, LINT_TEXT };
struct lint_lua_token {
    enum lint_lua_kind kind;
    char *text; /* without quotes */
    int line;   /* where it begins */
    bool cited; /* it stands in `sources = { … }` or `further = { … }` */
};
struct lint_lua_reader {
    const char *at;
    int line, depth,
        cited; /* braces open; how many when a list of sources began, 0 outside of one */
    bool names_source, begins_list; /* the last word was `sources`; and then came `=` */
};

#endif
