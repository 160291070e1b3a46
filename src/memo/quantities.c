/* The quantities of a configuration that have a name, and the words by which people name them. Differences, ratios and totals over GPUs are
 * not among them: with those nearly every figure would be something. */
#include "memo/inside.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUM(a, b) (1u << (a) | 1u << (b))
enum {
    STATES = 1 << ACCOUNT_PARAMS | 1 << ACCOUNT_GRADS | 1 << ACCOUNT_MASTER | 1 << ACCOUNT_MOMENTS
};

/* ── the table ───────────────────────────────────────────────────────────────────────────────────*/
static const struct row {
    const char *name;
    enum account_measure measure;
    uint32_t mask; /* of categories that are added up */
    int kind;      /* of the problem that has its mistakes; 0: none has */
    const char *asked;
} rows[MEMO_Q_S] = {
    [MEMO_Q_STATES] = {"model states",                  ACCOUNT_FIGURE_BYTES, STATES,                    ACCOUNT_ASK_BYTES + 1,
                       "model_state"},
    [MEMO_Q_PARAMS] = {"parameters",                    ACCOUNT_FIGURE_BYTES, 1 << ACCOUNT_PARAMS,
                       ACCOUNT_ASK_BYTES + 1,                                                                                                          "params"},
    [MEMO_Q_GRADS] = {"gradients",                     ACCOUNT_FIGURE_BYTES, 1 << ACCOUNT_GRADS,        ACCOUNT_ASK_BYTES + 1,
                       "grads"},
    [MEMO_Q_MASTER] = {"master copy",                   ACCOUNT_FIGURE_BYTES, 1 << ACCOUNT_MASTER,
                       ACCOUNT_ASK_BYTES + 1,                                                                                                          "master"},
    [MEMO_Q_MOMENTS] = {"moments",                       ACCOUNT_FIGURE_BYTES, 1 << ACCOUNT_MOMENTS,
                       ACCOUNT_ASK_BYTES + 1,                                                                                                          "moments"},
    [MEMO_Q_MOMENT] = {"one moment",                    ACCOUNT_FIGURE_BYTES, 0,                         0,                                            NULL},
    [MEMO_Q_OPTIMIZER] = {"optimizer states",              ACCOUNT_FIGURE_BYTES,
                       SUM(ACCOUNT_MASTER,                                                               ACCOUNT_MOMENTS),                             ACCOUNT_ASK_BYTES + 1,"optimizer"},
    [MEMO_Q_PARAMS_GRADS] = {"parameters and gradients",                               ACCOUNT_FIGURE_BYTES,
                       SUM(ACCOUNT_PARAMS, ACCOUNT_GRADS),                                                                                                             0,NULL},
    [MEMO_Q_GRADS_OPTIMIZER] = {"gradients and optimizer states",                           ACCOUNT_FIGURE_BYTES,
                       STATES & ~(1 << ACCOUNT_PARAMS),                                         0,                                       NULL},
    [MEMO_Q_PARAMS_OPTIMIZER] = {"parameters and optimizer states",                           ACCOUNT_FIGURE_BYTES,
                       STATES & ~(1 << ACCOUNT_GRADS),                                        0,NULL},
    [MEMO_Q_STATES_ACTIVATIONS] = {"model states and activations",                           ACCOUNT_FIGURE_BYTES,
                       STATES | 1 << ACCOUNT_ACTIVATIONS,                                           0,                                          NULL},
    [MEMO_Q_ACTIVATIONS] = {"activations",                           ACCOUNT_FIGURE_BYTES,                                               1 << ACCOUNT_ACTIVATIONS,
                       ACCOUNT_ASK_ACTIVATIONS + 1,                 "total"},
    [MEMO_Q_LOGITS] = {"logits",                        ACCOUNT_FIGURE_BYTES,                                            0,                                                              ACCOUNT_ASK_ACTIVATIONS + 1,                                               "logits"},
    [MEMO_Q_RESERVE] = {"reserve",                       ACCOUNT_FIGURE_BYTES,                                           1 << ACCOUNT_FRAMEWORK,                                                            0,                NULL},
    [MEMO_Q_GATHERED] = {"gathered parameters",                           ACCOUNT_FIGURE_BYTES,                                               1 << ACCOUNT_GATHER,                                                    0,                                   NULL            },
    [MEMO_Q_BUCKETS] = {"reduction buckets",                           ACCOUNT_FIGURE_BYTES,                                               1 << ACCOUNT_REDUCE,                                                      0,                  NULL},
    [MEMO_Q_WORKSPACE] = {"workspace",                           ACCOUNT_FIGURE_BYTES,                                               1 << ACCOUNT_WORKSPACE,                                                              0,                                           NULL                                  },
    [MEMO_Q_BUFFERS] = {"buffers",                           ACCOUNT_FIGURE_BYTES,
                       SUM(ACCOUNT_GATHER,                                                                ACCOUNT_REDUCE) | 1 << ACCOUNT_WORKSPACE,                    0,NULL},
    [MEMO_Q_PEAK] = {"peak",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                       ACCOUNT_ASK_PEAK + 1,                                                                                           "total"},
    [MEMO_Q_INIT] = {"memory after init",           ACCOUNT_FIGURE_BYTES,                        0,0,NULL},
    [MEMO_Q_PEAK_FORWARD] = {"peak in forward",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                                             0,                                                                                                                                                                                                               NULL                                                                                                                                                                                                            },
    [MEMO_Q_PEAK_BACKWARD] = {"peak in backward",                              ACCOUNT_FIGURE_BYTES,                                              0,0,NULL},
    [MEMO_Q_PEAK_UPDATE] = {"peak in update",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                                             0,                                                                                                                                                                                                                                                                                                                                   NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       },
    [MEMO_Q_USABLE] = {"usable memory",                              ACCOUNT_FIGURE_BYTES,                                              0,0,NULL},
    [MEMO_Q_LABEL] = {"memory on the box",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                                             0,                                                                                                                                                                                                                                                                                                                                                                                                                                                 NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 },
    [MEMO_Q_SPARE] = {"spare",                              ACCOUNT_FIGURE_BYTES,                                              0,0,NULL},
    [MEMO_Q_OVER] = {"over the card",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                                             0,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           },
    [MEMO_Q_HOST] = {"host memory",                              ACCOUNT_FIGURE_BYTES,                                              0,ACCOUNT_ASK_HOST + 1,"total"},
    [MEMO_Q_NVME] = {"NVMe",           ACCOUNT_FIGURE_BYTES,                        0,                                                                       ACCOUNT_ASK_HOST + 1,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "nvme"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           },
    [MEMO_Q_SENT] = {"sent per rank and step",           ACCOUNT_FIGURE_BYTES,                         0,ACCOUNT_ASK_TRAFFIC + 1,
                       "total"},
    [MEMO_Q_ALL_GATHER] = {"all-gather",        ACCOUNT_FIGURE_BYTES,                                               0,                                                                        ACCOUNT_ASK_TRAFFIC + 1,
                       "all_gather"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   },
    [MEMO_Q_REDUCE_SCATTER] = {"reduce-scatter",        ACCOUNT_FIGURE_BYTES,                                          0,                                                                   ACCOUNT_ASK_TRAFFIC + 1,
                       "reduce_scatter"},
    [MEMO_Q_ALL_REDUCE] = {"all-reduce",        ACCOUNT_FIGURE_BYTES,                                      0,                                                               ACCOUNT_ASK_TRAFFIC + 1,
                       "all_reduce"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   },
    [MEMO_Q_ALL_TO_ALL] = {"all-to-all",        ACCOUNT_FIGURE_BYTES,                                          0,                                                                   ACCOUNT_ASK_TRAFFIC + 1,
                       "all_to_all"},
    [MEMO_Q_P2P] = {"point to point",        ACCOUNT_FIGURE_BYTES,                                          0,                                                                   ACCOUNT_ASK_TRAFFIC + 1,                                                                                                "p2p"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               },
    [MEMO_Q_INSIDE] = {"sent inside the node",        ACCOUNT_FIGURE_BYTES,                       0,ACCOUNT_ASK_TRAFFIC + 1,
                       "inside"},
    [MEMO_Q_BETWEEN] = {"sent between nodes",        ACCOUNT_FIGURE_BYTES,                                              0,                                                                       ACCOUNT_ASK_TRAFFIC + 1,
                       "between"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         },
    [MEMO_Q_NIC] = {"sent per network card",        ACCOUNT_FIGURE_BYTES,                                             0,                                                                      0,                                                                                            NULL},
    [MEMO_Q_DOWN] = {"down the host link",                              ACCOUNT_FIGURE_BYTES,                                              0,  0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       },
    [MEMO_Q_UP] = {"up the host link",                              ACCOUNT_FIGURE_BYTES,                                              0,                                                                      0,                                                                                                                                                                  NULL},
    [MEMO_Q_COMM] = {"communication time",                              ACCOUNT_FIGURE_SECONDS,                                              0,  ACCOUNT_ASK_SECONDS + 1,
                       "total"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             },
    [MEMO_Q_EXPOSED] = {"exposed communication",        ACCOUNT_FIGURE_SECONDS,                                               0,                                                                        0,                                                                                              NULL},
    [MEMO_Q_FORWARD] = {"forward",                              ACCOUNT_FIGURE_SECONDS,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                },
    [MEMO_Q_BACKWARD] = {"backward",                              ACCOUNT_FIGURE_SECONDS,                                              0,                                                                        0,                                                                                                                                                                     NULL},
    [MEMO_Q_COMPUTE] = {"computation",                              ACCOUNT_FIGURE_SECONDS,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       },
    [MEMO_Q_UPDATE] = {"update",                              ACCOUNT_FIGURE_SECONDS,                                              0,                                                                        0,                                                                                                                                                                                                                                                  NULL},
    [MEMO_Q_OFFLOAD] = {"offloading",                              ACCOUNT_FIGURE_SECONDS,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     },
    [MEMO_Q_BUBBLE] = {"pipeline bubble",                              ACCOUNT_FIGURE_SECONDS,                                              0,                                                                        0,                                                                                                                                                                                                                                                                                                                     NULL},
    [MEMO_Q_STEP] = {"step time",                              ACCOUNT_FIGURE_SECONDS,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              },
    [MEMO_Q_RUN] = {"whole run",                              ACCOUNT_FIGURE_SECONDS,                                              0,                                                                        0,                                                                                                                                                                                                                                                                                                                                                                                             NULL},
    [MEMO_Q_THROUGHPUT] = {"tokens/s",                              ACCOUNT_FIGURE_TOKENS_PER_S,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   },
    [MEMO_Q_THROUGHPUT_GPU] = {"tokens/s per GPU",                              ACCOUNT_FIGURE_TOKENS_PER_S,                                              0,                                                                        0,                                                                                                                                                                                                                                                                                                                                                                                                                                                             NULL},
    [MEMO_Q_LINK] = {"link",                              ACCOUNT_FIGURE_BYTES_PER_S,                                              0,0,NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  },
    [MEMO_Q_NET] = {"network",                              ACCOUNT_FIGURE_BYTES_PER_S,                                              0,                                                                        0,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  NULL},
    [MEMO_Q_HOST_LINK] = {"host link",                              ACCOUNT_FIGURE_BYTES_PER_S,                                              0,0,NULL},
    [MEMO_Q_PER_PARAM] = {"bytes per parameter",                              ACCOUNT_FIGURE_BYTES_PER_PARAM,                                              0,
                       ACCOUNT_ASK_BYTES_PER_PARAM + 1,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "model_state"                                                                                                                                                                                                                                                                                                                                                                                      },
    [MEMO_Q_COUNT] = {"parameter count", ACCOUNT_FIGURE_PARAMS,        0,                                 0,NULL},
    [MEMO_Q_TOKENS] = {"tokens per step",                              ACCOUNT_FIGURE_TOKENS,                                              0,                                       0,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 },
    [MEMO_Q_MFU] = {"MFU",                              ACCOUNT_FIGURE_SHARES,                                              0,                                 0,NULL},
    [MEMO_Q_GPU_HOURS] = {"GPU-hours",                              ACCOUNT_FIGURE_GPU_HOURS,                                              0,                                       0,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      NULL                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                },
};
_Static_assert((int)MEMO_Q_S <= (int)MEMO_QUANTITIES_MOST, "a config has room for all of them");

/* The standard words, an s behind them or not; MEMO_Q_S: the sentence sets something beside the quantity, or does not say it outright. */
static const struct {
    const char *word;
    enum memo_quantity is;
} words[] = {
    {"model state",       MEMO_Q_STATES        },
    {"state",             MEMO_Q_STATES        },
    {"weight",            MEMO_Q_PARAMS        },
    {"parameter",         MEMO_Q_PARAMS        },
    {"param",             MEMO_Q_PARAMS        },
    {"gradient",          MEMO_Q_GRADS         },
    {"grad",              MEMO_Q_GRADS         },
    {"master",            MEMO_Q_MASTER        },
    {"moment",            MEMO_Q_MOMENTS       },
    {"optimizer state",   MEMO_Q_OPTIMIZER     },
    {"optimizer",         MEMO_Q_OPTIMIZER     },
    {"activation",        MEMO_Q_ACTIVATIONS   },
    {"logit",             MEMO_Q_LOGITS        },
    {"reserve",           MEMO_Q_RESERVE       },
    {"framework",         MEMO_Q_RESERVE       },
    {"gathered",          MEMO_Q_GATHERED      },
    {"bucket",            MEMO_Q_BUCKETS       },
    {"peak",              MEMO_Q_PEAK          },
    {"usable",            MEMO_Q_USABLE        },
    {"spare",             MEMO_Q_SPARE         },
    {"headroom",          MEMO_Q_SPARE         },
    {"free",              MEMO_Q_SPARE         },
    {"left",              MEMO_Q_SPARE         },
    {"host",              MEMO_Q_HOST          },
    {"send",              MEMO_Q_SENT          },
    {"sent",              MEMO_Q_SENT          },
    {"traffic",           MEMO_Q_SENT          },
    {"all gather",        MEMO_Q_ALL_GATHER    },
    {"reduce scatter",    MEMO_Q_REDUCE_SCATTER},
    {"all reduce",        MEMO_Q_ALL_REDUCE    },
    {"inside the node",   MEMO_Q_INSIDE        },
    {"between nodes",     MEMO_Q_BETWEEN       },
    {"between the nodes", MEMO_Q_BETWEEN       },
    {"communication",     MEMO_Q_COMM          },
    {"comm",              MEMO_Q_COMM          },
    {"exposed",           MEMO_Q_EXPOSED       },
    {"forward",           MEMO_Q_FORWARD       },
    {"backward",          MEMO_Q_BACKWARD      },
    {"compute",           MEMO_Q_COMPUTE       },
    {"computation",       MEMO_Q_COMPUTE       },
    {"update",            MEMO_Q_UPDATE        },
    {"step",              MEMO_Q_STEP          },
    {"throughput",        MEMO_Q_THROUGHPUT    },
    {"mfu",               MEMO_Q_MFU           },
    {"link",              MEMO_Q_LINK          },
    {"than",              MEMO_Q_S             },
    {"more",              MEMO_Q_S             },
    {"less",              MEMO_Q_S             },
    {"save",              MEMO_Q_S             },
    {"instead",           MEMO_Q_S             },
    {"against",           MEMO_Q_S             },
    {"without",           MEMO_Q_S             },
    {"if",                MEMO_Q_S             },
    {"would",             MEMO_Q_S             },
    {"cluster",           MEMO_Q_S             },
    {"together",          MEMO_Q_S             },
    {"shard",             MEMO_Q_S             },
    {"divide",            MEMO_Q_S             },
    {"half",              MEMO_Q_S             },
    {"layer",             MEMO_Q_S             },
};
_Static_assert(BASE_COUNT(words) <= 60, "one table of at most sixty words");

