/tmp/wt-app/asan/tests/study/test_step_memo.o: \
 tests/study/test_step_memo.c tests/study/fake.h src/study/study.h \
 src/account/account.h src/base/base.h
tests/study/fake.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
