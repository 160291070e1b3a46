/* memo: a memo being written, with what is known of its scenario beside it. memo.c opens and keeps it, memo_keys.c takes the keys,
 * memo_draw.c lays it out, memo_panel.c fills what stands beside the text, memo_scene.c asks the engine. Private to the room. */
#ifndef SCREEN_MEMO_H
#define SCREEN_MEMO_H

#include "screen/editor.h"
#include "screen/field.h"
#include "screen/view.h"

enum memo_panel { MEMO_FINDINGS, MEMO_LEDGER, MEMO_PLANNER, MEMO_CALCULATOR, MEMO_PANELS };
enum { MEMO_STAGES = 4, MEMO_SPOTS = 128 };
/* What a click means. */
enum { MEMO_TEXT = 1, MEMO_FIELD = 2, MEMO_FINDING = 100 };

/* What the engine says of the memo's scenario. */
struct memo_scene {
    char *line;     /* the scenario that the planner was asked for; NULL: none yet */
    char *plan;     /* what it would do */
    json_t *ledger; /* the figure of what was decided; NULL: nothing was, or it cannot be had */
    bool known;     /* the stages are */
    struct memo_stage {
        char states[24], peak[24];
        enum account_fit fits;
        bool exists, judged; /* the recipe has it; the card's memory is known */
    } stage[MEMO_STAGES];
};

struct memo {
    struct view view;
    struct sitting_memo *file;
    struct editor editor;
    unsigned saved, checked; /* the text's revisions that were */
    int64_t typed,
        unsaved;      /* when the last key came; since when the file is behind, 0: it is not */
    int64_t checking; /* milliseconds that the last check took */
    char *trouble;    /* why it could not be saved or checked; NULL */
    bool locked;      /* another program made of it what cannot be shown: nothing is saved */
    struct study_memo_report report;
    bool reported;
    size_t found; /* the finding that was last gone to */
    struct memo_scene scene;
    enum memo_panel panel; /* under the text, where the terminal is narrow; MEMO_PANELS: none */
    bool calculating;      /* the calculator has the cursor */
    struct field sum;
    bool beside; /* there is room beside the text: all panels are there */
    bool asked;  /* whether to leave although it is not saved */
    struct input_area {
        int row, column, width;
    } text, field; /* where they lay when last drawn */
};

/* memo.c */
/* Saves what is not saved yet. False if that cannot be; `trouble` says why. */
bool memo_save(struct memo *m);
void memo_check(struct memo *m);
/* Whether the text changed since: takes note of the time. */
void memo_typed(struct memo *m);
/* Looks whether another program wrote it, and takes over what it wrote. */
void memo_look(struct memo *m);
/* A finding that there is something to do about: neither right nor merely rounded. */
bool memo_is_open(const struct study_memo_finding *f);
/* How much a finding matters: what is wrong before what is missing, and that before what is right. From MEMO_OPEN on it is to be mended. */
enum { MEMO_OPEN = 2, MEMO_GRAVEST = 4 };
int memo_gravity(enum study_memo_kind kind);
/* The finding that the cursor is at: the one that was gone to, else the one whose figure it stands in. The report's count: none. */
size_t memo_finding_here(const struct memo *m);
size_t memo_open_findings(const struct memo *m);

/* The section of the memo in which a place lies, by the headings before it; STUDY_MEMO_SECTIONS if in none. */
enum study_memo_section memo_section_at(const struct memo *m, size_t at);
/* The end of a section's heading; false if there is no such heading. */
bool memo_heading(const struct memo *m, enum study_memo_section s, size_t *at);

/* memo_keys.c */
enum { MEMO_ACTIONS = 18 };
extern const struct action memo_actions[MEMO_ACTIONS];
/* Where a finding is in the text: its figure; of what is missing, the end of the heading under which it belongs. False if it is nowhere. */
bool memo_place_of(const struct memo *m, const struct study_memo_finding *f, size_t *at);
void memo_state(const struct view *v, struct view_states *s);
unsigned memo_key(struct view *v, const struct key *k);

/* memo_draw.c */
void memo_draw(struct view *v, struct frame *f);

/* memo_panel.c */
struct memo_spots {          /* on the page of the panels */
    int finding[MEMO_SPOTS]; /* by row: the finding that a click there means, -1 none */
    struct field_spot cursor;
    int field_row, field_width; /* of the calculator, -1: it is not on the page */
    int least;                  /* rows that must be shown: those of the finding at the cursor */
};
/* Adds a panel below what is on the page, at most `rows` rows of it. */
void memo_panel_draw(const struct memo *m, enum memo_panel panel, struct paper *p, int rows,
                     struct memo_spots *spots);
const char *memo_panel_name(enum memo_panel panel);
const char *memo_sign(enum study_memo_kind kind, unsigned *role);
/* What the calculator makes of what is typed into it; the caller's, NULL if it cannot be read. */
char *memo_sum(const char *text);

/* memo_scene.c */
void memo_scene_read(struct memo_scene *s, const struct study_memo_report *r);
void memo_scene_free(struct memo_scene *s);

#endif
