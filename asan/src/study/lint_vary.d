/tmp/wt-app/asan/src/study/lint_vary.o: src/study/lint_vary.c \
 src/study/lint.h src/study/lesson.h src/study/study.h \
 src/account/account.h src/base/base.h
src/study/lint.h:
src/study/lesson.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
