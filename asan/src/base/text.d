/tmp/wt-app/asan/src/base/text.o: src/base/text.c src/base/base.h
src/base/base.h:
