/tmp/wt-app/asan/src/study/mix_choose.o: src/study/mix_choose.c \
 src/study/lesson.h src/study/study.h src/account/account.h \
 src/base/base.h src/study/verdict.h
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
