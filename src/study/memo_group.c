/* Several nouns together: "weights and gradients", "two all-gathers and one reduce-scatter". */
#include "memo_beside.h"

enum { P = 1, G = 2, O = 4, M = 8, V = 16, SENDS = 32, A = 64, R = 128 };
static const struct {
    enum memo_what what;
    int mask;
} components[] = {
    {MEMO_PARAMS,           P                },
    {MEMO_GRADS,            G                },
    {MEMO_OPTIMIZER,        O                },
    {MEMO_MASTER,           M                },
    {MEMO_MOMENT,           V                },
    {MEMO_MOMENTS,          V                },
    {MEMO_ACTIVATIONS,      A                },
    {MEMO_RESERVE,          R                },
    {MEMO_PEAK,             P | G | O | A | R},
    {MEMO_GATHERS,          SENDS            },
    {MEMO_SCATTERS,         SENDS            },
    {MEMO_REDUCES,          SENDS            },
    {MEMO_GRADS_OPTIMIZER,  G | O            },
    {MEMO_PARAMS_GRADS,     P | G            },
    {MEMO_PARAMS_OPTIMIZER, P | O            },
    {MEMO_STATES,           P | G | O        },
    {MEMO_OPTIMIZER,        M | V            },
    {MEMO_GRADS_OPTIMIZER,  G | M | V        },
    {MEMO_PARAMS_OPTIMIZER, P | M | V        },
    {MEMO_STATES,           P | G | M | V    },
    {MEMO_SENT,             SENDS            },
};

static int component(const struct memo_mention *x) {
    for (size_t k = 0; x->says == MEMO_ABOUT && k < BASE_COUNT(components); k++)
        if (components[k].what == (enum memo_what)x->value) return components[k].mask;
    return 0;
}

/* "weights and gradients", "master + moments", "two all-gathers and one reduce-scatter" */
static bool is_joined(const struct memo *m, const struct memo_mention *x,
                      const struct memo_mention *next) {
    enum { REACH = 4 };
    static const char *const passed[] = {"the", "both", "fp32", "bf16", "fp16",    "its",
                                         "one", "adam", "two",  "all",  "sharded", NULL};
    const struct memo_text *t = &m->text;
    bool sign = false;
    if (next->first < x->end || next->first - x->end > REACH) return false;
    for (size_t i = x->end; i < next->first; i++) {
        bool join = memo_is_phrase(t, i, "and") || memo_is_phrase(t, i, "plus") ||
                    memo_is_mark(t, i, '+') || memo_is_mark(t, i, '&') || memo_is_mark(t, i, ',');
        bool pass = join;
        pass |= memo_is_any(t, i, passed);
        if (t->token[i].kind == MEMO_NUMBER) pass = t->token[i].value < 4;
        if (!pass) return false;
        sign |= join;
    }
    return sign;
}

/* The word and those joined to it. */
struct memo_group memo_group_of(const struct memo_around *a, const struct memo_mention *x) {
    const struct memo *m = a->m;
    const struct memo_mention *first = x, *last = x, *end = m->mention + m->mentions;
    struct memo_group g = {x, 0, 0};
    if (!component(x)) return g;
    while (first > m->mention && component(first - 1) && is_joined(m, first - 1, first)) first--;
    while (last + 1 < end && component(last + 1) && is_joined(m, last, last + 1)) last++;
    if (first->first < a->sentence.first || last->end > a->sentence.end) return g;
    for (const struct memo_mention *y = first; y <= last; y++, g.count++) g.mask |= component(y);
    g.first = first;
    return g;
}

/* What a group is together; nothing if one stands alone. */
enum memo_what memo_together(struct memo_group g) {
    for (size_t k = BASE_COUNT(components); g.count > 1 && k-- > 0;)
        if (components[k].mask == g.mask) return components[k].what;
    return MEMO_NOTHING;
}
