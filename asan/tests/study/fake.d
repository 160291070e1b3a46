/tmp/wt-app/asan/tests/study/fake.o: tests/study/fake.c \
 tests/study/fake.h src/study/study.h src/account/account.h \
 src/base/base.h
tests/study/fake.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
