/tmp/wt-app/asan/src/account/dimension.o: src/account/dimension.c \
 src/account/dimension.h src/account/account.h
src/account/dimension.h:
src/account/account.h:
