/tmp/wt-app/asan/src/account/recipes.o: src/account/recipes.c \
 src/account/tables.h src/account/account.h src/account/whole.h
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
