/* Where a sentence leaves it open what a figure is of, or says no claim at all: what the engine does not count, what is left unnamed, plans and
 * rules. A figure that holds then still holds; one that does not is asked about, and not called wrong. */
#include "memo.h"

enum effect {
    OPEN,  /* it may be of something else */
    RULE,  /* a rule or a wish: no claim, if it does not hold */
    STORED /* on disk, and not on a GPU */
};
enum where { NEAR, SENTENCE };
static const struct row {
    enum effect effect;
    enum where where;
    enum memo_what first, last; /* it concerns, as the words around have it; NOTHING: anything */
    enum memo_what also;        /* what it may be as well */
    const char *phrases[16];
} rows[] = {
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"8 bit", "int8", "fp8", "adafactor", "lion", "sgd", "lora", "qlora", "quantized",
      "quantised"}                                                                            },
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"tensor parallel", "tensor parallelism", "pipeline parallel", "pipeline parallelism",
      "context parallel", "sequence parallel", "hybrid", "hsdp", "hpz", "in groups of",
      "subgroup"}                                                                             },
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"estimator", "deepspeed estimates"}                                                     },
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"second node", "another node", "more nodes", "second machine", "more gpus",
      "twice as many gpus", "as many gpus"}                                                   },
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"second sequence", "two sequences", "another sequence", "more sequences", "larger batch",
      "bigger batch"}                                                                         },
    {OPEN,
     SENTENCE, MEMO_SENT,
     MEMO_SENT,    MEMO_SCATTERS,
     {"each pass", "per pass", "one pass", "each of these", "each of them", "each collective"}},
    {OPEN,
     SENTENCE, MEMO_PARAMS,
     MEMO_PARAMS,  MEMO_GATHERED,
     {"prefetch", "prefetched", "prefetching", "at a time", "one layer", "a layer", "current layer",
      "layer s", "one block", "a block", "one unit"}                                          },
    {OPEN,
     SENTENCE, MEMO_TOTAL,
     MEMO_TOTAL,   MEMO_NOTHING,
     {"together with activations", "together with the activations", "along with activations",
      "along with the activations"}                                                           },
    {OPEN,
     NEAR,     MEMO_SENT,
     MEMO_SENT,    MEMO_NOTHING,
     {"in backward", "in the backward", "during backward", "during the backward", "in forward",
      "in the forward", "during the forward", "after the update"}                             },
    {OPEN,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"without master", "without a master", "without fp32 master", "no master", "pure bf16",
      "pure fp16"}                                                                            },
    {OPEN,
     NEAR,     MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"else", "rest", "remaining", "others", "remainder"}                                     },
    {OPEN,
     NEAR,     MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"bucket", "buffer", "copy of", "fragmentation", "workspace"}                            },
    {OPEN,
     NEAR,     MEMO_USABLE,
     MEMO_LABEL,   MEMO_TOTAL,
     {"times the", "than", "over", "beyond", "more", "exceeds"}                               },
    {OPEN,
     NEAR,     MEMO_SPARE,
     MEMO_SPARE,   MEMO_NOTHING,
     {"would free", "frees", "free another", "free up", "frees up"}                           },
    {RULE,
     SENTENCE, MEMO_SPARE,
     MEMO_SPARE,   MEMO_NOTHING,
     {"rule", "policy", "safety", "we keep", "keep free", "want", "require", "insist", "aim",
      "at least", "minimum"}                                                                  },
    {STORED,
     SENTENCE, MEMO_NOTHING,
     MEMO_NOTHING, MEMO_NOTHING,
     {"on disk", "disk", "storage", "file system", "checkpoint of", "checkpoint write",
      "a full checkpoint", "each checkpoint", "host ram"}                                     },
};

static bool concerns(const struct row *row, const struct memo_options *o) {
    if (row->first == MEMO_NOTHING) return true;
    return o->whats && o->what[0] >= row->first && o->what[0] <= row->last;
}

/* "PCIe may give half. Then a step takes 2.3 s.": of what the sentence before supposes */
static bool supposes(const struct memo *m, size_t first) {
    return memo_is_phrase(&m->text, first, "then") ||
           memo_is_phrase(&m->text, first, "in that case");
}

/* "Half of the 45.5 GB is the reduce-scatter": the whole is what is sent. */
static bool is_whole_sent(const struct memo *m, const struct memo_figure *f,
                          const struct memo_options *o) {
    static const char *const verbs[] = {"is", "are", "goes", "go", "comes", "come", NULL};
    bool part = o->whats && o->what[0] >= MEMO_GATHERS && o->what[0] <= MEMO_REDUCES;
    return part && memo_is_any(&m->text, f->end, verbs) && memo_is_fraction_of(m, f);
}

void memo_doubt(const struct memo *m, const struct memo_figure *f, struct memo_options *o) {
    enum { REACH = 6 };
    const struct memo_block *b = &m->block[f->block];
    struct memo_range all = memo_sentence(m, b, f->first), near = {f->first, f->end};
    if (b->cell) return;
    o->any |=
        all.end < m->text.tokens && m->text.token[all.end].mark == '?'; /* asked, and not said */
    o->any |= supposes(m, all.first);
    if (is_whole_sent(m, f, o)) {
        memo_add_what(o, MEMO_SENT);
        o->any = true;
    }
    while (near.first > all.first && f->first - near.first < REACH) near.first--;
    while (near.end < all.end && near.end - f->end < REACH) near.end++;
    for (const struct row *row = rows; row < rows + BASE_COUNT(rows); row++) {
        if (!concerns(row, o) || !memo_has_any(m, row->where == NEAR ? near : all, row->phrases))
            continue;
        o->any = true;
        memo_add_what(o, row->also);
        if (row->effect == RULE) o->conditional = true;
        if (row->effect == STORED && f->dimension == MEMO_BYTES) {
            o->what[0] = MEMO_STORED;
            o->whats = 1;
        }
    }
}
