/tmp/wt-app/asan/src/account/collectives.o: src/account/collectives.c \
 src/account/account.h
src/account/account.h:
