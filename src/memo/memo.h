/* memo: a memo's head, claims and figures. Pure: no files, no clock; it knows the engine and base
 * alone.
 *
 * A memo is Markdown. Its head declares the configurations, in the field language of the command
 * line:
 *
 *     Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence
 *     2048, micro-batch 1
 *     Recipe: paper
 *     Decision: stage 2
 *     Alternative stage3: stage 3
 *     Activations: 23 GB [measured: one layer, Hugging Face]
 *
 * Its section *Figures* is a table of claims, `quantity | configuration | value`, which are judged
 * as a lesson's answers are. Every other figure of the text is only looked up, among the quantities
 * of the declared configurations: a text is never called wrong.
 *
 * Ownership: what ends in _write or _words, or returns char *, is the caller's; a report goes back
 * through memo_free(). */
#ifndef MEMO_H
#define MEMO_H

#include "account/account.h"
#include "base/base.h"

/* ── what is given ─────────────────────────────────────────────────────────────────────────────*/
struct memo_scenario {
    struct account_training training;
    /* sequences a step; 0: not said */
    uint64_t global_batch;
    /* to be trained on in all; 0: not said */
    uint64_t tokens;
    /* the deadline; 0: none */
    double days;
    /* "no offload", "no NVMe" */
    bool no_host, no_nvme;
    /* a node's; 0: not said */
    uint64_t host_bytes, nvme_bytes;
    /* what one GPU really gives, or the label where nothing better is known; 0: unknown */
    uint64_t card_bytes;
};
/* Reads fields into what is there already: "stage 1, 8-bit Adam". `of` names the line in the
 * message, which has the word and its column. */
bool memo_fields_read(const char *text, const char *of, struct memo_scenario *s,
                      struct base_message *m);
/* Reads a scenario, with or without "Scenario:", fills in what people leave out, and says what is
 * missing (parameters, GPUs). */
bool memo_scenario_read(const char *line, struct memo_scenario *out, struct base_message *m);
/* The line that memo_scenario_read() reads back to the same scenario: "Scenario: …", no newline. */
void memo_scenario_write(const struct memo_scenario *s, struct base_text *out);
/* The course's 13B on 8 × A100 80 GB for seed 0, another for each other seed. All have an answer
 * that fits. */
void memo_scenario_vary(uint64_t seed, struct memo_scenario *out);
/* What the planner is asked for it. */
void memo_scenario_question(const struct memo_scenario *s, struct account_question *out);
/* What is easily overlooked in it, one sentence of Markdown with the engine's figures; false: no
 * trap. */
bool memo_scenario_trap(const struct memo_scenario *s, struct base_text *out);

/* ── a configuration's quantities ──────────────────────────────────────────────────────────────*/
enum { MEMO_QUANTITIES_MOST = 66, MEMO_TRUTHS = 12, MEMO_NAME_MOST = 32, MEMO_ALTERNATIVES = 12 };
struct memo_config {
    /* "decision", "scenario", "stage 2", an alternative's own */
    char name[MEMO_NAME_MOST];
    struct memo_scenario is;
    /* of the head that declares it; 0: none does */
    int line;
    /* bytes that the memo puts in the place of the engine's; 0: none */
    double activations;
    /* the engine can count it */
    bool known;
    /* the phase that is highest */
    enum account_phase peak;
    /* base units, by quantity; the first is the engine's, others mean the same, the last is kept
     * off the GPU; 0: none */
    double value[MEMO_QUANTITIES_MOST][MEMO_TRUTHS];
};
/* What the engine says of a quantity by its name, base units; 0: nothing. */
double memo_value(const struct memo_config *c, const char *quantity);
size_t memo_quantities(void);
const char *memo_quantity_name(size_t q); /* "model states"; for tables and completion */
enum account_measure memo_quantity_measure(size_t q);
/* "48.75 GB" of a quantity's base units. */
const char *memo_print(char *out, size_t size, double value, enum account_measure m);
/* The quantity of this name or of a word for it; memo_quantities() if there is none. */
size_t memo_quantity_find(const char *name);

/* ── the check ─────────────────────────────────────────────────────────────────────────────────*/
enum memo_kind {
    /* claims: as a lesson's answers are judged */
    MEMO_RIGHT,
    MEMO_ROUNDED,
    MEMO_UNIT,
    MEMO_MISTAKE,
    MEMO_WRONG,
    /* of a claim, or of a line of the head */
    MEMO_UNREADABLE,
    /* figures of the text: one that the engine has */
    MEMO_KNOWN,
    /* of figures of its own sentence or row, or arithmetic that is shown */
    MEMO_DERIVED,
    /* the memo says where it is from */
    MEMO_MARKED,
    /* look again */
    MEMO_AGAIN,
    /* the same, answered by [checked: …] */
    MEMO_CHECKED,
    /* not the engine's: no accusation */
    MEMO_FOREIGN,
    /* what the verdict wants and does not find */
    MEMO_MISSING,
    /* what a reviewer would ask, a myth */
    MEMO_NOTE,
    MEMO_KINDS
};
const char *memo_kind_name(enum memo_kind k); /* "right" … "look again" … */
/* Whether something is to be done about it. */
bool memo_is_open(enum memo_kind k);

enum memo_section {
    MEMO_DECISION,
    MEMO_MEMORY,
    MEMO_TIME,
    MEMO_REJECTED,
    MEMO_RISKS,
    MEMO_FIRST_HOUR,
    MEMO_FIGURES,
    /* also: before the first heading, or under another one */
    MEMO_SECTIONS
};
const char *memo_section_title(enum memo_section s); /* "Alternatives rejected" */
const char *memo_section_asks(enum memo_section s);  /* what belongs there, one sentence */
/* The section whose heading says this; MEMO_SECTIONS if none. */
enum memo_section memo_section_of(const char *heading, size_t length);

struct memo_finding {
    enum memo_kind kind;
    enum memo_section section;
    /* from 1; 0: the memo as a whole */
    int line;
    /* in bytes from 0 within its line, where the figure begins; `length` bytes of it */
    int column;
    int length;
    /* the engine has another figure for what its sentence names */
    bool differs;
    /* as it was written: "48.75 GB"; "" if it is none */
    char figure[64];
    /* one or two sentences */
    char what[400];
};
/* a claim that the memo is asked for */
struct memo_asked {
    size_t quantity, config;
    /* it stands in the table; any figure of an alternative will do for that one's row */
    bool there;
};
/* drawn from this memo, to be answered without looking */
struct memo_question {
    char ask[240];
    struct account_problem problem;
};
enum { MEMO_FINDINGS = 2000, MEMO_ASKS = 24, MEMO_QUESTIONS = 3, MEMO_BYTES = 1 << 20 };
enum {
    MEMO_THE_DECISION = 0,
    MEMO_THE_SCENARIO = 1,
    MEMO_STAGE_0 = 2,
    MEMO_FIRST_ALTERNATIVE = 6,
    MEMO_CONFIGS = MEMO_FIRST_ALTERNATIVE + MEMO_ALTERNATIVES + 4
};
struct memo_report {
    /* both can be read */
    bool has_scenario, decided;
    /* a line of the head cannot */
    bool refused;
    int scenario_line, decision_line;
    /* The decision, the scenario, the decision at stages 0 to 3, then the alternatives. */
    struct memo_config *config;
    size_t configs;
    /* of the decision, with what it gathers */
    uint64_t peak;
    int64_t spare;
    enum account_fit fits;
    size_t count, kinds[MEMO_KINDS];
    /* by line; of the memo as a whole last */
    struct memo_finding *finding;
    /* findings beyond MEMO_FINDINGS */
    size_t left_off;
    size_t claims, asks;
    /* [config][quantity]: whether the memo claims it, rightly or not */
    bool (*claimed)[MEMO_QUANTITIES_MOST];
    struct memo_asked asked[MEMO_ASKS];
    size_t questions;
    struct memo_question question[MEMO_QUESTIONS];
    bool passes;
    char verdict[400];
};
/* What a record of runs says of a quotation. */
enum memo_quoted {
    /* the run measured this */
    MEMO_MEASURED,
    /* the record has runs, and not that one, or that one measured no such thing */
    MEMO_REFUTED,
    /* nothing here can say */
    MEMO_UNKNOWN
};
/* What the learner's own runs of the lab measured: fills the value (bytes, or seconds) of what a
 * memo quotes as "[run 12: peak 1.83 GB]", where `what` is "peak"; the message unless it was
 * measured. */
struct memo_evidence {
    void *self;
    enum memo_quoted (*quoted)(void *self, long run, const char *what, double *value,
                               struct base_message *m);
};
/* a phrase by which people say what a lesson corrects */
struct memo_myth {
    const char *phrase, *lesson, *claim;
};
/* What the engine said of configurations, kept from one check of a memo to the next. It owns
 * nothing else: the caller frees it with free(). */
struct memo_cache;
struct memo_cache *memo_cache_new(void);
/* all of it may be left out */
struct memo_context {
    const struct memo_evidence *runs;
    const struct memo_myth *myth;
    size_t myths;
    struct memo_cache *cache;
    /* what the memo does not claim yet is not told */
    bool course;
};
/* Checks a memo, whatever bytes it is made of; `c` may be NULL. The report is filled in any case
 * and is the caller's to free; false, with the message, if the text is no memo at all (too large,
 * or not text). */
bool memo_read(const char *text, size_t length, const struct memo_context *c,
               struct memo_report *out, struct base_message *m);
void memo_free(struct memo_report *r);
/* The report in words: the verdict, then what is to be done by line, at most `most` findings.
 * Markdown. */
char *memo_words(const struct memo_report *r, size_t most);
/* Of a memo that passes, in one line of Markdown: the trap of its scenario, and whether it was
 * avoided. False: none, or it does not pass. */
bool memo_trap(const struct memo_report *r, struct base_text *out);
/* What a defended decision is sensitive to: "efficiency 40 %: …", a line each, Markdown; GPU-hours
 * for a budget of tokens. False: nothing was decided. */
bool memo_sensitivity(const struct memo_report *r, struct base_text *out);

/* ── writing one ───────────────────────────────────────────────────────────────────────────────*/
/* An empty memo on the scenario: head, the Figures table with the claims asked for, the headings,
 * and what belongs under each. */
void memo_new(const struct memo_scenario *s, struct base_text *out);
/* The names that may stand at the end of `before`, the text up to the cursor: configurations and
 * quantities in the table, fields in the head. The `i`-th that goes on what is typed, and how many
 * bytes of it are typed already; NULL: no more. */
const char *memo_complete(const struct memo_report *r, const char *before, size_t i, size_t *typed);

#endif
