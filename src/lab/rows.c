/* Sparse gradients of the embeddings. A micro-step looks up batch · seq rows of the table, so of
 * its gradient no more than these rows differ from zero. An all-reduce sends the zeros too. With
 * --sparse-gradients each rank sends the rows that it looked up, with their tokens, to all others,
 * and every rank adds up what it has gathered:
 *
 *     rank 0   token 7 ▒▒▒   token 2 ▒▒▒          all ranks   row 2  = rank 0's + rank 1's
 *     rank 1   token 2 ▒▒▒   token 9 ▒▒▒    →                 row 7  = rank 0's
 *                                                             row 9  = rank 1's
 *
 * Row i of a sequence is at position i, so the positions' gradients follow from the same rows, and
 * need no bytes of their own: the whole unit is sent so.
 *
 * DeepSpeed has it as "sparse_gradients" (runtime/engine.py, sparse_allreduce: all-gathers of
 * indices and of values), PyTorch as nn.Embedding(sparse=True), whose gradients DDP all-gathers.
 * There duplicates may be added up first, and then the bytes depend on the text. Here every row
 * that was looked up is sent, twice if its token is there twice, so that the bytes are known in
 * advance. A rank sends
 *
 *     rows     (N − 1) · batch · seq · (width · element + 4)           in each micro-step
 *     dense    2 (N − 1) / N · (vocab + seq) · width · element         in a step
 *
 * So without accumulation, and but for the tokens' numbers, rows send less if vocab + seq is more
 * than N / 2 times batch · seq. With more ranks rows lose, because each rank sends its own to all
 * others, where an all-reduce adds up on its way. (Parallax, arXiv:1808.02621, section 3.1,
 * compares the two so, as α times the size of the variable for a share α of rows that are not
 * zero.)
 *
 * The sums are those of the all-reduce, to the bit: each rank's rows are added and rounded as its
 * own backward would have done, and then the ranks' sums in rank order. With accumulation, rows are
 * sent and added in each micro-step, as stages 2 and 3 do with all gradients: that is another order
 * of additions, and differs by rounding.
 *
 * A tied head makes a gradient for every row of the table, and nothing is sparse. From stage 1 on a
 * rank needs the sums of its shard only, and would receive all rows for them. There DeepSpeed, too,
 * reduces densely (engine.py, allreduce_gradients: only without ZeRO are rows sent).
 *
 * The optimizer has the gradient as a whole table, with zeros: AdamW moves every row in every step,
 * by its momentum and its decay. DeepSpeed, too, makes a dense gradient again of what arrived. */
#include "lab/engine.h"

/* Bytes of a token's number. */
enum { INDEX = sizeof(int32_t) };

/* Elements of a rank's piece: its rows, then their tokens. */
static size_t piece(const struct lab_rank *k) {
    size_t rows = lab_rows(k), e = lab_element(k);
    return rows * k->options->shape.width + (rows * INDEX + e - 1) / e;
}

bool lab_rows_reserve(struct lab_rank *k) {
    if (!k->options->sparse_gradients) return true;
    return lab_reservation_make(&k->ledger, &k->sparse.rows, ACCOUNT_REDUCE, LAB_SHARED,
                                k->options->ranks * piece(k) * lab_element(k));
}

void lab_rows_free(struct lab_rank *k) {
    lab_reservation_free(&k->ledger, &k->sparse.rows);
}

/* In one message: the tokens travel behind the rows, as bytes. */
bool lab_rows_send(struct lab_rank *k, const int32_t *tokens, const void *gradient) {
    size_t bytes = piece(k) * lab_element(k);
    size_t values = lab_rows(k) * k->options->shape.width * lab_element(k);
    if (!lab_reservation_enter(&k->ledger, &k->sparse.rows)) return false;
    char *mine = (char *)k->sparse.rows.memory + k->comm->rank * bytes;
    k->device->row->copy(k->device, mine, gradient, values);
    k->device->row->copy(k->device, mine + values, tokens, lab_rows(k) * INDEX);
    struct lab_transfer x = {.op = LAB_ALL_GATHER,
                             .among = LAB_INSIDE,
                             .whole = k->sparse.rows.memory,
                             .shard = mine,
                             .count = piece(k),
                             .type = k->options->compute,
                             .into = k->options->compute,
                             .unit = 0};
    k->sparse.ticket = k->comm->row->start(k->comm, &x);
    return k->sparse.ticket != 0 || lab_fail_memory(k);
}

bool lab_rows_add(struct lab_rank *k) {
    const struct lab_shape *s = &k->options->shape;
    struct lab_rows rows = {.memory = k->sparse.rows.memory,
                            .piece = piece(k) * lab_element(k),
                            .rows = lab_rows(k),
                            .seq = s->seq,
                            .width = s->width,
                            .ranks = k->options->ranks};
    char *table = k->unit[0].grads;
    if (!k->options->sparse_gradients) return true;
    if (!k->comm->row->wait(k->comm, k->sparse.ticket, &k->message)) return false;
    if (k->micro == 0)
        k->device->row->zero(k->device, table, lab_bytes_of(k, LAB_GRADS, k->split.unit[0].padded));
    k->device->row->embed_rows(k->device, k->options->compute, lab_type_of(k, LAB_GRADS), table,
                               table + lab_bytes_of(k, LAB_GRADS, (size_t)s->vocab * s->width),
                               &rows);
    lab_reservation_leave(&k->ledger, &k->sparse.rows);
    return true;
}
