/* What a role looks like: the one table behind curses, ANSI, SVG and HTML. Categories have SCREENS' colours, which
 * stay apart for colour-blind eyes; in 8 colours and in none the fills and the attributes carry the difference. */
#include "paper/paper.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };
enum { B = PAPER_BOLD, U = PAPER_UNDERLINE, R = PAPER_REVERSE };

#define CATEGORY(name) [PAPER_CATEGORY + ACCOUNT_##name]
static const struct paper_style styles[PAPER_THEMES][PAPER_ROLES] = {
    [PAPER_DARK] =
        {
                      [PAPER_PLAIN] = {-1, -1, -1, 0, 0},
                      [PAPER_DIM] = {245, -1, -1, 0, 0},
                      [PAPER_STRONG] = {-1, -1, -1, B, B},
                      [PAPER_TITLE] = {-1, -1, -1, B, B},
                      [PAPER_ACCENT] = {117, -1, CYAN, B, B},
                      [PAPER_KEY] = {117, -1, CYAN, 0, B},
                      [PAPER_GOOD] = {114, -1, GREEN, B, B},
                      [PAPER_BAD] = {203, -1, RED, B, B | U},
                      [PAPER_WARN] = {221, -1, YELLOW, 0, B},
                      [PAPER_CODE] = {180, -1, YELLOW, 0, B},
                      [PAPER_TERM] = {153, -1, CYAN, U, U},
                      [PAPER_INPUT] = {255, 237, -1, 0, U},
                      [PAPER_LIMIT] = {203, -1, RED, B, B},
                      CATEGORY(PARAMS) = {32, -1, BLUE, 0, 0},
                      CATEGORY(GRADS) = {36, -1, GREEN, 0, 0},
                      CATEGORY(MASTER) = {214, -1, YELLOW, 0, 0},
                      CATEGORY(MOMENTS) = {166, -1, RED, 0, 0},
                      CATEGORY(ACTIVATIONS) = {175, -1, MAGENTA, 0, 0},
                      CATEGORY(GATHER) = {74, -1, CYAN, 0, 0},
                      CATEGORY(REDUCE) = {185, -1, YELLOW, B, 0},
                      CATEGORY(WORKSPACE) = {245, -1, WHITE, 0, 0},
                      CATEGORY(FRAMEWORK) = {240, -1, -1, 0, 0},
                      },
    [PAPER_LIGHT] =
        {
                      [PAPER_PLAIN] = {-1, -1, -1, 0, 0},
                      [PAPER_DIM] = {242, -1, -1, 0, 0},
                      [PAPER_STRONG] = {-1, -1, -1, B, B},
                      [PAPER_TITLE] = {-1, -1, -1, B, B},
                      [PAPER_ACCENT] = {25, -1, BLUE, B, B},
                      [PAPER_KEY] = {25, -1, BLUE, 0, B},
                      [PAPER_GOOD] = {28, -1, GREEN, B, B},
                      [PAPER_BAD] = {160, -1, RED, B, B | U},
                      [PAPER_WARN] = {130, -1, MAGENTA, 0, B},
                      [PAPER_CODE] = {94, -1, MAGENTA, 0, B},
                      [PAPER_TERM] = {25, -1, BLUE, U, U},
                      [PAPER_INPUT] = {16, 254, -1, 0, U},
                      [PAPER_LIMIT] = {160, -1, RED, B, B},
                      CATEGORY(PARAMS) = {32, -1, BLUE, 0, 0},
                      CATEGORY(GRADS) = {36, -1, GREEN, 0, 0},
                      CATEGORY(MASTER) = {214, -1, YELLOW, 0, 0},
                      CATEGORY(MOMENTS) = {166, -1, RED, 0, 0},
                      CATEGORY(ACTIVATIONS) = {175, -1, MAGENTA, 0, 0},
                      CATEGORY(GATHER) = {74, -1, CYAN, 0, 0},
                      CATEGORY(REDUCE) = {185, -1, YELLOW, B, 0},
                      CATEGORY(WORKSPACE) = {245, -1, -1, 0, 0},
                      CATEGORY(FRAMEWORK) = {240, -1, -1, 0, 0},
                      },
    [PAPER_CONTRAST] =
        {
                      [PAPER_PLAIN] = {231, 16, WHITE, 0, 0},
                      [PAPER_DIM] = {252, 16, WHITE, 0, 0},
                      [PAPER_STRONG] = {231, 16, WHITE, B, B},
                      [PAPER_TITLE] = {231, 16, WHITE, B, B},
                      [PAPER_ACCENT] = {227, 16, YELLOW, B, B},
                      [PAPER_KEY] = {227, 16, YELLOW, B, B},
                      [PAPER_GOOD] = {120, 16, GREEN, B, B},
                      [PAPER_BAD] = {217, 16, RED, B | U, B | U},
                      [PAPER_WARN] = {227, 16, YELLOW, B, B},
                      [PAPER_CODE] = {159, 16, CYAN, 0, B},
                      [PAPER_TERM] = {231, 16, WHITE, U, U},
                      [PAPER_INPUT] = {16, 231, -1, 0, U},
                      [PAPER_LIMIT] = {217, 16, RED, B, B},
                      CATEGORY(PARAMS) = {39, 16, BLUE, 0, 0},
                      CATEGORY(GRADS) = {43, 16, GREEN, 0, 0},
                      CATEGORY(MASTER) = {220, 16, YELLOW, 0, 0},
                      CATEGORY(MOMENTS) = {208, 16, RED, 0, 0},
                      CATEGORY(ACTIVATIONS) = {218, 16, MAGENTA, 0, 0},
                      CATEGORY(GATHER) = {117, 16, CYAN, 0, 0},
                      CATEGORY(REDUCE) = {229, 16, YELLOW, B, 0},
                      CATEGORY(WORKSPACE) = {252, 16, WHITE, 0, 0},
                      CATEGORY(FRAMEWORK) = {248, 16, WHITE, 0, 0},
                      },
};

const char *paper_theme_name(enum paper_theme t) {
    static const char *const names[PAPER_THEMES] = {"dark", "light", "contrast"};
    return names[t];
}

const struct paper_style *paper_style(enum paper_theme t, unsigned role) {
    return &styles[t][role < PAPER_ROLES ? role : PAPER_PLAIN];
}

uint32_t paper_rgb(int colour) {
    static const uint32_t system[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                        0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                        0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint32_t cube[6] = {0, 95, 135, 175, 215, 255};
    if (colour < 0 || colour > 255) return system[7];
    if (colour < 16) return system[colour];
    if (colour >= 232) return 0x010101U * (uint32_t)(8 + 10 * (colour - 232));
    unsigned at = (unsigned)colour - 16;
    return cube[at / 36] << 16 | cube[at / 6 % 6] << 8 | cube[at % 6];
}
