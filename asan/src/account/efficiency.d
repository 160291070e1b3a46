/tmp/wt-app/asan/src/account/efficiency.o: src/account/efficiency.c \
 src/account/account.h
src/account/account.h:
