/tmp/wt-app/asan/src/study/mix_result.o: src/study/mix_result.c \
 src/study/dialogue.h src/study/lesson.h src/study/study.h \
 src/account/account.h src/base/base.h src/study/verdict.h
src/study/dialogue.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
