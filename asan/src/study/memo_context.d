/tmp/wt-app/asan/src/study/memo_context.o: src/study/memo_context.c \
 src/study/memo_around.h src/study/memo.h src/study/memo_text.h \
 src/study/study.h src/account/account.h src/base/base.h
src/study/memo_around.h:
src/study/memo.h:
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
