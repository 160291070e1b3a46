/tmp/wt-app/asan/tests/study/transcript.o: tests/study/transcript.c \
 tests/study/transcript.h tests/study/fake.h src/study/study.h \
 src/account/account.h src/base/base.h
tests/study/transcript.h:
tests/study/fake.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
