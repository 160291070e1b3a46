/tmp/wt-app/asan/src/base/utf8.o: src/base/utf8.c src/base/base.h
src/base/base.h:
