/tmp/wt-app/asan/src/account/text.o: src/account/text.c \
 src/account/text.h src/account/account.h
src/account/text.h:
src/account/account.h:
