/tmp/wt-app/asan/src/study/score.o: src/study/score.c src/study/lesson.h \
 src/study/study.h src/account/account.h src/base/base.h \
 src/study/verdict.h
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
