/* What a figure is taken to be about, and what of it: the share of a GPU or the whole; a bare number is never right by chance. */
#include "study/memo_sentences.h"

static const struct memo_sentence sentences[] = {
  /* the forgotten division */
    {"Gradients take 26 GB.",                                          "26 GB",                  STUDY_MEMO_WRONG,       "divide by 8"    },
    {"The optimizer keeps 156 GB.",                                    "156 GB",                 STUDY_MEMO_WRONG,       "divide by 8"    },
    {"The fp32 master weights take 52 GB on the GPU.",                 "52 GB",                  STUDY_MEMO_WRONG,       "divide by 8"    },
    {"The model states are 208 GB.",                                   "208 GB",                 STUDY_MEMO_WRONG,       "divide by 8"    },
    {"| category | GB |\n|---|---|\n| gradients | 26 |",               "26 GB",                  STUDY_MEMO_WRONG,       "divide by 8"    },
    {"The optimizer states are 156 GB in all.",                        "156 GB",                 STUDY_MEMO_RIGHT,       "stage 0"        },
    {"Before sharding, the gradients are 26 GB.",                      "26 GB",                  STUDY_MEMO_RIGHT,       "stage 0"        },
    {"156 GB of optimizer states, split 8 ways.",                      "156 GB",                 STUDY_MEMO_RIGHT,       "stage 0"        },
    {"Optimizer: 156 GB / 8.",                                         "156 GB",                 STUDY_MEMO_RIGHT,       "stage 0"        },
    {"Optimizer: 19.5 GB / 8.",                                        "19.5 GB",                STUDY_MEMO_WRONG,       "156 GB"         },
    {"Each GPU keeps an eighth of 156 GB of optimizer states.",        "156 GB",                 STUDY_MEMO_RIGHT,
     "stage 0"                                                                                                                            },
    {"The parameters take 26 GB.",                                     "26 GB",                  STUDY_MEMO_RIGHT,       "stage 2"        },
    {"For thirteen billion parameters that is 208 GB.",                "208 GB",                 STUDY_MEMO_RIGHT,       "stage 0"        },
 /* bare numbers */
    {"Stage 1: 45 GB.",                                                "45 GB",                  STUDY_MEMO_UNSUPPORTED, "of what is this"},
    {"Stage 1: 89.8 GB.",                                              "89.8 GB",                STUDY_MEMO_RIGHT,       "the total"      },
    {"Each GPU holds 26 GB.",                                          "26 GB",                  STUDY_MEMO_UNSUPPORTED, "of what is this"},
    {"In this setup a GPU fills 45.5 GB.",                             "45.5 GB",                STUDY_MEMO_UNSUPPORTED, "of what is this"},
    {"2Ψ(N-1)/N = 45.5 GB/step/rank",                                 "45.5 GB",                STUDY_MEMO_RIGHT,       "sends a step"   },
    {"2Ψ(N-1)/N = 48.75 GB/step/rank",                                "48.75 GB",               STUDY_MEMO_WRONG,       "sends a step"   },
    {"Eight micro-batches a step cost stage 2 204.75 GB.",             "204.75 GB",              STUDY_MEMO_RIGHT,
     "sends a step"                                                                                                                       },
    {"Each keeps 26 GB of weights and, of everything else, 22.75 GB.", "22.75 GB",               STUDY_MEMO_RIGHT,
     "gradients and optimizer states"                                                                                                     },
    {"The states of stage 3 are smaller, i.e. 26 GB.",                 "26 GB",                  STUDY_MEMO_RIGHT,       "stage 3"        },
    {"We keep the master copy, moments etc. The peak is 67 GB.",       "67 GB",                  STUDY_MEMO_RIGHT,
     "the peak"                                                                                                                           },
    {"If all goes well the model states are 20 GB per GPU.",           "20 GB",                  STUDY_MEMO_WRONG,       "48.75 GB"       },
    {"Hybrid sharding in groups of 4 (stage 3) would peak at 60 GB.",  "60 GB",
     STUDY_MEMO_UNSUPPORTED,                                                                                             "stage 3"        },
    {"This fits, at 67 GB, and sends no more than stage 1.",           "fits",                   STUDY_MEMO_MISSING,     ""               },
 /* bytes a parameter */
    {"Model states cost 16 bytes per parameter.",                      "16 bytes per parameter", STUDY_MEMO_RIGHT,       ""               },
    {"Model states cost 12 bytes per parameter.",                      "12 bytes per parameter", STUDY_MEMO_WRONG,
     "16 B/param"                                                                                                                         },
    {"Gradients cost 2 bytes per parameter.",                          "2 bytes per parameter",  STUDY_MEMO_RIGHT,
     "gradients"                                                                                                                          },
    {"Gradients cost 8 bytes per parameter.",                          "8 bytes per parameter",  STUDY_MEMO_WRONG,
     "2 B/param"                                                                                                                          },
    {"The optimizer states take 12 bytes per parameter.",              "12 bytes per parameter",
     STUDY_MEMO_RIGHT,                                                                                                   "optimizer"      },
    {"Adam takes 12 B/param.",                                         "12 B/param",             STUDY_MEMO_RIGHT,       "optimizer"      },
    {"The fp32 master and two moments take 12 bytes per parameter.",   "12 bytes per parameter",
     STUDY_MEMO_RIGHT,                                                                                                   "optimizer"      },
 /* links and those who send */
    {"NVLink has 25 GB/s.",                                            "25 GB/s",                STUDY_MEMO_WRONG,       "240 GB/s"       },
    {"NVLink 3 gives 600 GB/s, bidirectional.",                        "600 GB/s",               STUDY_MEMO_RIGHT,       "the link"       },
    {"All 8 GPUs together send 45.5 GB.",                              "45.5 GB",                STUDY_MEMO_WRONG,       "364 GB"         },
    {"All 8 GPUs together send 364 GB.",                               "364 GB",                 STUDY_MEMO_RIGHT,       "sends"          },
    {"8 micro-batches send 45.5 GB.",                                  "45.5 GB",                STUDY_MEMO_WRONG,       "204.8 GB"       },
    {"8 micro-batches send 204.75 GB.",                                "204.75 GB",              STUDY_MEMO_RIGHT,       "sends"          },
    {"Stage 1 exceeds 85.9 GB by 3.88 GB.",                            "3.88 GB",                STUDY_MEMO_RIGHT,       "over the card"  },
};

int main(void) {
    return memo_sentences_run("study/memo_subject", sentences, BASE_COUNT(sentences));
}
