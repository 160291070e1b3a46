/tmp/wt-app/asan/src/account/suffix.o: src/account/suffix.c \
 src/account/suffix.h src/account/account.h src/account/text.h
src/account/suffix.h:
src/account/account.h:
src/account/text.h:
