/tmp/wt-app/asan/src/account/categories.o: src/account/categories.c \
 src/account/account.h
src/account/account.h:
