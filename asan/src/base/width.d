/tmp/wt-app/asan/src/base/width.o: src/base/width.c src/base/base.h
src/base/base.h:
