/* The shapes that have names. GPT-2's four (Radford et al., "Language Models are Unsupervised Multitask Learners", table 2), and three that read bytes and
 * train on a laptop: tiny 0.2, small 2.7, 10m 10.8 million parameters. */
#include "lab/model.h"

#include <string.h>

static const struct {
    const char *name;
    struct lab_shape shape;
} shapes[] = {
    {"tiny",  {4, 64, 4, 64, 256}        },
    {"small", {6, 192, 6, 128, 256}      },
    {"10m",   {6, 384, 6, 256, 256}      },
    {"124m",  {12, 768, 12, 1024, 50257} },
    {"355m",  {24, 1024, 16, 1024, 50257}},
    {"774m",  {36, 1280, 20, 1024, 50257}},
    {"1558m", {48, 1600, 25, 1024, 50257}},
};

bool lab_shape_find(const char *name, struct lab_shape *out) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0) {
            *out = shapes[i].shape;
            return true;
        }
    return false;
}

const char *lab_shape_names(void) {
    return "tiny|small|10m|124m|355m|774m|1558m";
}
