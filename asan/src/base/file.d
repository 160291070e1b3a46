/tmp/wt-app/asan/src/base/file.o: src/base/file.c src/base/base.h
src/base/base.h:
