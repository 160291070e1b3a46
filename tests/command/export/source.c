/* What the handout of the tests reads aloud. */
/* read: halves */
int half(int whole) {
    /* up */
    return (whole + 1) / 2;
}
/* read: end */
