/* memo: a memo being written, next to what is known of its scenario. memo.c is the view and its
 * keys, memo_draw.c lays it out, memo_panel.c fills the panels, memo_check.c finds places,
 * memo_file.c saves, memo_scene.c asks the engine. Private to the module. */
#ifndef SCREEN_MEMO_H
#define SCREEN_MEMO_H

#include "screen/editor.h"
#include "screen/find.h"
#include "screen/view.h"

enum writer_panel {
    WRITER_FINDINGS,
    WRITER_LEDGER,
    WRITER_PLANNER,
    WRITER_SENSITIVITY,
    WRITER_CALCULATOR,
    WRITER_PANELS
};
enum { WRITER_STAGES = 4, WRITER_SPOTS = 128 };
/* What a click means. */
enum { WRITER_TEXT = 1, WRITER_FIELD = 2, WRITER_FINDING = 100 };

/* What the engine says of the memo's scenario. */
struct writer_scene {
    /* the scenario that the planner was asked for; NULL: none yet */
    char *line;
    /* what it would do */
    char *plan;
    /* what the decision is sensitive to, a line each; NULL: nothing was decided */
    char *turns;
    /* the figure of what was decided; NULL: nothing was, or it cannot be had */
    json_t *ledger;
    /* the stages are */
    bool known;
    struct writer_stage {
        char states[24], peak[24];
        enum account_fit fits;
        /* the recipe has it; the card's memory is known */
        bool exists, judged;
        /* in the course: once the memo claims it */
        bool states_told, peak_told;
    } stage[WRITER_STAGES];
};

struct writer {
    struct view view;
    struct session_memo *file;
    struct editor editor;
    /* the text's revisions that were */
    unsigned saved, checked;
    /* When the last key came; since when the file is behind, 0: it is not. */
    int64_t typed, unsaved;
    /* milliseconds that the last check took */
    int64_t checking;
    /* why it could not be saved or checked; NULL */
    char *trouble;
    /* another program made of it what cannot be shown: nothing is saved */
    bool locked;
    /* Another program wrote it and so did the learner, who has not chosen yet: nothing is saved. */
    bool clash;
    struct memo_report report;
    bool reported;
    /* what it is checked with */
    struct memo_context *with;
    /* a step of a lesson: only what the memo claims is shown */
    bool course;
    /* the planner was not asked for this text yet */
    bool stale;
    /* Of the panel of findings: where its first row is; what does not fit any more, zeros: all
     * fits. */
    struct writer_place {
        size_t item;
        /* of the item, if it is too long for the panel */
        int row;
    } skipped, next;
    /* the finding that was last gone to */
    size_t found;
    struct writer_scene scene;
    /* Under the text, where the terminal is narrow; next to it the first. WRITER_PANELS: none. */
    enum writer_panel panel;
    /* a bit each: next to the text, if none is chosen, these have no room */
    unsigned left_out;
    /* the calculator has the cursor */
    bool calculating;
    /* and showed a result, which Enter writes into the memo */
    bool offers;
    struct editor sum;
    struct find find;
    /* there is room for panels next to the text */
    bool has_pane;
    /* whether to leave although it is not saved */
    bool asked;
    struct input_area {
        int row, column, width;
    } text, field; /* where they lay when last drawn */
};

/* ── its file: memo_file.c ─────────────────────────────────────────────────────────────────────*/
/* The name of a file without its folder. */
const char *screen_writer_last_name(const char *path);
/* Keeps why the memo could not be saved or checked; NULL: nothing is wrong. */
void screen_writer_set_trouble(struct writer *m, const struct base_message *why);
/* Saves what is not saved yet. False if that cannot be; `trouble` says why. */
bool screen_writer_save(struct writer *m);
/* Looks whether another program wrote the file, and shows what it wrote. If the learner typed too,
 * both texts are kept until take_theirs or overwrite chooses. */
void screen_writer_look(struct writer *m);
unsigned screen_writer_take_theirs(struct view *v, const struct key *k);
unsigned screen_writer_overwrite(struct view *v, const struct key *k);
/* Keeps a text that cannot be saved in a file next to the memo's, and says where once the program
 * has left the terminal. */
void screen_writer_keep(struct writer *m);

/* ── what the check found: memo_check.c ────────────────────────────────────────────────────────*/
void screen_writer_check(struct writer *m);
/* A finding that there is something to do about: neither right nor merely rounded. */
bool screen_writer_is_open(const struct memo_finding *f);
/* How much a finding matters: a wrong figure before a missing one, and that before a right one.
 * From WRITER_OPEN on the learner has to correct it. */
enum { WRITER_OPEN = 2, WRITER_GRAVEST = 4 };
int screen_writer_gravity(const struct memo_finding *f);
/* The finding at the cursor: the last one that the learner went to, else the one whose figure it is
 * in. The report's count if there is none. */
size_t screen_writer_finding_here(const struct writer *m);
size_t screen_writer_open_findings(const struct writer *m);
/* Where a finding is in the text: its figure; for a missing one, the end of the heading it belongs
 * under, or where that heading is to be written. */
size_t screen_writer_place_of(const struct writer *m, const struct memo_finding *f);
/* The section of the memo that a place is in, by the headings before it; MEMO_SECTIONS if none. */
enum memo_section screen_writer_section_at(const struct writer *m, size_t at);

/* memo_draw.c */
void screen_writer_draw(struct view *v, struct frame *f);

/* memo_panel.c */
/* on the page of the panels */
struct writer_spots {
    /* by row: the finding that a click there means, -1 none */
    int finding[WRITER_SPOTS];
    struct editor_spot cursor;
    /* of the calculator, -1: it is not on the page */
    int field_row, field_width;
    /* rows that the panel may take if the finding at the cursor needs them */
    int most;
    /* rows that must be shown: those of the finding at the cursor */
    int least;
    /* What of the findings does not fit, zeros: all fits; and how many items do not. */
    struct writer_place next;
    size_t left;
    /* where that is said */
    int left_row;
};
/* Adds a panel below what is on the page, at most `rows` rows of it. */
void screen_writer_panel_draw(struct writer *m, enum writer_panel panel, struct page *p, int rows,
                              struct writer_spots *spots);
const char *screen_writer_panel_name(enum writer_panel panel);
const char *screen_writer_sign(const struct memo_finding *f, unsigned *role);

/* memo_scene.c */
/* The stages, the ledger and what the decision is sensitive to. */
void screen_writer_scene_read(struct writer_scene *s, const struct memo_report *r, bool course);
/* The planner, which takes its time: asked in a pause. */
void screen_writer_scene_plan(struct writer_scene *s, const struct memo_report *r);
void screen_writer_scene_free(struct writer_scene *s);

#endif
