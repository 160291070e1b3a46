/tmp/wt-app/asan/src/account/precisions.o: src/account/precisions.c \
 src/account/tables.h src/account/account.h src/account/whole.h
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
