/* traffic_explain: how each leg's bytes and seconds come about, and the sources. */
#include "command/traffic.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const factors[ACCOUNT_COLLECTIVES] = {
    [ACCOUNT_ALL_REDUCE] = "2(N−1)/N",
    [ACCOUNT_REDUCE_SCATTER] = "(N−1)/N",
    [ACCOUNT_ALL_GATHER] = "(N−1)/N",
    [ACCOUNT_ALL_TO_ALL] = "(N−1)/N",
    [ACCOUNT_P2P] = "1",
};

static void put_leg(const struct traffic_stage *s, size_t i, struct paper *p) {
    const struct account_leg *l = &s->traffic.leg[i];
    char payload[ASKED_UNIT_MOST], sent[ASKED_UNIT_MOST], seconds[ASKED_UNIT_MOST],
        name[ASKED_UNIT_MOST];
    account_print_bytes(payload, sizeof payload, l->payload);
    account_print_bytes(sent, sizeof sent, (double)l->sent);
    char *time = s->clock.has_comm ? base_format("; latency + bytes ÷ rate, %.6g times: %s",
                                                 l->calls, asked_seconds(seconds, s->clock.leg[i]))
                                   : base_dup("");
    char *text = base_format("%s: %s of %s among %u ranks, %s × %s = %s%s", l->what,
                             traffic_collective(l->op, name), payload, l->ranks, factors[l->op],
                             payload, sent, time);
    paper_text(p, (struct paper_flow){.indent = 3}, text);
    free(text);
    free(time);
}

void traffic_explain(const struct traffic *t, struct paper *p) {
    for (size_t s = 0; s < t->stages; s++) {
        paper_blank(p, 1);
        paper_printf(p, paper_height(p), 1, PAPER_STRONG, "stage %u", t->stage[s].training.stage);
        for (size_t i = 0; i < t->stage[s].traffic.legs; i++) put_leg(&t->stage[s], i, p);
    }
    asked_sources(&t->asked, p);
    asked_source("volume by stage", "ZeRO, arXiv:1910.02054, section 7", p);
    asked_source("what a collective sends", "nccl-tests, doc/PERFORMANCE.md", p);
    if (t->asked.link.name) asked_source(t->asked.link.title, t->asked.link.source, p);
    if (t->asked.net.name) asked_source(t->asked.net.title, t->asked.net.source, p);
}
