/tmp/wt-app/asan/src/study/verdict.o: src/study/verdict.c \
 src/study/verdict.h
src/study/verdict.h:
