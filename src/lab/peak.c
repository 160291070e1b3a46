/* What GPUs could compute, for the share of it that a run does (model FLOP utilisation; Chowdhery et al., arXiv:2204.02311, appendix B). */
#include "lab/events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether one of the words of `text` is this one; words are letters and digits, in either case. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n])) n++;
        bool same = n == length;
        for (size_t i = 0; same && i < n; i++)
            same = tolower((unsigned char)at[i]) == tolower((unsigned char)word[i]);
        if (same) return true;
        at += n ? n : 1;
    }
    return false;
}
static bool is_size(const char *word, size_t length) { /* "80g" */
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits + 1 == length && word[digits] == 'g';
}
/* The driver's name has all words of the catalogue's ("h100-pcie-80g"), sizes apart, and is of the same board. */
static bool is_card(const char *gpu, const char *name) {
    static const char *const boards[] = {"pcie", "nvl", "mig"};
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "-");
        if (!is_size(at, n) && !has_word(gpu, at, n)) return false;
        at += n + (at[n] == '-');
    }
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (has_word(gpu, boards[i], strlen(boards[i])) !=
            has_word(name, boards[i], strlen(boards[i])))
            return false;
    return true;
}
static double peak_of_one(const char *gpu) {
    size_t count = 0;
    const struct account_card *card = account_cards(&count);
    for (size_t i = 0; i < count; i++)
        if (is_card(gpu, card[i].name)) return card[i].flops;
    return 0;
}

double lab_peak(const struct lab_options *o) {
    char hardware[200];
    uint32_t gpus = o->comm == LAB_NCCL && !o->share_gpu ? o->ranks : o->gpus;
    if (o->device != LAB_CUDA || o->compute == LAB_F32 || o->dry || o->predict) return 0;
    lab_machine(o, hardware, sizeof hardware);
    return peak_of_one(hardware) * gpus;
}
double lab_model_operations(const struct lab_options *o) {
    struct account_training t;
    struct account_error e;
    if (!lab_training(o, &t, &e)) return 0;
    return account_model_flops(&t) * o->ranks * o->batch * o->accumulate;
}
