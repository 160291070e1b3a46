/tmp/wt-app/asan/src/study/show.o: src/study/show.c src/study/dialogue.h \
 src/study/lesson.h src/study/study.h src/account/account.h \
 src/base/base.h src/study/verdict.h
src/study/dialogue.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
