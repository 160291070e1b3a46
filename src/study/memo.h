/* What the files of the memo's check share.
 *
 * A memo becomes tokens in blocks (memo_blocks.c). Words that say something about figures become mentions (memo_mentions.c), numbers with
 * a unit become figures (memo_figures.c). What a figure may be about follows from the mentions around it (memo_context.c); the engine says
 * what each of those is (memo_values.c), and the nearest of them judges the figure (memo_judge.c). What is said of two
 * configurations is judged by both (memo_sides.c, memo_compare.c). */
#ifndef STUDY_MEMO_H
#define STUDY_MEMO_H

#include "memo_text.h"

struct memo_range {
    size_t first, end; /* tokens [first, end) */
};
struct memo_block {
    struct memo_range tokens;
    struct memo_range row, column,
        heading; /* what stands over it: a table's row label and column head, the nearest heading */
    enum study_memo_section section;
    size_t
        parent; /* the item that this one is indented under, or the words that lead into its list: its place + 1; 0: none */
    bool cell, is_heading;
};

/* ── mentions ────────────────────────────────────────────────────────────────────────────────────*/
enum memo_what { /* what a figure is about; the order is that of memo_values.c's table */
                 MEMO_NOTHING,
                 MEMO_STATES,
                 MEMO_PARAMS,
                 MEMO_GRADS,
                 MEMO_MASTER,
                 MEMO_MOMENTS,
                 MEMO_MOMENT,          /* one of the two */
                 MEMO_GRADS_OPTIMIZER, /* together */
                 MEMO_PARAMS_GRADS,
                 MEMO_PARAMS_OPTIMIZER,
                 MEMO_OPTIMIZER,
                 MEMO_ACTIVATIONS,
                 MEMO_LOGITS,
                 MEMO_RESERVE,
                 MEMO_GATHERED,
                 MEMO_BUCKETS, /* that gradients are reduced in */
                 MEMO_PEAK,
                 MEMO_TOTAL, /* states or peak */
                 MEMO_USABLE,
                 MEMO_LABEL,
                 MEMO_SPARE,
                 MEMO_EXCESS, /* over what the card has */
                 MEMO_LEFT,   /* beside the states */
                 MEMO_STORED, /* of a checkpoint on disk */
                 MEMO_SENT,
                 MEMO_GATHERS,
                 MEMO_SCATTERS,
                 MEMO_REDUCES,
                 MEMO_INSIDE, /* of what is sent, what stays on the node */
                 MEMO_BETWEEN,
                 MEMO_HOST,
                 MEMO_STEP,
                 MEMO_COMM,
                 MEMO_EXPOSED,
                 MEMO_COMPUTE,
                 MEMO_FORWARD,
                 MEMO_BACKWARD,
                 MEMO_UPDATE,
                 MEMO_GATHER_TIME, /* of communication, that of one collective */
                 MEMO_SCATTER_TIME,
                 MEMO_REDUCE_TIME,
                 MEMO_TRAINING, /* of all tokens */
                 MEMO_TOKENS,   /* a second */
                 MEMO_LINK,
                 MEMO_NET,       /* between nodes */
                 MEMO_PER_PARAM, /* of all states; of one of them: */
                 MEMO_PER_WEIGHT,
                 MEMO_PER_GRAD,
                 MEMO_PER_MASTER,
                 MEMO_PER_MOMENT,
                 MEMO_PER_OPTIMIZER,
                 MEMO_OTHER, /* what the engine does not count: a data set, what is written to disk */
                 MEMO_WHATS
};
enum memo_says {                /* what a mention says; `value` is in brackets */
                 MEMO_ABOUT,    /* [enum memo_what] */
                 MEMO_STAGE,    /* [0 to 3] */
                 MEMO_KEEPS,    /* checkpointing [enum account_checkpoint] */
                 MEMO_RECIPE,   /* [index] */
                 MEMO_GPUS,     /* [count] */
                 MEMO_BATCH,    /* [sequences] */
                 MEMO_ROUNDS,   /* accumulation [micro-batches] */
                 MEMO_SEQUENCE, /* [tokens] */
                 MEMO_CARD,     /* [place in the catalogue] */
                 MEMO_OVER,     /* link [place in the catalogue] */
                 MEMO_OFFLOAD,  /* optimizer [enum account_tier] */
                 MEMO_TENSOR,   /* tensor parallel [degree] */
                 MEMO_PIPELINE, /* pipeline parallel [degree] */
                 MEMO_MFU,      /* share of peak arithmetic [up to 1] */
                 MEMO_WIRE,     /* gradients travel [enum account_width] */
                 MEMO_PER_GPU,
                 MEMO_PER_CLUSTER,
                 MEMO_MICRO, /* per micro-batch */
                 MEMO_FITS,  /* [1 yes, 0 no] */
                 MEMO_CHOOSES,
                 MEMO_REJECTS,
                 MEMO_CONDITION,
                 MEMO_FALLBACK,
                 MEMO_RISK,
                 MEMO_BASELINE,
                 MEMO_MEASURES,
                 MEMO_WIDE,      /* fp32 gradients */
                 MEMO_COUNT_SAID /* parameters [billions as value] */
};
struct memo_mention {
    enum memo_says says;
    double value;
    size_t first, end;
};

/* ── figures ─────────────────────────────────────────────────────────────────────────────────────*/
enum memo_dimension {
    MEMO_BYTES,
    MEMO_SECONDS,
    MEMO_TOKEN_RATE,
    MEMO_BYTE_RATE,
    MEMO_BYTES_PER_PARAM,
    MEMO_RATIO /* of two configurations */
};
enum memo_change { MEMO_STAYS, MEMO_FROM, MEMO_TO }; /* "falls from 300 GB to 67 GB" */
enum memo_bound { MEMO_EXACT, MEMO_AT_MOST, MEMO_AT_LEAST };
struct memo_figure {
    size_t first, end; /* number and unit; of a cell whose unit stands in the head, the number */
    size_t block;
    double low, high; /* in base units; the same if it is no range */
    double half;      /* of the last digit, base units */
    int digits;
    bool hedged, range, bits,
        coarse; /* coarse: minutes and longer, which are plans more often than claims */
    enum memo_bound bound;
    enum memo_change change;
    enum memo_dimension dimension;
    double scale;           /* of the unit */
    const char *unit;       /* its name */
    bool is_sum;            /* after "=" */
    bool per_gpu, per_step; /* "GB/GPU", "GB/step" */
    size_t place, of;     /* the place in its list "71.5, 48.75 and 26 GB", and how many they are */
    enum memo_what about; /* once judged: what it was taken for */
    struct account_training training; /* and of what */
    double truth;
    enum study_memo_kind kind;
    const struct account_mistake *mistake;
};

/* ── the check ───────────────────────────────────────────────────────────────────────────────────*/
enum { MEMO_CACHE = 64, MEMO_FIGURES = 1000 };
struct memo_known { /* what the engine says of one training */
    struct account_training training;
    bool used, has_memory, has_traffic, has_clock;
    struct account_memory memory;
    struct account_traffic traffic;
    struct account_clock clock;
    uint64_t gathered;
};
struct memo {
    struct memo_text text;
    struct memo_block *block;
    size_t blocks, block_room;
    struct memo_mention *mention; /* by place */
    size_t mentions, mention_room;
    const struct account_model *model; /* the scenario's own, where the catalogue has it */
    struct memo_figure *figure;
    size_t figures, figure_room, figures_left;
    bool has_section[STUDY_MEMO_SECTIONS + 1];
    int section_line[STUDY_MEMO_SECTIONS + 1];
    bool has_recipe;   /* named outright, or by a mention */
    double efficiency; /* assumed in the memo; 0: none */
    const struct study_memo_evidence *runs;
    size_t quotes;      /* of runs, that hold */
    struct memo_quote { /* a figure quoted of a run */
        size_t finding; /* its place in the report, until that is sorted */
        long run;
        char figure[40]; /* "1.83 GB" */
    } * quote;
    size_t quoted, quote_room, looked_up;
    struct study_memo_report *report;
    struct memo_known known[MEMO_CACHE];
    size_t next_known;
    struct memo_range deciding;       /* the sentence that decides */
    struct study_memo_finding beyond; /* what is found when the report is full */
    size_t finding_room;
    int placed_line;     /* of the last finding that was given a place; 0: none */
    size_t placed_start; /* where that line begins, in bytes */
};

/* memo_blank.c: a copy without what is not said; freed by the caller. */
char *memo_blank(const char *text, size_t length);
/* memo_math.c: formulas of LaTeX as people write them, the rest of their bytes blank. */
void memo_blank_math(char *own);
/* memo_blocks.c: tokens and blocks; finds the lines of the scenario and the recipe, which are no blocks. */
void memo_read_blocks(struct memo *m, const char *text, size_t length);
/* memo_recipe.c: the recipe that words in lower case name; the names of all. */
bool memo_recipe_named(const char *words, uint8_t *recipe);
const char *memo_recipe_list(char *out, size_t size);
/* memo_phrases.c, memo_switches.c: what is said at token `i`, and in how many tokens; 0: nothing. */
struct memo_phrase {
    enum memo_says says;
    double value;
    bool idle; /* it says nothing after all, nor do its words */
};
size_t memo_phrase_at(const struct memo *m, size_t i, struct memo_phrase *out);
/* "no activation checkpointing", "CPU offload: none" */
size_t memo_switch_at(const struct memo *m, size_t i, struct memo_phrase *out);
/* memo_mentions.c */
void memo_read_mentions(struct memo *m);
/* The first mention that ends after token `i`. */
size_t memo_mention_from(const struct memo *m, size_t i);
/* Whether any of a range says so. */
bool memo_says(const struct memo *m, struct memo_range r, enum memo_says says);
/* Whether one of these phrases, a list that NULL ends, begins in a range. */
bool memo_has_any(const struct memo *m, struct memo_range r, const char *const *phrases);
/* The sentence that token `i` of a block stands in, at most some hundred tokens each way. */
struct memo_range memo_sentence(const struct memo *m, const struct memo_block *b, size_t i);
/* memo_figures.c */
void memo_read_figures(struct memo *m);
char *memo_figure_text(const struct memo *m, const struct memo_figure *f, char *out, size_t size);
/* memo_units.c: the unit at token `i`, and how many tokens it takes; 0: none. */
struct memo_unit {
    enum memo_dimension dimension;
    double scale;
    const char *name;
    bool bits, coarse;
};
size_t memo_unit_at(const struct memo *m, size_t i, struct memo_unit *out);

/* memo_cells.c: the unit of a cell that is nothing but a number; `t` is the table last looked at, all zero at first. */
struct memo_table {
    struct memo_range blocks;
    struct memo_unit unit; /* without a name: none */
};
bool memo_cell_unit(const struct memo *m, size_t block, struct memo_table *t,
                    struct memo_unit *out);
/* Something that is counted in bytes stands over it. */
bool memo_cell_wants_unit(const struct memo *m, size_t block);
/* memo_ratio.c: "1.5× the", "half of", "50 % more" at token `i`, and how many tokens it takes; 0: none. */
struct memo_ratio {
    double value, half;
    int digits;
};
size_t memo_ratio_at(const struct memo *m, size_t i, struct memo_ratio *out);
/* "+3.25 GB", "3.25 GB more", "saves 14 GB"; which way, +1 or −1, 0 where that is not said. */
bool memo_is_difference(const struct memo *m, const struct memo_figure *f, int *direction);
/* "Checkpointing costs 0.36 s": a difference, or as long as it then takes. */
bool memo_is_cost(const struct memo *m, const struct memo_figure *f);

/* memo_values.c: what the engine says of `what`, the likeliest first. Returns how many. */
enum { MEMO_VALUES = 8 };
size_t memo_values(struct memo *m, enum memo_what what, const struct account_training *t,
                   double out[MEMO_VALUES]);
const struct memo_known *memo_know(struct memo *m, const struct account_training *t);
enum memo_dimension memo_dimension_of(enum memo_what what);
const char *memo_what_name(enum memo_what what); /* "model states" */
/* The problem whose mistakes are those of `what`; false if there is none. */
bool memo_problem(enum memo_what what, const struct account_training *t,
                  struct account_problem *out);

/* memo_context.c: what a figure may be about. */
struct memo_options {
    enum memo_what what[6];
    size_t whats;
    bool any; /* nothing nearby says what: all of its dimension are tried */
    uint8_t stage[4];
    size_t stages;
    bool stage_said, cluster, per_gpu;
    uint8_t keeps[3];
    size_t kept;
    uint8_t recipe[4];
    size_t recipes;
    uint32_t rounds[3];
    size_t round_count;
    double efficiency[3]; /* shares of peak arithmetic */
    size_t efficiencies;
    struct account_training base; /* GPUs, card, sequence, links as said */
    bool conditional, difference; /* "if …"; "3 GB more" */
    bool term;                    /* of a sum, without a word of its own */
    bool summed;                  /* of a GPU, or of all of them together */
};
/* One thing more that it may be of. */
void memo_add_what(struct memo_options *o, enum memo_what what);
void memo_options(struct memo *m, const struct memo_figure *f, struct memo_options *out);

/* memo_subject.c: what a figure's own unit, its sum and the words over its paragraph add to that. */
void memo_refine(struct memo *m, const struct memo_figure *f, struct memo_options *o);
/* memo_arithmetic.c: its signs; a figure that is reckoned with, "156 GB / 8"; one after "=" that what stands before it does not come to. */
bool memo_is_sign(const struct memo_text *t, size_t i);
bool memo_is_operand(const struct memo *m, const struct memo_figure *f);
/* "States are 26 GB + 22.75 GB": the word before it is of the sum. */
bool memo_begins_sum(const struct memo *m, const struct memo_figure *f);
bool memo_sum_fails(const struct memo *m, const struct memo_figure *f, double *comes_to);
/* memo_doubt.c: what leaves it open what a figure is of. */
void memo_doubt(const struct memo *m, const struct memo_figure *f, struct memo_options *o);
/* memo_whole.c: whether what is shared out may be meant before it is. */
enum memo_share { MEMO_SHARE, MEMO_EITHER, MEMO_WHOLE };
enum memo_share memo_share_of(const struct memo *m, const struct memo_figure *f,
                              const struct memo_options *o);
/* Whether something is divided there: "156 GB / 8", "split 8 ways". */
bool memo_is_quotient(const struct memo *m, struct memo_range r);

/* Whether it is a part of such a figure: "half of the 45.5 GB". */
bool memo_is_fraction_of(const struct memo *m, const struct memo_figure *f);
/* memo_claims.c: a judged figure "of fp32" that would not be; "MFU is 80 %", which nothing measured. */
bool memo_width_fails(struct memo *m, const struct memo_figure *f);
/* Whether the token's line quotes a run. */
bool memo_is_quoted(const struct memo *m, size_t token);
void memo_judge_efficiency(struct memo *m, size_t block, struct memo_range r);

/* memo_compare.c: judges a figure that compares two configurations; false if it does not, or does not say which. */
bool memo_compare(struct memo *m, struct memo_figure *f, const struct memo_options *o);

/* memo_subject.c: "a step takes 1.2 min" */
bool memo_is_of_step(const struct memo *m, const struct memo_figure *f);
/* memo_sums.c: whether a figure is a term of a sum that stands after it; whether those add up. */
bool memo_is_term(const struct memo *m, const struct memo_figure *f);
void memo_judge_term(struct memo *m, struct memo_figure *f);

/* memo_match.c */
enum memo_match { MEMO_NO_MATCH, MEMO_TOO_WIDE, MEMO_ROUGHLY, MEMO_EXACTLY };
enum memo_match memo_match(const struct memo_figure *f, double truth);

/* memo_decide.c: reads the decision into the report. */
void memo_decide(struct memo *m);
/* Sentences that choose another stage, or say that what does not fit fits. */
void memo_judge_sentences(struct memo *m);
/* Whether a mention of a stage says that it is not taken: "rather than stage 3". */
bool memo_is_rejected(const struct memo *m, struct memo_range sentence, size_t mention);
/* memo_judge.c */
/* All that a figure of bytes or seconds may be about. */
size_t memo_all_of(enum memo_dimension d, const enum memo_what **out);
void memo_judge_figures(struct memo *m);
/* memo_shares.c: shares of the card and of the step, and the tokens of a step. */
void memo_judge_shares(struct memo *m);
/* memo_quotes.c: "[run 12: peak 1.83 GB]"; takes their tokens out of the text. */
void memo_read_quotes(struct memo *m, char *text, size_t length);
/* Figures that stand beside a quotation of the same hold as it does. */
void memo_settle_quotes(struct memo *m);
/* memo_substance.c: whether a sentence names a risk, a fallback, what is measured, a baseline (MEMO_RISK and so on), and does not deny it. */
bool memo_names(const struct memo *m, enum memo_says what);
/* memo_rubric.c: points, what is missing, the verdict. */
void memo_rubric(struct memo *m);

/* memo_report.c */
struct study_memo_finding *memo_find(struct memo *m, enum study_memo_kind kind, size_t block,
                                     struct memo_range tokens) __attribute__((returns_nonnull));
void memo_find_missing(struct memo *m, enum study_memo_section s, const char *format, ...)
    BASE_PRINTF(3, 4);
void memo_say(struct study_memo_finding *f, const char *format, ...) BASE_PRINTF(2, 3);
/* "48.75 GB" of base units of a dimension. */
const char *memo_print(char *out, size_t size, double value, enum memo_dimension d);

#endif
