/tmp/wt-app/asan/src/study/step_myth.o: src/study/step_myth.c \
 src/study/dialogue.h src/study/lesson.h src/study/study.h \
 src/account/account.h src/base/base.h src/study/verdict.h
src/study/dialogue.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
