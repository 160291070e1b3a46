/tmp/wt-app/asan/src/study/variant.o: src/study/variant.c \
 src/study/lesson.h src/study/study.h src/account/account.h \
 src/base/base.h
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
