/tmp/wt-app/asan/tests/study/memo_sentences.o: \
 tests/study/memo_sentences.c tests/study/memo_sentences.h \
 src/study/study.h src/account/account.h src/base/base.h
tests/study/memo_sentences.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
