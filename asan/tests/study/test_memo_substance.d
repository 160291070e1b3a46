/tmp/wt-app/asan/tests/study/test_memo_substance.o: \
 tests/study/test_memo_substance.c src/study/study.h \
 src/account/account.h src/base/base.h
src/study/study.h:
src/account/account.h:
src/base/base.h:
