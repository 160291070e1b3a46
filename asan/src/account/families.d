/tmp/wt-app/asan/src/account/families.o: src/account/families.c \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h src/account/text.h
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
src/account/text.h:
