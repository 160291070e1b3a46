/* What the files of the memo share. */
#ifndef MEMO_INSIDE_H
#define MEMO_INSIDE_H

#include "memo/memo.h"

/* ── scenarios ─────────────────────────────────────────────────────────────────────────────────*/
struct memo_scenario memo_scenario_blank(void);
/* The model whose shape a bare count is given: the nearest of the catalogue, Llama's first. NULL if
 * none is near. */
const struct account_model *memo_scenario_shape(uint64_t params);
/* Settles what is left open, and says what is missing. */
bool memo_scenario_settle(struct memo_scenario *s, struct base_message *m);

/* ── quantities ────────────────────────────────────────────────────────────────────────────────*/
/* X(id, name, measure, mask of the categories it adds up, kind and quantity of the problem that has
 * its mistakes, the standard words for it) */
/* clang-format off */
#define MEMO_EACH(X) \
    X(STATES, "model states", BYTES, STATES, BYTES, "model_state", "model state|state") \
    X(PARAMS, "parameters", BYTES, B(PARAMS), BYTES, "params", "weight|parameter|param") \
    X(GRADS, "gradients", BYTES, B(GRADS), BYTES, "grads", "gradient|grad") \
    X(MASTER, "master copy", BYTES, B(MASTER), BYTES, "master", "master") \
    X(MOMENTS, "moments", BYTES, B(MOMENTS), BYTES, "moments", "moment") \
    X(MOMENT, "one moment", BYTES, 0, BYTES, NULL, "") \
    X(OPTIMIZER, "optimizer states", BYTES, B(MASTER) | B(MOMENTS), BYTES, "optimizer", \
      "optimizer state|optimizer") \
    X(PARAMS_GRADS, "parameters and gradients", BYTES, B(PARAMS) | B(GRADS), BYTES, NULL, "") \
    X(GRADS_OPTIMIZER, "gradients and optimizer states", BYTES, STATES & ~B(PARAMS), BYTES, \
      NULL, "") \
    X(PARAMS_OPTIMIZER, "parameters and optimizer states", BYTES, STATES & ~B(GRADS), BYTES, \
      NULL, "") \
    X(STATES_ACTIVATIONS, "model states and activations", BYTES, STATES | B(ACTIVATIONS), BYTES, \
      NULL, "") \
    X(ACTIVATIONS, "activations", BYTES, B(ACTIVATIONS), ACTIVATIONS, "total", "activation") \
    X(LOGITS, "logits", BYTES, 0, ACTIVATIONS, "logits", "logit") \
    X(RESERVE, "reserve", BYTES, B(FRAMEWORK), BYTES, NULL, "framework") \
    X(GATHERED, "gathered parameters", BYTES, B(GATHER), BYTES, NULL, "gathered|gather buffer") \
    X(BUCKETS, "reduction buckets", BYTES, B(REDUCE), BYTES, NULL, "bucket|reduce buffer") \
    X(WORKSPACE, "workspace", BYTES, B(WORKSPACE), BYTES, NULL, "") \
    X(STAGING, "staging", BYTES, B(STAGING), BYTES, NULL, "") \
    X(BUFFERS, "buffers", BYTES, B(GATHER) | B(REDUCE) | B(WORKSPACE) | B(STAGING), BYTES, NULL, \
      "") \
    X(LEDGER, "ledger in total", BYTES, 0, BYTES, NULL, "") \
    X(PEAK, "peak", BYTES, 0, PEAK, "total", "") \
    X(INIT, "memory after init", BYTES, 0, BYTES, NULL, "") \
    X(PEAK_FORWARD, "peak in forward", BYTES, 0, BYTES, NULL, "") \
    X(PEAK_BACKWARD, "peak in backward", BYTES, 0, BYTES, NULL, "") \
    X(PEAK_UPDATE, "peak in update", BYTES, 0, BYTES, NULL, "") \
    X(USABLE, "usable memory", BYTES, 0, BYTES, NULL, "usable") \
    X(LABEL, "memory on the box", BYTES, 0, BYTES, NULL, "") \
    X(SPARE, "spare", BYTES, 0, BYTES, NULL, "headroom|free|left") \
    X(OVER, "over the card", BYTES, 0, BYTES, NULL, "") \
    X(HOST, "host memory", BYTES, 0, HOST, "total", "host") \
    X(NVME, "NVMe", BYTES, 0, HOST, "nvme", "") \
    X(SENT, "sent per rank and step", BYTES, 0, TRAFFIC, "total", \
      "send|sent|traffic|communication volume|comm volume") \
    X(ALL_GATHER, "all-gather", BYTES, 0, TRAFFIC, "all_gather", "all gather") \
    X(REDUCE_SCATTER, "reduce-scatter", BYTES, 0, TRAFFIC, "reduce_scatter", "reduce scatter") \
    X(ALL_REDUCE, "all-reduce", BYTES, 0, TRAFFIC, "all_reduce", "all reduce") \
    X(ALL_TO_ALL, "all-to-all", BYTES, 0, TRAFFIC, "all_to_all", "") \
    X(P2P, "point to point", BYTES, 0, TRAFFIC, "p2p", "") \
    X(INSIDE, "sent inside the node", BYTES, 0, TRAFFIC, "inside", "inside the node") \
    X(BETWEEN, "sent between nodes", BYTES, 0, TRAFFIC, "between", \
      "between nodes|between the nodes") \
    X(NIC, "sent per network card", BYTES, 0, BYTES, NULL, "network card|nic") \
    X(COLLECTIVE, "sent by one collective", BYTES, 0, BYTES, NULL, "") \
    X(DOWN, "down the host link", BYTES, 0, BYTES, NULL, "") \
    X(UP, "up the host link", BYTES, 0, BYTES, NULL, "") \
    X(HOST_TRAFFIC, "over the host link", BYTES, 0, BYTES, NULL, "") \
    X(COMM, "communication time", SECONDS, 0, SECONDS, "total", "communication|comm") \
    X(EXPOSED, "exposed communication", SECONDS, 0, BYTES, NULL, "exposed") \
    X(TRANSFER_TIME, "time of one transfer", SECONDS, 0, BYTES, NULL, "") \
    X(FORWARD, "forward", SECONDS, 0, BYTES, NULL, "") \
    X(BACKWARD, "backward", SECONDS, 0, BYTES, NULL, "") \
    X(COMPUTE, "computation", SECONDS, 0, BYTES, NULL, "compute") \
    X(UPDATE, "update", SECONDS, 0, BYTES, NULL, "") \
    X(OFFLOAD, "offloading", SECONDS, 0, BYTES, NULL, "") \
    X(BUBBLE, "pipeline bubble", SECONDS, 0, BYTES, NULL, "") \
    X(STEP, "step time", SECONDS, 0, BYTES, NULL, "step") \
    X(RUN, "whole run", SECONDS, 0, BYTES, NULL, "") \
    X(THROUGHPUT, "tokens/s", TOKENS_PER_S, 0, BYTES, NULL, "throughput|tokens per second") \
    X(THROUGHPUT_GPU, "tokens/s per GPU", TOKENS_PER_S, 0, BYTES, NULL, "") \
    X(LINK, "link", BYTES_PER_S, 0, BYTES, NULL, "") \
    X(NET, "network", BYTES_PER_S, 0, BYTES, NULL, "") \
    X(HOST_LINK, "host link", BYTES_PER_S, 0, BYTES, NULL, "") \
    X(PER_PARAM, "bytes per parameter", BYTES_PER_PARAM, 0, BYTES_PER_PARAM, "model_state", "") \
    X(COUNT, "parameter count", PARAMS, 0, BYTES, NULL, "") \
    X(TOKENS, "tokens per step", TOKENS, 0, BYTES, NULL, "") \
    X(MFU, "MFU", SHARES, 0, BYTES, NULL, "") \
    X(GPU_HOURS, "GPU-hours", GPU_HOURS, 0, BYTES, NULL, "")
/* clang-format on */
#define MEMO_ID(id, name, measure, mask, kind, asked, words) MEMO_Q_##id,
enum memo_quantity { MEMO_EACH(MEMO_ID) MEMO_Q_S };
/* Fills `value` and what follows from it. */
void memo_count(struct memo_config *c);
/* The same, asked of the cache first, which may be NULL. */
void memo_recall(struct memo_cache *cache, struct memo_config *c);
/* The unit that a bare number of this measure has. */
struct account_figure memo_usual_unit(enum account_measure m);
/* The problem whose mistakes are the quantity's; false if there is none. */
bool memo_problem(enum memo_quantity q, const struct memo_config *c, struct account_problem *out);
/* The longest of the standard words at `s`; how many bytes it takes, 0: none. */
size_t memo_word_at(const char *s, const char *end, enum memo_quantity *out);
/* Whether the word at `s` is one that only states a figure. */
bool memo_is_plain(const char *s, const char *end);
/* Whether a value is one of the quantity's, as rightly as the figure is written. */
bool memo_holds(const struct memo_config *c, enum memo_quantity q, const struct account_figure *f);

/* ── the memo as it is read ────────────────────────────────────────────────────────────────────*/
struct memo_span {
    const char *at, *end;
};
struct memo_line {
    /* without its newline and markup at its ends */
    struct memo_span text;
    enum memo_section section;
    enum memo_line_kind {
        MEMO_BLANK,
        MEMO_HEAD,
        MEMO_HEADING,
        /* of a table */
        MEMO_ROW,
        /* the line under its head */
        MEMO_RULE,
        /* goes on what stands before it */
        MEMO_PROSE,
        /* begins a block of its own */
        MEMO_ITEM,
        /* code, a comment */
        MEMO_SILENT
    } kind;
};
struct memo {
    const char *text, *end;
    struct memo_line *line;
    size_t lines;
    const struct memo_context *context;
    struct memo_report *report;
    /* words of prose, and by section */
    size_t prose, words[MEMO_SECTIONS + 1];
    /* the line of each section's heading; 0: none */
    int heading[MEMO_SECTIONS + 1];
    size_t capacity;
    /* it writes 48,75: a point may part thousands, and a comma may be one */
    bool commas;
    double activations;
    /* where the last quotation of a run stands */
    const char *judged;
};
enum { MEMO_CELLS = 16 };
/* lines.c */
void memo_read_lines(struct memo *m);
/* account_read_figure() for a memo: with its point or comma taken otherwise only where it writes
 * decimal commas. */
const char *memo_read_figure(const struct memo *m, const char *at, struct account_figure *f);
/* Once the head is known: under which section each line stands, and what is said there. */
void memo_read_sections(struct memo *m);
bool memo_has_cue(struct memo_span s, enum memo_section section);
size_t memo_cells(struct memo_span row, struct memo_span cell[MEMO_CELLS]);
struct memo_span memo_trim(struct memo_span s);
bool memo_same(struct memo_span s, const char *word);
/* How many bytes this phrase takes that stands here; blanks, hyphens and newlines between words are
 * one. 0: it does not. */
size_t memo_begins_at(const char *s, const char *end, const char *phrase, size_t length);
/* Where words stand first in a span, as memo_begins_at() finds them; NULL: nowhere. */
const char *memo_words_in(struct memo_span s, const char *words);
char *memo_copy(struct memo_span s); /* the caller's; what is too long for a line is cut */
/* findings.c */
struct memo_finding *memo_find(struct memo *m, enum memo_kind kind, struct memo_span where);
/* Of the memo as a whole. */
struct memo_finding *memo_tell(struct memo *m, enum memo_kind kind, enum memo_section section);
void memo_write_finding(struct memo_finding *f, const char *format, ...) BASE_PRINTF(2, 3);
/* head.c */
void memo_read_head(struct memo *m);
/* A change of a configuration, "stage 1": the config counted. */
bool memo_change(struct memo *m, const struct memo_config *of, const char *text,
                 struct memo_config *out, struct base_message *why);
/* claims.c: the table of figures that begins at line `i`; the line behind it. */
size_t memo_read_claims(struct memo *m, size_t i);
void memo_ask_claims(struct memo *m);
/* The quantities that a decision is asked for. */
enum { MEMO_CLAIMS = 7 };
extern const enum memo_quantity memo_claims[MEMO_CLAIMS];
/* text.c */
void memo_read_text(struct memo *m);
/* lookup.c */
/* a quantity or a configuration that a sentence names */
struct memo_word {
    const char *at;
    /* enum memo_quantity; place of a config */
    int is;
};
enum { MEMO_SAID = 64 };
/* what a sentence or a cell and its heads name */
struct memo_said {
    struct memo_span span;
    size_t words, configs, figures;
    /* than a plain statement: it has words that may say something else of its figures */
    bool more;
    struct memo_word word[MEMO_SAID], config[MEMO_SAID];
    /* a figure and what is next to it */
    struct memo_seen {
        struct account_figure f;
        const char *at, *end;
        /* by [measured: …], [checked: …]; it is part of arithmetic */
        bool marked, checked, shown;
        /* what the arithmetic before it gives; 0: none stands there */
        double sum;
        char mark[24];
    } figure[MEMO_SAID];
};
void memo_look_up(struct memo *m, struct memo_said *s);
/* The same digits in another unit: GiB for GB, bits for bytes, ms for s; NULL if that explains
 * nothing. */
const char *memo_unit_mistake(const struct memo_config *c, enum memo_quantity q,
                              const struct account_figure *f);
/* Why a figure is not what the engine says of a pair: a unit, another configuration, a mistake.
 * False: nothing known explains it. */
bool memo_explain(const struct memo_report *r, const struct memo_config *c, enum memo_quantity q,
                  const struct account_figure *f, struct memo_finding *out);
/* The configuration that stands at a place: how many bytes it takes, 0: none. Several: "stages 1
 * and 2". */
size_t memo_config_at(const struct memo_report *r, const char *s, const char *end, int *config);
/* marks.c: the mark at '[': where it ends, NULL if it is none. Judges a run's quotation. */
const char *memo_mark_at(struct memo *m, const char *s, const char *end, struct memo_said *said);
/* verdict.c */
void memo_decide(struct memo *m);
/* questions.c */
void memo_draw_questions(struct memo *m);
void memo_review(struct memo *m);

#endif
