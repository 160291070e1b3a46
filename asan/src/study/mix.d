/tmp/wt-app/asan/src/study/mix.o: src/study/mix.c src/study/lesson.h \
 src/study/study.h src/account/account.h src/base/base.h
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
