/tmp/wt-app/asan/src/base/json.o: src/base/json.c src/base/base.h
src/base/base.h:
