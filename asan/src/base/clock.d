/tmp/wt-app/asan/src/base/clock.o: src/base/clock.c src/base/base.h
src/base/base.h:
