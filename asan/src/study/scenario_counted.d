/tmp/wt-app/asan/src/study/scenario_counted.o: \
 src/study/scenario_counted.c src/study/scenario_reading.h \
 src/study/scenario.h src/study/memo_text.h src/study/study.h \
 src/account/account.h src/base/base.h
src/study/scenario_reading.h:
src/study/scenario.h:
src/study/memo_text.h:
src/study/study.h:
src/account/account.h:
src/base/base.h:
