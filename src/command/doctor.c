/* doctor: says what of the terminal, the files and the lab works, and what to do about the rest. */
#include "command/internal.h"
#include "experiment/experiment.h"
#include "script/script.h"
#include "session/session.h"
#include "store/store.h"
#include "lesson/lesson.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum state { FINE, NOTED, BROKEN };
struct finding {
    enum state state;
    struct base_text text;
};

/* Adds to the text, and says how bad it is. */
static void found_to_be(struct finding *f, enum state state, const char *text) {
    f->state = state;
    base_text_puts(&f->text, text);
}

/* ── the lab ───────────────────────────────────────────────────────────────────────────────────*/
/* "NVIDIA H200, 150.1 GB, capability 9.0, driver 580.159.03, NCCL 2.28.9
 * (/usr/lib/libnccl.so.2)". */
static void add_device(struct finding *f, const json_t *gpu) {
    static const struct {
        const char *member, *format;
    } parts[] = {
        {"capability", ", capability %s"},
        {"driver", ", driver %s"},
        {"cuda", ", CUDA %s"},
        {"blas", ", %s"},
        {"nccl", ", NCCL %s"},
        {"nccl_path", " (%s)"},
    };
    char bytes[32];
    double memory = base_json_number(gpu, "memory", 0);
    base_text_printf(&f->text, "%s", base_json_text(gpu, "name", "a GPU"));
    if (memory > 0)
        base_text_printf(&f->text, ", %s", account_print_bytes(bytes, sizeof bytes, memory));
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        const char *value = base_json_text(gpu, parts[i].member, NULL);
        char *piece = value ? base_dup(parts[i].format) : NULL,
             *at = piece ? strstr(piece, "%s") : NULL;
        if (at) base_text_printf(&f->text, "%.*s%s%s", (int)(at - piece), piece, value, at + 2);
        free(piece);
    }
    const char *slow = base_json_text(gpu, "blas_slow", NULL);
    if (slow) base_text_printf(&f->text, ": %s; `make run` installs OpenBLAS where it can", slow);
    if (slow) f->state = NOTED;
    bool cuda = !strcmp(base_json_text(gpu, "device", ""), "cuda");
    if (cuda && !json_object_get(gpu, "nccl")) base_text_puts(&f->text, ", no NCCL found");
}

/* What a program of the lab finds; that there is no GPU is nothing to worry about. */
static void add_backend(struct finding *f, const json_t *backend) {
    const char *why = base_json_text(backend, "why", NULL);
    const json_t *device;
    size_t i;
    if (why) found_to_be(f, NOTED, why);
    json_array_foreach(json_object_get(backend, "devices"), i, device) {
        const char *missing = base_json_text(device, "why", NULL);
        base_text_puts(&f->text, i ? "; " : "");
        if (missing)
            base_text_printf(&f->text, "none: %s", missing);
        else
            add_device(f, device);
    }
}

static void check_lab(const struct arguments *a, struct finding *f) {
    (void)a;
    json_t *all = experiment_backends();
    add_backend(f, json_array_get(all, 0));
    json_decref(all);
}

/* The lab runs without GPUs; but a program for them that is here and does not start is noted. */
static void check_gpus(const struct arguments *a, struct finding *f) {
    (void)a;
    json_t *all = experiment_backends(), *cuda = json_array_get(all, 1);
    add_backend(f, cuda);
    if (f->state == NOTED && !json_object_get(cuda, "path")) f->state = FINE;
    json_decref(all);
}

/* ── the checks ────────────────────────────────────────────────────────────────────────────────*/
static const char *const state_name[] = {"ok", "note", "broken"};
static const unsigned state_role[] = {PAGE_GOOD, PAGE_WARN, PAGE_BAD};

/* ── files ─────────────────────────────────────────────────────────────────────────────────────*/
static size_t count_missing(const struct lesson_course *c, struct finding *f) {
    size_t missing = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        if (!c->lesson[i].file) continue;
        char *relative = base_format("lessons/%s", c->lesson[i].file);
        char *path = base_share_path(relative);
        if (access(path, R_OK) != 0)
            base_text_printf(&f->text, "%s%s", missing++ ? ", " : "", path);
        free(path);
        free(relative);
    }
    return missing;
}

static void check_course(struct finding *f, const struct lesson_course *c) {
    size_t lessons = 0;
    for (size_t i = 0; i < c->lessons; i++) lessons += c->lesson[i].kind == LESSON_ORDINARY;
    if (count_missing(c, f) == 0) {
        base_text_printf(&f->text, "%s: %zu lessons", base_share(), lessons);
        return;
    }
    found_to_be(f, BROKEN, " cannot be read: install again, or set ZEROTUTOR_SHARE");
}

static void check_files(const struct arguments *a, struct finding *f) {
    struct base_message m = {0};
    struct lesson_course c;
    (void)a;
    if (!base_share()) {
        found_to_be(f, BROKEN, "lessons not found: install again, or set ZEROTUTOR_SHARE");
        return;
    }
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, &m);
    if (json && lesson_course_read(&c, json, &m)) {
        check_course(f, &c);
        lesson_course_free(&c);
    } else
        found_to_be(f, BROKEN, m.what);
    json_decref(json);
    free(path);
}

/* ── the record ────────────────────────────────────────────────────────────────────────────────*/
/* SQLite may have a hundred things to say; the first two tell what it is about. Its headings ("***
 * in database main ***") tell nothing. */
static void add_first_lines(struct base_text *t, const char *lines) {
    enum { FIRST = 2 };
    size_t found = 0;
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        bool heading = strncmp(lines, "***", 3) == 0;
        if (!heading && found < FIRST)
            base_text_printf(t, "%s%.*s", found ? "; " : "", (int)n, lines);
        found += !heading;
        lines += n + (lines[n] == '\n');
    }
    if (found > FIRST) base_text_printf(t, "; and %zu more", found - FIRST);
}

static void check_store(struct finding *f, const char *path) {
    struct base_message m = {0};
    char *exposed = store_exposed(path); /* before other files appear next to it */
    struct store *s = store_open(path, &m);
    if (!s) {
        free(exposed);
        found_to_be(f, BROKEN, m.what);
        return;
    }
    char *broken = store_broken(s);
    if (broken) {
        base_text_printf(&f->text, "%s: its check finds: ", path);
        add_first_lines(&f->text, broken);
        found_to_be(f, BROKEN, ": move it away and keep it");
    } else
        base_text_printf(&f->text, "%s, %s, intact", path, store_mode(s));
    if (exposed && !broken) {
        base_text_puts(&f->text, "; but ");
        found_to_be(f, NOTED, exposed);
    }
    free(exposed);
    free(broken);
    store_close(s);
}

/* A link that leads nowhere is something, too. */
static bool is_there(const char *path) {
    struct stat it;
    return lstat(path, &it) == 0;
}

/* The nearest folder of a path that is there, if only as a link that leads nowhere: the rest would
 * be made in it. The caller owns it. */
static char *nearest_folder(const char *path) {
    char *folder = base_dup(path);
    for (char *slash; (slash = strrchr(folder, '/'));) {
        slash[slash == folder] = '\0';
        if (slash == folder || is_there(folder)) return folder;
    }
    free(folder);
    return base_dup(".");
}

/* SQLite writes next to the record, so its folder counts as well. Of a record that is there and may
 * not be used, the store says what to do. */
static bool can_write(const char *path, struct finding *f) {
    struct base_message m = {0};
    char *folder = nearest_folder(path);
    bool leads = base_link_leads(folder, &m), can = leads && access(folder, W_OK | X_OK) == 0;
    if (!leads) {
        base_text_printf(&f->text, "%s: ", folder);
        found_to_be(f, BROKEN, m.what);
    } else if (!can) {
        base_text_printf(&f->text, "%s cannot be kept because %s cannot be written", path, folder);
        found_to_be(f, BROKEN, ": set ZEROTUTOR_HOME to a folder of your own");
    }
    free(folder);
    return can;
}

/* A look must not create what it looks at. */
static void check_record(const struct arguments *a, struct finding *f) {
    const char *asked = command_arguments_value(a, "store");
    struct base_message m = {0};
    struct session_class in;
    if (!asked && (!base_home_check(&m) || !session_class_read(&in, &m))) {
        found_to_be(f, BROKEN, m.what);
        return;
    }
    char *path = asked ? base_dup(asked) : session_record_path();
    bool writable = can_write(path, f);
    if (writable && is_there(path))
        check_store(f, path);
    else if (writable)
        base_text_printf(&f->text, "%s: not made yet; your first lesson makes it", path);
    free(path);
}

/* ── lessons ───────────────────────────────────────────────────────────────────────────────────*/
static void check_worker(const struct arguments *a, struct finding *f) {
    static const char probe[] = "return lesson { id = 'probe', title = 'probe', "
                                "say { id = 'one', 'one' }, recap { id = 'end', 'end' } }";
    struct base_message m = {0};
    (void)a;
    struct script *s = script_open_text("probe", probe, sizeof probe - 1, NULL, &m);
    if (!s) {
        f->state = BROKEN;
        base_text_printf(&f->text, "a lesson does not run: %s", m.what);
        return;
    }
    script_close(s);
    base_text_printf(&f->text, "lessons run in a worker with %s", script_guards());
}

/* ── terminal ──────────────────────────────────────────────────────────────────────────────────*/
static void check_terminal(const struct arguments *a, struct finding *f) {
    enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12 };
    const char *term = getenv("TERM");
    int columns = command_terminal_columns(), rows = command_terminal_rows(),
        colours = command_terminal_colours();
    (void)a;
    if (!isatty(STDOUT_FILENO)) {
        found_to_be(f, FINE, "standard output is not a terminal");
        return;
    }
    base_text_printf(&f->text, "%s, %dx%d, ", term ? term : "TERM unset", columns, rows);
    if (colours)
        base_text_printf(&f->text, "%d colours", colours);
    else
        base_text_puts(&f->text, "no colours");
    const char *still = getenv("NO_MOTION");
    if (still && *still) base_text_puts(&f->text, ", no motion (NO_MOTION is set)");
    if (columns >= LEAST_COLUMNS && rows >= LEAST_ROWS && term) return;
    found_to_be(f, NOTED,
                term ? ": under 40x12 only --linear is comfortable" : ": set it, or use --linear");
}

static void check_locale(const struct arguments *a, struct finding *f) {
    (void)a;
    if (command_terminal_utf8())
        found_to_be(f, FINE, "UTF-8");
    else
        found_to_be(f, NOTED,
                    "not UTF-8, so figures are ASCII: set LC_ALL=C.UTF-8 for better ones");
}

/* ── libraries ─────────────────────────────────────────────────────────────────────────────────*/
/* Their headers stay in the modules that use them, so the loaded libraries themselves are asked by
 * name. */
static const struct {
    const char *name, *function;
} libraries[] = {
    {"SQLite", "sqlite3_libversion"},
    {"ncurses", "curses_version"},
    {"jansson", "jansson_version_str"},
    {"glibc", "gnu_get_libc_version"},
};

static const char *version_of(const char *function) {
    const char *(*ask)(void);
    void *symbol = dlsym(RTLD_DEFAULT, function);
    if (!symbol) return NULL;
    /* ISO C has no cast from an object's pointer to a function's */
    memcpy(&ask, &symbol, sizeof ask);
    return ask();
}

/* Lua says it in a text of its own: "$LuaVersion: Lua 5.4.4 …". */
static void add_lua(struct finding *f) {
    const char *ident = dlsym(RTLD_DEFAULT, "lua_ident");
    const char *lua = ident ? strstr(ident, "Lua 5") : NULL;
    if (lua) base_text_printf(&f->text, ", %.*s", (int)(4 + strcspn(lua + 4, " ")), lua);
}

static void check_libraries(const struct arguments *a, struct finding *f) {
    (void)a;
    base_text_printf(&f->text, "zerotutor %s", command_version);
    for (size_t i = 0; i < BASE_COUNT(libraries); i++) {
        const char *version = version_of(libraries[i].function);
        if (!version) continue;
        /* curses says its own name first */
        bool named = strncmp(version, libraries[i].name, strlen(libraries[i].name)) == 0;
        base_text_printf(&f->text, ", %s%s%s", named ? "" : libraries[i].name, named ? "" : " ",
                         version);
    }
    add_lua(f);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct check {
    const char *name;
    void (*look)(const struct arguments *a, struct finding *f);
} checks[] = {
    {"files", check_files},   {"record", check_record},      {"lessons", check_worker},
    {"lab", check_lab},       {"gpus", check_gpus},          {"terminal", check_terminal},
    {"locale", check_locale}, {"versions", check_libraries},
};

static void put_finding(struct page *p, const char *name, const struct finding *f) {
    int row = page_height(p);
    page_text(p, (struct page_flow){.indent = 20}, f->text.s);
    page_put(p, row, 1, PAGE_STRONG, 0, name);
    page_put(p, row, 11, state_role[f->state], 0, state_name[f->state]);
}

/* Paths may be called anything. */
static void clean(struct base_text *t) {
    char *safe = base_clean_dup(t->s, t->length, t->length * 3);
    base_text_free(t);
    base_text_puts(t, safe);
    free(safe);
}

static int run(const struct arguments *a) {
    struct page *p = command_terminal_page(!command_terminal_utf8());
    json_t *list = json_array();
    bool broken = false;
    for (size_t i = 0; i < BASE_COUNT(checks); i++) {
        struct finding f = {0};
        checks[i].look(a, &f);
        clean(&f.text);
        put_finding(p, checks[i].name, &f);
        json_array_append_new(list, json_pack("{ss ss ss}", "name", checks[i].name, "state",
                                              state_name[f.state], "text", f.text.s));
        broken |= f.state == BROKEN;
        base_text_free(&f.text);
    }
    if (command_arguments_has(a, "json")) {
        command_say_json(json_pack("{sb sO}", "ok", !broken, "checks", list));
        page_free(p);
    } else
        command_terminal_print(p);
    json_decref(list);
    return broken ? COMMAND_FAILED : COMMAND_WELL;
}

static const struct command_option options[] = {
    {"json", NULL, NULL, "the checks as JSON"},
    {"store", "FILE", NULL, "checks this record"},
};

const struct command command_doctor = {
    .name = "doctor",
    .rare = true,
    .summary = "checks the installation",
    .operands = "",
    .about = "Checks the installed files, your record, the sandbox that lessons run in, the lab's "
             "devices, and the terminal. The exit status is 1 if something is broken.",
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
