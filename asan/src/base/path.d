/tmp/wt-app/asan/src/base/path.o: src/base/path.c src/base/base.h \
 src/base/executable.h
src/base/base.h:
src/base/executable.h:
