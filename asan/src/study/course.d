/tmp/wt-app/asan/src/study/course.o: src/study/course.c src/study/study.h \
 src/account/account.h src/base/base.h
src/study/study.h:
src/account/account.h:
src/base/base.h:
