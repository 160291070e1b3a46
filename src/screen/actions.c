/* actions: which keys exist now: the view's own and those that every view has. The key line at the
 * bottom is made of them. */
#include "screen/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned open_help(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(v->app, &(struct view_request){.kind = VIEW_HELP, .of = v});
}

static bool is_help(const struct action *a) {
    return a->act == open_help;
}

VIEW_OPENER(open_settings, .kind = VIEW_SETTINGS)

/* The nearest term on the screen, else all of them. */
static unsigned open_glossary(struct view *v, const struct key *k) {
    const char *term = v->does->term ? v->does->term(v, 0) : NULL;
    (void)k;
    if (!term) return screen_app_list(v->app, VIEW_GLOSSARY);
    return screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_ENTRY, .entry = SESSION_TERM, .name = term});
}

static unsigned repaint(struct view *v, const struct key *k) {
    (void)k;
    v->app->terminal->does->repaint(v->app->terminal);
    return VIEW_REDRAW;
}

VIEW_OPENER(vote, .kind = VIEW_VOTE)
VIEW_OPENER(open_exit_questions, .kind = VIEW_LESSON, .name = LEARNER_EXIT)

static unsigned quit(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_QUIT;
}

/* ── the screen as a picture, for a note or a question to a colleague ──────────────────────────*/
/* The first name of screen-1.svg, screen-2.svg … that is free; the caller's. */
static char *free_name(const char *folder) {
    for (int n = 1;; n++) {
        char *path = base_format("%s/screen-%d.svg", folder, n);
        if (access(path, F_OK) != 0) return path;
        free(path);
    }
}

static char *write_picture(const struct app *app, const char *path, struct base_message *m) {
    char *svg = page_to_svg(app->frame->page, app->look.theme, "zerotutor");
    bool written = base_file_write(path, svg, strlen(svg), m);
    free(svg);
    return written ? base_format("saved as %s", path) : base_format("not saved: %s", m->what);
}

static unsigned save_screen(struct view *v, const struct key *k) {
    struct base_message m = {0};
    (void)k;
    if (!base_home_check(&m) || !base_make_dirs(base_home(), &m)) {
        screen_app_notice(v->app, base_format("not saved: %s", m.what));
        return VIEW_REDRAW;
    }
    char *path = free_name(base_home());
    screen_app_notice(v->app, write_picture(v->app, path, &m));
    free(path);
    return VIEW_REDRAW;
}
/* ── which keys ────────────────────────────────────────────────────────────────────────────────*/
/* Keys that mean the same everywhere. */
static const struct action EVERYWHERE[] = {
    {"vote", "v M-v", VIEW_VOTES, vote, "Answer what your teacher asks"},
    {"vote", "M-v", VIEW_VOTES_TYPING, vote, "Answer what your teacher asks"},
    {"exit questions", "X M-x", VIEW_EXITS, open_exit_questions,
     "Answer what your teacher asks at the end"},
    {"exit questions", "M-x", VIEW_EXITS_TYPING, open_exit_questions,
     "Answer what your teacher asks at the end"},
    {"glossary", "g F12", VIEW_READING, open_glossary,
     "Explain a word on this screen, or list all terms"},
    {"glossary", "F12", VIEW_TYPING, open_glossary,
     "Explain a word on this screen, or list all terms"},
    {"help", "? F1 C-g", VIEW_READING, open_help, "Show the keys of this screen"},
    {"help", "F1 C-g", VIEW_TYPING, open_help, "Show the keys of this screen"},
    {NULL, "Up k Down j", VIEW_LISTS, NULL, "Move from line to line"},
    {NULL, "PgUp PgDn", VIEW_LISTS, NULL, "Move by a page"},
    {NULL, "Home End", VIEW_LISTS, NULL, "Go to the first line, or the last"},
    {NULL, "Up k Down j", VIEW_SCROLLS, NULL, "Scroll by a row"},
    {NULL, "PgUp PgDn Space", VIEW_SCROLLS, NULL, "Scroll by a page"},
    {NULL, "Home End", VIEW_SCROLLS, NULL, "Go to the beginning, or the end"},
    {NULL, "Left Right", VIEW_TYPING, NULL, "Move by a character"},
    {NULL, "C-Left C-Right", VIEW_TYPING, NULL, "Move by a word"},
    {NULL, "Up Down", VIEW_TYPING, NULL, "Move by a line, or take what you typed before"},
    {NULL, "Home End C-a C-e", VIEW_TYPING, NULL, "Go to the ends of the line"},
    {NULL, "C-Home C-End", VIEW_TYPING, NULL, "Go to the beginning, or the end"},
    {NULL, "BS Del", VIEW_TYPING, NULL, "Delete the character before or under the cursor"},
    {NULL, "C-w", VIEW_TYPING, NULL, "Delete the word before the cursor"},
    {NULL, "C-u C-k", VIEW_TYPING, NULL, "Delete the line up to the cursor, or the rest of it"},
    {NULL, "S", VIEW_READING, open_settings, "Change theme, characters, colour, motion, mouse"},
    {NULL, "C-s", VIEW_ALWAYS, save_screen, "Save this screen as a picture in your folder"},
    {NULL, "C-l", VIEW_ALWAYS, repaint, "Redraw the screen"},
    {NULL, "C-c", VIEW_ALWAYS, quit, "Quit now; all answers are saved"},
};

struct view_states screen_view_states(const struct view *v) {
    struct view_states s = {.is[VIEW_ALWAYS] = true};
    v->does->state(v, &s);
    if (screen_app_is_asked(v->app))
        s.is[(session_class_votes(v->app->learner) ? VIEW_VOTES : VIEW_EXITS) + s.is[VIEW_TYPING]] =
            true;
    return s;
}

/* more than one view has at a time, and than one action */
enum { KEYS_MOST = 160, KEYS_LONG = 80 };
/* Passes an action on with those of its keys that no earlier one has, if there are any. */
struct sieve {
    action_told *each;
    void *to;
    uint32_t taken[KEYS_MOST];
    size_t count;
};

static bool is_taken(const struct sieve *s, uint32_t code) {
    for (size_t i = 0; i < s->count; i++)
        if (s->taken[i] == code) return true;
    return false;
}

static void sift(void *to, const struct action *a) {
    struct sieve *s = to;
    char left[KEYS_LONG] = "";
    size_t used = 0;
    uint32_t code;
    for (const char *keys = a->keys, *name = keys; (code = screen_key_named(&keys)) != PRESS_NONE;
         name = keys) {
        if (is_taken(s, code)) continue;
        size_t n = (size_t)(keys - name);
        assert(used + n < sizeof left);
        memcpy(left + used, name, n);
        used += n;
        if (s->count < KEYS_MOST) s->taken[s->count++] = code;
    }
    if (*left) s->each(s->to, a, left);
}

/* Those of now in order: of two that have a key in common the first has it. */
static void each_now(const struct view *v, void (*take)(void *to, const struct action *a),
                     void *to) {
    const struct view_states s = screen_view_states(v);
    for (size_t i = 0; i < v->does->count; i++) {
        const struct action *a = &v->does->actions[i];
        size_t count = 1;
        if (!s.is[a->when]) continue;
        if (!a->keys) a = v->does->extra(v, &count);
        for (size_t k = 0; k < count; k++) take(to, &a[k]);
    }
    for (size_t i = 0; i < BASE_COUNT(EVERYWHERE); i++)
        if (s.is[EVERYWHERE[i].when]) take(to, &EVERYWHERE[i]);
}

void screen_actions_each(const struct view *v, action_told *each, void *to) {
    struct sieve sieve = {.each = each, .to = to};
    each_now(v, sift, &sieve);
}

struct wanted {
    const struct key *key;
    const struct action *found;
};

static void compare(void *to, const struct action *a) {
    struct wanted *w = to;
    if (!w->found && screen_key_is(w->key, a->keys)) w->found = a;
}

const struct action *screen_actions_find(const struct view *v, const struct key *k) {
    struct wanted w = {k, NULL};
    if (k->code != PRESS_NONE) each_now(v, compare, &w);
    return w.found;
}

/* ── keys that do nothing ──────────────────────────────────────────────────────────────────────*/
/* The same letter, large or small. */
static struct key other_case(const struct key *k) {
    struct key other = *k;
    if ((k->code >= 'a' && k->code <= 'z') || (k->code >= 'A' && k->code <= 'Z'))
        other.code ^= 0x20;
    return other;
}

/* "1 2 3" is "1–3": each key is for one thing, so no single key means them all, and a click on the
 * range none of them: what it names is clicked where it stands. */
static bool is_range(const struct action *a) {
    const char *k = a->keys;
    return !a->act && strlen(k) > 3 && (strncmp(k, "0 1 ", 4) == 0 || strncmp(k, "1 2 ", 4) == 0);
}

/* For which key a hint is sought; the action that the key has once the open question is answered;
 * an action of now that another key has, and this one has at other times. */
struct sought {
    const struct view *view;
    const struct key *key;
    const struct action *later, *same;
};

/* Whether the key does the same in this view at other times. */
static bool does_same(const struct sought *s, const struct action *now) {
    for (size_t i = 0; i < s->view->does->count; i++) {
        const struct action *a = &s->view->does->actions[i];
        if (a->keys && a->label && now->label && strcmp(a->label, now->label) == 0 &&
            screen_key_is(s->key, a->keys))
            return true;
    }
    return false;
}

static void find_same(void *to, const struct action *a, const char *keys) {
    struct sought *s = to;
    (void)keys;
    if (!s->same && does_same(s, a)) s->same = a;
}

/* Digits count the lines of a list, which has no more; arrows and their like are for many things.
 */
static struct sought seek(const struct view *v, const struct key *k) {
    struct sought s = {.view = v, .key = k};
    const struct view_states states = screen_view_states(v);
    if (k->code <= ' ' || k->code >= 0x7f) return s;
    for (size_t i = 0; !s.later && i < v->does->count; i++) {
        const struct action *a = &v->does->actions[i];
        if (states.later[a->when] && a->keys && !is_range(a) && screen_key_is(k, a->keys))
            s.later = a;
    }
    screen_actions_each(v, find_same, &s);
    return s;
}

static void find_help(void *to, const struct action *a, const char *keys) {
    const struct action **help = to;
    (void)keys;
    if (is_help(a)) *help = a;
}

char *screen_actions_hint(const struct view *v, const struct key *k) {
    bool ascii = v->app->look.ascii;
    char own[16], meant[16], lists[16] = "?";
    struct key other = other_case(k);
    const struct action *near = other.code != k->code ? screen_actions_find(v, &other) : NULL,
                        *help = NULL;
    screen_actions_each(v, find_help, &help);
    const char *keys = help ? help->keys : "?";
    screen_key_caption(screen_key_named(&keys), ascii, lists, sizeof lists);
    screen_key_caption(k->code, ascii, own, sizeof own);
    struct sought s = seek(v, k);
    const char *those = s.same ? s.same->keys : "";
    uint32_t code = near ? other.code : screen_key_named(&those);
    if (near || s.same)
        return base_format("%s does nothing here; %s does: %s", own,
                           screen_key_caption(code, ascii, meant, sizeof meant),
                           near ? near->help : s.same->help);
    if (s.later) return base_format("%s, not now: %s", own, s.later->help);
    return help ? base_format("%s does nothing here; %s lists the keys that do", own, lists)
                : base_format("%s does nothing here", own);
}

/* ── the line of keys ──────────────────────────────────────────────────────────────────────────*/
enum { MOST = 32, GAP = 2 };

struct item {
    const struct action *action;
    const char *label;
    /* of a pair that goes both ways, the second, or PRESS_NONE; a range has neither */
    uint32_t press, other;
    char caption[16];
    /* a click on the word */
    uint32_t word;
    /* a click on the first cells is `press`, on those from `from` to `to` it is `other` */
    int width, middle, from, to;
    /* leaving stands at the right */
    bool right;
    /* where room is wanted */
    bool stays;
    bool shown;
};
struct line {
    struct item item[MOST];
    size_t count;
    bool ascii;
    /* a key works that only the help names */
    bool unnamed;
};

