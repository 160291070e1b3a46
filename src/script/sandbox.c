#include "script/sandbox.h"

#include "script/late.h"
#include "script/library.h"
#include "script/process.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEP 20000 /* calls within calls that no lesson needs */

#define TOO_NESTED "it is nested too deeply (C stack overflow)"

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/

static bool must_fail(struct sandbox *s) {
    s->allocations++;
    return s->fail_from > 0 && s->allocations >= s->fail_from &&
           s->allocations - s->fail_from < s->fail_count;
}

/* Lua calls it in the middle of things, with its stack half moved: so it looks at nothing of
 * Lua's. */
static void *allocate(void *self, void *old, size_t old_size, size_t size) {
    struct sandbox *s = self;
    size_t before = old ? old_size : 0; /* without a block, old_size is a type */
    if (size == 0) {
        free(old);
        s->used -= before;
        return NULL;
    }
    if (size > before) {
        if (must_fail(s)) return NULL;
        if (size > s->most || s->used - before > s->most - size) return NULL;
    }
    void *block = realloc(old, size);
    if (!block) return size > before ? NULL : old;
    s->used += size;
    s->used -= before;
    return block;
}

/* ── errors ────────────────────────────────────────────────────────────────────────────────────*/

/* "1.1.lua:42: text" gives 42 and the text; anything else 0 and itself. */
static int split_line(const struct sandbox *s, const char **text) {
    size_t n = strlen(s->name);
    if (n == 0 || strncmp(*text, s->name, n) != 0 || (*text)[n] != ':') return 0;
    char *end;
    long line = strtol(*text + n + 1, &end, 10);
    if (end == *text + n + 1 || *end != ':') return 0;
    *text = end + (end[1] == ' ' ? 2 : 1);
    return (int)line;
}

/* What was raised lies on top of the thread's stack; below it are the calls that it ended, still as
 * they were. Allocates nothing: memory may be why it is called. */
static void note_error(struct sandbox *s, int status) {
    lua_State *L = s->L;
    lua_Debug call;
    int line = 0;
    if (lua_type(L, -1) == LUA_TSTRING) {
        const char *text = lua_tostring(L, -1);
        line = split_line(s, &text);
        if (strstr(text, "C stack overflow")) text = TOO_NESTED;
        snprintf(s->error.text, sizeof s->error.text, "%s", text);
    } else {
        snprintf(s->error.text, sizeof s->error.text,
                 "the lesson raised a %s; error() takes a text", luaL_typename(L, -1));
    }
    s->error.line = line > 0 ? line : script_sandbox_line(L);
    s->error.deep = status == LUA_ERRMEM && lua_getstack(L, DEEP, &call) == 1;
}

/* Cut texts may end in half a character, and a lesson's own may be no UTF-8 at all. */
static void make_utf8(char *text) {
    if (base_utf8_valid(text, strlen(text))) return;
    for (char *c = text; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
}

static void answer_error(struct sandbox *s) {
    char line[16];
    make_utf8(s->error.text);
    snprintf(line, sizeof line, "%d", s->error.line);
    s->n = 0;
    script_encode_raw(s, "{\"is\":\"error\",\"file\":");
    script_encode_string(s, s->name, strlen(s->name));
    script_encode_raw(s, ",\"line\":");
    script_encode_raw(s, line);
    script_encode_raw(s, ",\"text\":");
    script_encode_string(s, s->error.text, strlen(s->error.text));
    script_encode_raw(s, "}");
}

void script_sandbox_refuse(struct sandbox *s, const char *text) {
    snprintf(s->error.text, sizeof s->error.text, "%s", text);
    s->error.line = 0;
    answer_error(s);
}

/* ── running ───────────────────────────────────────────────────────────────────────────────────*/

/* What to say in place of the error's own text; NULL if that says it. */
static const char *said_instead(const struct sandbox *s, int status) {
    if (script_late_passed()) return SANDBOX_LATE;
    if (status == LUA_ERRMEM) return s->error.deep ? SANDBOX_TOO_DEEP : SANDBOX_TOO_LARGE;
    return status == LUA_ERRERR ? "an error in the handling of an error" : NULL;
}

/* Calls `work(request)` with every error caught. `line` is blamed where no other is known. Resumed
 * and not called: an error then leaves the calls that led to it on the thread's stack, and nothing
 * runs or allocates before they are looked at. */
static void run(struct sandbox *s, lua_CFunction work, const json_t *request, int line) {
    lua_State *L = s->L;
    int results;
    s->n = 0;
    memset(&s->error, 0, sizeof s->error);
    /* Lua collects garbage where memory is refused and asks again, but not (since 5.4.6) where its
     * stack must grow */
    if (s->used > s->most / 2) lua_gc(L, LUA_GCCOLLECT);
    lua_pushcfunction(L, work); /* light: no allocation */
    lua_pushlightuserdata(L, (void *)(uintptr_t)request);
    int status = lua_resume(L, NULL, 1, &results);
    if (status != LUA_OK) note_error(s, status);
    lua_resetthread(L);
    lua_settop(L, 0);
    if (status == LUA_OK) return;
    const char *text = said_instead(s, status);
    if (text) snprintf(s->error.text, sizeof s->error.text, "%s", text);
    if (script_late_told() && s->trace && s->trace->line > 0) s->error.line = s->trace->line;
    if (s->error.line == 0) s->error.line = line;
    answer_error(s);
}

/* The lesson's globals: its own table, behind it what it may read, and nobody else's. */
static void push_globals(lua_State *L, int visible) {
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, visible);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static int load(lua_State *L) {
    struct sandbox *s = script_sandbox_of(L);
    const json_t *text = json_object_get(lua_touserdata(L, 1), "text");
    script_library_open(L);
    int library = lua_gettop(L);
    /* what lessons see, and what makes a lesson of what they return */
    script_language_open(L, library);
    int finish = lua_gettop(L), visible = finish - 1;
    char chunk[sizeof s->name + 1];
    snprintf(chunk, sizeof chunk, "@%s", s->name);
    if (luaL_loadbufferx(L, json_string_value(text), json_string_length(text), chunk, "t") !=
        LUA_OK)
        return lua_error(L);
    push_globals(L, visible);
    lua_setupvalue(L, -2, 1);
    lua_pushvalue(L, finish);
    lua_insert(L, -2);
    lua_call(L, 0, 1);
    lua_call(L, 1, 1);
    script_encode_answer(L, "lesson", "the lesson", 0);
    return 0;
}

/* What messages call a file: its name without folders, short enough that Lua prints it whole. */
static void take_name(struct sandbox *s, const char *name) {
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    size_t n = strlen(base), most = LUA_IDSIZE - 8;
    snprintf(s->name, sizeof s->name, "%s", n > most ? base + (n - most) : base);
}

/* Where the lesson is returned: `return lesson {` is a tail call, after which no line is on the
 * stack. */
static int line_of_return(const char *text) {
    int found = 0;
    for (int line = 1; text; line++) {
        if (strncmp(text, "return", 6) == 0) found = line;
        text = strchr(text, '\n');
        if (text) text++;
    }
    return found;
}

void script_sandbox_load(struct sandbox *s, const json_t *request) {
    take_name(s, base_json_text(request, "name", "lesson.lua"));
    s->language = json_object_get(request, "lua");
    run(s, load, request, line_of_return(base_json_text(request, "text", "")));
    s->language = NULL;
}

/* Before the closing brace of the answer, if there is room for it. */
static void add_draws(struct sandbox *s) {
    size_t whole = s->n--;
    char one[32];
    bool fits = s->draws <= SANDBOX_DRAWS && script_encode_raw(s, ",\"draws\":[");
    for (size_t i = 0; fits && i < s->draws; i++) {
        snprintf(one, sizeof one, "%s%lld", i ? "," : "", (long long)s->draw[i]);
        fits = script_encode_raw(s, one);
    }
    if (fits && script_encode_raw(s, "]}")) return;
    s->n = whole;
    s->message[whole - 1] = '}';
}

static int call(lua_State *L) {
    const json_t *request = lua_touserdata(L, 1);
    int fn = (int)base_json_int(request, "fn", 0);
    uint64_t seed = strtoull(base_json_text(request, "seed", "0"), NULL, 10);
    struct sandbox *s = script_sandbox_of(L);
    script_language_push_function(L, fn);
    script_language_push_chance(L, seed);
    lua_call(L, 1, 1);
    script_encode_answer(L, "value", "what vary returned", script_language_function_line(s, fn));
    add_draws(s);
    return 0;
}

void script_sandbox_call(struct sandbox *s, const json_t *request) {
    run(s, call, request, script_language_function_line(s, (int)base_json_int(request, "fn", 0)));
}

/* Adds what was answered last; false if it does not fit. */
static bool gather(struct sandbox *s, size_t *n) {
    if (s->n + 3 > sizeof s->answers - *n) return false;
    memcpy(s->answers + *n, s->message, s->n);
    *n += s->n;
    s->answers[(*n)++] = ',';
    return true;
}

void script_sandbox_calls(struct sandbox *s, const json_t *request) {
    static const char begin[] = "{\"is\":\"values\",\"values\":[";
    size_t i, n = sizeof begin - 1;
    const json_t *one;
    bool fits = true;
    memcpy(s->answers, begin, n);
    json_array_foreach(json_object_get(request, "calls"), i, one) {
        if (fits) script_sandbox_call(s, one);
        fits = fits && gather(s, &n);
    }
    if (s->answers[n - 1] == ',') n--;
    memcpy(s->message, s->answers, n);
    memcpy(s->message + n, "]}", 2);
    s->n = n + 2;
}

/* Never reached while every call is protected; if it were, there is nobody to tell but the tutor,
 * who sees the death. */
static int panic(lua_State *L) {
    (void)L;
    _exit(1);
}

struct sandbox *script_sandbox_new(size_t most, struct trace *trace) {
    struct sandbox *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->most = most;
    s->trace = trace;
    return s;
}

/* The thread is kept from collection by the registry. */
static int make_thread(lua_State *L) {
    struct sandbox *s = script_sandbox_of(L);
    s->L = lua_newthread(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, s);
    return 0;
}

bool script_sandbox_start(struct sandbox *s) {
    lua_State *L = lua_newstate(allocate, s);
    if (!L) return false;
    lua_atpanic(L, panic);
    *(struct sandbox **)lua_getextraspace(L) = s; /* of its threads too */
    lua_pushcfunction(L, make_thread);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) return true;
    s->L = NULL;
    lua_close(L);
    return false;
}
