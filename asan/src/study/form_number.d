/tmp/wt-app/asan/src/study/form_number.o: src/study/form_number.c \
 src/study/dialogue.h src/study/lesson.h src/study/study.h \
 src/account/account.h src/base/base.h src/study/verdict.h
src/study/dialogue.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