size_t memo_quantities(void) {
    return MEMO_Q_S;
}

double memo_value(const struct memo_config *c, const char *quantity) {
    size_t q = memo_quantity_find(quantity);
    return q < MEMO_Q_S ? c->value[q][0] : 0;
}

const char *memo_quantity_name(size_t q) {
    return q < MEMO_Q_S ? rows[q].name : "";
}

enum account_measure memo_quantity_measure(size_t q) {
    return q < MEMO_Q_S ? rows[q].measure : ACCOUNT_FIGURE_NOTHING;
}

/* ── words in a text ─────────────────────────────────────────────────────────────────────────────*/
/* Blanks and hyphens between words are one. */
static size_t phrase_at(const char *s, const char *end, const char *phrase) {
    const char *from = s;
    for (; *phrase; phrase++, s++) {
        bool gap = *phrase == ' ' || *phrase == '-';
        if (s == end || (gap ? !strchr(" -_\n", *s)
                             : tolower((unsigned char)*s) != tolower((unsigned char)*phrase)))
            return 0;
    }
    if (s < end && *s == 's') s++;
    return s < end && isalnum((unsigned char)*s) ? 0 : (size_t)(s - from);
}

static bool fits_measure(enum memo_quantity q, enum account_measure m) {
    return q == MEMO_Q_S || m == ACCOUNT_MEASURES || rows[q].measure == m;
}

size_t memo_word_at(const char *s, const char *end, enum account_measure m,
                    enum memo_quantity *out) {
    size_t longest = 0;
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        if (tolower((unsigned char)*s) != words[i].word[0] || !fits_measure(words[i].is, m))
            continue;
        size_t n = phrase_at(s, end, words[i].word);
        if (n > longest) longest = n, *out = words[i].is;
    }
    for (size_t q = 0; q < MEMO_Q_S; q++) {
        if (tolower((unsigned char)*s) != tolower((unsigned char)rows[q].name[0]) ||
            !fits_measure((enum memo_quantity)q, m))
            continue;
        size_t n = phrase_at(s, end, rows[q].name);
        if (n > longest) longest = n, *out = (enum memo_quantity)q;
    }
    return longest;
}

size_t memo_quantity_find(const char *name) {
    const char *end = name + strlen(name);
    size_t longest = 0;
    enum memo_quantity found = MEMO_Q_S, q;
    for (size_t i = 0; i < MEMO_Q_S; i++)
        if (phrase_at(name, end, rows[i].name) == strlen(name)) return i;
    for (const char *s = name; s < end; s++) {
        if (s > name && isalnum((unsigned char)s[-1])) continue;
        size_t n = memo_word_at(s, end, ACCOUNT_MEASURES, &q);
        if (n > longest && q != MEMO_Q_S) longest = n, found = q;
    }
    return found;
}

