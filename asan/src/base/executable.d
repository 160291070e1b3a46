/tmp/wt-app/asan/src/base/executable.o: src/base/executable.c \
 src/base/executable.h
src/base/executable.h:
