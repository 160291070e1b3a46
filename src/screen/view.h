/* view: the interface of every screen of the program. A view is one file with one constant struct
 * of operations. It draws into a frame and answers keys with flags. Only the run loop (run.c)
 * redraws.
 *
 * Files, from the top: screen.c, run.c, views.c (which knows every view), the views, actions.c,
 * reference.c and app.c. Each calls only what is below it: a view opens another one with a request.
 *
 * Ownership: a view belongs to the run loop once it is on the stack; a frame always does. */
#ifndef SCREEN_VIEW_H
#define SCREEN_VIEW_H

#include "page/page.h"
#include "screen/frame.h"
#include "screen/keys.h"
#include "screen/scratch.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "session/session.h"

#include <limits.h>

/* What became of a key. */
enum view_result {
    VIEW_IGNORED = 0,
    VIEW_HANDLED = 1,
    VIEW_REDRAW = 2,
    /* close this view */
    VIEW_LEAVE = 4,
    /* app->opening goes on top */
    VIEW_OPEN = 8,
    /* close all but the first view before opening */
    VIEW_AFRESH = 16,
    VIEW_QUIT = 32,
    /* something is missing: the notice says what, and again only after another key */
    VIEW_LACKS = 64
};

/* The states that a view can be in. Some of its keys exist only in a state. A view numbers its own
 * states from VIEW_OWN. */
enum view_state {
    VIEW_ALWAYS,
    VIEW_READING,
    VIEW_TYPING,
    /* the teacher asks for a vote, or else exit questions; while reading, while typing */
    VIEW_VOTES,
    VIEW_VOTES_TYPING,
    VIEW_EXITS,
    VIEW_EXITS_TYPING,
    /* a cursor goes over a list; a page can be scrolled */
    VIEW_LISTS,
    VIEW_SCROLLS,
    VIEW_OWN
};
/* Which of them hold now, by every value that an action's `when` can have. */
struct view_states {
    bool is[UCHAR_MAX + 1];
    /* holds once the question that is open has been answered */
    bool later[UCHAR_MAX + 1];
};

struct view;
/* One thing to do in a view. The key line, the help and the dispatch of keys are all made of
 * these. */
struct action {
    /* in the key line; NULL: in the help only */
    const char *label;
    /* Any of these does it: names as in scripts, a blank between ("Enter Space C-s q"). NULL: the
     * view's `extra` actions stand here. */
    const char *keys;
    /* an enum view_state or a view's own: exists while that holds */
    unsigned char when;
    /* NULL: the view's key() does it, which gets no other key: of those that are typed into a
     * field the printable ones */
    unsigned (*act)(struct view *v, const struct key *k);
    /* one line */
    const char *help;
};

struct view_operations {
    /* "the lesson": the help's title */
    const char *name;
    /* the same of a view that is several things; may be NULL */
    const char *(*named)(const struct view *v);
    /* a sentence or two for the help */
    const char *about;
    const struct action *actions;
    size_t count;
    /* has something for a second pane */
    bool pane;
    /* without the line of keys */
    bool bare;
    /* it is drawn over the view below, which stays in sight */
    bool over;
    /* what the teacher asks is answered in it, so that no line says how */
    bool votes;
    /* lines of it begin with the number of a lesson, which that line is about */
    bool heads;
    /* The terms on the screen, the nearest first; NULL past the last. It lives until the view is
     * drawn again. May be NULL. */
    const char *(*term)(const struct view *v, size_t nth);
    /* whether it has a question open, whose answer no view above may show; may be NULL */
    bool (*asks)(const struct view *v);
    /* What it shows next to its main column now; NULL: the pane, if it has one. */
    enum frame_layout (*layout)(const struct view *v);
    /* Actions that depend on what is shown; they stay where they are until the next key. NULL:
     * none. */
    const struct action *(*extra)(const struct view *v, size_t *count);
    /* A line for the help on what is going on; may be NULL. */
    const char *(*now)(const struct view *v);
    /* sets what holds now */
    void (*state)(const struct view *v, struct view_states *s);
    void (*draw)(struct view *v, struct frame *f);
    /* What an action leaves to it, what is typed into a field, and the mouse; may be NULL. */
    unsigned (*key)(struct view *v, const struct key *k);
    /* A key or the mouse was pressed, before anything is done for it; may be NULL. */
    unsigned (*pressed)(struct view *v, const struct key *k);
    /* PRESS_PACE and PRESS_WATCHED; may be NULL. */
    unsigned (*tick)(struct view *v, const struct key *k);
    /* a descriptor to wait on; may be NULL */
    int (*watch)(const struct view *v);
    /* milliseconds until PRESS_PACE, -1 never; may be NULL */
    int (*pace)(const struct view *v);
    /* The program stops for the shell, or goes on: what runs beside it does the same. May be
     * NULL. */
    void (*rest)(struct view *v, bool rests);
    /* the view above was closed; may be NULL */
    void (*wake)(struct view *v);
    /* wake() reads all that it holds of the learner's record again, so that alone on the screen it
     * can go over to another record */
    bool turns;
    void (*close)(struct view *v);
};
struct voice_synthesiser;
struct app;
struct view {
    const struct view_operations *does;
    struct app *app;
};

/* How things look, from the settings, the options and the terminal. */
struct look {
    enum page_theme theme;
    bool ascii;
    /* 256, 8 or 0 */
    int colours;
    bool motion;
    /* clicks and the wheel are ours, and not the terminal's */
    bool mouse;
};
enum { APP_DEPTH = 12 };
struct view_request;
struct app {
    struct learner *learner;
    /* Makes the view that a request names: screen_view_make(), which knows all views. */
    struct view *(*make)(struct app *app, const struct view_request *r, struct base_message *m);
    struct terminal *terminal;
    /* as in screen_options */
    screen_certificate_saver *save_certificate;
    /* What reads aloud, looked for when that is first asked; NULL: nothing. */
    const struct voice_synthesiser *voice;
    bool voice_sought;
    /* a picture is made: what changes by itself is not read again */
    bool still;
    /* by an option, the environment or the terminal */
    bool ascii_forced, no_colour_forced;
    struct look look;
    struct view *stack[APP_DEPTH];
    size_t depth;
    struct view *opening;
    /* all runs of the lab that was closed last ended well */
    bool lab_well;
    /* a place in the class's queue that is kept while the learner does something else; NULL */
    struct session_turn *turn;
    /* Between keys the board of the learner's class is looked at. A picture does not. */
    bool attends;
    /* what was calculated next to lessons lies there until the program ends */
    struct scratch paper;
    /* one line above the keys, until the next key */
    char *notice;
    /* the key pressed last, if it did nothing; PRESS_NONE */
    uint32_t wrong;
    /* the last click: as it was taken, in which view, and when (base_ticks()) */
    struct key clicked;
    const struct view *clicked_in;
    int64_t clicked_at;
    /* a line that is printed when the terminal is free again; NULL */
    char *parting;
    /* what is on the screen */
    struct frame *frame;
};

/* ── opening views ─────────────────────────────────────────────────────────────────────────────*/
enum view_kind {
    VIEW_HOME,
    VIEW_LESSON,
    VIEW_GATE,
    VIEW_HELP,
    VIEW_SEARCH,
    VIEW_SETTINGS,
    VIEW_LAB,
    VIEW_RECORDING,
    VIEW_MEMO,
    VIEW_LABS,
    VIEW_JOB,
    VIEW_SUSPENDED,
    VIEW_ENTRY,
    VIEW_NOTE,
    VIEW_PROGRESS,
    VIEW_CERTIFICATE,
    VIEW_SPEED,
    VIEW_MAP,
    VIEW_WATCH,
    VIEW_VOTE,
    VIEW_PRESENT,
    VIEW_KINDS
};
/* Which view is to be opened, and on what. Views name each other only here, so that none of them
 * depends on another. The strings are borrowed until the view is made. */
struct view_request {
    enum view_kind kind;
    /* An id or a .lua file of a lesson; a lab's name (of all labs: where the cursor starts, may be
     * NULL); the path of a recording or a memo; the folder of a class to watch. */
    const char *name;
    /* PRESENT: of the class that is asked; NULL: none is. */
    const char *folder;
    /* LESSON, GATE: the step to start at. NULL continues where the learner stopped. */
    const char *step;
    /* LESSON: that step alone, and then the lesson's last. */
    bool alone;
    /* MEMO: the text of a file that does not exist yet. */
    const char *begins;
    /* SEARCH: a bit for each kind that is listed; 0: all. */
    unsigned kinds;
    /* ENTRY: of what `name` is the name. */
    enum session_kind entry;
    /* NOTE: the session at whose step it is written, which stays below.
     * LAB: the session whose step asks for it, NULL outside of lessons. If the lab cannot be
     * started, the session's dialogue says why. */
    struct session *session;
    /* NOTE: it is a report that something is wrong with the step, written to a file … */
    bool reports;
    /* … or with the question that this round asked last, which stays below. */
    const struct session_speed *asked_by;
    /* HOME: a lesson opens over it, so it reads the record when that closes. */
    bool covered;
    /* LAB: play the recordings of it instead. */
    bool recorded;
    /* MEMO: a step of a lesson asks for it. */
    bool course;
    /* RECORDING: 0 plays at the recorded pace, slowed down if it would be over too soon to see. */
    double speed;
    /* GATE: the lesson behind it, to be opened at `step`, and the check that opens its phase, as
     * places in the course. */
    size_t lesson, check;
    /* SPEED: what is chosen at first; NULL: as it was last. */
    const struct lesson_speed_options *round;
    /* HELP: the view that it explains. */
    const struct view *of;
};
/* Makes the view and asks the loop to put it on top. Returns a key's result: VIEW_OPEN, or
 * VIEW_REDRAW if the view cannot be made. Then a notice says why, unless a session does. */
unsigned screen_app_open(struct app *app, const struct view_request *r);
/* Defines an action that opens the view of a request. */
#define VIEW_OPENER(name, ...)                                                                     \
    static unsigned name(struct view *v, const struct key *k) {                                    \
        (void)k;                                                                                   \
        return screen_app_open(v->app, &(const struct view_request){__VA_ARGS__});                 \
    }
