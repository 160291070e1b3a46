/tmp/wt-app/asan/src/study/scenario_write.o: src/study/scenario_write.c \
 src/study/scenario.h src/study/memo_text.h src/study/study.h \
 src/account/account.h src/base/base.h
src/study/scenario.h:
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
