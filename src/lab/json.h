/* Writes JSON, a line an object. Inside the lab only. */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#include "lab/comm.h"
#include "lab/ledger.h"

#include <stdio.h>

struct lab_json {
    FILE *file;
    /* something stands before */
    bool comma;
};
/* `key` NULL: an element of an array, or the outermost. */
void lab_json_open(struct lab_json *j, const char *key, char bracket);
void lab_json_close(struct lab_json *j, char bracket);
void lab_json_end(struct lab_json *j); /* of the line */
void lab_json_text(struct lab_json *j, const char *key, const char *text);
void lab_json_count(struct lab_json *j, const char *key, uint64_t n);
void lab_json_integer(struct lab_json *j, const char *key, int64_t n);
/* `digits` significant ones; null where it is not finite. */
void lab_json_real(struct lab_json *j, const char *key, double x, int digits);
void lab_json_flag(struct lab_json *j, const char *key, bool is);
void lab_json_null(struct lab_json *j, const char *key);
void lab_json_hash(struct lab_json *j, const char *key, uint64_t hash);
void lab_json_categories(struct lab_json *j, const char *key, const uint64_t *bytes);
void lab_json_sent(struct lab_json *j, const uint64_t *sent);

#endif
