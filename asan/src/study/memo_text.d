/tmp/wt-app/asan/src/study/memo_text.o: src/study/memo_text.c \
 src/study/memo_text.h src/study/study.h src/account/account.h \
 src/base/base.h
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
