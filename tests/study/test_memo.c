/* Memos as people write them, and the verdicts an expert would give: what is found on which line, and whether it passes. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Everything found that is neither right nor rounded, "line kind figure: words"; the words need only be in it. */
struct expected {
    int line;
    enum study_memo_kind kind;
    const char *figure, *says;
};
static const struct {
    const char *file;
    bool passes;
    const char *verdict;
    size_t holds;
    struct expected found[6];
} memos[] = {
    {"good-13b",                true,  "100 of 100",                                   19, {{0}}                                                                     },
    {"in-words",                true,  "100 of 100",                                   9,  {{0}}                                                                     },
    {"tables",                  true,  "stage 3 fits",                                 16, {{0}}                                                                     },
    {"other-way",               true,  "stage 1 fits",                                 8,  {{0}}                                                                     },
    {"review-style",            true,  "100 of 100",                                   36, {{0}}                                                                     },
    {"by-comparison",
     false,                            "2 statements do not hold",
     12,                                                                                   {{20, STUDY_MEMO_WRONG, "twice", "1.5 times as much"},
      {25, STUDY_MEMO_WRONG, "14 GB", "22.75 GB less"}}                                                                                                      },
    {"subtly-wrong",
     false,                            "1 statement does not hold",
     10,                                                                                   {{12, STUDY_MEMO_WRONG, "42.25 GB", "the fp32 master copy was forgotten"}}},
    {"gib-as-gb",
     false,                            "4 statements do not hold",
     5,                                                                                    {{13, STUDY_MEMO_UNIT, "45.40 GB", "48.75 GB. The number is right in GiB"},
      {14, STUDY_MEMO_UNIT, "14.98 GB", "right in GiB"},
      {15, STUDY_MEMO_UNIT, "62.4 GB", "right in GiB"},
      {16, STUDY_MEMO_UNIT, "80 GB", "85.9 GB. The number is right in GiB"}}                                                                                  },
    {"swapped-stages",
     false,                            "2 statements do not hold",
     6,                                                                                    {{10, STUDY_MEMO_WRONG, "26 GB", "what stage 3 has"},
      {10, STUDY_MEMO_WRONG, "48.75 GB", "what stage 2 has"}}                                                                                                 },
    {"no-numbers",              false, "18 of 100 points",                             0,  {{0}}                                                                     },
    {"ledger-first",
     false,                            "nothing is said of this: what could break it",
     25,                                                                                   {{24, STUDY_MEMO_UNSUPPORTED, "48.75", "in which unit"}}                  },
    {"does-not-fit",
     false,                            "needs 89.78 GB of 85.9 GB",
     5,                                                                                    {{12, STUDY_MEMO_WRONG, "fits", "does not fit"}}                          },
    {"deepspeed-contradictory",
     false,                            "3 statements do not hold",
     1,                                                                                    {{11, STUDY_MEMO_WRONG, "6825 MB", "68.25 GB"},
      {14, STUDY_MEMO_CONTRADICTORY, "stage 2", "line 5 chose stage 3"},
      {14, STUDY_MEMO_WRONG, "12.3 GB", "the peak"},
      {17, STUDY_MEMO_UNSUPPORTED, "13.7 GB", "of what is this"}}                                                                                             },
};

static bool is_fine(enum study_memo_kind k) {
    return k == STUDY_MEMO_RIGHT || k == STUDY_MEMO_ROUNDED;
}

static void check_found(const char *name, const struct study_memo_report *r,
                        const struct expected *want) {
    size_t k = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct study_memo_finding *f = &r->finding[i];
        if (is_fine(f->kind) || f->kind == STUDY_MEMO_MISSING) continue;
        bool same = want[k].figure && f->line == want[k].line && f->kind == want[k].kind &&
                    strcmp(f->figure, want[k].figure) == 0 && strstr(f->what, want[k].says);
        if (!same)
            fail_msg("%s:%d: %s %s: %s", name, f->line, study_memo_kind_name(f->kind), f->figure,
                     f->what);
        k++;
    }
    if (want[k].figure) fail_msg("%s:%d: %s was not found", name, want[k].line, want[k].figure);
}

static void memos_get_the_verdict_of_an_expert(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(memos); i++) {
        struct study_memo_report r;
        struct base_message m = {0};
        size_t length;
        char *path = base_format("tests/memo/%s.md", memos[i].file);
        char *text = base_file_read(path, 1 << 20, &length, &m);
        if (!text) fail_msg("%s", m.what);
        assert_true(study_memo_check(text, length, NULL, &r, &m));
        check_found(memos[i].file, &r, memos[i].found);
        assert_int_equal(r.kinds[STUDY_MEMO_RIGHT] + r.kinds[STUDY_MEMO_ROUNDED], memos[i].holds);
        if (r.passes != memos[i].passes || !strstr(r.verdict, memos[i].verdict))
            fail_msg("%s: %s", memos[i].file, r.verdict);
        study_memo_free(&r);
        free(path);
        free(text);
    }
}

/* ── one figure at a time ────────────────────────────────────────────────────────────────────────*/
#define HEAD                                                                                       \
    "Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence "  \
    "2048, "                                                                                       \
    "micro-batch 1\n\n## Decision\n\nWe choose stage 2, without checkpointing.\n\n## Memory\n\n"
static const struct {
    const char *sentence;
    enum study_memo_kind kind; /* of its first figure; MISSING: it is no figure */
    const char *says;
} sentences[] = {
    {"Stage 2 keeps 48.75 GB of model states.",                                         STUDY_MEMO_RIGHT,         "model states under stage 2"},
    {"Stage 2 keeps 48.8 GB of model states.",                                          STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 48,75 GB of model states.",                                         STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 48,750 MB of model states.",                                        STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 45.4 GiB of model states.",                                         STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 390 Gbit of model states.",                                         STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 48.75 Gb of model states.",                                         STUDY_MEMO_UNIT,          "right in GB"               },
    {"Stage 2 keeps 49 GB of model states.",                                            STUDY_MEMO_ROUNDED,       "rounded early"             },
    {"Stage 2 keeps about 49 GB of model states.",                                      STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps about 50 GB of model states.",                                      STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 52 GB of model states.",                                            STUDY_MEMO_WRONG,         "48.75 GB"                  },
    {"Stage 2 keeps 48–50 GB of model states.",                                       STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps 50–52 GB of model states.",                                       STUDY_MEMO_WRONG,         "48.75 GB"                  },
    {"Stage 2 keeps 20–90 GB of model states.",                                       STUDY_MEMO_UNSUPPORTED,   "decides nothing"           },
    {"Stage 2 keeps less than 50 GB of model states.",                                  STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 keeps less than 40 GB of model states.",                                  STUDY_MEMO_WRONG,         ""                          },
    {"Stage 3 keeps forty-nine gigabytes of model states.",                             STUDY_MEMO_WRONG,         "26 GB"                     },
    {"The model states are two hundred and eight GB whole.",                            STUDY_MEMO_RIGHT,         "stage 0"                   },
    {"In the whole cluster stage 2 keeps 390 GB of model states.",                      STUDY_MEMO_RIGHT,         ""                          },
    {"With fp32 gradients DeepSpeed stage 1 has 123.5 GB of model states.",             STUDY_MEMO_RIGHT,
     "deepspeed"                                                                                                                              },
    {"Under DeepSpeed's count stage 1 keeps 45.5 GB of model states.",                  STUDY_MEMO_RIGHT,
     "deepspeed"                                                                                                                              },
    {"With Megatron stage 1 keeps 97.5 GB of model states.",                            STUDY_MEMO_RIGHT,         "megatron"                  },
    {"The peak is 48.75 GB.",                                                           STUDY_MEMO_WRONG,         "67.03 GB"                  },
    {"Usable memory is 80 GiB a card.",                                                 STUDY_MEMO_RIGHT,         "usable"                    },
    {"On 16 GPUs stage 3 would keep 13 GB of model states.",                            STUDY_MEMO_RIGHT,         "16 GPUs"                   },
    {"A step takes 1200 ms.",                                                           STUDY_MEMO_RIGHT,         "a step"                    },
    {"A step takes 1.2 ms.",                                                            STUDY_MEMO_UNIT,          "right in s"                },
    {"Throughput: 13.7K tokens/s.",                                                     STUDY_MEMO_RIGHT,         "throughput"                },
    {"Throughput: 1707 tokens/s per GPU.",                                              STUDY_MEMO_RIGHT,         "throughput"                },
    {"NVLink 3 carries 240 GB/s.",                                                      STUDY_MEMO_RIGHT,         "link"                      },
    {"Mixed precision takes 16 bytes a parameter.",                                     STUDY_MEMO_RIGHT,         "bytes a parameter"         },
    {"Mixed precision takes 14.5 bytes a parameter.",                                   STUDY_MEMO_WRONG,         "16 B/param"                },
    {"With optimizer offload stage 2 puts 156 GB of optimizer states on the host.",
     STUDY_MEMO_RIGHT,                                                                                            "optimizer states"          },
    {"48.75 GB (ZeRO-2) against 26 GB (ZeRO-3) of states.",                             STUDY_MEMO_RIGHT,         "stage 2"                   },
    {"Reduce-scatter of gradients: 22.75 GB.",                                          STUDY_MEMO_RIGHT,         "reduce-scatters"           },
    {"Gradients: 26 GB / 8.",                                                           STUDY_MEMO_RIGHT,         "gradients"                 },
    {"With fp32 gradients it takes 3.25 GB more.",                                      STUDY_MEMO_RIGHT,         "with 32-bit gradients"     },
    {"The sequence length grows to 4096: activations take 32 GB.",                      STUDY_MEMO_ROUNDED,
     "activations"                                                                                                                            },
    {"On 40 GB A100s stage 2 would not fit.",                                           STUDY_MEMO_RIGHT,         "the card's memory"         },
    {"Stage 3 sends 23 GB more.",                                                       STUDY_MEMO_ROUNDED,       "68.25 GB with stage 3"     },
    {"| states | stage 2 |\n|---|---|\n",                                               STUDY_MEMO_MISSING,       ""                          },
    {"A rank sends 45.5 GB a step and micro-batch.",                                    STUDY_MEMO_RIGHT,         "sends a step"              },
    {"If the peak is over 75 GB, we stop.",                                             STUDY_MEMO_MISSING,       ""                          },
    {"We run it for 20 minutes.",                                                       STUDY_MEMO_MISSING,       ""                          },
    {"It costs $ 12,000.",                                                              STUDY_MEMO_MISSING,       ""                          },
    {"The dataset has 17.3 TB.",                                                        STUDY_MEMO_UNSUPPORTED,   "beside the training"       },
    {"The bucket holds 123456789012345678901234567890 GB.",                             STUDY_MEMO_UNSUPPORTED,   "30 digits"                 },
    {"Stage 1 fits.",                                                                   STUDY_MEMO_WRONG,         "89.78 GB of 85.9 GB"       },
    {"Stage 1 fits with full checkpointing.",                                           STUDY_MEMO_RIGHT,         "stage 1 fits"              },
    {"Stage 3 does not fit.",                                                           STUDY_MEMO_WRONG,         "stage 3 fits"              },
    {"We recommend stage 3.",                                                           STUDY_MEMO_CONTRADICTORY, "chose stage 2"             },
    {"The 70B model is large.",                                                         STUDY_MEMO_CONTRADICTORY, "13B parameters"            },
    {"[run 12: peak 1.83 GB]",                                                          STUDY_MEMO_RIGHT,         "run 12 measured peak"      },
    {"[run 12: peak 2.5 GB]",                                                           STUDY_MEMO_WRONG,         "1.83 GB"                   },
    {"[Run 12: Peak 1.83 GB]",                                                          STUDY_MEMO_RIGHT,         "run 12 measured peak"      },
    {"[run 12: throughput 6.7 samples/s]",                                              STUDY_MEMO_UNSUPPORTED,   ""                          },
    {"[run 12: beauty 1.83 GB]",                                                        STUDY_MEMO_UNSUPPORTED,   "has no beauty"             },
    {"[run 13: peak 1.83 GB]",                                                          STUDY_MEMO_WRONG,         "run 13 is not there"       },
    {"Stage 3 keeps 22.75 GB less than stage 2.",                                       STUDY_MEMO_RIGHT,
     "model states: 26 GB with stage 3, 48.75 GB with stage 2"                                                                                },
    {"Stage 3 saves 22.75 GB a GPU over stage 2.",                                      STUDY_MEMO_RIGHT,         "model states"              },
    {"Stage 3 saves 14 GB a GPU over stage 2.",                                         STUDY_MEMO_WRONG,         "22.75 GB less"             },
    {"Stage 3 keeps 26 GB less than stage 2.",                                          STUDY_MEMO_WRONG,         "22.75 GB less"             },
    {"Stage 3 keeps 22.75 GB more than stage 2.",                                       STUDY_MEMO_WRONG,         "22.75 GB less"             },
    {"Stage 3 keeps about 23 GB fewer of model states than stage 2.",                   STUDY_MEMO_RIGHT,
     "model states"                                                                                                                           },
    {"Going from stage 2 to stage 3 cuts the model states by 22.75 GB.",                STUDY_MEMO_RIGHT,
     "model states"                                                                                                                           },
    {"Going from stage 2 to stage 3 cuts the model states by 20 GB.",                   STUDY_MEMO_WRONG,
     "22.75 GB less"                                                                                                                          },
    {"Stage 3 sends 22.75 GB more than stage 2.",                                       STUDY_MEMO_RIGHT,
     "what a rank sends a step: 68.25 GB"                                                                                                     },
    {"Stage 3 sends 45.5 GB more than stage 2.",                                        STUDY_MEMO_WRONG,         "22.75 GB more"             },
    {"Stage 2 sends 22.75 GB more than stage 1.",                                       STUDY_MEMO_WRONG,         "no difference"             },
    {"It keeps 22.75 GB more than stage 3.",                                            STUDY_MEMO_RIGHT,         "model states"              },
    {"It keeps 20 GB more than stage 3.",                                               STUDY_MEMO_UNSUPPORTED,   "Name both sides"           },
    {"With stage 3 and stage 2 alike this saves 14 GB.",                                STUDY_MEMO_UNSUPPORTED,   ""                          },
    {"Full checkpointing saves 14.9 GB of activations.",                                STUDY_MEMO_RIGHT,         "no checkpointing"          },
    {"Stage 3 sends 1.5× the traffic of DDP.",                                         STUDY_MEMO_RIGHT,
     "68.25 GB with stage 3, 45.5 GB with stage 0"                                                                                            },
    {"Stage 3 sends 1.5x the traffic of stage 2.",                                      STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 3 sends 1.5 times what stage 2 sends.",                                     STUDY_MEMO_RIGHT,         ""                          },
    {"The traffic of stage 3 is 2× that of stage 2.",                                  STUDY_MEMO_WRONG,         "1.5 times as much"         },
    {"Stage 3 sends twice the traffic of DDP.",                                         STUDY_MEMO_WRONG,         "1.5 times as much"         },
    {"Stage 3 sends 50 % more traffic than stage 2.",                                   STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 2 sends a third less traffic than stage 3.",                                STUDY_MEMO_RIGHT,         ""                          },
    {"Stage 3 has about half the model states of stage 2.",                             STUDY_MEMO_RIGHT,         "26 GB with stage 3"        },
    {"Stage 3 keeps half of stage 1's states.",                                         STUDY_MEMO_WRONG,         "0.364 times"               },
    {"Compared with stage 2, stage 3 sends 1.5 times the traffic.",                     STUDY_MEMO_RIGHT,         ""                          },
    {"It sends 1.5× the traffic of stage 3.",                                          STUDY_MEMO_UNSUPPORTED,   "0.667"                     },
    {"Against stage 2, stage 3 adds 22.75 GB of traffic and saves 22.75 GB of memory.",
     STUDY_MEMO_RIGHT,                                                                                            "what a rank sends"         },
    {"Stage 3 with twice the micro-batch of stage 2 does the same.",                    STUDY_MEMO_MISSING,       ""                          },
    {"Stage 3 keeps 26 GB of states against 48.75 GB under stage 2.",                   STUDY_MEMO_RIGHT,         "stage 3"                   },
    {"We take stage 2 rather than stage 3: it sends 45.5 GB.",                          STUDY_MEMO_RIGHT,         "stage 2"                   },
    {"If stage 2 fails, stage 3 frees 10 GB more than stage 2.",                        STUDY_MEMO_MISSING,       ""                          },
    {"On 16 GPUs stage 3 keeps 13 GB less than on 8 GPUs.",                             STUDY_MEMO_RIGHT,
     "13 GB with 16 GPUs, 26 GB with 8 GPUs"                                                                                                  },
    {"Stage 3 keeps less than stage 2, but it sends 1.5× the traffic of DDP.",         STUDY_MEMO_RIGHT,
     "68.25 GB with stage 3, 45.5 GB with stage 0"                                                                                            },
    {"Stage 3 keeps less than stage 2, but it sends twice the traffic of DDP.",         STUDY_MEMO_WRONG,
     "1.5 times as much"                                                                                                                      },
    {"Stage 2 or 3 keep less than stage 1, but send twice the traffic of DDP.",         STUDY_MEMO_MISSING,
     ""                                                                                                                                       },
    {"With full checkpointing the activations shrink from 16.1 GB to 1.21 GB.",         STUDY_MEMO_RIGHT,
     "activations"                                                                                                                            },
    {"Stage 3 takes the model states from 48.75 GB to 26 GB.",                          STUDY_MEMO_RIGHT,         "stage 2"                   },
    {"Going from stage 2 to stage 3 takes the model states from 48.75 GB to 26 GB.",
     STUDY_MEMO_RIGHT,                                                                                            "stage 2"                   },
    {"Going from stage 2 to stage 3 takes the model states from 52 GB to 26 GB.",       STUDY_MEMO_WRONG,
     "48.75 GB"                                                                                                                               },
    {"Stage 2 sends less than stage 3, and a step takes 1.2 s.",                        STUDY_MEMO_RIGHT,
     "a step under stage 2"                                                                                                                   },
    {"Stage 2 sends less than stage 3, and a step takes 1.5 s.",                        STUDY_MEMO_WRONG,         "a step"                    },
    {"Half of the team knows stage 2.",                                                 STUDY_MEMO_MISSING,       ""                          },
    {"We train 2 × as often under stage 2.",                                           STUDY_MEMO_MISSING,       ""                          },
    {"<!-- Stage 2 keeps 52 GB of model states. -->",                                   STUDY_MEMO_MISSING,       ""                          },
};

static enum study_memo_quoted quoted(void *self, long run, const char *what, double *value,
                                     struct base_message *m) {
    (void)self;
    if (run != 12) return base_fail(m, "run %ld is not there", run), STUDY_MEMO_REFUTED;
    if (strcmp(what, "peak") != 0)
        return base_fail(m, "run 12 has no %s", what), STUDY_MEMO_UNKNOWN;
    *value = 1.83e9;
    return STUDY_MEMO_MEASURED;
}
static const struct study_memo_evidence runs = {.quoted = quoted};

/* The first finding on the line of the sentence. */
static const struct study_memo_finding *first_on(const struct study_memo_report *r, int line) {
    for (size_t i = 0; i < r->count; i++)
        if (r->finding[i].line == line && r->finding[i].kind != STUDY_MEMO_MISSING)
            return &r->finding[i];
    return NULL;
}

static void sentences_are_understood(void **state) {
    size_t missed = 0;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sentences); i++) {
        struct study_memo_report r;
        char *text = base_format("%s%s\n", HEAD, sentences[i].sentence);
        assert_true(study_memo_check(text, strlen(text), &runs, &r, NULL));
        const struct study_memo_finding *f = first_on(&r, 9);
        enum study_memo_kind kind = f ? f->kind : STUDY_MEMO_MISSING;
        if (kind != sentences[i].kind || (f && !strstr(f->what, sentences[i].says))) {
            print_error("%s\n%s: %s\n", sentences[i].sentence, study_memo_kind_name(kind),
                        f ? f->what : "");
            missed++;
        }
        if (f && f->length)
            assert_true((size_t)(f->column + f->length) <= strlen(sentences[i].sentence));
        study_memo_free(&r);
        free(text);
    }
    assert_int_equal(missed, 0);
}

/* ── what is no memo ─────────────────────────────────────────────────────────────────────────────*/
static char *repeated(const char *head, const char *piece, size_t length) {
    char *text = base_alloc(length + 1);
    size_t n = strlen(piece), at = strlen(head);
    memcpy(text, head, at);
    for (; at < length; at++) text[at] = piece[(at - strlen(head)) % n];
    return text;
}

static void junk_is_answered_at_once(void **state) {
    static const struct {
        const char *head, *piece;
        size_t length;
        const char *says; /* of the message, or of the verdict */
    } cases[] = {
        {HEAD, "x",                                                                            10 << 20, "10485760 bytes: at most"      },
        {HEAD, "\x01",                                                                         5000,     "in line 9, is no text"        },
        {"",   "\xff\xfe\x00junk",                                                             5000,     "byte 1, in line 1, is no text"},
        {HEAD, "7",                                                                            1 << 20,  "not pass"                     },
        {HEAD, "7 GB ",                                                                        1 << 20,  "more were not"                },
        {HEAD, "Stage 2 keeps 52 GB of model states. ",                                        1 << 20,  "more were not"                },
        {HEAD, "one twenty and a half ",                                                       1 << 20,  "not pass"                     },
        {HEAD, "stage 3 sends half the traffic of stage 2 and 7 GB more states than stage 2 ",
         1 << 20,                                                                                        "not pass"                     },
        {HEAD, "stage 2, 3 and 1 ",                                                            1 << 20,  "not pass"                     },
        {HEAD, "| 3 GB |\n",                                                                   1 << 20,  "more were not"                },
        {HEAD, "[run 12: peak 1.83 GB] ",                                                      1 << 20,  "more were not"                },
        {HEAD, "<!-- ",                                                                        1 << 20,  "not pass"                     },
        {HEAD, "1,2,3/4–5 and ",                                                             1 << 20,  "not pass"                     },
        {HEAD, "# ",                                                                           1 << 20,  "not pass"                     },
        {HEAD, "#\n",                                                                          1 << 20,  "not pass"                     },
        {HEAD, "a100 h100 nvlink rtx ",                                                        1 << 20,  "not pass"                     },
        {"",   "Scenario: ",                                                                   1 << 20,  "scenario cannot be read"      },
        {"",   "Scenario: 13B\n",                                                              1 << 20,  "scenario cannot be read"      },
        {"",   "word",                                                                         1 << 20,  "names no scenario"            },
        {"",   "\n",                                                                           1 << 20,  "names no scenario"            },
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct study_memo_report r;
        struct base_message m = {0};
        char *text = repeated(cases[i].head, cases[i].piece, cases[i].length);
        clock_t start = clock(); /* a second at most; what grows with the square takes minutes */
        bool read = study_memo_check(text, cases[i].length, NULL, &r, &m);
        long took = (long)(1000 * (clock() - start) / CLOCKS_PER_SEC);
        const char *said = read ? r.verdict : m.what;
        if (!strstr(said, cases[i].says)) fail_msg("%zu, \"%s\": %s", i, cases[i].piece, said);
        if (took > 20000) fail_msg("%zu, \"%s\": %ld ms", i, cases[i].piece, took);
        if (getenv("MEMO_TIMES")) printf("%5ld ms  %s\n", took, cases[i].piece);
        assert_false(r.passes);
        study_memo_free(&r);
        free(text);
    }
}

/* One edit of a text as fingers make it: a byte changed, a piece cut, a piece put elsewhere. The text has room for twice its length. */
static size_t mistype(char *text, size_t length, uint64_t *state) {
    static const char signs[] = "\n|-:(),.*[]#/0123456789%=+ ";
    size_t a = base_random(state) % length, b = base_random(state) % length,
           n = base_random(state) % 40;
    char piece[40];
    if (a + n >= length || b + n >= length) return length;
    switch (base_random(state) % 3) {
    case 0: text[a] = signs[base_random(state) % (sizeof signs - 1)]; return length;
    case 1: memmove(text + a, text + a + n, length - a - n); return length - n;
    default:
        memcpy(piece, text + b, n);
        memmove(text + a + n, text + a, length - a);
        memcpy(text + a, piece, n);
        return length + n;
    }
}

static void mistyped_memos_are_still_checked(void **state) {
    enum { TIMES = 40, EDITS = 8 };
    uint64_t random = 7;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(memos) * TIMES; i++) {
        struct study_memo_report r;
        size_t length;
        char *path = base_format("tests/memo/%s.md", memos[i / TIMES].file);
        char *text = base_file_read(path, 1 << 20, &length, NULL);
        text = base_grow(text, length + EDITS * 40, 1);
        for (int k = 0; k < EDITS; k++) length = mistype(text, length, &random);
        if (study_memo_check(text, length, NULL, &r, NULL)) {
            assert_true(*r.verdict);
            for (size_t k = 0; k < r.count; k++)
                assert_true(r.finding[k].line >= 0 && *r.finding[k].what);
        }
        study_memo_free(&r);
        free(path);
        free(text);
    }
}

/* A good memo with one quotation put into it: whether it passes, and with how many points fewer if its other measurements are taken out. */
static void quotations_count_for_and_against(void **state) {
    static const struct {
        const char *quote;
        const struct study_memo_evidence *runs;
        bool passes;
        const char *verdict;
    } cases[] = {
        {"[run 12: peak 1.83 GB]", &runs, true,  "100 of 100"               },
        {"[run 13: peak 1.83 GB]", &runs, false, "1 statement does not hold"},
        {"[run 12: peak 2.5 GB]",  &runs, false, "1 statement does not hold"},
        {"[run 12: peak 1.83 GB]", NULL,  true,  "95 of 100"                },
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct study_memo_report r;
        char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, NULL, NULL);
        char *end = strstr(good, "\n## What to measure");
        assert_non_null(end);
        char *memo = base_format("%.*s\n## Baseline\n\n%s is what the baseline had.\n",
                                 (int)(end - good), good, cases[i].quote);
        assert_true(study_memo_check(memo, strlen(memo), cases[i].runs, &r, NULL));
        if (r.passes != cases[i].passes || !strstr(r.verdict, cases[i].verdict))
            fail_msg("%s: %s", cases[i].quote, r.verdict);
        study_memo_free(&r);
        free(memo);
        free(good);
    }
}

static void a_new_memo_asks_for_everything(void **state) {
    struct study_scenario s;
    struct study_memo_report r;
    struct base_text t = {0};
    (void)state;
    study_scenario_vary(3, &s);
    study_memo_new(&s, &t);
    assert_true(study_memo_check(t.s, t.length, NULL, &r, NULL));
    assert_true(r.has_scenario && !r.decided && !r.passes);
    assert_int_equal(r.scenario.training.params, s.training.params);
    assert_int_equal(r.kinds[STUDY_MEMO_RIGHT] + r.kinds[STUDY_MEMO_WRONG], 0);
    assert_true(r.kinds[STUDY_MEMO_MISSING] > 8);
    study_memo_free(&r);
    base_text_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memos_get_the_verdict_of_an_expert),
        cmocka_unit_test(sentences_are_understood),
        cmocka_unit_test(junk_is_answered_at_once),
        cmocka_unit_test(mistyped_memos_are_still_checked),
        cmocka_unit_test(quotations_count_for_and_against),
        cmocka_unit_test(a_new_memo_asks_for_everything),
    };
    return cmocka_run_group_tests_name("study/memo", tests, NULL, NULL);
}