/* ── the engine's values ─────────────────────────────────────────────────────────────────────────*/
static void put(struct memo_config *c, enum memo_quantity q, double value) {
    for (size_t i = 0; i < MEMO_TRUTHS && value > 0 && isfinite(value); i++) {
        if (c->value[q][i] == value) return;
        if (c->value[q][i] > 0) continue;
        c->value[q][i] = value;
        return;
    }
}

/* What stage 3 gathers although the recipe has no buffers for it: the planner counts it, a stage of its own asked with everything pinned. */
static uint64_t gathered(const struct account_training *t) {
    struct account_question q = {.training = *t, .pinned = ~0ull};
    struct account_plan plan;
    struct account_plans plans;
    if (t->stage != 3 || !t->card || !t->shape.layers) return 0;
    return account_plan(&q, &plan, 1, &plans, NULL) && plans.count ? plan.gathered : 0;
}

static double over(const struct account_ledger *l, uint32_t mask) {
    double bytes = 0;
    for (int i = 0; i < ACCOUNT_CATEGORIES; i++)
        if (mask >> i & 1) bytes += (double)l->bytes[i];
    return bytes;
}

/* As the ledger has it, then at its highest, between steps and off the GPU: people mean any of these. */
static void put_masks(struct memo_config *c, const struct account_memory *m) {
    struct account_ledger elsewhere = m->host, highest = {0};
    for (int i = 0; i < ACCOUNT_CATEGORIES; i++) {
        elsewhere.bytes[i] += m->nvme.bytes[i];
        highest.bytes[i] = m->highest[i];
    }
    for (size_t q = 0; q < MEMO_Q_S; q++) {
        uint32_t mask = rows[q].mask;
        if (!mask) continue;
        put(c, (enum memo_quantity)q, over(&m->gpu, mask));
        put(c, (enum memo_quantity)q,
            (mask & (mask - 1)) ? over(&m->persistent, mask) : over(&highest, mask));
        c->value[q][MEMO_TRUTHS - 1] = over(&elsewhere, mask);
    }
    put(c, MEMO_Q_MOMENT, over(&m->gpu, 1 << ACCOUNT_MOMENTS) / 2);
}

