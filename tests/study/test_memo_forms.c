/* Ways to say it: what all GPUs hold together, N times less, arrows, configurations that are multiplied, words for shares of a step. */
#include "study/memo_sentences.h"

#define STAGES  "| | stage 1 → stage 2 |\n|:--|--:|\n"
#define CHANGES "| | change |\n|:--|--:|\n"
static const struct memo_sentence sentences[] = {
  /* of all GPUs */
    {"Under stage 3 all eight GPUs hold 208 GB of states.",                                        "208 GB",          STUDY_MEMO_RIGHT,       "stage 3"       },
    {"Together the eight ranks hold 390 GB of states.",                                            "390 GB",          STUDY_MEMO_RIGHT,       "stage 2"       },
    {"Summed over the ranks, the states are 390 GB.",                                              "390 GB",          STUDY_MEMO_RIGHT,       "stage 2"       },
    {"In total the eight GPUs keep 190 GB of states.",                                             "190 GB",          STUDY_MEMO_WRONG,       "48.75 GB"      },
    {"All eight GPUs hold 48.75 GB of states.",                                                    "48.75 GB",        STUDY_MEMO_RIGHT,       "stage 2"       },
    {"All eight GPUs hold 50.75 GB of states.",                                                    "50.75 GB",        STUDY_MEMO_WRONG,       "48.75 GB"      },
 /* so many times less */
    {"Gradients shrink eightfold under stage 2.",                                                  "eightfold",       STUDY_MEMO_RIGHT,
     "26 GB with stage 1"                                                                                                                                     },
    {"Gradients shrink 8-fold from stage 1 to stage 2.",                                           "8-fold",          STUDY_MEMO_RIGHT,       "3.25 GB"       },
    {"The gradients shrink fourfold from stage 1 to stage 2.",                                     "fourfold",        STUDY_MEMO_WRONG,
     "0.125"                                                                                                                                                  },
    {"Gradients are 8x smaller under stage 2 than under stage 1.",                                 "8x",              STUDY_MEMO_RIGHT,       ""              },
    {"Gradients are 4x smaller under stage 2 than under stage 1.",                                 "4x",              STUDY_MEMO_WRONG,       "0.125"         },
    {"Under stage 2 gradients are an eighth of what stage 1 keeps.",                               "an eighth",       STUDY_MEMO_RIGHT,
     ""                                                                                                                                                       },
    {"Stage 3 keeps only an eighth of the gradients.",                                             "an eighth",       STUDY_MEMO_RIGHT,       "stage 0"       },
    {"An eighth of the gradients is 3.25 GB under stage 2.",                                       "3.25 GB",         STUDY_MEMO_RIGHT,
     "gradients"                                                                                                                                              },
    {"Stage 2 sends two thirds of what stage 3 sends.",                                            "two thirds",      STUDY_MEMO_RIGHT,       ""              },
    {"Stage 2 sends three quarters of what stage 3 sends.",                                        "three quarters",  STUDY_MEMO_WRONG,
     "0.667"                                                                                                                                                  },
 /* arrows */
    {"Gradients: 26 GB -> 3.25 GB.",                                                               "26 GB",           STUDY_MEMO_RIGHT,       "gradients"     },
    {"Gradients: 26 GB -> 3.25 GB.",                                                               "3.25 GB",         STUDY_MEMO_RIGHT,       "gradients"     },
    {"From stage 2 to stage 3 the peak goes 67.0 GB → 36.2 GB.",                                 "36.2 GB",         STUDY_MEMO_WRONG,
     "46.18 GB"                                                                                                                                               },
    {"Peak 67.0 GB → 18.9 GB to spare.",                                                         "18.9 GB",         STUDY_MEMO_RIGHT,       "to spare"      },
    {"2 B x 13e9 -> 36 GB of weights.",                                                            "36 GB",           STUDY_MEMO_WRONG,       "26 GB"         },
    {STAGES "| gradients | 26 GB → 3.25 GB |",                                                   "3.25 GB",         STUDY_MEMO_RIGHT,       "stage 2"       },
    {STAGES "| states | 48.75 GB → 71.5 GB |",                                                   "71.5 GB",         STUDY_MEMO_WRONG,       "stage 1"       },
    {STAGES "| sent | 45.5 GB → 68.25 GB |",                                                     "68.25 GB",        STUDY_MEMO_WRONG,       "stage 3"       },
    {CHANGES "| optimizer | 156 → 19.5 GB |",                                                    "156 GB",          STUDY_MEMO_RIGHT,       "stage 0"       },
    {CHANGES "| states | 208 → 58.75 GB |",                                                      "58.75 GB",        STUDY_MEMO_UNSUPPORTED, "48.75 GB"      },
 /* so many GPUs */
    {"On 2 nodes x 8 GPUs the states are 37.4 GB under stage 2.",                                  "37.4 GB",         STUDY_MEMO_RIGHT,
     "16 GPUs"                                                                                                                                                },
    {"On two nodes of 8 GPUs each, stage 2 keeps 37.4 GB of states.",                              "37.4 GB",         STUDY_MEMO_RIGHT,
     "16 GPUs"                                                                                                                                                },
    {"With 2×8 GPUs stage 2 keeps 48.75 GB of states.",                                           "48.75 GB",        STUDY_MEMO_WRONG,       "16 GPUs"       },
    {"On 16 A100s stage 2 keeps 37.4 GB of states.",                                               "37.4 GB",         STUDY_MEMO_RIGHT,       "16 GPUs"       },
    {"On four nodes the optimizer takes 4.88 GB.",                                                 "4.88 GB",         STUDY_MEMO_RIGHT,       "32 GPUs"       },
    {"On 16 GPUs a step takes 5 s.",                                                               "5 s",             STUDY_MEMO_UNSUPPORTED, "16 GPUs"       },
 /* words for shares of a step */
    {"Two thirds of the step is communication.",                                                   "Two thirds",      STUDY_MEMO_WRONG,       "15.9 %"        },
    {"Communication is a sixth of the step.",                                                      "a sixth",         STUDY_MEMO_RIGHT,       "15.9 %"        },
    {"About a tenth of the step is exposed communication.",                                        "a tenth",         STUDY_MEMO_RIGHT,       "8.2 %"         },
    {"Nine tenths of the step is computation.",                                                    "Nine tenths",     STUDY_MEMO_RIGHT,       "89.9 %"        },
    {"Communication is half of the step without overlap.",                                         "half",            STUDY_MEMO_MISSING,     ""              },
 /* parts of what is sent, of what is kept, of a step */
    {"Per step 45.5 GB are sent, and 45.5 GB of these stay on NVLink.",                            "45.5 GB",         STUDY_MEMO_RIGHT,
     "sends"                                                                                                                                                  },
    {"The first moment is 6.5 GB under stage 2.",                                                  "6.5 GB",          STUDY_MEMO_RIGHT,       "one of Adam"   },
    {"Momentum and variance are 13 GB under stage 2.",                                             "13 GB",           STUDY_MEMO_RIGHT,       "Adam's moments"},
    {"Momentum and variance are 6.5 GB under stage 2.",                                            "6.5 GB",          STUDY_MEMO_WRONG,       "13 GB"         },
    {"Each of these passes moves 22.75 GB per rank.",                                              "22.75 GB",        STUDY_MEMO_RIGHT,
     "reduce-scatters"                                                                                                                                        },
    {"Of the 208 GB of states a GPU keeps 48.75 GB.",                                              "208 GB",          STUDY_MEMO_RIGHT,       "stage 0"       },
    {"The model has 13 billion parameters. In bf16 they take 26 GB, and gradients another 26 GB.",
     "26 GB",                                                                                                         STUDY_MEMO_RIGHT,       ""              },
    {"The optimizer (master weights, momentum, variance) amounts to 19.5 GB.",                     "19.5 GB",
     STUDY_MEMO_RIGHT,                                                                                                                        "optimizer"     },
    {"The optimizer (master weights, momentum, variance) amounts to 29.5 GB.",                     "29.5 GB",
     STUDY_MEMO_WRONG,                                                                                                                        "optimizer"     },
    {"A step takes 1.2 s: two thirds of it is backward.",                                          "two thirds",      STUDY_MEMO_RIGHT,
     "backward"                                                                                                                                               },
    {"Checkpointing would cost 0.355 s per step.",                                                 "0.355 s",         STUDY_MEMO_RIGHT,       "a step"        },
    {"Full checkpointing costs 1.55 s a step.",                                                    "1.55 s",          STUDY_MEMO_RIGHT,       "a step"        },
    {"We see some communication (98 ms are exposed).",                                             "98 ms",           STUDY_MEMO_RIGHT,       "exposed"       },
    {"A mebibyte is 2^20 bytes.",                                                                  "20 bytes",        STUDY_MEMO_MISSING,     ""              },
    {"Stage 3 w/o checkpointing peaks at 46.2 GB.",                                                "46.2 GB",         STUDY_MEMO_RIGHT,       "stage 3"       },
    {"ZeRO-3 sends more than stage 1; it has 46.2 GB at the peak.",                                "46.2 GB",         STUDY_MEMO_RIGHT,
     "stage 3"                                                                                                                                                },
    {"Stage 1 peaks at 89.8 GB. It fits.",                                                         "fits",            STUDY_MEMO_WRONG,       "does not fit"  },
    {"Stage 1 peaks at 89.8 GB. It doesn't fit.",                                                  "does not fit",    STUDY_MEMO_RIGHT,       "89.78 GB"      },
    {"| | tokens/s (thousands) |\n|:--|--:|\n| stage 2 | 13.7 |",                                  "13.7 K tokens/s",
     STUDY_MEMO_RIGHT,                                                                                                                        "throughput"    },
 /* ranges */
    {"The peak is between 10 and 80 GB.",                                                          "10 and 80 GB",    STUDY_MEMO_UNSUPPORTED, "So wide"       },
};

int main(void) {
    return memo_sentences_run("study/memo_forms", sentences, BASE_COUNT(sentences));
}
