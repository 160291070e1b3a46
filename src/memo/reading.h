/* What the readers of the field language share. */
#ifndef MEMO_READING_H
#define MEMO_READING_H

#include "memo/inside.h"

enum { MEMO_NAME_CAPACITY = 64, MEMO_NAME_WORDS = 6 };
struct memo_reader {
    const char *raw;
    /* as long as `raw`: small letters, signs and hyphens blank */
    char *low;
    const char *at;
    struct memo_scenario *s;
    /* "the scenario" */
    const char *of;
    struct base_message *why;
    /* 0: not said */
    double nodes, per_node, nics;
    const char *nodes_at;
    bool nodes_first, params, failed;
};

/* reading.c */
/* Behind the longest phrase of a pattern that stands here, NULL if none does: "of? host
 * memory/ram|dram". Phrases are parted by '|', a word's alternatives by '/', and one with a '?' may
 * be left out. */
const char *memo_behind(const char *s, const char *pattern);
const char *memo_skip(const char *s);
const char *memo_word_end(const char *s);
/* Where the words from here to a comma end; how many there are. */
size_t memo_words_from(const char *at, const char *ends[MEMO_NAME_WORDS]);
/* The figure at a place of the text, in whichever unit; where it ends. */
const char *memo_figure_at(const struct memo_reader *r, const char *at, struct account_figure *f);
/* Refuses the words [at, end) unless their value is from `least` to `most`, which are "nodes". */
bool memo_within(struct memo_reader *r, const char *at, const char *end, double value, double least,
                 double most, const char *what);
/* Most nodes or network cards; most bytes, an exabyte: sums of several still fit 64 bits. */
#define MEMO_MOST_NODES 1e7
#define MEMO_MOST_BYTES 1e18
/* Sets a field of the scenario to what the words [from, end) say; refuses what the engine does. */
bool memo_set_field(struct memo_reader *r, const char *field, const char *value, const char *from,
                    const char *end);
bool memo_set_number(struct memo_reader *r, const char *field, double value, const char *from,
                     const char *end);
/* Fails the reader, once, with a message that names the words [at, end) and their column. False. */
bool memo_refuse(struct memo_reader *r, const char *at, const char *end, const char *why);

/* machine.c: where what each reads ends; NULL, or false, if it reads nothing. */
bool memo_read_model(struct memo_reader *r);
bool memo_read_link(struct memo_reader *r);
/* "80 GB", "with 80 GB each". */
const char *memo_size_at(const struct memo_reader *r, const char *at, double *bytes);
const char *memo_card_at(const struct memo_reader *r, const char *at, double bytes,
                         const struct account_card **card);
/* "DGX A100": `n` of them. */
const char *memo_machine_at(struct memo_reader *r, const char *at, double n);
/* Behind a count: "× A100 80 GB", "GPUs per node", "nodes". */
const char *memo_counted_machine(struct memo_reader *r, const char *at, double n);
const char *memo_network_at(const char *at, const char **kind);
struct account_link memo_link_of(const char *kind, double rate);
/* Behind a rate: "Ethernet a node", "NVLink". */
const char *memo_after_rate(struct memo_reader *r, const char *at, double rate);

#endif
