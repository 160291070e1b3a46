/tmp/wt-app/asan/src/base/random.o: src/base/random.c src/base/base.h
src/base/base.h:
