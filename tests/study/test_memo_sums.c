/* Arithmetic that a memo shows, differences, what is left and what is over, rules, and what lies on disk. */
#include "study/memo_sentences.h"

static const struct memo_sentence sentences[] = {
  /* arithmetic */
    {"bf16 weights: 2 bytes × 13e9 = 26 GB.",                                         "26 GB",                 STUDY_MEMO_RIGHT,         "parameters"    },
    {"bf16 weights: 2 bytes × 13e9 = 26 GB.",                                         "2 bytes",               STUDY_MEMO_MISSING,       ""              },
    {"bf16 weights: 2 bytes × 13e9 = 36 GB.",                                         "36 GB",                 STUDY_MEMO_WRONG,         "comes to 26 GB"},
    {"Adam: 12 B/param × 13e9 / 8 = 19.5 GB per GPU.",                                "19.5 GB",               STUDY_MEMO_RIGHT,         "optimizer"     },
    {"Adam: 12 B/param × 13e9 / 8 = 29.5 GB per GPU.",                                "29.5 GB",               STUDY_MEMO_WRONG,
     "comes to 19.5 GB"                                                                                                                                   },
    {"The optimizer takes 12 bytes per parameter times 13e9 = 156 GB on each GPU.",    "156 GB",
     STUDY_MEMO_WRONG,                                                                                                                    "divide by 8"   },
    {"Peak = 48.75 GB + 16.1 GB + 2.2 GB = 67.0 GB.",                                  "67.0 GB",               STUDY_MEMO_RIGHT,         "the peak"      },
    {"Peak = 48.75 GB + 16.1 GB + 2.2 GB = 67.0 GB.",                                  "16.1 GB",               STUDY_MEMO_MISSING,       ""              },
    {"Peak = 48.75 GB + 26.1 GB + 2.2 GB = 67.0 GB.",                                  "48.75 GB",              STUDY_MEMO_CONTRADICTORY,
     "the terms make"                                                                                                                                     },
    {"26 + 3.25 + 6.5 + 13 = 48.75 GB of states.",                                     "48.75 GB",              STUDY_MEMO_RIGHT,         "model states"  },
    {"26 + 3.25 + 6.5 + 13 = 58.75 GB of states.",                                     "58.75 GB",              STUDY_MEMO_WRONG,
     "comes to 48.75 GB"                                                                                                                                  },
    {"85.9 GB usable − 67.0 GB peak = 18.9 GB headroom.",                            "18.9 GB",               STUDY_MEMO_RIGHT,         "to spare"      },
    {"Each GPU moves 7/8 × 26 GB × 2 = 45.5 GB a step.",                             "45.5 GB",               STUDY_MEMO_RIGHT,         "sends"         },
    {"2Ψ(N-1)/N = 45.5 GB/step.",                                                     "45.5 GB",               STUDY_MEMO_RIGHT,         "sends"         },
    {"Framework keeps fp32 gradients: +3.25 GB.",                                      "3.25 GB",               STUDY_MEMO_UNSUPPORTED,
     "a difference"                                                                                                                                       },
 /* differences with one side named */
    {"Stage 2 saves 22.75 GB of gradients per GPU.",                                   "22.75 GB",              STUDY_MEMO_RIGHT,
     "26 GB with stage 1"                                                                                                                                 },
    {"Stage 3 would save another 22.75 GB of parameters.",                             "22.75 GB",              STUDY_MEMO_RIGHT,
     "26 GB with stage 2"                                                                                                                                 },
    {"Stage 3 would save another 32.75 GB of parameters.",                             "32.75 GB",              STUDY_MEMO_UNSUPPORTED,
     "Name both sides"                                                                                                                                    },
    {"fp32 gradients would add 3.25 GB.",                                              "3.25 GB",               STUDY_MEMO_RIGHT,         "32-bit"        },
    {"fp32 gradients would add 6.5 GB.",                                               "6.5 GB",                STUDY_MEMO_UNSUPPORTED,   "3.25 GB more"  },
    {"With fp32 gradients stage 2 would keep 52 GB.",                                  "52 GB",                 STUDY_MEMO_RIGHT,         "the total"     },
 /* what is left, what is over */
    {"Stage 1 (71.5 GB) leaves only 14.4 GB for activations of 16.1 GB.",              "14.4 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    "leave"         },
    {"Stage 1 (71.5 GB) leaves only 24.4 GB for activations of 16.1 GB.",              "24.4 GB",
     STUDY_MEMO_WRONG,                                                                                                                    "14.4 GB"       },
    {"Stage 1 exceeds 85.9 GB by 3.88 GB.",                                            "3.88 GB",               STUDY_MEMO_RIGHT,         "over the card" },
    {"Stage 1 is 3.88 GB over the limit.",                                             "3.88 GB",               STUDY_MEMO_RIGHT,         "over the card" },
    {"Stage 1 is 9.5 GB over the limit.",                                              "9.5 GB",                STUDY_MEMO_WRONG,         "3.879 GB"      },
    {"The peak is under 85.9 GB by 30 GB.",                                            "30 GB",                 STUDY_MEMO_WRONG,         "18.87 GB"      },
    {"DDP: 208 GB, 2.4 times the card.",                                               "208 GB",                STUDY_MEMO_RIGHT,         "the total"     },
    {"ZeRO-3 halves the memory to 46 GB but costs 50 % more traffic.",                 "46 GB",                 STUDY_MEMO_RIGHT,
     "the total"                                                                                                                                          },
 /* rules */
    {"We keep 10 GB free as a safety margin.",                                         "10 GB",                 STUDY_MEMO_MISSING,       ""              },
    {"Our rule is 5 GB of headroom.",                                                  "5 GB",                  STUDY_MEMO_MISSING,       ""              },
    {"We have 10 GB of headroom.",                                                     "10 GB",                 STUDY_MEMO_WRONG,         "18.87 GB"      },
 /* what the engine does not count, or counts elsewhere */
    {"Without master weights it needs 8 bytes per parameter.",                         "8 bytes per parameter",
     STUDY_MEMO_UNSUPPORTED,                                                                                                              ""              },
    {"A full checkpoint of the state (weights + master + moments) is 182 GB on disk.", "182 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    "on disk"       },
    {"A full checkpoint is 500 GB on disk.",                                           "500 GB",                STUDY_MEMO_UNSUPPORTED,   "182 GB"        },
};

int main(void) {
    return memo_sentences_run("study/memo_sums", sentences, BASE_COUNT(sentences));
}
