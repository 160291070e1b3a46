/tmp/wt-app/asan/src/base/message.o: src/base/message.c src/base/base.h
src/base/base.h:
