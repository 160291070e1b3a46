/tmp/wt-app/asan/src/study/scenario.o: src/study/scenario.c \
 src/study/scenario.h src/study/memo_text.h src/study/study.h \
 src/account/account.h src/base/base.h
src/study/scenario.h:
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