static void name_range(struct item *i, bool ascii) {
    char last = i->action->keys[strlen(i->action->keys) - 1];
    snprintf(i->caption, sizeof i->caption, "%c%s%c", *i->action->keys, ascii ? "-" : "–", last);
    i->press = i->other = i->word = PRESS_NONE;
}

/* The action's first key; the first two of a pair that goes both ways. */
static void name(struct item *i, bool ascii) {
    const char *keys = i->action->keys;
    char *out = i->caption;
    size_t size = sizeof i->caption;
    if (is_range(i->action)) {
        name_range(i, ascii);
        return;
    }
    i->press = screen_key_named(&keys);
    i->other = i->action->act ? PRESS_NONE : screen_key_named(&keys);
    screen_key_caption(i->press, ascii, out, size);
    i->from = i->middle = base_width(out) + 1;
    i->word = i->press;
    if (i->other == PRESS_NONE) return;
    size_t n = strlen(out);
    if (n + 1 < size) out[n++] = ' ';
    screen_key_caption(i->other, ascii, out + n, size - n);
    i->to = base_width(i->caption);
    i->word = i->other;
}

/* What works alike on every screen, and in every field, needs no hint that it is there. Moving in a
 * list and scrolling work only on some. */
static bool is_told(const struct action *a) {
    bool shared = a >= EVERYWHERE && a < EVERYWHERE + BASE_COUNT(EVERYWHERE);
    return !shared || a->when == VIEW_LISTS || a->when == VIEW_SCROLLS || a->act == open_glossary;
}

static void collect(void *to, const struct action *a, const char *keys) {
    struct line *l = to;
    (void)keys;
    l->unnamed |= !a->label && is_told(a);
    if (!a->label || l->count == MOST) return;
    struct item *i = &l->item[l->count++];
    *i = (struct item){.action = a, .label = a->label, .shown = true};
    name(i, l->ascii);
    i->right = i->press == PRESS_ESC || i->press == 'q';
    i->stays = i->right || is_help(a);
    i->width = base_width(i->caption) + 1 + base_width(a->label);
}

static int width_of(const struct line *l) {
    int width = -GAP;
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].shown) width += l->item[i].width + GAP;
    return width;
}

static void say_more(struct line *l) {
    for (size_t i = 0; i < l->count; i++)
        if (is_help(l->item[i].action)) l->item[i].label = "more";
}

/* Where a line is too narrow the later keys give way. Leaving stays, and the help, which has all of
 * them: its key then says that there are more. */
static void drop_to_fit(struct line *l, int capacity) {
    if (l->unnamed) say_more(l);
    if (width_of(l) <= capacity) return;
    say_more(l);
    for (size_t i = l->count; i-- > 1 && width_of(l) > capacity;)
        l->item[i].shown = l->item[i].stays;
}

static void put(struct frame *f, int row, int column, const struct item *i) {
    int end = page_put(f->page, row, f->left + column, PAGE_KEY, 0, i->caption);
    page_put(f->page, row, end + 1, PAGE_DIM, 0, i->label);
    int cells = base_width(i->caption), first = i->other == PRESS_NONE ? cells : i->middle;
    if (i->press != PRESS_NONE) screen_frame_zone(f, row, column, first, i->press, -1);
    if (i->other != PRESS_NONE)
        screen_frame_zone(f, row, column + i->from, i->to - i->from, i->other, -1);
    if (i->word != PRESS_NONE)
        screen_frame_zone(f, row, column + cells, i->width - cells, i->word, -1);
}

void screen_actions_draw(const struct view *v, struct frame *f) {
    struct line l = {.ascii = v->app->look.ascii};
    int width = f->right, row = f->all_rows - 1, column = 1, right = width - 1;
    screen_actions_each(v, collect, &l);
    drop_to_fit(&l, width - 2);
    for (size_t i = 0; i < l.count; i++) {
        const struct item *it = &l.item[i];
        if (!it->shown) continue;
        if (it->right) right -= it->width;
        put(f, row, it->right ? right : column, it);
        if (!it->right) column += it->width + GAP;
    }
}
