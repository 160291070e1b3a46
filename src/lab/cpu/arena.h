/* Memory that other ranks can read: for each rank one file without a name, mapped by all, huge and
 * sparse. The allocator only keeps books about the file, so it gives the same offsets to all ranks
 * that ask for the same. */
#ifndef LAB_ARENA_H
#define LAB_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab_message;

/* A file in memory that no folder shows, closed on exec; −1 with a message if there is none to be
 * had. */
int lab_arena_file(size_t bytes, struct lab_message *m);
/* How large to make the file of each of `ranks`: no rank can hold more than the machine, nor than
 * this process's limits allow. */
size_t lab_arena_size(uint32_t ranks);
/* The whole of a file, to read and write; NULL with a message. *bytes is its size. */
void *lab_arena_map(int file, size_t *bytes, struct lab_message *m);

struct lab_extent {
    size_t at, bytes;
};
struct lab_arena {
    int file;
    char *base;
    size_t size;
    /* in order of `at`, in whole pages */
    struct lab_extent *taken;
    size_t count, capacity;
};
/* Takes memory, zeroed, at the start of a page. NULL if there is none left: then `why` says of
 * what. First fit. The pages are there when it returns, so no later access can fail. */
void *lab_arena_take(struct lab_arena *a, size_t bytes, char *why, size_t capacity);
void lab_arena_give(struct lab_arena *a, void *memory);
/* Offset of something in the arena; −1 if the n bytes do not lie in it. */
int64_t lab_arena_offset(const struct lab_arena *a, const void *memory, size_t n);
uint64_t lab_arena_resident(const struct lab_arena *a);
/* Unmaps and closes. */
void lab_arena_close(struct lab_arena *a);

#endif