/* Puts a view on top before the loop runs. */
void screen_app_push(struct app *app, struct view *v);
/* Shows a line above the keys until the next key press. Takes ownership of `text`. */
void screen_app_notice(struct app *app, char *text);
/* The same, and prints the line when the program ends. Takes ownership of `text`. */
void screen_app_part(struct app *app, char *text);

/* Whether what the teacher of the class asks can be answered here and now. */
bool screen_app_is_asked(const struct app *app);

/* What several views do for a key: open the search, close this view. */
unsigned screen_action_search(struct view *v, const struct key *k);
unsigned screen_action_leave(struct view *v, const struct key *k);
/* Whether a view below has a question open. */
bool screen_app_asks(const struct app *app);
/* The lists of what can be looked up: the kinds of each, and its title. */
#define VIEW_GLOSSARY  (1u << SESSION_TERM)
#define VIEW_QUESTIONS (1u << SESSION_QUESTION)
#define VIEW_NOTES     (1u << SESSION_NOTE | 1u << SESSION_BOOKMARK)
unsigned screen_app_list(struct app *app, unsigned kinds);

/* An entry on a page of this width, its figure as thick as so many rows have room for; the
 * caller's. entry.c */
struct page *screen_entry_lay(const struct session_entry *e, const struct app *app, int width,
                              int rows);
/* Of such a page `rows` rows are shown from `top` on, at a row and a column of the frame's main
 * column. A click on where the entry is taught is the key `press`; one on a related term is its
 * number, or where numbers are typed has the target `related` + its place, from 0. */
struct screen_entry_window {
    int top, rows, row, column;
};
void screen_entry_zones(const struct session_entry *e, const struct page *p, struct frame *f,
                        struct screen_entry_window w, uint32_t press, int related);

/* Underlines cells [from, to) of a page's row, a click on which leads somewhere, if lines can be
 * drawn under words. reference.c */
void screen_link(const struct look *look, struct page *p, int row, int from, int to);
/* Marks the lessons that the screen names, which a click opens: whether it is such a click, and
 * what it does. reference.c */
void screen_references_mark(const struct app *app);
bool screen_reference_is(const struct key *k);
unsigned screen_reference_open(struct app *app, const struct key *k);

/* What holds of a view now. actions.c */
struct view_states screen_view_states(const struct view *v);
/* An action that exists now, and its keys, without those that an earlier action has. */
typedef void action_told(void *to, const struct action *a, const char *keys);
/* The keys of a view that exist now: its own, then those that are everywhere. Calls `each` in
 * order. actions.c */
void screen_actions_each(const struct view *v, action_told *each, void *to);
/* The first action that has a key in a view now, or NULL. */
const struct action *screen_actions_find(const struct view *v, const struct key *k);
/* What to say if a key did nothing in a view: which key was perhaps meant. The caller owns it. */
char *screen_actions_hint(const struct view *v, const struct key *k);
/* Draws the line of keys at the bottom. */
void screen_actions_draw(const struct view *v, struct frame *f);

/* The registry of views: makes the one that a request names, which the run loop closes. NULL with
 * the message filled if it cannot. views.c */
struct view *screen_view_make(struct app *app, const struct view_request *r,
                              struct base_message *m);
/* Its rows: each makes one kind of view, in the file of that view. */
typedef struct view *view_maker(struct app *app, const struct view_request *r,
                                struct base_message *m);
view_maker screen_view_home, screen_view_lesson, screen_view_gate, screen_view_help,
    screen_view_search, screen_view_settings, screen_view_lab, screen_view_recording,
    screen_view_memo, screen_view_labs, screen_view_progress, screen_view_speed, screen_view_map,
    screen_view_job, screen_view_suspended, screen_view_entry, screen_view_note,
    screen_view_certificate, screen_view_watch, screen_view_vote, screen_view_present;
/* The run loop: draws the top view, waits, hands the key over, until no view is left. run.c */
void screen_app_run(struct app *app);

/* The settings: read from the record, changed one step at a time. look.c */
void screen_look_read(struct app *app);
/* Before there is a terminal: whether a recording that is opened first plays. */
void screen_look_motion(struct app *app);
struct look_setting {
    /* in the record, and for people */
    const char *name, *label;
    /* as stored; the first is the default */
    const char *values[4];
    const char *shown[4], *what[4];
};
const struct look_setting *screen_look_settings(size_t *count);
/* Whether home counts the days that were kept. */
bool screen_look_streak(const struct app *app);
/* Which of its values is in use: not the setting's own, if an option overrides it. */
size_t screen_look_in_force(const struct app *app, size_t setting);
bool screen_look_change(struct app *app, size_t setting, int by, struct base_message *m);
bool screen_look_choose(struct app *app, size_t setting, size_t value, struct base_message *m);
/* Why a setting has no effect ("--ascii was given"), or NULL. */
const char *screen_look_overridden(const struct app *app, size_t setting);

#endif
