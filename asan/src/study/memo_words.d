/tmp/wt-app/asan/src/study/memo_words.o: src/study/memo_words.c \
 src/study/study.h src/account/account.h src/base/base.h
src/study/study.h:
src/account/account.h:
src/base/base.h:
