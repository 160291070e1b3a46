/tmp/wt-app/asan/src/study/lesson.o: src/study/lesson.c \
 src/study/lesson.h src/study/study.h src/account/account.h \
 src/base/base.h
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
