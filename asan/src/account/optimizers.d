/tmp/wt-app/asan/src/account/optimizers.o: src/account/optimizers.c \
 src/account/tables.h src/account/account.h src/account/whole.h
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
