/tmp/wt-app/asan/src/account/shapes.o: src/account/shapes.c \
 src/account/shapes.h src/account/tables.h src/account/account.h \
 src/account/whole.h
src/account/shapes.h:
src/account/tables.h:
src/account/account.h:
src/account/whole.h:
