/tmp/wt-app/asan/src/base/memory.o: src/base/memory.c src/base/base.h
src/base/base.h:
