/* What the course says is what was published: each lesson is read once in linear mode, every question passed over, and must say these
 * figures. They are written down here from the papers' formulas and tables; the lessons have theirs from the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/course.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { FACTS = 16, PASSES = 300 };

static const struct {
    const char *lesson, *says[FACTS];
} facts[] = {
  /* Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1: 2 + 2 + 12 bytes of mixed-precision Adam; 7e9 of them */
    {"1.1", {"16 bytes", "112 GB", "4 + 4 + 8", "7.4 %"}                                                },
 /* (N − 1)/N of what N = 8 replicas keep is redundant */
    {"1.2", {"87.5 %"}                                                                                  },
 /* ZeRO, figure 1 and section 5: 7.5e9 parameters on 64 GPUs */
    {"1.3", {"16Ψ", "4Ψ + 12Ψ/N", "2Ψ + 14Ψ/N", "16Ψ/N", "120 GB", "31.4 GB", "16.6 GB", "1.9 GB"}},
 /* ZeRO, section 7: 2Ψ under stages 0 to 2, 3Ψ under stage 3 */
    {"1.4", {"2Ψ", "3Ψ", "(N − 1)/N"}                                                               },
 /* Korthikanti et al., arXiv:2205.05198, equation 1, and the same without dropout masks */
    {"2.4", {"34 + 5as/h", "32 + 2as/h"}                                                                },
 /* NVIDIA A100 data sheet: both directions of NVLink 3 */
    {"2.5", {"600 GB/s"}                                                                                },
 /* The names of PyTorch's FSDP and FSDP2. _fsdp_param.py: shards keep the parameter's own dtype; fully_shard's documentation: a bool, an
  * int or None; DeepSpeed, partition_parameters.py, _padding_size */
    {"3.1",
     {"FULL_SHARD", "SHARD_GRAD_OP", "HYBRID_SHARD", "NO_SHARD", "fully_shard",
      "reshard_after_forward", "as the model was built", "None, the default",
      "each parameter by elements"}                                                                     },
 /* DeepSpeed saves 2 + 4 + 8 bytes a parameter, of 13e9; the first 2 are the next 4, rounded. ZeRO-Infinity, arXiv:2104.07857, section
  * 4.1: one intensity for parameters and gradients */
    {"3.2", {"12Ψ suffice", "14Ψ", "182 GB", "156 GB", "weights and gradients"}                       },
 /* Wang et al., ZeRO++, arXiv:2306.10209, section 3. Of 3 × 63/64 × 140e9 bytes a node's eight cards carry an eighth each, of
  * HSDP 2 × 7/8 × 140e9 ÷ 8 go through each: 59 %. 160 all-reduces of 134 MB over two nodes; the planner's
  * answer for 70B on 64 GPUs */
    {"3.3", {"hpZ", "qwZ", "qgZ", "MiCS", "59 %", "250 ms", "95.3 s"}                                   },
 /* 7/8 × 26e9 bytes × (2, 1 + 8, 3 × 8): stages 1, 2 and 3 with eight micro-batches */
    {"3.4", {"45.5 GB", "205 GB", "546 GB", "Rows 5 and 6", "frozen matrix keeps no input"}             },
 /* 13e9 parameters on 8 GPUs: 16Ψ, then the stages by ZeRO's table 1; Megatron's fp32 gradients; DeepSpeed with both kinds */
    {"4.1",
     {"208 GB", "71.5 GB", "48.75 GB", "26 GB", "97.5", "123.5", "45.5 GB", "85.9 GB", "79.15 GiB",
      "85 GB", "46.2 GB", "first principles"}                                                           },
};

/* What the lesson prints, whatever is asked passed over; the caller's. */
static char *read_through(const struct home *h, const char *lesson) {
    struct base_text t = {0};
    char *command = base_format("yes '' | head -n %d | %s '%s' learn %s --linear", PASSES,
                                h->variable, getenv("ZEROTUTOR"), lesson);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, pipe)) > 0;) base_text_add(&t, piece, n);
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: linear mode ended with status %d", lesson, status);
    free(command);
    return base_text_take(&t);
}

static void lessons_say_what_was_published(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(facts); i++) {
        struct course_homes homes = course_homes(facts[i].lesson);
        char *text = read_through(&homes.skin, facts[i].lesson), *words = course_words(text);
        for (size_t k = 0; k < FACTS && facts[i].says[k]; k++)
            if (!strstr(words, facts[i].says[k]))
                fail_msg("%s nowhere says %s", facts[i].lesson, facts[i].says[k]);
        free(words);
        free(text);
        course_homes_remove(&homes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lessons_say_what_was_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
