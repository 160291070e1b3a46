/* What the files of the memo share. */
#ifndef MEMO_INSIDE_H
#define MEMO_INSIDE_H

#include "memo/memo.h"

/* ── scenarios ───────────────────────────────────────────────────────────────────────────────────*/
struct memo_scenario memo_scenario_blank(void);
/* The model whose shape a bare count is given: the nearest of the catalogue, Llama's first. NULL if none is near. */
const struct account_model *memo_scenario_shape(uint64_t params);
/* Settles what is left open, and says what is missing. */
bool memo_scenario_settle(struct memo_scenario *s, struct base_message *m);
void memo_name_recipe(struct memo_scenario *s);
/* 1-based, in characters. */
int memo_column(const char *text, const char *at);

/* ── quantities ──────────────────────────────────────────────────────────────────────────────────*/
enum memo_quantity {
    MEMO_Q_STATES,
    MEMO_Q_PARAMS,
    MEMO_Q_GRADS,
    MEMO_Q_MASTER,
    MEMO_Q_MOMENTS,
    MEMO_Q_MOMENT,
    MEMO_Q_OPTIMIZER,
    MEMO_Q_PARAMS_GRADS,
    MEMO_Q_GRADS_OPTIMIZER,
    MEMO_Q_PARAMS_OPTIMIZER,
    MEMO_Q_STATES_ACTIVATIONS,
    MEMO_Q_ACTIVATIONS,
    MEMO_Q_LOGITS,
    MEMO_Q_RESERVE,
    MEMO_Q_GATHERED,
    MEMO_Q_BUCKETS,
    MEMO_Q_WORKSPACE,
    MEMO_Q_BUFFERS,
    MEMO_Q_PEAK,
    MEMO_Q_INIT,
    MEMO_Q_PEAK_FORWARD,
    MEMO_Q_PEAK_BACKWARD,
    MEMO_Q_PEAK_UPDATE,
    MEMO_Q_USABLE,
    MEMO_Q_LABEL,
    MEMO_Q_SPARE,
    MEMO_Q_OVER,
    MEMO_Q_HOST,
    MEMO_Q_NVME,
    MEMO_Q_SENT,
    MEMO_Q_ALL_GATHER,
    MEMO_Q_REDUCE_SCATTER,
    MEMO_Q_ALL_REDUCE,
    MEMO_Q_ALL_TO_ALL,
    MEMO_Q_P2P,
    MEMO_Q_INSIDE,
    MEMO_Q_BETWEEN,
    MEMO_Q_NIC,
    MEMO_Q_DOWN,
    MEMO_Q_UP,
    MEMO_Q_COMM,
    MEMO_Q_EXPOSED,
    MEMO_Q_FORWARD,
    MEMO_Q_BACKWARD,
    MEMO_Q_COMPUTE,
    MEMO_Q_UPDATE,
    MEMO_Q_OFFLOAD,
    MEMO_Q_BUBBLE,
    MEMO_Q_STEP,
    MEMO_Q_RUN,
    MEMO_Q_THROUGHPUT,
    MEMO_Q_THROUGHPUT_GPU,
    MEMO_Q_LINK,
    MEMO_Q_NET,
    MEMO_Q_HOST_LINK,
    MEMO_Q_PER_PARAM,
    MEMO_Q_COUNT,
    MEMO_Q_TOKENS,
    MEMO_Q_MFU,
    MEMO_Q_GPU_HOURS,
    MEMO_Q_S
};
/* Fills `value` and what follows from it. */
void memo_count(struct memo_config *c);
/* The same, asked of the cache first, which may be NULL. */
void memo_recall(struct memo_cache *cache, struct memo_config *c);
/* The problem whose mistakes are the quantity's; false if there is none. */
bool memo_problem(enum memo_quantity q, const struct memo_config *c, struct account_problem *out);
/* The longest of the standard words at `s` of which a quantity has this measure (ACCOUNT_MEASURES: any); how many bytes it takes, 0: none.
 * MEMO_Q_S: a word that puts something else beside it. */
size_t memo_word_at(const char *s, const char *end, enum account_measure m,
                    enum memo_quantity *out);
/* Whether a value is one of the quantity's, as rightly as the figure is written. */
bool memo_holds(const struct memo_config *c, enum memo_quantity q, const struct account_figure *f);

/* ── the memo as it is read ──────────────────────────────────────────────────────────────────────*/
struct memo_span {
    const char *at, *end;
};
struct memo_line {
    struct memo_span text; /* without its newline and markup at its ends */
    enum memo_section section;
    enum memo_line_kind {
        MEMO_BLANK,
        MEMO_HEAD,
        MEMO_HEADING,
        MEMO_ROW,   /* of a table */
        MEMO_RULE,  /* the line under its head */
        MEMO_PROSE, /* goes on what stands before it */
        MEMO_ITEM,  /* begins a block of its own */
        MEMO_SILENT /* code, a comment */
    } kind;
};
struct memo {
    const char *text, *end;
    struct memo_line *line;
    size_t lines;
    const struct memo_context *context;
    struct memo_report *report;
    size_t prose, words[MEMO_SECTIONS + 1]; /* words of prose, and by section */
    int heading[MEMO_SECTIONS + 1];         /* the line of each section's heading; 0: none */
    size_t capacity;
    double activations;
    const char *judged; /* where the last quotation of a run stands */
};
enum { MEMO_CELLS = 16 };
/* lines.c */
void memo_read_lines(struct memo *m);
/* Once the head is known: under which section each line stands, and what is said there. */
void memo_read_sections(struct memo *m);
bool memo_has_cue(struct memo_span s, enum memo_section section);
size_t memo_cells(struct memo_span row, struct memo_span cell[MEMO_CELLS]);
struct memo_span memo_trim(struct memo_span s);
bool memo_same(struct memo_span s, const char *word);
/* head.c */
void memo_read_head(struct memo *m);
/* A change of a configuration, "stage 1": the config counted. */
bool memo_change(struct memo *m, const struct memo_config *of, const char *text,
                 struct memo_config *out, struct base_message *why);
/* claims.c: the table of figures that begins at line `i`; the line behind it. */
size_t memo_read_claims(struct memo *m, size_t i);
void memo_ask_claims(struct memo *m);
/* text.c */
void memo_read_text(struct memo *m);
/* lookup.c */
struct memo_word { /* a quantity or a configuration that a sentence names */
    const char *at;
    int is; /* enum memo_quantity; place of a config */
};
enum { MEMO_SAID = 64 };
struct memo_said { /* what a sentence or a cell and its heads name */
    struct memo_span span;
    size_t words, configs, figures;
    struct memo_word word[MEMO_SAID], config[MEMO_SAID];
    struct memo_seen { /* a figure and what is beside it */
        struct account_figure f;
        const char *at, *end;
        bool marked, checked, shown; /* by [measured: …], [checked: …]; it is part of arithmetic */
        double sum;                  /* what the arithmetic before it gives; 0: none stands there */
        char mark[24];
    } figure[MEMO_SAID];
};
void memo_look_up(struct memo *m, struct memo_said *s);
/* The same digits in another unit: GiB for GB, bits for bytes, ms for s; NULL if that explains nothing. */
const char *memo_unit_slip(const struct memo_config *c, enum memo_quantity q,
                           const struct account_figure *f);
/* Why a figure is not what the engine says of a pair: a unit, another configuration, a mistake. False: nothing known explains it. */
bool memo_explain(const struct memo_report *r, size_t config, enum memo_quantity q,
                  const struct account_figure *f, struct memo_finding *out);
/* Adds a span's words, configurations and figures. */
void memo_say(struct memo *m, struct memo_said *s, struct memo_span span, bool figures);
/* The configuration that stands at a place: how many bytes it takes, 0: none. Several: "stages 1 and 2". */
size_t memo_config_at(const struct memo_report *r, const char *s, const char *end, int *config);
/* marks.c: the mark at '[': where it ends, NULL if it is none. Judges a run's quotation. */
const char *memo_mark_at(struct memo *m, const char *s, const char *end, struct memo_said *said);
/* verdict.c */
void memo_decide(struct memo *m);
/* questions.c */
void memo_draw_questions(struct memo_report *r);
void memo_review(struct memo *m);

/* report.c */
struct memo_finding *memo_find(struct memo *m, enum memo_kind kind, struct memo_span where);
/* Of the memo as a whole. */
struct memo_finding *memo_tell(struct memo *m, enum memo_kind kind, enum memo_section section);
void memo_write_finding(struct memo_finding *f, const char *format, ...) BASE_PRINTF(2, 3);

#endif
