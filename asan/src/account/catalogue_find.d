/tmp/wt-app/asan/src/account/catalogue_find.o: \
 src/account/catalogue_find.c src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
