/tmp/wt-app/asan/src/account/number.o: src/account/number.c \
 src/account/text.h src/account/account.h
src/account/text.h:
src/account/account.h:
