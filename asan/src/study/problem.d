/tmp/wt-app/asan/src/study/problem.o: src/study/problem.c \
 src/study/study.h src/account/account.h src/base/base.h
src/study/study.h:
src/account/account.h:
src/base/base.h:
