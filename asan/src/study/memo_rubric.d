/tmp/wt-app/asan/src/study/memo_rubric.o: src/study/memo_rubric.c \
 src/study/memo.h src/study/memo_text.h src/study/study.h \
 src/account/account.h src/base/base.h
src/study/memo.h:
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