/* The memo's own activations in the place of the engine's, at each moment in their share. */
static void replace(struct memo_config *c, struct account_memory *m) {
    double engine = (double)m->highest[ACCOUNT_ACTIVATIONS],
           by = engine > 0 ? c->activations / engine : 0;
    if (!(c->activations > 0)) return;
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        struct account_ledger *l = &m->phase[p].ledger;
        uint64_t was = l->bytes[ACCOUNT_ACTIVATIONS];
        bool runs = p == ACCOUNT_FORWARD || p == ACCOUNT_BACKWARD;
        l->bytes[ACCOUNT_ACTIVATIONS] = engine > 0 ? (uint64_t)((double)was * by)
                                        : runs     ? (uint64_t)c->activations
                                                   : 0;
        l->total = l->total - was + l->bytes[ACCOUNT_ACTIVATIONS];
        if (l->total > m->phase[m->peak].ledger.total) m->peak = (enum account_phase)p;
    }
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        if (m->phase[p].ledger.total > m->phase[m->peak].ledger.total)
            m->peak = (enum account_phase)p;
    m->gpu.bytes[ACCOUNT_ACTIVATIONS] = m->highest[ACCOUNT_ACTIVATIONS] = (uint64_t)c->activations;
}

static void put_room(struct memo_config *c, double peak, double bare) {
    const struct account_card *card = c->is.training.card;
    double capacity[2] = {(double)c->is.card_bytes, card && card->usable_bytes
                                                        ? (double)card->usable_bytes
                                                        : (double)c->is.card_bytes};
    for (size_t i = 0; i < 2; i++) {
        put(c, MEMO_Q_USABLE, capacity[i]);
        put(c, MEMO_Q_SPARE, capacity[i] - peak);
        put(c, MEMO_Q_OVER, peak - capacity[i]);
        put(c, MEMO_Q_SPARE, capacity[i] - bare);
        put(c, MEMO_Q_OVER, bare - capacity[i]);
    }
    if (card) put(c, MEMO_Q_LABEL, (double)card->label_bytes);
}

static void put_memory(struct memo_config *c) {
    struct account_memory m;
    if (!account_memory(&c->is.training, &m, NULL)) return;
    replace(c, &m);
    uint64_t more = gathered(&c->is.training), peak = m.phase[m.peak].ledger.total;
    static const enum memo_quantity phases[ACCOUNT_PHASES] = {
        MEMO_Q_INIT, MEMO_Q_PEAK_FORWARD, MEMO_Q_PEAK_BACKWARD, MEMO_Q_PEAK_UPDATE};
    c->known = true;
    c->peak = m.peak;
    put_masks(c, &m);
    put(c, MEMO_Q_GATHERED, (double)more);
    put(c, MEMO_Q_PEAK, (double)(peak + more));
    put(c, MEMO_Q_PEAK, (double)peak); /* as the lessons say it */
    for (int p = 0; p < ACCOUNT_PHASES; p++) {
        bool runs = p == ACCOUNT_FORWARD || p == ACCOUNT_BACKWARD;
        put(c, phases[p], (double)(m.phase[p].ledger.total + (runs ? more : 0)));
        put(c, phases[p], (double)m.phase[p].ledger.total);
    }
    if (c->is.card_bytes) put_room(c, (double)(peak + more), (double)peak);
    put(c, MEMO_Q_HOST, (double)m.host.total);
    put(c, MEMO_Q_HOST, (double)(m.host.total - m.host.bytes[ACCOUNT_GRADS]));
    put(c, MEMO_Q_NVME, (double)m.nvme.total);
    struct account_activations a;
    if (c->activations > 0 || !account_activations(&c->is.training, &a, NULL)) return;
    put(c, MEMO_Q_ACTIVATIONS, (double)a.highest);
    put(c, MEMO_Q_ACTIVATIONS, (double)a.layers);
    put(c, MEMO_Q_LOGITS, (double)a.logits);
}

static void put_traffic(struct memo_config *c) {
    static const enum memo_quantity ops[ACCOUNT_COLLECTIVES] = {
        MEMO_Q_ALL_REDUCE, MEMO_Q_REDUCE_SCATTER, MEMO_Q_ALL_GATHER, MEMO_Q_ALL_TO_ALL, MEMO_Q_P2P};
    struct account_traffic t;
    if (!account_traffic(&c->is.training, &t, NULL)) return;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) put(c, ops[i], (double)t.sent[i]);
    put(c, MEMO_Q_SENT, (double)t.total);
    put(c, MEMO_Q_INSIDE, (double)t.inside);
    put(c, MEMO_Q_BETWEEN, (double)t.between);
    put(c, MEMO_Q_NIC, (double)t.between);
    put(c, MEMO_Q_NIC, (double)t.between * c->is.training.gpus_per_node);
    put(c, MEMO_Q_DOWN, (double)t.offload_down);
    put(c, MEMO_Q_UP, (double)t.offload_up);
}

static void put_run(struct memo_config *c, const struct account_clock *k) {
    const struct account_training *t = &c->is.training;
    double sequences = (double)t->batch * t->accumulate * account_data_parallel(t);
    put(c, MEMO_Q_STEP, k->step);
    put(c, MEMO_Q_THROUGHPUT, k->tokens_per_s);
    put(c, MEMO_Q_THROUGHPUT_GPU, k->tokens_per_s / t->gpus);
    put(c, MEMO_Q_TOKENS, sequences * t->seq);
    if (!(k->tokens_per_s > 0)) return;
    put(c, MEMO_Q_MFU, account_model_flops(t) * sequences / (t->gpus * t->card->flops * k->step));
    put(c, MEMO_Q_RUN, (double)c->is.tokens / k->tokens_per_s);
    put(c, MEMO_Q_GPU_HOURS, (double)c->is.tokens / k->tokens_per_s * t->gpus / 3600);
}

static void put_clock(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    struct account_clock k;
    if (!account_clock(t, &k, NULL)) return;
    if (k.has_comm) {
        put(c, MEMO_Q_COMM, k.comm);
        put(c, MEMO_Q_EXPOSED, k.comm_exposed);
    }
    put(c, MEMO_Q_FORWARD, k.forward);
    put(c, MEMO_Q_BACKWARD, k.backward);
    put(c, MEMO_Q_COMPUTE, k.forward + k.backward);
    put(c, MEMO_Q_UPDATE, k.update);
    put(c, MEMO_Q_OFFLOAD, k.offload);
    put(c, MEMO_Q_BUBBLE, k.bubble);
    if (k.has_compute) put_run(c, &k);
}

static void put_links(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    const struct account_link *own = t->card && t->card->link ? account_link_find(t->card->link)
                                                              : NULL,
                              *net =
                                  t->card && t->card->net ? account_link_find(t->card->net) : NULL;
    struct account_link host = account_host_link(t);
    if (t->link.rate > 0) own = &t->link;
    if (t->net.rate > 0) net = &t->net;
    if (own) put(c, MEMO_Q_LINK, own->rate), put(c, MEMO_Q_LINK, own->wire);
    if (net) put(c, MEMO_Q_NET, net->rate), put(c, MEMO_Q_NET, net->wire);
    put(c, MEMO_Q_HOST_LINK, host.rate);
    put(c, MEMO_Q_HOST_LINK, host.wire);
}

void memo_count(struct memo_config *c) {
    const struct account_training *t = &c->is.training;
    memset(c->value, 0, sizeof c->value);
    c->known = false;
    if (!account_has_stage(t, t->stage) || !account_check(t, NULL)) return;
    double each = 0, ranks = account_shard_ranks(t);
    for (int i = ACCOUNT_PARAMS; i <= ACCOUNT_MOMENTS; i++)
        each += account_bytes_per_param(t, (enum account_category)i);
    put_memory(c);
    put_traffic(c);
    put_clock(c);
    put_links(c);
    put(c, MEMO_Q_PER_PARAM, each);
    put(c, MEMO_Q_PER_PARAM, c->value[MEMO_Q_STATES][0] / (double)t->params);
    put(c, MEMO_Q_PER_PARAM, c->value[MEMO_Q_PARAMS][0] / (double)t->params * (ranks > 0));
    put(c, MEMO_Q_COUNT, (double)t->params);
}

/* ── kept ────────────────────────────────────────────────────────────────────────────────────────*/
enum { KEPT = 64 };
struct memo_cache {
    size_t next;
    struct memo_config row[KEPT];
};

struct memo_cache *memo_cache_new(void) {
    return base_alloc(sizeof(struct memo_cache));
}

void memo_cache_free(struct memo_cache *c) {
    free(c);
}

/* What the values follow from; names and lines are the memo's. */
static bool is_same(const struct memo_config *a, const struct memo_config *b) {
    return memcmp(&a->is.training, &b->is.training, sizeof a->is.training) == 0 &&
           a->is.tokens == b->is.tokens && a->is.card_bytes == b->is.card_bytes &&
           a->activations == b->activations;
}

void memo_recall(struct memo_cache *cache, struct memo_config *c) {
    for (size_t i = 0; cache && i < KEPT; i++) {
        const struct memo_config *row = &cache->row[i];
        if (!row->is.training.params || !is_same(row, c)) continue;
        memcpy(c->value, row->value, sizeof c->value);
        c->known = row->known;
        c->peak = row->peak;
        return;
    }
    memo_count(c);
    if (cache) cache->row[cache->next++ % KEPT] = *c;
}

/* ── what is made of them ────────────────────────────────────────────────────────────────────────*/
bool memo_problem(enum memo_quantity q, const struct memo_config *c, struct account_problem *out) {
    const struct row *row = &rows[q];
    if (!row->kind || c->activations > 0) return false;
    *out = account_problem_default();
    out->training = c->is.training;
    out->kind = (enum account_kind)(row->kind - 1);
    out->unit = row->measure == ACCOUNT_FIGURE_SECONDS           ? ACCOUNT_UNIT_SECONDS
                : row->measure == ACCOUNT_FIGURE_BYTES_PER_PARAM ? ACCOUNT_UNIT_B_PER_PARAM
                                                                 : ACCOUNT_UNIT_GB;
    return account_problem_set(out, "quantity", row->asked, NULL);
}

bool memo_holds(const struct memo_config *c, enum memo_quantity q, const struct account_figure *f) {
    if (rows[q].measure != f->measure) return false;
    for (size_t i = 0; i < MEMO_TRUTHS; i++)
        if (c->value[q][i] > 0 && account_figure_is(f, c->value[q][i])) return true;
    return false;
}

const char *memo_print(char *out, size_t size, double value, enum account_measure m) {
    char n[32];
    double v = fabs(value);
    switch (m) {
    case ACCOUNT_FIGURE_BYTES: return account_print_bytes(out, size, value);
    case ACCOUNT_FIGURE_SECONDS:
        if (v >= 86400)
            snprintf(out, size, "%.3g days", value / 86400);
        else if (v < 1)
            return account_print(out, size, value, ACCOUNT_UNIT_MS, 3);
        else
            return account_print(out, size, value, ACCOUNT_UNIT_SECONDS, 3);
        return out;
    case ACCOUNT_FIGURE_TOKENS_PER_S: snprintf(out, size, "%.0f tokens/s", value); return out;
    case ACCOUNT_FIGURE_BYTES_PER_S:
        return account_print(out, size, value, ACCOUNT_UNIT_GB_PER_S, 4);
    case ACCOUNT_FIGURE_BYTES_PER_PARAM:
        return account_print(out, size, value, ACCOUNT_UNIT_B_PER_PARAM, 4);
    case ACCOUNT_FIGURE_PARAMS:
        snprintf(out, size, "%s parameters", account_print_count(n, sizeof n, value));
        return out;
    case ACCOUNT_FIGURE_TOKENS: snprintf(out, size, "%.0f tokens", value); return out;
    case ACCOUNT_FIGURE_SHARES: snprintf(out, size, "%.3g%%", 100 * value); return out;
    case ACCOUNT_FIGURE_GPU_HOURS: snprintf(out, size, "%.0f GPU-hours", value); return out;
    default: snprintf(out, size, "%.4g", value); return out;
    }
}
