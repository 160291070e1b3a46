/tmp/wt-app/asan/src/account/quantity.o: src/account/quantity.c \
 src/account/suffix.h src/account/account.h src/account/text.h
src/account/suffix.h:
src/account/account.h:
src/account/text.h:
