/* One product of 16 × 16 by 16 × 8 the way attention makes it: fragments by ldmatrix, plain and
 * transposed, from panels whose pieces change places. The emulator's fragment layouts and a GPU's
 * must both pass. */
#include "gpu/check.h"
#include "lab/cuda/attention.cuh"

#include <cstdlib>
#include <cstring>
#include <vector>

enum { SIDE = 16, D = 64 }; /* panels of 16 rows of 64, of which 16 columns count */

/* c = a · bᵀ, b in rows; d = a · b. */
template <typename T>
__global__ void both(const T *a, const T *b, float *by_rows, float *by_panel, uint32_t *packed) {
    LAB_SHARED_MEMORY(T, panel_a);
    T *const panel_b = panel_a + SIDE * D;
    for (int i = static_cast<int>(threadIdx.x); i < SIDE * SIDE; i += 32) {
        const int row = i / SIDE, column = i % SIDE;
        panel_a[lab_piece<D>(row, column / 8) + column % 8] = a[i];
        panel_b[lab_piece<D>(row, column / 8) + column % 8] = b[i];
    }
    __syncwarp();
    uint32_t left[4], four[4];
    const int lane = static_cast<int>(threadIdx.x), at = lane / 16 * 8 + lane % 8;
    lab_left<D>(left, panel_a, 0, 0);
    for (int way = 0; way < 2; way++) {
        float *const to = way ? by_panel : by_rows;
        if (way)
            lab_load_transposed(four, panel_b + lab_piece<D>(lane % 16, lane / 16));
        else
            lab_load_fragments(four, panel_b + lab_piece<D>(at, lane / 8 % 2));
        for (int half = 0; half < 2; half++) {
            float sums[4] = {0, 0, 0, 0};
            const uint32_t right[2] = {four[2 * half], four[2 * half + 1]};
            lab_mma<T>(sums, left, right);
            for (int i = 0; i < 4; i++)
                to[(lane / 4 + i / 2 * 8) * SIDE + 8 * half + lane % 4 * 2 + i % 2] = sums[i];
        }
    }
    packed[lane] = lab_pack<T>(static_cast<float>(lane), -1.5f);
}

template <typename T> static void products(struct check *c, const char *name) {
    std::vector<T> a(SIDE * SIDE), b(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[size_t(i)] = lab_narrow<T>(float(i * 7 % 23 - 11));
        b[size_t(i)] = lab_narrow<T>(float(i * 5 % 19 - 9));
    }
    T *on_a = nullptr, *on_b = nullptr;
    float *sums = nullptr, got[2 * SIDE * SIDE];
    uint32_t *on_packed = nullptr, packed[32];
    const size_t bytes = SIDE * SIDE * sizeof(T);
    if (cudaMalloc(reinterpret_cast<void **>(&on_a), bytes) ||
        cudaMalloc(reinterpret_cast<void **>(&on_b), bytes) ||
        cudaMalloc(reinterpret_cast<void **>(&sums), sizeof got) ||
        cudaMalloc(reinterpret_cast<void **>(&on_packed), sizeof packed))
        abort();
    (void)cudaMemcpy(on_a, a.data(), bytes, cudaMemcpyHostToDevice);
    (void)cudaMemcpy(on_b, b.data(), bytes, cudaMemcpyHostToDevice);
    LAB_LAUNCH(both<T>, 1, 32, 2 * SIDE * D * sizeof(T), nullptr, on_a, on_b, sums,
               sums + SIDE * SIDE, on_packed);
    (void)cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(packed, on_packed, sizeof packed, cudaMemcpyDeviceToHost);
    int wrong[2] = {0, 0}, wrong_pairs = 0;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            float wanted[2] = {0, 0};
            for (int k = 0; k < SIDE; k++) {
                const float left = lab_widen(a[size_t(row * SIDE + k)]);
                wanted[0] += left * lab_widen(b[size_t(column * SIDE + k)]);
                wanted[1] += left * lab_widen(b[size_t(k * SIDE + column)]);
            }
            for (int way = 0; way < 2; way++)
                wrong[way] += got[way * SIDE * SIDE + row * SIDE + column] != wanted[way];
        }
    for (int lane = 0; lane < 32; lane++) {
        const uint32_t low = lab_narrow<T>(float(lane)).bits, high = lab_narrow<T>(-1.5f).bits;
        wrong_pairs += packed[lane] != (low | high << 16);
    }
    check(c, !wrong[0], "%s: a · bᵀ is exact, %d sums off", name, wrong[0]);
    check(c, !wrong[1], "%s: a · b is exact, %d sums off", name, wrong[1]);
    check(c, !wrong_pairs, "%s: pairs are packed low first, %d off", name, wrong_pairs);
    for (void *memory : {static_cast<void *>(on_a), static_cast<void *>(on_b),
                         static_cast<void *>(sums), static_cast<void *>(on_packed)})
        (void)cudaFree(memory);
}

int main() {
    struct check c = {};
    products<lab_bf16>(&c, "bf16");
    products<lab_f16>(&c, "fp16");
    return check_done(&c);
}
