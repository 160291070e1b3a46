/* Shares of the card and of the step, tokens of a step, and times and rates in units that are not those of the engine. */
#include "study/memo_sentences.h"

static const struct memo_sentence sentences[] = {
  /* percent */
    {"The peak is 78 % of the card.",                         "78 %",               STUDY_MEMO_RIGHT,       "usable memory"},
    {"The peak is 90 % of the card.",                         "90 %",               STUDY_MEMO_WRONG,       "78 %"         },
    {"The card is 78 % full.",                                "78 %",               STUDY_MEMO_RIGHT,       ""             },
    {"We use 95 % of the card.",                              "95 %",               STUDY_MEMO_UNSUPPORTED, "78 %"         },
    {"With micro-batch 2 the peak is 96.8 % of the card.",    "96.8 %",             STUDY_MEMO_RIGHT,       ""             },
    {"With full checkpointing the peak is 40 % of the card.", "40 %",               STUDY_MEMO_UNSUPPORTED, ""             },
    {"Communication is 16 % of the step.",                    "16 %",               STUDY_MEMO_RIGHT,       "of the step"  },
    {"Communication is 50 % of the step.",                    "50 %",               STUDY_MEMO_WRONG,       "15.9 %"       },
    {"Accept a peak within 5 % of the card.",                 "5 %",                STUDY_MEMO_MISSING,     ""             },
    {"Fragmentation is 10 % of the card.",                    "10 %",               STUDY_MEMO_MISSING,     ""             },
 /* tokens */
    {"Each step processes 16,384 tokens.",                    "16,384 tokens",      STUDY_MEMO_RIGHT,       "8 GPUs"       },
    {"Each step processes 32,768 tokens.",                    "32,768 tokens",      STUDY_MEMO_WRONG,       "16384 tokens" },
    {"Each step processes 2048 tokens.",                      "2048 tokens",        STUDY_MEMO_WRONG,       "16384 tokens" },
    {"Each step processes 2048 tokens per GPU.",              "2048 tokens",        STUDY_MEMO_RIGHT,       ""             },
    {"With 4 micro-batches a step has 65,536 tokens.",        "65,536 tokens",      STUDY_MEMO_RIGHT,       ""             },
    {"We train on 300 billion tokens.",                       "300 billion tokens", STUDY_MEMO_MISSING,     ""             },
    {"We get 6.7 samples/s.",                                 "6.7 samples/s",      STUDY_MEMO_RIGHT,       "throughput"   },
    {"We get 14 samples/s.",                                  "14 samples/s",       STUDY_MEMO_WRONG,       "throughput"   },
 /* time */
    {"A step takes 0.02 minutes.",                            "0.02 minutes",       STUDY_MEMO_RIGHT,       "a step"       },
    {"A step takes 1.2 min.",                                 "1.2 min",            STUDY_MEMO_UNIT,        "right in s"   },
    {"A step takes 2 hours.",                                 "2 hours",            STUDY_MEMO_WRONG,       "1.2 s"        },
    {"100k steps take 33 hours.",                             "33 hours",           STUDY_MEMO_MISSING,     ""             },
    {"At 2 GB/s this takes a while.",                         "2 GB/s",             STUDY_MEMO_UNSUPPORTED, ""             },
};

int main(void) {
    return memo_sentences_run("study/memo_shares", sentences, BASE_COUNT(sentences));
}
