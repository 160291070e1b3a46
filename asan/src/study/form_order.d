/tmp/wt-app/asan/src/study/form_order.o: src/study/form_order.c \
 src/study/dialogue.h src/study/lesson.h src/study/study.h \
 src/account/account.h src/base/base.h src/study/verdict.h
src/study/dialogue.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
src/study/verdict.h:
